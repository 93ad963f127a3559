"""A player's way up and down the ladder, and who would stand where on another ladder.

Both climb anew over the results that count, so they answer for any moment and any ladder. What the
database keeps for the boards (`TierChange`) is the same for the present one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from django.db import connection

from records.ladders import ladder_of
from records.models import Club, Season
from records.seasons import season_at
from replays.selections import COUNTS, select
from rules_engine.ladders import Ladder, Rung, Tier, begin, climb

PLAY: Final = "r.ended_at_ms, r.game_id, r.hand, r.entry"


class TierStep(msgspec.Struct, frozen=True, kw_only=True):
    """A step and the result that caused it: a hand, or the entry beside it with that seq."""

    from_tier: Tier
    to_tier: Tier
    score: int
    game_id: UUID
    hand: int
    entry: int
    ended_at_ms: int


class TierHistory(msgspec.Struct, frozen=True, kw_only=True):
    """Where a player stands on the ladder, None before the first result, and every step there.

    `season` is the one whose points count, where a ladder is climbed season by season.
    """

    ladder: Ladder
    season: Season | None
    rung: Rung | None
    steps: tuple[TierStep, ...]


class Mover(msgspec.Struct, frozen=True, kw_only=True):
    """A person whose tier would have another number; None: no result counts on that ladder."""

    person_id: UUID
    before: Rung | None
    after: Rung | None


class LadderPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What a ladder would change: who would move, the highest first, and how many stand where.

    The counts are of people, by tier from the lowest.
    """

    old: Ladder
    players_before: tuple[int, ...]
    players_after: tuple[int, ...]
    movers: tuple[Mover, ...]


_RESULTS_OF_PERSON: Final = f"""
    SELECT {PLAY}, sum(r.points)::bigint, min(r.ladder_start) FROM result r
    WHERE r.club_id = %(club)s AND r.player_id = ANY(%(records)s) AND {COUNTS}
    GROUP BY {PLAY} ORDER BY {PLAY}
"""  # noqa: S608 - fragments of our own


def tier_history(
    club: Club,
    player_id: UUID,
    *,
    season: Season | None = None,
    ruleset: str = "",
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> TierHistory:
    """A person's steps in the order of play, on the ladder that was in force at `known_at`.

    Of a ladder climbed season by season, those of `season`, else of the one at `as_of` or now.
    """
    ladder = ladder_of(club.pk, known_at)
    counted = None
    if ladder.scope == "season":
        counted = season or season_at(club, as_of)
        if counted is None:
            return TierHistory(ladder=ladder, season=None, rung=None, steps=())
    selection = select(
        club, player=player_id, season=counted, ruleset=ruleset, as_of=as_of, known_at=known_at
    )
    with connection.cursor() as cursor:
        cursor.execute(_RESULTS_OF_PERSON, selection.parameters)
        rows = cursor.fetchall()
    if not rows:
        return TierHistory(ladder=ladder, season=counted, rung=None, steps=())
    climbed = climb([row[4] for row in rows], ladder=ladder, ladder_start=rows[0][5])
    return TierHistory(
        ladder=ladder,
        season=counted,
        rung=climbed.rung,
        steps=tuple(
            TierStep(
                from_tier=ladder.numbered(step.from_tier),
                to_tier=ladder.numbered(step.to_tier),
                score=step.score,
                ended_at_ms=rows[step.place][0],
                game_id=rows[step.place][1],
                hand=rows[step.place][2],
                entry=rows[step.place][3],
            )
            for step in climbed.steps
        ),
    )


# Without demotion the tier is that of the highest score on the way.
_HEIGHTS: Final = f"""
    WITH played AS (
      SELECT r.person_id, r.ladder_start, r.points, {PLAY},
             sum(r.points) OVER (PARTITION BY r.person_id ORDER BY {PLAY}) AS gained
      FROM result r WHERE r.club_id = %(club)s AND {COUNTS}
    )
    SELECT person_id, (array_agg(ladder_start ORDER BY {PLAY}))[1], sum(points)::bigint,
           max(gained)::bigint
    FROM played r GROUP BY person_id
"""  # noqa: S608 - fragments of our own


def preview_ladder(club: Club, new: Ladder, *, ruleset: str = "") -> LadderPreview:
    """Who would stand where on a ladder, of everybody with a result that counts on it today."""
    old = ladder_of(club.pk)
    before, after = (_rungs(club, ladder, ruleset) for ladder in (old, new))
    movers = [
        Mover(person_id=person, before=before.get(person), after=after.get(person))
        for person in before.keys() | after.keys()
        if _number(before.get(person)) != _number(after.get(person))
    ]
    return LadderPreview(
        old=old,
        players_before=_players_by_tier(old, before.values()),
        players_after=_players_by_tier(new, after.values()),
        movers=tuple(sorted(movers, key=order_of)),
    )


def order_of(mover: Mover) -> tuple[int, int, UUID]:
    """The highest that somebody would come to first, equals by their ids."""
    if mover.after is None:
        return 0, 0, mover.person_id
    return -mover.after.tier, -mover.after.score, mover.person_id


def _number(rung: Rung | None) -> int | None:
    return None if rung is None else rung.tier


def _players_by_tier(ladder: Ladder, rungs: Iterable[Rung]) -> tuple[int, ...]:
    counts = Counter(rung.tier for rung in rungs)
    return tuple(counts[tier.tier] for tier in ladder.tiers)


def _rungs(club: Club, ladder: Ladder, ruleset: str) -> dict[UUID, Rung]:
    season = season_at(club) if ladder.scope == "season" else None
    if ladder.scope == "season" and season is None:
        return {}
    selection = select(club, season=season, ruleset=ruleset)
    with connection.cursor() as cursor:
        cursor.execute(_HEIGHTS, selection.parameters)
        rows = cursor.fetchall()
    rungs = {}
    for person, ladder_start, gained, highest in rows:
        start = begin(ladder, ladder_start).score
        decisive = gained if ladder.demotion else max(0, highest)
        rungs[person] = Rung(start + gained, ladder.tier_of(start + decisive).tier)
    return rungs
