"""A winner's tiles and every way to read them (QD-60 to QD-64): shapes and choices of hun."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

from rules_engine.facts import WinFacts
from rules_engine.groups import PAIR, RUN, STANDING_KINDS, Group
from rules_engine.readings import distinct_readings, is_complete, standard_readings
from rules_engine.readings import waits as standard_waits
from rules_engine.shapes import (
    HONOURS,
    ORPHANS,
    holds_only,
    is_thirteen_orphans,
    pairs_readings,
    suit_sizes,
)
from rules_engine.tiles import ONE, Tiles, count, has, kind_of, kinds_in, parse, size, write
from rules_engine.variants.qingdao.flags import HIDDEN, huang_factor, huang_run
from rules_engine.variants.qingdao.items import DRAGONS, Case, Weighed, Win, weigh
from rules_engine.variants.qingdao.melds import (
    FLOWER_PAIRS,
    NO_HUN,
    STANDING,
    Melded,
    melded,
)
from rules_engine.variants.qingdao.options import QingdaoOptions

_PAIRS: Final = 7
_STANDING_BITS: Final = (1 << 4 * 34) - 1


class Hand(Struct, frozen=True):
    """A winner's tiles: the concealed ones with the winning tile, split into naturals and hun.

    ``tile`` is the kind won with, ``hun`` the kind of the hun or ``NO_HUN``.
    """

    natural: Tiles
    wilds: int
    tile: int
    hun: int
    melds: Melded


def hand_of(win: WinFacts, hun: int) -> Hand:
    """The parsed tiles of a winner whose texts and melds have been found good."""
    tile = kind_of(win.tile)
    concealed = parse(win.concealed) + ONE[tile]
    wilds = 0 if hun == NO_HUN else count(concealed, hun)
    natural = concealed - wilds * ONE[hun] if wilds else concealed
    return Hand(natural, wilds, tile, hun, melded(win.melds))


def has_yao(natural: Tiles, wilds: int, melds: int, options: QingdaoOptions) -> bool:
    """Whether the hand is 十三幺 (QD-91): no meld, terminals and honours only, in one mode."""
    if options.mode != "quan_dai_jiang" or melds or wilds or not options.values.shi_san_yao:
        return False
    if options.shi_san_yao == "classic":
        return is_thirteen_orphans(natural)
    return holds_only(natural, ORPHANS) and size(natural) == 14


def winning_shape(natural: Tiles, wilds: int, melds: int, options: QingdaoOptions) -> bool:
    """Whether the tiles and so many hun are one of the shapes of QD-60."""
    return (
        is_complete(natural, 4 - melds, wilds)
        or (not melds and bool(pairs_readings(natural, _PAIRS, wilds)))
        or has_yao(natural, wilds, melds, options)
    )


def waits(hand: Hand, held: Tiles, options: QingdaoOptions) -> tuple[int, ...]:
    """The kinds, lowest first, that complete a hand one tile short (its ``tile`` is not looked at).

    ``held`` are all tiles the seat itself has; a kind of which it has all four is no wait (QD-57).
    """
    kinds = STANDING - (held & _STANDING_BITS)
    return _waits(hand.natural, hand.wilds, hand.hun, hand.melds.size, kinds, options)


@lru_cache(maxsize=1 << 14)
def _waits(
    natural: Tiles, wilds: int, hun: int, melds: int, kinds: Tiles, options: QingdaoOptions
) -> tuple[int, ...]:
    """``waits`` among the tiles ``kinds`` that the seat does not hold."""
    found = set(standard_waits(natural, 4 - melds, wilds, kinds))
    if not melds:
        for pairs in pairs_readings(natural, _PAIRS, wilds + 1):
            odd = [each.kind for each in pairs.pairs if each.wild_count]
            found.update(odd if len(odd) > wilds else STANDING_KINDS)
    found.update(
        kind for kind in kinds_in(ORPHANS) if has_yao(natural + ONE[kind], wilds, melds, options)
    )
    if hun != NO_HUN:
        found.discard(hun)
        if winning_shape(natural, wilds + 1, melds, options):
            found.add(hun)
    return tuple([kind for kind in sorted(found) if count(kinds, kind)])


def _trait(each: Group) -> int:
    """What the items of a game with hun look at: runs, and sets and pairs of hun only."""
    if each.shape == PAIR:
        return 0x10 if each.wild_count == 2 else 0
    if each.wild_count == 3:
        return 0x100
    return 1 if each.shape == RUN else 0


def cases(hand: Hand, options: QingdaoOptions) -> Iterator[Case]:
    """Every way to read the hand that can differ in worth."""
    sets = 4 - hand.melds.size
    if hand.wilds:
        readings = distinct_readings(hand.natural, sets, hand.wilds, [_trait] * 4)
    else:
        readings = standard_readings(hand.natural, sets)
    for reading in readings:
        yield Case("standard", reading.groups)
    if not hand.melds.size:
        for pairs in pairs_readings(hand.natural, _PAIRS, hand.wilds):
            own = len(pairs.doubled_kinds)
            # A pair of two hun may repeat another pair or not, and so double a kind (QD-64).
            for doubled in range(own, min(own + pairs.wild_pairs, 3) + 1):
                yield Case("seven_pairs", pairs.pairs, doubled, pairs.wild_pairs)
    if has_yao(hand.natural, hand.wilds, hand.melds.size, options):
        yield Case("shi_san_yao")


def weigh_all(hand: Hand, win: WinFacts, options: QingdaoOptions) -> Iterator[Weighed]:
    """The hand in every reading, weighed."""
    flowers = parse(win.flowers) if win.flowers else 0
    ming_hua, an_hua = flower_pairs(flowers, win.flags, options)
    owned = hand.natural + hand.melds.tiles
    suits = suit_sizes(owned)
    dragons = sum([count(owned, kind) for kind in DRAGONS]) if owned & HONOURS else 0
    factor = huang_factor(huang_run(win.flags), options)
    for case in cases(hand, options):
        standard = case.shape == "standard"
        sets = case.groups[:-1] if standard else ()
        of_hun = [each for each in sets if each.wild_count == 3] if hand.wilds else ()
        made = Win(
            options=options,
            by=win.by,
            flags=win.flags,
            huang_factor=factor,
            case=case,
            melds=hand.melds.size,
            niu=hand.melds.niu,
            chis=hand.melds.chis,
            runs=tuple([g.kind for g in sets if g.shape == RUN and g.wild_count < 3]),
            triplets=(*hand.melds.triplets, *[g.kind for g in sets if g.shape != RUN]),
            hun_sets=len(of_hun),
            hun_pair=standard and case.groups[-1].wild_count == 2,
            won_with_hun=hand.tile == hand.hun,
            suits=suits,
            dragons=dragons,
            ming_hua=ming_hua,
            an_hua=an_hua,
        )
        yield weigh(made)


def best(hand: Hand, win: WinFacts, options: QingdaoOptions) -> Weighed | None:
    """The reading that counts (QD-62), or None when the tiles have no winning shape."""
    weighed = list(weigh_all(hand, win, options))
    return weighed[0] if len(weighed) == 1 else min(weighed, key=_rank, default=None)


def _rank(each: Weighed) -> tuple[int, int, tuple[int, ...]]:
    return each.rank


def flower_pairs(
    flowers: Tiles, flags: tuple[str, ...], options: QingdaoOptions
) -> tuple[int, int]:
    """How many complete flower pairs are open and hidden (QD-53, option ``flower_set``)."""
    if not flowers:
        return 0, 0
    pairs = FLOWER_PAIRS[: options.flowers // 2]
    hidden = [
        flag in flags for pair, flag in zip(pairs, HIDDEN, strict=False) if has(flowers, pair)
    ]
    if options.flower_set == "all":
        if len(hidden) < len(pairs):
            return 0, 0
        return (0, 1) if all(hidden) else (1, 0)
    return hidden.count(False), hidden.count(True)


@lru_cache(maxsize=512)
def _text(tiles: Tiles) -> str:
    """The compact text of a group."""
    return write(tiles)


def reading_text(hand: Hand, case: Case, win: WinFacts) -> tuple[str, ...]:
    """The reading as a person writes it: melds, groups; a group of hun only is written as hun."""
    melds = [meld.tiles for meld in win.melds]
    if case.shape == "shi_san_yao":
        return (*melds, _text(hand.natural))
    groups = [
        _text(each.tiles if each.natural else each.wild_count * ONE[hand.hun])
        for each in case.groups
    ]
    return (*melds, *groups, *[_text(2 * ONE[hand.hun])] * case.hun_pairs)
