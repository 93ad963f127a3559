"""What goes: how an operation says that it will, as ``/docs/versions/`` promises."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final

import msgspec
from django.utils.http import http_date

NOTICE: Final = timedelta(days=365)
"""The least time between the day something is deprecated and the day it ends."""
POLICY: Final = '</docs/versions/>; rel="deprecation"'


class Deprecation(msgspec.Struct, frozen=True, kw_only=True):
    """An operation is deprecated ``since`` a day and ends on the day of its ``sunset``, in UTC.

    ``instead`` says in a sentence what to use.
    """

    since: date
    sunset: date
    instead: str

    def __post_init__(self) -> None:
        assert self.sunset - self.since >= NOTICE, "a year's notice is promised"

    @property
    def headers(self) -> dict[str, str]:
        """``Deprecation`` (RFC 9745), ``Sunset`` (RFC 8594), and a link to the promise."""
        return {
            "Deprecation": f"@{int(_midnight(self.since).timestamp())}",
            "Sunset": http_date(_midnight(self.sunset).timestamp()),
            "Link": POLICY,
        }

    def is_over(self, now: datetime) -> bool:
        """Whether it has ended."""
        return now >= _midnight(self.sunset)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
