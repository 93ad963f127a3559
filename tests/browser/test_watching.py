"""What a page of a game shows at once, at every width, and as the game goes on."""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from records import reader
from records.append import append_events
from records.clubs import create_club
from records.journal import seal_pending
from records.models import Club
from records.people import create_account
from records.settlement import settle_sealed
from rules_engine import registry
from rules_engine.moves import moves
from tests.browser.conftest import NAMES, PASSWORD, Site, ready
from tests.support.recorded import RecordedGame
from tests.support.watched import record_game

SLUGS = pytest.mark.parametrize("slug", [each.slug for each in registry.latest()])
LANGUAGES = pytest.mark.parametrize("language", ["zh-Hans", "en"])


def test_a_live_game_shows_an_event_soon_after_it_was_recorded(site: Site, signed_in: Page) -> None:
    page = signed_in
    page.goto(f"{site.address}/games/{site.live}")
    ready(page)
    seq = reader.head(site.live)[0]
    expect(page).to_have_url(re.compile(rf"#1\.{seq}$"))
    due = moves(reader.game_at(site.live))
    append_events(
        game_id=site.live, expected_seq=seq, events=[due.actions[0]], command_id="one more"
    )
    expect(page).to_have_url(re.compile(rf"#1\.{seq + 1}$"), timeout=15_000)


def test_a_result_shows_when_it_is_settled_without_loading_the_page_again(
    site: Site, signed_in: Page
) -> None:
    page = signed_in
    game = RecordedGame(club_id=site.club.pk)
    game.play(1)
    page.goto(f"{site.address}/games/{game.id}?lang=en")
    ready(page)
    expect(page.locator("#panel")).to_contain_text("being settled")
    seal_pending()
    settle_sealed()
    expect(page.locator("#panel .gains li")).to_have_count(4, timeout=15_000)
    expect(page.locator("#overview tbody tr")).to_contain_text("won")


def test_a_public_game_is_followed_by_who_is_not_signed_in(site: Site, page: Page) -> None:
    owner = create_account(username="host", password=PASSWORD)
    club = create_club(owner=owner, name="Open", slug="open", time_zone="Asia/Shanghai")
    Club.objects.filter(pk=club.pk).update(public_games=True)
    game = record_game(registry.latest()[0], club, events=30, seed="open")
    page.goto(f"{site.address}/embed/{game}?lang=en")
    ready(page)
    expect(page.locator("#live")).to_have_text("live")
    streams = page.evaluate(
        "performance.getEntriesByType('resource').filter((each) => /hands/.test(each.name)).length"
    )
    seq = reader.head(game)[0]
    append_events(
        game_id=game,
        expected_seq=seq,
        events=[moves(reader.game_at(game)).actions[0]],
        command_id="one more",
    )
    expect(page).to_have_url(re.compile(rf"#1\.{seq + 1}$"), timeout=15_000)
    # The page asked once more, for what the stream told of, and not now and then.
    assert streams == 1


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
@LANGUAGES
def test_table_and_controls_are_seen_together_and_the_result_comes_by_itself(
    site: Site, signed_in: Page, width: int, height: int, language: str
) -> None:
    page = signed_in
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{site.address}/games/{site.longer}?lang={language}#1.20")
    ready(page)
    for shown in ("#table", "#now", "#slider", '[data-do="play"]'):
        expect(page.locator(shown)).to_be_in_viewport(ratio=1)
    table, bar = (page.locator(each).bounding_box() for each in ("#table", "#controls"))
    assert table is not None
    assert bar is not None
    beside = table["x"] + table["width"] <= bar["x"]
    assert beside or table["y"] + table["height"] <= bar["y"]
    assert table["width"] >= (560 if width == 1280 else 385)
    if beside:
        expect(page.locator('#events a[aria-current="true"]')).to_be_in_viewport(ratio=1)
    expect(page.locator("#panel .outcome")).to_be_hidden()
    page.keyboard.press("End")
    expect(page.locator("#panel .outcome")).to_be_in_viewport(ratio=1)


@SLUGS
def test_what_is_written_on_the_table_can_be_read_on_a_phone(
    site: Site, signed_in: Page, slug: str
) -> None:
    page = signed_in
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{site.address}/games/{site.games[slug]}#1.9999")
    ready(page)
    sizes = page.evaluate(
        """() => {
          const table = document.getElementById("table");
          const scale = table.getBoundingClientRect().width / table.viewBox.baseVal.width;
          return [...table.querySelectorAll("text, tspan")].map(
            (each) => parseFloat(getComputedStyle(each).fontSize) * scale);
        }"""
    )
    assert sizes
    assert min(sizes) >= 11


def test_a_game_leads_to_its_club_its_players_and_its_rules_and_says_when_it_was_played(
    site: Site, signed_in: Page
) -> None:
    page = signed_in
    page.goto(f"{site.address}/games/{site.told.id}?lang=en")
    head = page.locator(".game-head")
    expect(head.get_by_role("link", name=site.club.name)).to_have_attribute(
        "href", f"/clubs/{site.club.slug}/"
    )
    for name, player in zip(NAMES, site.told.players, strict=True):
        link = head.get_by_role("link", name=name, exact=True)
        expect(link).to_have_attribute("href", f"/players/{player}")
    began = datetime.fromtimestamp(
        reader.about(site.told.id).began_at_ms / 1000, ZoneInfo("Asia/Shanghai")
    )
    expect(head.locator("time")).to_have_text(f"{began:%Y-%m-%d %H:%M}")


@LANGUAGES
def test_the_table_is_told_in_words_for_who_cannot_see_it(
    site: Site, signed_in: Page, language: str
) -> None:
    page = signed_in
    page.goto(f"{site.address}/games/{site.longer}?lang={language}#1.20")
    ready(page)
    words = page.locator("#in-words")
    expect(words.locator("h3")).to_have_count(4)
    dealer, hand, pond = (
        ("庄家", "手牌", "打出的牌") if language == "zh-Hans" else ("dealer", "in hand", "discards")
    )
    expect(words.locator("h3").filter(has_text=dealer)).to_have_count(1)
    expect(words.locator("li").filter(has_text=hand)).to_have_count(4)
    expect(words.locator("li").filter(has_text=pond).first).to_be_attached()
    assert not re.search(r"undefined|\d[mpszf]\b", words.inner_text())
    page.keyboard.press("h")
    hidden = "暗牌" if language == "zh-Hans" else "hidden tiles"
    expect(words.locator("li").filter(has_text=hidden)).to_have_count(3)


def test_a_link_to_a_hand_that_there_is_not_shows_the_game_instead(
    site: Site, signed_in: Page
) -> None:
    page = signed_in
    page.goto(f"{site.address}/games/{site.longer}?lang=en#99.5")
    ready(page)
    expect(page).to_have_url(re.compile(r"#1\.\d+$"))
    page.evaluate("location.hash = '#98.1'")
    expect(page.locator("#now")).to_have_text("This hand cannot be loaded now.")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"#1\.\d+$"))
