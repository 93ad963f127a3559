"""Shapes beside the standard one, and small questions about a hand."""

import random
from itertools import combinations_with_replacement

import pytest
from mahjong.agari import Agari

from rules_engine import shapes
from rules_engine.groups import PAIR, RUN, TRIPLET, group
from rules_engine.shapes import (
    PairsReading,
    has_run,
    holds_only,
    is_all_apart,
    is_thirteen_orphans,
    pairs_readings,
    placing,
    rank_sizes,
    suit_sizes,
)
from rules_engine.tiles import EMPTY, kind_of, kinds_in, of_kinds, parse, write
from tests.rules_engine.hands import random_tiles

ORPHAN_KINDS = sorted(kinds_in(parse("19m19p19s1234567z")))


# Pairs


def pairs_in(reading: PairsReading) -> list[str]:
    """The pairs as texts such as ``11m``, with a star for a wild."""
    return [write(each.tiles) + "*" * each.wild_count for each in reading.pairs]


def test_seven_pairs_have_one_reading() -> None:
    (reading,) = pairs_readings(parse("11m22p3344s5566z"), 6)
    assert pairs_in(reading) == ["11m", "22p", "33s", "44s", "55z", "66z"]
    assert (reading.wild_pairs, reading.spare, reading.doubled_kinds) == (0, EMPTY, ())


def test_four_of_a_kind_are_two_pairs() -> None:
    (reading,) = pairs_readings(parse("1111m22223344p55z"), 7)
    assert reading.doubled_kinds == (kind_of("1m"), kind_of("2p"))
    assert reading.wild_count == 0


def test_a_wild_completes_a_pair_and_may_make_four_of_a_kind() -> None:
    (reading,) = pairs_readings(parse("111m2p"), 3, wilds=2)
    assert pairs_in(reading) == ["11m", "11m*", "22p*"]
    assert reading.doubled_kinds == (kind_of("1m"),)
    assert reading.wild_count == 2


def test_wilds_that_no_tile_needs_pair_with_each_other() -> None:
    (reading,) = pairs_readings(parse("11m2p"), 4, wilds=5)
    assert pairs_in(reading) == ["11m", "22p*"]
    assert (reading.wild_pairs, reading.wild_count) == (2, 5)


@pytest.mark.parametrize(
    ("text", "pairs", "wilds"),
    [
        ("11m23p", 2, 0),
        ("123m", 2, 1),
        ("11m", 2, 0),
        ("11m22p", 1, 0),
        ("1122m1f2f", 3, 0),
        ("11m1f", 2, 1),
    ],
)
def test_what_is_not_so_many_pairs_has_no_reading(text: str, pairs: int, wilds: int) -> None:
    assert pairs_readings(parse(text), pairs, wilds) == ()


def test_eight_pairs_of_seventeen_tiles_leave_one_tile_over() -> None:
    (reading,) = pairs_readings(parse("112233m445566p778s99s"), 8)
    assert reading.spare == parse("8s")
    (triple,) = pairs_readings(parse("112233m445566p777s88s"), 8)
    assert (triple.spare, pairs_in(triple)[-2:]) == (parse("7s"), ["77s", "88s"])


def test_each_odd_tile_can_be_the_one_over_while_wilds_complete_the_rest() -> None:
    readings = pairs_readings(parse("1m2p33s"), 2, wilds=1)
    assert [(write(each.spare), pairs_in(each)) for each in readings] == [
        ("1m", ["22p*", "33s"]),
        ("2p", ["11m*", "33s"]),
    ]


def test_a_wild_can_be_the_one_over_when_no_tile_needs_it() -> None:
    (reading,) = pairs_readings(parse("33s44p"), 2, wilds=1)
    assert (reading.spare, reading.wild_count) == (EMPTY, 0)
    kept, spent = pairs_readings(parse("1m33s"), 2, wilds=2)
    assert (kept.spare, pairs_in(kept)) == (EMPTY, ["11m*", "33s"])
    assert (spent.spare, spent.wild_pairs, pairs_in(spent)) == (parse("1m"), 1, ["33s"])


