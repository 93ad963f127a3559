"""The documentation: what it says to type works and prints what it says; no link leads nowhere."""

import json
import os
import re
import subprocess
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.test import Client
from markdown_it import MarkdownIt

import api.docs
from api.docs.contents import PAGES, START_TITLES, source_of
from api.docs.event_pages import TEXTS, texts_of
from api.docs.rendering import render_markdown
from api.webhooks.catalogue import CATALOGUE, PING
from api.webhooks.describing import catalogue_in_markdown
from rules_engine import registry
from rules_engine.events import COMMON

FOLDER = Path(api.docs.__file__).parent
LANGUAGES = ("en", "zh")
NAMES = ("index", *(page.slug for page in PAGES))
MARK = "---- end of block ----"
ADDRESSES = [
    "/docs/",
    *(f"/docs/{page.slug}/" for page in PAGES),
    *(f"/docs/events/{ruleset.slug}/" for ruleset in registry.latest()),
]
CHINESE = re.compile("[\u4e00-\u9fff]")
CHECKED_ELSEWHERE = {
    ("webhooks", "python"): "tests/api/test_webhook_readme.py",
    ("clients", "python"): "tests/client/test_guide.py",
    ("clients", "text"): "tests/client/test_guide.py",
    ("clients", "yaml"): "tests/client/test_guide.py",
    ("versions", "text"): "tests/api/test_fields.py",
}
"""Blocks that are no commands, and where they are tried."""


class Block(NamedTuple):
    """A block of commands, and what the page says that it prints; None where it says nothing."""

    commands: str
    output: str | None


def fences_of(name: str, language: str) -> list[tuple[str, str]]:
    """The blocks of a page with the kind of each."""
    return [
        (token.info.partition(" ")[0], token.content)
        for token in MarkdownIt().parse(source_of(name, language))
        if token.type == "fence"
    ]


def blocks_of(name: str, language: str) -> list[Block]:
    """The blocks of a page that a reader types into a shell."""
    fences = fences_of(name, language)
    return [
        Block(text, following[1] if following[0] == "output" else None)
        for (kind, text), following in zip(fences, [*fences[1:], ("", "")], strict=False)
        if kind == "sh"
    ]


TYPED = [(name, language) for name in NAMES for language in LANGUAGES if blocks_of(name, language)]


def test_there_are_commands_to_try_in_both_languages() -> None:
    names = ("quick-start", "recording", "tokens", "reading", "streams", "bulk")
    assert [(name, language) for name in names for language in LANGUAGES] == TYPED


@pytest.mark.parametrize(("name", "language"), TYPED)
def test_what_a_page_says_to_type_prints_what_it_says(
    server: str, name: str, language: str, tmp_path: Path
) -> None:
    blocks = blocks_of(name, language)
    script = "set -euo pipefail\n" + "\n".join(f"{b.commands}\necho '{MARK}'" for b in blocks)
    printed = _typed(script, server, tmp_path).split(f"{MARK}\n")
    for block, output in zip(blocks, printed, strict=False):
        if block.output is not None:
            assert output == block.output, block.commands


def _typed(script: str, server: str, folder: Path) -> str:
    """What a shell prints."""
    done = subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, "PAIPU": f"{server}/api/v1"},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_show_the_same_code_but_for_what_is_written_in_chinese(name: str) -> None:
    english, chinese = (fences_of(name, language) for language in LANGUAGES)
    assert [kind for kind, _ in english] == [kind for kind, _ in chinese]
    for (_, ours), (_, theirs) in zip(english, chinese, strict=True):
        for line, other in zip(ours.splitlines(), theirs.splitlines(), strict=True):
            assert line == other or CHINESE.search(other) or other.replace('"zh"', '"en"') == line


def test_every_block_is_typed_compared_or_tried_elsewhere() -> None:
    here = {"sh", "output"}
    left = {(name, kind) for name in NAMES for kind, _ in fences_of(name, "en") if kind not in here}
    checked_here = {("errors", "json"), ("bulk", "json"), ("limits", "text")}
    assert left == checked_here | CHECKED_ELSEWHERE.keys()
    for (name, _), file in CHECKED_ELSEWHERE.items():
        assert f'"{name}"' in (FOLDER.parents[1] / file).read_text(), file


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_refusal_that_is_shown_is_the_one_that_comes(
    server: str, language: str, tmp_path: Path
) -> None:
    (shown,) = [text for kind, text in fences_of("errors", language) if kind == "json"]
    wrong = {
        "type": "hand_result", "hand": 1, "dealer": 0, "result": "hu", "wild": "1m",
        "wins": [{"seat": 2, "by": "zimo", "tile": "5p", "concealed": "23456788m34p678s"}],
    }  # fmt: skip
    came = _appended(server, wrong, tmp_path, accept=language)
    assert json.loads(came) == json.loads(shown)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_line_that_says_what_it_has_to_come_to_is_taken(
    server: str, language: str, tmp_path: Path
) -> None:
    (shown,) = [json.loads(text) for kind, text in fences_of("bulk", language) if kind == "json"]
    event = {name: value for name, value in shown.items() if name not in {"game", "seq"}}
    assert json.loads(_appended(server, event, tmp_path))["last_seq"] == shown["seq"]
    other = {**event, "expect": {"points": [0, 0, 0, 0]}}
    assert json.loads(_appended(server, other, tmp_path))["code"] == "score_differs"


