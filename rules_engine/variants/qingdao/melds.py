"""The melds of Qingdao mahjong: claimed sets, gangs, and niu groups (QD-25 to QD-41)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from rules_engine.errors import Violation, no
from rules_engine.facts import Meld
from rules_engine.tiles import (
    KIND,
    NAMES,
    ONE,
    SUITED_KINDS,
    Tiles,
    count,
    full_set,
    kinds_in,
    parse,
    size,
    write,
)
from rules_engine.variants.qingdao.options import QingdaoOptions

NO_HUN: Final = -1
"""Stands for the hun kind where the game has none."""
STANDING: Final[Tiles] = full_set(range(34))
"""The 136 tiles without flowers (QD-4)."""
Group: TypeAlias = Literal["zfb", "dnxb", "dny"]
"""The name of a niu group (QD-39)."""
GANGS: Final = frozenset({"ming_gang", "bu_gang", "an_gang"})
NIU_GROUPS: Final[Mapping[Group, Tiles]] = {
    "zfb": parse("567z"),
    "dnxb": parse("1234z"),
    "dny": parse("1s12z"),
}
"""The groups of QD-39 with their tiles."""
HUN_GROUPS: Final = frozenset({"zfb", "dnxb"})
"""The groups in which a hun may stand for one tile (QD-40)."""
FLOWER_PAIRS: Final[tuple[Tiles, Tiles]] = (parse("12f"), parse("34f"))
"""The pairs of flowers (QD-5)."""


class Melded(Struct, frozen=True):
    """What a seat's melds are, known to be good.

    ``chis`` holds the lowest kinds of its runs, ``triplets`` the kinds of its peng and gangs,
    ``niu`` the number of its niu groups, ``tiles`` all tiles in them.
    """

    size: int
    chis: tuple[int, ...]
    triplets: tuple[int, ...]
    niu: int
    gangs: tuple[Meld, ...]
    tiles: Tiles


@lru_cache(maxsize=256)
def all_tiles(options: QingdaoOptions) -> Tiles:
    """Every tile of the game: 136 and the flowers in play (QD-4, QD-5)."""
    return STANDING + parse("1234f"[: options.flowers] + "f" if options.flowers else "")


def niu_group(tiles: Tiles, hun: int, options: QingdaoOptions) -> Group | None:
    """The group these laid tiles are (QD-39, QD-40), a hun standing for a missing tile, or None."""
    for name, full in NIU_GROUPS.items():
        if tiles == full:
            return name
        if hun == NO_HUN or size(tiles) != size(full):
            continue
        natural = tiles & ~(15 << 4 * hun)
        if full >> 4 * hun & 15:
            natural += ONE[hun] * min(1, count(tiles, hun))
        missing = size(full) - size(natural)
        allowed = missing <= 1 and name in HUN_GROUPS
        if options.niu_hun == "any":
            allowed = missing < size(full)
        if allowed and natural & full == natural:
            return name
    return None


def melded(melds: tuple[Meld, ...]) -> Melded:
    """The melds of a seat in the form the items look at."""
    if not melds:
        return NO_MELDS
    chis, triplets, niu, tiles = [], [], 0, 0
    for meld in melds:
        bag = parse(meld.tiles)
        tiles += bag
        if meld.kind == "niu":
            niu += 1
        elif meld.kind == "chi":
            chis.append(next(kinds_in(bag)))
        else:
            triplets.append(KIND[meld.tiles[0] + meld.tiles[-1]])
    gangs = tuple([meld for meld in melds if meld.kind in GANGS])
    return Melded(len(melds), tuple(chis), tuple(triplets), niu, gangs, tiles)


NO_MELDS: Final = Melded(0, (), (), 0, (), 0)


def bad_melds(
    seat: int, melds: tuple[Meld, ...], hun: int, options: QingdaoOptions
) -> Violation | None:
    """The first thing wrong with a seat's melds, or None."""
    if len(melds) > 4:
        return no("bad_meld", "QD-60", seat, "More than four melds.", 4, len(melds))
    groups: set[Group] = set()
    for meld in melds:
        tiles = parse(meld.tiles)
        if meld.kind == "niu":
            found = _bad_niu(seat, meld, tiles, groups, hun, options)
        else:
            found = _bad_set(seat, meld, tiles, hun)
        if found is not None:
            return found
    chis = len([meld for meld in melds if meld.kind == "chi"])
    if chis > options.chi_max:
        message = f"A seat may have {options.chi_max} chi melds here."
        return no("chi_max", "QD-25", seat, message, options.chi_max, chis)
    return None


def _bad_niu(
    seat: int, meld: Meld, tiles: Tiles, groups: set[Group], hun: int, options: QingdaoOptions
) -> Violation | None:
    """QD-39 to QD-41: a niu is one of the groups, each once, from nobody."""
    if not options.niu:
        return no("niu_forbidden", "QD-39", seat, "This club plays without niu.", None, meld.tiles)
    group = niu_group(tiles, hun, options)
    if group is None or meld.from_ is not None:
        message = f"{meld.tiles} is no niu group laid from the own hand."
        allowed = [write(group) for group in NIU_GROUPS.values()]
        return no("bad_niu", "QD-40", seat, message, allowed, meld.tiles)
    if group in groups:
        return no("bad_niu", "QD-39", seat, f"The group {group} is laid twice.", 1, 2)
    groups.add(group)
    return None


def _bad_set(seat: int, meld: Meld, tiles: Tiles, hun: int) -> Violation | None:
    """QD-25 to QD-27, QD-35, QD-36: the tiles and the source of a chi, a peng or a gang."""
    kind = next(kinds_in(tiles), NO_HUN)
    if hun != NO_HUN and count(tiles, hun):
        message = f"The hun {NAMES[hun]} takes no part in a {meld.kind}."
        return no("hun_claim", "QD-27", seat, message, f"no {NAMES[hun]}", meld.tiles)
    if meld.kind == "chi":
        good = meld.from_ == (seat - 1) % 4 and kind < SUITED_KINDS - 2 and kind % 9 < 7
        good = good and tiles == ONE[kind] * 0x111
    elif meld.kind == "peng":
        good = meld.from_ not in (None, seat) and tiles == 3 * ONE[kind]
    elif meld.kind in GANGS:
        claimed = meld.from_ not in (None, seat)
        good = tiles == 4 * ONE[kind] and claimed == (meld.kind != "an_gang")
        good = good and (claimed or meld.from_ is None)
    else:
        good = False
    if good:
        return None
    return no(
        "bad_meld",
        "QD-25" if meld.kind == "chi" else "QD-26",
        seat,
        f"{meld.kind} {meld.tiles} from {meld.from_} is no meld of this game.",
        "a run from the seat before, three or four of a kind, or a niu group",
        {"kind": meld.kind, "tiles": meld.tiles, "from": meld.from_},
    )
