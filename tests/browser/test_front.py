"""The first page in a real browser."""

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from records.models import Club
from replays.projections import advance_projections
from rules_engine import registry
from tests.browser.conftest import Site


@pytest.fixture
def open_site(site: Site) -> Iterator[Site]:
    """The site while its club shows its games to everybody."""
    advance_projections()
    Club.objects.filter(pk=site.club.pk).update(public_games=True)
    yield site
    Club.objects.filter(pk=site.club.pk).update(public_games=False)


def test_the_first_page_leads_to_every_ruleset_and_to_the_documentation(
    site: Site, page: Page
) -> None:
    page.goto(f"{site.address}/?lang=en")
    expect(page.locator(".cards li")).to_have_count(len(registry.latest()))
    expect(page.get_by_role("link", name="/api/v1/docs")).to_be_visible()
    first = registry.latest()[0]
    page.locator(".cards").get_by_role("link", name=re.compile(first.names.en)).click()
    expect(page).to_have_url(f"{site.address}/rulesets/{first.slug}/")
    expect(page.get_by_role("heading", level=1)).to_contain_text(first.names.en)


@pytest.mark.parametrize(("language", "won"), [("zh-Hans", "胡"), ("en", "won")])
@pytest.mark.parametrize("width", [390, 1280])
def test_a_hand_of_a_game_that_all_may_watch_is_shown_with_its_reasons(
    open_site: Site, page: Page, complaints: list[str], language: str, won: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{open_site.address}/?lang={language}")
    shown = page.locator(".shown-hand")
    expect(shown.get_by_role("heading")).to_contain_text(won)
    assert shown.locator(".score-lines li").count() >= 1
    gains = [text.replace("−", "-") for text in shown.locator(".shown-pays b").all_inner_texts()]
    assert sum(int(points.replace(",", "")) for points in gains) == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        faults = Axe().run(page).response["violations"]
        assert [each["id"] for each in faults if each["impact"] in {"serious", "critical"}] == []
    shown.get_by_role("link").first.click()
    expect(page).to_have_url(re.compile("/games/"))
    expect(page.locator("#table")).to_be_visible()
    assert complaints == []


def test_no_hand_of_a_club_that_keeps_its_games_to_itself_is_shown(
    site: Site, signed_in: Page
) -> None:
    signed_in.goto(f"{site.address}/")
    expect(signed_in.get_by_role("heading", level=1)).to_be_visible()
    expect(signed_in.locator(".shown-hand")).to_have_count(0)
