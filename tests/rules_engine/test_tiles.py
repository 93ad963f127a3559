"""Tiles in mpsz notation, and bags of tiles."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine import tiles
from rules_engine.tiles import BadTiles

a_kind = st.integers(0, tiles.KINDS - 1)
some_kinds = st.lists(a_kind, max_size=60).filter(
    lambda kinds: all(count <= 15 for count in Counter(kinds).values())
)
a_wall = st.permutations([kind for kind in range(34) for _ in range(4)] + list(tiles.FLOWER_KINDS))


def test_every_name_has_the_kind_that_has_this_name() -> None:
    assert [tiles.kind_of(name) for name in tiles.NAMES] == list(range(tiles.KINDS))
    assert tiles.NAMES[tiles.kind_of("5m")] == "5m"
    assert tiles.kind_of("1z") == 27
    assert tiles.kind_of("8f") == 41


@pytest.mark.parametrize("name", ["0m", "8z", "9f", "5x", "", "55m", "m5", "５m"])
def test_what_is_no_tile_is_refused_by_its_name(name: str) -> None:
    with pytest.raises(BadTiles, match="is not a tile"):
        tiles.kind_of(name)


def test_a_compact_text_is_read_in_its_order() -> None:
    assert tiles.names("31m5z2m") == ("3m", "1m", "5z", "2m")
    assert tiles.names("") == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("12", "'12' has no suit letter"),
        ("m", "'m' stands where"),
        ("1m m", "' ' stands where"),
        ("1mp", "'p' stands where"),
        ("1q", "'q' stands where"),
        ("0m", "'0m' is not a tile"),
        ("²m", "is not a tile"),
    ],
)
def test_a_bad_text_is_refused_with_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(BadTiles, match=says):
        tiles.parse(text)


@pytest.mark.parametrize("text", ["55555m", "5m5m5m5m5m", "11f"])
def test_more_of_a_kind_than_there_are_is_refused(text: str) -> None:
    with pytest.raises(BadTiles, match="more of"):
        tiles.parse(text)


def test_a_long_bad_text_is_cut_in_the_message() -> None:
    with pytest.raises(BadTiles) as refused:
        tiles.parse("1" * 100_000)
    assert len(str(refused.value)) < 300


@given(a_wall, st.integers(0, 60))
def test_writing_and_parsing_are_inverse(wall: list[int], length: int) -> None:
    bag = tiles.of_kinds(wall[:length])
    assert tiles.parse(tiles.write(bag)) == bag
    assert sorted(tiles.kind_of(name) for name in tiles.names(tiles.write(bag))) == sorted(
        wall[:length]
    )


def test_a_bag_is_written_in_the_order_of_the_suits() -> None:
    assert tiles.write(tiles.parse("7z1f3s2p1m2m")) == "12m2p3s7z1f"


@given(some_kinds)
def test_a_bag_counts_like_a_counter(kinds: list[int]) -> None:
    bag = tiles.of_kinds(kinds)
    expected = Counter(kinds)
    assert {kind: tiles.count(bag, kind) for kind in tiles.kinds_in(bag)} == expected
    assert list(tiles.kinds_in(bag)) == sorted(expected)
    assert tiles.size(bag) == len(kinds)


@given(some_kinds, some_kinds)
def test_a_bag_has_another_when_no_kind_falls_short(kinds: list[int], part: list[int]) -> None:
    expected = not Counter(part) - Counter(kinds)
    assert tiles.has(tiles.of_kinds(kinds), tiles.of_kinds(part)) == expected


@given(some_kinds, st.data())
def test_a_bag_has_every_part_of_itself(kinds: list[int], data: st.DataObject) -> None:
    part = data.draw(st.lists(st.sampled_from(kinds), unique=True)) if kinds else []
    assert tiles.has(tiles.of_kinds(kinds), tiles.of_kinds(part))


def test_the_size_of_a_bag_is_exact_up_to_254_tiles_which_no_game_has() -> None:
    assert tiles.size(tiles.of_kinds(list(range(tiles.KINDS)) * 6)) == 252
    assert tiles.size(tiles.of_kinds((list(range(17)) * 15)[:254])) == 254
    assert tiles.size(tiles.EMPTY) == 0


def test_a_full_set_has_four_of_each_kind_and_one_of_each_flower() -> None:
    assert tiles.size(tiles.full_set(range(34))) == 136
    assert tiles.size(tiles.full_set(range(tiles.KINDS))) == 144


def test_the_rank_is_that_of_the_name() -> None:
    for kind, name in enumerate(tiles.NAMES):
        assert str(tiles.rank_of(kind)) == name[0]
