"""Boards, players' pages and statements in a real browser.

Colours do not depend on the width, so each width is looked at in one theme.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from records.clubs import change_club
from records.models import Account, Player
from replays.projections import advance_projections
from tests.browser.conftest import MEMBER, Site

WIDTHS = pytest.mark.parametrize("width", [390, 1280])
SCHEMES = {390: "light", 1280: "dark"}
LANGUAGES = pytest.mark.parametrize("language", ["zh-Hans", "en"])


class Booth(msgspec.Struct, frozen=True):
    """The site with its boards counted; the member is one of its players."""

    site: Site
    me: Player

    @property
    def club(self) -> str:
        """The address of the club."""
        return f"{self.site.address}/clubs/{self.site.club.slug}/"

    @property
    def player(self) -> str:
        """The address of the member's own page."""
        return f"{self.site.address}/players/{self.me.pk}"

    @property
    def pages(self) -> list[str]:
        """Every page of boards, players and statements."""
        parts = ("", "boards", "boards?sort=luck&as_of=2026-11-01", "ratings", "head-to-head")
        own = (self.player, f"{self.player}/statement")
        clubs = f"{self.site.address}/clubs/"
        return [clubs, *(self.club + each for each in (*parts, "balances", "pot")), *own]


@pytest.fixture(scope="module")
def booth(site: Site) -> Iterator[Booth]:
    """The club, rated and counted, in which the member played the told game."""
    change_club(club=site.club, rated=True)
    me = Player.objects.get(pk=site.told.players[2])
    me.account = Account.objects.get(username=MEMBER)
    me.save()
    advance_projections()
    yield Booth(site, me)
    me.account = None
    me.save()
    change_club(club=site.club, rated=False)


def width_of(page: Page) -> int:
    width: int = page.evaluate("document.documentElement.scrollWidth")
    return width


@LANGUAGES
@WIDTHS
def test_every_page_fits_in_light_and_dark_without_a_serious_fault(
    booth: Booth, signed_in: Page, complaints: list[str], language: str, width: int
) -> None:
    page = signed_in
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=SCHEMES[width])  # type: ignore[arg-type]
    for path in booth.pages:
        answer = page.goto(f"{path}{'&' if '?' in path else '?'}lang={language}")
        assert answer is not None
        assert "unsafe" not in answer.headers["content-security-policy"]
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert width_of(page) <= width, path
        faults = [
            (fault["id"], [node["target"] for node in fault["nodes"]][:4])
            for fault in Axe().run(page).response["violations"]
            if fault["impact"] in {"serious", "critical"}
        ]
        assert faults == [], path
    assert [text for text in complaints if "status of 400" not in text] == []


def test_pages_fit_the_narrowest_telephone(booth: Booth, signed_in: Page) -> None:
    signed_in.set_viewport_size({"width": 360, "height": 700})
    for path in booth.pages:
        signed_in.goto(path)
        assert width_of(signed_in) <= 360, path


@LANGUAGES
@WIDTHS
def test_a_member_goes_from_the_clubs_to_the_board_a_player_and_a_hand(
    booth: Booth, signed_in: Page, language: str, width: int
) -> None:
    page = signed_in
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{booth.site.address}/clubs/?lang={language}")
    page.get_by_role("main").get_by_role("link", name=booth.site.club.name).click()
    page.locator(f'nav a[href$="/{booth.site.club.slug}/boards"]').click()
    page.locator('thead a[href*="sort=games"]').click()
    expect(page.locator('th[aria-sort="descending"] a')).to_have_attribute(
        "href", re.compile("order=asc")
    )
    expect(page).to_have_url(re.compile("sort=games"))
    page.locator(".mine a").click()
    expect(page).to_have_url(re.compile("#me$"))
    own = page.locator("tr.own")
    expect(own).to_have_count(1)
    own.get_by_role("link").click()
    expect(page).to_have_url(booth.player)
    expect(page.get_by_role("heading", level=1)).to_contain_text(booth.me.name)
    expect(page.locator("progress")).to_be_visible()
    page.locator('section[aria-labelledby="biggest"] tbody a').first.click()
    expect(page).to_have_url(re.compile(rf"/games/{booth.site.told.id}\?hand=\d#\d"))


@LANGUAGES
def test_a_line_of_a_statement_leads_to_its_moment(
    booth: Booth, signed_in: Page, language: str
) -> None:
    page = signed_in
    page.goto(f"{booth.player}/statement?lang={language}")
    page.locator("table.statement tr:not(.of-game) th a").first.click()
    expect(page).to_have_url(re.compile(rf"/games/{booth.site.told.id}\?hand=1#1"))


def test_a_board_and_a_statement_are_downloaded_as_a_spreadsheet_and_as_csv(
    booth: Booth, signed_in: Page
) -> None:
    page = signed_in
    for path in (f"{booth.club}boards", f"{booth.player}/statement"):
        for name in ("XLSX", "CSV"):
            page.goto(path)
            with page.expect_download() as coming:
                page.get_by_role("link", name=name, exact=True).click()
            assert coming.value.suggested_filename.endswith(f".{name.lower()}")
            assert coming.value.path().stat().st_size > 100


