"""How Hefei mahjong is played: no claims but the win, concealed gangs, the hai-lao zone, ting.

Only what differs from the standard turn stands here. Rules: HF-9 to HF-36 and HF-75 (seed 002).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from rules_engine.errors import IllegalEvent, Violation
from rules_engine.event_forms import EventForm
from rules_engine.events import Draw, Event, Hu, PlayerLeft
from rules_engine.facts import HandFacts
from rules_engine.play import Play
from rules_engine.questions import Handler
from rules_engine.table import NOTHING, SEATS, Table, changed, with_seat
from rules_engine.table import Seat as Holder
from rules_engine.tiles import KIND, NAMES, ONE, count, kinds_in
from rules_engine.variants.hefei.forms import own_forms
from rules_engine.variants.hefei.legality import ALL_TILES, waits, winning_shape
from rules_engine.variants.hefei.options import HefeiOptions
from rules_engine.variants.hefei.state import (
    RULES,
    Dismissed,
    HefeiMemory,
    HefeiTable,
    Ready,
    SeatAuto,
    Ting,
    with_auto,
)

ZONE_TILES: Final = 4
"""Tiles of the hai-lao zone 海捞区 (HF-7)."""
GANG_REMAINING: Final = 5
"""Untaken tiles a gang needs (HF-26)."""
ALL_SEATS: Final = 0b1111


class HefeiPlay(Play):
    """The rules of play under one set of options."""

    tiles = ALL_TILES
    claims: frozenset[str] = frozenset()
    gangs: frozenset[str] = frozenset({"an_gang"})
    robbable: frozenset[str] = frozenset()
    memory_type = HefeiMemory
    rules = RULES
    options: HefeiOptions

    def own_handlers(self) -> Mapping[type[Event], Handler]:
        """Ting, automatic seats and dissolving during a hand."""
        return {
            Ting: self.on_ting,
            SeatAuto: self.on_seat_auto,
            Dismissed: self.on_dismissed,
        }

    # --- the deal and the game around the hands ---------------------------------------------------

    def memory(self) -> HefeiMemory:
        """Nothing is remembered at first."""
        return HefeiMemory()

    def opening(self, table: Table, memory: HefeiMemory) -> Table:
        """Two dice at most, no indicator, automatic seats as they were."""
        if table.indicator != NOTHING:
            raise self.stop(
                "wild_forbidden",
                "This game has no wild tile and no indicator.",
                actual=NAMES[table.indicator],
            )
        if table.dice and not (len(table.dice) == 2 and all(1 <= die <= 6 for die in table.dice)):
            raise self.stop("bad_dice", "Two dice are rolled.", actual=list(table.dice))
        return replace(table, extra=with_auto(HefeiTable(), memory.auto))

    def rotate(
        self, memory: HefeiMemory, facts: HandFacts | None, dealer: int, streak: int
    ) -> tuple[int | None, int, HefeiMemory]:
        """HF-11 to HF-15: the dealer stays by winning or when nobody wins."""
        if facts is None or memory.left:
            return None, 1, HefeiMemory(auto=memory.auto)
        settled = memory.settled + 1
        if settled == self.options.hands_per_game:
            return None, 1, HefeiMemory(auto=memory.auto)
        memory = replace(memory, settled=settled)
        if not facts.wins or any(win.seat == dealer for win in facts.wins):
            return dealer, streak + 1, memory
        return (dealer + 1) % 4, 1, memory

    def remember(self, memory: HefeiMemory, table: Table) -> HefeiMemory:
        """Automatic seats outlast the hand, but not the player who left."""
        auto = table.extra.auto
        for seat in SEATS:
            if table.extra.left >> seat & 1:
                auto = changed(auto, seat, "")
        return replace(memory, auto=auto, left=table.extra.left > 0)

    def next_deal(
        self, memory: HefeiMemory, event: Event, dealer: int | None, streak: int
    ) -> tuple[int | None, int, Any]:
        """HF-13: a new game begins when a player leaves or the table is dissolved."""
        if isinstance(event, PlayerLeft):
            return None, 1, HefeiMemory(auto=changed(memory.auto, event.seat, ""))
        if isinstance(event, Dismissed):
            return None, 1, HefeiMemory(auto=memory.auto)
        if isinstance(event, SeatAuto):
            cause = event.cause if event.on else ""
            return dealer, streak, replace(memory, auto=changed(memory.auto, event.seat, cause))
        if isinstance(event, Ready):
            return dealer, streak, memory
        return super().next_deal(memory, event, dealer, streak)

    def own_forms(self, table: Table | None, memory: HefeiMemory) -> Iterator[EventForm]:
        """HF-9, HF-14, HF-36."""
        return own_forms(table, memory)

    def player_left(self, table: Table, seat: int) -> Table:
        """HF-14: the seat is played on automatically, or the hand is void, unless it is won."""
        if self.options.leave_mid_hand == "void" and not table.wins:
            return replace(table, phase="over", outcome="abandoned")
        auto = changed(table.extra.auto, seat, "left")
        left = table.extra.left | 1 << seat
        return replace(table, extra=with_auto(replace(table.extra, left=left), auto))

    def on_dismissed(self, table: Table, event: Dismissed, seq: int) -> Table:
        """HF-14: dissolving the table voids the hand, unless it has been won."""
        if table.wins:
            raise self.stop("hand_over", "The hand is won.", expected="hand_ended")
        return replace(table, phase="over", outcome="abandoned")

    def on_seat_auto(self, table: Table, event: SeatAuto, seq: int) -> Table:
        """HF-36: from now on the seat wins whenever it can, or no longer has to."""
        auto = changed(table.extra.auto, event.seat, event.cause if event.on else "")
        return replace(table, extra=with_auto(table.extra, auto))

    # --- draws and the zone -----------------------------------------------------------------------

    def due_draw(self, table: Table) -> tuple[int, str] | None:
        """HF-20: in the zone the next seat draws without a discard before it."""
        if table.extra.zone:
            return ((table.turn + 1) % 4, "head") if table.remaining and not table.wins else None
        return super().due_draw(table)

    def on_draw(self, table: Table, event: Draw, seq: int) -> Table:
        """A draw opens the zone when only its four tiles are left, and lifts the drawer's lock."""
        after = super().on_draw(table, event, seq)
        extra = after.extra
        zone = extra.zone or (event.source == "head" and table.remaining <= ZONE_TILES)
        locked = extra.locked & ~(1 << event.seat)
        if zone == extra.zone and locked == extra.locked:
            return after
        return replace(after, extra=replace(extra, zone=zone, locked=locked))

    def exhausted(self, table: Table) -> bool:
        """HF-43: the fourth zone tile is drawn and nobody has won."""
        return bool(table.extra.zone and not table.remaining and not table.wins)

    def refuse_discard(
        self, table: Table, seat: int, kind: int, *, drawn: bool
    ) -> Violation | None:
        """HF-20: no discard in the zone. HF-31: after ting only the tile just taken."""
        if table.extra.zone:
            return self.no("no_discard_in_zone", "In the hai-lao zone nothing is discarded.")
        declared = table.extra.declared >> seat & 1
        if declared and table.bound_discard == NOTHING and not drawn:
            return self.no(
                "ting_locked_discard",
                f"Seat {seat} has declared ting and discards the tile just taken.",
                expected=NAMES[table.drawn],
                actual=NAMES[kind],
            )
        return None

    # --- winning ----------------------------------------------------------------------------------

    def can_win(self, table: Table, seat: int, kind: int, *, by: str) -> bool:
        """``winning`` without the reasons."""
        if by == "dianpao" and self.refuse_dianpao(table, seat) is not None:
            return False
        return self.has_shape(table, seat, kind, by=by, options=self.options)

    def winning(self, table: Table, seat: int, kind: int, *, by: str) -> Violation | None:
        """HF-34, HF-37 to HF-41 for a hand being played."""
        if by == "dianpao":
            violation = self.refuse_dianpao(table, seat)
            if violation is not None:
                return violation
        if self.has_shape(table, seat, kind, by=by, options=self.options):
            return None
        any_suits = replace(self.options, min_suit=0)
        if self.has_shape(table, seat, kind, by=by, options=any_suits):
            return self.no(
                "suit_below_min",
                f"Fewer than {self.options.min_suit} tiles are of one suit.",
                expected=self.options.min_suit,
            )
        return self.no(
            "not_winning_shape", "The tiles are neither four sets and a pair nor seven pairs."
        )

    def refuse_dianpao(self, table: Table, seat: int) -> Violation | None:
        """HF-24, HF-34, HF-40: what a seat's win on a discard may need besides its tiles."""
        if not self.options.allow_dianpao:
            return self.no("dianpao_disabled", "Wins on a discard are switched off.")
        if self.options.room == "bao_ting" and not table.extra.declared >> seat & 1:
            return self.no("ting_required", f"Seat {seat} has not declared ting.", expected="ting")
        if table.extra.locked >> seat & 1:
            return self.no("pass_locked", f"Seat {seat} let a win go and has not drawn since.")
        return None

    @staticmethod
    def has_shape(table: Table, seat: int, kind: int, *, by: str, options: HefeiOptions) -> bool:
        """HF-37 to HF-39 for a seat's tiles, with the discard where it is not the own draw."""
        holder = table.seats[seat]
        concealed = holder.concealed if by == "zimo" else holder.concealed + ONE[kind]
        if not holder.melds:
            return winning_shape(concealed, 0, concealed, options)
        gangs = gang_kinds(holder)
        owned = concealed + sum(4 * ONE[gang] for gang in gangs)
        return winning_shape(concealed, len(gangs), owned, options)

    def bound_to_win(self, table: Table) -> Sequence[int]:
        """HF-21, HF-24, HF-33, HF-36: who has to take a win."""
        extra: HefeiTable = table.extra
        bound = extra.automatic
        if self.options.auto_hu_after_ting:
            bound |= extra.declared
        if self.options.pass_rule == "must_hu" or (extra.zone and self.options.hai_lao_must_hu):
            bound = ALL_SEATS
        return () if not bound else [seat for seat in SEATS if bound >> seat & 1]

    def why_bound(self, table: Table, seat: int) -> str:
        """The rule that makes the win automatic or forced."""
        cause = self.cause(table, seat)
        if cause == "forced":
            return "HF-21" if table.extra.zone and self.options.hai_lao_must_hu else "HF-24"
        return "HF-33" if cause == "ting" else "HF-36"

    def cause(self, table: Table, seat: int) -> str:
        """HF-75: what makes a win, the first that holds."""
        extra: HefeiTable = table.extra
        if extra.declared >> seat & 1 and self.options.auto_hu_after_ting:
            return "ting"
        if self.options.pass_rule == "must_hu" or (extra.zone and self.options.hai_lao_must_hu):
            return "forced"
        cause = extra.auto[seat]
        return "trustee" if cause == "left" else cause or "player"

    def flags(self, table: Table, seat: int, *, by: str) -> tuple[str, ...]:
        """HF-74: the facts of the moment."""
        found = []
        pond = table.seats[seat].pond
        from_dealer = table.offer is not None and table.offer.seat == table.dealer
        if by == "zimo":
            if table.source == "tail":
                found.append("gang_kai")
            if table.extra.zone:
                found.append("hai_lao")
            if table.source == "deal":
                found.append("tian_hu")
            if seat != table.dealer and not pond:
                found.append("di_hu")
        elif from_dealer and len(table.seats[table.dealer].pond) == 1:
            found.append("dealer_first_discard")
        if table.seats[seat].ting:
            found.append("ting")
        return tuple(found)

    def on_hu(self, table: Table, event: Hu, seq: int) -> Table:
        """HF-25: no gang can be robbed. The cause of the win is kept for the record."""
        if event.by == "qiang_gang":
            raise self.stop("qiang_gang_forbidden", "No gang can be robbed in this game.")
        cause = self.cause(table, event.seat)
        after = super().on_hu(table, event, seq)
        causes = (*after.extra.causes, (event.seat, cause))
        return replace(after, extra=replace(after.extra, causes=causes))

    def after_pass(self, table: Table, seat: int) -> Table:
        """HF-24 with ``locked_until_draw``: who lets a discard go is locked."""
        if self.options.pass_rule == "locked_until_draw" and table.phase == "offer":
            extra = replace(table.extra, locked=table.extra.locked | 1 << seat)
            return replace(table, extra=extra)
        return table

    def after_chance(self, table: Table) -> Table:
        """The same for wins let go without a word."""
        if self.options.pass_rule == "locked_until_draw":
            for seat in SEATS:
                if self.may_win(table, seat):
                    table = self.after_pass(table, seat)
        return table

    # --- gang and ting ----------------------------------------------------------------------------

    def refuse_gang(self, table: Table, seat: int, kind: int, gang: str) -> Violation | None:
        """HF-26 and, after ting, HF-32."""
        if table.remaining < GANG_REMAINING:
            return self.no(
                "gang_wall_too_short",
                "The last four tiles belong to the hai-lao zone.",
                expected=GANG_REMAINING,
                actual=table.remaining,
            )
        holder = table.seats[seat]
        if not holder.ting:
            return None
        gangs = gang_kinds(holder)
        left = waits(holder.concealed - 4 * ONE[kind], (*gangs, kind), self.options)
        rule = self.options.ting_gang
        before = waits(holder.concealed - ONE[table.drawn], gangs, self.options)
        if rule == "forbidden" or not left or (rule == "same_waits" and left != before):
            return self.no(
                "gang_breaks_ting",
                f"Seat {seat} has declared ting, and this gang would break what it declared.",
                expected=[NAMES[wait] for wait in before],
                actual=[NAMES[wait] for wait in left],
            )
        return None

    def on_ting(self, table: Table, event: Ting, seq: int) -> Table:
        """HF-29 to HF-31 and HF-35: the declaration, with its discard or at the deal."""
        violation = self.refuse_ting(table, event)
        if violation is not None:
            raise IllegalEvent(violation)
        self.insist_on_wins(table)
        seat = event.seat
        bound = table.bound_discard if event.discard is None else KIND[event.discard]
        return replace(
            table,
            seats=with_seat(table, seat, replace(table.seats[seat], ting=seq)),
            bound_discard=bound,
            extra=replace(table.extra, declared=table.extra.declared | 1 << seat),
        )

    def refuse_ting(self, table: Table, event: Ting) -> Violation | None:
        """Why this declaration is not allowed; None when it is."""
        seat = event.seat
        holder = table.seats[seat]
        if self.options.room != "bao_ting":
            return self.no("ting_not_in_plain_room", "In a plain room nobody declares ting.")
        if holder.ting:
            return self.no("ting_already_declared", f"Seat {seat} has declared already.")
        if table.extra.zone:
            return self.no("no_discard_in_zone", "In the hai-lao zone nobody declares ting.")
        concealed = holder.concealed
        if event.discard is None:
            if not self.initial_moment(table, seat):
                return self.no(
                    "not_your_turn",
                    "Without a discard ting is declared only at the deal.",
                    actual=seat,
                )
        else:
            self.expect_turn(table, seat)
            kind = KIND[event.discard]
            if table.bound_discard != NOTHING or not count(concealed, kind):
                return self.no(
                    "tile_not_held",
                    f"Seat {seat} cannot discard {event.discard}.",
                    actual=event.discard,
                )
            concealed -= ONE[kind]
        if not waits(concealed, gang_kinds(holder), self.options):
            return self.no("ting_not_ready", "The hand that would remain waits for no tile.")
        return None

    def initial_moment(self, table: Table, seat: int) -> bool:
        """HF-35: before the dealer's first discard a non-dealer may declare, by option."""
        first = table.phase in ("act", "replace") and not table.seats[table.dealer].pond
        return self.options.initial_ting and first and seat != table.dealer

    def own_actions(self, table: Table, seat: int) -> Iterator[Event]:
        """One ting for each discard that leaves a ready hand."""
        if self.options.room != "bao_ting" or table.bound_discard != NOTHING:
            return
        for kind in kinds_in(table.seats[seat].concealed):
            ting = Ting(seat=seat, discard=NAMES[kind])
            if self.refuse_ting(table, ting) is None:
                yield ting

    def actions(self, table: Table) -> Iterator[Event]:
        """The standard actions, and the declarations at the deal."""
        yield from super().actions(table)
        if self.options.initial_ting and not self.must_win(table, table.turn):
            for seat in SEATS:
                ting = Ting(seat=seat)
                if self.refuse_ting(table, ting) is None:
                    yield ting


def gang_kinds(holder: Holder) -> tuple[int, ...]:
    """The kinds of a seat's gangs, its only melds."""
    return tuple(KIND[meld.tiles[0] + meld.tiles[-1]] for meld in holder.melds)
