"""Recording in a browser: a game to record, the form as a person taps it, what came of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from records import reader
from records.games import start_game
from records.models import Player
from rules_engine import registry
from rules_engine.events import Event, HandResult
from rules_engine.facts import WinFacts
from tests.browser.conftest import Site

LANGUAGES = pytest.mark.parametrize("language", ["zh-Hans", "en"])
WIDTHS = pytest.mark.parametrize("width", [390, 1280])
TAPS_MAX = 25
HELD = "23456788m34p678s"
"""A hand of the simplest game here that waits for 2p and 5p."""


def hand_on(number: int, tile: str = "5p", seat: int = 0, dealer: int = 0) -> HandResult:
    """A hand that this seat drew itself."""
    win = WinFacts(seat=seat, by="zimo", tile=tile, concealed=HELD)
    return HandResult(hand=number, dealer=dealer, streak=number, result="hu", wins=(win,))


def started_game(
    site: Site, slug: str, *, options: Mapping[str, Any] | None = None, waiting: int = 0
) -> UUID:
    """A game of this ruleset that has just been started, by people who are new to the club."""
    people = Player.objects.bulk_create(
        Player(club=site.club, name=f"{name}{Player.objects.count()}")
        for name in "东南西北中"[: 4 + waiting]
    )
    game_id, _ = start_game(
        club_id=site.club.pk,
        created_by=None,
        ruleset=registry.get(slug),
        options=options or {},
        preset=None,
        players=[person.pk for person in people[:4]],
        substitutes=[person.pk for person in people[4:]],
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


def log_of(game: UUID) -> list[Event]:
    """The raw events of the game."""
    return [event for _, event in reader.numbered_events(game)]


def open_start(site: Site, page: Page, language: str) -> None:
    """Open the page on which games are started."""
    page.goto(f"{site.address}/record?lang={language}")
    expect(page.locator("#start")).to_be_visible()


def start_with(page: Page, ruleset: str) -> None:
    """Start a game of the four players who stand first."""
    page.locator("#ruleset").select_option(ruleset)
    for place in range(4):
        page.locator("#players button").nth(place).click()
    page.locator("#go").click()
    page.wait_for_url(re.compile(r"/record/[0-9a-f-]{36}$"))
    expect(page.locator("#record")).to_have_attribute("data-ready", "1")


def faults_of(page: Page) -> list[tuple[str, str, list[str]]]:
    """What axe finds serious, in both themes."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found += [
            (scheme, fault["id"], [str(node["target"]) for node in fault["nodes"]][:3])
            for fault in Axe().run(page).response["violations"]
            if fault["impact"] in {"serious", "critical"}
        ]
    return found
