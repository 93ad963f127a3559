"""The ways to split the tiles of one suit into sets and perhaps the pair, where there are no wilds.

``readings`` puts the suits together, and splits them itself where wilds may stand for tiles.
"""

from functools import lru_cache
from typing import Final, TypeAlias

from rules_engine.groups import ALL_GROUPS, PAIR, RUN, STANDING_KINDS, TRIPLET, Group, group
from rules_engine.tiles import Tiles, count

Split: TypeAlias = tuple[tuple[Group, ...], Group | None]
"""The sets, by lowest tile, and the pair if it is in this suit."""
_WHOLLY_SPLIT: Final[tuple[Split, ...]] = (((), None),)
_TRIPLETS: Final = tuple(group(TRIPLET, kind) for kind in STANDING_KINDS)
_PAIRS: Final = tuple(group(PAIR, kind) for kind in STANDING_KINDS)
_RUNS: Final = {each.kind: each for each in ALL_GROUPS if each.shape == RUN and not each.wilds}
"""The runs of natural tiles by their lowest kind."""


@lru_cache(maxsize=1 << 15)
def splits(tiles: Tiles) -> tuple[Split, ...]:
    """All the ways, none twice and always in the same order; the tiles keep their places in a bag.

    Of the lowest kind three tiles are a triplet, or two are the pair, or neither; and a run begins
    with each tile left over. Sixteen leaves one when divided by three, so that a bag leaves what
    the number of its tiles does: two when the pair is among them.
    """
    if not tiles:
        return _WHOLLY_SPLIT
    over = tiles % 3
    if over == 1:
        return ()
    kind = (tiles & -tiles).bit_length() - 1 >> 2
    copies = count(tiles, kind)
    most = min(count(tiles, kind + 1), count(tiles, kind + 2)) if kind in _RUNS else 0
    found: list[Split] = []
    if copies > 2:
        triplet = _TRIPLETS[kind]
        found += [((triplet, *sets), pair) for sets, pair in splits(tiles - triplet.tiles)]
    if copies > 1 and over and copies - 2 <= most:
        made = _PAIRS[kind]
        runs = (_RUNS[kind],) * (copies - 2) if copies > 2 else ()
        rest = tiles - made.tiles - sum([each.tiles for each in runs])
        found += [((*runs, *sets), made) for sets, _ in splits(rest)]
    if copies <= most:
        run = _RUNS[kind]
        runs = (run,) * copies
        found += [((*runs, *sets), pair) for sets, pair in splits(tiles - copies * run.tiles)]
    return tuple(found)
