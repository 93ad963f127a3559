"""A slow reader of hands, the oracle of the tests. It shares no code with the engine.

It walks through all groups there are in the order of their lowest kind, takes each as often as the
tiles and wilds allow, and keeps what uses up everything. A group is ``(shape, kind, wild kinds)``,
a reading the sorted tuple of its groups, so that two lists of readings compare as sets.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import product

BruteGroup = tuple[str, int, tuple[int, ...]]
BruteReading = tuple[BruteGroup, ...]


def groups_by_kind(kind: int) -> list[tuple[BruteGroup, list[int]]]:
    """Every group whose lowest kind this is, with the natural tiles it takes."""
    shapes = [("pair", [kind, kind]), ("triplet", [kind, kind, kind])]
    if kind < 27 and kind % 9 <= 6:
        shapes.append(("run", [kind, kind + 1, kind + 2]))
    found = {}
    for shape, tiles in shapes:
        for is_wild in product([False, True], repeat=len(tiles)):
            wild = tuple(tile for tile, each in zip(tiles, is_wild, strict=True) if each)
            natural = [tile for tile, each in zip(tiles, is_wild, strict=True) if not each]
            found[shape, kind, wild] = natural
    return list(found.items())


GROUPS = [each for kind in range(34) for each in groups_by_kind(kind)]


def brute_readings(tiles: list[int], sets: int, wilds: int) -> set[BruteReading]:
    """All readings of the tiles (kinds with repetition) and so many wilds as sets and a pair."""
    if len(tiles) + wilds != 3 * sets + 2:
        return set()
    return {tuple(sorted(groups)) for groups in walk(Counter(tiles), sets, 1, wilds, 0)}


def walk(
    left: Counter[int], sets: int, pairs: int, wilds: int, start: int
) -> Iterator[list[BruteGroup]]:
    """The ways to take the rest from ``GROUPS[start:]``."""
    if sets == 0 and pairs == 0:
        if wilds == 0 and not left:
            yield []
        return
    lowest = min(left, default=34)
    for index in range(start, len(GROUPS)):
        (shape, kind, wild), natural = GROUPS[index]
        if kind > lowest:
            return
        if len(wild) > wilds or (pairs if shape == "pair" else sets) == 0:
            continue
        need = Counter(natural)
        if any(left[each] < count for each, count in need.items()):
            continue
        is_pair = shape == "pair"
        for rest in walk(
            left - need, sets - (not is_pair), pairs - is_pair, wilds - len(wild), index
        ):
            yield [(shape, kind, wild), *rest]
