"""Huaiyuan's events of the bao as forms: what people throw and see (HY-15, HY-52)."""

from rules_engine.event_forms import EventField, EventForm
from rules_engine.table import Table
from rules_engine.tiles import NAMES, write
from rules_engine.variants.huaiyuan.slots import good_sums, slot_of
from rules_engine.variants.huaiyuan.state import HuaiyuanTable


def roll_form(table: Table, *, seat: int, dice: int, lookers: tuple[int, ...]) -> EventForm:
    """打宝: the dice, of which some sums have to be thrown again, and the tile they lead to."""
    extra: HuaiyuanTable = table.extra
    wall = int(extra.wall, 16)
    sums = {total: {"slot": slot_of(wall, total)} for total in good_sums(wall, dice, extra.used)}
    thrown = EventField(name="dice", kind="dice", count=dice, sums=sums, zh="骰子", en="Dice")
    tile = EventField(name="tile", kind="tile", tiles=write(table.unseen), zh="宝牌", en="The bao")
    return EventForm(
        type="bao_roll",
        zh="打宝",
        en="Throw for the bao",
        values={"seat": seat, "revision": extra.revision + 1, "visible_to": list(lookers)},
        fields=(thrown, tile),
        due=True,
        seat=seat,
    )


def look_form(table: Table, seat: int) -> EventForm:
    """看宝: the tile is known already."""
    extra: HuaiyuanTable = table.extra
    known = {"seat": seat, "revision": extra.revision, "tile": NAMES[extra.bao]}
    return EventForm(
        type="bao_look", zh="看宝", en="Look at the bao", values=known, due=True, seat=seat
    )


def exhausted_form(table: Table) -> EventForm:
    """No sum is good any more."""
    return EventForm(
        type="bao_exhausted",
        zh="无宝可打",
        en="No bao is left",
        values={"revision": table.extra.revision + 1},
        due=True,
    )
