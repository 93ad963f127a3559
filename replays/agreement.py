"""Whether the boards say what the ledger says: each person's points, and each club's sum."""

from __future__ import annotations

from typing import Final
from uuid import UUID

import msgspec
from django.db import connection, transaction

from replays.models import ALL_RULESETS, ALL_TIME


class Disagreement(msgspec.Struct, frozen=True, kw_only=True):
    """A person whose points on the club's board are not what the ledger paid."""

    club_id: UUID
    person: UUID
    standing: int
    paid: int


def disagreements(limit: int = 20) -> list[Disagreement]:
    """The first few persons of whom boards and ledger disagree; none when all is well.

    Compares what the boards have taken in so far, at one moment of the database. That the points of
    a club's persons are minus those of its pot follows, since every payment has two sides.
    """
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute(
            _DISAGREE, {"all_time": ALL_TIME, "all_rulesets": ALL_RULESETS, "limit": limit}
        )
        return [
            Disagreement(club_id=club, person=person, standing=int(standing), paid=int(paid))
            for club, person, standing, paid in cursor.fetchall()
        ]


_DISAGREE: Final = """
    WITH taken_in AS (SELECT coalesce(max(position), 0) AS position FROM projection_cursor),
    paid AS (
      SELECT side.club_id, coalesce(merged.person_id, side.account) AS person,
             sum(side.points) AS points
      FROM (
        SELECT club_id, payee AS account, points, position FROM transfer
        UNION ALL SELECT club_id, payer, -points, position FROM transfer
      ) AS side
      LEFT JOIN counted_person merged ON merged.player_id = side.account
      WHERE side.position <= (SELECT position FROM taken_in) AND side.account <> side.club_id
      GROUP BY 1, 2
    ), standing AS (
      SELECT club_id, player_id AS person, points FROM public.standing
      WHERE season_id = %(all_time)s AND ruleset = %(all_rulesets)s
    )
    SELECT club_id, person, coalesce(standing.points, 0), coalesce(paid.points, 0)
    FROM paid FULL JOIN standing USING (club_id, person)
    WHERE coalesce(standing.points, 0) <> coalesce(paid.points, 0)
    ORDER BY club_id, person LIMIT %(limit)s
"""
