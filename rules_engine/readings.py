"""Readings of a hand: the ways to split it into sets and a pair. Shapes only, no prices.

A **reading** is one way to split the concealed tiles into sets (runs and triplets) and one pair. A
hand may hold **wilds**: they are not in the bag of concealed tiles but given as a number, and a
reading says for each of them which kind it stands for and in which group. A wild that stands for
its own kind ("at home") is nothing special here: the caller, who knows the wild kind, sees it in
``Group.wilds``.

How it works. Runs and triplets never cross suits, so each suit (36 bits of a ``Tiles``) is split
on its own, memoised, and the suits are put together. Within a suit the lowest natural tile left
must lie in some group, of which it is the lowest natural tile: at most twelve groups to try, then
the rest.

Without wilds a hand has one to a few readings. With wilds it has hundreds, most of which differ in
nothing a scorer looks at. A scorer therefore asks for ``distinct_readings`` with a **trait**: a
function that gives each group an integer, made so that readings with equal sums are worth the same
(four bits for each property counted, say). Ways with equal sums are merged while they are built,
suit by suit and group by group, so the work follows the number of different sums and not the number
of readings; one reading stands for each sum.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, reduce
from typing import Final, TypeAlias

from msgspec import Struct

from rules_engine.groups import ALL_GROUPS, PAIR, STANDING_KINDS, Group
from rules_engine.splits import splits
from rules_engine.tiles import (
    HONOUR_KINDS,
    ONE,
    SUIT_MASK,
    Tiles,
    count,
    full_set,
    of_kinds,
    size,
)

EVERY_KIND: Final[Tiles] = full_set(STANDING_KINDS)
_HONOURS: Final = 3
_SUITS: Final = range(4)
_LIKE: Final = (0, 0, 0, _HONOURS)
_SUIT_BITS: Final = 36
_SUIT_MASKS: Final = tuple(SUIT_MASK << _SUIT_BITS * suit for suit in _SUITS)
_END_BITS: Final = 4 * HONOUR_KINDS.stop
_LANE_BITS: Final = 16
_NO_FIT: Final = (0, 0)
_STUCK: Final = (-1, -1)
_SETS_LEFT: Final = (0, 0)
_PAIR_LEFT: Final = (0, 1)
_WAITING_LEFT: Final = ((1, 0), (0, 2))
"""A pair waits for its second tile, or two tiles beside a pair wait for their third."""
_ONE_OF_EACH: Final[Tiles] = of_kinds(STANDING_KINDS)


Trait: TypeAlias = Callable[[Group], int]
"""What matters about a group, as an integer from 0. Pure and hashable: a module's function or a
frozen value with ``__call__``, not a function made anew for each hand: it is a key of caches."""


class Reading(Struct, frozen=True, gc=False):
    """One way to split a hand: its sets, by suit and lowest natural tile, and its pair."""

    sets: tuple[Group, ...]
    pair: Group

    @property
    def groups(self) -> tuple[Group, ...]:
        """The sets and then the pair."""
        return (*self.sets, self.pair)


def _lowest(tiles: Tiles) -> int:
    """The lowest kind in a bag, 0 for an empty one."""
    return max(0, (tiles & -tiles).bit_length() - 1) >> 2


def _by_lowest() -> dict[tuple[int, int], tuple[Group, ...]]:
    """All groups by suit and lowest natural tile; those of wilds alone have -1 instead."""
    found: dict[tuple[int, int], list[Group]] = {}
    for each in ALL_GROUPS:
        lowest = _lowest(each.natural) if each.natural else -1
        found.setdefault((min(each.kind // 9, _HONOURS), lowest), []).append(each)
    return {key: tuple(groups) for key, groups in found.items()}


_BY_LOWEST: Final = _by_lowest()


@lru_cache(maxsize=1 << 12)
def _candidates(suit: int, lowest: int, copies: int, wilds: int) -> tuple[Group, ...]:
    """The groups of a suit to try next, with at most so many wilds.

    They are those whose lowest natural tile is ``lowest``, with at most so many ``copies`` of it;
    with no copies, when the natural tiles are used up, those made of wilds alone.
    """
    return tuple(
        [
            each
            for each in _BY_LOWEST[suit, lowest if copies else -1]
            if each.wild_count <= wilds and count(each.natural, lowest) <= copies
        ]
    )


def _alike(_each: Group) -> int:
    """The trait to which all groups are the same: it asks whether there is a way at all."""
    return 0


Way: TypeAlias = tuple[int, tuple[Group, ...], Group | None]
"""A way to split one suit: the sum of the traits, the sets, and the pair if it is in this suit."""


@lru_cache(maxsize=1 << 15)
def _ways(suit: int, tiles: Tiles, wilds: int, trait: Trait) -> tuple[Way, ...]:
    """The ways to split these tiles of a suit and exactly so many wilds, one for each sum.

    ``tiles`` keep their places in the bag of the whole hand. Whether the pair is in this suit
    follows from the number of tiles: it is when two are left over after dividing by three.
    """
    if (tiles + wilds) % 3 == 1:
        return ()
    found: dict[int, Way] = {}
    if not wilds:
        for sets, pair in splits(tiles):
            total = sum([trait(each) for each in (*sets, pair) if each])
            found.setdefault(total, (total, sets, pair))
        return tuple(found.values())
    lowest = _lowest(tiles)
    missing = ~(15 * ((tiles | tiles >> 1 | tiles >> 2 | tiles >> 3) & _ONE_OF_EACH))
    copies = min(tiles >> 4 * lowest & 15, 3)
    for each in _candidates(suit, lowest, copies, wilds):
        if each.natural & missing:
            continue
        ways = _ways(suit, tiles - each.natural, wilds - each.wild_count, trait)
        weight = trait(each) if ways else 0
        for rest, sets, pair in ways:
            total = weight + rest
            if total not in found:
                found[total] = (
                    (total, sets, each) if each.shape == PAIR else (total, (each, *sets), pair)
                )
    return tuple(found.values())


@lru_cache(maxsize=1 << 16)
def _fits(like: int, tiles: Tiles, wilds: int) -> tuple[int, int]:
    """How many wilds, at most ``wilds``, make sets of these tiles of a suit, or sets and a pair.

    ``like`` is 0 for any of the three suits, which split alike, and 3 for honours; ``tiles`` begin
    at the first kind of the suit. Each answer is a polynomial packed in lanes of 16 bits: lane
    ``w`` is 1 if exactly ``w`` wilds do it. Multiplying the answers of several suits then counts,
    in lane ``w``, the ways to share ``w`` wilds among them.
    """
    place = _SUIT_BITS * like
    if not wilds:
        fits = bool(splits(tiles << place))
        return (0, fits) if tiles % 3 else (fits, 0)
    sets_only = with_pair = 0
    for used in range(wilds + 1):
        if _ways(like, tiles << place, used, _alike):
            lane = 1 << _LANE_BITS * used
            if (tiles + used) % 3:
                with_pair |= lane
            else:
                sets_only |= lane
    return sets_only, with_pair


def _fits_by_suit(concealed: Tiles, wilds: int) -> Iterator[tuple[int, int]]:
    """``_fits`` of the four suits of a hand."""
    for suit in _SUITS:
        yield _fits(_LIKE[suit], concealed >> _SUIT_BITS * suit & SUIT_MASK, wilds)


def _left_over(concealed: Tiles) -> tuple[int, int]:
    """How many suits leave one tile and how many leave two, their sets taken out by number alone.

    Sixteen leaves one when divided by three, so a suit leaves what the number of its tiles does. A
    suit that leaves none has to be sets: without wilds nothing comes of the hand if it is not, and
    the answer is ``_STUCK``. Nearly every such hand is found out by this.
    """
    ones = twos = 0
    for mask in _SUIT_MASKS:
        own = concealed & mask
        over = own % 3
        if over == 1:
            ones += 1
        elif over:
            twos += 1
        elif own and not splits(own):
            return _STUCK
    return ones, twos


def _both(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """The answers of ``_fits`` for two parts of a hand together; one of them may have the pair."""
    return one[0] * other[0], one[0] * other[1] + one[1] * other[0]


def _holds_lane(polynomial: int, wilds: int) -> bool:
    """Whether exactly so many wilds do it."""
    return bool(polynomial >> _LANE_BITS * wilds & 0xFFFF)


def is_complete(concealed: Tiles, sets: int, wilds: int = 0) -> bool:
    """Whether the tiles and so many wilds are ``sets`` sets and a pair, that is, have a reading.

    ``concealed`` holds neither the wilds nor the tiles of melds. A wild may stand for any kind, a
    fifth copy included.
    """
    if size(concealed) + wilds != 3 * sets + 2 or concealed >> _END_BITS:
        return False
    if not wilds and _left_over(concealed) != _PAIR_LEFT:
        return False
    sets_only, with_pair = 1, 0
    for sets_here, pair_here in _fits_by_suit(concealed, wilds):
        if not sets_here and not pair_here:
            return False
        with_pair = with_pair * sets_here + sets_only * pair_here
        sets_only *= sets_here
    return _holds_lane(with_pair, wilds)


def is_all_sets(concealed: Tiles, sets: int, wilds: int = 0) -> bool:
    """Whether the tiles and so many wilds are ``sets`` sets and nothing else.

    Arguments as for ``is_complete``. A hand that is all sets but for one wild is complete with any
    tile at all, and no other hand is.
    """
    if size(concealed) + wilds != 3 * sets or concealed >> _END_BITS:
        return False
    if not wilds:
        return _left_over(concealed) == _SETS_LEFT
    sets_only = 1
    for sets_here, _ in _fits_by_suit(concealed, wilds):
        if not sets_here:
            return False
        sets_only *= sets_here
    return _holds_lane(sets_only, wilds)


def waits(
    concealed: Tiles, sets: int, wilds: int = 0, kinds: Tiles = EVERY_KIND
) -> tuple[int, ...]:
    """The kinds, lowest first, one natural tile of which makes the hand ``is_complete``.

    ``concealed`` is the hand before that tile. Only kinds in the bag ``kinds`` are asked about:
    pass the tiles of the game less those the player holds, to leave out a kind held four times.
    """
    if not wilds and _left_over(concealed) not in _WAITING_LEFT:
        return ()
    if size(concealed) + 1 + wilds != 3 * sets + 2 or concealed >> _END_BITS:
        return ()
    fits = tuple(_fits_by_suit(concealed, wilds))
    broken = [suit for suit in _SUITS if fits[suit] == _NO_FIT]
    if len(broken) > 1:
        return ()
    found = []
    for suit in broken or _SUITS:
        others = reduce(_both, (fits[other] for other in _SUITS if other != suit))
        place = _SUIT_BITS * suit
        own = concealed >> place & SUIT_MASK
        if not wilds and not own % 3:
            continue  # Its sets are whole.
        for rank in range(9):
            if kinds >> place + 4 * rank & 15:
                fit = _fits(_LIKE[suit], own + ONE[rank], wilds)
                if _holds_lane(_both(others, fit)[1], wilds):
                    found.append(9 * suit + rank)
    return tuple(found)


def standard_readings(concealed: Tiles, sets: int) -> tuple[Reading, ...]:
    """All different readings of a hand without wilds, none twice, always in the same order.

    ``concealed`` and ``sets`` as for ``is_complete``.
    """
    if size(concealed) != 3 * sets + 2 or concealed >> _END_BITS:
        return ()
    found: list[tuple[tuple[Group, ...], Group | None]] = [((), None)]
    for suit in _SUITS:
        tiles = concealed & _SUIT_MASKS[suit]
        if tiles:
            found = [
                (before + sets_here, pair or pair_here)
                for before, pair in found
                for sets_here, pair_here in splits(tiles)
                if pair is None or pair_here is None
            ]
    return tuple(Reading(groups, pair) for groups, pair in found if pair is not None)


class _Hand(Struct, frozen=True):
    """The arguments of ``distinct_readings``."""

    concealed: Tiles
    wilds: int
    traits: Sequence[Trait]


Merged: TypeAlias = dict[tuple[int, bool], dict[int, Way]]
"""By wilds used so far and whether the pair is made: the ways by their sum."""


def distinct_readings(
    concealed: Tiles, sets: int, wilds: int, traits: Sequence[Trait]
) -> tuple[Reading, ...]:
    """One reading for each different sum of the traits of its groups, always in the same order.

    The other arguments as for ``is_complete``. The sum must hold all that the caller looks at, the
    groups the winning tile may lie in included: readings with the same sum are the same to it. A
    hand has at most six groups, so four bits for each property counted never run over.

    ``traits`` are those of m, p, s and honours. They may be one and the same; what matters in one
    suit alone is better left out of the others, which then share what is found with other hands.
    """
    if size(concealed) + wilds != 3 * sets + 2 or concealed >> _END_BITS:
        return ()
    after = [(1, 0)]
    for fit in reversed(tuple(_fits_by_suit(concealed, wilds))[1:]):
        after.append(_both(after[-1], fit))
    merged: Merged = {(0, False): {0: (0, (), None)}}
    hand = _Hand(concealed, wilds, traits)
    for suit in _SUITS:
        merged = _put_suit(hand, suit, merged, after[_HONOURS - suit])
    return tuple(
        Reading(groups, pair)
        for _, groups, pair in merged.get((wilds, True), {}).values()
        if pair is not None
    )


def _put_suit(hand: _Hand, suit: int, before: Merged, after: tuple[int, int]) -> Merged:
    """The ways so far, each with each way of one more suit, where ``after`` can finish them."""
    tiles = hand.concealed & _SUIT_MASKS[suit]
    result: Merged = {}
    for (used, paired), ways_before in before.items():
        for more in range(hand.wilds - used + 1):
            pairs = bool((tiles + more) % 3)
            left = hand.wilds - used - more
            if not _holds_lane(after[0 if pairs or paired else 1], left):
                continue
            ways = _ways(suit, tiles, more, hand.traits[suit])
            into = result.setdefault((used + more, pairs or paired), {})
            for weight, sets_here, pair_here in ways:
                for total, (_, sets, pair) in ways_before.items():
                    key = total + weight
                    if key not in into:
                        into[key] = (key, sets + sets_here, pair or pair_here)
    return result


def places(reading: Reading, kind: int) -> tuple[Group, ...]:
    """The different groups of a reading in which a natural tile of this kind may lie.

    They are the places a winning tile of this kind can be said to have; equal groups are one place.
    """
    bit = 15 << 4 * kind
    return tuple(dict.fromkeys(each for each in reading.groups if each.natural & bit))
