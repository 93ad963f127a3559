"""Transfers and what is summed from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.score import HandScore, Transfer, points_by_seat


def transfer(payer: int, payee: int, points: int, kind: str = "hu") -> Transfer:
    return Transfer(payer, payee, points, kind, "an_item", "XX-1")


SEATS = st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(lambda seats: seats[0] != seats[1])
TRANSFERS = st.lists(
    st.builds(
        lambda seats, points, kind: transfer(*seats, points, kind),
        SEATS,
        st.integers(1, 10**6),
        st.sampled_from(["hu", "gang", "side"]),
    )
)


@given(TRANSFERS)
def test_points_by_seat_sum_to_zero_whatever_is_paid(transfers):
    assert sum(points_by_seat(transfers)) == 0


@given(TRANSFERS)
def test_the_points_of_a_hand_are_those_of_its_wins_and_those_apart(transfers):
    score = HandScore(wins=(), transfers=tuple(transfers))
    together = tuple(map(sum, zip(score.hand_points, score.gang_points, strict=True)))
    assert together == score.total_points == points_by_seat(transfers)


def test_gang_and_side_payments_stand_apart_from_the_win():
    transfers = (transfer(0, 2, 7), transfer(1, 3, 2, "gang"), transfer(1, 0, 1, "side"))
    score = HandScore(wins=(), transfers=transfers)
    assert score.hand_points == (-7, 0, 7, 0)
    assert score.gang_points == (1, -3, 0, 2)
    assert score.total_points == (-6, -3, 7, 2)


@pytest.mark.parametrize("bad", [transfer(0, 1, 0), transfer(0, 1, -5), transfer(2, 2, 5)])
def test_a_transfer_of_nothing_or_to_oneself_stops_the_sum(bad):
    with pytest.raises(AssertionError):
        points_by_seat([bad])
