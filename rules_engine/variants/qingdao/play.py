"""How Qingdao mahjong is played: the turn, claims, gangs, the last tiles, from hand to hand.

Only what differs from the standard turn stands here and in the classes it is built from:
``moments``, ``niu``, ``acts``, ``deal``, ``wins``. Rules: QD-8 to QD-72 (seed 003).
"""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from msgspec.structs import replace

from rules_engine import events
from rules_engine.errors import Violation
from rules_engine.events import Chi, Discard, Event, Peng
from rules_engine.facts import HandFacts, Meld
from rules_engine.questions import Handler
from rules_engine.table import NOTHING, SEATS, Table, changed
from rules_engine.tiles import (
    NAMES,
    ONE,
    count,
    has,
    kinds_in,
    parse,
)
from rules_engine.variants.qingdao.flags import huang_flags, huang_run
from rules_engine.variants.qingdao.moments import LAST_TILES
from rules_engine.variants.qingdao.options import QingdaoOptions
from rules_engine.variants.qingdao.state import (
    RULES,
    Draw,
    Flower,
    Gang,
    Niu,
    NiuExchange,
    QingdaoMemory,
    QingdaoTable,
    Ting,
)
from rules_engine.variants.qingdao.wins import Wins


class QingdaoPlay(Wins):
    """The rules of play under one set of options."""

    memory_type = QingdaoMemory
    covered: frozenset[str] = frozenset({"an_gang"})
    rules: ClassVar[Mapping[str, str]] = RULES
    options: QingdaoOptions

    def __init__(self, options: QingdaoOptions) -> None:
        super().__init__(options)
        self.dice = 3 if options.hun else 2

    def own_handlers(self) -> Mapping[type[Event], Handler]:
        """The variant's events, and the common ones that it gives more fields."""
        return {
            Draw: self.on_draw,
            Gang: self.on_gang,
            Niu: self.on_niu,
            NiuExchange: self.on_niu_exchange,
            Flower: self.on_flower,
            Ting: self.on_ting,
        }

    def memory(self) -> QingdaoMemory:
        """No hand has gone unwon at first."""
        return QingdaoMemory()

    def lies_open(self, table: Table, seat: int) -> bool:
        """QD-57: a ming_lou hand is shown to all."""
        return bool(table.extra.lou[seat] == "ming_lou")

    def first_dealer(self) -> int | None:
        """QD-11."""
        return 0 if self.options.first_dealer == "seat0" else None

    def rotate(
        self, memory: QingdaoMemory, facts: HandFacts | None, dealer: int, streak: int
    ) -> tuple[int | None, int, QingdaoMemory]:
        """QD-12 to QD-14: the dealer stays by winning or when nobody wins, or to deal again."""
        if facts is None:
            return dealer, streak, memory
        if not facts.wins:
            return dealer, streak + 1, QingdaoMemory(memory.huang_run + 1)
        if any(win.seat == dealer for win in facts.wins):
            return dealer, streak + 1, QingdaoMemory()
        return (dealer + 1) % 4, 1, QingdaoMemory()

    def flags_before(self, memory: QingdaoMemory) -> tuple[str, ...]:
        """QD-132: how many hands in a row nobody has won."""
        return huang_flags(memory.huang_run)

    def refuse_result(self, memory: QingdaoMemory, facts: HandFacts) -> Violation | None:
        """QD-132: the winners' flags tell of the hands nobody won before."""
        if not facts.wins or huang_run(facts.wins[0].flags) == memory.huang_run:
            return None
        return self.no(
            "wrong_huang_run",
            f"{memory.huang_run} hands in a row were won by nobody before this one.",
            expected=list(huang_flags(memory.huang_run)),
            actual=list(facts.wins[0].flags),
        )

    def on_draw(self, table: Table, event: events.Draw, seq: int) -> Table:
        """A draw with its cause; one in the opening may be another seat's than the dealer's."""
        cause = self.cause(table)
        given = event.cause if isinstance(event, Draw) else None
        if given is not None and given != cause and self.due_draw(table) is not None:
            raise self.stop(
                "wrong_cause", f"This draw is made for {cause}.", expected=cause, actual=given
            )
        after = super().on_draw(table, event, seq)
        extra: QingdaoTable = after.extra
        seat = event.seat
        bit = 1 << seat
        due = extra.due_count
        apart = self.apart(cause)
        late = table.remaining <= LAST_TILES
        if due and seat != table.turn:
            # In the opening another seat replaces tiles; the turn stays the dealer's.
            after = replace(after, turn=table.turn, drawn=table.drawn, source=table.source)
        if apart:
            after = replace(after, remaining=table.remaining)
        if due > 1:
            after = replace(after, phase="replace")
        turned = extra.turned | bit if cause == "turn" else extra.turned
        own = after.turn == seat
        fresh = cause in {"turn", "hai_di"}
        made = replace(
            extra,
            cause=cause if own else extra.cause,
            claimed=extra.claimed and not fresh,
            niu_turn=extra.niu_turn and not fresh,
            exchange=False,
            due_count=max(0, due - 1),
            late=late and not apart,
            zone=extra.zone or cause == "hai_di",
            tail=extra.tail - apart,
            turned=turned,
            no_peng=changed(extra.no_peng, seat, "") if extra.no_peng[seat] else extra.no_peng,
            no_hu=changed(extra.no_hu, seat, "") if extra.no_hu[seat] else extra.no_hu,
        )
        return after if made == extra else replace(after, extra=made)

    def exhausted(self, table: Table) -> bool:
        """QD-22, QD-23: no tile is left to draw in turn, or the last of the zone is drawn."""
        if table.extra.zone:
            return not table.remaining and not table.wins
        return super().exhausted(table)

    def on_discard(self, table: Table, event: Discard, seq: int) -> Table:
        """A discard closes the seat's niu and, the dealer's, the opening."""
        return self.moved(super().on_discard(table, event, seq), event.seat)

    def refuse_discard(
        self, table: Table, seat: int, kind: int, *, drawn: bool
    ) -> Violation | None:
        """QD-23: none in the zone. QD-57: what declares leaves a ready hand. QD-58: the draw."""
        extra: QingdaoTable = table.extra
        if extra.zone:
            return self.no("no_discard_in_zone", "On the last four tiles nothing is discarded.")
        if extra.declaring:
            if not self.ready_without(table, seat, kind):
                return self.no(
                    "ting_not_ready", f"Without {NAMES[kind]} the hand waits for no tile."
                )
            return None
        if extra.lou[seat] and not drawn:
            return self.no(
                "ting_locked",
                f"Seat {seat} has declared and discards the tile just drawn.",
                expected=NAMES[table.drawn],
                actual=NAMES[kind],
            )
        return None

    def refuse_claim(self, table: Table, seat: int, meld: Meld) -> Violation | None:
        """QD-25, QD-27, QD-32, QD-58."""
        tiles = parse(meld.tiles)
        if table.extra.lou[seat]:
            return self.no("ting_locked", f"Seat {seat} has declared and claims nothing.")
        if table.wild != NOTHING and count(tiles, table.wild):
            return self.no("hun_claim", "A hun takes no part in a claim.", actual=meld.tiles)
        if meld.kind == "chi":
            chis = sum(own.kind == "chi" for own in table.seats[seat].melds)
            if chis >= self.options.chi_max:
                return self.no(
                    "chi_max",
                    f"A seat may have {self.options.chi_max} chi melds.",
                    expected=self.options.chi_max,
                    actual=chis + 1,
                )
        elif has(parse(table.extra.no_peng[seat]), ONE[next(kinds_in(tiles))]):
            return self.no("guo_peng", f"Seat {seat} let a peng of it go and has not drawn since.")
        return None

    def on_chi(self, table: Table, event: Chi, seq: int) -> Table:
        """A chi begins a turn without a draw."""
        return self.began_by_claim(super().on_chi(table, event, seq), event.seat)

    def on_peng(self, table: Table, event: Peng, seq: int) -> Table:
        """A peng begins a turn without a draw, and is no peng let go."""
        after = self.began_by_claim(super().on_peng(table, event, seq), event.seat)
        barred = table.extra.no_peng[event.seat]
        if barred == after.extra.no_peng[event.seat]:
            return after
        no_peng = changed(after.extra.no_peng, event.seat, barred)
        return replace(after, extra=replace(after.extra, no_peng=no_peng))

    def began_by_claim(self, table: Table, seat: int) -> Table:
        """QD-19: in such a turn the seat neither wins nor makes a gang."""
        after = self.moved(table, seat)
        extra = replace(after.extra, claimed=True, niu_turn=False, exchange=False, cause="")
        return replace(after, extra=extra)

    def refuse_gang(self, table: Table, seat: int, kind: int, gang: str) -> Violation | None:
        """QD-21, QD-27, QD-58."""
        if kind == table.wild:
            return self.no("hun_claim", "A hun takes no part in a gang.", actual=NAMES[kind])
        if table.extra.lou[seat]:
            return self.no("ting_locked", f"Seat {seat} has declared and makes no gang.")
        return self.no_replacement(table, "gang", 1)

    def on_gang(self, table: Table, event: events.Gang, seq: int) -> Table:
        """A gang closes the seat's niu and, the dealer's, the opening."""
        after = self.moved(super().on_gang(table, event, seq), event.seat)
        extra = after.extra
        if not (extra.claimed or extra.niu_turn or extra.exchange):
            return after
        made = replace(extra, claimed=False, niu_turn=False, exchange=False)
        return replace(after, extra=made)

    def gangs_of(self, table: Table, seat: int) -> Iterator[Event]:
        """The seat's gangs, as the events of this variant."""
        for gang in super().gangs_of(table, seat):
            assert isinstance(gang, events.Gang), gang
            yield Gang(seat=seat, kind=gang.kind, tile=gang.tile)

    def actions(self, table: Table) -> Iterator[Event]:
        """The standard actions, and what the others may do in the opening."""
        yield from super().actions(table)
        if table.phase == "act" and table.extra.opening:
            for seat in SEATS:
                if seat != table.turn:
                    yield from self.niu_actions(table, seat)
                    yield from self.flower_actions(table, seat)
