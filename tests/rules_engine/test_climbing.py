"""Climbing a ladder: result by result, or anew over all of them; up, down and back again."""

from bisect import insort

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.ladders import (
    DEFAULT_LADDER,
    Climbed,
    Ladder,
    Rung,
    Step,
    Tier,
    begin,
    climb,
    move,
)


def ladder_with(*thresholds: int, demotion: bool = True, start: int | None = 0) -> Ladder:
    lowest = Tier(1, "一", "one", None)
    higher = [Tier(n, f"{n}", f"tier {n}", least) for n, least in enumerate(thresholds, 2)]
    return Ladder(tiers=(lowest, *higher), demotion=demotion, start=start)


@st.composite
def ladders(draw: st.DrawFn) -> Ladder:
    thresholds = draw(st.lists(st.integers(-60, 60), unique=True, min_size=1, max_size=8))
    return ladder_with(
        *sorted(thresholds),
        demotion=draw(st.booleans()),
        start=draw(st.none() | st.integers(-20, 20)),
    )


points_lists = st.lists(st.integers(-40, 40), max_size=30)
starts = st.integers(-20, 20)


def test_each_step_names_the_result_that_caused_it() -> None:
    climbed = climb([5, 4, 1, -1, 30], ladder=ladder_with(10, 20, 30), ladder_start=0)
    assert climbed == Climbed(Rung(39, 4), (Step(2, 1, 2, 10), Step(3, 2, 1, 9), Step(4, 1, 4, 39)))


def test_without_demotion_the_tier_reached_stays_while_the_score_falls() -> None:
    ladder = ladder_with(10, 20, demotion=False)
    assert climb([12, -50, 15], ladder=ladder, ladder_start=0) == Climbed(
        Rung(-23, 2), (Step(0, 1, 2, 12),)
    )


@pytest.mark.parametrize("demotion", [True, False])
def test_a_correction_that_takes_the_hand_away_takes_its_tier_back(*, demotion: bool) -> None:
    ladder = ladder_with(10, 20, demotion=demotion)
    assert climb([12, -3, 1], ladder=ladder, ladder_start=0).rung.tier == 2
    assert climb([2, -3, 1], ladder=ladder, ladder_start=0) == Climbed(Rung(0, 1), ())


def test_the_start_is_the_rulesets_only_where_the_ladder_has_none() -> None:
    assert begin(DEFAULT_LADDER, 300) == Rung(300, 2)
    assert begin(ladder_with(10, start=10), 300) == Rung(10, 2)


def test_who_has_no_result_stands_at_the_start_and_took_no_step() -> None:
    assert climb([], ladder=DEFAULT_LADDER, ladder_start=1000) == Climbed(Rung(1000, 4), ())


@given(points_lists, ladders(), starts)
def test_moving_result_by_result_ends_where_climbing_ends(
    points: list[int], ladder: Ladder, start: int
) -> None:
    rung = begin(ladder, start)
    for gained in points:
        rung = move(rung, gained, ladder)
    assert climb(points, ladder=ladder, ladder_start=start).rung == rung


@given(points_lists, ladders(), starts)
def test_steps_lead_from_the_first_tier_to_the_last_and_each_moves(
    points: list[int], ladder: Ladder, start: int
) -> None:
    climbed = climb(points, ladder=ladder, ladder_start=start)
    tier, last = begin(ladder, start).tier, -1
    for step in climbed.steps:
        assert (step.from_tier, step.place > last) == (tier, True)
        assert step.to_tier != step.from_tier
        assert step.score == ladder.score_at_first(start) + sum(points[: step.place + 1])
        tier, last = step.to_tier, step.place
    assert tier == climbed.rung.tier
    assert climbed.rung.score == ladder.score_at_first(start) + sum(points)


@given(points_lists, ladders(), starts)
def test_with_demotion_the_tier_is_the_scores_and_without_the_best_scores(
    points: list[int], ladder: Ladder, start: int
) -> None:
    first = ladder.score_at_first(start)
    scores = [first + sum(points[:count]) for count in range(len(points) + 1)]
    climbed = climb(points, ladder=ladder, ladder_start=start)
    decisive = scores[-1] if ladder.demotion else max(scores)
    assert climbed.rung == Rung(scores[-1], ladder.tier_of(decisive).tier)
    if not ladder.demotion:
        assert all(step.to_tier > step.from_tier for step in climbed.steps)


@given(st.data(), ladders(), starts)
def test_random_corrections_leave_what_climbing_anew_gives(
    data: st.DataObject, ladder: Ladder, start: int
) -> None:
    """Results come at any moment of play, change and go; whoever keeps a rung moves when it can."""
    results: list[tuple[int, int]] = []
    rung = begin(ladder, start)
    for number in range(data.draw(st.integers(0, 15))):
        if results and data.draw(st.booleans()):
            at = data.draw(st.integers(0, len(results) - 1))
            moment, _ = results.pop(at)
            if data.draw(st.booleans()):
                insort(results, (moment, data.draw(st.integers(-40, 40))))
            rung = climb([p for _, p in results], ladder=ladder, ladder_start=start).rung
            continue
        new = (data.draw(st.integers(0, 9)) * 100 + number, data.draw(st.integers(-40, 40)))
        behind = not results or new > results[-1]
        insort(results, new)
        if behind:
            rung = move(rung, new[1], ladder)
        else:
            rung = climb([p for _, p in results], ladder=ladder, ladder_start=start).rung
    assert rung == climb([p for _, p in results], ladder=ladder, ladder_start=start).rung
