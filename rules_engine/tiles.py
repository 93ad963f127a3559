"""Tiles in mpsz notation and the two shapes they take in the engine.

A **kind** is an int 0..41, one number for the four (flowers: one) tiles that look alike::

    0..8   1m..9m wan 万      27..33  1z..7z East South West North white green red
    9..17  1p..9p bing 饼     34..41  1f..8f flowers 梅兰竹菊春夏秋冬
    18..26 1s..9s tiao 条

A **Tiles** is a bag of tiles: how many there are of each kind, four bits a kind, packed in one int
(kind ``k`` in bits ``4k..4k+3``). It is immutable and hashable, adding and taking away are integer
operations, and the nine kinds of a suit are one slice of 36 bits, which is what the reader of hands
looks up. At most 15 tiles of a kind fit; no game comes near it, and ``has`` guards every taking
away.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

Tiles = int
"""A bag of tiles: counts by kind, four bits each."""

SUITS: Final = "mpszf"
SUIT_SIZES: Final = {"m": 9, "p": 9, "s": 9, "z": 7, "f": 8}
KINDS: Final = 42
SUITED_KINDS: Final = 27
HONOUR_KINDS: Final = range(27, 34)
FLOWER_KINDS: Final = range(34, 42)
NAMES: Final[tuple[str, ...]] = tuple(
    f"{rank}{suit}" for suit in SUITS for rank in range(1, SUIT_SIZES[suit] + 1)
)
KIND: Final[dict[str, int]] = {name: kind for kind, name in enumerate(NAMES)}
"""Name of a tile (``"5m"``) to its kind."""
ONE: Final[tuple[Tiles, ...]] = tuple(1 << (4 * kind) for kind in range(KINDS))
"""The bag that holds a single tile of a kind."""
EMPTY: Final[Tiles] = 0
SUIT_MASK: Final = (1 << 36) - 1
FLOWERS_MASK: Final = sum(15 << (4 * kind) for kind in FLOWER_KINDS)
_EVEN_KINDS: Final = sum(15 << (4 * kind) for kind in range(0, KINDS, 2))
_EIGHTS: Final = sum(8 << (4 * kind) for kind in range(KINDS))
_SHOWN_LENGTH: Final = 60
_GUARDS: Final = sum(16 << (4 * kind) for kind in range(0, KINDS, 2))


class BadTiles(ValueError):
    """A text that is not tiles in mpsz notation; the message says what is wrong with it."""


def _shown(text: str) -> str:
    """The text as an error message shows it: quoted, and cut when it is long."""
    return repr(text if len(text) <= _SHOWN_LENGTH else text[:_SHOWN_LENGTH] + "…")


def kind_of(name: str) -> int:
    """The kind of one tile name such as ``"5m"``. Raises BadTiles."""
    kind = KIND.get(name)
    if kind is None:
        message = f"{_shown(name)} is not a tile: write a rank and one of m, p, s, z, f, such as 5m"
        raise BadTiles(message)
    return kind


def names(text: str) -> tuple[str, ...]:
    """Tile names of a compact text, in order: ``"123m55z"`` is 1m 2m 3m 5z 5z. Raises BadTiles."""
    found: list[str] = []
    ranks = ""
    for letter in text:
        if letter.isdigit():
            ranks += letter
        elif letter in SUIT_SIZES and ranks:
            found.extend(f"{rank}{letter}" for rank in ranks)
            ranks = ""
        else:
            raise BadTiles(
                f"{_shown(text)} is not tiles: {letter!r} stands where a rank or suit should"
            )
    if ranks:
        raise BadTiles(f"{_shown(text)} is not tiles: {_shown(ranks)} has no suit letter behind it")
    for name in found:
        kind_of(name)
    return tuple(found)


_RANK_ONES: Final = dict.fromkeys(SUITS, 0) | {str(r): 1 << 4 * (r - 1) for r in range(1, 10)}
_PLACES: Final = {suit: 4 * KIND[f"1{suit}"] for suit in SUITS}
_THREE_OF_EACH: Final = sum(3 * one for one in ONE)
_FLOWER_TWICE: Final = FLOWERS_MASK // 15 * 14


def _plain(text: str) -> Tiles | None:
    """What ``parse`` reads, quickly; None where anything is wrong and has to be found out.

    Five of a kind and more set the highest of its four bits, before or after three are added. More
    than fit into them are found by the size of the bag.
    """
    tiles = ranks = suits = 0
    try:
        for letter in text:
            one = _RANK_ONES[letter]
            if one:
                ranks += one
            elif not ranks or ranks >> 4 * SUIT_SIZES[letter]:
                return None
            else:
                tiles += ranks << _PLACES[letter]
                ranks = 0
                suits += 1
    except KeyError:
        return None
    too_many = (tiles | tiles + _THREE_OF_EACH) & _EIGHTS or tiles & _FLOWER_TWICE
    return None if ranks or too_many or size(tiles) != len(text) - suits else tiles


@lru_cache(maxsize=65536)
def parse(text: str) -> Tiles:
    """The bag a compact text writes: ``"123m55z"``. Raises BadTiles, also for five of a kind."""
    plain = _plain(text)
    if plain is None:
        raise _fault(text)
    return plain


def _fault(text: str) -> BadTiles:
    """What is wrong with a text that ``_plain`` does not read."""
    try:
        found = names(text)
    except BadTiles as error:
        return error
    over = next(name for name in found if found.count(name) > (1 if name[-1] == "f" else 4))
    return BadTiles(f"{_shown(text)} holds more of {over} than there are")


@lru_cache(maxsize=65536)
def write(tiles: Tiles) -> str:
    """The compact text of a bag, in the order m p s z f: the inverse of ``parse``."""
    parts = []
    for suit, place in _PLACES.items():
        ranks = tiles >> place & (1 << 4 * SUIT_SIZES[suit]) - 1
        if ranks:
            for rank in "123456789":
                if ranks & 15:
                    parts.append(rank * (ranks & 15))
                ranks >>= 4
            parts.append(suit)
    return "".join(parts)


def count(tiles: Tiles, kind: int) -> int:
    """How many tiles of a kind the bag holds."""
    return tiles >> 4 * kind & 15


def has(tiles: Tiles, part: Tiles) -> bool:
    """Whether the bag holds every tile of ``part``, so that ``tiles - part`` is a bag.

    Every second kind at a time gets the bit above it as a guard, which a count too small borrows.
    """
    even = (tiles & _EVEN_KINDS | _GUARDS) - (part & _EVEN_KINDS)
    odd = (tiles >> 4 & _EVEN_KINDS | _GUARDS) - (part >> 4 & _EVEN_KINDS)
    return even & odd & _GUARDS == _GUARDS


def size(tiles: Tiles) -> int:
    """How many tiles the bag holds, exact up to 254; a game has 144.

    Each two kinds share a byte for their sum, and 256 leaves one when divided by 255, so that a
    number leaves the sum of its bytes.
    """
    return ((tiles & _EVEN_KINDS) + (tiles >> 4 & _EVEN_KINDS)) % 255


def kinds_in(tiles: Tiles) -> Iterator[int]:
    """The kinds of which the bag holds at least one tile, lowest first."""
    while tiles:
        shift = ((tiles & -tiles).bit_length() - 1) & ~3
        yield shift >> 2
        tiles &= ~(15 << shift)


def of_kinds(kinds: Iterable[int]) -> Tiles:
    """The bag of these tiles, given as kinds with repetition."""
    return sum([ONE[kind] for kind in kinds])


def full_set(kinds: Iterable[int]) -> Tiles:
    """Every tile of these kinds: four of each, one of each flower."""
    return sum(ONE[kind] * (1 if kind in FLOWER_KINDS else 4) for kind in kinds)


def rank_of(kind: int) -> int:
    """1..9 in a suit, 1..7 for honours, 1..8 for flowers."""
    if kind < SUITED_KINDS:
        return kind % 9 + 1
    return kind - (HONOUR_KINDS.start if kind < FLOWER_KINDS.start else FLOWER_KINDS.start) + 1
