"""A game hand by hand: who gained what, and the points across hands as a chart."""

from __future__ import annotations

from typing import Final

import msgspec

from records import ledger
from records.ledger import Settled
from records.rulings import rulings_of
from replays.viewer.access import Watched
from replays.viewer.telling import Teller

WIDTH: Final = 420
HEIGHT: Final = 190
LEFT: Final = 8
RIGHT: Final = 112
MARGIN: Final = 16
LABEL_GAP: Final = 15
"""Names at the ends of the lines keep this far apart."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A hand, or an entry beside the hands, with its own ``kind`` and ``reason``: points by column.

    None in ``points`` is somebody who did not take part.
    """

    hand: int
    kind: str
    seq: int = 0
    dealer: str = ""
    winners: tuple[str, ...] = ()
    points: tuple[int | None, ...] = ()
    revised: bool = False
    reason: str = ""


class Curve(msgspec.Struct, frozen=True):
    """One player's line: the points of an SVG polyline, its name and where that stands."""

    name: str
    total: int
    line: str
    end_x: float
    end_y: float
    label_y: float


class Chart(msgspec.Struct, frozen=True):
    """Points across hands; ``zero_y`` is where nothing is won or lost."""

    curves: tuple[Curve, ...]
    zero_y: float
    ticks: tuple[tuple[float, int], ...]
    right: int = WIDTH - RIGHT
    width: int = WIDTH
    height: int = HEIGHT


class Overview(msgspec.Struct, frozen=True):
    """``players`` are the columns, with their totals."""

    players: list[tuple[str, int]]
    rows: list[Row]
    before: list[dict[str, int]]
    """Points by player id before each hand, from the first; the last are those of now."""
    chart: Chart | None

    @property
    def corrected(self) -> list[int]:
        """The hands that a ruling made something else of."""
        return [row.hand for row in self.rows if row.revised and not row.seq]


def overview(watched: Watched, teller: Teller) -> Overview:
    """The game as settled so far."""
    settled = ledger.settlement_of_game(watched.id, upto=watched.game.seq)
    people = list(watched.game.people)
    hands = {each.hand: each for each in settled if not each.entry}
    totals = dict.fromkeys(people, 0)
    rows: list[Row] = []
    before: list[dict[str, int]] = []
    for hand in range(1, watched.game.hands_ended + 1):
        before.append(dict(totals))
        found = hands.get(hand)
        rows.append(_hand_row(hand, found, people, teller))
        if found is not None:
            _add(totals, found)
    before.append(dict(totals))
    heights = [*before]
    entries = [each for each in settled if each.entry]
    reasons = _reasons(watched) if entries else {}
    for each in entries:
        rows.append(_entry_row(each, people, reasons))
        _add(totals, each)
    if totals != before[-1]:
        heights.append(dict(totals))
    return Overview(
        players=[(teller.name_of(player), totals[player]) for player in people],
        rows=rows,
        before=before,
        chart=_chart(people, heights, teller) if len(heights) > 1 else None,
    )


def _add(totals: dict[str, int], settled: Settled) -> None:
    for player, points in zip(settled.players, settled.points, strict=True):
        if str(player) in totals:  # The club's pot is no player.
            totals[str(player)] += points


def _points(settled: Settled, people: list[str]) -> tuple[int | None, ...]:
    gained = {
        str(player): points for player, points in zip(settled.players, settled.points, strict=True)
    }
    return tuple(gained.get(player) for player in people)


def _hand_row(hand: int, settled: Settled | None, people: list[str], teller: Teller) -> Row:
    if settled is None:
        return Row(hand=hand, kind="pending")
    seated = [teller.name_of(str(player)) for player in settled.players]
    wins = () if settled.facts is None else settled.facts.wins
    return Row(
        hand=hand,
        kind=settled.result,
        dealer="" if settled.dealer is None else seated[settled.dealer],
        winners=tuple(seated[win.seat] for win in wins),
        points=_points(settled, people),
        revised=settled.revision > 1,
    )


def _reasons(watched: Watched) -> dict[int, str]:
    """Why each ruling was made, by its seq."""
    return {
        ruled.seq: ruled.ruling.reason for ruled in rulings_of(watched.id, upto=watched.game.seq)
    }


def _entry_row(settled: Settled, people: list[str], reasons: dict[int, str]) -> Row:
    return Row(
        hand=settled.hand,
        kind=settled.result,
        seq=settled.seq,
        points=_points(settled, people),
        revised=settled.revision > 1,
        reason=reasons.get(settled.seq, ""),
    )


def _chart(people: list[str], heights: list[dict[str, int]], teller: Teller) -> Chart:
    low = min(0, *(min(each.values()) for each in heights))
    high = max(0, *(max(each.values()) for each in heights))
    span = max(1, high - low)

    def y_of(points: int) -> float:
        return round(MARGIN + (high - points) / span * (HEIGHT - 2 * MARGIN), 1)

    def x_of(place: int) -> float:
        return round(LEFT + place / (len(heights) - 1) * (WIDTH - LEFT - RIGHT), 1)

    ends = {player: y_of(heights[-1][player]) for player in people}
    labels = _apart(ends)
    curves = tuple(
        Curve(
            name=teller.name_of(player),
            total=heights[-1][player],
            line=" ".join(f"{x_of(i)},{y_of(each[player])}" for i, each in enumerate(heights)),
            end_x=x_of(len(heights) - 1),
            end_y=ends[player],
            label_y=labels[player],
        )
        for player in people
    )
    ticks = tuple((y_of(points), points) for points in sorted({low, high} - {0}))
    return Chart(curves=curves, zero_y=y_of(0), ticks=ticks)


def _apart(ends: dict[str, float]) -> dict[str, float]:
    """Heights of the names: each beside the end of its line, moved down where two would meet."""
    placed: dict[str, float] = {}
    last = float("-inf")
    for player, end in sorted(ends.items(), key=lambda each: each[1]):
        last = max(end, last + LABEL_GAP)
        placed[player] = last
    over = max(0.0, last - (HEIGHT - LABEL_GAP / 2))
    return {player: height - over for player, height in placed.items()}
