"""The ladder: a tier is the highest whose threshold the score reaches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.ladders import DEFAULT_LADDER, DEFAULT_TIERS, Ladder, Tier

LOW, HIGH = Tier(1, "低", "low", None), Tier(2, "高", "high", 10)


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
    assert DEFAULT_LADDER.tier_of(score).tier == tier


def test_the_default_ladder_rises_through_17_tiers():
    assert [tier.tier for tier in DEFAULT_TIERS] == list(range(1, 18))
    thresholds = [tier.from_points for tier in DEFAULT_TIERS[1:]]
    assert thresholds == sorted(set(thresholds))
    assert DEFAULT_TIERS[0].from_points is None


def test_the_default_ladder_is_climbed_for_ever_and_can_be_fallen_from():
    assert (DEFAULT_LADDER.scope, DEFAULT_LADDER.demotion) == ("for_ever", True)


@pytest.mark.parametrize("tier", DEFAULT_TIERS[1:], ids=lambda tier: tier.en)
def test_a_point_below_a_threshold_is_the_tier_below(tier):
    assert DEFAULT_LADDER.tier_of(tier.from_points) == tier
    assert DEFAULT_LADDER.tier_of(tier.from_points - 1).tier == tier.tier - 1


def test_a_club_can_have_a_ladder_of_its_own():
    ladder = Ladder(tiers=(LOW, HIGH))
    assert [ladder.tier_of(score).en for score in (-1, 9, 10)] == ["low", "low", "high"]


def test_a_ladder_with_a_start_of_its_own_does_not_ask_the_ruleset_for_one():
    assert Ladder(tiers=(LOW, HIGH), start=7).score_at_first(100) == 7
    assert Ladder(tiers=(LOW, HIGH), start=0).score_at_first(100) == 0
    assert DEFAULT_LADDER.score_at_first(100) == 100


def test_a_tier_is_found_by_its_number():
    ladder = Ladder(tiers=(LOW, HIGH))
    assert [ladder.numbered(number) for number in (1, 2)] == [LOW, HIGH]
    for number in (0, 3, -1):
        with pytest.raises(IndexError, match="tiers 1 to 2"):
            ladder.numbered(number)


@given(
    st.lists(st.integers(-1000, 1000), unique=True, min_size=1, max_size=20).map(sorted),
    st.integers(-1100, 1100),
)
def test_the_number_of_a_tier_is_how_many_thresholds_were_reached_and_one(thresholds, score):
    higher = tuple(Tier(n, str(n), str(n), least) for n, least in enumerate(thresholds, 2))
    ladder = Ladder(tiers=(LOW, *higher))
    assert ladder.tier_of(score).tier == 1 + sum(score >= least for least in thresholds)
