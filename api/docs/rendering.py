"""Markdown to HTML: CommonMark with tables, an anchor at each heading, and no HTML of its own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from django.utils.html import format_html
from markdown_it import MarkdownIt
from markdown_it.token import Token

PLACE: Final = re.compile(r"^\[\[([a-z-]+)\]\]$", re.MULTILINE)
"""A line that stands for a part made from code, such as ``[[scopes]]``."""


class Heading(NamedTuple):
    """A heading: its level, its anchor and its text."""

    level: int
    anchor: str
    text: str


class Rendered(NamedTuple):
    """A page as HTML, and its headings."""

    html: str
    headings: tuple[Heading, ...]

    @property
    def chapters(self) -> list[Heading]:
        """The headings of the second level, which lead into the page."""
        return [heading for heading in self.headings if heading.level == 2]

    @property
    def title(self) -> str:
        """The heading of the page itself."""
        return self.headings[0].text


def render_markdown(
    text: str, parts: Mapping[str, str], *, like: Sequence[Heading] | None = None
) -> Rendered:
    """The HTML of a page; ``parts`` are the texts of the places made from code.

    ``like`` are the headings of the same page in another language: their anchors are taken, so that
    an address leads to the same place in both.
    """
    filled = PLACE.sub(lambda place: parts[place[1]], text)
    tokens = _parser().parse(filled)
    headings = _anchor(tokens, like)
    return Rendered(_parser().renderer.render(tokens, _parser().options, {}), headings)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("table_open", lambda *_: '<div class="wide" tabindex="0"><table>\n')
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("softbreak", _line_end)
    return parser


def _fence(_: Any, tokens: Sequence[Token], index: int, *_rest: Any) -> str:
    """A block of code, to be scrolled with keys too; one with a title is folded away under it."""
    kind, _, title = tokens[index].info.partition(" ")
    block = format_html(
        '<pre tabindex="0"><code class="language-{}">{}</code></pre>\n', kind, tokens[index].content
    )
    if not title:
        return block
    return format_html("<details><summary>{}</summary>\n{}</details>\n", title, block)


def _line_end(_: Any, tokens: Sequence[Token], index: int, *_rest: Any) -> str:
    """The end of a line inside a paragraph: nothing between Chinese characters, else a space."""
    before, after = (tokens[index + step].content for step in (-1, 1))
    wide = [unicodedata.east_asian_width(side) in "WF" for side in (before[-1:], after[:1]) if side]
    return "" if wide == [True, True] else "\n"


def _anchor(tokens: list[Token], like: Sequence[Heading] | None) -> tuple[Heading, ...]:
    """Give each heading an anchor, made of its words if there is none to take."""
    opened = [pair for pair in pairwise(tokens) if pair[0].type == "heading_open"]
    headings = []
    for token, inline in opened:
        text = "".join(child.content for child in inline.children or ())
        headings.append(Heading(int(token.tag[1:]), anchor_of(text), text))
    if like is not None:
        headings = [
            each._replace(anchor=other.anchor) for each, other in zip(headings, like, strict=True)
        ]
    for (token, _), heading in zip(opened, headings, strict=True):
        token.attrSet("id", heading.anchor)
    return tuple(headings)


def anchor_of(text: str) -> str:
    """The anchor of a heading with these words."""
    return re.sub(r"[^\w]+", "-", text.lower()).strip("-")


def table(head: list[str], rows: list[list[Any]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(_cell(part) for part in line)} |" for line in lines)


def _cell(value: Any) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")
