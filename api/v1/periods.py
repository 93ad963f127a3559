"""The queries that ask for a span of time, and for what was known at a moment."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

import msgspec

from api.errors import Problem
from api.operation import Struct
from records.models import Club
from replays import periods
from replays.periods import Period

Moment = Annotated[
    datetime, msgspec.Meta(tz=True, description="A moment with its offset: 2026-11-30T20:00:00Z.")
]
Month = Annotated[
    str,
    msgspec.Meta(
        pattern="^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$",
        description="A calendar month in the club's time zone, such as 2026-11.",
    ),
]


class ClockQuery(Struct, frozen=True):
    """Two clocks: `as_of`, games played up to; `known_at`, corrections known up to."""

    as_of: Moment | None = None
    known_at: Moment | None = None


class PeriodQuery(ClockQuery, frozen=True):
    """Days in the club's time zone, both included, or a month instead; without any, ever."""

    from_: Annotated[date, msgspec.Meta(description="The first day.")] | None = msgspec.field(
        default=None, name="from"
    )
    to: Annotated[date, msgspec.Meta(description="The last day.")] | None = None
    month: Month | None = None


def period_of(query: PeriodQuery, club: Club) -> Period:
    """The span a query means, as far as it had been played by `as_of`. Raises Problem."""
    if query.month is not None:
        if query.from_ is not None or query.to is not None:
            raise Problem("invalid_input", "Give either a month or days from and to, not both.")
        year, number = map(int, query.month.split("-"))
        return periods.month(club.time_zone, year=year, number=number).up_to(query.as_of)
    if query.from_ is not None and query.to is not None and query.to < query.from_:
        raise Problem(
            "invalid_input",
            "The period ends before it begins.",
            facts={"from": query.from_.isoformat(), "to": query.to.isoformat()},
        )
    return periods.days(club.time_zone, first=query.from_, last=query.to).up_to(query.as_of)


def label_of(query: PeriodQuery) -> str:
    """The span as the part of a file's name."""
    if query.month is not None:
        return query.month
    parts = [day.isoformat() if day else "" for day in (query.from_, query.to)]
    return "_".join(parts).strip("_") or "all"
