"""Random hands for the tests of readings, and readings in the form of the slow oracle."""

import random

from rules_engine import tiles
from rules_engine.readings import Reading
from rules_engine.tiles import Tiles
from tests.rules_engine.brute import BruteReading


def as_brute(reading: Reading) -> BruteReading:
    """An engine's reading in the form of the slow oracle."""
    return tuple(
        sorted((each.shape, each.kind, tuple(kinds_of(each.wilds))) for each in reading.groups)
    )


def kinds_of(bag: Tiles) -> list[int]:
    """The kinds of a bag, with repetition."""
    return [kind for kind in tiles.kinds_in(bag) for _ in range(tiles.count(bag, kind))]


def random_tiles(chance: random.Random, length: int, kinds: range = range(34)) -> list[int]:
    """So many tiles out of a set with four of each of these kinds."""
    return chance.sample([kind for kind in kinds for _ in range(4)], length)


def complete_hand(chance: random.Random, sets: int, kinds: range = range(34)) -> list[int]:
    """The tiles of so many random sets and a pair, at most four of a kind, in random order."""
    while True:
        hand: list[int] = []
        for _ in range(sets):
            kind = chance.choice(kinds)
            is_run = kind < 27 and kind % 9 <= 6 and kind + 2 in kinds and chance.random() < 0.7
            hand += [kind, kind + 1, kind + 2] if is_run else [kind] * 3
        hand += [chance.choice(kinds)] * 2
        if all(hand.count(kind) <= 4 for kind in hand):
            chance.shuffle(hand)
            return hand


def near_hand(chance: random.Random, sets: int, wilds: int) -> list[int]:
    """Tiles complete with so many wilds, or nearly so, in a few suits or in all."""
    kinds = chance.choice([range(34), range(34), range(9), range(18, 34)])
    hand = complete_hand(chance, sets, kinds)[wilds:]
    for _ in range(min(len(hand), chance.choice([0, 0, 1, 2]))):
        hand.pop()
        hand += chance.sample([kind for kind in kinds if hand.count(kind) < 4], 1)
    return hand
