"""Melds of Rui'an mahjong: what may lie on the table, and what it is worth beside the hand."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from rules_engine.errors import Violation, no
from rules_engine.facts import Meld
from rules_engine.shapes import ORPHANS
from rules_engine.table import NOTHING
from rules_engine.tiles import KIND, ONE, SUITED_KINDS, Tiles, kinds_in, parse, size

FA: Final = KIND["6z"]
ZHONG: Final = KIND["7z"]
WHITE: Final = KIND["5z"]
EAST: Final = KIND["1z"]
WINDS: Final = tuple(range(EAST, EAST + 4))
GANGS: Final = frozenset({"ming_gang", "bu_gang", "an_gang"})
SETS: Final = 5
"""Groups of a complete hand beside its pair (RA-40)."""
_SIZES: Final[Mapping[str, int]] = {
    "chi": 3,
    "peng": 3,
    "ming_gang": 4,
    "bu_gang": 4,
    "an_gang": 4,
}
_HU: Final[Mapping[str, int]] = {"peng": 2, "ming_gang": 8, "bu_gang": 8, "an_gang": 16}
"""What a simple one is worth; terminals and honours count double (RA-56, RA-58)."""
_CLAIMED: Final = frozenset({"chi", "peng", "ming_gang", "bu_gang"})
NO_MELDS: Final[tuple[Meld, ...]] = ()


class Melded(Struct, frozen=True):
    """The melds of one seat, counted.

    ``sets`` holds the kind of each triplet and gang, ``tiles`` all tiles. The three pairs of counts
    have the simple ones (2 to 8 of a suit) first and the terminals and honours second (RA-56).
    ``gangs`` counts gangs of all sorts, ``hu`` is what the melds add in hu (RA-56, RA-58).
    """

    size: int = 0
    chis: int = 0
    sets: tuple[int, ...] = ()
    pengs: tuple[int, int] = (0, 0)
    open_gangs: tuple[int, int] = (0, 0)
    an_gangs: tuple[int, int] = (0, 0)
    gangs: int = 0
    tiles: Tiles = 0
    hu: int = 0


def is_yao(kind: int) -> bool:
    """Whether a triplet of this kind counts double: a terminal or an honour (RA-56)."""
    return bool(ORPHANS & ONE[kind])


def flower_kind(wild: int, flower_when_white_wild: str) -> int:
    """The flower of the hand: the white, or what takes its place when it is the wild (RA-9)."""
    if wild != WHITE:
        return WHITE
    return ZHONG if flower_when_white_wild == "7z" else NOTHING


def own_wind(seat: int, dealer: int) -> int:
    """The kind of a seat's wind (RA-13)."""
    return EAST + (seat - dealer) % 4


@lru_cache(maxsize=4096)
def melded(melds: tuple[Meld, ...]) -> Melded:
    """The melds counted. Of a triplet or gang that is none of this game only the tiles are."""
    pengs, open_gangs, an_gangs = [0, 0], [0, 0], [0, 0]
    counts = {"peng": pengs, "ming_gang": open_gangs, "bu_gang": open_gangs, "an_gang": an_gangs}
    chis = hu = 0
    sets = []
    tiles = 0
    for meld in melds:
        kind, text = meld.kind, meld.tiles
        tiles += parse(text)
        if kind == "chi":
            chis += 1
        elif _is_meld(kind, text):
            tile = KIND[text[0] + text[-1]]
            yao = is_yao(tile)
            sets.append(tile)
            counts[kind][yao] += 1
            hu += _HU[kind] << yao
    return Melded(
        size=len(melds),
        chis=chis,
        sets=tuple(sets),
        pengs=(pengs[0], pengs[1]),
        open_gangs=(open_gangs[0], open_gangs[1]),
        an_gangs=(an_gangs[0], an_gangs[1]),
        gangs=sum(open_gangs) + sum(an_gangs),
        tiles=tiles,
        hu=hu,
    )


def bad_meld(seat: int, melds: tuple[Meld, ...]) -> Violation | None:
    """The first meld that is none of this game, or None."""
    if len(melds) > SETS:
        return _no(seat, f"{len(melds)} melds are more than a hand has.", SETS, len(melds))
    for meld in melds:
        if meld.kind not in _SIZES:
            return _no(seat, f"There is no meld {meld.kind!r}.", sorted(_SIZES), meld.kind)
        if not _is_meld(meld.kind, meld.tiles):
            return _no(seat, f"{meld.tiles} is not a {meld.kind}.", meld.kind, meld.tiles)
        if meld.from_ is not None and (meld.from_ == seat or meld.kind not in _CLAIMED):
            return _no(seat, f"A {meld.kind} is not from seat {meld.from_}.", None, meld.from_)
    return None


def is_meld(kind: str, tiles: Tiles) -> bool:
    """Whether these tiles are a meld of this kind, and the game has the kind."""
    kinds = list(kinds_in(tiles))
    if size(tiles) != _SIZES.get(kind) or kinds[-1] >= KIND["1f"]:
        return False
    if kind != "chi":
        return len(kinds) == 1
    low = kinds[0]
    in_suit = low < SUITED_KINDS and low // 9 == kinds[-1] // 9
    return len(kinds) == 3 and in_suit and kinds[-1] == low + 2


@lru_cache(maxsize=4096)
def _is_meld(kind: str, text: str) -> bool:
    """``is_meld`` of tiles as they are written."""
    return is_meld(kind, parse(text))


def _no(seat: int, message: str, expected: object, actual: object) -> Violation:
    """The refusal of a meld."""
    return no("bad_meld", "RA-40", seat, message, expected, actual)
