"""Whether a hand is complete, asked of libraries that other people wrote for other games.

No wilds: neither library has them. Seven pairs are seven different ones, as in ``mahjong``.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from typing import Any

import pytest
from mahjong.agari import Agari

from rules_engine.readings import is_complete, waits
from rules_engine.shapes import is_thirteen_orphans, pairs_readings
from rules_engine.tiles import ONE

KINDS = 34
ORPHANS = (0, 8, 9, 17, 18, 26, *range(27, 34))
SMALL, LARGE = 5_000, 100_000


def standard(rng: Random) -> list[int]:
    """Four sets and a pair, mostly of few suits, so that hands have several readings."""
    kinds = rng.choice([range(9), range(18), range(27), range(KINDS)])
    while True:
        hand = [rng.choice(kinds)] * 2
        while len(hand) < 14:
            low = rng.choice(kinds)
            if low < 27 and low % 9 < 7 and rng.random() < 0.6:
                hand += [low, low + 1, low + 2]
            else:
                hand += [low] * 3
        if max(Counter(hand).values()) <= 4:
            return hand


def seven_pairs(rng: Random) -> list[int]:
    """Seven different pairs, close together."""
    start = rng.randrange(KINDS - 10)
    return [kind for kind in rng.sample(range(start, start + 10), 7) for _ in range(2)]


def orphans(rng: Random) -> list[int]:
    """Thirteen orphans."""
    return [*ORPHANS, rng.choice(ORPHANS)]


def any_tiles(rng: Random) -> list[int]:
    """Fourteen tiles of a wall, of few kinds as often as of all."""
    kinds = rng.choice([range(9), range(9), range(27, KINDS), range(18), range(KINDS)])
    return rng.sample([kind for kind in kinds for _ in range(4)], 14)


MAKERS: tuple[Callable[[Random], list[int]], ...] = (
    standard, standard, seven_pairs, orphans, any_tiles,
)  # fmt: skip


def hands(number: int, seed: int) -> Iterator[list[int]]:
    """Complete hands, hands that miss by a tile or two, and hands at random."""
    rng = Random(seed)
    for _ in range(number):
        hand = rng.choice(MAKERS)(rng)
        for _ in range(rng.choice((0, 0, 1, 1, 2))):
            left = [kind for kind in range(KINDS) if hand.count(kind) < 4]
            near = [kind for kind in left if abs(kind - hand[0]) <= 2] or left
            hand[rng.randrange(14)] = rng.choice(rng.choice((left, near)))
        if max(Counter(hand).values()) <= 4:
            rng.shuffle(hand)
            yield hand


def shapes_of(hand: list[int]) -> tuple[bool, bool, bool]:
    """What the engine says: standard shape, seven different pairs, thirteen orphans."""
    tiles = sum(ONE[kind] for kind in hand)
    pairs = max(Counter(hand).values()) == 2 and bool(pairs_readings(tiles, 7))
    return is_complete(tiles, 4), pairs, is_thirteen_orphans(tiles)


def assert_agrees_with_mahjong(number: int, seed: int) -> None:
    """The same answer for every hand, and enough of each answer to mean something."""
    agari = Agari()
    seen: Counter[Any] = Counter()
    for hand in hands(number, seed):
        counts = [hand.count(kind) for kind in range(KINDS)]
        shapes = shapes_of(hand)
        assert any(shapes) == agari.is_agari(counts), sorted(hand)
        seen.update(["none"] if not any(shapes) else [at for at, yes in enumerate(shapes) if yes])
    assert min(seen[each] for each in (0, 1, 2, "none")) > number // 40, seen


@pytest.fixture
def chinese_official() -> Any:
    """PyMahjongGB, which has to be compiled and so is not among what the tests require."""
    try:
        return import_module("MahjongGB")
    except ImportError:
        pytest.skip("PyMahjongGB is not installed: pip install PyMahjongGB (needs a C++ compiler)")


def written(kind: int) -> str:
    """A kind as PyMahjongGB writes it: W1, B1, T1 for the suits, F1 to F4 and J1 to J3."""
    if kind < 27:
        return "WBT"[kind // 9] + str(kind % 9 + 1)
    return f"F{kind - 26}" if kind < 31 else f"J{kind - 30}"


def assert_agrees_with_chinese_official(library: Any, number: int, seed: int) -> None:
    """Thirteen tiles of each hand, and what they wait for."""
    every = {written(kind): kind for kind in range(KINDS)}
    waiting = 0
    for hand in hands(number, seed):
        held = hand[1:]
        tiles = sum(ONE[kind] for kind in held)
        names = tuple(written(kind) for kind in held)
        for ask, own in (
            (library.RegularShanten, waits_of(tiles, standard=True)),
            (library.SevenPairsShanten, waits_of(tiles, pairs=True)),
            (library.ThirteenOrphansShanten, waits_of(tiles, orphans=True)),
        ):
            distance, useful = ask(names)
            theirs = {every[name] for name in useful} if distance == 0 else set()
            left = {kind for kind in range(KINDS) if held.count(kind) < 4}
            assert own & left == theirs & left, (ask, sorted(held))
            waiting += bool(own)
    assert waiting > number // 10


def waits_of(
    tiles: int, *, standard: bool = False, pairs: bool = False, orphans: bool = False
) -> set[int]:
    """The kinds that complete a shape. Equal pairs are allowed, as in the official rules."""
    if standard:
        return set(waits(tiles, 4))
    return {
        kind
        for kind in range(KINDS)
        if tiles >> 4 * kind & 15 < 4
        and (
            (pairs and bool(pairs_readings(tiles + ONE[kind], 7)))
            or (orphans and is_thirteen_orphans(tiles + ONE[kind]))
        )
    }


def test_five_thousand_hands_are_complete_exactly_when_mahjong_says_so() -> None:
    assert_agrees_with_mahjong(SMALL, 1)


@pytest.mark.thorough
def test_a_hundred_thousand_hands_are_complete_exactly_when_mahjong_says_so() -> None:
    assert_agrees_with_mahjong(LARGE, 2)


def test_hands_wait_for_what_pymahjonggb_says(chinese_official: Any) -> None:
    assert_agrees_with_chinese_official(chinese_official, SMALL // 5, 3)


@pytest.mark.thorough
def test_a_hundred_thousand_hands_wait_for_what_pymahjonggb_says(chinese_official: Any) -> None:
    assert_agrees_with_chinese_official(chinese_official, LARGE, 4)
