"""Rating matches: what a match does, and that the same matches give the same floats."""

from math import sqrt
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replays.ratings import Match, RatedMatch, Skill, places_of, rate

PEOPLE = tuple(UUID(int=number) for number in range(1, 9))
PRIOR = Skill(25.0, 25 / 3)


def match_of(*points: int, number: int = 1) -> Match:
    return Match(number * 1000, UUID(int=number), dict(zip(PEOPLE, points, strict=False)))


def rated(*matches: Match) -> tuple[list[RatedMatch], dict[UUID, Skill]]:
    skills: dict[UUID, Skill] = {}
    return list(rate(matches, skills)), skills


@st.composite
def seasons(draw: st.DrawFn) -> list[Match]:
    tables = draw(
        st.lists(
            st.dictionaries(st.sampled_from(PEOPLE), st.integers(-5, 5), min_size=1, max_size=5),
            max_size=8,
        )
    )
    return [Match(number * 1000, UUID(int=number), points) for number, points in enumerate(tables)]


def test_equals_share_a_place_and_the_next_is_left_out() -> None:
    points = match_of(-3, 7, 7, 1).points
    assert places_of(points) == [(1, PEOPLE[1]), (1, PEOPLE[2]), (3, PEOPLE[3]), (4, PEOPLE[0])]


def test_a_first_win_of_two_gives_what_the_published_model_gives() -> None:
    """Weng and Lin's update for two equals: half of variance over spread, up and down."""
    variance = (25 / 3) ** 2 + (25 / 300) ** 2
    gained = variance / sqrt(2 * (variance + (25 / 6) ** 2)) / 2
    _, skills = rated(match_of(10, -10))
    assert skills[PEOPLE[0]].mu == pytest.approx(25 + gained)
    assert skills[PEOPLE[1]].mu == pytest.approx(25 - gained)
    assert skills[PEOPLE[0]].sigma == skills[PEOPLE[1]].sigma < PRIOR.sigma


def test_the_order_of_places_is_the_order_of_what_new_players_come_to() -> None:
    _, skills = rated(match_of(30, 5, -10, -25))
    means = [skills[person].mu for person in PEOPLE[:4]]
    assert means == sorted(means, reverse=True)
    assert means[0] > PRIOR.mu > means[-1]


def test_only_the_order_of_points_counts_and_not_how_far_they_lie_apart() -> None:
    assert rated(match_of(3, 1, -1, -3))[1] == rated(match_of(900, 1, -1, -900))[1]


def test_new_players_who_all_tie_stay_equal() -> None:
    _, skills = rated(match_of(0, 0, 0, 0))
    assert {round(skill.mu, 9) for skill in skills.values()} == {25.0}


def test_an_outcome_says_place_points_and_skill_before_and_after() -> None:
    (first, second), skills = rated(match_of(4, -4), match_of(-1, 1, number=2))
    winner, loser = first.outcomes
    assert (winner.person_id, winner.place, winner.points) == (PEOPLE[0], 1, 4)
    assert (loser.person_id, loser.place, loser.points) == (PEOPLE[1], 2, -4)
    assert winner.before == loser.before == PRIOR
    assert [outcome.before for outcome in second.outcomes] == [loser.after, winner.after]
    assert {outcome.person_id: outcome.after for outcome in second.outcomes} == skills


def test_who_sat_alone_played_no_match() -> None:
    assert rated(match_of(0), Match(1, PEOPLE[0], {})) == ([], {})


@given(seasons(), st.randoms(use_true_random=False))
def test_the_order_in_which_people_are_given_changes_no_bit(season, dice) -> None:
    shuffled = []
    for match in season:
        people = list(match.points.items())
        dice.shuffle(people)
        shuffled.append(Match(match.started_at_ms, match.game_id, dict(people)))
    assert rated(*shuffled) == rated(*season)


@given(seasons(), st.integers(0, 8))
def test_going_on_from_what_was_known_gives_every_float_that_one_pass_gives(season, cut) -> None:
    skills: dict[UUID, Skill] = {}
    halves = [*rate(season[:cut], skills), *rate(season[cut:], skills)]
    assert (halves, skills) == rated(*season)


@given(seasons())
def test_a_match_leaves_those_who_were_not_in_it_alone(season) -> None:
    skills: dict[UUID, Skill] = {}
    for match in season:
        before = dict(skills)
        list(rate([match], skills))
        others = before.keys() - match.points.keys()
        assert {person: skills[person] for person in others} == {
            person: before[person] for person in others
        }
