"""Every way to read a winner's tiles that can matter, weighed (RA-43 to RA-46, RA-77)."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

from rules_engine.facts import WinFacts
from rules_engine.groups import PAIR, RUN, Group
from rules_engine.readings import Reading, distinct_readings, standard_readings
from rules_engine.shapes import HONOURS, pairs_readings, placing
from rules_engine.table import NOTHING
from rules_engine.tiles import SUIT_MASK, Tiles, count, kinds_in
from rules_engine.variants.ruian.hands import ALL_WILDS, PAIRS, Hand
from rules_engine.variants.ruian.items import Earned, Wait, Weighed, Win, weigh
from rules_engine.variants.ruian.melds import FA, WINDS, ZHONG, is_yao
from rules_engine.variants.ruian.options import RuianOptions

NO_KIND: Final = 41
"""Stands for a kind that no group holds: the last flower."""
_HONOURS: Final = 3
"""The number of their suit."""

# The fields of a trait sum, three bits each: how many groups of a reading have the property.
_RUNS, _CROWDED, _SUBSTITUTES = 0, 3, 6
_KE, _OWN, _ZHONG, _FA = 9, 15, 18, 21
_PAIR, _PAIR_COUNTS, _PAIR_WILD = 24, 33, 36
_SUITS, _WINDS, _PLACES, _FLOWER = 39, 51, 63, 84
_ALL_BUT_PLACES: Final = (1 << _PLACES) - 1
_EARNED: Final[tuple[Earned, ...]] = ("own", "zhong", "fa")
_WAITS: Final[tuple[Wait, ...]] = ("end", "edge", "middle", "pair", "triplet", "triplet", "triplet")
"""The places in the order of their fields: a triplet that earns hu as simple, as yao, or none."""
_SUIT_MASKS: Final = (*(SUIT_MASK << 36 * suit for suit in range(3)), HONOURS)


class Sight(Struct, frozen=True, cache_hash=True):
    """What decides how a group looks, wherever the winning tile lies: kinds, or ``NO_KIND``.

    The suits of groups made of wilds are told apart only where the hand may be a flush, winds only
    where there may be four.
    """

    own: int
    wild: int
    flower: int
    flush: bool
    four_winds: bool


class Looks(Struct, frozen=True, cache_hash=True):
    """The trait of a group (``readings.Trait``): all the items look at, three bits a property.

    ``tile`` is the kind won with, or ``NO_KIND`` where that is one of the wilds (``with_wild``).
    """

    sight: Sight
    tile: int
    with_wild: bool

    def __call__(self, each: Group) -> int:
        """The sum of the properties of one group."""
        return self.sum_of((each,))

    def sum_of(self, groups: tuple[Group, ...]) -> int:
        """The sum of the properties of these groups."""
        sight, tile = self.sight, self.tile
        seen = sum([_seen(sight, each) for each in groups])
        for each in groups:
            if self.with_wild or each.natural >> 4 * tile & 15:
                seen += _placed(each, tile, sight.wild)
        return seen

    def in_suit(self, suit: int) -> "Looks":
        """The same for the groups of one suit, which ask about no kind of another."""
        sight, honours = self.sight, suit == _HONOURS
        return Looks(
            Sight(
                sight.own if honours else NO_KIND,
                _within(suit, sight.wild),
                sight.flower if honours else NO_KIND,
                sight.flush,
                sight.four_winds and honours,
            ),
            _within(suit, self.tile),
            self.with_wild,
        )


def _within(suit: int, kind: int) -> int:
    """A kind of this suit; any other is none."""
    return kind if kind // 9 == suit else NO_KIND


@lru_cache(maxsize=1 << 15)
def _seen(sight: Sight, each: Group) -> int:
    """``Looks`` of a group but for where the winning tile may lie."""
    kind = each.kind
    substitutes = _substitutes(each, sight.wild)
    seen = substitutes << _SUBSTITUTES
    named = {sight.own: 0, ZHONG: 1, FA: 2}.get(kind)
    earns = substitutes < 2
    if each.shape == RUN:
        seen += (1 << _RUNS) + ((not earns) << _CROWDED)
    elif each.shape == PAIR:
        seen += (each.wild_count > 0) << _PAIR_WILD
        if named is not None:
            seen += (1 << _PAIR_COUNTS) + (earns << _PAIR + 3 * named)
    elif earns:
        seen += 1 << _KE + 3 * is_yao(kind)
        if named is not None:
            seen += 1 << _OWN + 3 * named
        if sight.four_winds and kind in WINDS:
            seen += 1 << _WINDS + 3 * WINDS.index(kind)
    if not each.natural:
        seen += sight.flush << _SUITS + 3 * min(kind // 9, 3)
        seen += (kind == sight.flower) << _FLOWER
    return seen


def _substitutes(each: Group, wild: int) -> int:
    """How many wilds stand for another kind in a group."""
    return each.wild_count - count(each.wilds, wild) if each.wild_count else 0


@lru_cache(maxsize=1 << 14)
def _placed(each: Group, tile: int, wild: int) -> int:
    """Where in a group that can hold it the winning tile may lie (RA-43), as a trait."""
    kinds = kinds_in(each.wilds) if tile == NO_KIND else (tile,)
    seen = 0
    for place in {placing(each, kind) for kind in kinds}:
        number = _WAITS.index(place)
        if place == "triplet":
            number += is_yao(each.kind) if _substitutes(each, wild) < 2 else 2
        seen += 1 << _PLACES + 3 * number
    return seen


@lru_cache(maxsize=1 << 12)
def _places(seen: int) -> tuple[int, ...]:
    """The numbers of the places in the last part of a sum of traits."""
    return tuple([number for number in range(len(_WAITS)) if seen >> 3 * number & 7])


def readings(hand: Hand, looks: Looks) -> tuple[Reading, ...]:
    """The readings of the standard shape that can differ in worth."""
    if hand.wilds:
        by_suit = [looks.in_suit(suit) for suit in range(4)]
        return distinct_readings(hand.natural, hand.sets, hand.wilds, by_suit)
    return standard_readings(hand.natural, hand.sets)


class Weighing:
    """All the readings of one winner's hand, each weighed."""

    def __init__(self, hand: Hand, win: WinFacts, options: RuianOptions) -> None:
        self.hand = hand
        self.win = win
        self.options = options
        self.suits = suit_bits(hand.natural + hand.melded.tiles)
        self.flowers = len(win.flowers) - 1 if win.flowers else 0
        with_wild = hand.tile == hand.wild
        # Kinds that no group of this hand can ask about are left out, so that like hands share.
        self.looks = Looks(
            Sight(
                hand.own,
                hand.wild if hand.wilds else NO_KIND,
                hand.flower if hand.wilds > 1 and hand.flower != NOTHING else NO_KIND,
                hand.wilds > 1 and self.suits & 7 in {0, 1, 2, 4},
                may_have_four_winds(hand),
            ),
            NO_KIND if with_wild else hand.tile,
            with_wild,
        )

    def __iter__(self) -> Iterator[tuple[tuple[Group, ...], Weighed]]:
        """Every reading that can differ in worth, with the tiles' groups."""
        told: set[tuple[int, int]] = set()
        for reading in readings(self.hand, self.looks):
            groups = reading.groups
            seen = self.looks.sum_of(groups)
            if seen >> _FLOWER:
                continue
            for place in _places(seen >> _PLACES):
                # Sums that differ only in how many groups have a place are the same win in it.
                key = (seen & _ALL_BUT_PLACES, place)
                if key not in told:
                    told.add(key)
                    yield groups, weigh(self.standard(seen, place))
        if self.options.ying_ba_dui and not self.hand.melded.size:
            yield from self.eight_pairs()

    def standard(self, seen: int, place: int) -> Win:
        """The win in a reading of the standard shape, the winning tile in one place."""
        hand = self.hand
        melds = hand.melded
        pengs, an_ke = melds.pengs, (seen >> _KE & 7, seen >> _KE + 3 & 7)
        if self.win.by != "zimo" and place in (4, 5):
            simple, yao = place == 4, place == 5
            pengs = (pengs[0] + simple, pengs[1] + yao)
            an_ke = (an_ke[0] - simple, an_ke[1] - yao)
        sets = melds.sets
        suits = self.suits
        if seen >> _SUITS & 0xFFF:
            suits |= sum([1 << n for n in range(4) if seen >> _SUITS + 3 * n & 7])
        pair: Earned = ""
        if seen >> _PAIR & 0x1FF:
            pair = next(name for n, name in enumerate(_EARNED) if seen >> _PAIR + 3 * n & 7)
        return Win(
            options=self.options,
            by=self.win.by,
            flags=self.win.flags,
            flowers=self.flowers,
            wilds=hand.wilds,
            melded=melds,
            shape="standard",
            substitutes=seen >> _SUBSTITUTES & 7,
            runs=(seen >> _RUNS & 7) + melds.chis,
            crowded=bool(seen >> _CROWDED & 7),
            wait=_WAITS[place],
            pengs=pengs,
            an_ke=an_ke,
            own=(seen >> _OWN & 7) + sets.count(hand.own),
            zhong=(seen >> _ZHONG & 7) + sets.count(ZHONG),
            fa=(seen >> _FA & 7) + sets.count(FA),
            winds=self.winds(seen) if self.looks.sight.four_winds else 0,
            pair=pair,
            pair_counts=bool(seen >> _PAIR_COUNTS & 7),
            wild_in_pair=bool(seen >> _PAIR_WILD & 7),
            suits=suits,
        )

    def winds(self, seen: int) -> int:
        """Which winds have a triplet that earns, as bits."""
        sets = self.hand.melded.sets
        return sum(
            [1 << n for n, wind in enumerate(WINDS) if seen >> _WINDS + 3 * n & 7 or wind in sets]
        )

    def eight_pairs(self) -> Iterator[tuple[tuple[Group, ...], Weighed]]:
        """Eight pairs: hard, and soft where the club has it (RA-44)."""
        hand = self.hand
        hard = pairs_readings(hand.as_they_are, PAIRS)
        if hard:
            made = self.pairs(0, suit_bits(hand.as_they_are))
            yield hard[0].pairs, weigh(made)
        if self.options.ruan_ba_dui and hand.wilds:
            soft = pairs_readings(hand.natural, PAIRS, hand.wilds)
            if soft:
                yield soft[0].pairs, weigh(self.pairs(1, self.suits))

    def pairs(self, substitutes: int, suits: int) -> Win:
        """The win as eight pairs; ``substitutes`` is 0 for hard ones."""
        return Win(
            options=self.options,
            by=self.win.by,
            flags=self.win.flags,
            flowers=self.flowers,
            wilds=self.hand.wilds,
            melded=self.hand.melded,
            shape="eight_pairs",
            substitutes=substitutes,
            suits=suits,
        )

    def bare(self) -> Win:
        """Three wilds laid down without a shape (RA-46)."""
        hand = self.hand
        held = [count(hand.as_they_are, kind) > 1 for kind in (FA, ZHONG, hand.own)]
        laid = [kind in hand.melded.sets for kind in (FA, ZHONG, hand.own)]
        return Win(
            options=self.options,
            by=self.win.by,
            flags=self.win.flags,
            flowers=self.flowers,
            wilds=hand.wilds,
            melded=hand.melded,
            shape="bare",
            worthless=not (self.flowers or any(held) or any(laid)),
        )


