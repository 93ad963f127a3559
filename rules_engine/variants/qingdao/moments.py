"""When the acts of Qingdao mahjong may happen, and what they end (QD-18 to QD-23, QD-43)."""

from typing import Final

from msgspec.structs import replace

from rules_engine.errors import Violation
from rules_engine.play import Play
from rules_engine.table import NOTHING, Table
from rules_engine.tiles import (
    ONE,
    Tiles,
    count,
)
from rules_engine.variants.qingdao.hands import Hand
from rules_engine.variants.qingdao.melds import all_tiles, melded
from rules_engine.variants.qingdao.options import QingdaoOptions
from rules_engine.variants.qingdao.state import (
    Cause,
    QingdaoTable,
)

LAST_TILES: Final = 4
"""The hai di tiles 海底 (QD-23)."""


class Moments(Play):
    """What the acts of this variant have in common."""

    options: QingdaoOptions

    def __init__(self, options: QingdaoOptions) -> None:
        super().__init__(options)
        self.tiles = all_tiles(options)
        self.zone_possible = options.mode == "quan_dai_jiang" and options.hai_di_zone == "draw_only"
        """Whether the last four tiles are only drawn (QD-23)."""

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
