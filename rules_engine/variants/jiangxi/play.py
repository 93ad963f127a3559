"""How the bao game is played: bao_diao_tou and stealing, claims, robbing, catching a bao.

Only what differs from the standard turn stands here. Rules: JX-31 to JX-66 and JX-79
(seed 004).
"""

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from msgspec.structs import replace

from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import Discard, Event, Hu, Peng, Ting
from rules_engine.facts import Holding, Meld
from rules_engine.questions import Handler
from rules_engine.table import NOTHING, SEATS, Offer, Table, changed
from rules_engine.tiles import EMPTY, NAMES, ONE, Tiles, count, has, parse, write
from rules_engine.variants.jiangxi.dealing import Dealing
from rules_engine.variants.jiangxi.hands import (
    Hand,
    is_diao,
    is_win,
    is_win_without_bao,
    make_hand,
    may_complete,
)
from rules_engine.variants.jiangxi.melds import melded
from rules_engine.variants.jiangxi.options import JiangxiOptions
from rules_engine.variants.jiangxi.state import ALL_WILDS, RULES, JiangxiTable, JieBao

CATCHING: Final = 3
"""Wilds a seat has to have drawn to catch one (JX-56)."""


class JiangxiPlay(Dealing):
    """The rules of play under one set of options."""

    rules: ClassVar[Mapping[str, str]] = RULES

    def __init__(self, options: JiangxiOptions) -> None:
        super().__init__(options)
        self.dice = options.dice
        self.robbable = self.gangs if options.rob_kinds == "all" else frozenset({"bu_gang"})

    def own_handlers(self) -> Mapping[type[Event], Handler]:
        """Catching a bao; and a refusal with its own rule for what this game does not have."""
        return {JieBao: self.on_jie_bao, Ting: self.on_ting}

    def on_ting(self, table: Table, event: Ting, seq: int) -> Table:
        """JX-70: there is no such declaration."""
        raise self.stop("no_ting", "Nobody declares ting in this game.", actual=event.type)

    # --- bao_diao_tou and stealing ----------------------------------------------------------------

    def on_discard(self, table: Table, event: Discard, seq: int) -> Table:
        """JX-65: what the discard leaves decides the seat's state."""
        after = super().on_discard(table, event, seq)
        return self.with_state(after, event.seat, drew=table.source != "claim")

    def make_gang(self, table: Table, offer: Offer) -> Table:
        """JX-65: so does a gang, before its replacement is drawn."""
        after = super().make_gang(table, offer)
        return self.with_state(after, offer.seat, drew=offer.gang != "ming_gang")

    def with_state(self, table: Table, seat: int, *, drew: bool) -> Table:
        """The table with the seat's state after its move; ``drew``: it drew before it."""
        extra: JiangxiTable = table.extra
        bit = 1 << seat
        before = extra.diao & bit
        holder = table.seats[seat]
        if not before and not holder.concealed >> 4 * table.wild & 15:
            return table
        diao, stealing = extra.diao & ~bit, extra.stealing & ~bit
        if is_diao(holder.concealed, len(holder.melds), table.wild):
            diao |= bit
            if before and (drew or extra.stealing & bit):
                stealing |= bit
        if (diao, stealing) == (extra.diao, extra.stealing):
            return table
        return replace(table, extra=replace(extra, diao=diao, stealing=stealing))

    # --- claims and gangs -------------------------------------------------------------------------

    def refuse_claim(self, table: Table, seat: int, meld: Meld) -> Violation | None:
        """JX-34, JX-46, JX-52 for a chi or peng."""
        assert table.offer is not None
        kind = table.offer.kind
        refusal = self.refuse_taking(table, kind)
        if refusal is None and meld.kind == "peng" and has(self.barred(table, seat), ONE[kind]):
            return self.no(
                "pass_peng_locked", f"Seat {seat} let a peng of it go and has not drawn since."
            )
        return refusal

    def refuse_taking(self, table: Table, kind: int) -> Violation | None:
        """Why a discard of this kind may not be claimed for a meld by anybody."""
        if kind == table.wild and not self.options.claim_wild:
            return self.no(
                "wild_not_claimable", "A discarded bao cannot be claimed.", actual=NAMES[kind]
            )
        if self.drawable(table) < 1:
            return self.no(
                "last_tile_claim", "After the last draw a discard is good for a win only."
            )
        return None

    def refuse_gang(self, table: Table, seat: int, kind: int, gang: str) -> Violation | None:
        """The same for a gang on a discard; and every gang needs its replacement tile (JX-33)."""
        refusal = self.refuse_taking(table, kind) if gang == "ming_gang" else None
        if refusal is None and self.replaceable(table) < 1:
            return self.no("no_replacement_tile", "No tile is left to replace the gang's fourth.")
        return refusal

    def on_peng(self, table: Table, event: Peng, seq: int) -> Table:
        """Who takes a peng has not let it go (JX-52)."""
        barred = table.extra.no_peng[event.seat]
        after = super().on_peng(table, event, seq)
        if after.extra.no_peng[event.seat] == barred:
            return after
        no_peng = changed(after.extra.no_peng, event.seat, barred)
        return replace(after, extra=replace(after.extra, no_peng=no_peng))

    def barred(self, table: Table, seat: int) -> Tiles:
        """The kinds the seat may not peng now, as a bag."""
        return parse(table.extra.no_peng[seat])

    # --- winning ----------------------------------------------------------------------------------

    def hand(self, table: Table, seat: int, kind: int, *, by: str) -> Hand:
        """The seat's hand with the tile it would win on."""
        holder = table.seats[seat]
        own = by == "zimo"
        concealed = holder.concealed - ONE[kind] if own else holder.concealed
        return make_hand(concealed, kind, table.wild, melded(holder.melds), own=own)

    def winning(self, table: Table, seat: int, kind: int, *, by: str) -> Violation | None:
        """The tests of JX-77 for a hand being played."""
        hand = self.hand(table, seat, kind, by=by)
        if not is_win(hand, self.options):
            return self.no("not_a_win", f"The tiles of seat {seat} are no winning hand.")
        if by == "dianpao" and not self.is_di_hu(table):
            rule = self.options.discard_win
            if rule == "di_hu_only":
                return self.no("discard_win_off", "Only a di_hu wins on a discard here.")
            if rule == "no_wild" and not is_win_without_bao(hand, self.options):
                return self.no(
                    "wild_needs_self_draw",
                    "A hand in which a bao replaces another tile does not win on a discard.",
                    expected="zimo",
                    actual=by,
                )
        if by != "zimo" and table.extra.locked >> seat & 1:
            return self.no("pass_hu_locked", f"Seat {seat} let a win go and has not drawn since.")
        return self.refuse_second(table, seat)

    def can_win(self, table: Table, seat: int, kind: int, *, by: str) -> bool:
        """``winning`` without the reasons, the cheap tests first."""
        if by != "zimo":
            if table.extra.locked >> seat & 1 or (table.wins and self.refuse_second(table, seat)):
                return False
            rule = self.options.discard_win
            if by == "dianpao" and rule != "all" and not self.is_di_hu(table):
                hand = self.hand(table, seat, kind, by=by)
                return rule == "no_wild" and is_win_without_bao(hand, self.options)
        return is_win(self.hand(table, seat, kind, by=by), self.options)

    def refuse_second(self, table: Table, seat: int) -> Violation | None:
        """JX-48, JX-49: why this seat may not win beside one that has."""
        if not table.wins:
            return None
        first = table.wins[0]
        if first.by == "dianpao":
            return self.no(
                "one_winner_per_discard",
                f"One discard has one winner, and seat {first.seat} has won.",
                expected=first.seat,
                actual=seat,
            )
        if self.options.rob_winners == "first":
            return self.no(
                "one_winner_per_gang",
                f"In this club one gang has one winner, and seat {first.seat} has won.",
                expected=first.seat,
                actual=seat,
            )
        return None

    def is_di_hu(self, table: Table) -> bool:
        """JX-102: the hand's first discard is on offer, and nothing but the deal came before it."""
        offer = table.offer
        assert offer is not None
        dealer = table.seats[table.dealer]
        return offer.seat == table.dealer and len(dealer.pond) == 1 and not dealer.melds

    def on_hu(self, table: Table, event: Hu, seq: int) -> Table:
        """JX-43: no win after a claim. JX-58: gangs that cannot be robbed."""
        in_turn = table.phase == "act" and table.turn == event.seat
        if event.by == "zimo" and in_turn and table.source == "claim":
            raise self.stop("hu_after_claim", "After a chi or peng only a discard is possible.")
        if event.by == "qiang_gang" and table.phase == "replace":
            raise self.stop(
                "rob_not_allowed",
                "This gang cannot be robbed here.",
                expected=self.options.rob_kinds,
            )
        return super().on_hu(table, event, seq)

    def flags(self, table: Table, seat: int, *, by: str) -> tuple[str, ...]:
        """Section 15: the facts of the moment."""
        extra: JiangxiTable = table.extra
        found = []
        if by == "zimo":
            if table.source == "deal":
                found.append("tian_hu")
            if table.source == "tail":
                found.append("gang_kai")
        elif by == "dianpao" and self.is_di_hu(table):
            found.append("di_hu")
        if extra.stealing >> seat & 1:
            found.append("tou_ji")
        flown = [each for each in table.seats[seat].pond if each.kind == table.wild]
        if flown:
            found.append(f"fei_bao:{len(flown)}")
        if table.offer is not None and table.offer.gang in ("an_gang", "ming_gang"):
            found.append(f"rob:{table.offer.gang}")
        return (*found, *self.wild_flags(table, seat))

    def wild_flags(self, table: Table, seat: int) -> tuple[str, ...]:
        """JX-56, JX-57: what a seat carries whether it wins or not."""
        extra: JiangxiTable = table.extra
        if extra.wilds[seat] == ALL_WILDS:
            return ("si_bao",)
        return (f"jie_bao:{extra.caught_from}",) if extra.caught_by == seat else ()

    def flag_seq(self, table: Table, seat: int, flag: str) -> int:
        """The declaration of jie_bao, and the draw or the deal that gave the fourth wild."""
        extra: JiangxiTable = table.extra
        if flag == "si_bao":
            return extra.fourth_seq or table.seq
        return extra.caught_seq if flag.startswith("jie_bao:") else 0

    def holding(self, table: Table, seat: int) -> Holding | None:
        """What payments need to know of a seat that did not win."""
        melds, flags = table.seats[seat].melds, self.wild_flags(table, seat)
        if not (melds or flags):
            return None
        seqs = self.flag_seqs(table, seat, flags)
        return Holding(seat=seat, melds=melds, flags=flags, flag_seqs=seqs)

    # --- passing ----------------------------------------------------------------------------------

    def after_pass(self, table: Table, seat: int) -> Table:
        """JX-52: who lets a win on another seat's tile go is locked until the own next draw."""
        if table.phase != "offer" or not self.options.pass_hu_lock:
            return table
        extra: JiangxiTable = table.extra
        return replace(table, extra=replace(extra, locked=extra.locked | 1 << seat))

    def after_chance(self, table: Table) -> Table:
        """The same for wins let go without a word; and, where the club says so, for a peng."""
        offer = table.offer
        assert offer is not None
        if self.options.pass_hu_lock:
            for seat in self.able_to_win(table, offer):
                table = self.after_pass(table, seat)
        if self.options.pass_peng_lock and not offer.gang:
            for seat in SEATS:
                if seat != offer.seat:
                    table = self.bar_peng(table, seat, offer.kind)
        return table

    def able_to_win(self, table: Table, offer: Offer) -> list[int]:
        """The seats that may win on the tile on offer. Asked of every discard, so quick."""
        # A bao replaces nothing on a discard that gives no di_hu, and most hands then cannot win.
        free = self.options.discard_win == "all" or offer.gang or self.is_di_hu(table)
        wilds, tile = 15 * ONE[table.wild] if free else EMPTY, ONE[offer.kind]
        return [
            seat
            for seat, holder in enumerate(table.seats)
            if holder.concealed & wilds or may_complete(holder.concealed, len(holder.melds)) & tile
            if self.may_win(table, seat)
        ]

    def bar_peng(self, table: Table, seat: int, kind: int) -> Table:
        """JX-52 for a seat that could have made a peng of this kind."""
        barred = self.barred(table, seat)
        able = count(table.seats[seat].concealed, kind) > 1
        if not able or has(barred, ONE[kind]) or self.refuse_taking(table, kind) is not None:
            return table
        extra: JiangxiTable = table.extra
        no_peng = changed(extra.no_peng, seat, write(barred + ONE[kind]))
        return replace(table, extra=replace(extra, no_peng=no_peng))

    # --- catching a bao ---------------------------------------------------------------------------

    def on_jie_bao(self, table: Table, event: JieBao, seq: int) -> Table:
        """JX-56: a declaration that changes nothing in the play."""
        refusal = self.refuse_catch(table, event.seat)
        if refusal is None and table.offer is not None:
            due = {"tile": NAMES[table.offer.kind], "from": table.offer.seat}
            given = {"tile": event.tile, "from": event.from_}
            if given != due:
                refusal = self.no(
                    "wrong_tile", "Another tile is on offer.", expected=due, actual=given
                )
        if refusal is not None:
            raise IllegalEvent(refusal)
        extra = replace(table.extra, caught_by=event.seat, caught_from=event.from_, caught_seq=seq)
        return replace(table, extra=extra)

    def refuse_catch(self, table: Table, seat: int) -> Violation | None:
        """Why this seat may not catch a bao now."""
        extra: JiangxiTable = table.extra
        if not self.options.jie_bao:
            return self.no("jie_bao_off", "This club has no jie_bao.")
        offer = table.offer
        thrown = offer is not None and not offer.gang and offer.kind == table.wild
        if offer is None or not thrown or offer.seat == seat or table.wins:
            return self.no(
                "jie_bao_too_late", "A bao is caught right after another seat discards it."
            )
        if extra.caught_by != NOTHING:
            return self.no("jie_bao_declared", f"Seat {extra.caught_by} has caught it already.")
        if extra.wilds[seat] < CATCHING:
            return self.no(
                "jie_bao_not_three",
                f"Seat {seat} has drawn {extra.wilds[seat]} bao in this hand.",
                expected=CATCHING,
                actual=extra.wilds[seat],
            )
        return None

    def answers(self, table: Table, seat: int, *, forced: bool) -> Iterator[Event]:
        """The standard answers to a discard, and catching a bao."""
        yield from super().answers(table, seat, forced=forced)
        offer = table.offer
        assert offer is not None
        if offer.kind == table.wild and self.refuse_catch(table, seat) is None:
            yield JieBao(seat=seat, tile=NAMES[offer.kind], from_=offer.seat)
