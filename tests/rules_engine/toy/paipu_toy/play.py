"""How the toy is played: the standard turn with every claim."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from rules_engine.errors import Violation
from rules_engine.events import Event, HandStarted
from rules_engine.facts import HandFacts, Meld, Seat
from rules_engine.play import Play
from rules_engine.questions import Handler
from rules_engine.readings import EVERY_KIND, is_complete
from rules_engine.table import Table
from rules_engine.tiles import NAMES, ONE

TURNED = 130
"""Where the tile lies that an option turns up."""

ROBBABLE: Mapping[str, frozenset[str]] = {
    "bu_gang": frozenset({"bu_gang"}),
    "all": frozenset({"an_gang", "bu_gang", "ming_gang"}),
    "none": frozenset(),
}


class Cheer(Event, frozen=True):
    """An event of the toy's own: the seat in turn cheers, which changes nothing."""

    seat: Seat


class ToyPlay(Play):
    """The standard game."""

    tiles = EVERY_KIND
    rules: ClassVar[Mapping[str, str]] = {"not_winning_shape": "TY-2", "wall_differs": "TY-1"}

    def __init__(self, options: Any) -> None:
        self.robbable = ROBBABLE[options.rob]
        self.several_winners = options.several_winners
        super().__init__(options)

    def own_handlers(self) -> Mapping[type[Event], Handler]:
        """Cheering."""
        return {Cheer: self.on_cheer}

    def on_cheer(self, table: Table, event: Cheer, seq: int) -> Table:
        """Refused out of turn."""
        self.expect_turn(table, event.seat)
        return table

    def winning(self, table: Table, seat: int, kind: int, *, by: str) -> Violation | None:
        """Four sets and a pair."""
        holder = table.seats[seat]
        concealed = holder.concealed + (0 if by == "zimo" else ONE[kind])
        if is_complete(concealed, 4 - len(holder.melds)):
            return None
        return self.no("not_winning_shape", "The tiles are not four sets and a pair.")

    def bound_to_win(self, table: Table) -> tuple[int, ...]:
        """An option makes every win one that has to be taken."""
        return (0, 1, 2, 3) if self.options.must_hu else ()

    def refuse_claim(self, table: Table, seat: int, meld: Meld) -> Violation | None:
        """By an option the dealer is too proud to take what others throw away."""
        if meld.kind == "chi" and self.options.proud and seat == table.dealer:
            return self.no("too_proud", "The dealer is too proud to chi.")
        return None

    def own_actions(self, table: Table, seat: int) -> Iterator[Event]:
        """Cheering, once the seat has a meld."""
        if table.seats[seat].melds:
            yield Cheer(seat=seat)

    def flags(self, table: Table, seat: int, *, by: str) -> tuple[str, ...]:
        """A win on a replacement tile."""
        return ("gang_kai",) if by == "zimo" and table.source == "tail" else ()

    def deal_from(self, wall: Sequence[int], **fields: Any) -> HandStarted:
        """By an option a tile of the wall is turned up."""
        event = super().deal_from(wall, **fields)
        turned = NAMES[wall[TURNED]] if self.options.turned else None
        return replace(event, indicator=turned)

    def opening(self, table: Table, memory: Any) -> Table:
        """Where the tile that was turned up lies."""
        return replace(table, indicator_place=TURNED) if self.options.turned else table

    def refuse_result(self, memory: Any, facts: HandFacts) -> Violation | None:
        """Nobody believes in a streak of nine."""
        if facts.streak == 9:
            return self.no("unbelievable", "Nobody deals nine times in a row.", actual=9)
        return None

    def rotate(
        self, memory: Any, facts: HandFacts | None, dealer: int, streak: int
    ) -> tuple[int | None, int, Any]:
        """The dealer stays by winning."""
        if facts is None or any(win.seat == dealer for win in facts.wins):
            return dealer, streak + 1, memory
        return (dealer + 1) % 4, 1, memory
