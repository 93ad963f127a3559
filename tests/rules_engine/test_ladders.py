"""The ladder: a tier is the highest whose threshold the score reaches."""

import pytest

from rules_engine.ladders import DEFAULT_LADDER, Tier, tier_of


@pytest.mark.parametrize(
    ("score", "tier"),
    [
        (-50, 1),
        (0, 1),
        (299, 1),
        (300, 2),
        (149_999, 11),
        (150_000, 12),
        (2_499_999, 16),
        (2_500_000, 17),
        (10**9, 17),
    ],
)
def test_the_tier_is_the_highest_whose_threshold_the_score_reaches(score, tier):
    assert tier_of(score).tier == tier


def test_the_default_ladder_rises_through_17_tiers():
    assert [tier.tier for tier in DEFAULT_LADDER] == list(range(1, 18))
    thresholds = [tier.from_points for tier in DEFAULT_LADDER[1:]]
    assert thresholds == sorted(set(thresholds))
    assert DEFAULT_LADDER[0].from_points is None


@pytest.mark.parametrize("tier", DEFAULT_LADDER[1:], ids=lambda tier: tier.en)
def test_a_point_below_a_threshold_is_the_tier_below(tier):
    assert tier_of(tier.from_points) == tier
    assert tier_of(tier.from_points - 1).tier == tier.tier - 1


def test_a_club_can_have_a_ladder_of_its_own():
    ladder = (Tier(1, "低", "low", None), Tier(2, "高", "high", 10))
    assert [tier_of(score, ladder).en for score in (-1, 9, 10)] == ["low", "low", "high"]
