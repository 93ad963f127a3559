"""A player's place by points, in the same time among a thousand players and a million.

For each board `place_count` holds, level by level, how many players' points begin with each
prefix: points plus `OFFSET` are a number of `LEVELS` digits of `DIGIT_BITS` bits. Those with more
points are, on each level, those that share all earlier digits and have a greater one: at most
2^DIGIT_BITS rows a level, whatever the number of players.
"""
# ruff: noqa: S608 - every text that is put into a statement is one of ours

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.db import connection

DIGIT_BITS: Final = 6
LEVELS: Final = 8
OFFSET: Final = 2 ** (DIGIT_BITS * LEVELS - 1)
"""Points lie between this below zero and this above; no club will ever see as many."""

MOVE: Final = f"""
    INSERT INTO place_count (club_id, season_id, ruleset, level, prefix, players)
    SELECT club_id, season_id, ruleset, level,
           (points + {OFFSET}) >> ({DIGIT_BITS} * ({LEVELS} - level)), sum(moved)
    FROM moved CROSS JOIN generate_series(1, {LEVELS}) AS level
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(moved) <> 0
    ON CONFLICT (club_id, season_id, ruleset, level, prefix)
      DO UPDATE SET players = place_count.players + excluded.players
"""
"""Count in what came to points and count out what left them: `moved` is club_id, season_id,
ruleset, points, and +1 or -1 as `moved`."""

FORGET_EMPTY: Final = "DELETE FROM place_count WHERE players = 0"


def players_above(
    *, club_id: UUID, season_id: UUID, ruleset: str, points: Sequence[int]
) -> dict[int, int]:
    """How many players of a board have more points than each of these, which are all different."""
    levels = [
        (each, level, (each + OFFSET) >> (DIGIT_BITS * (LEVELS - level)))
        for each in points
        for level in range(1, LEVELS + 1)
    ]
    if not levels:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            # Each level is summed up by itself, which is one stretch of the index. As a join it may
            # be read as a whole, and then a place costs in proportion to the club.
            "SELECT own.points, coalesce(sum(above.players), 0)"
            " FROM unnest(%s::bigint[], %s::smallint[], %s::bigint[]) AS own(points, level, prefix)"
            " CROSS JOIN LATERAL (SELECT sum(c.players) AS players FROM place_count c"
            "   WHERE c.club_id = %s AND c.season_id = %s AND c.ruleset = %s"
            "     AND c.level = own.level AND c.prefix > own.prefix"
            f"    AND c.prefix <= own.prefix | {2**DIGIT_BITS - 1}) AS above GROUP BY own.points",
            [*map(list, zip(*levels, strict=True)), club_id, season_id, ruleset],
        )
        return {each: int(players) for each, players in cursor.fetchall()}


def players_on(*, club_id: UUID, season_id: UUID, ruleset: str) -> int:
    """How many players are on a board."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(sum(players), 0) FROM place_count"
            " WHERE club_id = %s AND season_id = %s AND ruleset = %s AND level = 1",
            [club_id, season_id, ruleset],
        )
        return int(cursor.fetchone()[0])
