"""Counting results into standings, places and steps of the ladder, all in the database.

Every count starts from a *change*: results that came into force (sign 1) and results that went out
of it (sign -1). A batch of settlements is such a change; so is everything that counts for a season
or a person whose counts were thrown away because a definition changed. So there is one way of
counting, and hand by hand or all at once come to the same.

A result counts on up to four boards: for all time and in its season, each in its ruleset and in all
rulesets together.
"""
# ruff: noqa: S608 - every text that is put into a statement is one of ours

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.db import connection

from replays.models import ALL_TIME
from replays.places import FORGET_EMPTY, MOVE

COUNTS_IN: Final = """
    s.club_id = r.club_id AND r.started_at_ms >= s.from_ms AND r.started_at_ms < s.before_ms
    AND (r.entry > 0 OR s.closed_position IS NULL OR r.first_position <= s.closed_position)
"""
"""Whether a result `r` counts in a season `s`."""

OF_BATCH: Final = """
    SELECT 1 AS sign, r.* FROM result r
    WHERE r.position > %(after)s AND r.position <= %(upto)s
      AND coalesce(r.until_position, %(upto)s + 1) > %(upto)s
    UNION ALL
    SELECT -1, r.* FROM result r
    WHERE r.until_position > %(after)s AND r.until_position <= %(upto)s AND r.position <= %(after)s
"""
OF_PERSONS: Final = """
    SELECT 1 AS sign, r.* FROM result r
    WHERE r.person_id = ANY(%(persons)s) AND r.club_id = %(club)s AND r.until_position IS NULL
"""
OF_CLUB: Final = """
    SELECT 1 AS sign, r.* FROM result r
    WHERE r.club_id = %(club)s AND r.until_position IS NULL
"""

KEY: Final = "club_id, season_id, ruleset, player_id"
PLAY: Final = "ended_at_ms, game_id, hand, entry"
"""The order of play."""


def _counted(change: str) -> str:
    """The change, board by board."""
    return f"""
    change AS ({change}),
    counted AS (
      SELECT r.sign, r.club_id, s.season_id, board.ruleset, r.person_id AS player_id, r.game_id,
             r.hand, r.entry, r.points, r.gang_points, r.won, r.total, r.dealt_in, r.gangs,
             r.ended_at_ms
      FROM change r
      JOIN counted_season s ON {COUNTS_IN}
        AND (%(seasons)s::uuid[] IS NULL OR s.season_id = ANY(%(seasons)s))
      CROSS JOIN LATERAL (VALUES (''), (r.ruleset)) AS board(ruleset)
    )"""


FIGURES: Final = """
    coalesce(sum(sign) FILTER (WHERE entry = 0), 0) AS hands,
    coalesce(sum(sign) FILTER (WHERE entry > 0), 0) AS entries,
    sum(sign * points) AS points,
    sum(sign * gang_points) AS gang_points,
    coalesce(sum(sign * points) FILTER (WHERE entry > 0), 0) AS adjusted_points,
    coalesce(sum(sign) FILTER (WHERE won <> ''), 0) AS wins,
    coalesce(sum(sign) FILTER (WHERE won = 'zimo'), 0) AS zimo_wins,
    coalesce(sum(sign * total) FILTER (WHERE won <> ''), 0) AS win_total,
    coalesce(sum(sign) FILTER (WHERE dealt_in), 0) AS deal_ins,
    sum(sign * gangs) AS gangs
"""
"""The figures that are sums over results."""
SUMMED: Final = (
    *("hands", "entries", "points", "gang_points", "adjusted_points"),
    *("wins", "zimo_wins", "win_total", "deal_ins", "gangs"),
)

_ADD: Final = f"""
    delta AS (SELECT {KEY}, {FIGURES} FROM counted GROUP BY {KEY}),
    played AS (
      SELECT {KEY}, game_id, sum(sign) AS hands FROM counted
      WHERE entry = 0 GROUP BY {KEY}, game_id
    ),
    present AS (
      SELECT played.*, now.hands AS hands_now
      FROM played CROSS JOIN LATERAL (
        SELECT count(*) AS hands
        FROM result r JOIN counted_season s ON {COUNTS_IN} AND s.season_id = played.season_id
        WHERE r.game_id = played.game_id AND r.person_id = played.player_id AND r.entry = 0
          AND r.until_position IS NULL
      ) AS now
    ),
    games AS (
      SELECT {KEY}, sum((hands_now > 0)::int - (hands_now - hands > 0)::int) AS games
      FROM present
      GROUP BY {KEY}
    )
    INSERT INTO standing AS old ({KEY}, games, {", ".join(SUMMED)})
    SELECT {KEY}, coalesce(games, 0), {", ".join(SUMMED)}
    FROM delta LEFT JOIN games USING ({KEY})
    ORDER BY {KEY}
    ON CONFLICT ({KEY}) DO UPDATE SET
      games = old.games + excluded.games,
      {", ".join(f"{name} = old.{name} + excluded.{name}" for name in SUMMED)}
"""

