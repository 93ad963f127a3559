"""Bots: each chooses among its seat's legal actions. They know shapes, but no variant's rules."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Final

import msgspec

from rules_engine.events import Chi, Discard, Event, Gang, Hu, Pass, Peng
from rules_engine.table import NOTHING, SEATS, Table
from rules_engine.table import Seat as Holder
from rules_engine.tiles import KIND, ONE, SUIT_MASK, Tiles, count, kinds_in, parse, size

HONOURS: Final = 3
SUIT_BITS: Final = 36
ENDS_MASK: Final = sum(
    15 * ONE[kind] for kind in range(34) if kind // 9 == HONOURS or kind % 9 in (0, 8)
)
"""Terminals and honours."""
SET_VALUE: Final = 100
PAIR_VALUE: Final = 40
NEIGHBOURS_VALUE: Final = 30
GAP_VALUE: Final = 18
MEANT_VALUE: Final = 10_000
"""What a tile that is to be kept is worth, above all else."""


class Style(msgspec.Struct, frozen=True):
    """How a bot plays: chances 0 to 1, and what it finds in its tiles.

    ``suit_pull``, ``pair_pull`` and ``end_pull`` are what tiles of its longest suit, pairs, and
    terminals and honours are worth more; ``shape`` multiplies the worth of sets and beginnings, so
    that below 0 tiles are kept apart. An ``eager`` bot makes any claim it may. ``wild_wait`` is the
    chance that a win is let go while a wild is held, unless it is on a wild. Of ``keeps`` a bot
    parts with nothing while it has another tile, and with ``throws`` it parts first.
    """

    name: str
    win: float = 0.98
    gang: float = 0.5
    claim: float = 0.5
    own: float = 0.9
    suit_pull: int = 0
    pair_pull: int = 0
    end_pull: int = 0
    shape: int = 1
    wild_wait: float = 0.0
    keeps: Tiles = 0
    throws: Tiles = 0
    eager: bool = False
    random: bool = False


RUSH: Final = Style("rush", claim=0.7)
FLUSH: Final = Style("flush", claim=0.6, suit_pull=40)
LONG_SUIT: Final = Style("long_suit", claim=0.4, suit_pull=22)
GANG_LOVER: Final = Style("gang_lover", gang=1.0, claim=0.5, suit_pull=30)
PATIENT: Final = Style("patient", win=0.25, claim=0.3)
PAIRS: Final = Style("pairs", claim=0.05, pair_pull=80)
EAGER: Final = Style("eager", gang=1.0, claim=1.0, eager=True)
ENDS: Final = Style("ends", claim=0.6, end_pull=60)
APART: Final = Style("apart", gang=0.0, claim=0.0, end_pull=20, shape=-1)
WILD_WAITING: Final = Style("wild_waiting", claim=0.3, wild_wait=0.7)
RANDOM: Final = Style("random", random=True)
STYLES: Final = (RUSH, FLUSH, LONG_SUIT, GANG_LOVER)
"""The styles that play to win; ``RANDOM`` takes any legal action."""
RARE: Final = (PATIENT, PAIRS, EAGER, ENDS, APART, WILD_WAITING)
"""Styles that reach what these seldom do: wins let go, seven pairs, hands that are all melds, of
terminals and honours, of tiles that have nothing to do with each other, or that wait for one more
wild."""


def choose(
    style: Style, table: Table, seat: int, actions: Sequence[Event], rng: Random
) -> Event | None:
    """One of the seat's legal actions, or None to let the moment pass without a word."""
    if style.random:
        return rng.choice(actions)
    wins = [action for action in actions if isinstance(action, Hu)]
    if wins and (len(wins) == len(actions) or rng.random() < chance_to_win(style, table, wins[0])):
        return wins[0]
    gangs = [action for action in actions if isinstance(action, Gang)]
    if gangs and rng.random() < style.gang:
        return rng.choice(gangs)
    claims = [action for action in actions if isinstance(action, Chi | Peng)]
    if claims and style.eager:
        return rng.choice(claims)
    if claims and rng.random() < style.claim:
        return better_claim(style, table.seats[seat], claims)
    common = (Hu, Gang, Chi, Peng, Discard, Pass)
    own = [action for action in actions if not isinstance(action, common)]
    if own and (len(own) == len(actions) or rng.random() < style.own):
        return rng.choice(own)
    discards = [action for action in actions if isinstance(action, Discard)]
    # A wild fits everywhere, so it goes last of all.
    if table.wild == NOTHING or not count(style.throws, table.wild):
        discards = [each for each in discards if KIND[each.tile] != table.wild] or discards
    if discards:
        return best_discard(style, table.seats[seat], discards, rng)
    return next((action for action in actions if isinstance(action, Pass)), None)


