"""The scorekeeper in a real browser: on a phone, without a connection, beside another recorder."""

from __future__ import annotations

import re
from uuid import UUID

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, Route, expect

from records import reader
from records.append import append_events
from records.games import start_game
from records.models import Player
from rules_engine import registry
from rules_engine.events import Event, HandResult
from rules_engine.facts import HandFacts, Holding, WinFacts
from rules_engine.ruleset import Options, make_options
from rules_engine.sheets import Sheet, sheet_of
from rules_engine.tiles import parse
from tests.browser.conftest import Site
from tests.rules_engine.variants.test_refusals import cases

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
    for narrow in (width, 360):
        page.set_viewport_size({"width": narrow, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= narrow
    page.locator("#ending summary").click()
    page.locator('[data-do="end"]').click()
    expect(page.locator("#closed")).to_be_visible(timeout=15_000)
    assert reader.game_at(game).ended
    assert complaints == []


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


def log_of(game: UUID) -> list[Event]:
    """The raw events of the game."""
    return [event for _, event in reader.numbered_events(game)]


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


def test_what_was_counted_by_hand_is_held_against_the_rules(
    site: Site, signed_in: Page, game: UUID
) -> None:
    page = signed_in
    open_game(site, page, game, "?lang=en")
    enter_own_draw(page, 2)
    page.locator(".quick summary").click()
    page.locator('#ticks [data-item="base"]').click()
    page.locator('#ticks [data-item="qi_dui"]').click()
    differences = page.locator("#answer .compared")
    expect(differences.locator(".over")).to_contain_text("does not count")
    expect(differences).not_to_contain_text("pinghu")
    page.locator("#confirm").click()
    until_recorded(page, 1)
    assert hands_of(game) == 1


def test_what_cannot_be_is_refused_in_words_and_tiles_as_text_are_checked(
    site: Site, signed_in: Page, game: UUID
) -> None:
    page = signed_in
    open_game(site, page, game, "?lang=zh-hans")
    page.locator("#strip [data-seat='0']").click()
    page.locator("#paste").fill("22222m1zx 345p")
    page.get_by_role("button", name="填入").click()
    expect(page.locator("#paste-fault")).to_contain_text("二万")
    expect(page.locator("#paste-fault")).to_contain_text("东")
    expect(page.locator('[data-do="tile"][data-tile="2m"]')).to_be_disabled()
    page.locator("#paste").fill("3456m2s")
    page.keyboard.press("Enter")
    page.locator("#paste").fill("8m4s")
    page.keyboard.press("Enter")
    expect(page.locator("#answer .wrong")).to_be_visible()
    expect(page.locator("#confirm")).to_be_disabled()


def test_melds_wilds_flags_and_who_gave_the_tile_are_entered(site: Site, signed_in: Page) -> None:
    page = signed_in
    open_start(site, page, "en")
    start_with(page, "qingdao")
    thumb = Thumb(page)
    thumb.tap('#strip [data-seat="1"]')
    thumb.tap('[data-do="by"][data-by="dianpao"]')
    thumb.tap('[data-do="from"][data-seat="3"]')
    thumb.tap('[data-do="meld"][data-kind="an_gang"]')
    thumb.tiles("2s")
    thumb.tap('[data-do="meld"][data-kind="peng"]')
    thumb.tiles("5m")
    thumb.tap('[data-do="meld-from"][data-seat="2"]')
    thumb.tap('[data-do="meld"][data-kind="chi"]')
    thumb.tiles("1p")
    thumb.tiles("6m", "7m", "9s", "9s", "8m")
    expect(page.locator("#answer .gains li").nth(1)).to_contain_text("+")
    thumb.tap("#confirm")
    until_recorded(page, 1)
    assert thumb.taps <= TAPS_MAX


def test_two_seats_win_on_one_discard(site: Site, signed_in: Page, game: UUID) -> None:
    page = signed_in
    open_game(site, page, game)
    thumb = Thumb(page)
    thumb.tap('[data-do="by"][data-by="dianpao"]')
    thumb.tap('#strip [data-seat="1"]')
    thumb.tap('#strip [data-seat="2"]')
    thumb.tap('[data-do="from"][data-seat="3"]')
    thumb.tiles(*names(HELD), "5p")
    thumb.tap('[data-do="active"][data-seat="1"]')
    thumb.tiles(*names(HELD))
    expect(page.locator("#answer .win")).to_have_count(2)
    thumb.tap("#confirm")
    until_recorded(page, 1)
    (hand,) = [event for event in log_of(game) if isinstance(event, HandResult)]
    assert [(win.seat, win.by, win.from_, win.tile) for win in hand.wins] == [
        (1, "dianpao", 3, "5p"),
        (2, "dianpao", 3, "5p"),
    ]


def test_without_a_script_the_page_has_scores_and_hands(
    site: Site, signed_in: Page, browser: Browser, game: UUID
) -> None:
    append_events(game_id=game, expected_seq=1, events=[hand_on(1)], command_id="the other")
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies(signed_in.context.cookies())  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{site.address}/record/{game}")
    expect(page.locator("#strip")).to_contain_text("+36")
    expect(page.locator("#hands tbody tr")).to_have_count(1)
    expect(page.locator("#confirm")).to_be_hidden()
    context.close()


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


@WIDTHS
@LANGUAGES
def test_a_game_is_started_by_tapping_players_and_a_guest_joins(
    site: Site, signed_in: Page, complaints: list[str], width: int, language: str
) -> None:
    page = signed_in
    page.set_viewport_size({"width": width, "height": 844})
    open_start(site, page, language)
    guest = f"客 {width} {language}"
    page.locator("#guest").fill(guest)
    page.keyboard.press("Enter")
    expect(page.locator("#chairs li").first).to_contain_text(guest)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for place in range(1, 4):
        page.locator("#players button").nth(place).click()
    page.locator("#go").click()
    page.wait_for_url(re.compile(r"/record/[0-9a-f-]{36}$"))
    expect(page.locator("#strip [data-seat='0'] .name")).to_contain_text(guest)
    assert complaints == []


@WIDTHS
def test_the_scorekeeper_has_no_serious_fault_for_who_uses_a_screen_reader_or_keys(
    site: Site, signed_in: Page, game: UUID, width: int
) -> None:
    page = signed_in
    page.set_viewport_size({"width": width, "height": 844})
    open_start(site, page, "en")
    assert faults_of(page) == []
    open_game(site, page, game)
    enter_own_draw(page, 2)
    expect(page.locator("#answer .gains")).to_be_visible()
    assert faults_of(page) == []


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


def test_the_page_of_a_game_is_for_who_records_in_its_club(
    site: Site, page: Page, game: UUID
) -> None:
    page.goto(f"{site.address}/record/{game}")
    expect(page).to_have_url(re.compile(r"/sign-in\?next="))


def test_a_hand_is_recorded_tile_by_tile_from_what_may_happen(
    site: Site, signed_in: Page, game: UUID
) -> None:
    page = signed_in
    open_game(site, page, game, "?lang=en")
    page.locator(".by-tile summary").click()
    deal = page.locator(".deal")
    dealt = ("2345678m234567p8s", "2345678m234567p", "2345678m234567p", "2345678m234567p")
    for seat, tiles in enumerate(dealt):
        deal.locator(f'[name="dealt{seat}"]').fill(tiles)
    deal.locator('[name="last"]').fill("8s")
    deal.get_by_role("button", name="Deal").click()
    steps = page.locator("#steps")
    steps.get_by_role("button", name="discards 8 tiao").click()
    expect(steps).to_contain_text("draws", timeout=15_000)
    kinds = [event.type for event in log_of(game)]
    assert kinds == ["game_started", "hand_started", "discard"]
    expect(steps.get_by_role("button", name="draws 8 wan")).to_be_disabled()
    steps.get_by_role("button", name="draws 2 tiao").click()
    steps.get_by_role("button", name="discards 2 tiao").click(timeout=15_000)
    expect(steps).to_contain_text("draws", timeout=15_000)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(steps.get_by_role("button", name="discards 2 tiao")).to_be_visible(timeout=15_000)
    assert log_of(game)[-1].type == "rewind"


WRITTEN = """async (cases) => {
  const form = await import("/static/replays/record/draft.js");
  return cases.map(({ facts, sheet }) => {
    const draft = form.draftOf(facts, sheet);
    form.settleFlags(draft, sheet, facts.dealer);
    return { facts: form.factsOf(draft, sheet), missing: form.missing(draft, sheet) };
  });
}"""


def test_every_legal_golden_case_can_be_entered_as_it_is(pages: str, page: Page) -> None:
    page.goto(f"{pages}/")
    given = []
    for ruleset in registry.latest():
        for case in cases(ruleset.slug).values():
            options = make_options(ruleset.options, case.options)
            if case.expect.legal and isinstance(options, Options):
                given.append((case.id, case.facts, sheet_of(ruleset, options)))
    sent = [
        {"facts": msgspec.to_builtins(facts), "sheet": msgspec.to_builtins(sheet)}
        for _, facts, sheet in given
    ]
    answers = page.evaluate(WRITTEN, sent)
    for (case_id, facts, sheet), answer in zip(given, answers, strict=True):
        assert answer["missing"] is None, case_id
        written = msgspec.convert({**answer["facts"], "streak": facts.streak}, HandFacts)
        assert plain(written, sheet) == plain(facts, sheet), case_id


def plain(facts: HandFacts, sheet: Sheet) -> tuple[object, ...]:
    """The facts with tiles as bags, and what the sheet asks for of who did not win."""
    known = {flag.id for flag in sheet.flags}

    def seat(told: WinFacts | Holding, *, concealed: bool) -> tuple[object, ...]:
        melds = [(meld.kind, parse(meld.tiles), meld.from_) for meld in told.melds]
        held = parse(told.concealed) if concealed else 0
        return told.seat, held, melds, parse(told.flowers), sorted(known & set(told.flags))

    others = [seat(each, concealed=sheet.others) for each in facts.table]
    return (
        (facts.dealer, facts.result, facts.wild),
        [(win.by, win.tile, win.from_, seat(win, concealed=True)) for win in facts.wins],
        sorted((each for each in others if any(each[1:])), key=str),
    )
