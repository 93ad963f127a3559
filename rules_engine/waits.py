"""What a seat waits for, and how many of those tiles it has not seen: what a viewer shows."""

from collections.abc import Sequence

from msgspec.structs import replace

from rules_engine.play import Play
from rules_engine.table import Table, with_seat
from rules_engine.tiles import EMPTY, ONE, Tiles, count, kinds_in, parse, size


def waits(play: Play, table: Table, seat: int) -> tuple[int, ...]:
    """The kinds with which the seat would win if it drew one now; none while it is to discard."""
    holder = table.seats[seat]
    if size(holder.concealed) % 3 != 1:
        return ()
    return tuple(
        kind
        for kind in kinds_in(play.tiles)
        if count(holder.concealed, kind) < count(play.tiles, kind)
        and play.can_win(_drawn(table, seat, kind), seat, kind, by="zimo")
    )


def _drawn(table: Table, seat: int, kind: int) -> Table:
    """The table as it would be had the seat just drawn this kind."""
    holder = table.seats[seat]
    return replace(
        table,
        seats=with_seat(table, seat, replace(holder, concealed=holder.concealed + ONE[kind])),
        phase="act",
        turn=seat,
        drawn=kind,
        source="head",
        offer=None,
        answered=0,
        wins=(),
    )


def seen(play: Play, table: Table, seat: int) -> Tiles:
    """What lies open to the seat: its own tiles, all melds, ponds and flowers, the indicator.

    A covered meld of another seat is not open. A tile taken from a pond is counted in its meld.
    """
    tiles = table.seats[seat].concealed
    for number, holder in enumerate(table.seats):
        tiles += holder.flowers
        for meld in holder.melds:
            if number == seat or meld.kind not in play.covered:
                tiles += parse(meld.tiles)
        tiles += sum(ONE[tile.kind] for tile in holder.pond if not tile.taken)
    return tiles + (ONE[table.indicator] if table.indicator >= 0 else EMPTY)


def left(play: Play, table: Table, seat: int, kinds: Sequence[int]) -> tuple[int, ...]:
    """How many of each kind the seat has not seen; a wild counts as what it shows."""
    open_tiles = seen(play, table, seat) if kinds else EMPTY
    return tuple(max(0, count(play.tiles, kind) - count(open_tiles, kind)) for kind in kinds)
