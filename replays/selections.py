"""Which results a player's figures are made from: whose, of which games, and as known when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec

from records.merges import person_of
from records.models import Club, Season
from records.seasons import span_ms
from replays.periods import NEVER_MS, position_known_at, to_ms

COUNTS: Final = """
    r.position <= %(known)s AND (r.until_position IS NULL OR r.until_position > %(known)s)
    AND r.started_at_ms >= %(from)s AND r.started_at_ms < %(before)s
    AND (r.entry > 0 OR %(closed)s::bigint IS NULL OR r.first_position <= %(closed)s)
    AND r.played_at_ms <= %(as_of)s AND (%(ruleset)s = '' OR r.ruleset = %(ruleset)s)
"""
"""The condition on a `result` r; its parameters are `Selection.parameters`."""


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """The results that count, by the same rules as on a board.

    ``records`` are the person's own and those merged into it; ``persons`` says of all others of the
    club for whom they count. An empty ``ruleset`` is all together. ``from_ms``, ``before_ms``: when
    the game began; ``closed_position``: what was first settled after it does not count.
    """

    club_id: UUID
    person: UUID | None
    records: tuple[UUID, ...]
    persons: Mapping[UUID, UUID]
    ruleset: str
    from_ms: int
    before_ms: int
    closed_position: int | None
    as_of_ms: int
    known_position: int

    @property
    def parameters(self) -> dict[str, Any]:
        """What the SQL of `COUNTS` asks for, with the club and the records."""
        return {
            "club": self.club_id,
            "records": list(self.records),
            "ruleset": self.ruleset,
            "from": self.from_ms,
            "before": self.before_ms,
            "closed": self.closed_position,
            "as_of": self.as_of_ms,
            "known": self.known_position,
        }


def select(
    club: Club,
    *,
    player: UUID | None = None,
    season: Season | None = None,
    ruleset: str = "",
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> Selection:
    """The results of a person (named by any record of it), or of the whole club."""
    persons = person_of(club.pk, known_at)
    person = None if player is None else persons.get(player, player)
    absorbed = sorted(record for record, into in persons.items() if into == person)
    from_ms, before_ms = (
        (-NEVER_MS, NEVER_MS) if season is None else span_ms(season, club.time_zone)
    )
    return Selection(
        club_id=club.pk,
        person=person,
        records=() if person is None else (person, *absorbed),
        persons=persons,
        ruleset=ruleset,
        from_ms=from_ms,
        before_ms=before_ms,
        closed_position=None if season is None else season.closed_position,
        as_of_ms=NEVER_MS if as_of is None else to_ms(as_of),
        known_position=position_known_at(known_at),
    )
