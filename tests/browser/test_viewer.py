"""The replay viewer in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from records import reader
from rules_engine import registry
from tests.browser.conftest import Site, ready

SLUGS = pytest.mark.parametrize("slug", [each.slug for each in registry.latest()])
WIDTHS = pytest.mark.parametrize("width", [390, 1280])
LANGUAGES = pytest.mark.parametrize("language", ["zh-Hans", "en"])

STEPPED_IS_JUMPED = """async () => {
  const viewer = document.getElementById("viewer");
  const table = document.getElementById("table");
  const { game, page } = viewer.dataset;
  const frames = await import("/static/replays/viewer/frames.js");
  const wait = () => new Promise((done) => setTimeout(done, 0));
  const key = (name) => document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key: name, bubbles: true }));
  const until = async (address) => {
    while (location.hash !== address) await wait();
  };
  const differing = [];
  let seqs = 0;
  for (let number = 1; number <= Number(viewer.dataset.hands); number += 1) {
    const hand = await frames.loadHand(page, number);
    const at = (place) => `#${number}.${hand.steps[place].seq}`;
    const asked = hand.steps.map(async (step) =>
      (await fetch(`/api/v1/games/${game}/state?seq=${step.seq}`)).json());
    location.hash = at(0);
    await until(at(0));
    await wait();
    const stepped = [table.innerHTML];
    for (let place = 1; place < hand.steps.length; place += 1) {
      key("ArrowRight");
      await until(at(place));
      stepped.push(table.innerHTML);
    }
    for (let place = hand.steps.length - 1; place >= 0; place -= 1) {
      location.hash = at(place);
      await wait();
      await until(at(place));
      await wait();
      if (table.innerHTML !== stepped[place]) differing.push(`drawn ${at(place)}`);
      const { seq } = hand.steps[place];
      const { waits, signs, drawable, ...frame } = hand.frames[place];
      const sorted = (value) => value && typeof value === "object" && !Array.isArray(value)
        ? Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]))
        : Array.isArray(value) ? value.map(sorted) : value;
      const state = JSON.stringify(sorted(await asked[place]));
      if (JSON.stringify(sorted(frame)) !== state) differing.push(`state ${seq}`);
      seqs += 1;
    }
  }
  return { seqs, differing };
}"""


@SLUGS
def test_a_step_draws_what_a_jump_draws_and_both_are_the_state_of_the_api(
    site: Site, signed_in: Page, complaints: list[str], slug: str
) -> None:
    signed_in.set_default_timeout(120_000)
    signed_in.goto(f"{site.address}/games/{site.games[slug]}")
    ready(signed_in)
    found = signed_in.evaluate(STEPPED_IS_JUMPED)
    assert found["differing"] == []
    assert found["seqs"] == reader.head(site.games[slug])[0]
    assert complaints == []


@WIDTHS
@LANGUAGES
def test_a_game_is_replayed_by_buttons_keys_and_links(
    site: Site, signed_in: Page, complaints: list[str], width: int, language: str
) -> None:
    page = signed_in
    page.set_viewport_size({"width": width, "height": 860})
    page.goto(f"{site.address}/games/?lang={language}")
    game = site.longer
    page.locator(f'a[href="/games/{game}"]').click()
    ready(page)
    expect(page.locator("html")).to_have_attribute("lang", language)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(page.locator("#table [data-seat]")).to_have_count(4)
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile(r"#1\.1$"))
    page.locator('[data-do="on"]').click()
    expect(page).to_have_url(re.compile(r"#1\.2$"))
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"#1\.3$"))
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"#1\.2$"))
    page.keyboard.press("ArrowDown")
    expect(page.locator('#hand-list a[aria-current="true"]')).to_have_text("2")
    page.keyboard.press("End")
    expect(page.locator("#panel-box")).to_have_attribute("open", "")
    expect(page.locator("#panel .gains li")).to_have_count(4)
    page.keyboard.press("ArrowUp")
    expect(page.locator('#hand-list a[aria-current="true"]')).to_have_text("1")
    page.locator('[data-jump="draw"]').click()
    expect(page.locator("#now")).to_contain_text("摸" if language == "zh-Hans" else "draws")
    page.locator("#events a").nth(7).click()
    expect(page).to_have_url(re.compile(r"#1\.8$"))
    expect(page.locator('#events a[aria-current="true"] .seq')).to_have_text("8")
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    assert complaints == []


def test_hands_are_hidden_turned_and_given_numerals(site: Site, signed_in: Page) -> None:
    page = signed_in
    page.goto(f"{site.address}/games/{site.longer}#1.20")
    ready(page)
    backs = page.locator('#table use[href="#back"]')
    expect(backs).to_have_count(0)
    page.keyboard.press("h")
    assert backs.count() >= 30
    expect(page.locator('[data-do="hide"]')).to_have_attribute("aria-pressed", "true")
    before = page.locator("#table [data-seat='0']").get_attribute("transform")
    page.keyboard.press("v")
    assert page.locator("#table [data-seat='0']").get_attribute("transform") != before
    page.keyboard.press("n")
    expect(page.locator("#viewer")).to_have_class(re.compile("numerals"))


def test_a_game_plays_by_itself_and_stops_when_told(site: Site, signed_in: Page) -> None:
    page = signed_in
    page.goto(f"{site.address}/games/{site.longer}")
    ready(page)
    page.locator("#speed").select_option("100")
    page.get_by_role("button", name="Play").click()
    expect(page).to_have_url(re.compile(r"#1\.(?:[6-9]|\d\d)$"))
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_a_swipe_is_a_step_and_the_slider_goes_anywhere(site: Site, signed_in: Page) -> None:
    page = signed_in
    page.goto(f"{site.address}/games/{site.longer}#1.9")
    ready(page)
    touch = {"pointerType": "touch", "bubbles": True, "clientY": 200}
    for begin, end, seq in ((300, 200, 10), (100, 250, 9)):
        page.dispatch_event("#table", "pointerdown", {**touch, "clientX": begin})
        page.dispatch_event("#table", "pointerup", {**touch, "clientX": end})
        expect(page).to_have_url(re.compile(rf"#1\.{seq}$"))
    page.locator("#slider").fill("20")
    expect(page).to_have_url(re.compile(r"#1\.21$"))


def test_the_log_is_saved_as_lines_and_as_one_file(site: Site, signed_in: Page) -> None:
    page = signed_in
    page.goto(f"{site.address}/games/{site.longer}?lang=en")
    ready(page)
    with page.expect_download() as saving:
        page.get_by_role("link", name="event a line").click()
    assert saving.value.suggested_filename == f"{site.longer}.ndjson"
    lines = saving.value.path().read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["seq"] for line in lines] == list(range(1, len(lines) + 1))
    with page.expect_download() as saving:
        page.get_by_role("link", name="one JSON file").click()
    assert saving.value.suggested_filename == f"{site.longer}.json"
    whole = json.loads(saving.value.path().read_text(encoding="utf-8"))
    assert whole == [json.loads(line) for line in lines]


def test_a_link_to_a_moment_is_copied_and_leads_there(site: Site, signed_in: Page) -> None:
    page = signed_in
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{site.address}/games/{site.longer}#1.17")
    ready(page)
    page.keyboard.press("c")
    expect(page.locator('[data-do="copy"]')).to_have_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("#1.17")
    other = page.context.new_page()
    other.goto(link)
    ready(other)
    assert other.locator("#now").inner_html() == page.locator("#now").inner_html()


@pytest.fixture
def without_script(site: Site, browser: Browser, signed_in: Page) -> Iterator[Page]:
    """A browser that is signed in and runs no scripts."""
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies(signed_in.context.cookies())  # type: ignore[arg-type]
    yield context.new_page()
    context.close()


@SLUGS
def test_without_a_script_the_page_has_state_words_result_and_points(
    site: Site, without_script: Page, slug: str
) -> None:
    page = without_script
    page.goto(f"{site.address}/games/{site.games[slug]}?hand=1")
    expect(page.locator(".plain-seat")).to_have_count(4)
    expect(page.locator("#controls")).to_be_hidden()
    expect(page.locator("#panel .gains li")).to_have_count(4)
    assert page.locator("#events li").count() > 10
    assert page.locator(".by-hand tbody tr").count() >= 1


def test_without_a_script_hands_are_reached_by_links(site: Site, without_script: Page) -> None:
    page = without_script
    page.goto(f"{site.address}/games/{site.longer}?hand=2")
    page.locator("#hand-list a").first.click()
    expect(page.locator('#hand-list a[aria-current="true"]')).to_have_text("1")


def test_a_game_of_results_shows_them_hand_by_hand_with_rulings(
    site: Site, signed_in: Page, complaints: list[str]
) -> None:
    page = signed_in
    page.goto(f"{site.address}/games/{site.told.id}#1")
    ready(page)
    expect(page.locator("#plain")).to_contain_text("recorded as a result only")
    expect(page.locator("#panel")).to_contain_text("misread")
    expect(page.locator("#hand-list .corrected")).to_have_text("1")
    expect(page.locator("#panel .win h3")).to_contain_text("丁")
    expect(page.locator(".by-hand tbody tr")).to_have_count(4)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#panel .win h3")).to_contain_text("丙")
    assert complaints == []


def test_only_the_page_made_for_it_may_stand_in_a_frame(site: Site, signed_in: Page) -> None:
    page = signed_in
    game = site.longer
    shown = page.goto(f"{site.address}/embed/{game}")
    assert shown is not None
    assert "frame-ancestors *" in shown.headers["content-security-policy"]
    assert "x-frame-options" not in shown.headers
    ready(page)
    expect(page.locator("header.top")).to_have_count(0)
    whole = page.goto(f"{site.address}/games/{game}")
    assert whole is not None
    assert "frame-ancestors 'none'" in whole.headers["content-security-policy"]


def test_a_game_of_others_is_not_found_and_who_is_not_signed_in_is_asked_to(
    site: Site, page: Page
) -> None:
    game = site.longer
    page.goto(f"{site.address}/games/{game}?lang=en")
    expect(page).to_have_url(re.compile(r"/sign-in\?next="))
    expect(page.get_by_text("for club members")).to_be_visible()
    hand = page.goto(f"{site.address}/games/{game}/hands/1")
    assert hand is not None
    assert hand.status == 404


@WIDTHS
def test_the_viewer_has_no_serious_fault_for_who_uses_a_screen_reader_or_keys(
    site: Site, signed_in: Page, width: int
) -> None:
    page = signed_in
    page.set_viewport_size({"width": width, "height": 860})
    for path in (
        f"games/{site.longer}#2.9999",
        f"games/{site.told.id}",
        f"embed/{site.live}",
        "games/",
    ):
        page.goto(f"{site.address}/{path}")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            faults = [
                (fault["id"], [node["target"] for node in fault["nodes"]][:4])
                for fault in Axe().run(page).response["violations"]
                if fault["impact"] in {"serious", "critical"}
            ]
            assert faults == [], (path, scheme)
