"""The scorekeeper without a connection, beside another recorder, and after a slip."""

from __future__ import annotations

import re
from uuid import UUID

from msgspec.structs import replace
from playwright.sync_api import Page, Route, expect

from records import reader
from records.append import append_events
from rules_engine.events import HandResult
from tests.browser.conftest import Site
from tests.browser.recording import (
    HELD,
    Thumb,
    enter_own_draw,
    hand_on,
    hands_of,
    log_of,
    names,
    open_game,
    until_recorded,
)


def test_two_hands_entered_without_a_connection_are_recorded_once_each(
    site: Site, signed_in: Page, game: UUID
) -> None:
    page = signed_in
    open_game(site, page, game)
    page.evaluate("navigator.serviceWorker.ready")
    open_game(site, page, game)
    thumb = Thumb(page)
    thumb.tap('#strip [data-seat="0"]')
    thumb.tiles(*names(HELD)[:6])
    page.context.set_offline(True)
    thumb.tiles(*names(HELD)[6:], "5p")
    thumb.tap("#confirm")
    expect(page.locator("#record")).to_have_attribute("data-waiting", "1")
    page.reload()
    expect(page.locator("#record")).to_have_attribute("data-ready", "1")
    expect(page.locator("#record")).to_have_attribute("data-waiting", "1")
    enter_own_draw(page, 1, "2p").tap("#confirm")
    expect(page.locator("#line")).to_contain_text(re.compile("2"))
    page.context.set_offline(False)
    until_recorded(page, 2)
    assert hands_of(game) == 2
    wins = [event for event in log_of(game) if isinstance(event, HandResult)]
    assert [(win.seat, win.tile) for hand in wins for win in hand.wins] == [(0, "5p"), (1, "2p")]
    assert [hand.dealer for hand in wins] == [wins[0].dealer, 0]


def test_a_receipt_that_was_lost_does_not_double_a_hand(
    site: Site, signed_in: Page, game: UUID
) -> None:
    page = signed_in
    open_game(site, page, game)
    lost = []

    def lose(route: Route) -> None:
        route.fetch()
        lost.append(route.request.headers["idempotency-key"])
        route.abort("connectionreset")

    page.route("**/events", lose, times=1)
    enter_own_draw(page, 3).tap("#confirm")
    until_recorded(page, 1)
    assert len(lost) == 1
    assert hands_of(game) == 1


def test_what_another_recorder_wrote_is_shown_and_a_person_decides(
    site: Site, signed_in: Page, game: UUID
) -> None:
    page = signed_in
    open_game(site, page, game, "?lang=en")
    enter_own_draw(page, 2)
    append_events(game_id=game, expected_seq=1, events=[hand_on(1)], command_id="the other")
    page.locator("#confirm").click()
    stopped = page.locator("#stopped")
    expect(stopped).to_contain_text("Meanwhile somebody else recorded", timeout=15_000)
    expect(stopped).to_contain_text("东")
    stopped.get_by_role("button", name="Record mine as hand 2").click()
    until_recorded(page, 2)
    assert [win.seat for hand in log_of(game)[1:] for win in hand.wins] == [0, 2]
    enter_own_draw(page, 3)
    events = [hand_on(3, seat=1, dealer=1)]
    dealer, streak = reader.game_at(game).dealer, reader.game_at(game).streak
    events = [replace(events[0], dealer=dealer, streak=streak)]
    append_events(game_id=game, expected_seq=3, events=events, command_id="the other again")
    page.locator("#confirm").click()
    stopped.get_by_role("button", name="Discard mine").click(timeout=15_000)
    until_recorded(page, 3)
    assert hands_of(game) == 3


def test_a_hand_can_be_taken_back_until_it_is_sent_and_needs_a_ruling_then(
    site: Site, signed_in: Page, game: UUID
) -> None:
    page = signed_in
    open_game(site, page, game, "?lang=en")
    enter_own_draw(page, 2).tap("#confirm")
    page.get_by_role("button", name="Undo hand 1").click()
    expect(page.locator("#record")).to_have_attribute("data-waiting", "0")
    expect(page.locator("#strip [data-seat='2']")).to_have_attribute("aria-pressed", "true")
    page.locator("#strip [data-seat='1']").click()
    page.locator("#confirm").click()
    until_recorded(page, 1)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator("#ruling")).to_contain_text("Only a ruling")
    page.get_by_role("button", name="Correct it").click()
    page.locator("#strip [data-seat='3']").click()
    page.get_by_label("Reason of the correction").fill("misread")
    page.locator("#confirm").click()
    expect(page.locator("#strip [data-seat='3'] .points")).to_have_text("+32", timeout=15_000)
    kinds = [event.type for event in log_of(game)]
    assert kinds == ["game_started", "hand_result", "hand_corrected"]
