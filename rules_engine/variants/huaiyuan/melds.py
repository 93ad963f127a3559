"""The melds of Huaiyuan mahjong: claimed sets, gangs and special gangs (HY-30, HY-40, HY-48)."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from rules_engine.errors import Violation, no
from rules_engine.facts import Meld
from rules_engine.tiles import (
    HONOUR_KINDS,
    KIND,
    ONE,
    SUITED_KINDS,
    Tiles,
    full_set,
    has,
    kinds_in,
    parse,
    size,
)
from rules_engine.variants.huaiyuan.options import HuaiyuanOptions

ALL_TILES: Final[Tiles] = full_set(range(HONOUR_KINDS.stop))
"""The 136 tiles of the game (HY-10)."""
SPECIAL: Final[Mapping[str, Tiles]] = {
    "xuanfeng_gang": parse("1234z"),
    "xi_gang": parse("567z"),
    "yao_dan": parse("1m1p1s"),
    "jiu_dan": parse("9m9p9s"),
}
"""The special gangs with their base sets; any tile of a base set may be added (HY-40)."""
EGGS: Final = frozenset({"yao_dan", "jiu_dan"})
OPEN_GANGS: Final = frozenset({"ming_gang", "bu_gang"})
GANGS: Final = OPEN_GANGS | {"an_gang"}
BIG_EGGS: Final = frozenset(KIND[name] for name in ("1s", "1p", "5z", "6z", "7z"))
"""The kinds whose ordinary gangs are 大蛋 da_dan (HY-104)."""


class Melded(Struct, frozen=True, cache_hash=True):
    """The melds of a seat summed up.

    ``tiles`` all tiles in them, ``eggs`` those of yao_dan and jiu_dan. ``chi``, ``triplet``,
    ``special``, ``opened``: whether there is a chi; a peng; a special gang; a meld other than
    an_gang and special gangs. ``gangs`` and ``an_gangs`` count, special gangs among the former.
    """

    size: int
    tiles: Tiles
    eggs: Tiles
    chi: bool
    triplet: bool
    special: bool
    opened: bool
    gangs: int
    an_gangs: int


@lru_cache(maxsize=1 << 14)
def melded(melds: tuple[Meld, ...]) -> Melded:
    """The sum of melds that have been found good."""
    kinds = [meld.kind for meld in melds]
    return Melded(
        size=len(melds),
        tiles=sum(parse(meld.tiles) for meld in melds),
        eggs=sum(parse(meld.tiles) for meld in melds if meld.kind in EGGS),
        chi="chi" in kinds,
        triplet="peng" in kinds,
        special=any(kind in SPECIAL for kind in kinds),
        opened=any(kind != "an_gang" and kind not in SPECIAL for kind in kinds),
        gangs=sum(kind in GANGS or kind in SPECIAL for kind in kinds),
        an_gangs=kinds.count("an_gang"),
    )


def domain(kind: str) -> Tiles:
    """Every tile a special gang of this kind can be made of."""
    return SPECIAL[kind] * 4


def added(meld: Meld) -> int:
    """How many tiles have been added to a special gang."""
    return size(parse(meld.tiles)) - size(SPECIAL[meld.kind])


def is_enabled(kind: str, options: HuaiyuanOptions) -> bool:
    """Whether this club plays a special gang (HY-40)."""
    enabled: bool = getattr(options, f"enable_{kind}")
    return enabled


def bad_melds(seat: int, melds: tuple[Meld, ...], options: HuaiyuanOptions) -> Violation | None:
    """``bad_meld`` of HY-56 for one seat, or None."""
    if len(melds) > 4:
        return _bad(seat, "HY-41", "There are more than four melds.", 4, len(melds))
    if any(not _is_good(seat, meld, options) for meld in melds):
        meld = next(meld for meld in melds if not _is_good(seat, meld, options))
        rule = "HY-40" if meld.kind in SPECIAL else "HY-30"
        given = {"kind": meld.kind, "tiles": meld.tiles, "from": meld.from_}
        message = f"{meld.kind} {meld.tiles} from {meld.from_} is no meld of this game."
        expected = "a run of one suit, like tiles, or the whole set of a special gang"
        return _bad(seat, rule, message, expected, given)
    twice = _twice(meld.kind for meld in melds if meld.kind in SPECIAL)
    if twice is not None:
        return _bad(seat, "HY-41", f"There are two {twice}.", 1, 2)
    return None


def _twice(kinds: Iterable[str]) -> str | None:
    """The first of these that is there twice."""
    seen: set[str] = set()
    for kind in kinds:
        if kind in seen:
            return kind
        seen.add(kind)
    return None


def _is_good(seat: int, meld: Meld, options: HuaiyuanOptions) -> bool:
    """Whether a meld can exist: its tiles, and where it came from."""
    tiles = parse(meld.tiles)
    if meld.kind in SPECIAL:
        whole = has(tiles, SPECIAL[meld.kind]) and has(domain(meld.kind), tiles)
        return whole and meld.from_ is None and is_enabled(meld.kind, options)
    kind = next(kinds_in(tiles), HONOUR_KINDS.stop)
    if meld.kind == "an_gang":
        return tiles == 4 * ONE[kind] and meld.from_ is None
    if meld.from_ in (None, seat):
        return False
    if meld.kind == "chi":
        near = options.chi_from == "any" or meld.from_ == (seat - 1) % 4
        return near and kind < SUITED_KINDS and kind % 9 < 7 and tiles == ONE[kind] * 0x111
    copies = 3 if meld.kind == "peng" else 4
    return (meld.kind == "peng" or meld.kind in OPEN_GANGS) and tiles == copies * ONE[kind]


def _bad(seat: int, rule: str, message: str, expected: object, actual: object) -> Violation:
    """A refusal of one seat's melds."""
    return no("bad_meld", rule, seat, message, expected, actual)