@LANGUAGES
def test_prize_night_shows_both_boards_of_an_evening(
    booth: Booth, signed_in: Page, language: str
) -> None:
    page = signed_in
    page.goto(f"{booth.club}boards?lang={language}")
    page.locator("details.night summary").click()
    page.locator("#night").fill("2026-11-01")
    page.locator('button[value="now"]').click()
    expect(page).to_have_url(re.compile(r"\?as_of=2026-11-01$"))
    expect(page.locator("#as-of")).to_have_value(re.compile("2026-11-01T23:59:59"))
    page.locator('button[value="then"]').click()
    expect(page).to_have_url(re.compile("known_at=2026-11-01"))
    page.locator(".moment a").click()
    expect(page.locator("#as-of")).to_have_value("")
    expect(page.locator(".moment")).to_have_count(0)


def test_the_pages_need_no_script(booth: Booth, signed_in: Page, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies(signed_in.context.cookies())  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{booth.club}boards?lang=en")
    page.locator("details.filters summary").first.click()
    page.get_by_label("Sort by").select_option("win_rate")
    page.get_by_role("button", name="Show").first.click()
    expect(page.locator('th[aria-sort="descending"]')).to_contain_text("Win rate")
    page.goto(booth.player)
    expect(page.locator("svg.chart polyline")).to_be_visible()
    context.close()


def test_another_order_changes_the_page_in_place_and_the_way_back_leads_back(
    booth: Booth, signed_in: Page, complaints: list[str]
) -> None:
    page = signed_in
    page.goto(f"{booth.club}boards")
    page.evaluate("window.unmoved = true")
    page.locator("details.filters summary").first.click()
    page.get_by_label("Sort by").select_option("win_rate")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page).to_have_url(re.compile("sort=win_rate"))
    expect(page.locator("th[aria-sort] a")).to_contain_text("Win rate")
    page.locator('thead a[href*="sort=games"]').click()
    expect(page).to_have_url(re.compile("sort=games"))
    page.locator("details.filters summary").first.click()
    page.get_by_label("Minimum hands").fill("1")
    page.get_by_label("Minimum games").fill("2000000000")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator("table.board")).to_have_count(0)
    assert page.evaluate("window.unmoved") is True
    page.go_back()
    expect(page.locator("table.board")).to_be_visible()
    assert complaints == []


@LANGUAGES
def test_a_telephone_shows_who_leads_by_what_and_that_the_board_goes_on(
    booth: Booth, signed_in: Page, language: str
) -> None:
    page = signed_in
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{booth.club}boards?sort=average_win&lang={language}")
    table = page.locator("table.board")
    assert table.evaluate("table => table.getBoundingClientRect().top") < 450
    figure = page.locator("table.board tbody tr").first.locator("td.by")
    assert figure.evaluate("cell => cell.getBoundingClientRect().right") < 300
    expect(page.locator("thead th[aria-sort]")).to_be_visible()
    tall = "nav => nav.getBoundingClientRect().height"
    assert page.locator(".club-nav").evaluate(tall) < 60
    expect(page.locator("#season")).to_be_hidden()
    page.locator("details.filters summary").first.click()
    expect(page.locator("#season")).to_be_visible()
    page.locator("details.filters summary").first.click()
    page.locator(".scroll").evaluate("part => part.scrollTo(1000, 0)")
    name = page.locator("tbody th.who").first
    expect(name).to_be_in_viewport()
    assert name.evaluate("cell => cell.getBoundingClientRect().width") < 140


@LANGUAGES
def test_a_statement_is_printed_without_what_is_only_for_the_screen(
    booth: Booth, signed_in: Page, language: str
) -> None:
    page = signed_in
    page.goto(f"{booth.player}/statement?lang={language}")
    expect(page.locator("[data-print]")).to_be_visible()
    page.evaluate("window.print = () => { window.printed = true; }")
    page.locator("[data-print]").click()
    assert page.evaluate("window.printed") is True
    page.emulate_media(media="print")
    for part in ("header.top", ".club-nav", ".filters", ".exports"):
        expect(page.locator(part).first).to_be_hidden()
    expect(page.locator("table.statement")).to_be_visible()
    expect(page.locator(".printed")).to_contain_text(booth.site.club.name)
    page.emulate_media(media="screen")


def test_the_rule_of_a_payment_leads_to_its_text(booth: Booth, signed_in: Page) -> None:
    page = signed_in
    page.goto(f"{booth.player}/statement?lang=en")
    rule = page.locator("table.statement a.rule").first
    number = rule.inner_text()
    rule.click()
    expect(page.locator(f"li[id='{number}']")).to_be_in_viewport()
