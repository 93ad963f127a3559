"""Section "pages": games of 16 hands in a browser, from the address to the table being drawn."""

from __future__ import annotations

import os
import shutil
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from typing import Final

from playwright.sync_api import Page, sync_playwright

from records.models import Club
from rules_engine import registry
from tests.benchmarks.report import Line
from tests.benchmarks.stage import Stage
from tests.benchmarks.web import serving
from tests.support.watched import record_game

HANDS: Final = 16
LOADS: Final = 9
FRAME_S: Final = 1 / 60
"""What a screen gives a page for one picture."""

# A step and its picture: layout is asked for, so that it is counted too.
_STEPS: Final = """() => {
  const table = document.getElementById("table");
  const on = document.querySelector('[data-do="on"]');
  const steps = Number(document.getElementById("slider").max);
  const begun = performance.now();
  for (let step = 0; step < steps; step += 1) {
    on.click();
    table.getBoundingClientRect();
  }
  return (performance.now() - begun) / steps;
}"""


def pages(
    stage: Stage,
    *,
    repeats: int,
    told: Callable[[str], None],
    noted: Callable[[str], None],
) -> list[Line]:
    """Loading, beside an empty page of the same server; and a step, beside a frame of a screen."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        noted("pages: left out, there is no chromium on the PATH")
        return []
    club = Club.objects.create(name="Bench", slug="bench", public_games=True)
    games = {}
    for ruleset in registry.latest():
        told(f"pages: recording {HANDS} hands of {ruleset.slug}")
        games[ruleset.slug] = record_game(ruleset, club, hands=HANDS)
    loads: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    steps: defaultdict[str, list[float]] = defaultdict(list)
    with serving(stage) as address, _browsing(chromium) as page:
        for repeat in range(repeats):
            for slug, game in games.items():
                told(f"pages: loading {slug}, {repeat + 1}")
                empty_s = _load_s(page, f"{address}/empty", "title")
                game_s = _load_s(page, f"{address}/games/{game}", '#viewer[data-ready="1"]')
                loads[slug].append((game_s, empty_s))
                steps[slug].append(page.evaluate(_STEPS) / 1000)
    return [line for slug in games for line in _lines(slug, loads[slug], steps[slug])]


def _lines(slug: str, loads: list[tuple[float, float]], steps: list[float]) -> list[Line]:
    return [
        Line(
            section="pages",
            name=f"{slug}, a game is drawn",
            load=f"{HANDS} hands",
            against="time of an empty page",
            ratios=tuple(game_s / empty_s for game_s, empty_s in loads),
            rates=tuple(1 / game_s for game_s, _ in loads),
            unit="/s",
        ),
        Line(
            section="pages",
            name=f"{slug}, a step is drawn",
            load="a hand of it",
            against="time of a frame of 60 a second",
            ratios=tuple(step_s / FRAME_S for step_s in steps),
            rates=tuple(1 / step_s for step_s in steps),
            unit="/s",
            at_most=1.0,
        ),
    ]


@contextmanager
def _browsing(chromium: str) -> Iterator[Page]:
    arguments = ["--disable-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    # Playwright's event loop runs in this thread, and Django takes that for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=arguments)
        yield browser.new_page(viewport={"width": 1280, "height": 860})
        browser.close()


def _load_s(page: Page, address: str, ready: str) -> float:
    """Seconds until the page is ready, the browser's cache warm: the median of several."""
    taken = []
    for _ in range(LOADS + 1):
        page.goto("about:blank")
        before = time.perf_counter()
        page.goto(address, wait_until="commit")
        page.wait_for_selector(ready, state="attached")
        taken.append(time.perf_counter() - before)
    return median(taken[1:])
