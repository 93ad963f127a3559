"""A Huaiyuan hand, the ways it can be read, and which of them may win (HY-50 to HY-65, HY-81)."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, TypeAlias

from msgspec import Struct

from rules_engine.groups import RUN, STANDING_KINDS, TRIPLET, Group
from rules_engine.readings import EVERY_KIND, Reading, is_complete, standard_readings, waits
from rules_engine.shapes import has_run
from rules_engine.tiles import (
    HONOUR_KINDS,
    ONE,
    SUIT_MASK,
    Tiles,
    of_kinds,
    parse,
    size,
)
from rules_engine.variants.huaiyuan.melds import Melded
from rules_engine.variants.huaiyuan.options import HuaiyuanOptions

SETS: Final = 4
DRAGONS: Final = range(HONOUR_KINDS.stop - 3, HONOUR_KINDS.stop)
_ONE_OF_EACH: Final[Tiles] = of_kinds(STANDING_KINDS)
_ONES: Final[Tiles] = parse("1m1p1s") * 15
_NINES: Final[Tiles] = parse("9m9p9s") * 15
_HONOURS: Final[Tiles] = of_kinds(HONOUR_KINDS) * 15


class Hand(Struct, frozen=True, cache_hash=True):
    """Concealed tiles without the winning tile, the winning tile's kind, and the melds.

    ``wild``: the tile is the bao, drawn after ting, and stands for any tile waited for (HY-57).
    ``counted``: the winning tile came last, so that it can have come into a narrow wait (HY-29).
    """

    concealed: Tiles
    tile: int
    melds: Melded
    wild: bool = False
    counted: bool = True


class Case(Struct, frozen=True):
    """A hand read in one way: the kind its winning tile is read as, and its groups."""

    kind: int
    reading: Reading
    piao: bool
    form: bool
    """Whether the winning tile can be placed in a narrow wait (HY-81)."""


Check: TypeAlias = Callable[[Hand, Case, HuaiyuanOptions], bool]


def cases_with(hand: Hand, kind: int, options: HuaiyuanOptions) -> Iterator[Case]:
    """Every reading of the hand with its winning tile read as this kind."""
    melds = hand.melds
    triplets = not melds.chi and (options.special_gang_in_piao or not melds.special)
    for reading in standard_readings(hand.concealed + ONE[kind], SETS - melds.size):
        yield Case(
            kind=kind,
            reading=reading,
            piao=triplets and not has_run(reading.sets),
            form=any(is_narrow(each, kind) for each in reading.groups),
        )


@lru_cache(maxsize=1 << 12)
def is_narrow(each: Group, kind: int) -> bool:
    """HY-81: whether a tile of this kind in this group came into a 边 edge, 坎 gap or 单调 pair."""
    if each.shape != RUN:
        return each.shape != TRIPLET and each.kind == kind
    place, rank = kind - each.kind, each.kind % 9
    return place == 1 or (place == 2 and rank == 0) or (place == 0 and rank == 6)


def three_suits(hand: Hand, case: Case, options: HuaiyuanOptions) -> bool:
    """三色全 (HY-60, HY-65)."""
    if not options.require_three_suits or (case.piao and options.piao_exempt_suits_yaojiu):
        return True
    tiles = hand.concealed + ONE[case.kind] + hand.melds.tiles
    if not options.yao_jiu_dan_counts_suits:
        tiles -= hand.melds.eggs
    return all(tiles >> 36 * suit & SUIT_MASK for suit in range(3))


def one_or_nine(hand: Hand, case: Case, options: HuaiyuanOptions) -> bool:
    """不缺1,9 (HY-61, HY-65)."""
    if options.require_yaojiu == "off" or (case.piao and options.piao_exempt_suits_yaojiu):
        return True
    tiles = hand.concealed + ONE[case.kind] + hand.melds.tiles
    if tiles & _HONOURS:
        return True
    found = bool(tiles & _ONES), bool(tiles & _NINES)
    return all(found) if options.require_yaojiu == "both" else any(found)


def one_triplet(hand: Hand, case: Case, options: HuaiyuanOptions) -> bool:
    """一叉 and what waives it (HY-62)."""
    if not options.require_kezi or hand.melds.triplet or hand.melds.gangs:
        return True
    if options.kezi_exempt_dragon_pair and case.reading.pair.kind in DRAGONS:
        return True
    return any(each.shape == TRIPLET for each in case.reading.sets)


def tiles_in_hand(hand: Hand, options: HuaiyuanOptions) -> int:
    """How many tiles counted as being in hand before the winning tile (HY-64)."""
    concealed = size(hand.concealed)
    return concealed + (4 * hand.melds.an_gangs if options.shou_ba_yi_counts_an_gang else 0)


def enough_in_hand(hand: Hand, case: Case, options: HuaiyuanOptions) -> bool:
    """手把一 (HY-64)."""
    return case.piao or not options.shou_ba_yi_only_piao or tiles_in_hand(hand, options) != 1


def is_closed(melds: Melded, options: HuaiyuanOptions) -> bool:
    """门清 (HY-63)."""
    return not melds.opened and (options.special_gang_keeps_li_hu or not melds.special)


def may_be_closed(hand: Hand, case: Case, options: HuaiyuanOptions) -> bool:
    """立胡 (HY-63)."""
    return options.allow_li_hu or not is_closed(hand.melds, options)


CHECKS: Final[tuple[tuple[str, Check], ...]] = (
    ("missing_suit", three_suits),
    ("no_yaojiu", one_or_nine),
    ("no_kezi", one_triplet),
    ("shou_ba_yi", enough_in_hand),
    ("li_hu_forbidden", may_be_closed),
)
"""What a reading has to pass, with the reason given when none does (HY-56)."""


def is_whole(hand: Hand) -> bool:
    """Whether the hand is complete with its winning tile read in some way."""
    if hand.wild:
        return bool(kinds_read(hand))
    return is_complete(hand.concealed + ONE[hand.tile], SETS - hand.melds.size)


def kinds_read(hand: Hand) -> tuple[int, ...]:
    """The kinds the winning tile may be read as, lowest first (HY-57)."""
    return shape_waits(hand.concealed, hand.melds) if hand.wild else (hand.tile,)


def shape_waits(concealed: Tiles, melds: Melded) -> tuple[int, ...]:
    """The kinds that complete a hand and of which it does not hold all four itself."""
    # Four of a kind set the third of its four bits.
    four = (concealed + melds.tiles) >> 2 & _ONE_OF_EACH
    return waits(concealed, SETS - melds.size, kinds=EVERY_KIND - 4 * four)


def legal_cases(hand: Hand, options: HuaiyuanOptions) -> list[Case] | str:
    """The readings that may win, or the id of the first check none of them passes (HY-56)."""
    cases = [case for kind in kinds_read(hand) for case in cases_with(hand, kind, options)]
    if not cases:
        return "no_shape"
    for reason, check in CHECKS:
        cases = [case for case in cases if check(hand, case, options)]
        if not cases:
            return reason
    return cases


def waited_for(concealed: Tiles, melds: Melded, options: HuaiyuanOptions) -> tuple[int, ...]:
    """The waits of a hand (HY-50), lowest first."""
    return _waited_for(concealed, melds, options)


@lru_cache(maxsize=1 << 14)
def _waited_for(concealed: Tiles, melds: Melded, options: HuaiyuanOptions) -> tuple[int, ...]:
    """``waited_for``, remembered: it is asked of the same hand again and again."""
    return tuple(
        kind
        for kind in shape_waits(concealed, melds)
        if not isinstance(legal_cases(Hand(concealed, kind, melds), options), str)
    )


def has_wait(concealed: Tiles, melds: Melded, options: HuaiyuanOptions) -> bool:
    """Whether the hand waits for anything."""
    return bool(waited_for(concealed, melds, options))


def is_narrow_wait(hand: Hand, case: Case, options: HuaiyuanOptions) -> bool:
    """HY-81 as the club counts it: the form of the wait, its being the only one, or both."""
    rule = options.jia_hu_rule
    if not hand.counted or (rule in ("form", "both") and not case.form):
        return False
    if rule == "form" or (rule == "either" and case.form):
        return True
    return len(waited_for(hand.concealed, hand.melds, options)) == 1
