"""The months of the log: each is a partition of its own, made before its first game begins."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Final
from uuid import UUID

from django.db import connections

from records.errors import MonthMissing
from records.ids import milliseconds_of

MONTHS_AHEAD: Final = 2
SEQUENCER: Final = "sequencer"


def month_of(game_id: UUID) -> date:
    """The first day of the month (UTC) a game's record is kept under."""
    moment = datetime.fromtimestamp(milliseconds_of(game_id) / 1000, tz=UTC)
    return moment.date().replace(day=1)


def partition_of(game_id: UUID) -> str:
    """The name of the partition a game's events are in."""
    return f"event_{month_of(game_id):%Y_%m}"


def create_months(today: date | None = None, *, ahead: int = MONTHS_AHEAD) -> list[date]:
    """Make the partitions of this month and the next ``ahead`` where missing; give those made.

    It acts as the sequencer, who may make months and nothing else of the kind.
    """
    present = today or datetime.now(UTC).date()
    first = present.year * 12 + present.month - 1
    months = [date(number // 12, number % 12 + 1, 1) for number in range(first, first + ahead + 1)]
    made = []
    with connections[SEQUENCER].cursor() as cursor:
        for month in months:
            cursor.execute("SELECT create_month(%s::date)", [month])
            row = cursor.fetchone()
            if row is not None and row[0]:
                made.append(month)
    return made


def insist_on_month(game_id: UUID, *, using: str) -> None:
    """Raise MonthMissing where a game with this id could not be recorded."""
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)", [partition_of(game_id)])
        row = cursor.fetchone()
    if row is None or row[0] is None:
        raise MonthMissing(f"{month_of(game_id):%Y-%m}")
