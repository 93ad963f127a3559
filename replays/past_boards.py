"""The rows of a board of another moment, counted from the results that had been played and known.

The figures are those of `counting`, which keeps the boards of the present; tests hold both equal.
"""
# ruff: noqa: S608 - every text that is put into a statement is one of ours

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from replays.counting import FIGURES, PLAY, SUMMED
from replays.models import SCORES
from replays.selections import COUNTS


def _counting(condition: str) -> str:
    return f"""
      SELECT coalesce(merged.person_id, r.player_id) AS player_id, 1 AS sign, r.game_id, r.hand,
             r.entry, r.points, r.gang_points, r.won, r.total, r.dealt_in, r.gangs, r.ended_at_ms,
             r.ladder_start
      FROM result r
      LEFT JOIN unnest(%(players)s::uuid[], %(persons)s::uuid[]) AS merged(player_id, person_id)
        ON merged.player_id = r.player_id
      WHERE r.club_id = %(club)s AND {condition}
    """


_BEST: Final = "ORDER BY total DESC, ended_at_ms, game_id, hand"
_RATIOS: Final = MappingProxyType(
    {
        "points_per_hand": ("points", "hands"),
        "win_rate": ("wins", "hands"),
        "zimo_rate": ("zimo_wins", "wins"),
        "deal_in_rate": ("deal_ins", "hands"),
        "average_win": ("win_total", "wins"),
    }
)
"""The figures that are one count over another: null where there is nothing to divide by."""

PAST: Final = f"""
    WITH counted AS ({_counting(COUNTS)}),
    summed AS (
      SELECT player_id, count(DISTINCT game_id) FILTER (WHERE entry = 0) AS games, {FIGURES},
             max(total) FILTER (WHERE won <> '') AS best_total,
             (array_agg(game_id {_BEST}) FILTER (WHERE won <> ''))[1] AS best_game_id,
             (array_agg(hand {_BEST}) FILTER (WHERE won <> ''))[1] AS best_hand
      FROM counted GROUP BY player_id
    ),
    climbing AS ({_counting(COUNTS.replace("%(", "%(climb_"))} AND %(climbs)s),
    played AS (
      SELECT player_id, {PLAY}, sum(points) AS points, min(ladder_start) AS ladder_start
      FROM climbing GROUP BY player_id, {PLAY}
    ),
    running AS (
      SELECT *, sum(points) OVER (PARTITION BY player_id ORDER BY {PLAY}) AS gained FROM played
    ),
    climbed AS (
      SELECT player_id, sum(points) AS points, max(gained) AS most,
             coalesce(%(start)s::bigint, (array_agg(ladder_start ORDER BY {PLAY}))[1]) AS start
      FROM running GROUP BY player_id
    ),
    reached AS (
      SELECT player_id, (start + points)::bigint AS ladder_score, 1 + width_bucket(
        CASE WHEN %(demotion)s THEN start + points ELSE start + greatest(most, 0) END,
        %(thresholds)s::numeric[]) AS tier
      FROM climbed
    )
    SELECT player_id, games, {", ".join(f"{name}::bigint AS {name}" for name in SUMMED)},
           best_total, best_game_id, best_hand, ladder_score, tier,
           {
    ", ".join(f"{a}::float8 / nullif({b}, 0)::float8 AS {name}" for name, (a, b) in _RATIOS.items())
},
           tier::bigint * {SCORES} + ladder_score AS rung
    FROM summed LEFT JOIN reached USING (player_id)
"""
