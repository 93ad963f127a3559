"""Questions about the shape of a hand, beside the standard readings. Shapes only, no prices.

Where a function takes ``wilds``, that is the number of wilds beside the ``concealed`` natural
tiles. A wild that the rules or the player want to be itself is passed as a natural tile instead.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from rules_engine.groups import PAIR, RUN, STANDING_KINDS, TRIPLET, Group, group
from rules_engine.tiles import (
    EMPTY,
    HONOUR_KINDS,
    ONE,
    SUIT_MASK,
    Tiles,
    count,
    kinds_in,
    size,
)


def _mask(kinds: Iterable[int]) -> Tiles:
    """All the room for these kinds in a bag."""
    return sum(15 * ONE[kind] for kind in kinds)


TERMINAL_KINDS: Final = (0, 8, 9, 17, 18, 26)
"""The ones and nines of the three suits."""
TERMINALS: Final = _mask(TERMINAL_KINDS)
HONOURS: Final = _mask(HONOUR_KINDS)
ORPHANS: Final = TERMINALS | HONOURS
"""Masks for ``holds_only``: terminals, honours, and both, the thirteen kinds of orphans."""
_STANDING: Final = _mask(STANDING_KINDS)
_ONE_OF_EACH: Final[Tiles] = sum(ONE)
_RANKS: Final = range(9)


def holds_only(tiles: Tiles, mask: Tiles) -> bool:
    """Whether all tiles of the bag are of the kinds of ``mask``, a bag with 15 of each of these."""
    return not tiles & ~mask


def suit_sizes(tiles: Tiles) -> tuple[int, int, int, int]:
    """How many tiles of m, p, s and honours the bag holds; flowers are not counted."""
    return (
        size(tiles & SUIT_MASK),
        size(tiles >> 36 & SUIT_MASK),
        size(tiles >> 72 & SUIT_MASK),
        size(tiles & HONOURS),
    )


def rank_sizes(tiles: Tiles) -> tuple[int, ...]:
    """How many tiles of the ranks 1 to 9 the bag holds, all three suits together."""
    by_rank = (tiles & SUIT_MASK) + (tiles >> 36 & SUIT_MASK) + (tiles >> 72 & SUIT_MASK)
    return tuple([by_rank >> 4 * rank & 15 for rank in _RANKS])


def has_run(sets: Iterable[Group]) -> bool:
    """Whether a run is among the sets; without one they are all triplets."""
    return RUN in [each.shape for each in sets]


Placing: TypeAlias = Literal["pair", "triplet", "middle", "edge", "end"]
"""How a tile lies in its group: ``middle`` of a run; ``edge``, the inner end of a run at the end of
the ranks (the 3 of 123, the 7 of 789); ``end``, any other end of a run."""


def placing(each: Group, kind: int, lowest_rank: int = 1, highest_rank: int = 9) -> Placing:
    """How a tile of ``kind``, one of the group's, lies in it, in a game with these ranks."""
    if each.shape == PAIR:
        return "pair"
    if each.shape == TRIPLET:
        return "triplet"
    rank = each.kind % 9 + 1
    if kind == each.kind + 1:
        return "middle"
    if kind == each.kind:
        return "edge" if rank + 2 == highest_rank else "end"
    return "edge" if rank == lowest_rank else "end"


class PairsReading(Struct, frozen=True):
    """One way to read a hand as pairs.

    ``pairs`` are the pairs with a natural tile, by kind: a kind held four times, or three times
    and once as a wild, is there twice. ``wild_pairs`` is the number of pairs of two wilds, each of
    which may stand for any kind. ``spare`` holds the natural tiles in no pair (hands of 17 tiles
    have one over).
    """

    pairs: tuple[Group, ...]
    wild_pairs: int
    spare: Tiles

    @property
    def doubled_kinds(self) -> tuple[int, ...]:
        """The kinds that have two of ``pairs``, lowest first."""
        kinds = [each.kind for each in self.pairs]
        return tuple(kind for kind, next_kind in pairwise(kinds) if kind == next_kind)

    @property
    def wild_count(self) -> int:
        """How many wilds lie in pairs."""
        return 2 * self.wild_pairs + sum(each.wild_count for each in self.pairs)


def pairs_readings(concealed: Tiles, pairs: int, wilds: int = 0) -> tuple[PairsReading, ...]:
    """The readings of the tiles and so many wilds as so many pairs and at most one tile over.

    A kind left with an odd tile needs a wild for it, or that tile is the one over; wilds that are
    then left pair with each other. So seven pairs of 14 tiles have one reading or none, and eight
    pairs of 17 as many as there are choices for the tile over. No kind has more than two pairs of
    its own.
    """
    over = size(concealed) + wilds - 2 * pairs
    odd_tiles = concealed & _ONE_OF_EACH
    if over not in (0, 1) or odd_tiles.bit_count() > wilds + over:
        return ()
    if not holds_only(concealed, _STANDING):
        return ()
    odd = tuple(kinds_in(odd_tiles))
    spares = [EMPTY] if over <= wilds else []
    spares += [ONE[kind] for kind in odd] if over else []
    found = []
    for spare in spares:
        needed = sum(not spare & ONE[kind] for kind in odd)
        wilds_in_pairs = wilds - (over if spare == EMPTY else 0)
        if needed <= wilds_in_pairs:
            natural = concealed - spare
            groups = tuple(each for kind in kinds_in(natural) for each in _pairs_of(natural, kind))
            found.append(PairsReading(groups, (wilds_in_pairs - needed) // 2, spare))
    return tuple(found)


def _pairs_of(tiles: Tiles, kind: int) -> list[Group]:
    """The pairs of a kind, the last with a wild if the number of its tiles is odd."""
    whole, odd = divmod(count(tiles, kind), 2)
    return [group(PAIR, kind)] * whole + [group(PAIR, kind, ONE[kind])] * odd


def is_thirteen_orphans(concealed: Tiles, wilds: int = 0) -> bool:
    """Whether these are 14 tiles, one of each terminal and honour and one of them twice."""
    if size(concealed) + wilds != 14 or not holds_only(concealed, ORPHANS):
        return False
    extra = size(concealed) - len(tuple(kinds_in(concealed)))
    return extra <= 1


def is_all_apart(concealed: Tiles, tile_count: int, wilds: int = 0, honours: int = 0) -> bool:
    """Whether these are so many different tiles, no two ranks of a suit closer than three.

    At least ``honours`` different honours (0 to 7) must be among them as read.
    """
    if concealed != concealed & _ONE_OF_EACH or not holds_only(concealed, _STANDING):
        return False
    if size(concealed) + wilds != tile_count:
        return False
    rooms = [_room_apart(concealed >> 36 * suit & SUIT_MASK) for suit in range(3)]
    if min(rooms) < 0:
        return False
    own_honours = size(concealed & HONOURS)
    missing_honours = max(0, honours - own_honours)
    return missing_honours <= wilds <= sum(rooms) + len(HONOUR_KINDS) - own_honours


@lru_cache(maxsize=512)
def _room_apart(suit: Tiles) -> int:
    """How many tiles more than these fit into a suit with all ranks three or more apart.

    -1 where these are closer already.
    """
    gaps = [high - low for low, high in pairwise((-3, *kinds_in(suit), 11))]
    return -1 if min(gaps) < 3 else sum([gap // 3 - 1 for gap in gaps])
