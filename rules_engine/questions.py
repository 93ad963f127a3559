"""The questions a variant answers, each with the answer of the standard game.

``Questions`` is the part of ``Play`` that a variant overrides; the machinery that asks is in
``turn`` and ``claims``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from rules_engine.errors import IllegalEvent, Violation
from rules_engine.event_forms import EventField, EventForm, dice_field
from rules_engine.events import Event, GameStarted, HandEnded, PlayerLeft
from rules_engine.facts import HandFacts, Holding, Meld
from rules_engine.table import NOTHING, SEATS, Table, Taken
from rules_engine.tiles import EMPTY, Tiles

Handler = Callable[[Table, Any, int], Table]
"""The table after an event with this seq. Raises IllegalEvent."""


class Questions:
    """What is asked of a variant. The defaults are the standard game's."""

    tiles: Tiles
    """Every tile of the game."""
    hand_size: ClassVar[int] = 13
    """Tiles dealt to each seat; the dealer is dealt one more."""
    claims: frozenset[str] = frozenset({"chi", "peng", "ming_gang"})
    """What a discard may be claimed for besides a win."""
    gangs: frozenset[str] = frozenset({"an_gang", "bu_gang", "ming_gang"})
    robbable: frozenset[str] = frozenset({"bu_gang"})
    """Gangs the others may win on before the replacement tile is drawn."""
    covered: frozenset[str] = frozenset()
    """Kinds of melds whose tiles the other seats do not see while the hand is live."""
    several_winners: bool = True
    dice: int = 2
    """How many dice are rolled at a deal."""
    substitutes: int = 0
    """How many players wait for a seat, where they take turns."""
    memory_type: ClassVar[Any] = None
    """The type of what the variant remembers from hand to hand."""
    rules: ClassVar[Mapping[str, str]] = {}
    """Refusal code to the id of the rule it rests on."""

    def __init__(self, options: Any) -> None:
        self.options = options

    def own_handlers(self) -> Mapping[type[Event], Handler]:
        """Handlers of the variant's own events, and its replacements of common ones."""
        return {}

    def winning(self, table: Table, seat: int, kind: int, *, by: str) -> Violation | None:
        """Why the seat may not win with this tile at this moment; None when it may."""
        raise NotImplementedError

    def can_win(self, table: Table, seat: int, kind: int, *, by: str) -> bool:
        """Whether ``winning`` objects to nothing: asked so often that a variant may be quick."""
        return self.winning(table, seat, kind, by=by) is None

    def flags(self, table: Table, seat: int, *, by: str) -> tuple[str, ...]:
        """The facts of the moment a win at this table carries."""
        return ()

    def flags_before(self, memory: Any) -> tuple[str, ...]:
        """The flags that every winner of the next hand carries because of the hands before it."""
        return ()

    def flag_seq(self, table: Table, seat: int, flag: str) -> int:
        """The event that gave the seat this flag, where payments of its own rest on it; or 0."""
        return 0

    def flag_seqs(self, table: Table, seat: int, flags: tuple[str, ...]) -> tuple[int, ...]:
        """``flag_seq`` of each flag; nothing where none has an event."""
        seqs = tuple([self.flag_seq(table, seat, flag) for flag in flags])
        return seqs if any(seqs) else ()

    def bound_to_win(self, table: Table) -> Sequence[int]:
        """The seats that have to take a win if they have one now. Asked before ``winning``."""
        return ()

    def why_bound(self, table: Table, seat: int) -> str:
        """The id of the rule by which the seat has to take its win."""
        return self.rules.get("must_hu", "")

    def lies_open(self, table: Table, seat: int) -> bool:
        """Whether the seat has shown its hand to everybody."""
        return False

    def seen_from(self, table: Table, seat: int) -> Table:
        """The table as far as the seat knows it: of the others' hidden hands nothing.

        What the others could do is then not known either, so it takes no choice from the seat.
        """
        hidden = [other for other in SEATS if other != seat and not self.lies_open(table, other)]
        return replace(
            table,
            seats=tuple(
                replace(holder, concealed=EMPTY) if number in hidden else holder
                for number, holder in enumerate(table.seats)
            ),
            unseen=table.unseen + sum(table.seats[other].concealed for other in hidden),
            drawn=NOTHING if table.turn in hidden else table.drawn,
        )

    def holds_tile(self, table: Table) -> bool:
        """Whether the seat in turn may win or gang by itself: it has taken a tile this turn."""
        return table.drawn != NOTHING and table.bound_discard == NOTHING

    def own_tile(self, table: Table) -> int:
        """The kind the seat in turn would win on by itself: the tile just drawn."""
        return table.drawn

    def taken(self, table: Table, kind: int, *, tail: bool) -> Taken:
        """What a draw of this kind at this moment takes from a recorded wall."""
        return Taken(tail, kind)

    def drawable(self, table: Table) -> int:
        """How many tiles an ordinary draw may still take."""
        return table.remaining

    def refuse_discard(
        self, table: Table, seat: int, kind: int, *, drawn: bool
    ) -> Violation | None:
        """A variant's own objection to a discard the tiles allow."""
        return None

    def refuse_gang(self, table: Table, seat: int, kind: int, gang: str) -> Violation | None:
        """A variant's own objection to a gang the tiles allow."""
        if table.remaining < 1:
            return self.no("no_replacement_tile", "No tile is left to replace the gang's fourth.")
        return None

    def refuse_claim(self, table: Table, seat: int, meld: Meld) -> Violation | None:
        """A variant's own objection to a chi or peng the tiles allow."""
        return None

    def opening(self, table: Table, memory: Any) -> Table:
        """The table right after the deal, with the variant's own state in ``extra``."""
        return table

    def after_chance(self, table: Table) -> Table:
        """Called when an offer is closed by an event that takes it as passed."""
        return table

    def after_pass(self, table: Table, seat: int) -> Table:
        """Called when a seat has let a win go expressly."""
        return table

    def own_actions(self, table: Table, seat: int) -> Iterator[Event]:
        """Actions of the variant's own for the seat in turn."""
        return iter(())

    def due_event(self, table: Table) -> tuple[str, int] | None:
        """The type and the seat of an event of the variant's own that has to come next."""
        return None

    def due_from(
        self, table: Table, wall: Sequence[int], roll: Callable[[int], tuple[int, ...]]
    ) -> Event:
        """That event as this wall has it; ``roll`` throws so many dice."""
        raise NotImplementedError

    def due_form(self, table: Table) -> EventForm:
        """That event as a form: what the table knows of it, and what has to be asked."""
        raise NotImplementedError

    def own_forms(self, table: Table | None, memory: Any) -> Iterator[EventForm]:
        """Forms of the variant's own events that no seat chooses; None for between two hands."""
        return iter(())

    def deal_fields(self) -> tuple[EventField, ...]:
        """What is asked at a deal beside the tiles."""
        return (dice_field(self.dice),)

    def first_dealer(self) -> int | None:
        """The dealer of a first hand; None when it is drawn by lot."""
        return None

    def first_streak(self) -> int:
        """The streak of a first hand."""
        return 1

    def refuse_result(self, memory: Any, facts: HandFacts) -> Violation | None:
        """What in a hand recorded as a result contradicts the hands before it."""
        return None

    def rotate(
        self, memory: Any, facts: HandFacts | None, dealer: int, streak: int
    ) -> tuple[int | None, int, Any]:
        """Dealer (None: drawn by lot), streak and memory of the next hand.

        ``facts`` is None for a hand that was abandoned.
        """
        raise NotImplementedError

    def memory(self) -> Any:
        """What the variant remembers from hand to hand when a game begins."""
        return None

    def remember(self, memory: Any, table: Table) -> Any:
        """The memory with what a live hand leaves in it when it ends."""
        return memory

    def player_left(self, table: Table, seat: int) -> Table:
        """What a player's leaving does to a live hand."""
        return table

    def next_deal(
        self, memory: Any, event: Event, dealer: int | None, streak: int
    ) -> tuple[int | None, int, Any]:
        """Dealer, streak and memory of the next hand after an event between hands.

        Asked for ``player_left`` and for the variant's own events. Raises IllegalEvent for an event
        that has no place there.
        """
        if isinstance(event, PlayerLeft):
            return dealer, streak, memory
        raise self.stop(
            "no_hand",
            f"A {event.type} belongs to a hand, and none is being played.",
            actual=event.type,
        )

    def leaving(self, memory: Any) -> int | None:
        """The seat whose player of the last hand makes room for one who waits, if any."""
        return None

    def refuse_roster(self, event: GameStarted) -> Violation | None:
        """Why these people cannot begin a game; one who sits twice, or a wrong number waiting."""
        people = [*event.players, *event.substitutes]
        if len(set(people)) != len(people):
            return self.no("player_twice", "Nobody can sit twice.", actual=people)
        waiting = len(event.substitutes)
        if waiting == self.substitutes:
            return None
        due = f"{self.substitutes} player(s) wait" if self.substitutes else "nobody waits"
        return self.no(
            "wrong_roster",
            f"Under these options {due} for a seat; substitutes named: {waiting}.",
            expected=self.substitutes,
            actual=waiting,
        )

    def refuse_seated(self, waiting: Sequence[str], player: str) -> Violation | None:
        """A variant's own objection to a player who takes an empty seat."""
        return None

    def refuse_end(self, table: Table, event: HandEnded) -> Violation | None:
        """A variant's own objection to the end of a hand that the table bears out."""
        return None

    def abandoned(self, table: Table, seq: int) -> HandFacts | None:
        """What of a hand that was abandoned is settled all the same; None for nothing."""
        return None

    def holding(self, table: Table, seat: int) -> Holding | None:
        """What payments need to know of a seat that did not win."""
        melds = table.seats[seat].melds
        return Holding(seat=seat, melds=melds) if melds else None

    # --- refusals ---------------------------------------------------------------------------------

    def no(
        self, code: str, message: str, *, expected: Any = None, actual: Any = None, **facts: Any
    ) -> Violation:
        """A refusal that names the variant's rule for this code."""
        return Violation(
            code=code,
            message=message,
            rule=self.rules.get(code, ""),
            expected=expected,
            actual=actual,
            facts=facts,
        )

    def stop(
        self, code: str, message: str, *, expected: Any = None, actual: Any = None, **facts: Any
    ) -> IllegalEvent:
        """``no`` as the exception that stops the fold."""
        return IllegalEvent(self.no(code, message, expected=expected, actual=actual, **facts))
