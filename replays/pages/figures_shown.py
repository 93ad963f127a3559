"""The figures of a board's row, as a table and a player's page show them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

import msgspec

from replays.board_rows import Row
from replays.boards import Line
from replays.meanings import FIGURES, Meaning
from replays.pages.numbers import decimal, percent, signed, signed_decimal, whole
from rules_engine.ladders import Tier

MEANINGS: Final[Mapping[str, Meaning]] = {each.name: each for each in FIGURES}
COLUMNS: Final = (
    *("points", "games", "hands", "points_per_hand", "win_rate", "zimo_rate", "deal_in_rate"),
    *("average_win", "best_total", "gangs", "tier"),
)
"""The figures of a row in their order; of the tier, which stands by the name, its score."""
BY_SORT: Final = tuple((each.sort, each.name) for each in FIGURES if each.sort)
"""What a board can be sorted by, each with its figure."""
SHOWN: Final[Mapping[str, Callable[[Any], str]]] = {
    "points": signed,
    "gang_points": signed,
    "adjusted_points": signed,
    "points_per_hand": signed_decimal,
    "win_rate": percent,
    "zimo_rate": percent,
    "deal_in_rate": percent,
    "average_win": decimal,
    "tier": signed,
}
"""How figures are written; whole numbers where nothing is said."""
PARTS: Final[Mapping[str, tuple[str, str]]] = {
    "points_per_hand": ("points", "hands"),
    "win_rate": ("wins", "hands"),
    "zimo_rate": ("zimo_wins", "wins"),
    "deal_in_rate": ("deal_ins", "hands"),
    "average_win": ("win_total", "wins"),
}
"""What is divided by what."""
READ_FROM: Final[Mapping[str, str]] = {"tier": "ladder_score"}
"""Where a figure is written as something else of the row."""


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """A figure: its text, and of a rate what was divided by what."""

    name: str
    text: str
    parts: str = ""
    is_sorted_by: bool = False


class RowShown(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a board."""

    place: int
    player: UUID
    name: str
    is_own: bool
    tier: str
    cells: list[Cell]


class FigureTold(msgspec.Struct, frozen=True, kw_only=True):
    """What a figure is called, means and is divided by."""

    name: str
    title: str
    means: str
    over: str = ""


def figure_told(name: str, language: str) -> FigureTold:
    """What a reader is told of a figure."""
    meaning = MEANINGS[name]
    zh = language == "zh"
    over = MEANINGS[meaning.over] if meaning.over else None
    return FigureTold(
        name=name,
        title=meaning.zh if zh else meaning.en,
        means=meaning.means_zh if zh else meaning.means_en,
        over="" if over is None else (over.zh if zh else over.en),
    )


def figures_told(language: str) -> list[FigureTold]:
    """What a reader is told of every figure."""
    return [figure_told(each.name, language) for each in FIGURES]


def columns_for(sort: str) -> list[str]:
    """The figures of a row in their order, the one that it is sorted by before all others."""
    return sorted(COLUMNS, key=lambda name: MEANINGS[name].sort != sort)


def cell_of(row: Row, name: str, sort: str = "") -> Cell:
    """One figure of a row; ``sort`` is the key that the board is sorted by."""
    over = PARTS.get(name)
    return Cell(
        name=name,
        text=SHOWN.get(name, whole)(getattr(row, READ_FROM.get(name, name))),
        parts="" if over is None else " / ".join(whole(getattr(row, part)) for part in over),
        is_sorted_by=bool(sort) and MEANINGS[name].sort == sort,
    )


def row_shown(
    line: Line, names: Mapping[UUID, str], *, own: set[UUID], language: str, sort: str = "points"
) -> RowShown:
    """A line of a board as its table shows it."""
    player = line.row.player_id
    return RowShown(
        place=line.place,
        player=player,
        name=names.get(player, ""),
        is_own=player in own,
        tier=tier_name(line.tier, language),
        cells=[cell_of(line.row, name, sort) for name in columns_for(sort)],
    )


def tier_name(tier: Tier | None, language: str) -> str:
    """What a tier is called; nothing where none is."""
    if tier is None:
        return ""
    return tier.zh if language == "zh" else tier.en