def chance_to_win(style: Style, table: Table, win: Hu) -> float:
    """How likely a bot of this style takes this win."""
    held = table.wild != NOTHING and count(table.seats[win.seat].concealed, table.wild) > 0
    waits = held and KIND[win.tile] != table.wild
    return style.win * (1 - style.wild_wait) if waits else style.win


def best_discard(style: Style, holder: Holder, discards: Sequence[Discard], rng: Random) -> Discard:
    """The discard that leaves the most; among equals any."""
    longest = longest_suit(holder)
    valued = [
        (value_of(style, holder.concealed - ONE[KIND[each.tile]], longest), rng.random(), number)
        for number, each in enumerate(discards)
    ]
    return discards[max(valued)[2]]


def better_claim(style: Style, holder: Holder, claims: Sequence[Chi | Peng]) -> Chi | Peng | None:
    """The claim that leaves more than keeping the hand does, or None."""
    longest = longest_suit(holder)
    kept = value_of(style, holder.concealed, longest)
    best: tuple[int, Chi | Peng | None] = (kept, None)
    for claim in claims:
        meld = parse(claim.tiles)
        own = meld - ONE[KIND[claim.tile]]
        pull = style.suit_pull * size(meld & SUIT_MASK << SUIT_BITS * longest)
        pull += style.end_pull * size(meld & ENDS_MASK)
        value = SET_VALUE + pull + value_of(style, holder.concealed - own, longest)
        if value > best[0]:
            best = (value, claim)
    return best[1]


def value_of(style: Style, concealed: Tiles, longest: int) -> int:
    """How far a hand has come: sets, pairs and beginnings, and tiles of the longest suit."""
    shape = sum(
        suit_value(concealed >> SUIT_BITS * suit & SUIT_MASK, honours=suit == HONOURS)
        for suit in range(HONOURS + 1)
    )
    pulls = style.suit_pull * size(concealed & SUIT_MASK << SUIT_BITS * longest)
    if style.pair_pull:
        pulls += style.pair_pull * sum(count(concealed, kind) // 2 for kind in kinds_in(concealed))
    if style.end_pull:
        pulls += style.end_pull * size(concealed & ENDS_MASK)
    if style.keeps or style.throws:
        meant = shared(concealed, style.keeps) - shared(concealed, style.throws)
        pulls += MEANT_VALUE * meant
    return style.shape * shape + pulls


def shared(some: Tiles, others: Tiles) -> int:
    """How many tiles two bags have in common."""
    return sum(min(count(some, kind), count(others, kind)) for kind in kinds_in(others))


def longest_suit(holder: Holder) -> int:
    """The suit (0 to 2) a seat holds and shows most of."""
    owned = [size(holder.concealed & SUIT_MASK << SUIT_BITS * suit) for suit in range(HONOURS)]
    for meld in holder.melds:
        for kind in kinds_in(parse(meld.tiles)):
            if kind // 9 < HONOURS:
                owned[kind // 9] += len(meld.tiles) - 1
                break
    return owned.index(max(owned))


@lru_cache(maxsize=1 << 16)
def suit_value(tiles: Tiles, *, honours: bool) -> int:
    """The best sum over all ways to split a suit into sets, pairs, beginnings and the rest."""
    if not tiles:
        return 0
    low = ((tiles & -tiles).bit_length() - 1) >> 2
    parts = [(ONE[low], 0), (2 * ONE[low], PAIR_VALUE), (3 * ONE[low], SET_VALUE)]
    best = 0
    held = count(tiles, low)
    for number, (part, value) in enumerate(parts, start=1):
        if held >= number:
            best = max(best, value + suit_value(tiles - part, honours=honours))
    if honours:
        return best
    one, two = (count(tiles, low + step) for step in (1, 2))
    if one:
        best = max(
            best, NEIGHBOURS_VALUE + suit_value(tiles - ONE[low] - ONE[low + 1], honours=honours)
        )
    if two:
        best = max(best, GAP_VALUE + suit_value(tiles - ONE[low] - ONE[low + 2], honours=honours))
    if one and two:
        run = ONE[low] + ONE[low + 1] + ONE[low + 2]
        best = max(best, SET_VALUE + suit_value(tiles - run, honours=honours))
    return best


def seated(styles: Sequence[Style], rng: Random) -> tuple[Style, ...]:
    """A style for each seat, at random."""
    return tuple(rng.choice(styles) for _ in SEATS)
