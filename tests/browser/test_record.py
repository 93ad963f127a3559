"""The scorekeeper in a real browser: on a phone, without a connection, beside another recorder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from uuid import UUID

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from records import reader
from records.append import append_events
from records.games import start_game
from records.models import Player
from rules_engine import registry
from rules_engine.events import HandResult
from rules_engine.facts import WinFacts
from tests.browser.conftest import MEMBER, PASSWORD, Site

LANGUAGES = pytest.mark.parametrize("language", ["zh-Hans", "en"])
WIDTHS = pytest.mark.parametrize("width", [390, 1280])
TAPS_MAX = 25
HELD = "23456788m34p678s"
"""A hand of the simplest game here that waits for 2p and 5p."""


def hand_on(number: int, tile: str = "5p", seat: int = 0, dealer: int = 0) -> HandResult:
    """A hand that this seat drew itself."""
    win = WinFacts(seat=seat, by="zimo", tile=tile, concealed=HELD)
    return HandResult(hand=number, dealer=dealer, streak=number, result="hu", wins=(win,))


@pytest.fixture
def game(site: Site) -> UUID:
    """A game of results that has just been started."""
    people = Player.objects.bulk_create(
        Player(club=site.club, name=f"{name}{Player.objects.count()}") for name in "东南西北"
    )
    game_id, _ = start_game(
        club_id=site.club.pk,
        created_by=None,
        ruleset=registry.get("hefei"),
        options={},
        preset=None,
        players=[person.pk for person in people],
        substitutes=[],
        stake=1,
        title="",
        command_id="start",
    )
    return game_id


def open_game(site: Site, page: Page, game: UUID, query: str = "") -> None:
    """Open the scorekeeper's page and wait for its script."""
    page.goto(f"{site.address}/record/{game}{query}")
    expect(page.locator("#record")).to_have_attribute("data-ready", "1")


class Thumb:
    """Taps on the form, counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, selector: str) -> None:
        self.page.locator(selector).click()
        self.taps += 1

    def tiles(self, *names: str) -> None:
        for name in names:
            self.tap(f'[data-do="tile"][data-tile="{name}"]')


def names(text: str) -> list[str]:
    """The tiles of a compact text."""
    return [rank + suit for ranks, suit in re.findall(r"(\d+)([mpszf])", text) for rank in ranks]


def enter_own_draw(page: Page, seat: int, tile: str = "5p") -> Thumb:
    """Enter the hand as a person does, up to the button that records it."""
    thumb = Thumb(page)
    thumb.tap(f'#strip [data-seat="{seat}"]')
    thumb.tiles(*names(HELD), tile)
    return thumb


def hands_of(game: UUID) -> int:
    """How many hands of the game have ended."""
    return reader.game_at(game).hands_ended


def until_recorded(page: Page, hands: int) -> None:
    """Wait until nothing waits on the phone and the page knows of so many hands."""
    expect(page.locator("#record")).to_have_attribute("data-waiting", "0", timeout=20_000)
    expect(page.locator("#hands tbody tr")).to_have_count(hands, timeout=20_000)


@WIDTHS
@LANGUAGES
def test_a_hand_is_recorded_with_few_taps_and_told_before_it_is(
    site: Site, signed_in: Page, complaints: list[str], game: UUID, width: int, language: str
) -> None:
    page = signed_in
    page.set_viewport_size({"width": width, "height": 844})
    open_game(site, page, game, f"?lang={language}")
    thumb = enter_own_draw(page, 2)
    expect(page.locator("#answer .gains li").nth(2)).to_contain_text("+32")
    expect(page.locator("#answer .gains li").nth(0)).to_contain_text("−12")
    expect(page.locator("#answer .paid tbody tr")).to_have_count(4)
    thumb.tap("#confirm")
    assert thumb.taps <= TAPS_MAX
    until_recorded(page, 1)
    assert hands_of(game) == 1
    expect(page.locator("#strip [data-seat='2'] .points")).to_have_text("+32")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert complaints == []
