"""Making everything anew beside what there is, comparing, and mending what differs.

The new rows are made in temporary tables of the same names, which a session sees before the public
ones: so the code that makes them is the very code that keeps the live ones. Meanwhile games are
recorded, settled and taken in as ever. Only for the comparison nobody else may take in: it waits
for the lock, brings both up to the same settlement, and from there on sees one moment of the
database. Tables of one session need a connection of their own to the server: not one that a pooler
hands round by transaction.
"""
# ruff: noqa: S608 - the names of tables and columns are those of our models

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connection, models, transaction

from records.drain import hold_lock
from replays.definitions import freshen
from replays.models import (
    CountedClub,
    CountedPerson,
    CountedSeason,
    PlaceCount,
    ProjectionCursor,
    Result,
    Standing,
    TierChange,
)
from replays.projections import LOCK, advance_batch
from replays.ratings_projection import MODELS as OF_RATINGS
from replays.ratings_projection import advance_ratings

OF_CLUBS: Final[tuple[type[models.Model], ...]] = (
    *(CountedClub, CountedSeason, CountedPerson, Result, Standing, PlaceCount, TierChange),
    *(model for model in OF_RATINGS if "club_id" in {f.name for f in model._meta.fields}),
)
CURSORS: Final[tuple[type[models.Model], ...]] = (
    ProjectionCursor,
    *(model for model in OF_RATINGS if model not in OF_CLUBS),
)
EXAMPLES: Final = 3

Progress = Callable[[int, int], None]
"""Told how far the ledger has been read, and how far there is to read."""


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A table that is not what the ledger makes of it.

    `wrong`: how many of its rows the ledger does not give, `missing`: how many it gives besides; a
    row with one wrong value is one of either. The examples are whole rows.
    """

    table: str
    wrong: int
    missing: int
    wrong_examples: tuple[dict[str, Any], ...]
    missing_examples: tuple[dict[str, Any], ...]


class Rebuilt(msgspec.Struct, frozen=True, kw_only=True):
    """How far the ledger was read, how many rows were compared, and what differs."""

    position: int
    rows: int
    differences: tuple[Difference, ...]


def rebuild(
    *,
    mend: bool = True,
    club_id: UUID | None = None,
    batch: int = 2_000,
    progress: Progress = lambda done, total: None,
) -> Rebuilt:
    """Make everything anew, compare and put what differs right, unless `mend` is False.

    With `club_id` for one club alone. Must not be called inside a transaction.
    """
    with _shadows():
        _make_anew(club_id, batch, progress)
        with hold_lock(LOCK), transaction.atomic(durable=True):
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            # The live tables first, which the temporary ones would hide.
            with _public_first():
                _advance_fully(batch)
            _advance_fully(batch, club_id)
            return _compare_all(club_id, mend=mend)


@contextmanager
def _shadows() -> Iterator[None]:
    tables = [model._meta.db_table for model in (*OF_CLUBS, *CURSORS)]
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"CREATE TEMP TABLE {table} (LIKE public.{table} INCLUDING ALL)")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            for table in tables:
                cursor.execute(f"DROP TABLE pg_temp.{table}")


@contextmanager
def _public_first() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL search_path = public, pg_temp")
        yield
        cursor.execute("SET LOCAL search_path = pg_temp, public")


def _make_anew(club_id: UUID | None, batch: int, progress: Progress) -> None:
    """Read the ledger as far as the live tables have, in transactions of a batch each."""
    done, analyzed = 0, 0
    while True:
        total = _position("public")
        with transaction.atomic(durable=True):
            count = advance_batch(batch, club_id=club_id, upto=total)
        if count == 0:
            break
        done += count
        progress(_position("pg_temp"), total)
        if done >= 2 * analyzed:
            # Nothing else gathers statistics of temporary tables.
            with connection.cursor() as cursor:
                for model in OF_CLUBS:
                    cursor.execute(f"ANALYZE pg_temp.{model._meta.db_table}")
            analyzed = done
    progress(total, total)


def _advance_fully(batch: int, club_id: UUID | None = None) -> None:
    while advance_batch(batch, club_id=club_id):
        pass
    freshen(None if club_id is None else [club_id])
    while advance_ratings():
        pass


def _position(schema: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT coalesce(max(position), 0) FROM {schema}.projection_cursor")
        return int(cursor.fetchone()[0])


def _compare_all(club_id: UUID | None, *, mend: bool) -> Rebuilt:
    compared = OF_CLUBS if club_id is not None else (*OF_CLUBS, *CURSORS)
    differences = [_compare(model, club_id) for model in compared]
    with connection.cursor() as cursor:
        rows = 0
        for model in compared:
            cursor.execute(f"SELECT count(*) FROM pg_temp.{model._meta.db_table}")
            rows += cursor.fetchone()[0]
    found = tuple(each for each in differences if each is not None)
    if mend:
        for model in compared:
            if model._meta.db_table in {each.table for each in found}:
                _mend(model, club_id)
    return Rebuilt(position=_position("public"), rows=rows, differences=found)


def _compare(model: type[models.Model], club_id: UUID | None) -> Difference | None:
    columns = _columns(model)
    found: list[tuple[int, tuple[dict[str, Any], ...]]] = []
    for less in (_wrong(model, club_id), _missing(model, club_id)):
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT count(*) OVER (), d.* FROM ({less}) AS d LIMIT {EXAMPLES}",
                {"club": club_id},
            )
            rows = cursor.fetchall()
        examples = tuple(dict(zip(columns, row[1:], strict=True)) for row in rows)
        found.append((rows[0][0] if rows else 0, examples))
    (wrong, wrong_examples), (missing, missing_examples) = found
    if wrong == missing == 0:
        return None
    return Difference(
        table=model._meta.db_table,
        wrong=wrong,
        missing=missing,
        wrong_examples=wrong_examples,
        missing_examples=missing_examples,
    )


def _mend(model: type[models.Model], club_id: UUID | None) -> None:
    table, columns = model._meta.db_table, ", ".join(_columns(model))
    key = " AND ".join(f"live.{column} = d.{column}" for column in _key(model))
    facts = {"club": club_id}
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM public.{table} AS live USING ({_wrong(model, club_id)}) AS d WHERE {key}",
            facts,
        )
        cursor.execute(f"INSERT INTO public.{table} ({columns}) {_missing(model, club_id)}", facts)


def _wrong(model: type[models.Model], club_id: UUID | None) -> str:
    return f"{_rows(model, 'public', club_id)} EXCEPT {_rows(model, 'pg_temp', club_id)}"


def _missing(model: type[models.Model], club_id: UUID | None) -> str:
    return f"{_rows(model, 'pg_temp', club_id)} EXCEPT {_rows(model, 'public', club_id)}"


def _rows(model: type[models.Model], schema: str, club_id: UUID | None) -> str:
    where = "" if club_id is None else " WHERE club_id = %(club)s"
    return f"SELECT {', '.join(_columns(model))} FROM {schema}.{model._meta.db_table}{where}"


def _columns(model: type[models.Model]) -> Sequence[str]:
    """The columns that are written; the database makes the others from them."""
    return [
        field.column
        for field in model._meta.concrete_fields
        if field.column is not None and not field.generated
    ]


def _key(model: type[models.Model]) -> Sequence[str]:
    return [field.column for field in model._meta.pk_fields if field.column is not None]
