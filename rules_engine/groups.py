"""Groups: the runs, triplets and pairs that a reading of a hand is made of."""

from functools import lru_cache
from itertools import product
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from rules_engine.tiles import EMPTY, HONOUR_KINDS, ONE, SUITED_KINDS, Tiles, has, size, write

Shape: TypeAlias = Literal["run", "triplet", "pair"]
RUN: Final = "run"
TRIPLET: Final = "triplet"
PAIR: Final = "pair"

STANDING_KINDS: Final = range(HONOUR_KINDS.stop)
"""The 34 kinds a hand is made of: all but flowers."""


class Group(Struct, frozen=True, cache_hash=True, gc=False):
    """A run, a triplet or the pair, as read. ``group`` builds it and fills in the last fields.

    The garbage collector need not look at it (``gc=False``): it holds no containers, and there are
    many in the caches.

    ``kind`` is the lowest kind of a run, else the only one; ``wilds`` the bag of kinds for which
    wilds stand in it; ``tiles`` the bag of its tiles as read; ``natural`` the tiles that are no
    wilds, so ``tiles == natural + wilds``; ``wild_count`` the number of its wilds.
    """

    shape: Shape
    kind: int
    wilds: Tiles
    tiles: Tiles
    natural: Tiles
    wild_count: int


@lru_cache(maxsize=1024)
def group(shape: Shape, kind: int, wilds: Tiles = EMPTY) -> Group:
    """The group of this shape and (lowest) kind in which wilds stand for the kinds in ``wilds``.

    Raises ValueError if these are not tiles of the group.
    """
    tiles = ONE[kind] * {PAIR: 2, TRIPLET: 3, RUN: 0x111}[shape]
    if not has(tiles, wilds):
        message = f"the {shape} at kind {kind} has no {write(wilds)} for wilds to stand for"
        raise ValueError(message)
    return Group(shape, kind, wilds, tiles, tiles - wilds, size(wilds))


def _groups_at(kind: int) -> list[Group]:
    """Every group of this (lowest) kind, with every choice of wilds in it."""
    groups = [group(TRIPLET, kind, ONE[kind] * wilds) for wilds in range(4)]
    groups += [group(PAIR, kind, ONE[kind] * wilds) for wilds in range(3)]
    if kind < SUITED_KINDS and kind % 9 < 7:
        groups += [
            group(RUN, kind, (low + 0x10 * middle + 0x100 * high) << 4 * kind)
            for low, middle, high in product(range(2), repeat=3)
        ]
    return groups


ALL_GROUPS: Final = tuple(each for kind in STANDING_KINDS for each in _groups_at(kind))
"""Every group there is, by kind: triplets, pairs, runs, each with every choice of wilds in it."""
