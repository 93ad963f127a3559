"""The documentation: what it says to type works and prints what it says; no link leads nowhere."""

import os
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.test import Client
from markdown_it import MarkdownIt

import api.docs
from api.docs.contents import PAGES
from rules_engine import registry

FOLDER = Path(api.docs.__file__).parent
SOURCES = sorted(FOLDER.glob("*/*.md"))
MARK = "---- end of block ----"
ADDRESSES = [
    "/docs/",
    *(f"/docs/{page.slug}/" for page in PAGES),
    *(f"/docs/events/{ruleset.slug}/" for ruleset in registry.latest()),
]
IN_BOTH = {"index", "quick-start", "recording"}


class Block(NamedTuple):
    """A block of commands, and what the page says that it prints; None where it says nothing."""

    commands: str
    output: str | None


def blocks_of(source: Path) -> list[Block]:
    """The blocks of a page that a reader types into a shell."""
    fences = [
        (token.info, token.content)
        for token in MarkdownIt().parse(source.read_text(encoding="utf-8"))
        if token.type == "fence"
    ]
    return [
        Block(text, following[1] if following[0] == "output" else None)
        for (kind, text), following in zip(fences, [*fences[1:], ("", "")], strict=False)
        if kind == "sh"
    ]


def name_of(source: Path) -> str:
    return f"{source.parent.name}-{source.stem}"


@pytest.mark.parametrize("source", [each for each in SOURCES if blocks_of(each)], ids=name_of)
def test_what_a_page_says_to_type_prints_what_it_says(
    server: str, source: Path, tmp_path: Path
) -> None:
    blocks = blocks_of(source)
    script = "set -euo pipefail\n" + "\n".join(f"{b.commands}\necho '{MARK}'" for b in blocks)
    done = subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, "PAIPU": f"{server}/api/v1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    printed = done.stdout.split(f"{MARK}\n")
    for block, output in zip(blocks, printed, strict=False):
        if block.output is not None:
            assert output == block.output, block.commands


def test_the_first_steps_are_told_in_both_languages() -> None:
    for language in ("en", "zh"):
        assert {source.stem for source in (FOLDER / language).glob("*.md")} >= IN_BOTH
    for name in IN_BOTH:
        english, chinese = (
            [block.commands.count("\n") for block in blocks_of(FOLDER / language / f"{name}.md")]
            for language in ("en", "zh")
        )
        assert english == chinese, name


class Found(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            if tag == "a" and name == "href" and value:
                self.links.add(value)


@pytest.fixture(scope="module")
def browser() -> Client:
    return Client()


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_every_page_is_there_in_both_languages(
    browser: Client, address: str, language: str
) -> None:
    answer = browser.get(address, {"lang": language})
    assert answer.status_code == 200
    text = answer.content.decode()
    assert "[[" not in re.sub(r"<pre>.*?</pre>", "", text, flags=re.DOTALL), "a place is not filled"
    assert text.count("<h1") == 1


def test_no_link_leads_nowhere(browser: Client) -> None:
    pages: dict[str, Any] = {
        address: Found(browser.get(address, {"lang": "en"}).content.decode())
        for address in ADDRESSES
    }
    for address, page in pages.items():
        for link in page.links:
            path, _, anchor = link.partition("#")
            if not path and anchor:
                assert anchor in page.anchors, (address, link)
            elif path.startswith("/docs/"):
                assert path in pages, (address, link)
                assert not anchor or anchor in pages[path].anchors, (address, link)
            elif path.startswith("/rulesets/") and anchor:
                if path not in pages:
                    pages_of_rules = Found(browser.get(path).content.decode())
                    RULES.setdefault(path, pages_of_rules.anchors)
                assert anchor in RULES[path], (address, link)


RULES: dict[str, set[str]] = {}


def test_a_page_that_is_not_there_is_not_found(browser: Client) -> None:
    for address in ("/docs/nothing/", "/docs/events/bridge/"):
        assert browser.get(address).status_code == 404
