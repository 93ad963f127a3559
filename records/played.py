"""Games in the order in which they were played, and how each stands: what lists of games show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connections

from records.reader import READER
from records.rulings import RULINGS

# Each club's part is read off the index `game_by_beginning`, so that a page costs the same however
# much was played (`test_a_page_of_games_asks_as_many_questions_however_much_was_played`).
_BEGUN: Final = """
    SELECT begun.game_id, game.club_id, game.title, begun.occurred_at_ms,
           begun.public ->> 'ruleset', (begun.public -> 'ruleset_version')::int,
           begun.public -> 'players'
    FROM unnest(%(clubs)s::uuid[]) AS club (id)
    CROSS JOIN LATERAL (
      SELECT m.game_id, m.occurred_at_ms, event.public FROM milestone m
      JOIN event ON event.game_id = m.game_id AND event.seq = 1
      WHERE m.club_id = club.id AND m.seq = 1
        AND (%(edge)s::uuid IS NULL OR (m.occurred_at_ms, m.game_id) {beyond} (
          (SELECT occurred_at_ms FROM event WHERE game_id = %(edge)s AND seq = 1), %(edge)s))
        AND (%(ruleset)s::text IS NULL OR event.public ->> 'ruleset' = %(ruleset)s)
      ORDER BY m.occurred_at_ms {order}, m.game_id {order} LIMIT %(limit)s
    ) AS begun
    JOIN game ON game.id = begun.game_id
    ORDER BY begun.occurred_at_ms {order}, begun.game_id {order} LIMIT %(limit)s
"""
_OLDER: Final = _BEGUN.format(beyond="<", order="DESC")
_NEWER: Final = _BEGUN.format(beyond=">", order="ASC")
_NAMED: Final = """
    SELECT game.id, game.club_id, game.title, event.occurred_at_ms,
           event.public ->> 'ruleset', (event.public -> 'ruleset_version')::int,
           event.public -> 'players'
    FROM event JOIN game ON game.id = event.game_id WHERE event.seq = 1 AND game.id = ANY(%s)
"""
# A ruling may come after the end; a rewind that takes the end back is the last event then.
_STANDING: Final = """
    SELECT asked.game_id, last.type, last.recorded_at,
           (SELECT count(*) FROM settlement WHERE game_id = asked.game_id AND entry = 0
              AND revision = 1 AND seq <= asked.seq)
    FROM unnest(%s::uuid[], %s::int[]) AS asked (game_id, seq)
    CROSS JOIN LATERAL (
      SELECT type, recorded_at FROM event
      WHERE game_id = asked.game_id AND seq <= asked.seq AND type <> ALL(%s)
      ORDER BY event.seq DESC LIMIT 1
    ) AS last
"""
_POINTS: Final = """
    SELECT game_id, account, sum(gained)::bigint
    FROM (
      SELECT DISTINCT ON (s.game_id, s.hand, s.entry) s.game_id, s.players, s.points
      FROM settlement s
      JOIN unnest(%s::uuid[], %s::int[]) AS asked (game_id, seq)
        ON s.game_id = asked.game_id AND s.seq <= asked.seq
      ORDER BY s.game_id, s.hand, s.entry, s.revision DESC
    ) AS standing
    CROSS JOIN LATERAL unnest(players, points) AS each (account, gained)
    GROUP BY game_id, account
"""


class Begun(msgspec.Struct, frozen=True):
    """A game as a list shows it; ``players`` are those of its first hand, by seat.

    ``began_at_ms`` is when it began at the table, whenever it was recorded.
    """

    id: UUID
    club: UUID
    title: str
    began_at_ms: int
    ruleset: str
    ruleset_version: int
    players: tuple[str, ...]


class Standing(msgspec.Struct, frozen=True):
    """How a game stood after some event of it: hands settled, points by account, the club's too.

    ``recorded_at`` is when the last event was recorded that was no ruling.
    """

    ended: bool
    recorded_at: datetime
    hands: int
    points: Mapping[UUID, int]


def games_begun(
    clubs: Sequence[UUID],
    *,
    limit: int,
    ruleset: str | None = None,
    before: UUID | None = None,
    after: UUID | None = None,
) -> list[Begun]:
    """The games of these clubs that began last, the newest first.

    ``before`` a game: those that began earlier than it. ``after``: the next ones that began later.
    """
    values = {
        "clubs": list(clubs),
        "edge": after or before,
        "ruleset": ruleset,
        "limit": limit,
    }
    with connections[READER].cursor() as cursor:
        cursor.execute(_NEWER if after else _OLDER, values)
        found = [_begun(row) for row in cursor.fetchall()]
    return found[::-1] if after else found


def games_named(game_ids: Collection[UUID]) -> dict[UUID, Begun]:
    """These games as a list shows them, by id."""
    with connections[READER].cursor() as cursor:
        cursor.execute(_NAMED, [list(game_ids)])
        games = [_begun(row) for row in cursor.fetchall()]
    return {game.id: game for game in games}


def standings_of(known: Mapping[UUID, int]) -> dict[UUID, Standing]:
    """How each of these games stood after the event of this seq."""
    games, seqs = list(known), list(known.values())
    points: defaultdict[UUID, dict[UUID, int]] = defaultdict(dict)
    with connections[READER].cursor() as cursor:
        cursor.execute(_POINTS, [games, seqs])
        for game_id, account, gained in cursor.fetchall():
            points[game_id][account] = gained
        cursor.execute(_STANDING, [games, seqs, sorted(RULINGS)])
        rows = cursor.fetchall()
    return {
        game_id: Standing(kind == "game_ended", recorded_at, hands, points[game_id])
        for game_id, kind, recorded_at, hands in rows
    }


def _begun(row: tuple[Any, ...]) -> Begun:
    # Django hands jsonb over as text.
    values = dict(zip(Begun.__struct_fields__, row, strict=True))
    return Begun(**{**values, "players": tuple(msgspec.json.decode(values["players"]))})
