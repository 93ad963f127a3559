"""A game between two events, and the record of a hand that has ended: what the fold folds."""

from typing import Any

import msgspec

from rules_engine.events import Event
from rules_engine.facts import HandFacts
from rules_engine.play import Play
from rules_engine.ruleset import Options, Ruleset
from rules_engine.table import Table
from rules_engine.walls import Committed


class HandRecord(msgspec.Struct, frozen=True):
    """A hand that has ended with the event ``seq``.

    ``facts`` is None when it was abandoned or voided, and what a correction says once one was made.
    ``dealer`` and ``streak`` are as played. ``memory`` is the variant's as the end of the hand
    found it, so that a ruling can find who deals next anew. ``committed`` is what a wall revealed
    afterwards is checked against, for a committed wall.
    """

    hand: int
    players: tuple[str | None, ...]
    facts: HandFacts | None
    seq: int
    dealer: int
    streak: int
    committed: Committed | None = None
    memory: Any = None


class KeptPenalty(msgspec.Struct, frozen=True):
    """A penalty by the seq of its event, and the hand it concerns (0: the game)."""

    seq: int
    hand: int
    cancelled: bool = False


class Game(msgspec.Struct, frozen=True, gc=False):
    """A game between two events.

    ``seq`` is the last event applied; ``floor`` the least ``to`` a rewind may name (a hand that
    ended is corrected, not rewound). ``dealer`` and ``streak`` are those of the next hand
    (``dealer`` None: free to be drawn). ``players`` by seat, None where a seat is empty;
    ``substitutes`` wait for one, in their order. ``table`` is the live hand, ``last`` the hand just
    ended, ``memory`` the variant's own state from hand to hand.

    For rulings: ``people`` is everybody who has sat or waited, ``voided`` the hands that count for
    nothing, ``penalties`` those imposed, ``between`` what has happened to the next deal since the
    last hand ended.
    """

    ruleset: Ruleset
    options: Options
    play: Play
    players: tuple[str | None, ...]
    substitutes: tuple[str, ...]
    stake: int
    seq: int
    floor: int
    hand: int
    dealer: int | None
    streak: int
    memory: Any = None
    table: Table | None = None
    last: HandRecord | None = None
    playing: tuple[str | None, ...] = ()
    """The players of the live hand, who settle it even when one of them leaves."""
    ended: bool = False
    people: tuple[str, ...] = ()
    voided: tuple[int, ...] = ()
    penalties: tuple[KeptPenalty, ...] = ()
    between: tuple[Event, ...] = ()

    @property
    def hands_ended(self) -> int:
        """How many hands have ended: they are numbered from 1."""
        return self.hand if self.table is None else self.hand - 1
