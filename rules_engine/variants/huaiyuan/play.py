"""How Huaiyuan mahjong is played: turns, ting, wins, and who deals next.

``specials`` has the special gangs, ``bao`` the bao and the wall. Rules: HY-17 to HY-37, HY-51 to
HY-57, HY-70.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from rules_engine import events
from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import Chi, Discard, Event, HandStarted, PlayerLeft, Ting
from rules_engine.facts import HandFacts, Holding, Meld
from rules_engine.questions import Handler
from rules_engine.table import NOTHING, Table, with_seat
from rules_engine.tiles import KIND, NAMES, ONE, SUITED_KINDS, Tiles, count, kinds_in, write
from rules_engine.variants.huaiyuan.flags import ABORTED
from rules_engine.variants.huaiyuan.hands import Hand, has_wait, is_whole, legal_cases
from rules_engine.variants.huaiyuan.legality import REASONS
from rules_engine.variants.huaiyuan.melds import ALL_TILES, melded
from rules_engine.variants.huaiyuan.options import HuaiyuanOptions
from rules_engine.variants.huaiyuan.score import is_aborted, is_gang
from rules_engine.variants.huaiyuan.specials import Specials, leaves_one
from rules_engine.variants.huaiyuan.state import (
    RULES,
    BaoExhausted,
    BaoLook,
    BaoRoll,
    Gang,
    Hu,
    HuaiyuanTable,
    Pass,
    Peng,
)

DEAL_DICE = 4


class HuaiyuanPlay(Specials):
    """The rules of play under one set of options."""

    tiles = ALL_TILES
    dice = DEAL_DICE
    rules: ClassVar[Mapping[str, str]] = RULES

    def __init__(self, options: HuaiyuanOptions) -> None:
        super().__init__(options)
        self.several_winners = options.multi_win == "all"
        self.robbable = frozenset({"bu_gang"} if options.qiang_gang_enabled else ())

    def own_handlers(self) -> Mapping[type[Event], Handler]:
        """The variant's own events, and common ones with more fields."""
        return {
            Gang: self.on_gang,
            Peng: self.on_peng,
            Pass: self.on_pass,
            Hu: self.on_hu,
            Ting: self.on_ting,
            BaoRoll: self.on_bao_roll,
            BaoLook: self.on_bao_look,
            BaoExhausted: self.on_bao_exhausted,
        }

    # --- the deal ---------------------------------------------------------------------------------

    def deal(self, event: HandStarted, memory: Any) -> Table:
        """HY-22: two throws of two dice, or none told of."""
        if event.dice and not (
            len(event.dice) == DEAL_DICE and all(1 <= die <= 6 for die in event.dice)
        ):
            raise self.stop("bad_dice", "The dealer throws two dice twice.", actual=event.dice)
        if event.indicator is not None:
            raise self.stop(
                "bad_tiles", "Nothing is turned up at the deal.", actual=event.indicator
            )
        return super().deal(event, memory)

    def opening(self, table: Table, memory: Any) -> Table:
        """The variant's own state at the deal."""
        a, b, c, d = (write(seat.concealed) for seat in table.seats)
        by_window = self.options.special_gang_window == "deal"
        extra = HuaiyuanTable(dealt=(a, b, c, d), window=table.dealer if by_window else NOTHING)
        return replace(table, extra=extra)

    def hands_dealt(
        self, wall: Sequence[int], dealer: int, dice: tuple[int, ...] = ()
    ) -> tuple[Tiles, ...]:
        """HY-22, HY-23: the first throw says who takes first; the last tile is the dealer's."""
        first = (dealer + sum(dice[:2]) - 1) % 4 if dice else dealer
        order = [*[*self.deal_order(first)][:-1], dealer]
        hands = [0, 0, 0, 0]
        for seat, kind in zip(order, wall, strict=False):
            hands[seat] += ONE[kind]
        return tuple(hands)

    # --- turns ------------------------------------------------------------------------------------

    def actions(self, table: Table) -> Iterator[Event]:
        """The seat asked about the bao and the seat opening after the deal come alone (HY-36)."""
        extra: HuaiyuanTable = table.extra
        if extra.asked and table.phase == "offer":
            return self.bao_actions(table)
        if extra.window != NOTHING:
            return self.window_actions(table) if table.phase == "act" else iter(())
        return super().actions(table)

    def own_actions(self, table: Table, seat: int) -> Iterator[Event]:
        """Special gangs and ting."""
        yield from self.special_actions(table, seat)
        if self.refuse_ting(table, seat) is None:
            yield Ting(seat=seat)

    def holds_tile(self, table: Table) -> bool:
        """HY-34: a tile was drawn in this turn; no declaration waits, and the window is over."""
        extra: HuaiyuanTable = table.extra
        return table.drawn != NOTHING and not extra.declaring and extra.window == NOTHING

    def own_tile(self, table: Table) -> int:
        """HY-29: the tile drawn last, or the first in hand when that one lies in an opened gang."""
        if table.drawn == NOTHING or count(table.seats[table.turn].concealed, table.drawn):
            return table.drawn
        return next(kinds_in(table.seats[table.turn].concealed))

    def on_discard(self, table: Table, event: Discard, seq: int) -> Table:
        """A discard ends the first turn (HY-42) and may begin a bao phase (HY-36)."""
        if table.extra.window != NOTHING:
            raise self.stop("window_open", "Special gangs may still be opened before this.")
        return self.begin_bao_phase(super().on_discard(table, event, seq), event.seat)

    def refuse_discard(
        self, table: Table, seat: int, kind: int, *, drawn: bool
    ) -> Violation | None:
        """HY-51, HY-54: a declaring discard leaves a wait; after ting the drawn tile goes."""
        holder = table.seats[seat]
        if table.extra.declaring:
            if has_wait(holder.concealed - ONE[kind], melded(holder.melds), self.options):
                return None
            return self.no("ting_no_wait", f"Without {NAMES[kind]} the hand waits for nothing.")
        if holder.ting and not drawn:
            return self.no(
                "discard_not_drawn_tile",
                "After ting the tile just drawn is discarded.",
                expected=NAMES[table.drawn],
                actual=NAMES[kind],
            )
        return None

    def refuse_ting(self, table: Table, seat: int) -> Violation | None:
        """HY-51: why the seat may not declare."""
        holder = table.seats[seat]
        if holder.ting:
            return self.no("ting_declared", f"Seat {seat} has declared already.")
        if table.extra.window != NOTHING:
            return self.no("window_open", "Special gangs may still be opened before this.")
        melds = melded(holder.melds)
        if any(
            has_wait(holder.concealed - ONE[kind], melds, self.options)
            for kind in kinds_in(holder.concealed)
        ):
            return None
        return self.no("ting_no_wait", "No discard leaves a hand that waits for a tile.")

    def on_ting(self, table: Table, event: Ting, seq: int) -> Table:
        """HY-51: the declaration; its discard comes next."""
        self.expect_turn(table, event.seat)
        violation = self.refuse_ting(table, event.seat)
        if violation is not None:
            raise IllegalEvent(violation)
        holder = replace(table.seats[event.seat], ting=seq)
        extra = replace(table.extra, declaring=True)
        return replace(table, seats=with_seat(table, event.seat, holder), extra=extra)

    def on_pass(self, table: Table, event: events.Pass, seq: int) -> Table:
        """A chance let go: of the window, of the bao, or as usual."""
        if table.extra.window != NOTHING:
            return self.pass_window(table, event)
        if table.extra.asked:
            return self.pass_bao(table, event)
        return super().on_pass(table, event, seq)

    # --- claims -----------------------------------------------------------------------------------

    def on_chi(self, table: Table, event: Chi, seq: int) -> Table:
        """HY-30: which chi there are."""
        if KIND[event.tile] >= SUITED_KINDS:
            raise self.stop("chi_honor", "Winds and dragons are not claimed by chi.")
        offer = table.offer
        if offer is not None and self.options.chi_from == "next":
            due = (offer.seat + 1) % 4
            if event.seat not in (due, offer.seat):
                raise self.stop(
                    "chi_not_next", "Only the next seat chis.", expected=due, actual=event.seat
                )
        return super().on_chi(table, event, seq)

    def refuse_claim(self, table: Table, seat: int, meld: Meld) -> Violation | None:
        """HY-54, HY-37 for a chi, a peng or a robbing peng."""
        if table.seats[seat].ting:
            return self.no("claim_in_ting", "After ting there is no chi and no peng.")
        return self.refuse_last(table, seat, chi=meld.kind == "chi", taken=2)

    def refuse_last(self, table: Table, seat: int, *, chi: bool, taken: int) -> Violation | None:
        """HY-37: why a claim may not leave one tile."""
        has_chi = chi or any(meld.kind == "chi" for meld in table.seats[seat].melds)
        blocked = self.options.block_claim_to_last_tile and has_chi
        if blocked and leaves_one(table, seat, taken):
            return self.no("last_tile_claim", "With a chi no claim may leave a single tile.")
        return None

    def refuse_gang(self, table: Table, seat: int, kind: int, gang: str) -> Violation | None:
        """HY-27, HY-37, HY-54."""
        refusal = self.refuse_without_draw(table) or self.breaks_ting(table, seat, kind, gang)
        if refusal is None and gang == "ming_gang":
            return self.refuse_last(table, seat, chi=False, taken=2)
        return refusal

    # --- winning ----------------------------------------------------------------------------------

    def hand(self, table: Table, seat: int, kind: int, *, by: str) -> Hand:
        """The seat's hand with the tile it would win on (HY-57)."""
        holder = table.seats[seat]
        own = by == "zimo"
        return Hand(
            concealed=holder.concealed - ONE[kind] if own else holder.concealed,
            tile=kind,
            melds=melded(holder.melds),
            wild=own and holder.ting > 0 and kind == table.extra.bao,
        )

    def can_win(self, table: Table, seat: int, kind: int, *, by: str) -> bool:
        """``winning`` with the shape asked first."""
        hand = self.hand(table, seat, kind, by=by)
        return is_whole(hand) and self.winning(table, seat, kind, by=by) is None

    def winning(self, table: Table, seat: int, kind: int, *, by: str) -> Violation | None:
        """The checks of HY-56 for a hand being played."""
        options = self.options
        if by == "qiang_gang" and not options.qiang_gang_enabled:
            return self.no("qiang_gang_disabled", "This club does not rob gangs.")
        if options.ting_required and not table.seats[seat].ting:
            return self.no("ting_required", "Only a seat that has declared ting may win here.")
        answer = legal_cases(self.hand(table, seat, kind, by=by), options)
        if isinstance(answer, str):
            return self.no(answer, f"Seat {seat}: {REASONS[answer][1]}")
        return None

    def flags(self, table: Table, seat: int, *, by: str) -> tuple[str, ...]:
        """The facts of the moment (section 15)."""
        found = ["ting"] if table.seats[seat].ting else []
        if by == "zimo":
            if self.own_tile(table) != table.drawn:
                found.append("last_in_gang")
            elif table.source == "tail":
                found.append("gang_kai")
            if seat == table.dealer and not any(each.pond for each in table.seats):
                found.append("tian_hu")
        if self.drawable(table) < 1 and "last_in_gang" not in found:
            found.append("hai_di")
        return tuple(found)

    def facts(self, table: Table, seq: int) -> HandFacts:
        """The bao in force is known once the hand is over."""
        bao = table.extra.bao
        return replace(super().facts(table, seq), wild=None if bao == NOTHING else NAMES[bao])

    # --- the end of a hand ------------------------------------------------------------------------

    def player_left(self, table: Table, seat: int) -> Table:
        """HY-20: a hand somebody leaves is broken off, unless it has been won."""
        return table if table.wins else replace(table, phase="over", outcome="abandoned")

    def abandoned(self, table: Table, seq: int) -> HandFacts | None:
        """HY-107: the gangs that stand, where the club pays them in a hand broken off."""
        holdings = tuple(
            Holding(seat=seat, melds=holder.melds, flags=(ABORTED,))
            for seat, holder in enumerate(table.seats)
            if any(is_gang(meld) for meld in holder.melds)
        )
        if not holdings or not self.options.abort_settles_gang:
            return None
        return replace(self.facts(table, seq), result="huang_zhuang", wins=(), table=holdings)

    def rotate(
        self, memory: Any, facts: HandFacts | None, dealer: int, streak: int
    ) -> tuple[int | None, int, Any]:
        """HY-18 to HY-21: who deals next."""
        if facts is None or is_aborted(facts):
            return None, 1, memory
        winners = [win.seat for win in facts.wins]
        stays = dealer in winners if winners else self.options.huang_zhuang_dealer == "stay"
        if stays:
            return dealer, streak + 1, memory
        if winners and self.options.dealer_rotation == "winner":
            return winners[0], 1, memory
        return (dealer + 1) % 4, 1, memory

    def next_deal(
        self, memory: Any, event: Event, dealer: int | None, streak: int
    ) -> tuple[int | None, int, Any]:
        """HY-20: after somebody leaves, the next hand is a first hand again."""
        if isinstance(event, PlayerLeft):
            return None, 1, memory
        return super().next_deal(memory, event, dealer, streak)
