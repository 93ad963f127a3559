"""A game between two events, and the record of a hand that has ended: what the fold folds."""

from typing import Any

import msgspec

from rules_engine.facts import HandFacts
from rules_engine.play import Play
from rules_engine.ruleset import Options, Ruleset
from rules_engine.table import Table
from rules_engine.walls import Committed


class HandRecord(msgspec.Struct, frozen=True):
    """A hand that has ended with the event ``seq``. ``facts`` is None when it was abandoned.

    ``committed`` is what a wall revealed afterwards is checked against, for a committed wall.
    """

    hand: int
    players: tuple[str | None, ...]
    facts: HandFacts | None
    seq: int
    dealer: int
    streak: int
    committed: Committed | None = None


class Game(msgspec.Struct, frozen=True):
    """A game between two events.

    ``seq`` is the last event applied; ``floor`` the least ``to`` a rewind may name (a hand that
    ended is corrected, not rewound). ``dealer`` and ``streak`` are those of the next hand
    (``dealer`` None: free to be drawn). ``players`` by seat, None where a seat is empty;
    ``substitutes`` wait for one, in their order. ``table`` is the live hand, ``last`` the hand just
    ended, ``memory`` the variant's own state from hand to hand.
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
