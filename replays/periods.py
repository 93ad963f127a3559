"""Spans of time a club means by days and months, and what was known at a moment."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import msgspec
from django.db import connection

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
NEVER_MS: Final = 2**62
"""Later than anything that was played."""


class Period(msgspec.Struct, frozen=True, kw_only=True):
    """From `from_ms` on and before `to_ms`, by the time at the table, in ms since 1970 UTC."""

    from_ms: int = -NEVER_MS
    to_ms: int = NEVER_MS

    def up_to(self, as_of: datetime | None) -> Period:
        """The part of it that had been played by a moment, the moment itself included."""
        if as_of is None:
            return self
        return Period(from_ms=self.from_ms, to_ms=min(self.to_ms, to_ms(as_of) + 1))


def to_ms(moment: datetime) -> int:
    """A moment as whole milliseconds since 1970 UTC."""
    return (moment - EPOCH) // timedelta(milliseconds=1)


def days(time_zone: str, *, first: date | None, last: date | None) -> Period:
    """The days from `first` to `last`, both included, as they begin and end in a time zone."""
    zone = ZoneInfo(time_zone)
    end = None if last is None or last == date.max else last + timedelta(days=1)
    return Period(
        from_ms=-NEVER_MS if first is None else _midnight_ms(first, zone),
        to_ms=NEVER_MS if end is None else _midnight_ms(end, zone),
    )


def month(time_zone: str, *, year: int, number: int) -> Period:
    """A calendar month in a time zone."""
    first = date(year, number, 1)
    last = (first.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    return days(time_zone, first=first, last=last)


def _midnight_ms(day: date, zone: ZoneInfo) -> int:
    return to_ms(datetime.combine(day, time(), tzinfo=zone))


def position_known_at(known_at: datetime | None) -> int:
    """The last settlement booked by a moment (None: by now), 0 when there was none.

    Positions have no gaps and `settled_at` grows with them, so it is found by halving.
    """
    with connection.cursor() as cursor:
        if known_at is None:
            cursor.execute("SELECT coalesce(max(position), 0) FROM settlement")
        else:
            cursor.execute(_HALVING, [known_at])
        return int(cursor.fetchone()[0])


_HALVING: Final = """
    WITH RECURSIVE halves (low, high) AS (
      SELECT 0::bigint, coalesce(max(position), 0) FROM settlement
      UNION ALL
      SELECT CASE WHEN found.known THEN middle ELSE low END,
             CASE WHEN found.known THEN high ELSE middle - 1 END
      FROM halves
      CROSS JOIN LATERAL (SELECT (low + high + 1) / 2 AS middle) AS half
      CROSS JOIN LATERAL (
        SELECT settled_at <= %s AS known FROM settlement WHERE position = middle
      ) AS found
      WHERE low < high
    )
    SELECT low FROM halves WHERE low = high
"""
