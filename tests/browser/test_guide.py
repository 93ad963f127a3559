"""The guide in a browser: everybody can use it, on a phone too, and its code can be taken along."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from api.docs.contents import PAGES
from rules_engine import registry

LANGUAGES = pytest.mark.parametrize("language", ["zh-Hans", "en"])
PATHS = ("", *(f"{page.slug}/" for page in PAGES), f"events/{registry.latest()[0].slug}/")
NARROW, WIDE = (390, "dark"), (1280, "light")


@pytest.mark.parametrize("path", PATHS)
@LANGUAGES
def test_a_page_has_no_serious_fault_fits_its_width_and_says_nothing_to_the_console(
    pages: str, page: Page, complaints: list[str], path: str, language: str
) -> None:
    for width, scheme in (NARROW, WIDE):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.goto(f"{pages}/docs/{path}?lang={language}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        faults = [
            (fault["id"], [node["target"] for node in fault["nodes"]][:4])
            for fault in Axe().run(page).response["violations"]
            if fault["impact"] in {"serious", "critical"}
        ]
        assert faults == [], (width, scheme)
    assert complaints == []


def test_code_wider_than_a_phone_is_scrolled_by_itself_and_by_keys(pages: str, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{pages}/docs/quick-start/?lang=en")
    block = page.locator("pre").first
    block.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('pre').scrollLeft > 0")


def test_commands_are_copied_with_one_tap_as_they_are_typed(pages: str, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{pages}/docs/quick-start/?lang=en")
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == str(page.locator("pre code").first.text_content()).rstrip()


def test_what_comes_before_a_pages_commands_opens_without_a_script(pages: str, page: Page) -> None:
    page.route("**/*.js", lambda route: route.abort())
    page.goto(f"{pages}/docs/reading/?lang=zh-Hans")
    expect(page.get_by_text("post accounts")).to_be_hidden()
    page.get_by_text("先运行这一段").click()
    expect(page.get_by_text("post accounts")).to_be_visible()


@LANGUAGES
def test_the_contents_of_a_page_lead_into_it_and_its_end_leads_on(
    pages: str, page: Page, language: str
) -> None:
    page.set_viewport_size({"width": 1440, "height": 800})
    page.goto(f"{pages}/docs/recording/?lang={language}")
    page.locator(".on-page a").nth(3).click()
    expect(page.locator("#when-no-answer-comes")).to_be_in_viewport()
    page.locator("a[rel=next]").click()
    expect(page).to_have_url(f"{pages}/docs/events/")


@LANGUAGES
def test_the_reference_shows_every_subject_opens_an_operation_and_leads_back_to_the_guide(
    pages: str, page: Page, complaints: list[str], language: str
) -> None:
    page.goto(f"{pages}/api/v1/docs?lang={language}")
    expect(page.locator(".opblock-tag")).not_to_have_count(0, timeout=60_000)
    page.locator("#operations-tag-events").click()
    operation = page.locator("#operations-events-appendEvents")
    operation.locator("button.opblock-summary-control").click()
    expect(operation.get_by_text("Idempotency-Key").first).to_be_visible()
    page.get_by_role("link", name="Guide" if language == "en" else "接入文档", exact=True).click()
    expect(page).to_have_url(f"{pages}/docs/")
    assert complaints == []