def _appended(server: str, event: Any, folder: Path, *, accept: str = "en") -> str:
    """The answer to this event in a new game, whatever it is."""
    start = blocks_of("bulk", "en")[0].commands
    return _typed(
        f"""set -eu
{start}
GAME=$(new_game)
curl -sS -X POST "$PAIPU/games/$GAME/events" -H "Authorization: Bearer $TOKEN" \\
     -H "Idempotency-Key: $(uuid)" -H 'Content-Type: application/json' -H 'If-Match: "1"' \\
     -H 'Accept-Language: {accept}' -d '{json.dumps(event)}'""",
        server,
        folder,
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_limits_of_an_answer_have_the_form_that_is_shown(
    server: str, language: str, tmp_path: Path
) -> None:
    (shown,) = [text for kind, text in fences_of("limits", language) if kind == "text"]
    came = _typed('curl -sSi "$PAIPU/rulesets"', server, tmp_path)
    for line in shown.splitlines():
        name, _, value = line.partition(": ")
        form = re.sub(r"\d+", r"\\d+", re.escape(value.replace("account", "address")))
        assert re.search(rf"^{name}: {form}\r?$", came, re.MULTILINE), (line, came)


def test_every_event_and_every_object_in_one_is_explained_in_chinese(browser: Client) -> None:
    for ruleset in registry.latest():
        texts = texts_of(ruleset)
        own = {event.__struct_config__.tag for event in ruleset.events}
        common = {event.__struct_config__.tag for event in COMMON}
        assert own | common <= texts.keys()
        page = browser.get(f"/docs/events/{ruleset.slug}/", {"lang": "zh-Hans"}).content.decode()
        titles = re.findall(r"<h3[^>]*>([^<]*)</h3>\s*<p>(.*?)</p>", page, re.DOTALL)
        assert own | common <= {title for title, _ in titles}
        for title, text in titles:
            assert CHINESE.search(text), title
        known = set(re.findall(r"<h3[^>]*>([^<]*)</h3>", page))
        assert set(texts) <= known, f"{TEXTS} explains what there is not"


def test_every_type_of_webhook_is_explained_in_chinese() -> None:
    sections = re.split("^### ", catalogue_in_markdown("zh"), flags=re.MULTILINE)[1:]
    assert [part.partition("\n")[0].strip("`") for part in sections] == [*CATALOGUE, PING]
    for part in sections:
        assert CHINESE.search(part.split("\n")[2]), part


def test_a_place_has_the_same_address_in_both_languages(browser: Client) -> None:
    for address in ADDRESSES:
        english, chinese = (
            [
                *re.findall(
                    r'<h\d id="([^"]*)"', browser.get(address, {"lang": tag}).content.decode()
                )
            ]
            for tag in ("en", "zh-Hans")
        )
        assert english == chinese
        assert len(set(english)) == len(english), address


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("收下，\n再做。", "收下，再做。"),
        ("收下 `id`\n再做。", "id</code>\n再"),
        ("take\nit", "take\nit"),
    ],
)
def test_lines_of_chinese_are_joined_without_a_gap(text: str, shown: str) -> None:
    assert shown in render_markdown(text, {}).html


def test_what_comes_first_is_folded_away_with_a_title(browser: Client) -> None:
    page = browser.get("/docs/reading/", {"lang": "en"}).content.decode()
    assert f"<details><summary>{START_TITLES['en']}</summary>" in page


def test_pages_lead_on_and_back_in_the_order_of_the_contents(browser: Client) -> None:
    def neighbours(address: str) -> dict[str, str]:
        text = browser.get(address, {"lang": "en"}).content.decode()
        return dict(re.findall(r'<a rel="(prev|next)" href="([^"]*)"', text))

    order = ["/docs/", *(f"/docs/{page.slug}/" for page in PAGES)]
    for before, after in pairwise(order):
        assert neighbours(before)["next"] == after
        assert neighbours(after)["prev"] == before
    assert "prev" not in neighbours(order[0])
    assert "next" not in neighbours(order[-1])
    assert neighbours("/docs/events/hefei/")["prev"] == "/docs/events/"


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


@pytest.mark.parametrize("language", ["zh-Hans", "en"])
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
