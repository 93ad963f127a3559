"""Ladders: a player's tier from accumulated points, and every step on the way there.

The default ladder is one of 17 tiers, named after the tiles; a club may define its own.

Whoever keeps tiers calls ``begin`` once and ``move`` for each result that comes behind all the
others; when something earlier changes, ``climb`` over everything gives what the moves would have
given. Since a tier follows from the results in force alone, a correction that takes away the hand
that gave a tier takes the tier back, with or without demotion.

Order of play is (ended_at_ms, game_id, hand, entry).
"""

from collections.abc import Iterable
from typing import Literal

import msgspec


class Tier(msgspec.Struct, frozen=True):
    """One rung. ``from_points`` is the least score that reaches it; the lowest has None."""

    tier: int
    zh: str
    en: str
    from_points: int | None


class Ladder(msgspec.Struct, frozen=True, kw_only=True):
    """Tiers from the lowest, with rising thresholds, and how a player moves between them.

    ``start`` is the score a player begins with, in units of the stake; None: what the options of
    the ruleset say (``ladder_start``). Without ``demotion`` a tier once reached stays, also when
    the score falls below it. ``scope`` says whose points a tier comes from: those of one season, or
    all.
    """

    tiers: tuple[Tier, ...]
    start: int | None = None
    demotion: bool = True
    scope: Literal["season", "for_ever"] = "for_ever"

    def score_at_first(self, ladder_start: int) -> int:
        """The score before the first point; ``ladder_start`` is the option of the ruleset."""
        return ladder_start if self.start is None else self.start

    def tier_of(self, score: int) -> Tier:
        """The highest tier whose threshold the score reaches; below all of them, the lowest."""
        reached = self.tiers[0]
        for tier in self.tiers[1:]:
            if tier.from_points is not None and score >= tier.from_points:
                reached = tier
        return reached

    def numbered(self, tier: int) -> Tier:
        """The tier with this number, counted from 1 at the bottom. Raises IndexError."""
        if not 1 <= tier <= len(self.tiers):
            raise IndexError(f"the ladder has tiers 1 to {len(self.tiers)}, not {tier}")
        return self.tiers[tier - 1]


DEFAULT_TIERS: tuple[Tier, ...] = (
    Tier(1, "白板", "White", None),
    Tier(2, "一万", "1 Wan", 300),
    Tier(3, "二万", "2 Wan", 600),
    Tier(4, "三万", "3 Wan", 900),
    Tier(5, "四万", "4 Wan", 1_500),
    Tier(6, "五万", "5 Wan", 3_000),
    Tier(7, "六万", "6 Wan", 6_000),
    Tier(8, "七万", "7 Wan", 15_000),
    Tier(9, "八万", "8 Wan", 30_000),
    Tier(10, "九万", "9 Wan", 60_000),
    Tier(11, "东风", "East", 90_000),
    Tier(12, "西风", "West", 150_000),
    Tier(13, "南风", "South", 300_000),
    Tier(14, "北风", "North", 600_000),
    Tier(15, "中", "Red", 900_000),
    Tier(16, "发", "Green", 1_500_000),
    Tier(17, "雀神", "God of Sparrows", 2_500_000),
)

DEFAULT_LADDER = Ladder(tiers=DEFAULT_TIERS)
"""The ladder of every club that has not made one of its own."""


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
