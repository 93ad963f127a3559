"""Boards: a club's players by any figure, a page at a time or around one of them, at any moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Final
from uuid import UUID

import msgspec
from django.db import connection, transaction

from replays.board_rows import Row, Source, Value, View, source_of
from rules_engine.ladders import Tier

MAX_LIMIT: Final = 500
MAX_NEIGHBOURS: Final = 50


class Line(msgspec.Struct, frozen=True):
    """A player on a board. Equals share a place, and the places behind them are left out."""

    place: int
    row: Row
    tier: Tier | None


class BoardCursor(msgspec.Struct, frozen=True):
    """A row of a board that a page ends with, or begins with: its figure, player, place, number.

    Plain values, so that a caller can write it into a link. With them every page costs the same,
    however far down the board it is.
    """

    value: Value
    player_id: UUID
    place: int
    rows: int


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """Some lines of a board; `next` is None on the last page.

    `begin` is the first of them, None where they were not counted from the top. `position` is the
    last settlement that they rest on.
    """

    lines: tuple[Line, ...]
    begin: BoardCursor | None = None
    next: BoardCursor | None = None
    position: int


def board(view: View, *, after: BoardCursor | None = None, limit: int = 50) -> Board:
    """One page, best first by `view.order`; players without the figure come last in either order.

    Raises NoTiersHere.
    """
    _check(limit)
    with _at_one_moment():
        source = source_of(view)
        start = None if after is None else (after.value, after.player_id)
        found = source.rows(start, limit + 1)
        page = _numbered(source, found[:limit], after)
        return _board(source, page, goes_on=len(found) > limit)


def board_before(view: View, before: BoardCursor, *, limit: int = 50) -> Board:
    """The page that ends with the row before this one. Raises NoTiersHere."""
    _check(limit)
    with _at_one_moment():
        source = source_of(view)
        found = source.rows((before.value, before.player_id), limit, upwards=True)[::-1]
        above = None
        if found:
            value = source.value_of(found[0])
            # Not a row above the page, but as good: the place and the number that it goes on from.
            place, rows = source.places([value])[value], before.rows - len(found) - 1
            above = BoardCursor(value, found[0].player_id, place, max(0, rows))
        return _board(source, _numbered(source, found, above), goes_on=True)


def _check(limit: int) -> None:
    if not 1 <= limit <= MAX_LIMIT:
        raise ValueError(f"limit is {limit}; it must lie between 1 and {MAX_LIMIT}")


Numbered = list[tuple[Row, BoardCursor]]


def _numbered(source: Source, rows: Sequence[Row], above: BoardCursor | None) -> Numbered:
    """The rows with their places, the first of them behind ``above``."""
    numbered: Numbered = []
    last = above
    for number, row in enumerate(rows, (above.rows if above else 0) + 1):
        value = source.value_of(row)
        place = last.place if last is not None and last.value == value else number
        last = BoardCursor(value, row.player_id, place, number)
        numbered.append((row, last))
    return numbered


def _board(source: Source, page: Numbered, *, goes_on: bool) -> Board:
    return Board(
        lines=tuple(Line(mark.place, row, source.tier_of(row)) for row, mark in page),
        begin=page[0][1] if page else None,
        next=page[-1][1] if page and goes_on else None,
        position=source.position,
    )


def size_of(view: View) -> int:
    """How many players are on the board. Raises NoTiersHere."""
    with _at_one_moment():
        return source_of(view).size()


def around(view: View, player_id: UUID, *, neighbours: int = 5) -> Board | None:
    """A player's own line with up to `neighbours` above it and as many below; None: not on it.

    Raises NoTiersHere.
    """
    if not 0 <= neighbours <= MAX_NEIGHBOURS:
        raise ValueError(f"neighbours is {neighbours}; it must lie between 0 and {MAX_NEIGHBOURS}")
    with _at_one_moment():
        source = source_of(view)
        own = source.row_of(player_id)
        if own is None:
            return None
        start = source.value_of(own), player_id
        above = source.rows(start, neighbours, upwards=True)
        rows = [*reversed(above), own, *source.rows(start, neighbours)]
        values = [source.value_of(row) for row in rows]
        places = _places(source, values)
        lines = tuple(
            Line(places[value], row, source.tier_of(row))
            for value, row in zip(values, rows, strict=True)
        )
        return Board(lines=lines, position=source.position)


def _places(source: Source, values: Sequence[Value]) -> dict[Value, int]:
    """The place of each figure in a stretch of the board, given from the top.

    Only two are asked for: players with the first figure may stand above the stretch, those with
    any later one stand in it.
    """
    different = list(dict.fromkeys(values))
    places = source.places(different[:2])
    for better, value in pairwise(different[1:]):
        places[value] = places[better] + values.count(better)
    return places


@contextmanager
def _at_one_moment() -> Iterator[None]:
    """Let every query of the block see the same moment of the database."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
