"""Markdown to HTML: CommonMark with tables, an anchor at each heading, and no HTML of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

PLACE: Final = re.compile(r"^\[\[([a-z-]+)\]\]$", re.MULTILINE)
"""A line that stands for a part made from code, such as ``[[scopes]]``."""
OUTPUT: Final = "output"
"""The kind of a block that shows what the block of commands before it prints."""


class Heading(NamedTuple):
    """A heading of the second level: its anchor and its text."""

    anchor: str
    text: str


class Rendered(NamedTuple):
    """A page as HTML, and the headings that lead into it."""

    html: str
    headings: list[Heading]


def render_markdown(text: str, parts: Mapping[str, str]) -> Rendered:
    """The HTML of a page; ``parts`` are the texts of the places made from code."""
    filled = PLACE.sub(lambda place: parts[place[1]], text)
    tokens = _parser().parse(filled)
    headings = _anchor(tokens)
    return Rendered(_parser().renderer.render(tokens, _parser().options, {}), headings)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("table_open", lambda *_: '<div class="wide" tabindex="0"><table>\n')
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return parser


def _anchor(tokens: list[Token]) -> list[Heading]:
    """Give each heading an anchor made of its words; those of the second level are returned."""
    headings: list[Heading] = []
    for token, inline in pairwise(tokens):
        if token.type != "heading_open":
            continue
        text = "".join(child.content for child in inline.children or ())
        anchor = re.sub(r"[^\w]+", "-", text.lower()).strip("-")
        token.attrSet("id", anchor)
        if token.tag == "h2":
            headings.append(Heading(anchor, text))
    return headings


def table(head: list[str], rows: list[list[Any]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(_cell(part) for part in line)} |" for line in lines)


def _cell(value: Any) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")
