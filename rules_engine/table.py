"""The table of one live hand: who holds what, whose turn it is, what is offered to the others.

Frozen values; the rules of play make the next table from the present one and an event. Tiles are
kinds and bags (``tiles.py``); a kind of ``NOTHING`` means that there is none. Values made anew at
every event are none of the garbage collector's business (``gc=False``): nothing they hold can lead
back to them.
"""

from typing import Any, Final, Literal, TypeVar

import msgspec

from rules_engine.facts import Meld, WinFacts
from rules_engine.tiles import Tiles

T = TypeVar("T")
NOTHING: Final = -1
SEATS: Final = range(4)

Phase = Literal["act", "replace", "offer", "over"]
"""``act``: the seat in turn holds its tile. ``replace``: it is due a tile from the tail. ``offer``:
a discard, or a gang that may be robbed, is open to the other seats. ``over``: nothing more can
happen."""

Outcome = Literal["", "hu", "huang_zhuang", "abandoned"]
"""How a hand is over; "" while it is not."""

Source = Literal["deal", "head", "tail", "claim"]
"""Where the tile of the seat in turn came from."""


class Discarded(msgspec.Struct, frozen=True, gc=False):
    """A tile in a pond, the event that put it there, and whether somebody took it."""

    kind: int
    seq: int
    drawn: bool
    taken: bool = False


class Seat(msgspec.Struct, frozen=True, gc=False):
    """What one seat has, the tile drawn included. ``ting``: the seq of its declaration, or 0."""

    concealed: Tiles
    melds: tuple[Meld, ...] = ()
    pond: tuple[Discarded, ...] = ()
    flowers: Tiles = 0
    ting: int = 0


class Offer(msgspec.Struct, frozen=True, gc=False):
    """A tile the other seats may take. ``gang``: the kind of a gang that may be robbed, or ``""``.

    ``claimed_from`` is the seat whose discard that gang claimed, or ``NOTHING``.
    """

    seat: int
    kind: int
    seq: int
    gang: str = ""
    claimed_from: int = NOTHING


class Taken(msgspec.Struct, frozen=True, gc=False):
    """A draw as the wall saw it: from which end, which tile.

    ``apart``: from a part of the wall that is kept apart, where a variant has one. ``place``: where
    in the wall, where a variant tells it at once.
    """

    tail: bool
    kind: int
    apart: bool = False
    place: int = NOTHING


class Table(msgspec.Struct, frozen=True, gc=False):
    """One live hand. ``seq`` is the event that dealt it.

    ``unseen`` is the wall as a bag: every tile nobody has been seen to take. ``remaining`` counts
    the tiles that may still be drawn. ``drawn`` is the tile the seat in turn took last in this
    turn. ``answered`` holds the seats (bit ``1 << seat``) that let the present chance go.
    ``bound_discard`` is the discard a declaration has promised. ``indicator_place`` is where in the
    wall the indicator lies. ``draws`` is kept only for a committed wall. ``extra`` belongs to the
    variant.
    """

    hand: int
    dealer: int
    streak: int
    seats: tuple[Seat, Seat, Seat, Seat]
    unseen: Tiles
    remaining: int
    phase: Phase
    turn: int
    drawn: int
    source: Source
    offer: Offer | None = None
    answered: int = 0
    bound_discard: int = NOTHING
    wins: tuple[WinFacts, ...] = ()
    outcome: Outcome = ""
    wild: int = NOTHING
    indicator: int = NOTHING
    indicator_place: int = NOTHING
    dice: tuple[int, ...] = ()
    commitment: str | None = None
    dealt: tuple[Tiles, ...] = ()
    draws: tuple[Taken, ...] = ()
    seq: int = 0
    extra: Any = None


class Sign(msgspec.Struct, frozen=True):
    """Something of the variant's own that is to be seen on the table; at a seat, or of all."""

    zh: str
    en: str
    tile: str | None = None
    seat: int | None = None


def no_signs(extra: Any) -> tuple[Sign, ...]:
    """A variant that has none."""
    del extra
    return ()


def changed(values: tuple[T, T, T, T], seat: int, value: T) -> tuple[T, T, T, T]:
    """Values by seat with one of them replaced."""
    a, b, c, d = values
    if seat == 0:
        return (value, b, c, d)
    if seat == 1:
        return (a, value, c, d)
    if seat == 2:
        return (a, b, value, d)
    return (a, b, c, value)


def with_seat(table: Table, seat: int, value: Seat) -> tuple[Seat, Seat, Seat, Seat]:
    """The seats with one of them replaced."""
    return changed(table.seats, seat, value)