def suit_bits(tiles: Tiles) -> int:
    """The suits these tiles are of as bits: m 1, p 2, s 4, honours 8."""
    return sum([1 << n for n, suit in enumerate(_SUIT_MASKS) if tiles & suit])


def may_have_four_winds(hand: Hand) -> bool:
    """Whether enough winds are there for a triplet or gang of each (RA-68)."""
    lacking = 0
    for kind in WINDS:
        if kind not in hand.melded.sets:
            held = count(hand.natural, kind) + (kind == hand.wild) * hand.wilds
            if held < 2:
                return False
            lacking += held == 2
    return lacking <= hand.wilds


class Read(Struct, frozen=True):
    """A legal winner: its facts, hand, the groups of the reading that counts, and its worth."""

    win: WinFacts
    hand: Hand
    groups: tuple[Group, ...]
    chosen: Weighed


def best(hand: Hand, win: WinFacts, options: RuianOptions) -> Read | None:
    """The reading that is scored (RA-77, RA-78), or None when the hand has none and no right.

    Without a reading three wilds drawn by the winner itself may be laid down (RA-46).
    """
    if not hand.whole:
        return None
    weighing = Weighing(hand, win, options)
    found = tuple(weighing)
    if found:
        return Read(win, hand, *(min(found, key=_rank) if len(found) > 1 else found[0]))
    bare = hand.wilds == ALL_WILDS and win.by == "zimo" and options.san_cai_shen_bare
    return Read(win, hand, (), weigh(weighing.bare())) if bare else None


def _rank(each: tuple[tuple[Group, ...], Weighed]) -> tuple[int, int, int, int, tuple[str, ...]]:
    return each[1].rank
