"""Tiles in a page: the symbols of the sprite, with their names for who cannot see them."""

from __future__ import annotations

from typing import Final

from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from replays.tiles_drawn.faces import FLOWERS, NUMBERS
from rules_engine import tiles

ZH_SUITS: Final = {"m": "万", "p": "饼", "s": "条"}
EN_SUITS: Final = {"m": "wan", "p": "bing", "s": "tiao"}
ZH_HONOURS: Final = ("东", "南", "西", "北", "白板", "发财", "红中")
EN_HONOURS: Final = ("East", "South", "West", "North", "white", "green", "red")
EN_FLOWERS: Final = (
    *("plum", "orchid", "bamboo", "chrysanthemum"),
    *("spring", "summer", "autumn", "winter"),
)


def tile_name(name: str, language: str) -> str:
    """What people call a tile: 五万, or ``5 wan``."""
    rank, suit = int(name[0]), name[1]
    if suit == "z":
        return (ZH_HONOURS if language == "zh" else EN_HONOURS)[rank - 1]
    if suit == "f":
        return FLOWERS[rank - 1] if language == "zh" else EN_FLOWERS[rank - 1]
    if language == "zh":
        return NUMBERS[rank - 1] + ZH_SUITS[suit]
    return f"{rank} {EN_SUITS[suit]}"


def draw_tiles(text: str, language: str) -> SafeString:
    """The tiles of a compact text in a row, named together."""
    found = tiles.names(text)
    return format_html(
        '<span class="row" role="img" aria-label="{}">{}</span>',
        " ".join(tile_name(name, language) for name in found),
        format_html_join("", "{}", ((symbol(f"t{name}"),) for name in found)),
    )


def draw_backs(count: int, label: str) -> SafeString:
    """So many tiles face down."""
    backs = format_html_join("", "{}", ((symbol("back"),) for _ in range(count)))
    return format_html('<span class="row" role="img" aria-label="{}">{}</span>', label, backs)


def symbol(name: str) -> SafeString:
    """One symbol of the sprite as an image of its own."""
    return format_html(
        '<svg class="tile" viewBox="0 0 60 80" aria-hidden="true"><use href="{}#{}"/></svg>',
        static("replays/tiles.svg"),
        name,
    )
