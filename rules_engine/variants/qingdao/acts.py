"""Flowers and declarations of Qingdao mahjong (QD-51 to QD-59)."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from msgspec.structs import replace

from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import Event
from rules_engine.facts import Meld, WinFacts
from rules_engine.table import NOTHING, Table, changed, with_seat
from rules_engine.tiles import (
    FLOWERS_MASK,
    KIND,
    NAMES,
    ONE,
    BadTiles,
    Tiles,
    has,
    kinds_in,
    of_kinds,
    parse,
    size,
    write,
)
from rules_engine.variants.qingdao.flags import HIDDEN
from rules_engine.variants.qingdao.hands import Hand, best, waits
from rules_engine.variants.qingdao.legality import worth
from rules_engine.variants.qingdao.niu import NiuActs
from rules_engine.variants.qingdao.state import (
    Flower,
    QingdaoTable,
    Ting,
)

FIRST_FLOWER: Final = KIND["1f"]


class Acts(NiuActs):
    """Setting flowers aside, declaring, and all a seat may do in its turn beside the standard."""

    def refuse_flower(self, table: Table, event: Flower) -> Violation | None:
        """QD-51: why these flowers may not be set aside; None when they may."""
        try:
            tiles = parse(event.tiles)
        except BadTiles as error:
            return self.no("bad_tiles", str(error))
        if not tiles or tiles & ~FLOWERS_MASK or write(tiles) != event.tiles:
            return self.no("bad_tiles", "Only flowers are set aside.", actual=event.tiles)
        if not has(table.seats[event.seat].concealed, tiles):
            return self.no("tile_not_held", f"Seat {event.seat} does not hold {event.tiles}.")
        return self.no_replacement(table, "flower", size(tiles))

    def on_flower(self, table: Table, event: Flower, seq: int) -> Table:
        """Flowers go to the flower pile; a replacement for each is due (QD-51, QD-52)."""
        seat = event.seat
        self.expect_opening_or_turn(table, seat)
        violation = self.refuse_moment(table, seat) or self.refuse_flower(table, event)
        if violation is not None:
            raise IllegalEvent(violation)
        tiles = parse(event.tiles)
        holder = table.seats[seat]
        holder = replace(holder, concealed=holder.concealed - tiles, flowers=holder.flowers + tiles)
        table = self.laid_aside(table, seat, tiles)
        extra: QingdaoTable = table.extra
        bits = flower_bits(tiles)
        hidden = extra.hidden[seat] | sum(1 << n for n in range(2) if bits >> 2 * n & 3 == 3)
        early = extra.early[seat] | (0 if extra.turned >> seat & 1 else bits)
        extra = replace(
            extra,
            hidden=changed(extra.hidden, seat, hidden),
            early=changed(extra.early, seat, early),
        )
        table = replace(table, seats=with_seat(table, seat, holder), extra=extra)
        return self.replace_tiles(table, seat, "flower", size(tiles))

    def flower_actions(self, table: Table, seat: int) -> Iterator[Event]:
        """Every choice of the flowers a seat holds."""
        flowers = list(kinds_in(table.seats[seat].concealed & FLOWERS_MASK))
        if not flowers or self.refuse_moment(table, seat) is not None:
            return
        for number in range(1, len(flowers) + 1):
            for chosen in combinations(flowers, number):
                event = Flower(seat=seat, tiles=write(of_kinds(chosen)))
                if self.refuse_flower(table, event) is None:
                    yield event

    def hidden_flowers(self, table: Table, seat: int) -> list[str]:
        """The flags of the pairs a seat has set aside hidden (QD-53)."""
        extra: QingdaoTable = table.extra
        return [
            flag
            for number, flag in enumerate(HIDDEN)
            if extra.hidden[seat] >> number & 1 or extra.early[seat] >> 2 * number & 3 == 3
        ]

    def refuse_ting(self, table: Table, event: Ting) -> Violation | None:
        """QD-50, QD-56, QD-57: why a seat may not declare; None when it may."""
        seat = event.seat
        allowed = {"kou_ting": ("an", "both"), "ming_lou": ("ming", "both")}[event.kind]
        if self.options.lou not in allowed:
            return self.no("ting_forbidden", f"This club plays without {event.kind}.")
        if table.extra.lou[seat]:
            return self.no("ting_already_declared", f"Seat {seat} has declared already.")
        laid = self.options.niu_kou_ting == "never" and any(
            meld.kind == "niu" for meld in table.seats[seat].melds
        )
        if laid or table.extra.niu_turn:
            return self.no("niu_ting", f"Seat {seat} has laid or exchanged and cannot declare.")
        concealed = table.seats[seat].concealed
        if not any(
            self.ready_without(table, seat, kind, lou=event.kind) for kind in kinds_in(concealed)
        ):
            return self.no("ting_not_ready", "No discard leaves a hand that waits for a tile.")
        return None

    def ready_without(self, table: Table, seat: int, kind: int, *, lou: str = "") -> bool:
        """QD-57: whether the hand without this tile waits for one it could win on by self-draw."""
        holder = table.seats[seat]
        hand = self.hand(table, seat, holder.concealed - ONE[kind], NOTHING)
        held = holder.concealed - ONE[kind] + hand.melds.tiles
        found = waits(hand, held, self.options)
        if not self.options.min_points:
            return bool(found)
        flags = (lou or table.extra.lou[seat],)
        return any(self.worth_with(hand, wait, holder.melds, flags) for wait in found)

    def worth_with(
        self, hand: Hand, wait: int, melds: tuple[Meld, ...], flags: tuple[str, ...]
    ) -> bool:
        """Whether the hand reaches ``min_points`` with this tile drawn and no luck besides."""
        natural = write(hand.natural)
        win = WinFacts(0, "zimo", NAMES[wait], natural, melds=melds, flags=flags)
        whole = replace(hand, natural=hand.natural + ONE[wait], tile=wait)
        chosen = best(whole, win, self.options)
        return chosen is not None and worth(chosen) >= self.options.min_points

    def on_ting(self, table: Table, event: Ting, seq: int) -> Table:
        """QD-57: the declaration; the discard that belongs to it comes next."""
        seat = event.seat
        self.expect_turn(table, seat)
        violation = self.refuse_moment(table, seat) or self.refuse_ting(table, event)
        if violation is not None:
            raise IllegalEvent(violation)
        extra: QingdaoTable = table.extra
        lou = changed(extra.lou, seat, event.kind)
        return replace(
            table,
            seats=with_seat(table, seat, replace(table.seats[seat], ting=seq)),
            extra=replace(extra, lou=lou, declaring=True),
        )

    def own_actions(self, table: Table, seat: int) -> Iterator[Event]:
        """Niu, exchanges, flowers and declarations of the seat in turn."""
        if self.refuse_moment(table, seat) is not None:
            return
        yield from self.niu_actions(table, seat)
        yield from self.exchange_actions(table, seat)
        yield from self.flower_actions(table, seat)
        if self.options.lou != "none" and not table.extra.lou[seat]:
            for lou in ("kou_ting", "ming_lou"):
                ting = Ting(seat=seat, kind=lou)
                if self.refuse_ting(table, ting) is None:
                    yield ting


def flower_bits(tiles: Tiles) -> int:
    """The flowers of a bag as bits, ``1f`` the lowest."""
    return sum(1 << kind - FIRST_FLOWER for kind in kinds_in(tiles))