@pytest.mark.parametrize("wilds", range(3))
def test_hands_are_pairs_when_some_tiles_in_place_of_the_wilds_make_them_so(wilds: int) -> None:
    chance = random.Random(wilds)
    for _ in range(60):
        kinds = random_tiles(chance, 3, range(20, 30))
        hand = (kinds * 2)[: 6 - wilds - chance.choice([0, 1])]
        hand += random_tiles(chance, 6 - wilds - len(hand), range(20, 30))
        expected = any(
            all((hand + list(added)).count(kind) % 2 == 0 for kind in range(34))
            for added in combinations_with_replacement(range(34), wilds)
        )
        assert len(pairs_readings(of_kinds(hand), 3, wilds)) == expected


def test_seven_pairs_agree_with_the_package_mahjong() -> None:
    chance = random.Random(7)
    seen = set()
    for _ in range(3000):
        kinds = chance.sample(range(27, 34), 7) if chance.random() < 0.2 else []
        kinds = kinds or random_tiles(chance, 7, range(27, 34))
        hand = kinds + kinds[:-1] + [chance.choice(kinds)]
        if max(hand.count(kind) for kind in hand) > 3:
            continue
        expected = Agari.is_agari([hand.count(kind) for kind in range(34)])
        seen.add(expected)
        assert bool(pairs_readings(of_kinds(hand), 7)) == expected
    assert seen == {True, False}


# Thirteen orphans


def test_thirteen_orphans_agree_with_the_package_mahjong() -> None:
    chance = random.Random(13)
    seen = set()
    for _ in range(3000):
        hand = [*ORPHAN_KINDS, chance.choice(ORPHAN_KINDS)]
        if chance.random() < 0.5:
            hand[chance.randrange(14)] = chance.randrange(34)
        expected = Agari.is_agari([hand.count(kind) for kind in range(34)])
        seen.add(expected)
        assert is_thirteen_orphans(of_kinds(hand)) == expected
    assert seen == {True, False}


@pytest.mark.parametrize("wilds", range(4))
def test_wilds_stand_for_orphans_that_are_missing(wilds: int) -> None:
    chance = random.Random(wilds)
    seen = set()
    for _ in range(50):
        hand = [*ORPHAN_KINDS, *chance.sample(ORPHAN_KINDS, 2)]
        chance.shuffle(hand)
        hand = hand[: 14 - wilds]
        expected = any(
            is_thirteen_orphans(of_kinds([*hand, *added]))
            for added in combinations_with_replacement(ORPHAN_KINDS, wilds)
        )
        seen.add(expected)
        assert is_thirteen_orphans(of_kinds(hand), wilds) == expected
    assert True in seen


def test_thirteen_tiles_are_not_thirteen_orphans() -> None:
    assert not is_thirteen_orphans(of_kinds(ORPHAN_KINDS))
    assert is_thirteen_orphans(of_kinds(ORPHAN_KINDS), 1)


# All apart


