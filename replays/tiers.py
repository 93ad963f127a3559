"""Climbing a ladder: from points in the order of play to a score, a tier and every step between.

Pure. Whoever keeps tiers calls `begin` once and `move` for each result that comes behind all the
others; when something earlier changes, `climb` over everything gives what the moves would have
given. Since a tier follows from the results in force alone, a correction that takes away the hand
that gave a tier takes the tier back, with or without demotion.

Order of play is (ended_at_ms, game_id, hand, entry).
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from rules_engine.ladders import Ladder


class Rung(msgspec.Struct, frozen=True):
    """Where a player stands: the score in units of the stake, and the tier's number from 1."""

    score: int
    tier: int


class Step(msgspec.Struct, frozen=True):
    """From one tier to another; `place` counts the results from 0 and names the one that did it.

    `score` is the one reached by it.
    """

    place: int
    from_tier: int
    to_tier: int
    score: int


class Climbed(msgspec.Struct, frozen=True):
    """Where somebody ends, and the steps on the way there, first to last."""

    rung: Rung
    steps: tuple[Step, ...]


def begin(ladder: Ladder, ladder_start: int) -> Rung:
    """Where a player stands before the first result.

    `ladder_start` is the ruleset's option in the player's first result; a ladder with a start of
    its own does not ask for it.
    """
    score = ladder.score_at_first(ladder_start)
    return Rung(score, ladder.tier_of(score).tier)


def move(rung: Rung, points: int, ladder: Ladder) -> Rung:
    """Where a player stands after one more result, which comes behind all the others."""
    score = rung.score + points
    reached = ladder.tier_of(score).tier
    return Rung(score, reached if ladder.demotion else max(reached, rung.tier))


def climb(points: Iterable[int], *, ladder: Ladder, ladder_start: int) -> Climbed:
    """Climb through all results, given by their points in the order of play."""
    rung = begin(ladder, ladder_start)
    steps: list[Step] = []
    for place, gained in enumerate(points):
        after = move(rung, gained, ladder)
        if after.tier != rung.tier:
            steps.append(Step(place, rung.tier, after.tier, after.score))
        rung = after
    return Climbed(rung, tuple(steps))