_MOVE: Final = f"""
    delta AS (
      SELECT {KEY}, sum(sign * points)::bigint AS points, sum(sign) AS results
      FROM counted GROUP BY {KEY}
    ),
    moved AS (
      SELECT club_id, season_id, ruleset, now.points, 1 AS moved
      FROM delta JOIN standing now USING ({KEY}) WHERE now.hands + now.entries > 0
      UNION ALL
      SELECT club_id, season_id, ruleset, now.points - delta.points, -1
      FROM delta JOIN standing now USING ({KEY})
      WHERE now.hands + now.entries - delta.results > 0
    )
    {MOVE}
"""

_FIND_BEST: Final = f"""
    wins AS (
      SELECT {KEY}, max(total) FILTER (WHERE sign = 1) AS gained,
             max(total) FILTER (WHERE sign = -1) AS lost
      FROM counted WHERE won <> '' GROUP BY {KEY}
    ),
    affected AS (
      SELECT {KEY} FROM wins JOIN standing old USING ({KEY})
      WHERE old.best_total IS NULL OR gained >= old.best_total OR lost >= old.best_total
    ),
    best AS (
      SELECT affected.*, win.*
      FROM affected LEFT JOIN LATERAL (
        SELECT r.total, r.game_id, r.hand
        FROM result r JOIN counted_season s ON {COUNTS_IN} AND s.season_id = affected.season_id
        WHERE r.person_id = affected.player_id AND r.club_id = affected.club_id
          AND r.until_position IS NULL AND r.total IS NOT NULL
          AND (affected.ruleset = '' OR r.ruleset = affected.ruleset)
        ORDER BY r.total DESC, r.ended_at_ms, r.game_id, r.hand LIMIT 1
      ) AS win ON true
    )
    UPDATE standing AS now
    SET best_total = best.total, best_game_id = best.game_id, best_hand = best.hand
    FROM best WHERE (now.club_id, now.season_id, now.ruleset, now.player_id)
                  = (best.club_id, best.season_id, best.ruleset, best.player_id)
"""

_TOUCHED: Final = f"""
    touched AS (
      SELECT DISTINCT ON ({KEY}) {KEY}, {PLAY}
      FROM counted JOIN counted_club l USING (club_id)
      WHERE (l.scope = 'season') = (season_id <> '{ALL_TIME}')
      ORDER BY {KEY}, {PLAY}
    )"""
"""The standings that climb a ladder, each with the first result in order of play that changed."""

_STEP_BACK: Final = f"""
    {_TOUCHED}
    DELETE FROM tier_change t USING touched
    WHERE (t.club_id, t.season_id, t.ruleset, t.player_id)
        = (touched.club_id, touched.season_id, touched.ruleset, touched.player_id)
      AND (t.ended_at_ms, t.game_id, t.hand, t.entry)
       >= (touched.ended_at_ms, touched.game_id, touched.hand, touched.entry)
"""

