"""扭 niu: honour groups are laid, and their tiles exchanged later (QD-39 to QD-50)."""

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import Event
from rules_engine.facts import Meld
from rules_engine.table import NOTHING, Discarded, Offer, Table, with_seat
from rules_engine.tiles import (
    EMPTY,
    KIND,
    NAMES,
    ONE,
    count,
    has,
    kinds_in,
    of_kinds,
    parse,
    size,
    write,
)
from rules_engine.variants.qingdao.melds import HUN_GROUPS, NIU_GROUPS, Group, niu_group
from rules_engine.variants.qingdao.moments import Moments
from rules_engine.variants.qingdao.state import (
    Niu,
    NiuExchange,
    QingdaoTable,
)


class NiuActs(Moments):
    """Laying groups, and exchanging a tile of one."""

    def laid(self, table: Table, seat: int) -> set[Group]:
        """The groups a seat has laid."""
        groups = (
            niu_group(parse(meld.tiles), table.wild, self.options)
            for meld in table.seats[seat].melds
            if meld.kind == "niu"
        )
        return {group for group in groups if group is not None}

    def most_hun(self, group: Group) -> int:
        """How many hun tiles may stand for others in a group (QD-40)."""
        if not self.options.hun:
            return 0
        if self.options.niu_hun == "any":
            return size(NIU_GROUPS[group]) - 1
        return 1 if group in HUN_GROUPS else 0

    def refuse_niu(self, table: Table, event: Niu) -> Violation | None:
        """QD-39 to QD-43: why a group may not be laid; None when it may."""
        seat = event.seat
        extra: QingdaoTable = table.extra
        if not self.options.niu:
            return self.no("niu_forbidden", "This club plays without niu.")
        if extra.lou[seat]:
            return self.no("ting_locked", f"Seat {seat} has declared and lays nothing.")
        if extra.closed >> seat & 1:
            return self.no("niu_closed", f"Seat {seat} can lay no niu any more in this hand.")
        if event.group in self.laid(table, seat):
            return self.no("bad_niu", f"Seat {seat} has laid {event.group} already.")
        full = NIU_GROUPS[event.group]
        stands = of_kinds(KIND[name] for name in event.stands)
        number = len(event.stands)
        good = number <= self.most_hun(event.group) and has(full, stands)
        if number:
            good = good and not count(stands, table.wild)
        tiles = full - stands + number * ONE[table.wild] if good else EMPTY
        if not good or write(tiles) != event.tiles:
            return self.no(
                "bad_niu",
                f"{event.tiles} is not the group {event.group}.",
                expected=write(full),
                actual=event.tiles,
            )
        concealed = table.seats[seat].concealed
        if not has(concealed, tiles):
            return self.no(
                "tile_not_held", f"Seat {seat} does not hold {event.tiles}.", actual=event.tiles
            )
        return self.no_replacement(table, "niu", 1) if event.group == "dnxb" else None

    def on_niu(self, table: Table, event: Niu, seq: int) -> Table:
        """A group is laid; after four tiles a replacement is due (QD-42)."""
        seat = event.seat
        self.expect_opening_or_turn(table, seat)
        violation = self.refuse_moment(table, seat) or self.refuse_niu(table, event)
        if violation is not None:
            raise IllegalEvent(violation)
        tiles = parse(event.tiles)
        holder = table.seats[seat]
        meld = Meld(kind="niu", tiles=event.tiles, seq=seq)
        holder = replace(holder, concealed=holder.concealed - tiles, melds=(*holder.melds, meld))
        table = self.laid_aside(table, seat, tiles)
        table = replace(table, seats=with_seat(table, seat, holder))
        if seat == table.turn:
            table = replace(table, extra=replace(table.extra, niu_turn=True))
        return self.replace_tiles(table, seat, "niu", 1) if event.group == "dnxb" else table

    def niu_actions(self, table: Table, seat: int) -> Iterator[Event]:
        """The groups a seat may lay, with every choice of hun in them."""
        extra: QingdaoTable = table.extra
        if extra.closed >> seat & 1 or self.refuse_moment(table, seat) is not None:
            return
        for group, full in NIU_GROUPS.items():
            others = [kind for kind in kinds_in(full) if kind != table.wild]
            for number in range(self.most_hun(group) + 1):
                for stands in combinations(others, number):
                    tiles = full - of_kinds(stands) + number * ONE[table.wild]
                    names = [NAMES[kind] for kind in stands]
                    niu = Niu(seat=seat, group=group, tiles=write(tiles), stands=tuple(names))
                    if self.refuse_niu(table, niu) is None:
                        yield niu

    def refuse_exchange(self, table: Table, event: NiuExchange) -> Violation | None:
        """QD-46: why a tile may not be exchanged; None when it may."""
        seat, kind = event.seat, KIND[event.tile]
        held = count(table.seats[seat].concealed, kind)
        if not self.options.niu:
            return self.no("niu_forbidden", "This club plays without niu.")
        if table.extra.lou[seat]:
            return self.no("ting_locked", f"Seat {seat} has declared and exchanges nothing.")
        if not held:
            return self.no(
                "tile_not_held", f"Seat {seat} does not hold {event.tile}.", actual=event.tile
            )
        if kind == table.wild:
            return self.no("hun_exchange", "A hun is not exchanged.", actual=event.tile)
        if not any(count(NIU_GROUPS[group], kind) for group in self.laid(table, seat)):
            return self.no("not_laid", f"{event.tile} is in no group seat {seat} has laid.")
        drawn = kind == table.drawn and table.source != "deal"
        only_drawn = self.options.niu_exchange_from == "drawn"
        if only_drawn and not (drawn and event.drawn and not table.extra.claimed):
            return self.no("not_drawn", f"{event.tile} has not just been drawn.")
        if event.drawn is not (kind == table.drawn) and (event.drawn or held < 2):
            return self.no(
                "drawn_mismatch",
                f"{event.tile} was {'not ' if event.drawn else ''}the tile just drawn.",
                expected=kind == table.drawn,
                actual=event.drawn,
            )
        return self.no_replacement(table, "niu", 1)

    def on_niu_exchange(self, table: Table, event: NiuExchange, seq: int) -> Table:
        """QD-47: the tile goes to the river and is open to the others like a discard."""
        seat, kind = event.seat, KIND[event.tile]
        self.expect_turn(table, seat)
        violation = self.refuse_moment(table, seat) or self.refuse_exchange(table, event)
        if violation is not None:
            raise IllegalEvent(violation)
        holder = table.seats[seat]
        holder = replace(
            holder,
            concealed=holder.concealed - ONE[kind],
            pond=(*holder.pond, Discarded(kind, seq, event.drawn)),
        )
        table = self.moved(table, seat)
        return replace(
            table,
            seats=with_seat(table, seat, holder),
            phase="offer",
            drawn=NOTHING,
            offer=Offer(seat, kind, seq),
            answered=0,
            extra=replace(table.extra, exchange=True, niu_turn=True),
        )

    def exchange_actions(self, table: Table, seat: int) -> Iterator[Event]:
        """The tiles the seat in turn may exchange."""
        if any(meld.kind == "niu" for meld in table.seats[seat].melds):
            for kind in kinds_in(table.seats[seat].concealed):
                exchange = NiuExchange(seat=seat, tile=NAMES[kind], drawn=kind == table.drawn)
                if self.refuse_exchange(table, exchange) is None:
                    yield exchange
