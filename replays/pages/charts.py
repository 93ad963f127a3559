"""Where the lines of charts run, in the units of an SVG's view box. Pure.

Charts are drawn in the page's own markup, with the colours of the theme. (pygal, which can draw
them too, writes style elements, and the Content-Security-Policy lets a browser read none.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

WIDTH: Final = 640
HEIGHT: Final = 240
LEFT: Final = 8
RIGHT: Final = 96
TOP: Final = 24
BOTTOM: Final = 30
BAR_MAX: Final = 100
TICKS_APART: Final = 22
"""Numbers on the left stand at least this far from one another."""


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """A point of a line, and what it tells."""

    x: float
    y: float
    game: str
    at: str
    points: int
    total: int


class LineChart(msgspec.Struct, frozen=True, kw_only=True):
    """Points over time; ``zero_y`` is where nothing is won or lost."""

    line: str
    marks: tuple[Mark, ...]
    zero_y: float
    ticks: tuple[tuple[float, int], ...]
    left: int = LEFT
    right: int = WIDTH - RIGHT
    label_x: int = WIDTH - RIGHT + 8
    foot_y: int = HEIGHT - 6
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def end(self) -> Mark:
        """Where the line ends."""
        return self.marks[-1]

    @property
    def begin(self) -> Mark:
        """The first game."""
        return self.marks[0]


class Bar(msgspec.Struct, frozen=True, kw_only=True):
    """One bar of a distribution: how many, what share of all, and its length out of `BAR_MAX`."""

    label: int
    count: int
    share: float | None
    length: float


def line_chart(games: Sequence[tuple[str, str, int, int]]) -> LineChart | None:
    """The totals after games, each (id, day, points, total); the line begins at nothing."""
    if not games:
        return None
    totals = [0, *(total for *_, total in games)]
    low, high = min(totals), max(totals)
    span = max(1, high - low)

    def y_of(total: int) -> float:
        return round(TOP + (high - total) / span * (HEIGHT - TOP - BOTTOM), 1)

    def x_of(place: int) -> float:
        return round(LEFT + place / len(games) * (WIDTH - LEFT - RIGHT), 1)

    marks = tuple(
        Mark(x=x_of(place), y=y_of(total), game=game, at=at, points=points, total=total)
        for place, (game, at, points, total) in enumerate(games, 1)
    )
    steps = [f"{x_of(place)},{y_of(total)}" for place, total in enumerate(totals)]
    zero = y_of(0)
    ticks = tuple(
        (y_of(total), total)
        for total in sorted({low, high} - {0})
        if abs(y_of(total) - zero) >= TICKS_APART
    )
    return LineChart(line=" ".join(steps), marks=marks, zero_y=zero, ticks=ticks)


def bars(counts: Sequence[int]) -> list[Bar]:
    """A bar for each count, numbered from 1; the greatest is the longest."""
    most, whole = max(counts, default=0), sum(counts)
    return [
        Bar(
            label=number,
            count=count,
            share=count / whole if whole else None,
            length=round(count / most * BAR_MAX, 1) if most else 0,
        )
        for number, count in enumerate(counts, 1)
    ]
