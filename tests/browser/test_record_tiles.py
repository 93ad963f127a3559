"""The scorekeeper tile by tile: what happens at a table is entered with controls of the page."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from api.simulation.games import simulate
from records import reader
from records.append import append_events
from rules_engine import registry
from rules_engine.events import (
    Event,
    GameEnded,
    GameStarted,
    HandResult,
    PlayerLeft,
    PlayerSeated,
    Rewind,
    WallRevealed,
)
from rules_engine.facts import WinFacts
from rules_engine.fold import Game, apply, closing
from rules_engine.forms import forms
from rules_engine.moves import moves
from rules_engine.ruleset import Options, make_options
from tests.browser.conftest import Site
from tests.browser.recording import LANGUAGES, faults_of, log_of, open_game, started_game
from tests.support.written import Answer, answers, body_of

ROOMS = {
    "hefei": ({"room": "bao_ting"}, {"ting", "hu"}),
    "huaiyuan": ({}, {"bao_roll", "hu"}),
    "jiangxi": ({}, {"gang", "hu"}),
    "qingdao": ({"hun": True, "flowers": 4}, {"niu", "flower", "hu"}),
    "ruian": ({}, {"flower", "peng", "hu"}),
}
"""What is played, and what has to happen in a hand that is worth recording here."""
NO_PART = (GameStarted, GameEnded, WallRevealed)
"""What is no part of a hand."""
EVENTS_MAX = 60
SEEDS = 4000


def a_hand(slug: str) -> list[Event]:
    """The events of the first short hand in which all of it happens."""
    given, wanted = ROOMS[slug]
    ruleset = registry.get(slug)
    options = make_options(ruleset.options, given)
    assert isinstance(options, Options)
    for seed in range(SEEDS):
        played = simulate(ruleset, options=options, hands=1, rng=Random(f"tiles {slug} {seed}"))
        events = [event for _, event in played]
        if len(events) <= EVENTS_MAX and wanted <= {event.type for event in events}:
            return events
    raise AssertionError(slug)


class Scorekeeper:
    """Enters one event after the other, as they happened."""

    def __init__(self, page: Page, game: Game) -> None:
        self.page = page
        self.game = game
        self.steps = page.locator("#steps")

    def enter(self, event: Event) -> None:
        """The next event, with the controls that are there for it."""
        expect(self.steps).to_have_attribute("data-seq", str(self.game.seq), timeout=15_000)
        actions = moves(self.game).actions
        if event in actions:
            self.steps.locator(f'[data-action="{actions.index(event)}"]').click()
        else:
            self.fill(event)
        self.game = apply(self.game, event, self.game.seq + 1)
        over = closing(self.game)
        if over is not None:
            self.game = apply(self.game, over, self.game.seq + 1)

    def fill(self, event: Event) -> None:
        """The form that is due."""
        (form,) = [form for form in forms(self.game) if form.due]
        given = answers(form, event)
        assert given is not None, (event, form)
        for field, answer in enumerate(given):
            self.answer(field, answer)
        main = self.steps.locator('[data-form="record"]')
        if main.is_visible():
            main.click()

    def answer(self, field: int, answer: Answer) -> None:
        """One field of it."""
        if answer.value is None:
            return
        if answer.field.kind == "choice":
            self.tap("choose", field, answer.value)
        elif answer.field.kind == "dice":
            for place, face in enumerate(answer.value):
                self.tap("die", field, f"{place}.{face}")
        else:
            slot = self.steps.locator(f'[data-form="slot"][data-field="{field}"]')
            if slot.is_visible() and slot.get_attribute("aria-pressed") == "false":
                slot.click()
            tiles = answer.value if isinstance(answer.value, list) else [answer.value]
            for tile in tiles:
                self.steps.locator(f'[data-form="tile"][data-value="{tile}"]').click()

    def tap(self, what: str, field: int, value: object) -> None:
        self.steps.locator(
            f'[data-form="{what}"][data-field="{field}"][data-value="{value}"]'
        ).click()


@pytest.mark.parametrize("slug", list(ROOMS))
def test_a_simulated_hand_is_recorded_wholly_with_the_controls_of_the_page(
    site: Site, signed_in: Page, complaints: list[str], slug: str
) -> None:
    page = signed_in
    page.set_viewport_size({"width": 390, "height": 844})
    events = [each for each in a_hand(slug) if not isinstance(each, NO_PART)]
    game = started_game(site, slug, options=ROOMS[slug][0])
    open_game(site, page, game, "?lang=zh-hans")
    page.locator('[data-mode="tiles"]').click()
    keeper = Scorekeeper(page, reader.game_at(game))
    for event in events:
        if not keeper.game.hands_ended:
            keeper.enter(event)
    expect(page.locator("#hands tbody tr")).to_have_count(1, timeout=15_000)
    assert [body_of(event) for event in log_of(game)[1:]] == [body_of(each) for each in events]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert complaints == []


DEALT = ("2345678m234567p", "2345678m234567p", "2345678m234567p", "2345678m234567p")


def deal(page: Page, dealt: Sequence[str], last: str) -> None:
    """A deal of the simplest game, its tiles written as text."""
    page.locator('[data-mode="tiles"]').click()
    page.locator('#steps [data-form="choose"]').first.click()
    for text in (*dealt, last):
        page.locator("#steps [data-form-text]").fill(text)
        page.locator('#steps [data-form="text"]').click()
    page.locator('#steps [data-form="record"]').click()


@LANGUAGES
def test_a_slip_is_taken_back_event_by_event(
    site: Site, signed_in: Page, game: UUID, language: str
) -> None:
    page = signed_in
    open_game(site, page, game, f"?lang={language}")
    deal(page, DEALT, "8s")
    steps = page.locator("#steps")
    discard = steps.locator('[data-key="action.0"]')
    assert faults_of(page) == []
    expect(steps).to_have_attribute("data-seq", "2", timeout=15_000)
    discard.click()
    expect(steps).to_have_attribute("data-seq", "3", timeout=15_000)
    expect(steps.locator('[data-value="8m"]')).to_be_disabled()
    steps.locator('[data-value="2s"]').click()
    expect(steps).to_have_attribute("data-seq", "4", timeout=15_000)
    for _ in range(3):
        seq = int(steps.get_attribute("data-seq") or 0)
        page.locator("#undo").click()
        expect(steps).to_have_attribute("data-seq", str(seq + 1), timeout=15_000)
    assert reader.game_at(game).table is None
    assert [event.type for event in log_of(game)][-3:] == ["rewind"] * 3
    assert [event.to for event in log_of(game) if isinstance(event, Rewind)] == [3, 2, 1]
    expect(page.locator('[data-mode="result"]')).to_be_visible()


def test_a_deal_that_is_half_entered_outlasts_a_reload_and_five_of_a_kind_are_refused(
    site: Site, signed_in: Page, game: UUID
) -> None:
    page = signed_in
    open_game(site, page, game, "?lang=en")
    page.locator('[data-mode="tiles"]').click()
    expect(page.locator("#steps [data-form-text]")).to_be_visible()
    assert faults_of(page) == []
    text = page.locator("#steps [data-form-text]")
    text.fill("22222m345p")
    text.press("Enter")
    expect(page.locator("#said")).to_contain_text("2 wan")
    slot = page.locator('#steps [data-form="slot"][data-field="1"]')
    expect(slot).to_contain_text("7/13")
    expect(page.locator('#steps [data-form="tile"][data-value="2m"]')).to_be_disabled()
    page.reload()
    expect(slot).to_contain_text("7/13")
    page.locator('#steps [data-form="back"]').click()
    expect(slot).to_contain_text("6/13")
    expect(page.locator('#steps [data-form="record"]')).to_be_disabled()


@LANGUAGES
def test_a_player_leaves_another_sits_down_and_the_game_goes_on(
    site: Site, signed_in: Page, complaints: list[str], game: UUID, language: str
) -> None:
    page = signed_in
    page.set_viewport_size({"width": 390, "height": 844})
    open_game(site, page, game, f"?lang={language}")
    page.locator("#ending summary").click()
    page.locator('[data-open^="player_left"]').click()
    page.locator('#people [data-form="choose"]').nth(2).click()
    assert faults_of(page) == []
    page.locator('#people [data-form="record"]').click()
    change = page.locator("#change")
    expect(change).to_be_visible(timeout=15_000)
    expect(page.locator("#entry")).to_be_hidden()
    chosen = change.locator("select option").nth(1)
    name = chosen.inner_text()
    change.locator("select").select_option(index=1)
    change.locator('[data-form="record"]').click()
    expect(page.locator("#strip [data-seat='2'] .name")).to_contain_text(name, timeout=15_000)
    expect(page.locator("#entry")).to_be_visible()
    assert [type(event) for event in log_of(game)[1:]] == [PlayerLeft, PlayerSeated]
    page.locator("#undo").click()
    expect(change).to_be_visible(timeout=15_000)
    assert complaints == []


def test_who_lost_the_deal_makes_room_for_the_substitute(
    site: Site, signed_in: Page, complaints: list[str]
) -> None:
    page = signed_in
    game = started_game(site, "ruian", options={"roster": 5}, waiting=1)
    win = WinFacts(seat=2, by="dianpao", tile="8s", concealed="123456m234678p5567s", from_=3)
    hand = HandResult(hand=1, dealer=0, result="hu", wild="9s", wins=(win,))
    append_events(game_id=game, expected_seq=1, events=[hand], command_id="a hand")
    left = reader.game_at(game).players[0]
    open_game(site, page, game, "?lang=zh-hans")
    change = page.locator("#change")
    expect(change).to_contain_text("换人")
    change.locator('[data-form="record"]').click()
    expect(change).to_contain_text("入座", timeout=15_000)
    change.locator('[data-form="record"]').click()
    expect(page.locator("#entry")).to_be_visible(timeout=15_000)
    assert [type(event) for event in log_of(game)[2:]] == [PlayerLeft, PlayerSeated]
    assert left in reader.game_at(game).substitutes
    assert complaints == []
