"""The bao of Huaiyuan mahjong: the roll, looks, changes, and wins on it (HY-15, HY-16, HY-52).

Here is also where in the wall draws come from (HY-12 to HY-14), and the bao phase (HY-36).
"""

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from rules_engine import events
from rules_engine.errors import IllegalEvent
from rules_engine.event_forms import EventForm
from rules_engine.events import Draw, Event
from rules_engine.facts import WinFacts
from rules_engine.play import Play
from rules_engine.table import NOTHING, SEATS, Table, Taken, changed
from rules_engine.tiles import KIND, NAMES, ONE, count, parse, write
from rules_engine.variants.huaiyuan.forms import exhausted_form, look_form, roll_form
from rules_engine.variants.huaiyuan.hands import waited_for
from rules_engine.variants.huaiyuan.melds import melded
from rules_engine.variants.huaiyuan.slots import (
    good_sums,
    head_slot,
    open_slots,
    slot_of,
    tail_slot,
    without,
)
from rules_engine.variants.huaiyuan.state import (
    BaoExhausted,
    BaoLook,
    BaoRoll,
    Hu,
    HuaiyuanTable,
    Pass,
    Task,
)


class Bao(Play):
    """The wall with a tile set aside, and the bao phase after a discard."""

    # --- the wall ---------------------------------------------------------------------------------

    def reserve(self, table: Table) -> int:
        """How many stacks stay in the wall (HY-14)."""
        options = self.options
        extra: HuaiyuanTable = table.extra
        kept: int = options.reserve_stacks
        if not options.reserve_growth:
            return kept
        made = extra.gangs if options.reserve_counts == "all_gangs" else extra.replaced
        return kept + max(0, made - 1)

    def drawable(self, table: Table) -> int:
        """The tiles before the reserve, the bao left out."""
        extra: HuaiyuanTable = table.extra
        slots = open_slots(int(extra.wall, 16), self.reserve(table))
        return without(slots, extra.slot).bit_count()

    def replaceable(self, table: Table) -> int:
        """How many tiles replacement draws may still take: all but the bao."""
        extra: HuaiyuanTable = table.extra
        return table.remaining - (extra.slot != NOTHING)

    def place(self, table: Table, *, tail: bool) -> int:
        """The slot the next draw takes."""
        extra: HuaiyuanTable = table.extra
        wall = without(int(extra.wall, 16), extra.slot)
        return tail_slot(wall) if tail else head_slot(wall)

    def taken(self, table: Table, kind: int, *, tail: bool) -> Taken:
        """A draw with its slot."""
        return Taken(tail, kind, place=self.place(table, tail=tail))

    def places(self, draws: Sequence[Taken], *, length: int, turned: int) -> Iterator[int]:
        """Every draw has its slot with it."""
        return iter([taken.place for taken in draws])

    def on_draw(self, table: Table, event: Draw, seq: int) -> Table:
        """A draw takes its slot from the wall; the bao set aside is not drawn."""
        kind = KIND[event.tile]
        if kind == table.extra.bao and count(table.unseen, kind) < 2:
            raise self.stop(
                "too_many_tiles", f"The last {event.tile} of the wall is set aside as the bao."
            )
        after = super().on_draw(table, event, seq)
        extra: HuaiyuanTable = after.extra
        tail = event.source == "tail"
        wall = int(extra.wall, 16) & ~(1 << self.place(after, tail=tail))
        dealt = extra.dealt
        first = not tail and not extra.acted >> event.seat & 1
        if first and self.options.special_gang_first_draw:
            dealt = changed(dealt, event.seat, write(parse(dealt[event.seat]) + ONE[kind]))
        extra = replace(
            extra, wall=f"{wall:x}", replaced=extra.replaced + tail, dealt=dealt, closed=False
        )
        return replace(after, extra=extra)

    def refused_draw(self, table: Table, event: Draw, due: tuple[int, str] | None) -> IllegalEvent:
        """HY-14: no normal draw out of the reserve."""
        if due is None and self.exhausted(table):
            return self.stop("wall_reserved", "What is left of the wall stays where it is.")
        return super().refused_draw(table, event, due)

    # --- what is due after a discard --------------------------------------------------------------

    def is_pending(self, table: Table) -> bool:
        """Whether the bao phase is not over, so that nobody claims or draws yet (HY-36)."""
        extra: HuaiyuanTable = table.extra
        return bool(extra.task or extra.asked) and not table.wins

    def due_draw(self, table: Table) -> tuple[int, str] | None:
        """No draw before the bao phase is over."""
        return None if self.is_pending(table) else super().due_draw(table)

    def exhausted(self, table: Table) -> bool:
        """Nor is the hand over before."""
        return not self.is_pending(table) and super().exhausted(table)

    def is_claimant(self, table: Table, seat: int, claim: str) -> bool:
        """Nor is a claim carried out."""
        if self.is_pending(table):
            return False
        if claim == "chi" and self.options.chi_from == "any":
            claim = "peng"
        return super().is_claimant(table, seat, claim)

    def chance(self, table: Table, seat: int) -> str | None:
        """Once somebody has looked nobody wins on the discard any more (HY-36)."""
        offer = table.offer
        if offer is not None and not offer.gang and table.extra.closed:
            return None
        return super().chance(table, seat)

    def due_event(self, table: Table) -> tuple[str, int] | None:
        """The roll, the look, or the end of the bao that is due."""
        extra: HuaiyuanTable = table.extra
        if not extra.task or table.wins:
            return None
        assert table.offer is not None, "the bao phase belongs to a discard"
        if extra.task == "look" and extra.bao != NOTHING:
            return "bao_look", table.offer.seat
        seat = extra.owner if extra.owner != NOTHING else table.offer.seat
        good = good_sums(int(extra.wall, 16), self.options.bao_dice, extra.used)
        return ("bao_roll" if good else "bao_exhausted"), seat

    def due_form(self, table: Table) -> EventForm:
        """HY-15, HY-52: what is thrown, what is seen."""
        due = self.due_event(table)
        assert due is not None, "asked only when one is due"
        kind, seat = due
        if kind == "bao_look":
            return look_form(table, seat)
        if kind == "bao_exhausted":
            return exhausted_form(table)
        dice, lookers = self.options.bao_dice, self.in_ting(table)
        return roll_form(table, seat=seat, dice=dice, lookers=lookers)

    def due_from(
        self, table: Table, wall: Sequence[int], roll: Callable[[int], tuple[int, ...]]
    ) -> Event:
        """The event that is due, as this wall has it; bad rolls are thrown again (HY-15)."""
        due = self.due_event(table)
        assert due is not None, "asked only when one is due"
        extra: HuaiyuanTable = table.extra
        if due[0] == "bao_look":
            return BaoLook(seat=due[1], revision=extra.revision, tile=NAMES[extra.bao])
        if due[0] == "bao_exhausted":
            return BaoExhausted(revision=extra.revision + 1)
        slots = int(extra.wall, 16)
        good = good_sums(slots, self.options.bao_dice, extra.used)
        dice = roll(self.options.bao_dice)
        while sum(dice) not in good:
            dice = roll(self.options.bao_dice)
        slot = slot_of(slots, sum(dice))
        return BaoRoll(
            seat=due[1],
            dice=dice,
            slot=slot,
            tile=NAMES[wall[slot]],
            revision=extra.revision + 1,
            visible_to=self.in_ting(table),
        )

    def in_ting(self, table: Table) -> tuple[int, ...]:
        """The seats that have declared."""
        return tuple(seat for seat in SEATS if table.seats[seat].ting)

    def begin_bao_phase(self, table: Table, seat: int) -> Table:
        """After a discard: the look of a seat that declared, or a change of the bao, is due."""
        extra: HuaiyuanTable = table.extra
        played = self.options.bao_enabled and not extra.exhausted
        looks = extra.declaring and played and (extra.bao != NOTHING or not extra.revision)
        task: Task = "look" if looks else self.change_due(table)
        acted = extra.acted | 1 << seat
        extra = replace(extra, acted=acted, task=task, closed=False, declaring=False)
        return replace(table, extra=extra)

    def change_due(self, table: Table) -> Task:
        """HY-16: a change is due when enough tiles of the bao kind have been discarded."""
        bao, limit = table.extra.bao, self.options.bao_change_at
        return "change" if bao != NOTHING and 0 < limit <= self.shown(table, bao) else ""

    def ask_for_change(self, table: Table) -> Table:
        """A change of the bao is what is due now, or nothing is."""
        task = self.change_due(table)
        extra: HuaiyuanTable = table.extra
        return table if task == extra.task else replace(table, extra=replace(extra, task=task))

    def shown(self, table: Table, kind: int) -> int:
        """How many tiles of a kind count towards the change of the bao."""
        ponds = [each for seat in table.seats for each in seat.pond if each.kind == kind]
        if self.options.bao_change_counts == "discards":
            return len(ponds) + count(parse(table.extra.robbed), kind)
        melds = [meld for seat in table.seats for meld in seat.melds if meld.kind != "an_gang"]
        lying = sum(count(parse(meld.tiles), kind) for meld in melds)
        return len([each for each in ponds if not each.taken]) + lying

    # --- the events of the bao phase --------------------------------------------------------------

    def expect_due(self, table: Table, kind: str, seat: int, revision: int) -> None:
        """Refuse an event of the bao phase that is not the one that is due."""
        due = self.due_event(table)
        if due is None or due[0] != kind or due[1] != seat:
            raise self.stop(
                "bao_not_due", "This is not due here.", expected=due, actual=(kind, seat)
            )
        number = table.extra.revision + (kind != "bao_look")
        if revision != number:
            raise self.stop(
                "bao_wrong", "Rolls are numbered from 1.", expected=number, actual=revision
            )

    def on_bao_roll(self, table: Table, event: BaoRoll, seq: int) -> Table:
        """HY-15: a tile is set aside; the one set aside before goes back."""
        self.expect_due(table, "bao_roll", event.seat, event.revision)
        extra: HuaiyuanTable = table.extra
        wall = int(extra.wall, 16)
        good = good_sums(wall, self.options.bao_dice, extra.used)
        total = sum(event.dice)
        slot = slot_of(wall, total)
        if len(event.dice) != self.options.bao_dice or total not in good or slot != event.slot:
            raise self.stop(
                "bao_slot_invalid",
                "The dice lead to the upper tile of a whole stack that was not bao before.",
                expected={"dice": self.options.bao_dice, "sums": good, "slot": slot},
                actual={"dice": list(event.dice), "slot": event.slot},
            )
        if event.visible_to != self.in_ting(table):
            raise self.stop(
                "bao_wrong",
                "Every seat in ting looks, and nobody else.",
                expected=self.in_ting(table),
                actual=event.visible_to,
            )
        kind = KIND[event.tile]
        self.take(table.unseen, ONE[kind])
        lookers = [(event.seat + step) % 4 for step in SEATS]
        if extra.task == "change" and not self.options.bao_change_allows_dui_bao:
            lookers = []
        extra = replace(
            extra,
            bao=kind,
            slot=slot,
            revision=event.revision,
            owner=event.seat,
            used=(*extra.used, slot),
        )
        seen = Taken(tail=False, kind=kind, place=slot)
        draws = (*table.draws, seen) if table.commitment else ()
        return self.looked(replace(table, extra=extra, draws=draws), lookers)

    def on_bao_look(self, table: Table, event: BaoLook, seq: int) -> Table:
        """HY-52: a later seat in ting looks."""
        self.expect_due(table, "bao_look", event.seat, event.revision)
        name = NAMES[table.extra.bao]
        if event.tile not in (None, name):
            raise self.stop(
                "bao_wrong", "Another tile is the bao.", expected=name, actual=event.tile
            )
        return self.looked(table, [event.seat])

    def on_bao_exhausted(self, table: Table, event: BaoExhausted, seq: int) -> Table:
        """HY-15: no bao for the rest of the hand."""
        due = self.due_event(table)
        self.expect_due(table, "bao_exhausted", due[1] if due else NOTHING, event.revision)
        extra = replace(table.extra, bao=NOTHING, slot=NOTHING, exhausted=True)
        return self.looked(replace(table, extra=extra), [])

    def looked(self, table: Table, lookers: list[int]) -> Table:
        """After a look: those whose wait the bao is are asked, then a change may be due (HY-53)."""
        extra: HuaiyuanTable = table.extra
        asked = tuple(
            seat for seat in lookers if table.seats[seat].ting and self.waits_for_bao(table, seat)
        )
        table = replace(table, extra=replace(extra, task="", asked=asked, closed=True))
        return table if asked else self.ask_for_change(table)

    def waits_for_bao(self, table: Table, seat: int) -> bool:
        """Whether the bao is a tile the seat waits for."""
        holder = table.seats[seat]
        melds = melded(holder.melds)
        return table.extra.bao in waited_for(holder.concealed, melds, self.options)

    def on_hu(self, table: Table, event: events.Hu, seq: int) -> Table:
        """HY-53: a win on the bao just looked at; any other win as usual."""
        dui_bao = isinstance(event, Hu) and event.dui_bao
        extra: HuaiyuanTable = table.extra
        if not dui_bao and not extra.asked:
            return super().on_hu(table, event, seq)
        due = (extra.asked[0], "zimo", NAMES[extra.bao], None, True) if extra.asked else None
        given = (event.seat, event.by, event.tile, event.from_, dui_bao)
        if given != due:
            raise self.stop(
                "no_such_win", "Only a seat that looks wins on the bao.", expected=due, actual=given
            )
        holder = table.seats[event.seat]
        win = WinFacts(
            seat=event.seat,
            by="zimo",
            tile=event.tile,
            concealed=write(holder.concealed),
            melds=holder.melds,
            flags=("ting", "dui_bao"),
            seq=seq,
        )
        return replace(table, wins=(win,), phase="over", outcome="hu")

    def pass_bao(self, table: Table, event: events.Pass) -> Table:
        """HY-53: a declined chance is gone; the next seat is asked."""
        extra: HuaiyuanTable = table.extra
        if (event.seat, event.on) != (extra.asked[0], "bao"):
            raise self.stop(
                "nothing_to_pass",
                f"Seat {extra.asked[0]} is asked whether it wins on the bao.",
                expected={"seat": extra.asked[0], "on": "bao"},
                actual={"seat": event.seat, "on": event.on},
            )
        table = replace(table, extra=replace(extra, asked=extra.asked[1:]))
        return table if extra.asked[1:] else self.ask_for_change(table)

    def bao_actions(self, table: Table) -> Iterator[Event]:
        """What the seat that is asked may do."""
        extra: HuaiyuanTable = table.extra
        seat = extra.asked[0]
        yield Hu(seat=seat, by="zimo", tile=NAMES[extra.bao], dui_bao=True)
        yield Pass(seat=seat, on="bao")
