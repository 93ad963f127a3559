"""When a hand of Rui'an mahjong may be won, and what a win carries (RA-32 to RA-52)."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from rules_engine.errors import Violation
from rules_engine.events import Event, Hu
from rules_engine.facts import HandFacts, Holding
from rules_engine.table import NOTHING, Outcome, Table
from rules_engine.tiles import KIND, NAMES, ONE, count, kinds_in, write
from rules_engine.variants.ruian.deal import Deal
from rules_engine.variants.ruian.hands import ALL_WILDS, Hand, is_win, make_hand
from rules_engine.variants.ruian.legality import before_shape, no_shape
from rules_engine.variants.ruian.melds import melded, own_wind
from rules_engine.variants.ruian.state import RuianTable


class Wins(Deal):
    """The tests of a win, the facts of the moment, and the early ends of a hand."""

    def holds_tile(self, table: Table) -> bool:
        """RA-19, RA-20: the seat in turn has drawn, and no flower waits to be set aside."""
        return table.extra.flower_due == NOTHING and super().holds_tile(table)

    def hand(self, table: Table, seat: int, kind: int, *, by: str) -> Hand:
        """A seat's tiles with the one it would win on, as the scorer reads them."""
        holder = table.seats[seat]
        concealed = holder.concealed if by == "zimo" else holder.concealed + ONE[kind]
        wind = own_wind(seat, table.dealer)
        return make_hand(concealed, kind, table.wild, wind, melded(holder.melds), self.options)

    def can_win(self, table: Table, seat: int, kind: int, *, by: str) -> bool:
        """Whether ``winning`` objects to nothing."""
        flower = table.extra.flower
        if kind == flower or (by != "zimo" and kind == table.wild):
            return False
        hand = self.hand(table, seat, kind, by=by)
        if is_win(hand, self.options):
            return True
        return hand.wilds == ALL_WILDS and by == "zimo" and self.options.san_cai_shen_bare

    def winning(self, table: Table, seat: int, kind: int, *, by: str) -> Violation | None:
        """The tests of RA-49 for a hand being played."""
        if self.can_win(table, seat, kind, by=by):
            return None
        hand = self.hand(table, seat, kind, by=by)
        flower = table.extra.flower
        return before_shape(seat, hand.as_they_are, kind, table.wild, flower, by=by) or no_shape(
            hand, seat, self.options, by=by
        )

    def chance(self, table: Table, seat: int) -> str | None:
        """RA-34: a seat behind one that has declared has no chance, unless three would end it."""
        by = super().chance(table, seat)
        if by is None or not table.wins or self.options.triple_hu_draw:
            return by
        assert table.offer is not None, "several seats win on an offered tile only"
        giver = table.offer.seat
        nearest = min((win.seat - giver) % 4 for win in table.wins)
        return by if (seat - giver) % 4 < nearest else None

    def bound_to_win(self, table: Table) -> Sequence[int]:
        """RA-36: a seat that holds nothing but wilds has nothing to discard."""
        if table.phase != "act" or table.drawn != table.wild:
            return ()
        concealed = table.seats[table.turn].concealed
        bare = concealed == count(concealed, table.wild) * ONE[table.wild]
        return (table.turn,) if bare and not table.extra.dealing_last else ()

    def first_turn(self, table: Table, seat: int) -> bool:
        """RA-69: whether the seat is the dealer before its first act, or after concealed gangs."""
        holder = table.seats[seat]
        if seat != table.dealer or holder.pond or table.phase != "act":
            return False
        kept = "an_gang" if self.options.tian_hu_after_gang else ""
        return all(meld.kind == kept for meld in holder.melds)

    def on_hu(self, table: Table, event: Hu, seq: int) -> Table:
        """RA-32, RA-69: only an added gang is robbed; a heavenly hand names any of its tiles."""
        robs = table.offer is not None and table.offer.gang
        if event.by == "qiang_gang" and not robs:
            raise self.stop("rob_only_bu_gang", "No gang that can be robbed is on offer.")
        kind = KIND[event.tile]
        if self.names_any(table, event.seat) and count(table.seats[event.seat].concealed, kind):
            table = replace(table, drawn=kind)
        return super().on_hu(table, event, seq)

    def names_any(self, table: Table, seat: int) -> bool:
        """RA-69: whether the seat may name any of its first tiles as the one it wins on."""
        return (
            table.phase == "act"
            and table.turn == seat == table.dealer
            and not table.seats[seat].melds
            and not table.seats[seat].pond
        )

    def turn_actions(self, table: Table, seat: int) -> Iterator[Event]:
        """The standard actions, and every tile a heavenly hand may name."""
        if self.names_any(table, seat) and self.may_win(table, seat):
            for kind in kinds_in(table.seats[seat].concealed - ONE[table.drawn]):
                if kind != table.drawn and self.can_win(table, seat, kind, by="zimo"):
                    yield Hu(seat=seat, by="zimo", tile=NAMES[kind])
        yield from super().turn_actions(table, seat)

    def flags(self, table: Table, seat: int, *, by: str) -> tuple[str, ...]:
        """The facts of the moment (section 15)."""
        extra: RuianTable = table.extra
        found = []
        offer = table.offer
        if by == "zimo":
            if self.first_turn(table, seat):
                found.append("tian_hu")
            if extra.dealing_last:
                found.append("hai_di")
            elif extra.he_di:
                found.append("he_di")
            if extra.kai:
                found.append("gang_kai")
        elif by == "dianpao" and offer is not None:
            ponds = [len(each.pond) for each in table.seats]
            if offer.seat == table.dealer and sum(ponds) == 1:
                found.append("di_hu")
            elif not self.drawable(table):
                found.append("last_discard")
        return tuple(found)

    # --- the end of a hand ------------------------------------------------------------------------

    def exhausted(self, table: Table) -> bool:
        """RA-50, RA-52: the last tiles are dealt, or something has ended the hand early."""
        if table.wins:
            return False
        if table.extra.dealing_last:
            return table.phase == "act" and not table.extra.left
        return bool(self.early_end(table)) or super().exhausted(table)

    def outcome(self, table: Table) -> Outcome:
        """RA-52: three claims end the hand as a draw."""
        if table.phase != "over" and table.wins and self.early_end(table):
            return "huang_zhuang"
        return super().outcome(table)

    def end(self, table: Table, reason: str) -> None:
        """RA-52: with three claims only as a draw."""
        if table.phase != "over" and table.wins and self.early_end(table):
            if reason == "huang_zhuang":
                return
            raise self.stop(
                "hand_not_over",
                f"The hand cannot end with {reason} here.",
                expected="huang_zhuang",
                actual=reason,
            )
        super().end(table, reason)

    def facts(self, table: Table, seq: int) -> HandFacts:
        """RA-34, RA-52: the accepted winner alone; the other claimants are as all others."""
        cause = self.early_end(table)
        if cause:
            if table.offer is not None and not table.wins:
                table = self.close_offer(table)
            table = replace(table, wins=())
        elif len(table.wins) > 1:
            assert table.offer is not None, "several seats win on an offered tile only"
            giver = table.offer.seat
            table = replace(table, wins=(min(table.wins, key=lambda win: (win.seat - giver) % 4),))
        facts = super().facts(table, seq)
        if cause:
            marked = tuple(replace(each, flags=(cause,)) for each in facts.table)
            return replace(facts, table=marked)
        return facts

    def holding(self, table: Table, seat: int) -> Holding:
        """RA-90: all a seat has; the tile of a robbed gang has gone to the winner."""
        holder = table.seats[seat]
        concealed = holder.concealed
        offer = table.offer
        if offer is not None and offer.gang and offer.seat == seat and table.wins:
            concealed -= ONE[offer.kind]
        return Holding(
            seat=seat,
            melds=holder.melds,
            concealed=write(concealed),
            flowers=write(holder.flowers),
        )