def apart(tiles: list[int]) -> bool:
    """The definition, tile by tile."""
    return all(
        one != other and (one >= 27 or one // 9 != other // 9 or abs(one - other) >= 3)
        for number, one in enumerate(tiles)
        for other in tiles[:number]
    )


def test_tiles_three_ranks_apart_with_honours_are_all_apart() -> None:
    assert is_all_apart(parse("147m258p369s12345z"), 14)
    assert is_all_apart(parse("19m5p1234567z369s1p"), 14, honours=7)
    assert not is_all_apart(parse("147m258p369s12345z"), 14, honours=7)


@pytest.mark.parametrize(
    "text", ["146m258p369s12345z", "147m258p369s11234z", "147m258p369s1234z", "147m258p369s1234z1f"]
)
def test_what_is_closer_or_twice_is_not_all_apart(text: str) -> None:
    assert not is_all_apart(parse(text), 14)


@pytest.mark.parametrize("wilds", range(4))
@pytest.mark.parametrize("honours", [0, 7])
def test_wilds_fill_the_gaps_where_there_is_room(wilds: int, honours: int) -> None:
    chance = random.Random(wilds)
    seen = set()
    for _ in range(60 if wilds < 3 else 12):
        suits = [
            9 * suit + rank
            for suit in range(3)
            for rank in chance.choice([(0, 3, 6), (0, 5), (1, 4, 8), (2, 6), (4,)])
        ]
        hand = suits + chance.sample(range(27, 34), chance.choice([5, 6, 7]))
        if chance.random() < 0.3:
            hand.append(chance.randrange(34))
        chance.shuffle(hand)
        count = chance.choice([14, len(hand)])
        hand = hand[: count - wilds]
        if len(hand) != count - wilds:
            continue
        expected = any(
            apart([*hand, *added]) and sum(kind >= 27 for kind in [*hand, *added]) >= honours
            for added in combinations_with_replacement(range(34), wilds)
        )
        seen.add(expected)
        assert is_all_apart(of_kinds(hand), count, wilds, honours) == expected
    assert True in seen


def test_there_is_no_room_for_more_than_sixteen_tiles_apart() -> None:
    assert is_all_apart(EMPTY, 16, 16)
    assert not is_all_apart(EMPTY, 17, 17)


# Small questions


def test_a_hand_of_terminals_and_honours_holds_only_orphans() -> None:
    assert holds_only(parse("1199m19p1z"), shapes.ORPHANS)
    assert holds_only(parse("1122z"), shapes.HONOURS)
    assert not holds_only(parse("1z2p"), shapes.ORPHANS)
    assert not holds_only(parse("19m1z"), shapes.TERMINALS)
    assert [kind for kind in range(42) if shapes.ORPHANS >> 4 * kind & 15] == sorted(ORPHAN_KINDS)


def test_tiles_are_counted_by_suit_without_flowers() -> None:
    assert suit_sizes(parse("123m4444p77z9s1f2f")) == (3, 4, 1, 2)


def test_tiles_are_counted_by_rank_over_all_suits() -> None:
    assert rank_sizes(parse("1111m1111p1111s5m9s7z")) == (12, 0, 0, 0, 1, 0, 0, 0, 1)


def test_sets_without_a_run_are_all_triplets() -> None:
    triplets = [group(TRIPLET, kind_of("1m")), group(TRIPLET, kind_of("7z"))]
    assert not has_run(triplets)
    assert has_run([*triplets, group(RUN, kind_of("1m"))])


@pytest.mark.parametrize(
    ("lowest", "tile", "ranks", "expected"),
    [
        ("1m", "1m", (1, 9), "end"),
        ("1m", "2m", (1, 9), "middle"),
        ("1m", "3m", (1, 9), "edge"),
        ("2p", "4p", (1, 9), "end"),
        ("2p", "4p", (2, 8), "edge"),
        ("6s", "6s", (2, 8), "edge"),
        ("6s", "6s", (1, 9), "end"),
        ("7s", "7s", (1, 9), "edge"),
        ("7s", "9s", (1, 9), "end"),
    ],
)
def test_a_tile_lies_in_a_run_at_its_end_in_its_middle_or_at_the_edge(
    lowest: str, tile: str, ranks: tuple[int, int], expected: str
) -> None:
    assert placing(group(RUN, kind_of(lowest)), kind_of(tile), *ranks) == expected


def test_a_tile_lies_in_a_pair_or_a_triplet() -> None:
    assert placing(group(PAIR, kind_of("3m")), kind_of("3m")) == "pair"
    assert placing(group(TRIPLET, kind_of("3m")), kind_of("3m")) == "triplet"