_CLIMB: Final = f"""
    {_TOUCHED},
    begun AS (
      SELECT touched.*, l.thresholds, l.demotion, now.points AS points_now,
        CASE WHEN now.first_ended_at_ms < touched.ended_at_ms
          THEN now.first_ended_at_ms ELSE first.ended_at_ms END AS first_ended_at_ms,
        CASE WHEN now.first_ended_at_ms < touched.ended_at_ms
          THEN now.ladder_start ELSE coalesce(l.ladder_start, first.ladder_start) END AS start
      FROM touched
      JOIN counted_club l USING (club_id)
      JOIN standing now USING ({KEY})
      LEFT JOIN LATERAL (
        SELECT r.ended_at_ms, r.ladder_start
        FROM result r JOIN counted_season s ON {COUNTS_IN} AND s.season_id = touched.season_id
        WHERE (now.first_ended_at_ms < touched.ended_at_ms) IS NOT TRUE
          AND r.person_id = touched.player_id AND r.club_id = touched.club_id
          AND r.until_position IS NULL
          AND (touched.ruleset = '' OR r.ruleset = touched.ruleset)
        ORDER BY r.ended_at_ms, r.game_id, r.hand, r.entry LIMIT 1
      ) AS first ON true
    ),
    standing_at AS (
      SELECT begun.*,
             coalesce(step.to_tier, 1 + width_bucket(begun.start, begun.thresholds)) AS tier_before
      FROM begun LEFT JOIN LATERAL (
        SELECT t.to_tier FROM tier_change t
        WHERE t.club_id = begun.club_id AND t.season_id = begun.season_id
          AND t.ruleset = begun.ruleset AND t.player_id = begun.player_id
          AND (t.ended_at_ms, t.game_id, t.hand, t.entry)
            < (begun.ended_at_ms, begun.game_id, begun.hand, begun.entry)
        ORDER BY t.ended_at_ms DESC, t.game_id DESC, t.hand DESC, t.entry DESC LIMIT 1
      ) AS step ON true
    ),
    tail AS (
      SELECT a.club_id, a.season_id, a.ruleset, a.player_id, a.start, a.points_now, a.tier_before,
             a.thresholds, a.demotion, later.*
      FROM standing_at a CROSS JOIN LATERAL (
        SELECT r.ended_at_ms, r.game_id, r.hand, r.entry, max(r.revision) AS revision,
               max(r.position) AS position, sum(r.points) AS points
        FROM result r JOIN counted_season s ON {COUNTS_IN} AND s.season_id = a.season_id
        WHERE r.person_id = a.player_id AND r.club_id = a.club_id AND r.until_position IS NULL
          AND (a.ruleset = '' OR r.ruleset = a.ruleset)
          AND (r.ended_at_ms, r.game_id, r.hand, r.entry)
           >= (a.ended_at_ms, a.game_id, a.hand, a.entry)
        GROUP BY 1, 2, 3, 4
      ) AS later
    ),
    scored AS (
      SELECT *, start + points_now - sum(points) OVER (PARTITION BY {KEY})
             + sum(points) OVER (PARTITION BY {KEY} ORDER BY {PLAY}) AS score
      FROM tail
    ),
    reached AS (
      SELECT *, CASE WHEN demotion THEN 1 + width_bucket(score, thresholds::numeric[])
                ELSE greatest(tier_before, 1 + width_bucket(
                  max(score) OVER (PARTITION BY {KEY} ORDER BY {PLAY}), thresholds::numeric[]))
                END AS to_tier
      FROM scored
    ),
    stepped AS (
      SELECT *, lag(to_tier, 1, tier_before) OVER (PARTITION BY {KEY} ORDER BY {PLAY}) AS from_tier
      FROM reached
    ),
    steps AS (
      INSERT INTO tier_change ({KEY}, {PLAY}, revision, position, from_tier, to_tier, ladder_score)
      SELECT {KEY}, {PLAY}, revision, position, from_tier, to_tier, score
      FROM stepped WHERE from_tier <> to_tier
    ),
    ended AS (
      SELECT DISTINCT ON ({KEY}) {KEY}, to_tier FROM reached
      ORDER BY {KEY}, ended_at_ms DESC, game_id DESC, hand DESC, entry DESC
    )
    UPDATE standing AS now
    SET ladder_start = a.start, first_ended_at_ms = a.first_ended_at_ms,
        ladder_score = a.start + now.points, tier = coalesce(ended.to_tier, a.tier_before)
    FROM standing_at a LEFT JOIN ended USING ({KEY})
    WHERE (now.club_id, now.season_id, now.ruleset, now.player_id)
        = (a.club_id, a.season_id, a.ruleset, a.player_id)
"""

_FORGET: Final = f"""
    touched AS (SELECT DISTINCT {KEY} FROM counted WHERE sign = -1)
    DELETE FROM standing old USING touched
    WHERE (old.club_id, old.season_id, old.ruleset, old.player_id)
        = (touched.club_id, touched.season_id, touched.ruleset, touched.player_id)
      AND old.hands + old.entries = 0
"""


_LEAVE: Final = f"""
    WITH moved AS (
      SELECT club_id, season_id, ruleset, points, -1 AS moved FROM standing
      WHERE club_id = %(club)s AND player_id = ANY(%(persons)s)
    )
    {MOVE}
"""


def count(change: str, *, seasons: Sequence[UUID] | None = None, **facts: Any) -> None:
    """Count a change, one of those above with the `facts` it asks for.

    `seasons` limits it to boards of these seasons, of which one may be `ALL_TIME`.
    """
    for step in (_ADD, _MOVE, _FIND_BEST, _STEP_BACK, _CLIMB, _FORGET):
        _run(change, step, seasons=seasons, **facts)
    with connection.cursor() as cursor:
        cursor.execute(FORGET_EMPTY)


def climb_again(club_id: UUID) -> None:
    """Count every step of a club's ladder anew, because the ladder is another one."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM tier_change WHERE club_id = %s", [club_id])
        cursor.execute(
            "UPDATE standing SET ladder_start = NULL, first_ended_at_ms = NULL,"
            " ladder_score = NULL, tier = NULL WHERE club_id = %s",
            [club_id],
        )
    _run(OF_CLUB, _CLIMB, seasons=None, club=club_id)


def count_seasons_again(club_id: UUID, seasons: Sequence[UUID]) -> None:
    """Count these seasons of a club anew, because they span other days or were closed."""
    with connection.cursor() as cursor:
        for table in ("standing", "tier_change", "place_count"):
            cursor.execute(
                f"DELETE FROM {table} WHERE club_id = %s AND season_id = ANY(%s)",
                [club_id, list(seasons)],
            )
    count(OF_CLUB, seasons=seasons, club=club_id)


def count_persons_again(club_id: UUID, persons: Sequence[UUID]) -> None:
    """Count these persons anew, because other results are theirs now."""
    facts: dict[str, Any] = {"club": club_id, "persons": list(persons)}
    with connection.cursor() as cursor:
        cursor.execute(_LEAVE, facts)
        for table in ("standing", "tier_change"):
            cursor.execute(
                f"DELETE FROM {table} WHERE club_id = %(club)s AND player_id = ANY(%(persons)s)",
                facts,
            )
    count(OF_PERSONS, **facts)


def _run(change: str, step: str, **facts: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"WITH {_counted(change)}, {step}", facts)
