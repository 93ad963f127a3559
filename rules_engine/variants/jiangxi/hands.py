"""A winner's tiles and every way to read them that can matter (JX-71 to JX-76, JX-81).

Wilds the winner drew are free: each stands for itself or for any kind. A wild that came from
another player, or lies in a meld, is a natural tile (JX-45, JX-51).
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

from rules_engine.facts import WinFacts
from rules_engine.groups import PAIR, RUN, STANDING_KINDS, Group, group
from rules_engine.readings import (
    distinct_readings,
    is_all_sets,
    is_complete,
    standard_readings,
)
from rules_engine.readings import waits as standard_waits
from rules_engine.shapes import (
    ORPHANS,
    holds_only,
    is_all_apart,
    pairs_readings,
)
from rules_engine.tiles import (
    HONOUR_KINDS,
    ONE,
    Tiles,
    count,
    kind_of,
    kinds_in,
    of_kinds,
    parse,
    size,
)
from rules_engine.variants.jiangxi.flags import Flags, read_flags
from rules_engine.variants.jiangxi.items import ALONE, Shape, Weighed, Win, weigh
from rules_engine.variants.jiangxi.melds import Melded, melded
from rules_engine.variants.jiangxi.options import JiangxiOptions

WHOLE: Final = 14
_PAIRS: Final = 7
_STARS: Final = len(HONOUR_KINDS)
_ONE_OF_EACH: Final[Tiles] = of_kinds(STANDING_KINDS)


class Hand(Struct, frozen=True):
    """Concealed tiles with the winning tile, split into naturals and free wilds, and the melds.

    ``holds_wild``: a wild is anywhere in it, natural ones and the winning tile included.
    """

    natural: Tiles
    wilds: int
    wild: int
    melds: Melded
    holds_wild: bool

    @property
    def sets(self) -> int:
        """How many sets the concealed tiles have to make."""
        return 4 - self.melds.size

    @property
    def held(self) -> int:
        """How many tiles are concealed, the winning tile among them."""
        return size(self.natural) + self.wilds

    @property
    def needed(self) -> int:
        """How many of them a winner has."""
        return 3 * self.sets + 2

    @property
    def as_they_are(self) -> Tiles:
        """The concealed tiles with every wild itself."""
        return self.natural + self.wilds * ONE[self.wild]


class Case(Struct, frozen=True):
    """One way to read a hand; the fields that ``Win`` has too mean what they mean there.

    ``groups`` are the groups as read; of apart and nine_one there are none.
    """

    shape: Shape
    replaced: int
    groups: tuple[Group, ...] = ()
    runs: tuple[int, ...] = ()
    quad: bool = False
    real_quad: bool = False
    stars: bool = False
    orphans: bool = False


class Read(Struct, frozen=True):
    """A legal winner: its facts, its hand, the way of reading that counts, and what it is worth."""

    win: WinFacts
    hand: Hand
    case: Case
    weighed: Weighed


def make_hand(concealed: Tiles, tile: int, wild: int, melds: Melded, *, own: bool) -> Hand:
    """The hand of ``concealed`` and the winning tile; ``own``: the winner drew it."""
    wilds = count(concealed, wild) + (own and tile == wild)
    natural = concealed + ONE[tile] - wilds * ONE[wild]
    held = wilds or tile == wild or count(melds.tiles, wild)
    return Hand(natural, wilds, wild, melds, bool(held))


def hand_of(win: WinFacts, wild: int) -> Hand:
    """The hand of a winner whose texts and melds have been found good."""
    own = win.by == "zimo"
    return make_hand(parse(win.concealed), kind_of(win.tile), wild, melded(win.melds), own=own)


# --- whether it wins ------------------------------------------------------------------------------


def is_win(hand: Hand, options: JiangxiOptions) -> bool:
    """Whether a hand of as many tiles as a winner has can be read at all (JX-72 to JX-75)."""
    free = hand.wilds if options.wild_in_special else 0
    special = hand.natural if free or not hand.wilds else hand.as_they_are
    return (
        is_complete(hand.natural, hand.sets, hand.wilds)
        or (not hand.melds.size and bool(pairs_readings(hand.natural, _PAIRS, hand.wilds)))
        or (not hand.melds.size and is_all_apart(special, WHOLE, free))
        or is_nine_one(special, free, hand.melds, options)
    )


def is_win_without_bao(hand: Hand, options: JiangxiOptions) -> bool:
    """Whether it has a reading without bao (JX-76): every wild itself."""
    if hand.holds_wild and options.qing_strict:
        return False
    return is_win(hand if not hand.wilds else as_natural(hand), options)


@lru_cache(maxsize=1 << 14)
def may_complete(concealed: Tiles, melds: int) -> Tiles:
    """A tile of each kind that may complete the hand, every wild being itself: none is left out.

    Remembered, for a hand stays the same while the other seats discard. Of the rare hands that look
    like 十三浪 or 九幺 every kind is told.
    """
    odd = concealed & _ONE_OF_EACH
    apart = odd == concealed and not melds and is_all_apart(concealed, WHOLE - 1)
    if apart or holds_only(concealed, ORPHANS):
        return _ONE_OF_EACH
    found = of_kinds(standard_waits(concealed, 4 - melds))
    if not melds and odd.bit_count() == 1:
        found |= odd
    return found


def as_natural(hand: Hand) -> Hand:
    """The hand with every wild itself."""
    return Hand(hand.as_they_are, 0, hand.wild, hand.melds, hand.holds_wild)


def is_nine_one(natural: Tiles, wilds: int, melds: Melded, options: JiangxiOptions) -> bool:
    """Whether the hand is 九幺 jiu_yao: nothing but ones, nines and honours (JX-75)."""
    if not holds_only(natural, ORPHANS) or size(natural) + wilds != WHOLE - 3 * melds.size:
        return False
    return not melds.size or (options.jiu_yao_melds and not melds.chis and melds.orphans)


def is_diao(concealed: Tiles, melds: int, wild: int) -> bool:
    """宝吊头: whether tiles outside the own turn are complete sets and one lone wild (JX-60)."""
    wilds = count(concealed, wild)
    if not wilds:
        return False
    return is_all_sets(concealed - wilds * ONE[wild], 4 - melds, wilds - 1)


def waits(concealed: Tiles, melds: Melded, wild: int, options: JiangxiOptions) -> tuple[int, ...]:
    """The kinds, lowest first, an own draw of which wins; none the seat holds four of itself."""
    held = concealed + melds.tiles
    return tuple(
        [
            kind
            for kind in STANDING_KINDS
            if count(held, kind) < 4
            and is_win(make_hand(concealed, kind, wild, melds, own=True), options)
        ]
    )


# --- how it can be read ---------------------------------------------------------------------------


class Looks(Struct, frozen=True, cache_hash=True):
    """The trait of a group (``readings.Trait``): runs, wilds that replace, and no orphans.

    The last is looked at only where a club stacks JX-123.
    """

    wild: int
    stack: bool

    def __call__(self, each: Group) -> int:
        """Four bits for each of the three."""
        seen = 1 if each.shape == RUN else 0
        if each.wild_count:
            seen += (each.wild_count - count(each.wilds, self.wild)) << 4
        if self.stack and each.tiles & ~ORPHANS:
            seen += 0x100
        return seen


def cases(hand: Hand, options: JiangxiOptions) -> Iterator[Case]:
    """Every way to read the hand that can differ in what it is worth or in the wilds it replaces.

    Of ways that differ in nothing but the wilds replaced, the one with fewest is among them.
    """
    yield from _standard(hand, options)
    if not hand.melds.size:
        yield from _seven_pairs(hand)
    free = hand.wilds if options.wild_in_special else 0
    special = hand if free or not hand.wilds else as_natural(hand)
    if not hand.melds.size:
        yield from _apart(special)
    yield from _nine_one(special, options)


def _standard(hand: Hand, options: JiangxiOptions) -> Iterator[Case]:
    """Four sets and a pair (JX-72)."""
    stack = options.jiu_yao_stack
    wild = hand.wild
    if hand.wilds:
        looks = Looks(wild, stack)
        readings = distinct_readings(hand.natural, hand.sets, hand.wilds, [looks] * 4)
    else:
        readings = standard_readings(hand.natural, hand.sets)
    for reading in readings:
        groups = reading.groups
        replaced = 0
        if hand.wilds:
            home = sum([count(each.wilds, wild) for each in groups if each.wild_count])
            replaced = hand.wilds - home
        yield Case(
            "standard",
            replaced,
            groups,
            runs=hand.melds.chis + tuple([each.kind for each in reading.sets if each.shape == RUN]),
            orphans=stack
            and hand.melds.orphans
            and not any(each.tiles & ~ORPHANS for each in groups),
        )


def _seven_pairs(hand: Hand) -> Iterator[Case]:
    """Seven pairs (JX-73), once for each number of pairs of two wilds that replace.

    A pair of two wilds is itself or joins a pair of another kind, which makes a quad.
    """
    wild = hand.wild
    for reading in pairs_readings(hand.natural, _PAIRS, hand.wilds):
        own = list(reading.pairs)
        odd = sum([each.wild_count for each in own if each.kind != wild])
        natural_quad = any(count(hand.natural, kind) == 4 for kind in kinds_in(hand.natural))
        for joined in range(reading.wild_pairs + 1):
            home = [group(PAIR, wild, 2 * ONE[wild])] * (reading.wild_pairs - joined)
            # Two wilds of another kind make a pair of a kind that is there already, a quad.
            kind = next(each.kind for each in own if each.kind != wild)
            groups = [*own, *home, *[group(PAIR, kind, 2 * ONE[kind])] * joined]
            kinds = [each.kind for each in groups]
            yield Case(
                "seven_pairs",
                odd + 2 * joined,
                tuple(groups),
                quad=len(set(kinds)) < _PAIRS,
                real_quad=natural_quad or kinds.count(wild) == 2,
                orphans=all(ORPHANS & ONE[kind] for kind in kinds),
            )


def _apart(hand: Hand) -> Iterator[Case]:
    """十三浪 shi_san_lang and its seven-star form (JX-74), each with a wild itself if it can be."""
    natural, wilds = hand.natural, hand.wilds
    if not is_all_apart(natural, WHOLE, wilds):
        return
    for honours in (_STARS, 0):
        at_home = wilds > 0 and is_all_apart(natural + ONE[hand.wild], WHOLE, wilds - 1, honours)
        if at_home or is_all_apart(natural, WHOLE, wilds, honours):
            yield Case("apart", wilds - at_home, stars=honours > 0)


def _nine_one(hand: Hand, options: JiangxiOptions) -> Iterator[Case]:
    """九幺 jiu_yao and its seven-star form (JX-75); wilds stay themselves where they can."""
    if not is_nine_one(hand.natural, hand.wilds, hand.melds, options):
        return
    at_home = bool(ORPHANS & ONE[hand.wild])
    seen = hand.natural + hand.melds.tiles
    missing = [kind for kind in HONOUR_KINDS if not count(seen, kind)]
    if len(missing) <= hand.wilds:
        others = len([kind for kind in missing if kind != hand.wild])
        yield Case("nine_one", others if at_home else hand.wilds, stars=True)
    yield Case("nine_one", 0 if at_home else hand.wilds)


# --- what it is worth -----------------------------------------------------------------------------


def weigh_all(hand: Hand, win: WinFacts, options: JiangxiOptions) -> Iterator[tuple[Case, Weighed]]:
    """The hand in every reading that is open to it (JX-50, JX-81, JX-86), weighed."""
    flags = read_flags(win.flags)
    alone: Shape | None = "tian_hu" if flags.tian_hu else "di_hu" if flags.di_hu else None
    before = parse(win.concealed)
    diao = bool(hand.wilds) and is_diao(before, hand.melds.size, hand.wild)
    without_bao = win.by == "dianpao" and options.discard_win != "all"
    if without_bao and alone is None:
        # On a discard only readings without bao count, so the wilds need not be tried out.
        hand = as_natural(hand)
    for case in cases(hand, options):
        if alone is not None:
            yield case, weigh(_win(alone, case, hand, win, flags, options, diao=diao))
        made = _win(case.shape, case, hand, win, flags, options, diao=diao)
        if not (without_bao and made.with_bao):
            yield case, weigh(made)


def _win(
    shape: Shape,
    case: Case,
    hand: Hand,
    win: WinFacts,
    flags: Flags,
    options: JiangxiOptions,
    *,
    diao: bool,
) -> Win:
    """What the items look at; a first-turn win replaces nothing, whatever the reading (JX-87)."""
    own = win.by == "zimo"
    return Win(
        options=options,
        by=win.by,
        shape=shape,
        replaced=0 if shape in ALONE else case.replaced,
        holds_wild=hand.holds_wild,
        runs=case.runs,
        quad=case.quad,
        real_quad=case.real_quad,
        stars=case.stars,
        orphans=case.orphans,
        diao=diao,
        tou_ji=flags.tou_ji,
        drew_wild=own and kind_of(win.tile) == hand.wild,
        gang_kai=flags.gang_kai,
        flown=flags.flown,
        melds=hand.melds.size,
    )


def _rank(each: tuple[Case, Weighed]) -> tuple[int, int, int, int]:
    return each[1].rank


def best(hand: Hand, win: WinFacts, options: JiangxiOptions) -> tuple[Case, Weighed] | None:
    """The reading that is scored (JX-81, JX-87), or None when none is open to the hand."""
    weighed = list(weigh_all(hand, win, options))
    return weighed[0] if len(weighed) == 1 else min(weighed, key=_rank, default=None)
