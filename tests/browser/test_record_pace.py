"""How many taps a hand takes the scorekeeper, and how long that is at the pace of a person."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page

from rules_engine.facts import Meld, WinFacts
from tests.browser.conftest import Site
from tests.browser.recording import names, open_game, started_game, until_recorded

TAP_MS = 350
THOUGHT_MS = 1000
"""A person taps this fast, and thinks this long before each part of the hand."""
HAND_MS_MAX = 20_000

SETS = (Meld(kind="peng", tiles="999s", from_=2), Meld(kind="chi", tiles="123s", from_=0))
GANGS = (Meld(kind="an_gang", tiles="2222m"), Meld(kind="an_gang", tiles="8888m"))
DRAWN = WinFacts(seat=1, by="zimo", tile="4m", concealed="12233m45688p999s")
GIVEN = WinFacts(seat=1, by="dianpao", tile="6m", concealed="45678m22p", from_=0, melds=SETS)
TYPICAL = (
    ("hefei", None, replace(DRAWN, tile="5p", concealed="23456788m34p678s"), 16),
    ("hefei", None, replace(GIVEN, tile="7p", concealed="3444556p", melds=GANGS), 16),
    ("huaiyuan", None, DRAWN, 16),
    ("huaiyuan", None, GIVEN, 17),
    ("jiangxi", "9p", DRAWN, 17),
    ("jiangxi", "9p", GIVEN, 18),
    ("qingdao", None, DRAWN, 16),
    ("qingdao", None, GIVEN, 17),
    ("ruian", "9p", replace(DRAWN, tile="8s", concealed="123456m234678p5567s"), 20),
    ("ruian", "1z", replace(GIVEN, concealed="45678m22p345s"), 21),
)
"""Ruleset, wild, and taps (as in ``replays/README.md``): a hand drawn by oneself with nothing
melded, one won on a discard beside two melds.
"""


class Person:
    """Enters a hand as somebody does who has it lying open on the table."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0
        self.thoughts = 0

    def tap(self, *selectors: str) -> None:
        """Think, then tap these one after the other."""
        self.thoughts += 1
        for selector in selectors:
            self.page.locator(selector).click()
        self.taps += len(selectors)

    def tiles(self, text: str) -> None:
        self.tap(*[f'[data-do="tile"][data-tile="{name}"]' for name in names(text)])

    @property
    def took_ms(self) -> int:
        return self.taps * TAP_MS + self.thoughts * THOUGHT_MS

    def enter(self, wild: str | None, win: WinFacts) -> None:
        """The whole hand, result first."""
        self.tap(f'#strip [data-seat="{win.seat}"]')
        if win.by != "zimo":
            self.tap(
                f'[data-do="by"][data-by="{win.by}"]', f'[data-do="from"][data-seat="{win.from_}"]'
            )
        if wild:
            self.tiles(wild)
        for meld in win.melds:
            source = "" if meld.kind in {"chi", "an_gang"} else meld.from_
            self.tap(
                f'[data-do="meld"][data-kind="{meld.kind}"]',
                f'[data-do="tile"][data-tile="{names(meld.tiles)[0]}"]',
                *([] if source == "" else [f'[data-do="meld-from"][data-seat="{source}"]']),
            )
        self.tiles(win.concealed)
        self.tiles(win.tile)
        self.tap("#confirm")


@pytest.mark.parametrize(("slug", "wild", "win", "taps"), TYPICAL)
def test_a_typical_hand_is_entered_in_less_than_twenty_seconds(
    site: Site, signed_in: Page, slug: str, wild: str | None, win: WinFacts, taps: int
) -> None:
    page = signed_in
    page.set_viewport_size({"width": 390, "height": 844})
    game = started_game(site, slug)
    open_game(site, page, game)
    person = Person(page)
    person.enter(wild, win)
    until_recorded(page, 1)
    assert person.taps == taps
    assert person.took_ms <= HAND_MS_MAX
