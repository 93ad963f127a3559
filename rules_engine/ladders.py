"""Ladders: a player's tier from accumulated points.

The default ladder is one of 17 tiers, named after the tiles; a club may define its own.
"""

from collections.abc import Sequence

import msgspec


class Tier(msgspec.Struct, frozen=True):
    """One rung. ``from_points`` is the least score that reaches it; the lowest has None."""

    tier: int
    zh: str
    en: str
    from_points: int | None


DEFAULT_LADDER: tuple[Tier, ...] = (
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


def tier_of(score: int, ladder: Sequence[Tier] = DEFAULT_LADDER) -> Tier:
    """The highest tier whose threshold the score reaches; below all of them, the lowest."""
    reached = ladder[0]
    for tier in ladder[1:]:
        if tier.from_points is not None and score >= tier.from_points:
            reached = tier
    return reached
