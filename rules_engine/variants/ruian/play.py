"""How Rui'an mahjong is played: flowers, claims, gangs, the last tiles, from hand to hand.

Only what differs from the standard turn stands here and in the classes it is built from: ``deal``
and ``wins``. Rules: RA-7 to RA-52 (seed 001).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from rules_engine.errors import Violation
from rules_engine.event_forms import EventForm
from rules_engine.events import Draw, Event, Gang, Ting
from rules_engine.facts import HandFacts, Meld
from rules_engine.questions import Handler
from rules_engine.table import NOTHING, SEATS, Offer, Table, changed, with_seat
from rules_engine.tiles import KIND, NAMES, ONE, count, parse, write
from rules_engine.variants.ruian.forms import seats_form
from rules_engine.variants.ruian.legality import read_hand
from rules_engine.variants.ruian.melds import GANGS
from rules_engine.variants.ruian.options import RuianOptions
from rules_engine.variants.ruian.state import (
    RULES,
    Flower,
    RuianMemory,
    RuianTable,
    SeatsDrawn,
)
from rules_engine.variants.ruian.weighing import Read
from rules_engine.variants.ruian.wins import Wins

LOTS = ("1z", "2z", "3z", "4z")
SUBSTITUTES_LOT = "7z"


class RuianPlay(Wins):
    """The rules of play under one set of options."""

    memory_type = RuianMemory
    rules: ClassVar[Mapping[str, str]] = RULES

    def __init__(self, options: RuianOptions) -> None:
        super().__init__(options)
        self.substitutes = options.roster - 4

    def own_handlers(self) -> Mapping[type[Event], Handler]:
        """Flowers; and a refusal with its own rule for what this game does not have."""
        return {Flower: self.on_flower, Ting: self.on_ting}

    def on_ting(self, table: Table, event: Ting, seq: int) -> Table:
        """RA-3: there is no such declaration."""
        raise self.stop("no_ting", "Nobody declares ting in this game.", actual=event.type)

    # --- flowers and draws ------------------------------------------------------------------------

    def on_flower(self, table: Table, event: Flower, seq: int) -> Table:
        """RA-19, RA-21: a flower is set aside; its replacement is due to the same seat."""
        extra: RuianTable = table.extra
        seat, kind = event.seat, KIND[event.tile]
        if table.phase != "act" or extra.flower_due != seat or kind != extra.flower:
            due = table.phase == "act" and extra.flower_due != NOTHING
            raise self.stop(
                "no_flower",
                f"Seat {seat} has no flower {event.tile} to set aside now.",
                expected={"seat": extra.flower_due, "tile": NAMES[extra.flower]} if due else None,
                actual={"seat": seat, "tile": event.tile},
            )
        holder = table.seats[seat]
        holder = replace(
            holder, concealed=holder.concealed - ONE[kind], flowers=holder.flowers + ONE[kind]
        )
        return replace(
            table,
            seats=with_seat(table, seat, holder),
            phase="replace",
            turn=seat,
            extra=replace(extra, replacing=True, flower_due=NOTHING, kai=False, he_di=False),
        )

    def expect_turn(self, table: Table, seat: int) -> None:
        """RA-19: before anything else flowers are set aside."""
        due = table.extra.flower_due
        if table.phase == "act" and due != NOTHING:
            raise self.stop(
                "flower_due",
                f"Seat {due} must first set its flower aside.",
                expected={"type": "flower", "seat": due, "tile": NAMES[table.extra.flower]},
                actual={"seat": seat},
            )
        super().expect_turn(table, seat)

    def on_draw(self, table: Table, event: Draw, seq: int) -> Table:
        """A draw: of a flower's or a gang's replacement, in turn, or of a hai-di tile."""
        extra: RuianTable = table.extra
        tail = event.source == "tail"
        last = not tail and not self.drawable(table)
        left = NOTHING
        if last:
            left = (extra.left if extra.dealing_last else self.hai_di_tiles(table)) - 1
        after = super().on_draw(table, event, seq)
        made: RuianTable = after.extra
        seat = event.seat
        barred = made.barred
        made = replace(
            made,
            replacing=False,
            replaced=made.replaced + tail,
            kai=tail and not extra.replacing,
            left=left,
            barred=changed(barred, seat, "") if barred[seat] else barred,
        )
        if made.opening:
            after = replace(after, extra=made)
            if seat != table.dealer:
                # Another seat replaces flowers of the deal; the turn stays the dealer's.
                after = replace(after, drawn=table.drawn, source=table.source)
            return self.next_flower(replace(after, turn=table.dealer))
        he_di = not tail and not last and not self.drawable(after)
        due = seat if after.drawn == made.flower and not last else NOTHING
        return replace(after, extra=replace(made, he_di=he_di, flower_due=due))

    def actions(self, table: Table) -> Iterator[Event]:
        """The standard actions; while a flower is due nothing but setting it aside."""
        extra: RuianTable = table.extra
        if table.phase == "act" and extra.flower_due != NOTHING:
            yield Flower(seat=extra.flower_due, tile=NAMES[extra.flower])
        elif not (table.wins and self.early_end(table)):
            yield from super().actions(table)

    def seen_from(self, table: Table, seat: int) -> Table:
        """A flower that is due to another seat shows when it is set aside, not before."""
        table = super().seen_from(table, seat)
        if table.extra.flower_due in (seat, NOTHING):
            return table
        return replace(table, extra=replace(table.extra, flower_due=NOTHING))

    # --- discards and claims ----------------------------------------------------------------------

    def refuse_discard(
        self, table: Table, seat: int, kind: int, *, drawn: bool
    ) -> Violation | None:
        """RA-26, RA-42: none of the last tiles, never a wild."""
        if table.extra.dealing_last:
            return self.no("no_discard_in_hai_di", "The last tiles are not discarded.")
        if kind == table.wild:
            return self.no("wild_discarded", "A wild is never discarded.", actual=NAMES[kind])
        return None

    def refuse_claim(self, table: Table, seat: int, meld: Meld) -> Violation | None:
        """RA-35, RA-36, RA-42."""
        tiles = parse(meld.tiles)
        if count(tiles, table.wild):
            return self.no("wild_in_meld", "A wild takes no part in a claim.", actual=meld.tiles)
        assert table.offer is not None, "a claim is made on an offered tile"
        kind = table.offer.kind
        if meld.kind == "peng" and count(parse(table.extra.barred[seat]), kind):
            return self.no(
                "guo_peng", f"Seat {seat} let a peng of {NAMES[kind]} go and has not drawn since."
            )
        left = table.seats[seat].concealed - (tiles - ONE[kind])
        if left == count(left, table.wild) * ONE[table.wild]:
            return self.no("only_wilds_left", "Nothing but wilds would be left to discard.")
        return None

    def after_chance(self, table: Table) -> Table:
        """RA-35: who lets a peng go is barred from that kind until the own next draw."""
        offer = table.offer
        if offer is None or offer.gang or not self.options.guo_peng:
            return table
        barred = table.extra.barred
        for seat in SEATS:
            able = seat != offer.seat and count(table.seats[seat].concealed, offer.kind) > 1
            if able and not count(parse(barred[seat]), offer.kind):
                more = write(parse(barred[seat]) + ONE[offer.kind])
                barred = changed(barred, seat, more)
        if barred == table.extra.barred:
            return table
        return replace(table, extra=replace(table.extra, barred=barred))

    def refuse_gang(self, table: Table, seat: int, kind: int, gang: str) -> Violation | None:
        """RA-27: none on the last tiles. Four wilds are never together (RA-37)."""
        if table.extra.dealing_last:
            return self.no("no_gang_in_hai_di", "On the last tiles no gang is made.")
        return super().refuse_gang(table, seat, kind, gang)

    def make_gang(self, table: Table, offer: Offer) -> Table:
        """The gang stands, and counts for the dead wall and for an early end."""
        after = super().make_gang(table, offer)
        return replace(after, extra=replace(after.extra, gangs=after.extra.gangs + 1, he_di=False))

    def on_gang(self, table: Table, event: Gang, seq: int) -> Table:
        """An added gang takes the seat out of its draw, robbed or not."""
        after = super().on_gang(table, event, seq)
        return replace(after, extra=replace(after.extra, kai=False, he_di=False))

    # --- from hand to hand ------------------------------------------------------------------------

    def memory(self) -> RuianMemory:
        """Nothing has been played at first."""
        return RuianMemory()

    def rotate(
        self, memory: RuianMemory, facts: HandFacts | None, dealer: int, streak: int
    ) -> tuple[int | None, int, RuianMemory]:
        """RA-14 to RA-17: the dealer stays by winning; the deal passes with its player."""
        if facts is None:
            return dealer, streak, replace(memory, begun=True)
        if self.stays(facts, dealer) and not 0 < self.options.max_streak <= streak:
            return dealer, streak + 1, RuianMemory(begun=True)
        leaving = dealer if self.substitutes else NOTHING
        return (dealer + 1) % 4, 1, RuianMemory(begun=True, leaving=leaving)

    def stays(self, facts: HandFacts, dealer: int) -> bool:
        """RA-14: whether the dealer keeps the deal, the limit of the streak aside."""
        if facts.wins:
            return self.winner_of(facts) == dealer
        rule = self.options.dealer_on_draw
        gangs = any(meld.kind in GANGS for each in facts.table for meld in each.melds)
        return rule == "stay" or (rule == "stay_unless_gang" and not gangs)

    def winner_of(self, facts: HandFacts) -> int:
        """RA-34: the seat that won; of several claimants the scorer says which."""
        if len(facts.wins) == 1:
            return facts.wins[0].seat
        read = read_hand(facts, self.options)
        assert isinstance(read, Read), "a hand that ended has been found good"
        return read.win.seat

    def leaving(self, memory: RuianMemory) -> int | None:
        """RA-16: with five players the one who lost the deal makes room."""
        return None if memory.leaving == NOTHING else memory.leaving

    def refuse_seated(self, waiting: Sequence[str], player: str) -> Violation | None:
        """RA-16: the substitute who has waited longest sits down."""
        if not waiting or player == waiting[0]:
            return None
        return self.no(
            "wrong_substitute",
            "The empty chair is for the substitute who waits.",
            expected=waiting[0],
            actual=player,
        )

    def next_deal(
        self, memory: RuianMemory, event: Event, dealer: int | None, streak: int
    ) -> tuple[int | None, int, RuianMemory]:
        """RA-11, RA-12: seats are drawn before the first hand."""
        if isinstance(event, SeatsDrawn):
            self.check_lots(memory, event)
            return event.true_east, streak, replace(memory, drawn=True)
        dealer, streak, _ = super().next_deal(memory, event, dealer, streak)
        return dealer, streak, memory

    def own_forms(self, table: Table | None, memory: RuianMemory) -> Iterator[EventForm]:
        """RA-11: seats are drawn once, before the first hand."""
        if table is None and not memory.begun and not memory.drawn:
            yield seats_form([self.lots(east) for east in SEATS])

    def lots(self, assumed_east: int) -> list[str]:
        """RA-11: the tiles drawn by the players of the chairs, then the substitute's."""
        chairs = [LOTS[(seat - assumed_east) % 4] for seat in SEATS]
        return chairs + [SUBSTITUTES_LOT] * self.substitutes

    def check_lots(self, memory: RuianMemory, event: SeatsDrawn) -> None:
        """RA-11, RA-12: the lots fit the chairs, and the second throw the true East."""
        if memory.begun or memory.drawn:
            raise self.stop("seats_drawn_late", "Seats are drawn once, before the first hand.")
        due = self.lots(event.assumed_east)
        if list(event.lots) != due:
            raise self.stop(
                "bad_lots",
                "Who drew East has the chair of the assumed East, the others follow.",
                expected=due,
                actual=list(event.lots),
            )
        true_east = (event.assumed_east + event.dice[2] + event.dice[3] - 1) % 4
        if event.true_east != true_east:
            raise self.stop(
                "wrong_true_east",
                f"The second throw points at seat {true_east}.",
                expected=true_east,
                actual=event.true_east,
            )
