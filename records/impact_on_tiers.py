"""Who would stand on another rung of a club's ladder, had the hands that differ been scored so.

The ladder is the one in force, climbed anew over the results in force, before and after. Of a
ladder climbed season by season, the season at present is the one that is looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from uuid import UUID

import msgspec
from django.db import connection

from records.impact import GameImpact
from records.ladders import ladder_of
from records.merges import person_of
from records.models import Club
from records.seasons import season_at, span_ms
from rules_engine.ladders import Ladder, Rung, Tier, climb


class TierChange(msgspec.Struct, frozen=True, kw_only=True):
    """A person who would stand on another rung of a club's ladder; ``ruleset`` empty for all."""

    club_id: UUID
    ruleset: str
    player_id: UUID
    score_before: int
    score_after: int
    before: Tier
    after: Tier


Gained = Mapping[tuple[UUID, int, UUID], int]
"""What a game and hand would have given a player more, in units of the stake."""


def tier_changes(games: Iterable[GameImpact], slug: str) -> list[TierChange]:
    """The persons who would stand on another rung: in the ladder of the ruleset, and of all."""
    clubs: defaultdict[UUID, dict[tuple[UUID, int, UUID], int]] = defaultdict(dict)
    for game in games:
        for hand in game.changes:
            for player, before, after in zip(
                hand.players, hand.points_before, hand.points_after, strict=True
            ):
                clubs[game.club_id][hand.game_id, hand.hand, player] = after - before
    return [
        change
        for club_id in sorted(clubs)
        for ruleset in ("", slug)
        for change in _changes_in(club_id, ruleset, clubs[club_id])
    ]


def _changes_in(club_id: UUID, ruleset: str, gained: Gained) -> Iterable[TierChange]:
    ladder = ladder_of(club_id)
    for person, way in sorted(_ways(club_id, ruleset, ladder, gained).items()):
        before, after = way.rung(ladder, way.before), way.rung(ladder, way.after)
        if before.tier != after.tier:
            yield TierChange(
                club_id=club_id,
                ruleset=ruleset,
                player_id=person,
                score_before=before.score,
                score_after=after.score,
                before=ladder.numbered(before.tier),
                after=ladder.numbered(after.tier),
            )


class _Way(msgspec.Struct):
    """A person's results in the order of play, as they are and as they would be."""

    ladder_start: int
    before: list[int] = []
    after: list[int] = []

    def rung(self, ladder: Ladder, points: list[int]) -> Rung:
        """Where these points lead."""
        return climb(points, ladder=ladder, ladder_start=self.ladder_start).rung


_RESULTS = """
    SELECT game_id, hand, entry, ladder_start, player, seat.points
    FROM (SELECT DISTINCT ON (game_id, hand, entry) *
          FROM settlement WHERE club_id = %(club)s AND (%(ruleset)s = '' OR ruleset = %(ruleset)s)
            AND (%(from)s::bigint IS NULL OR started_at_ms >= %(from)s)
            AND (%(before)s::bigint IS NULL OR started_at_ms < %(before)s)
          ORDER BY game_id, hand, entry, revision DESC) AS standing,
         unnest(standing.players, standing.points) AS seat(player, points)
    WHERE result NOT IN ('abandoned', 'voided') AND player <> club_id
    ORDER BY ended_at_ms, game_id, hand, entry
"""


def _ways(club_id: UUID, ruleset: str, ladder: Ladder, gained: Gained) -> dict[UUID, _Way]:
    """The way of every person with a result that counts on the ladder."""
    season = None
    if ladder.scope == "season":
        club = Club.objects.get(pk=club_id)
        season = season_at(club)
        if season is None:
            return {}
    first_ms, before_ms = span_ms(season, club.time_zone) if season else (None, None)
    persons = person_of(club_id)
    ways: dict[UUID, _Way] = {}
    with connection.cursor() as cursor:
        bounds = {"from": first_ms, "before": before_ms}
        cursor.execute(_RESULTS, {"club": club_id, "ruleset": ruleset, **bounds})
        for game_id, hand, entry, ladder_start, player, points in cursor:
            way = ways.setdefault(persons.get(player, player), _Way(ladder_start))
            way.before.append(points)
            more = 0 if entry else gained.get((game_id, hand, player), 0)
            way.after.append(points + more)
    return ways
