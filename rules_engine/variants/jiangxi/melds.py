"""The melds of the bao game: chi, peng and the gangs (JX-40 to JX-46)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from rules_engine.errors import Violation, no
from rules_engine.facts import Meld
from rules_engine.shapes import ORPHANS, holds_only
from rules_engine.tiles import (
    HONOUR_KINDS,
    NAMES,
    ONE,
    SUITED_KINDS,
    Tiles,
    count,
    full_set,
    kinds_in,
    parse,
)
from rules_engine.variants.jiangxi.options import JiangxiOptions

ALL_TILES: Final[Tiles] = full_set(range(HONOUR_KINDS.stop))
"""The 136 tiles of the game (JX-10)."""
GANGS: Final[Mapping[str, str]] = {
    "an_gang": "gang_an",
    "bu_gang": "gang_bu",
    "ming_gang": "gang_ming",
}
"""The kinds of gang with the option that holds the price of each (JX-90)."""


class Melded(Struct, frozen=True):
    """The melds of a hand summed up: how many, all their tiles, and the lowest kinds of the chi."""

    size: int
    tiles: Tiles
    chis: tuple[int, ...]

    @property
    def orphans(self) -> bool:
        """Whether they hold nothing but ones, nines and honours."""
        return holds_only(self.tiles, ORPHANS)


@lru_cache(maxsize=1 << 14)
def melded(melds: tuple[Meld, ...]) -> Melded:
    """The sum of melds that have been found good."""
    return Melded(
        size=len(melds),
        tiles=sum(parse(meld.tiles) for meld in melds),
        chis=tuple([next(kinds_in(parse(meld.tiles))) for meld in melds if meld.kind == "chi"]),
    )


def bad_meld(
    seat: int, melds: tuple[Meld, ...], wild: int, options: JiangxiOptions
) -> Violation | None:
    """The first of a seat's melds that cannot be, or None."""
    if len(melds) > 4:
        return no("bad_meld", "JX-72", seat, "More than four melds.", 4, len(melds))
    for meld in melds:
        objection = _objection(seat, meld)
        if objection:
            rule, wanted = objection
            message = f"{meld.kind} {meld.tiles} cannot be: {wanted}."
            given = {"kind": meld.kind, "tiles": meld.tiles, "from": meld.from_}
            return no("bad_meld", rule, seat, message, wanted, given)
        wilds = count(parse(meld.tiles), wild)
        if wilds > 1 and meld.kind != "an_gang" and not options.claim_wild:
            message = "A discarded bao cannot be claimed."
            return no("wild_not_claimable", "JX-46", seat, message, "no bao", NAMES[wild])
    return None


def _objection(seat: int, meld: Meld) -> tuple[str, str] | None:
    """The rule a meld breaks and what it should be, or None."""
    tiles = parse(meld.tiles)
    kinds = list(kinds_in(tiles))
    low = kinds[0] if kinds else 0
    if meld.kind == "chi":
        run = tiles == ONE[low] + ONE[low + 1] + ONE[low + 2] and kinds[-1] < SUITED_KINDS
        if not run or low // 9 != kinds[-1] // 9 or meld.from_ != (seat - 1) % 4:
            return "JX-40", "a chi is a run of one suit from the seat before"
    elif meld.kind == "peng":
        if tiles != 3 * ONE[low] or meld.from_ in (None, seat):
            return "JX-41", "a peng is three equal tiles, one from another seat"
    elif meld.kind not in GANGS:
        return "JX-42", "the melds are chi, peng, ming_gang, bu_gang and an_gang"
    elif tiles != 4 * ONE[low]:
        return "JX-42", "a gang is four equal tiles"
    elif meld.kind == "an_gang" and meld.from_ is not None:
        return "JX-42", "an an_gang has no from"
    elif meld.kind == "ming_gang" and meld.from_ is None:
        return "JX-42", "a ming_gang names the seat of the discard"
    elif meld.from_ == seat:
        return "JX-42", "a tile is claimed from another seat"
    return None
