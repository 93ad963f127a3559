"""The pages about rulesets in a real browser."""

import html
import re
import urllib.error
import urllib.request
from email.message import Message
from html.parser import HTMLParser

import pytest
from playwright.sync_api import Page, expect

from rules_engine import registry
from rules_engine.option_rows import option_rows
from rules_engine.ruleset import Ruleset

RULESETS = pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda each: each.slug)


def fetched(address: str, **headers: str) -> tuple[int, Message, str]:
    """Status, headers and text of an address."""
    request = urllib.request.Request(address, headers=headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


class Parts(HTMLParser):
    """The ids of a page, the places in it that links lead to, and what a strict policy forbids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.targets: set[str] = set()
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if values.get("id"):
            self.ids.append(str(values["id"]))
        link = values.get("href") or ""
        if link.startswith("#"):
            self.targets.add(link[1:])
        if tag == "style" or (tag == "script" and "src" not in values):
            self.inline.append(tag)
        self.inline += [name for name in values if name == "style" or name.startswith("on")]


@RULESETS
@pytest.mark.parametrize("language", ["zh-Hans", "en"])
def test_a_ruleset_page_shows_every_item_option_and_rule_and_no_link_leads_nowhere(
    pages: str, ruleset: Ruleset, language: str
) -> None:
    status, headers, text = fetched(f"{pages}/rulesets/{ruleset.slug}/?lang={language}")
    parts = Parts(text)
    assert status == 200
    assert f'<html lang="{language}">' in text
    assert len(parts.ids) == len(set(parts.ids))
    assert parts.targets <= set(parts.ids)
    assert set(ruleset.rules) <= set(parts.ids)
    assert {f"item-{item.id}" for item in ruleset.items} <= set(parts.ids)
    for names in ruleset.value_names.values():
        for chinese, english in names.values():
            name = english if language == "en" else chinese
            assert f">{html.escape(name)}</option>" in text
    assert not parts.inline
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]


@RULESETS
@pytest.mark.parametrize("width", [360, 1280])
def test_a_ruleset_page_fits_its_width_in_light_and_dark_and_complains_of_nothing(
    pages: str, page: Page, ruleset: Ruleset, width: int
) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{pages}/rulesets/{ruleset.slug}/")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    colours = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        colours.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert colours == ["rgb(251, 249, 244)", "rgb(21, 23, 26)"]
    assert not complaints


@RULESETS
def test_every_preset_has_its_page(pages: str, ruleset: Ruleset) -> None:
    for preset in ruleset.presets:
        status, _, text = fetched(f"{pages}/rulesets/{ruleset.slug}/?preset={preset}&lang=en")
        assert status == 200
        assert f'aria-current="true">{ruleset.preset_names[preset].en}' in text


def test_choosing_an_option_changes_the_price_and_leaves_an_address_to_share(
    pages: str, page: Page
) -> None:
    page.goto(f"{pages}/rulesets/hefei/?preset=bao_ting")
    price = page.locator("#item-qi_dui .worth")
    expect(price).to_have_text("5")
    page.get_by_text("What items are worth").click()
    page.get_by_label("Points for seven pairs.").fill("9")
    page.get_by_role("button", name="Show with these options").click()
    expect(price).to_have_text("9")
    expect(page).to_have_url(f"{pages}/rulesets/hefei/?preset=bao_ting&points_qi_dui=9")
    page.get_by_role("link", name="Reset").click()
    expect(price).to_have_text("5")


def test_what_was_changed_is_listed_and_its_group_is_open(pages: str, page: Page) -> None:
    page.goto(f"{pages}/rulesets/hefei/?lang=en&points_qi_dui=9")
    changes = page.locator(".changes li")
    expect(changes).to_have_text("Points for seven pairs. 5 9")
    expect(page.locator("details.group[open] summary")).to_have_text(
        re.compile(r"What items are worth \d+ · 1 changed")
    )
    changes.get_by_role("link").click()
    expect(page.get_by_label("Points for seven pairs.")).to_be_in_viewport()


@RULESETS
@pytest.mark.parametrize("language", ["zh-Hans", "en"])
def test_options_stand_in_groups_and_rules_in_chapters_each_with_its_name(
    pages: str, page: Page, ruleset: Ruleset, language: str
) -> None:
    page.goto(f"{pages}/rulesets/{ruleset.slug}/?lang={language}")
    chapters = [each.zh if language == "zh-Hans" else each.en for each in ruleset.chapters]
    assert page.locator(".chapter").all_text_contents() == chapters
    assert page.locator(".side ol a").all_text_contents() == chapters
    groups = page.locator("details.group h3").all_text_contents()
    assert len(groups) == len(set(groups)) > 1
    assert page.locator("details.group[open]").count() == 0
    assert page.locator("details.group .options > li").count() == len(
        option_rows(ruleset, ruleset.options())
    )


def test_what_is_typed_finds_items_options_and_rules_and_opens_their_groups(
    pages: str, page: Page
) -> None:
    page.goto(f"{pages}/rulesets/hefei/?lang=zh-Hans")
    page.get_by_label("在番项、选项和规则里查找").fill("七对")
    expect(page.locator("#item-qi_dui")).to_be_visible()
    expect(page.locator("#item-base")).to_be_hidden()
    expect(page.locator("#o-points_qi_dui")).to_be_visible()
    expect(page.get_by_role("heading", name="荒庄")).to_be_hidden()
    shown = page.locator(".items > li, .options > li, .rules > li").filter(visible=True)
    expect(page.locator("#found")).to_have_text(f"{shown.count()} 处")
    page.get_by_label("在番项、选项和规则里查找").fill("")
    expect(page.locator("#item-base")).to_be_visible()
    expect(page.locator("#o-points_qi_dui")).to_be_hidden()


def test_a_rule_leads_to_the_options_that_change_it(pages: str, page: Page) -> None:
    page.goto(f"{pages}/rulesets/hefei/?lang=en")
    page.locator("#HF-59 .source a").click()
    expect(page.locator("#o-points_qi_dui")).to_be_in_viewport()


def test_without_a_script_groups_still_open_and_nothing_asks_for_one(
    pages: str, page: Page
) -> None:
    page.route("**/*.js", lambda route: route.abort())
    page.goto(f"{pages}/rulesets/hefei/?lang=en")
    expect(page.get_by_role("searchbox")).to_be_hidden()
    page.get_by_text("What items are worth").click()
    expect(page.get_by_label("Points for seven pairs.")).to_be_visible()


def test_a_choice_that_is_not_allowed_is_told_with_rule_and_range(pages: str) -> None:
    status, _, text = fetched(f"{pages}/rulesets/hefei/?lang=en&min_suit=40")
    assert status == 400
    assert "Option min_suit cannot be 40" in text
    assert "0 – 14" in text
    assert 'href="#HF-39"' in text


def test_the_language_is_the_browsers_unless_the_address_says_otherwise(pages: str) -> None:
    chinese = {"Accept-Language": "zh-CN,zh;q=0.9,en;q=0.5"}
    assert '<html lang="zh-Hans">' in fetched(f"{pages}/rulesets/", **chinese)[2]
    assert '<html lang="en">' in fetched(f"{pages}/rulesets/")[2]
    assert '<html lang="en">' in fetched(f"{pages}/rulesets/?lang=en", **chinese)[2]


def test_a_rule_has_an_address_of_its_own(pages: str, page: Page) -> None:
    page.goto(f"{pages}/rulesets/hefei/#HF-48")
    expect(page.locator("#HF-48")).to_be_in_viewport()


@pytest.mark.parametrize(
    "path", ["nowhere/", "hefei/?version=99", "hefei/?version=x", "hefei/?preset=nobody"]
)
def test_what_is_not_there_is_not_found(pages: str, path: str) -> None:
    assert fetched(f"{pages}/rulesets/{path}")[0] == 404
