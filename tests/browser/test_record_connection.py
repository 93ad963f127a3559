"""The scorekeeper without a connection, beside another recorder, and after a slip."""

from __future__ import annotations

import re
from uuid import UUID

from msgspec.structs import replace
from playwright.sync_api import Page, Route, expect

from records import reader
from records.append import append_events
from records.models import Membership, Player
from records.models.clubs import Role
from records.people import create_account
from rules_engine.events import HandResult
from tests.browser.conftest import MEMBER, PASSWORD, Site
from tests.browser.recording import (
    HELD,
    Thumb,
    enter_own_draw,
    hand_on,
    hands_of,
    log_of,
    names,
    open_game,
    started_game,
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
    page.get_by_role("button", name="Correct hand 1").click()
    page.locator("#strip [data-seat='3']").click()
    expect(page.locator("#answer .changes tbody tr").nth(3)).to_contain_text("+32")
    page.get_by_label("Reason of the correction").fill("misread")
    page.locator("#confirm").click()
    expect(page.locator("#strip [data-seat='3'] .points")).to_have_text("+32", timeout=15_000)
    kinds = [event.type for event in log_of(game)]
    assert kinds == ["game_started", "hand_result", "hand_corrected"]


def test_a_hand_that_is_confirmed_twice_at_once_is_recorded_once(
    site: Site, signed_in: Page, game: UUID
) -> None:
    page = signed_in
    open_game(site, page, game)
    enter_own_draw(page, 2)
    page.evaluate("for (let tap = 0; tap < 5; tap += 1) document.getElementById('confirm').click()")
    until_recorded(page, 1)
    assert hands_of(game) == 1


def test_two_pages_of_one_phone_send_each_hand_once(
    site: Site, signed_in: Page, game: UUID
) -> None:
    page = signed_in
    open_game(site, page, game)
    other = page.context.new_page()
    open_game(site, other, game)
    page.context.set_offline(True)
    enter_own_draw(page, 0).tap("#confirm")
    expect(page.locator("#record")).to_have_attribute("data-waiting", "1")
    enter_own_draw(page, 1).tap("#confirm")
    expect(page.locator("#record")).to_have_attribute("data-waiting", "2")
    page.close()
    other.context.set_offline(False)
    other.bring_to_front()
    other.evaluate("dispatchEvent(new Event('online'))")
    until_recorded(other, 2)
    assert hands_of(game) == 2


def test_who_was_signed_out_meanwhile_signs_in_and_the_hand_is_recorded_once(
    site: Site, signed_in: Page, game: UUID
) -> None:
    page = signed_in
    open_game(site, page, game, "?lang=en")
    enter_own_draw(page, 2)
    page.context.clear_cookies()
    page.locator("#confirm").click()
    link = page.locator("#line").get_by_role("link", name="Sign in")
    expect(link).to_be_visible(timeout=15_000)
    link.click()
    sign_in(page, MEMBER)
    expect(page.locator("#record")).to_have_attribute("data-ready", "1")
    until_recorded(page, 1)
    assert hands_of(game) == 1


def test_what_one_account_wrote_down_is_never_sent_by_another(
    site: Site, signed_in: Page, game: UUID
) -> None:
    recorder = create_account(username=f"recorder-{game}", password=PASSWORD)
    Membership.objects.create(account=recorder, club=site.club, role=Role.RECORDER)
    page = signed_in
    open_game(site, page, game, "?lang=en")
    enter_own_draw(page, 2)
    page.context.clear_cookies()
    page.locator("#confirm").click()
    page.locator("#line").get_by_role("link", name="Sign in").click(timeout=15_000)
    sign_in(page, recorder.username)
    expect(page.locator("#record")).to_have_attribute("data-ready", "1")
    expect(page.locator("#record")).to_have_attribute("data-waiting", "0")
    enter_own_draw(page, 3).tap("#confirm")
    until_recorded(page, 1)
    (hand,) = [event for event in log_of(game) if isinstance(event, HandResult)]
    assert [win.seat for win in hand.wins] == [3]


def sign_in(page: Page, username: str) -> None:
    """Fill in the form, which leads back to where somebody came from."""
    page.get_by_label("Account").fill(username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(re.compile("/record/"))


def test_who_goes_back_and_comes_again_finds_the_hand_as_it_was(
    site: Site, signed_in: Page, game: UUID
) -> None:
    page = signed_in
    page.goto(f"{site.address}/record")
    open_game(site, page, game)
    thumb = Thumb(page)
    thumb.tap('#strip [data-seat="1"]')
    thumb.tiles(*names(HELD)[:5])
    page.go_back()
    expect(page.locator("#start")).to_be_visible()
    page.go_forward()
    expect(page.locator("#record")).to_have_attribute("data-ready", "1")
    expect(page.locator('[data-target="concealed"]')).to_contain_text("5/13")


def test_a_game_that_was_ended_by_a_slip_goes_on_after_undo(
    site: Site, signed_in: Page, game: UUID
) -> None:
    page = signed_in
    open_game(site, page, game, "?lang=en")
    page.locator("#ending summary").click()
    page.get_by_role("button", name="End the game").click()
    expect(page.locator("#closed")).to_be_visible(timeout=15_000)
    assert reader.game_at(game).ended
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator("#entry")).to_be_visible(timeout=15_000)
    assert not reader.game_at(game).ended


def test_a_game_of_four_hundred_hands_between_people_of_long_names_is_gone_on_with(
    site: Site, signed_in: Page
) -> None:
    page = signed_in
    page.set_viewport_size({"width": 360, "height": 740})
    game = started_game(site, "hefei")
    for player in Player.objects.filter(pk__in=[UUID(str(each)) for each in players_of(game)]):
        player.name = f"{player.name}的名字很长很长 with no end in sight whatsoever"
        player.save(update_fields=["name"])
    hands = [replace(hand_on(number), streak=number) for number in range(1, 401)]
    for first in range(0, 400, 100):
        append_events(
            game_id=game,
            expected_seq=first + 1,
            events=hands[first : first + 100],
            command_id=f"hands {first}",
        )
    open_game(site, page, game)
    expect(page.locator("#title")).to_contain_text("401")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    enter_own_draw(page, 1).tap("#confirm")
    expect(page.locator("#hands tbody th").first).to_have_text("401", timeout=30_000)
    assert hands_of(game) == 401


def players_of(game: UUID) -> list[str]:
    """Who sits in the game."""
    return [player for player in reader.game_at(game).players if player]
