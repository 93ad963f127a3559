"""The scorekeeper in a real browser: on a phone, without a connection, beside another recorder."""

from __future__ import annotations

import re
from uuid import UUID

import msgspec
from playwright.sync_api import Browser, Page, expect

from records import reader
from records.append import append_events
from records.models import Player
from rules_engine import registry
from rules_engine.events import HandResult
from rules_engine.facts import HandFacts, Holding, WinFacts
from rules_engine.ruleset import Options, make_options
from rules_engine.sheets import Sheet, sheet_of
from rules_engine.tiles import parse
from tests.browser.conftest import Site
from tests.browser.recording import (
    HELD,
    LANGUAGES,
    TAPS_MAX,
    WIDTHS,
    Thumb,
    enter_own_draw,
    faults_of,
    hand_on,
    hands_of,
    log_of,
    names,
    open_game,
    open_start,
    start_with,
    started_game,
    until_recorded,
)
from tests.rules_engine.variants.test_refusals import cases


@WIDTHS
@LANGUAGES
def test_a_hand_is_recorded_with_few_taps_and_told_before_it_is(
    site: Site, signed_in: Page, complaints: list[str], game: UUID, width: int, language: str
) -> None:
    page = signed_in
    page.set_viewport_size({"width": width, "height": 844})
    open_game(site, page, game, f"?lang={language}")
    thumb = enter_own_draw(page, 2)
    expect(page.locator("#strip [data-seat='2'] .due")).to_have_text("+32")
    expect(page.locator("#strip [data-seat='0'] .due")).to_have_text("−12")
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
    expect(page.locator("#strip [data-seat='1'] .due")).to_contain_text("+")
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


@LANGUAGES
def test_who_waits_for_a_seat_is_named_where_five_play(
    site: Site, signed_in: Page, complaints: list[str], language: str
) -> None:
    started_game(site, "hefei", options={})
    Player.objects.create(club=site.club, name=f"Fifth {language}")
    page = signed_in
    page.set_viewport_size({"width": 390, "height": 844})
    open_start(site, page, language)
    page.locator("#ruleset").select_option("ruian")
    expect(page.locator("#chairs li")).to_have_count(4)
    page.locator("#preset").select_option("five_players")
    expect(page.locator("#chairs li")).to_have_count(5)
    for place in range(4):
        page.locator("#players button").nth(place).click()
    expect(page.locator("#go")).to_be_disabled()
    page.locator("#players button").nth(4).click()
    page.locator("#go").click()
    page.wait_for_url(re.compile(r"/record/[0-9a-f-]{36}$"))
    expect(page.locator("#record")).to_have_attribute("data-ready", "1")
    page.locator("#ending summary").click()
    expect(page.locator("#people")).to_contain_text("替补" if language == "zh-Hans" else "Waiting")
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
    expect(page.locator("#answer .win")).to_be_visible()
    assert faults_of(page) == []


def test_the_page_of_a_game_is_for_who_records_in_its_club(
    site: Site, page: Page, game: UUID
) -> None:
    page.goto(f"{site.address}/record/{game}")
    expect(page).to_have_url(re.compile(r"/sign-in\?next="))


WRITTEN = """async (cases) => {
  const form = await import("/static/replays/record/draft.js");
  return cases.map(({ facts, sheet }) => {
    const draft = form.draftOf(facts, sheet);
    form.settleFlags(draft, sheet, facts.dealer);
    return { facts: form.factsOf(draft, sheet), missing: form.missing(draft, sheet) };
  });
}"""


def test_every_legal_golden_case_can_be_entered_as_it_is(pages: str, page: Page) -> None:
    page.goto(f"{pages}/rulesets/")
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
