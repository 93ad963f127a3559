"""Stories of keeping a club: joining it, its people, seasons, rules, ladder."""

from __future__ import annotations

import re
from datetime import date

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from records.models import Account, Club, Invitation, Membership, Player, Preset, Season
from records.people import create_account
from replays.pages.desk import DESKS
from rules_engine import registry
from tests.browser.readers import IN_BOTH, NUMBERS, PASSWORD, Reader, new_club

TODAY = date(2026, 1, 1)


@IN_BOTH
def test_who_is_invited_signs_up_joins_and_has_the_guests_record(
    reader: Reader, club: Club
) -> None:
    guest = Player.objects.create(club=club, name="客 Guest")
    page, words = reader.page, reader.words
    reader.go(f"clubs/{club.slug}/players")
    page.locator(".rows summary").click()
    page.get_by_role("link", name=words["invite_this_guest"]).click()
    expect(page.locator("#invite-guest")).to_have_value(str(guest.pk))
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
    reader.press("revoke")
    with reader.doing():
        reader.agree()
    page.goto(link)
    expect(page.locator("[data-club]")).to_have_text(words["invitation_revoked"])


@IN_BOTH
def test_the_last_owner_is_told_why_they_cannot_step_down_and_how_they_can(
    reader: Reader, club: Club
) -> None:
    other = create_account(username=f"other{next(NUMBERS)}", password=PASSWORD)
    Membership.objects.create(account=other, club=club, role="player")
    page, words = reader.page, reader.words
    reader.go("account")
    page.get_by_role("link", name=words["owner_make"]).click()
    page.wait_for_url(re.compile(rf"/clubs/{club.slug}/members#step-down$"))
    own = page.locator(".rows li").first
    expect(own).to_contain_text(words["only_owner"])
    expect(own.get_by_role("combobox")).to_have_count(0)
    expect(page.get_by_role("button", name=words["leave_club"])).to_have_count(0)
    own.get_by_role("link", name=words["step_down_how"]).click()
    page.locator("#next-owner").fill(other.username)
    reader.press("owner_make")
    with reader.doing():
        reader.agree()
    own.get_by_role("combobox").select_option("player")
    own.get_by_role("button").click()
    expect(own.get_by_role("combobox")).to_have_count(0)
    roles = {member.account_id: member.role for member in club.memberships.all()}
    assert roles.pop(other.pk) == "owner"
    assert set(roles.values()) == {"player"}


@IN_BOTH
def test_a_member_is_added_and_removed_after_a_question(reader: Reader, club: Club) -> None:
    other = create_account(username=f"other{next(NUMBERS)}", password=PASSWORD)
    page, words = reader.page, reader.words
    reader.go(f"clubs/{club.slug}/members")
    page.locator("#add-name").fill("nobody at all")
    reader.press("add", within="section[aria-labelledby=add]")
    expect(page.locator("#add-name")).to_have_attribute("aria-invalid", "true")
    page.locator("#add-name").fill(other.username)
    with reader.doing():
        reader.press("add", within="section[aria-labelledby=add]")
    added = page.locator(".rows li", has_text=other.username)
    added.get_by_role("combobox").select_option("owner")
    added.get_by_role("button").first.click()
    expect(page.get_by_role("dialog")).to_contain_text(words["owner_make_sure"])
    page.get_by_role("dialog").locator("[value=no]").click()
    added.get_by_role("button", name=words["remove"]).click()
    expect(page.get_by_role("dialog")).to_contain_text(other.username)
    expect(page.get_by_role("dialog").locator("[value=yes]")).to_have_text(words["remove"])
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
    page.locator("details.group", has=page.locator("select")).first.locator("summary").click()
    field = page.locator(".field select:visible").first
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
    expect(page.get_by_role("dialog")).to_contain_text(words["nobody_moves"])
    reader.agree()
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
    first = club.players.order_by("created_at").first()
    assert first is not None
    first.claims.create(account=member)
    page.reload()
    reader.press("accept")
    with reader.doing():
        reader.agree()
    first.refresh_from_db()
    assert first.account == member
    page.locator(".rows li", has_text="乙 B").locator("summary").click()
    page.get_by_role("link", name=words["merge_start"]).click()
    page.locator(".rows li", has_text="甲 A").get_by_role("link", name=words["merge_into"]).click()
    expect(page.get_by_role("table")).to_contain_text("甲 A")
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
def test_of_many_players_a_page_shows_some_and_a_name_is_searched(
    reader: Reader, club: Club
) -> None:
    page, words = reader.page, reader.words
    Player.objects.bulk_create(Player(club=club, name=f"牌手 {n:03}") for n in range(120))
    reader.go(f"clubs/{club.slug}/players")
    expect(page.locator(".rows li")).to_have_count(50)
    page.get_by_role("link", name=words["next_page"]).click()
    expect(page.locator(".rows li").first).to_contain_text("牌手 050")
    page.locator("#q").fill("牌手 11")
    reader.press("search")
    expect(page.locator(".rows li")).to_have_count(10)
    page.get_by_role("link", name=words["show_all"]).click()
    expect(page.locator(".rows li")).to_have_count(50)


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
