"""What all pages have in common: sign-in, language, theme, policy, and use by everybody."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from rules_engine import registry
from tests.browser.conftest import MEMBER, PASSWORD, Site

WIDTHS = pytest.mark.parametrize("width", [390, 1280])
LANGUAGES = pytest.mark.parametrize("language", ["zh-Hans", "en"])
PATHS = (
    *("", "rulesets/", f"rulesets/{registry.latest()[0].slug}/", "sign-in", "sign-up", "join"),
    *("nowhere", "games/"),
)
PAGES = pytest.mark.parametrize("path", PATHS)


def send(page: Page, username: str, password: str) -> None:
    """Fill in the form and send it."""
    page.locator("#id_username").fill(username)
    page.locator("#id_password").fill(password)
    page.get_by_role("main").get_by_role("button").click()


@LANGUAGES
@WIDTHS
def test_a_member_signs_in_comes_back_to_where_they_were_and_signs_out(
    site: Site, page: Page, language: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{site.address}/games/{site.longer}?lang={language}")
    send(page, MEMBER, "wrong")
    expect(page.get_by_role("alert")).to_be_visible()
    send(page, MEMBER, PASSWORD)
    expect(page).to_have_url(re.compile(rf"/games/{site.longer}"))
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.locator(".tools form button").click()
    expect(page).to_have_url(f"{site.address}/")
    page.goto(f"{site.address}/games/{site.longer}")
    expect(page).to_have_url(re.compile("/sign-in"))


def test_who_guesses_passwords_is_locked_out_and_told_so(site: Site, page: Page) -> None:
    page.goto(f"{site.address}/sign-in?lang=en")
    statuses = []
    for guess in range(10):
        with page.expect_response(re.compile("/sign-in")) as answered:
            send(page, "nobody", f"guess {guess}")
        statuses.append(answered.value.status)
    assert statuses == [200] * 9 + [429]
    assert int(answered.value.headers["retry-after"]) > 0
    expect(page.get_by_role("heading", level=1)).to_have_text("Too many failed sign-ins")


def test_a_theme_once_chosen_stays_on_every_page(pages: str, page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(f"{pages}/rulesets/hefei/")
    page.locator("[data-theme-toggle]").click()
    dark = "rgb(21, 23, 26)"
    expect(page.locator("body")).to_have_css("background-color", dark)
    page.goto(f"{pages}/rulesets/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("body")).to_have_css("background-color", dark)
    page.locator("[data-theme-toggle]").click()
    expect(page.locator("body")).to_have_css("background-color", "rgb(251, 249, 244)")


def test_a_language_once_chosen_stays_on_every_page(pages: str, page: Page) -> None:
    page.goto(f"{pages}/rulesets/hefei/?lang=en")
    page.get_by_role("link", name="中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    page.goto(f"{pages}/rulesets/")
    expect(page.get_by_role("heading", level=1)).to_have_text("规则")
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rulesets")


@PAGES
@LANGUAGES
@WIDTHS
def test_a_page_has_no_serious_fault_in_light_or_dark_and_fits_its_width(
    site: Site, page: Page, path: str, language: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    answer = page.goto(f"{site.address}/{path}?lang={language}")
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        faults = [
            (fault["id"], [node["target"] for node in fault["nodes"]][:4])
            for fault in Axe().run(page).response["violations"]
            if fault["impact"] in {"serious", "critical"}
        ]
        assert faults == [], scheme


@pytest.mark.parametrize("path", ["", "rulesets/", "sign-in", "games/"])
def test_a_page_makes_the_console_say_nothing(
    site: Site, page: Page, complaints: list[str], path: str
) -> None:
    page.goto(f"{site.address}/{path}")
    page.locator("[data-theme-toggle]").click()
    assert complaints == []
