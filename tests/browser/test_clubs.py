"""Stories of keeping a club: joining it, its people, seasons, rules, files, programs, accounts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from itertools import count

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from api.webhooks.models import WebhookDelivery
from records.models import Account, Club, Invitation, Membership, Player, Preset, Season
from records.people import create_account
from replays.pages.desk import DESKS
from replays.words import LANGUAGES, WORDS
from rules_engine import registry
from tests.browser.conftest import PASSWORD, Site

IN_BOTH = pytest.mark.parametrize(("language", "width"), [("zh", 390), ("en", 1280)])
NUMBERS = count(1)
TODAY = date(2026, 1, 1)

Words = Mapping[str, str]


class Reader:
    """A browser in a language, at a width, in which somebody has signed in or nobody has."""

    def __init__(self, site: Site, page: Page, language: str, width: int) -> None:
        self.site, self.page, self.words = site, page, WORDS[language]
        self.language = LANGUAGES[language]
        page.set_viewport_size({"width": width, "height": 800})

    def sign_in(self, username: str) -> None:
        """By the form, as everybody does."""
        self.go("sign-in")
        self.page.locator("#id_username").fill(username)
        self.page.locator("#id_password").fill(PASSWORD)
        self.page.get_by_role("main").get_by_role("button").click()
        self.page.wait_for_url(f"{self.site.address}/")

    def go(self, path: str) -> None:
        """Open a page of the site."""
        mark = "&" if "?" in path else "?"
        self.page.goto(f"{self.site.address}/{path}{mark}lang={self.language}")

    def press(self, word: str, *, within: str = "main") -> None:
        """Press the button with this word on it."""
        self.page.locator(within).get_by_role("button", name=self.words[word]).first.click()

    def agree(self) -> None:
        """Say yes to the question whether one is sure."""
        self.page.get_by_role("dialog").get_by_role("button", name=self.words["yes_do_it"]).click()

    @contextmanager
    def doing(self) -> Iterator[None]:
        """What is done in here makes the page come again and say that it is done."""
        with self.page.expect_event("load"):
            yield
        expect(self.page.locator("#notice")).not_to_be_empty()


def new_club(owner: str) -> Club:
    """A club of its own for a story, with an owner of this name."""
    number = next(NUMBERS)
    account = create_account(username=f"{owner}{number}", password=PASSWORD)
    club = Club.objects.create(name=f"Club {number}", slug=f"story-{number}")
    Membership.objects.create(account=account, club=club, role="owner")
    return club


@pytest.fixture
def reader(site: Site, page: Page, language: str, width: int) -> Reader:
    """Nobody yet."""
    return Reader(site, page, language, width)


@pytest.fixture
def club(reader: Reader) -> Club:
    """A club whose owner has signed in."""
    club = new_club("keeper")
    reader.sign_in(club.memberships.get().account.username)
    return club


@IN_BOTH
def test_who_is_invited_signs_up_joins_and_has_the_guests_record(
    reader: Reader, club: Club
) -> None:
    guest = Player.objects.create(club=club, name="客 Guest")
    page, words = reader.page, reader.words
    reader.go(f"clubs/{club.slug}/members")
    page.locator("#invite-guest").select_option(str(guest.pk))
    reader.press("make_link")
    link = page.get_by_label(words["shown_once"]).input_value()
    assert "/join#join_" in link
    page.context.clear_cookies()
    page.goto(link)
    expect(page.locator("[data-club]")).to_have_text(club.name)
    expect(page.locator("[data-player]")).to_have_text(guest.name)
    page.locator("[data-enter] a").nth(1).click()
    newcomer = f"newcomer{next(NUMBERS)}"
    page.locator("#username").fill(newcomer)
    page.locator("#password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button").click()
    page.wait_for_url(f"{reader.site.address}/join")
    page.get_by_role("main").get_by_role("button").click()
    page.wait_for_url(re.compile(f"/clubs/{club.slug}/$"))
    guest.refresh_from_db()
    assert guest.account == Account.objects.get(username=newcomer)
    assert Invitation.objects.get(club=club).accepted_by == guest.account


@IN_BOTH
def test_an_invitation_that_is_over_says_why(reader: Reader, club: Club) -> None:
    page, words = reader.page, reader.words
    reader.go(f"clubs/{club.slug}/members")
    reader.press("make_link")
    link = page.get_by_label(words["shown_once"]).input_value()
    reader.press("i_kept_it")
    with reader.doing():
        reader.press("revoke")
    page.goto(link)
    expect(page.locator("[data-club]")).to_have_text(words["invitation_revoked"])


@IN_BOTH
def test_the_last_owner_cannot_step_down_and_is_told_why(reader: Reader, club: Club) -> None:
    other = create_account(username=f"other{next(NUMBERS)}", password=PASSWORD)
    page, words = reader.page, reader.words
    reader.go(f"clubs/{club.slug}/members")
    own = page.locator(".rows li").first
    own.get_by_role("combobox").select_option("player")
    own.get_by_role("button", name=words["change"]).click()
    expect(own.get_by_role("alert")).not_to_be_empty()
    page.locator("#add-name").fill("nobody at all")
    reader.press("add", within="section[aria-labelledby=add]")
    expect(page.locator("#add-name")).to_have_attribute("aria-invalid", "true")
    page.locator("#add-name").fill(other.username)
    with reader.doing():
        reader.press("add", within="section[aria-labelledby=add]")
    added = page.locator(".rows li", has_text=other.username)
    added.get_by_role("button", name=words["remove"]).click()
    with reader.doing():
        reader.agree()
    expect(page.locator(".rows li", has_text=other.username)).to_have_count(0)


@IN_BOTH
def test_a_club_is_founded_set_up_and_its_slug_is_its_own(reader: Reader, club: Club) -> None:
    page, words = reader.page, reader.words
    slug = f"founded-{next(NUMBERS)}"
    reader.go("clubs/new")
    page.locator("#name").fill("新社 New")
    page.locator("#slug").fill(club.slug)
    reader.press("found_it")
    expect(page.locator("#slug")).to_have_attribute("aria-invalid", "true")
    page.locator("#slug").fill(slug)
    reader.press("found_it")
    page.wait_for_url(re.compile(f"/clubs/{slug}/$"))
    reader.go(f"clubs/{slug}/settings")
    page.get_by_label(words["set_rated"]).check()
    page.locator("#delay").fill("60")
    page.locator("#time-zone").fill("Nowhere/Land")
    reader.press("save")
    expect(page.locator("#time-zone")).to_have_attribute("aria-invalid", "true")
    page.locator("#time-zone").fill("Asia/Tokyo")
    with reader.doing():
        reader.press("save")
    founded = Club.objects.get(slug=slug)
    assert (founded.rated, founded.spectator_delay_s) == (True, 60)
    assert founded.time_zone == "Asia/Tokyo"


@IN_BOTH
def test_a_season_is_planned_opened_closed_and_opened_again(reader: Reader, club: Club) -> None:
    page, words = reader.page, reader.words
    reader.go(f"clubs/{club.slug}/seasons")
    page.locator("#name-new").fill("春 Spring")
    page.locator("#starts-new").fill(str(TODAY))
    page.locator("#ends-new").fill("2025-12-31")
    reader.press("season_plan")
    expect(page.locator("#starts-new")).to_have_attribute("aria-invalid", "true")
    page.locator("#ends-new").fill("2099-12-31")
    with reader.doing():
        reader.press("season_plan")
    reader.press("season_do_open")
    expect(page.locator(".tag").first).to_have_text(words["season_open"])
    reader.press("season_do_close")
    reader.agree()
    expect(page.locator(".tag").first).to_have_text(words["season_closed"])
    reader.press("season_do_reopen")
    reader.agree()
    expect(page.locator(".tag").first).to_have_text(words["season_open"])
    assert Season.objects.get(club=club).starts_on == TODAY


@IN_BOTH
def test_options_of_a_ruleset_are_kept_as_a_preset_that_leads_to_its_rules(
    reader: Reader, club: Club
) -> None:
    page = reader.page
    ruleset = registry.latest()[0]
    reader.go(f"rulesets/{ruleset.slug}/")
    field = page.locator("form select[name^=o], form .field select").first
    name = field.get_attribute("name")
    others = field.locator("option:not([selected])")
    field.select_option(others.first.get_attribute("value"))
    reader.press("apply")
    page.wait_for_url(re.compile(f"{name}="))
    page.locator("#preset-name").fill("社规 House")
    with reader.doing():
        reader.press("preset_keep")
    assert Preset.objects.get(club=club).name == "社规 House"
    reader.go(f"clubs/{club.slug}/presets")
    page.get_by_role("link", name="社规 House").click()
    page.wait_for_url(re.compile(f"/rulesets/{ruleset.slug}/.*{name}="))


@IN_BOTH
def test_a_ladder_is_seen_before_it_is_saved_and_a_wrong_tier_is_named(
    reader: Reader, club: Club
) -> None:
    page, words = reader.page, reader.words
    reader.go(f"clubs/{club.slug}/ladder")
    page.locator("#ladder-name").fill("社 Ladder")
    for _ in range(14):
        page.locator("[data-drop]").last.click()
    thresholds = page.locator("[data-tier=from_points]")
    thresholds.nth(2).fill("10")
    reader.press("save")
    expect(thresholds.nth(2)).to_have_attribute("aria-invalid", "true")
    thresholds.nth(2).fill("1000")
    reader.press("ladder_preview")
    expect(page.locator("#moves-title")).to_have_text(words["nobody_moves"])
    reader.press("save")
    expect(page.locator(".facts").first).to_contain_text("社 Ladder")
    assert len(club.ladders.get().tiers) == 3


@IN_BOTH
def test_a_guest_is_added_claimed_and_given_and_two_records_are_merged_and_parted(
    reader: Reader, club: Club
) -> None:
    page, words = reader.page, reader.words
    member = create_account(username=f"claimer{next(NUMBERS)}", password=PASSWORD)
    Membership.objects.create(account=member, club=club, role="player")
    reader.go(f"clubs/{club.slug}/players")
    for name in ("甲 A", "乙 B"):
        page.locator("#add-name").fill(name)
        with reader.doing():
            reader.press("add")
    first, second = club.players.order_by("created_at")
    first.claims.create(account=member)
    page.reload()
    with reader.doing():
        reader.press("accept")
    first.refresh_from_db()
    assert first.account == member
    page.locator("#absorbed").select_option(str(second.pk))
    page.locator("#into").select_option(str(first.pk))
    reader.press("preview")
    with reader.doing():
        reader.press("merge_them")
    assert club.merges.get().undone_at is None
    reader.press("undo")
    with reader.doing():
        reader.agree()
    assert club.merges.get().undone_at is not None
    row = page.locator(".rows li", has_text="乙 B")
    row.locator("summary").click()
    row.get_by_role("textbox").fill("丙 C")
    with reader.doing():
        row.get_by_role("button", name=words["rename"]).click()
    assert club.players.filter(name="丙 C").exists()


@IN_BOTH
def test_a_token_is_shown_once_and_taken_back(reader: Reader, club: Club) -> None:
    page, words = reader.page, reader.words
    reader.go(f"clubs/{club.slug}/tokens")
    page.locator("#token-name").fill("Bot")
    page.locator("input[value='games:read']").check()
    reader.press("token_make")
    secret = page.get_by_label(words["shown_once"]).input_value()
    reader.press("i_kept_it")
    row = page.locator(".rows li", has_text="Bot")
    expect(row).to_contain_text(words["never_used"])
    assert secret not in page.content()
    row.get_by_role("button").click()
    reader.agree()
    expect(row).to_contain_text(words["token_revoked"])


@IN_BOTH
def test_a_webhook_is_made_tried_and_its_log_is_read(reader: Reader, club: Club) -> None:
    page, words = reader.page, reader.words
    reader.go(f"clubs/{club.slug}/webhooks")
    page.locator("#url").fill("https://10.0.0.1/hook")
    reader.press("webhook_make")
    expect(page.locator("#url")).to_have_attribute("aria-invalid", "true")
    page.locator("#url").fill("https://1.1.1.1/hook")
    reader.press("webhook_make")
    assert page.get_by_label(words["shown_once"]).input_value().startswith("whsec_")
    reader.press("i_kept_it")
    page.get_by_role("link", name="https://1.1.1.1/hook").click()
    with reader.doing():
        reader.press("webhook_ping")
    delivery = WebhookDelivery.objects.get(webhook__club=club)
    for status in (503, 200):
        delivery.attempts.create(begun_at=delivery.created_at, duration_ms=120, status=status)
    page.reload()
    expect(page.get_by_role("table")).to_contain_text("webhook.ping")
    page.get_by_role("table").locator("summary", has_text="2 · 200").click()
    expect(page.locator(".attempts li").first).to_contain_text("503")
    reader.press("webhook_switch_off")
    expect(page.locator(".tag").first).to_have_text(words["webhook_off"])


@IN_BOTH
def test_a_file_is_sent_and_its_refused_lines_are_told(reader: Reader, club: Club) -> None:
    page, words = reader.page, reader.words
    reader.go(f"clubs/{club.slug}/imports")
    page.locator("#file").set_input_files(
        {"name": "games.ndjson", "mimeType": "application/x-ndjson", "buffer": b'{"game": 1}\n'}
    )
    reader.press("import_send")
    page.wait_for_url(re.compile(r"/imports/[0-9a-f-]{36}$"))
    expect(page.get_by_role("table")).to_contain_text("1")
    expect(page.locator("[data-count=faults]")).to_have_text("1")
    expect(page.get_by_text(words["import_ended"])).to_be_visible()


@IN_BOTH
def test_an_export_has_only_the_choices_that_were_made(reader: Reader, club: Club) -> None:
    page = reader.page
    reader.go(f"clubs/{club.slug}/exports")
    for kind in ("standings", "games", "logs"):
        with page.expect_download() as coming:
            page.locator(f"form:has(input[value={kind}]) button").click()
        assert coming.value.suggested_filename.startswith(club.slug)


@IN_BOTH
def test_an_account_gets_another_password_and_is_removed(reader: Reader, club: Club) -> None:
    page, words = reader.page, reader.words
    another = "quite another password"
    reader.go("account")
    page.locator("#old").fill("wrong")
    page.locator("#new").fill(another)
    reader.press("password_change")
    expect(page.locator("#old")).to_have_attribute("aria-invalid", "true")
    page.locator("#old").fill(PASSWORD)
    with reader.doing():
        reader.press("password_change")
    page.locator("summary", has_text=words["removal"]).click()
    page.locator("#removal-password").fill(another)
    reader.press("removal")
    reader.agree()
    page.wait_for_url(f"{reader.site.address}/")
    assert not Account.objects.filter(memberships__club=club).exists()


@IN_BOTH
def test_who_is_no_owner_sees_what_there_is_and_no_forms(reader: Reader) -> None:
    club = new_club("keeper")
    viewer = create_account(username=f"viewer{next(NUMBERS)}", password=PASSWORD)
    Membership.objects.create(account=viewer, club=club, role="viewer")
    reader.sign_in(viewer.username)
    for name in ("members", "players", "seasons", "presets", "ladder"):
        reader.go(f"clubs/{club.slug}/{name}")
        expect(reader.page.locator("main form[data-api^=POST], main #ladder")).to_have_count(0)
    for name in ("tokens", "webhooks", "imports", "settings"):
        answer = reader.page.goto(f"{reader.site.address}/clubs/{club.slug}/{name}")
        assert answer is not None
        assert answer.status == 404


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("width", [390, 1280])
def test_every_page_for_keeping_a_club_fits_and_has_no_serious_fault(
    reader: Reader, club: Club, complaints: list[str], width: int
) -> None:
    page = reader.page
    paths = [f"clubs/{club.slug}/{name}" for name in DESKS]
    for path in (*paths, "account", "clubs/new", "join", "clubs/"):
        reader.go(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            faults = [
                (path, scheme, fault["id"], [node["target"] for node in fault["nodes"]][:4])
                for fault in Axe().run(page).response["violations"]
                if fault["impact"] in {"serious", "critical"}
            ]
            assert faults == []
    assert complaints == []
