"""Readings of a hand as sets and a pair, with and without wilds."""

import random
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mahjong.agari import Agari

from rules_engine.groups import ALL_GROUPS, PAIR, RUN, STANDING_KINDS, TRIPLET, Group, group
from rules_engine.readings import (
    Reading,
    distinct_readings,
    is_all_sets,
    is_complete,
    places,
    standard_readings,
    waits,
)
from rules_engine.tiles import (
    EMPTY,
    ONE,
    full_set,
    has,
    kind_of,
    of_kinds,
    parse,
)
from tests.rules_engine.brute import brute_readings
from tests.rules_engine.hands import as_brute, kinds_of, near_hand, random_tiles


def written(reading: Reading) -> str:
    """A reading as a text such as ``123m 44p``, wilds as the tiles they stand for."""
    return " ".join(_written_group(each) for each in reading.groups)


def _written_group(each: Group) -> str:
    ranks = "".join(str(kind % 9 + 1) for kind in kinds_of(each.tiles))
    return ranks + "mpsz"[each.kind // 9] + "*" * each.wild_count


_NUMBERS = {each: number for number, each in enumerate(ALL_GROUPS)}


def itself(each: Group) -> int:
    """The trait that tells all groups apart: three bits for each, since a hand has at most six."""
    return 1 << 3 * _NUMBERS[each]


def every_reading(hand: int, sets: int, wilds: int) -> tuple[Reading, ...]:
    """All the readings there are, with wilds and without."""
    if wilds:
        return distinct_readings(hand, sets, wilds, [itself] * 4)
    return standard_readings(hand, sets)


# Groups


def test_a_group_knows_its_tiles_and_which_of_them_are_natural() -> None:
    run = group(RUN, kind_of("3p"), parse("4p"))
    assert (run.tiles, run.natural, run.wild_count) == (parse("345p"), parse("35p"), 1)
    assert group(PAIR, kind_of("7z")).tiles == parse("77z")
    assert group(TRIPLET, kind_of("1m"), parse("11m")).natural == parse("1m")


def test_a_wild_cannot_stand_for_a_tile_that_is_not_in_the_group() -> None:
    with pytest.raises(ValueError, match="no 6p"):
        group(RUN, kind_of("3p"), parse("6p"))


def test_all_groups_are_different_and_no_run_leaves_its_suit() -> None:
    assert len(set(ALL_GROUPS)) == len(ALL_GROUPS) == 34 * 7 + 21 * 8
    runs = [each for each in ALL_GROUPS if each.shape == RUN]
    assert {each.kind for each in runs} == {
        9 * suit + rank for suit in range(3) for rank in range(7)
    }


# Readings of known hands


@pytest.mark.parametrize(
    ("text", "sets", "expected"),
    [
        ("123m456p789s11122z", 4, {"123m 456p 789s 111z 22z"}),
        ("111222333m456p77z", 4, {"111m 222m 333m 456p 77z", "123m 123m 123m 456p 77z"}),
        ("11123444m", 2, {"111m 234m 44m", "123m 444m 11m"}),
        ("11112345678999m", 4, {"111m 123m 456m 789m 99m"}),
        ("22334455m", 2, {"345m 345m 22m", "234m 234m 55m"}),
        ("22233344m55z", 3, set()),
        ("55z", 0, {"55z"}),
        (
            "11122233344455566p",
            5,
            {
                "111p 222p 333p 444p 555p 66p",
                "111p 222p 345p 456p 456p 33p",
                "111p 222p 345p 345p 345p 66p",
                "111p 234p 234p 234p 555p 66p",
                "123p 123p 123p 444p 555p 66p",
            },
        ),
        ("123m45p", 1, set()),
        ("891m11p", 1, set()),
        ("123z11p", 1, set()),
        ("22m33p", 1, set()),
        ("11m22555p33666s44z", 4, set()),
    ],
)
def test_the_readings_of_a_hand_without_wilds(text: str, sets: int, expected: set[str]) -> None:
    readings = [written(each) for each in standard_readings(parse(text), sets)]
    assert sorted(readings) == sorted(expected)


def test_a_wild_is_read_as_every_kind_that_completes_the_hand() -> None:
    readings = every_reading(parse("45m77z"), 1, 1)
    assert [written(each) for each in readings] == ["345m* 77z", "456m* 77z"]
    assert [kinds_of(reading.sets[0].wilds) for reading in readings] == [[2], [5]]


def test_equal_runs_with_their_wilds_in_one_or_in_both_are_different_readings() -> None:
    readings = every_reading(parse("1123m77z"), 2, 2)
    wilds = {tuple(sorted(each.wild_count for each in reading.sets)) for reading in readings}
    assert {(0, 2), (1, 1)} <= wilds


def test_wilds_alone_are_read_as_any_set_and_any_pair() -> None:
    assert len(every_reading(EMPTY, 0, 2)) == 34
    any_set, any_pair = 34 + 21, 34
    assert len(every_reading(EMPTY, 1, 5)) == any_set * any_pair
    both_in_the_pair, both_in_the_set, one_in_each = any_set, any_pair, 1
    assert (
        len(every_reading(parse("11z"), 1, 3)) == both_in_the_pair + both_in_the_set + one_in_each
    )


def test_a_wild_may_stand_for_a_fifth_copy() -> None:
    hand = parse("4444m")
    assert {written(each) for each in every_reading(hand, 1, 1)} == {"444m 44m*", "444m* 44m"}
    assert is_complete(hand, 1, 1)


def test_a_hand_with_four_pairs_and_a_wild_to_spare_is_not_complete() -> None:
    hand = parse("11m22555p33666s4z")
    assert not is_complete(hand, 4, 1)
    assert every_reading(hand, 4, 1) == ()


@pytest.mark.parametrize(
    ("text", "sets", "wilds"),
    [
        ("123m55z", 2, 0),
        ("123m55z", 1, 1),
        ("123m5z1f", 1, 0),
        ("123m5z1f", 1, 1),
        ("", 4, 0),
        ("123456m11z345f", 3, 0),
    ],
)
def test_a_wrong_number_of_tiles_or_a_flower_has_no_reading(
    text: str, sets: int, wilds: int
) -> None:
    hand = parse(text)
    assert every_reading(hand, sets, wilds) == ()
    assert not is_complete(hand, sets, wilds)
    assert not is_all_sets(hand, sets, wilds)
    assert waits(hand, sets, wilds) == ()


# The slow oracle


@pytest.mark.parametrize(("wilds", "number"), [(0, 1500), (1, 700), (2, 300), (3, 120), (4, 60)])
def test_the_readings_are_those_of_the_slow_oracle(wilds: int, number: int) -> None:
    chance = random.Random(wilds)
    for _ in range(number):
        sets = chance.choice([1, 2, 3, 4, 4, 4, 5])
        hand = near_hand(chance, sets, wilds)
        readings = every_reading(of_kinds(hand), sets, wilds)
        expected = brute_readings(hand, sets, wilds)
        assert len(readings) == len(expected)
        assert {as_brute(each) for each in readings} == expected
        assert is_complete(of_kinds(hand), sets, wilds) == bool(expected)


@pytest.mark.parametrize(("wilds", "number"), [(0, 300), (1, 100), (2, 50), (3, 20), (4, 10)])
def test_waits_are_the_kinds_that_complete_the_hand(wilds: int, number: int) -> None:
    chance = random.Random(wilds)
    for _ in range(number):
        sets = chance.choice([0, 1, 4, 5]) if wilds < 2 else 4
        hand = near_hand(chance, sets, wilds)[1:] if wilds < 3 * sets + 2 else []
        expected = tuple(
            kind for kind in range(34) if is_complete(of_kinds([*hand, kind]), sets, wilds)
        )
        assert waits(of_kinds(hand), sets, wilds) == expected


def test_only_the_kinds_asked_about_are_waits() -> None:
    hand = parse("2345m")
    assert waits(hand, 1) == (kind_of("2m"), kind_of("5m"))
    assert waits(hand, 1, kinds=full_set([kind_of("5m"), kind_of("8m")])) == (kind_of("5m"),)


@pytest.mark.parametrize("wilds", range(4))
def test_a_hand_that_is_all_sets_but_for_one_wild_waits_for_every_kind(wilds: int) -> None:
    chance = random.Random(wilds)
    outcomes = set()
    for _ in range(300):
        hand = of_kinds(near_hand(chance, 4, wilds + 1)[1:])
        outcomes.add(is_all_sets(hand, 4, wilds))
        assert is_all_sets(hand, 4, wilds) == (
            len(waits(hand, 4, wilds + 1)) == len(STANDING_KINDS)
        )
    assert outcomes == {True, False}


# Laws

a_hand = st.builds(
    lambda seed, sets, wilds: (near_hand(random.Random(seed), sets, wilds), sets, wilds),
    st.integers(0, 2**32),
    st.integers(1, 5),
    st.integers(0, 4),
)


@given(a_hand)
@settings(deadline=None)
def test_the_groups_of_a_reading_add_up_to_the_tiles_of_the_hand(
    hand_sets_wilds: tuple[list[int], int, int],
) -> None:
    hand, sets, wilds = hand_sets_wilds
    for reading in every_reading(of_kinds(hand), sets, wilds)[:200]:
        assert sum(each.natural for each in reading.groups) == of_kinds(hand)
        assert sum(each.wild_count for each in reading.groups) == wilds
        assert len(reading.sets) == sets
        assert reading.pair.shape == PAIR
        assert PAIR not in {each.shape for each in reading.sets}


@given(a_hand)
@settings(deadline=None)
def test_a_wild_in_place_of_a_tile_never_makes_a_complete_hand_incomplete(
    hand_sets_wilds: tuple[list[int], int, int],
) -> None:
    hand, sets, wilds = hand_sets_wilds
    assume(is_complete(of_kinds(hand), sets, wilds))
    for kind in set(hand):
        assert is_complete(of_kinds(hand) - ONE[kind], sets, wilds + 1)


@given(a_hand)
@settings(deadline=None)
def test_a_hand_is_complete_with_a_wild_when_some_tile_in_its_place_makes_it_so(
    hand_sets_wilds: tuple[list[int], int, int],
) -> None:
    hand, sets, wilds = hand_sets_wilds
    assume(wilds)
    bag = of_kinds(hand)
    assert is_complete(bag, sets, wilds) == bool(waits(bag, sets, wilds - 1))


@given(a_hand)
@settings(deadline=None)
def test_the_readings_always_come_in_the_same_order_and_never_twice(
    hand_sets_wilds: tuple[list[int], int, int],
) -> None:
    hand, sets, wilds = hand_sets_wilds
    readings = every_reading(of_kinds(hand), sets, wilds)
    assert len({as_brute(each) for each in readings}) == len(readings)
    assert every_reading(of_kinds(reversed(hand)), sets, wilds) == readings
    for reading in readings[:50]:
        suits = [each.kind // 9 for each in reading.sets]
        assert all(before <= after for before, after in pairwise(suits))


# Readings that a scorer can tell apart


def shape_and_wilds(each: Group) -> int:
    """A trait: how many groups of each shape there are, and wilds in triplets."""
    shape = {RUN: 0, TRIPLET: 1, PAIR: 2}[each.shape]
    return (1 << 4 * shape) + (each.wild_count << 12 if each.shape == TRIPLET else 0)


def runs_of_m(each: Group) -> int:
    """A trait: how many runs of m, and whether the pair is of honours."""
    return (each.shape == RUN and each.kind < 9) + 16 * (each.shape == PAIR and each.kind > 26)


@pytest.mark.parametrize("trait", [shape_and_wilds, runs_of_m])
@pytest.mark.parametrize("wilds", range(5))
def test_one_reading_stands_for_each_sum_of_a_trait(wilds: int, trait: object) -> None:
    assert callable(trait)
    chance = random.Random(wilds)
    for _ in range(40):
        sets = chance.choice([2, 4, 5])
        hand = of_kinds(near_hand(chance, sets, wilds))
        every = every_reading(hand, sets, wilds)
        distinct = distinct_readings(hand, sets, wilds, [trait] * 4)
        sums = [sum(trait(each) for each in reading.groups) for reading in distinct]
        assert len(set(sums)) == len(sums)
        assert set(sums) == {sum(trait(each) for each in reading.groups) for reading in every}
        assert {as_brute(each) for each in distinct} <= {as_brute(each) for each in every}


def test_a_hand_that_is_not_complete_has_no_distinct_readings() -> None:
    assert distinct_readings(parse("19m19p"), 1, 1, [shape_and_wilds] * 4) == ()
    assert distinct_readings(parse("19m19p"), 2, 1, [shape_and_wilds] * 4) == ()


# Places of the winning tile


def test_the_places_of_a_tile_are_the_different_groups_that_hold_its_kind() -> None:
    (reading,) = standard_readings(parse("122223m789p77z"), 3)
    assert written(reading) == "123m 222m 789p 77z"
    assert places(reading, kind_of("2m")) == reading.sets[:2]
    assert places(reading, kind_of("1m")) == reading.sets[:1]


def test_equal_groups_are_one_place() -> None:
    (reading,) = standard_readings(parse("112233m77z"), 2)
    assert places(reading, kind_of("2m")) == (group(RUN, kind_of("1m")),)
    assert places(reading, kind_of("7z")) == (reading.pair,)
    assert places(reading, kind_of("9m")) == ()


def test_a_tile_has_no_place_where_a_wild_stands_for_its_kind() -> None:
    reading = next(each for each in every_reading(parse("45m77z"), 1, 1) if each.sets[0].kind == 3)
    assert places(reading, kind_of("6m")) == ()


# The outside oracle


def compare_with_mahjong(hands: int, seed: int) -> None:
    """Completeness of random and nearly complete hands of 14 tiles, as the package sees it."""
    chance = random.Random(seed)
    for number in range(hands):
        hand = near_hand(chance, 4, 0) if number % 2 else random_tiles(chance, 14, range(18, 34))
        counts = [hand.count(kind) for kind in range(34)]
        pairs = sum(each == 2 for each in counts) == 7
        orphans = set(hand) == {0, 8, 9, 17, 18, 26, *range(27, 34)}
        if not pairs and not orphans:
            assert is_complete(of_kinds(hand), 4) == Agari.is_agari(counts)


def test_completeness_agrees_with_the_package_mahjong() -> None:
    compare_with_mahjong(4000, seed=1)


@pytest.mark.slow
def test_completeness_agrees_with_the_package_mahjong_on_many_hands() -> None:
    compare_with_mahjong(100_000, seed=2)


def test_every_bag_of_a_reading_fits_into_its_hand() -> None:
    hand = parse("2233445566m")
    for reading in every_reading(hand, 4, 4)[:100]:
        assert has(hand, sum(each.natural for each in reading.groups))
