"""Where three orders stand together: milestones of games, sealed hands, settlements.

Each runs from 1 without gaps, and nothing appears behind a cursor. So three numbers say exactly
what somebody who follows clubs has been told.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from records.models import Milestone


class Place(NamedTuple):
    """The last milestone, seal and settlement told."""

    milestone: int = 0
    seal: int = 0
    settlement: int = 0


class EndedHand(NamedTuple):
    """A hand that ended: its seal's position, and the event that ended it."""

    position: int
    game_id: UUID
    club_id: UUID
    hand: int
    seq: int
    ended_at_ms: int
    sealed_at_ms: int


# From the end backwards to the first that is old enough: no further than the delay reaches.
_NOW: Final = """
    SELECT
      coalesce((SELECT position FROM milestone WHERE placed_at <= old.enough
                ORDER BY position DESC LIMIT 1), 0),
      coalesce((SELECT position FROM journal WHERE sealed_at <= old.enough
                ORDER BY position DESC LIMIT 1), 0),
      coalesce((SELECT position FROM settlement WHERE settled_at <= old.enough
                ORDER BY position DESC LIMIT 1), 0)
    FROM (SELECT now() - make_interval(secs => %s) AS enough) AS old
"""
# From the cursor forwards to the first that is too young; without a delay none is.
_LATER: Final = """
    SELECT
      coalesce((SELECT position - 1 FROM milestone
                WHERE position > told.milestone AND placed_at > old.enough
                ORDER BY position LIMIT 1),
               greatest(told.milestone, (SELECT max(position) FROM milestone))),
      coalesce((SELECT position - 1 FROM journal
                WHERE position > told.seal AND sealed_at > old.enough
                ORDER BY position LIMIT 1),
               greatest(told.seal, (SELECT max(position) FROM journal))),
      coalesce((SELECT position - 1 FROM settlement
                WHERE position > told.settlement AND settled_at > old.enough
                ORDER BY position LIMIT 1),
               greatest(told.settlement, (SELECT max(position) FROM settlement)))
    FROM (SELECT CASE WHEN %s > 0 THEN now() - make_interval(secs => %s)
                      ELSE 'infinity'::timestamptz END AS enough) AS old,
         (SELECT %s::bigint AS milestone, %s::bigint AS seal, %s::bigint AS settlement) AS told
"""
_HANDS: Final = """
    SELECT j.position, j.game_id, g.club_id, j.hand, j.seq, e.occurred_at_ms,
           floor(extract(epoch FROM j.sealed_at) * 1000)::bigint
    FROM journal j
    JOIN game g ON g.id = j.game_id
    JOIN event e ON e.game_id = j.game_id AND e.seq = j.seq
    WHERE j.position > %s AND j.position <= %s AND g.club_id = ANY(%s)
      AND e.type IN ('hand_ended', 'hand_result')
    ORDER BY j.position LIMIT %s
"""


def place_now(*, delay_s: int = 0) -> Place:
    """Where the orders stand, without what is younger than the delay."""
    return _place(_NOW, [delay_s])


def place_after(place: Place, *, delay_s: int) -> Place:
    """The same for somebody who stands at this place: never before it."""
    return _place(_LATER, [delay_s, delay_s, *place])


def _place(statement: str, parameters: list[int]) -> Place:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        row = cursor.fetchone()
    assert row is not None
    return Place(*row)


def milestones_in(clubs: Collection[UUID], *, after: int, upto: int, limit: int) -> list[Milestone]:
    """The next milestones of these clubs behind ``after`` and up to ``upto``, in order."""
    rows = Milestone.objects.filter(club_id__in=clubs, position__gt=after, position__lte=upto)
    return list(rows.order_by("position")[:limit])


def ended_again(end: Milestone) -> bool:
    """Whether this end of a game was taken back and the game has ended since."""
    later = Milestone.objects.filter(club_id=end.club_id, position__gt=end.position)
    return later.filter(game_id=end.game_id).exists()


def ended_hands_in(
    clubs: Collection[UUID], *, after: int, upto: int, limit: int
) -> list[EndedHand]:
    """The next hands of these clubs that ended, by the positions of their seals, in order."""
    with connection.cursor() as cursor:
        cursor.execute(_HANDS, [after, upto, list(clubs), limit])
        return [EndedHand(*row) for row in cursor.fetchall()]
