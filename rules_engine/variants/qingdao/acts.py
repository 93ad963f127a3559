"""Niu, flowers and declarations of Qingdao mahjong (QD-39 to QD-59), and what may be done when."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from msgspec.structs import replace

from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import Event
from rules_engine.facts import Meld, WinFacts
from rules_engine.play import Play
from rules_engine.table import NOTHING, Discarded, Offer, Table, with_seat
from rules_engine.tiles import (
    EMPTY,
    FLOWERS_MASK,
    KIND,
    NAMES,
    ONE,
    BadTiles,
    Tiles,
    count,
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
from rules_engine.variants.qingdao.melds import (
    HUN_GROUPS,
    NIU_GROUPS,
    all_tiles,
    melded,
    niu_group,
)
from rules_engine.variants.qingdao.options import QingdaoOptions
from rules_engine.variants.qingdao.state import (
    Cause,
    Flower,
    Niu,
    NiuExchange,
    QingdaoTable,
    Ting,
    changed,
)

LAST_TILES: Final = 4
"""The hai di tiles 海底 (QD-23)."""
FIRST_FLOWER: Final = KIND["1f"]


class Acts(Play):
    """What a seat may do in its turn beside the standard: niu, exchange, flowers, declarations."""

    options: QingdaoOptions

    def __init__(self, options: QingdaoOptions) -> None:
        super().__init__(options)
        self.tiles = all_tiles(options)
        self.zone_possible = options.mode == "quan_dai_jiang" and options.hai_di_zone == "draw_only"
        """Whether the last four tiles are only drawn (QD-23)."""

    # --- when -------------------------------------------------------------------------------------

    def refuse_moment(self, table: Table, seat: int) -> Violation | None:
        """What keeps all from acts of this variant: a promised discard, the last four tiles."""
        if table.extra.declaring:
            return self.no("ting_locked", f"Seat {table.turn} has declared and discards next.")
        if table.extra.zone:
            return self.no("no_discard_in_zone", "On the last four tiles seats only draw.")
        return None

    def expect_opening_or_turn(self, table: Table, seat: int) -> None:
        """QD-18: in the opening every seat may act; afterwards the seat in turn."""
        if table.phase != "act" or not table.extra.opening:
            self.expect_turn(table, seat)

    def expect_turn(self, table: Table, seat: int) -> None:
        """The standard refusals; a replacement may be due to another seat than the one in turn."""
        extra: QingdaoTable = table.extra
        if extra.due_count:
            raise self.stop(
                "replacement_due",
                f"Seat {extra.due_seat} must first draw its replacement tile.",
                expected={"type": "draw", "seat": extra.due_seat, "source": "tail"},
                actual={"seat": seat},
            )
        super().expect_turn(table, seat)

    def apart(self, cause: Cause) -> bool:
        """Whether a draw of this cause comes from the dragon tail (QD-20)."""
        return self.options.hun and cause in {"niu", "flower"}

    def no_replacement(self, table: Table, cause: Cause, number: int) -> Violation | None:
        """QD-21: an act that needs tiles its source has not."""
        if self.apart(cause):
            left = table.extra.tail
        else:
            left = table.remaining - (LAST_TILES if self.zone_possible else 0)
        if number <= left:
            return None
        return self.no(
            "no_tile", "No tile is left to replace it.", expected=number, actual=max(0, left)
        )

    def hand(self, table: Table, seat: int, concealed: Tiles, tile: int) -> Hand:
        """A seat's tiles with the winning one, as the scorer reads them."""
        wild = table.wild
        wilds = 0 if wild == NOTHING else count(concealed, wild)
        natural = concealed - wilds * ONE[wild] if wilds else concealed
        return Hand(natural, wilds, tile, wild, melded(table.seats[seat].melds))

    # --- niu --------------------------------------------------------------------------------------

    def laid(self, table: Table, seat: int) -> set[str]:
        """The groups a seat has laid."""
        groups = (
            niu_group(parse(meld.tiles), table.wild, self.options)
            for meld in table.seats[seat].melds
            if meld.kind == "niu"
        )
        return {group for group in groups if group is not None}

    def most_hun(self, group: str) -> int:
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

    def laid_aside(self, table: Table, seat: int, tiles: Tiles) -> Table:
        """What laying tiles does: the seat has acted, and its drawn tile may be gone."""
        extra: QingdaoTable = table.extra
        extra = replace(extra, touched=extra.touched | 1 << seat)
        if seat != table.turn:
            return replace(table, extra=extra)
        left = table.seats[seat].concealed - tiles
        gone = table.drawn != NOTHING and not count(left, table.drawn)
        return replace(
            table,
            extra=replace(extra, cause=""),
            drawn=NOTHING if gone else table.drawn,
            answered=table.answered & ~(1 << seat),
        )

    def replace_tiles(self, table: Table, seat: int, cause: Cause, number: int) -> Table:
        """So many replacements are due to a seat."""
        extra = replace(table.extra, due_seat=seat, due_cause=cause, due_count=number)
        return replace(table, phase="replace", extra=extra)

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
                    names = tuple(NAMES[kind] for kind in stands)
                    niu = Niu(seat=seat, group=group, tiles=write(tiles), stands=names)  # type: ignore[arg-type]
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

    def moved(self, table: Table, seat: int) -> Table:
        """QD-18, QD-43: what a discard, an exchange or a meld of a seat ends."""
        extra: QingdaoTable = table.extra
        bit = 1 << seat
        dealer = seat == table.dealer
        closed = extra.closed & extra.touched & bit
        if closed and not extra.declaring and not (dealer and extra.opening):
            return table
        made = replace(
            extra,
            closed=extra.closed | bit,
            touched=extra.touched | bit,
            opening=extra.opening and not dealer,
            turned=extra.turned | bit if dealer else extra.turned,
            declaring=False,
        )
        return replace(table, extra=made)

    # --- flowers ----------------------------------------------------------------------------------

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

    # --- declarations -----------------------------------------------------------------------------

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
        if any(meld.kind == "niu" for meld in table.seats[seat].melds):
            for kind in kinds_in(table.seats[seat].concealed):
                exchange = NiuExchange(seat=seat, tile=NAMES[kind], drawn=kind == table.drawn)
                if self.refuse_exchange(table, exchange) is None:
                    yield exchange
        yield from self.flower_actions(table, seat)
        if self.options.lou != "none" and not table.extra.lou[seat]:
            for lou in ("kou_ting", "ming_lou"):
                ting = Ting(seat=seat, kind=lou)
                if self.refuse_ting(table, ting) is None:
                    yield ting


def flower_bits(tiles: Tiles) -> int:
    """The flowers of a bag as bits, ``1f`` the lowest."""
    return sum(1 << kind - FIRST_FLOWER for kind in kinds_in(tiles))
