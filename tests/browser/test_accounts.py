"""Stories of an account: where it is signed in, how pages look, and what forms make of input."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from records.models import Account, Club
from tests.browser.conftest import Site
from tests.browser.readers import IN_BOTH, PASSWORD, Reader, new_club


@IN_BOTH
def test_a_person_sees_their_browsers_and_signs_another_one_out(reader: Reader, club: Club) -> None:
    page, words = reader.page, reader.words
    assert page.context.browser is not None
    elsewhere = page.context.browser.new_context(user_agent="Mozilla/5.0 (iPhone) Safari/604.1")
    other = Reader(reader.site, elsewhere.new_page(), "en", 390)
    other.sign_in(club.memberships.get().account.username)
    reader.go("account")
    rows = page.locator("section[aria-labelledby=sign-ins] li")
    expect(rows.first).to_contain_text(words["this_browser"])
    expect(rows.first.get_by_role("button")).to_have_count(0)
    expect(rows.nth(1)).to_contain_text("Safari · iPhone")
    with reader.doing():
        rows.nth(1).get_by_role("button").click()
    expect(rows).to_have_count(1)
    other.go("account")
    expect(other.page).to_have_url(re.compile("/sign-in"))
    elsewhere.close()


def test_who_is_signed_out_in_the_middle_of_a_form_loses_nothing(site: Site, page: Page) -> None:
    reader, club = Reader(site, page, "en", 1280), new_club("keeper")
    owner = club.memberships.get().account
    reader.sign_in(owner.username)
    reader.go(f"clubs/{club.slug}/seasons")
    page.locator("#name-new").fill("Spring")
    page.locator("#starts-new").fill("2026-03-01")
    page.locator("#ends-new").fill("2026-05-31")
    page.context.clear_cookies()
    reader.press("season_plan")
    with page.context.expect_page() as coming:
        page.get_by_role("link", name=reader.words["sign_in_new_tab"]).click()
    Reader(site, coming.value, "en", 1280).sign_in(owner.username)
    with reader.doing():
        reader.press("season_plan")
    assert club.seasons.get().name == "Spring"


@pytest.mark.parametrize("language", ["zh"])
@pytest.mark.parametrize("width", [390])
def test_light_or_dark_is_chosen_and_left_to_the_system_again(reader: Reader, club: Club) -> None:
    page, words = reader.page, reader.words
    del club
    reader.go("account")
    for word, theme in (("theme_dark", "dark"), ("theme_light", "light"), ("theme_system", None)):
        reader.press(word)
        page.reload()
        chosen = page.get_by_role("button", name=words[word], exact=True)
        expect(chosen).to_have_attribute("aria-pressed", "true")
        assert page.locator("html").get_attribute("data-theme") == theme


@pytest.mark.parametrize("language", ["en"])
@pytest.mark.parametrize("width", [390])
def test_what_is_typed_is_cut_to_its_field_and_never_read_as_markup(
    reader: Reader, club: Club
) -> None:
    page = reader.page
    reader.go(f"clubs/{club.slug}/players")
    page.locator("#add-name").fill("x" * 10_000)
    with reader.doing():
        reader.press("add")
    expect(page.locator(".rows li b").first).to_have_text("x" * 60)
    name = "<img src=x onerror=alert(1)> 🀄"
    page.locator("#add-name").fill(name)
    with reader.doing():
        reader.press("add")
    expect(page.locator(".rows li b").first).to_have_text(name)
    page.locator("#add-name").fill(name)
    reader.press("add")
    expect(page.locator("#add-name")).to_have_attribute("aria-invalid", "true")


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
