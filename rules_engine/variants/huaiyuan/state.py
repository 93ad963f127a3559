"""What Huaiyuan mahjong adds to the log and to the table: its events, and its state of a hand."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec

from rules_engine import events
from rules_engine.events import Event, Number, Secret
from rules_engine.facts import Seat, TileName, TileText
from rules_engine.table import NOTHING, Sign
from rules_engine.tiles import NAMES
from rules_engine.variants.huaiyuan.slots import DEALT

Die: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=6)]
Slot: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=135)]
MaybeTile: TypeAlias = Annotated[
    str,
    msgspec.Meta(pattern="^([1-9][mps]|[1-7]z)?$", description="One tile, or none."),
]
Looked = ("dice", "slot", "tile")
"""What only the seats that look at the bao may know."""


class Gang(events.Gang, frozen=True):
    """A gang. A special gang opens with ``tiles``, its base set; a tile is added with ``tile``."""

    tile: MaybeTile = ""
    tiles: TileText = ""


class Peng(events.Peng, frozen=True):
    """A triplet claimed; ``robs`` is the seq of the gang whose added tile is taken (HY-46)."""

    robs: Number | None = None


class Pass(events.Pass, frozen=True):
    """A chance let go: also a bao that is the tile waited for, or the opening window."""

    on: Literal["draw", "discard", "gang", "bao", "window"] = "discard"  # type: ignore[assignment]


class Hu(events.Hu, frozen=True):
    """A win; ``dui_bao``: on the bao just looked at (HY-53)."""

    dui_bao: bool = False


class BaoRoll(Event, frozen=True):
    """打宝: the dice, the slot they lead to, and the tile there, known to ``visible_to`` (HY-15).

    A redacted roll has None for each of the three.
    """

    seat: Seat
    dice: Annotated[tuple[Die, ...], msgspec.Meta(min_length=1, max_length=2)]
    slot: Slot
    tile: TileName
    revision: Number
    visible_to: Annotated[tuple[Seat, ...], msgspec.Meta(min_length=1, max_length=4)]

    def take_secrets(self, body: dict[str, Any]) -> dict[str, Secret]:
        """One item a seat that looks, each with the whole roll."""
        roll = {name: body.pop(name) for name in Looked}
        roll["dice"] = list(roll["dice"])
        return {f"look.{seat}": Secret(seat, roll) for seat in self.visible_to}

    @classmethod
    def put_secrets(cls, body: dict[str, Any], items: Mapping[str, Any]) -> None:
        """Put back what any of the seats saw."""
        roll = next((item for item in items.values() if item is not None), None)
        body.update(dict.fromkeys(Looked) if roll is None else roll)


class BaoLook(Event, frozen=True):
    """看宝: a later seat in ting looks at the bao in force (HY-52); ``tile`` may be left out."""

    seat: Seat
    revision: Number
    tile: TileName | None = None

    def take_secrets(self, body: dict[str, Any]) -> dict[str, Secret]:
        """The tile is known to the seat that looks."""
        tile = body.pop("tile", None)
        return {} if tile is None else {"tile": Secret(self.seat, tile)}


class BaoExhausted(Event, frozen=True):
    """No slot the dice can reach is good: the hand goes on without a bao (HY-15)."""

    revision: Number


Task: TypeAlias = Literal["", "look", "change"]
"""What of the bao phase has to happen before claims are carried out (HY-36)."""


class HuaiyuanTable(msgspec.Struct, frozen=True, gc=False):
    """State of a hand that only this variant has; seats as bits ``1 << seat``.

    ``dealt``: the tiles of each seat that count as dealt. ``wall``: the slots still in the wall, as
    a hexadecimal number with bit ``slot`` set. ``gangs``, ``replaced``: gangs that stand, and tiles
    drawn from the tail. ``acted``: seats whose first turn is over. ``window``: the seat that may
    open special gangs before the first discard; ``dealer_drawn``, ``dealer_source``: the dealer's
    tile meanwhile. ``declaring``: a ting waits for its discard. ``robbed``: tiles taken by peng
    from a gang. ``bao``, ``slot``: the tile set aside; ``revision``: rolls so far; ``owner``: who
    rolls; ``used``: slots that were bao. ``exhausted``: no bao any more. ``task``: what has to
    happen before claims are carried out; ``asked``: seats that may win on the bao, in turn;
    ``closed``: nobody wins on the discard any more (HY-36).
    """

    dealt: tuple[str, str, str, str]
    wall: str = DEALT
    gangs: int = 0
    replaced: int = 0
    acted: int = 0
    window: int = NOTHING
    dealer_drawn: int = NOTHING
    dealer_source: Literal["deal", "tail"] = "deal"
    declaring: bool = False
    robbed: str = ""
    bao: int = NOTHING
    slot: int = NOTHING
    revision: int = 0
    owner: int = NOTHING
    used: tuple[int, ...] = ()
    exhausted: bool = False
    task: Task = ""
    asked: tuple[int, ...] = ()
    closed: bool = False


RULES: Mapping[str, str] = {
    "add_dealer_first_turn": "HY-44",
    "add_no_meld": "HY-43",
    "bad_dice": "HY-22",
    "bad_meld": "HY-30",
    "bad_tiles": "HY-10",
    "bao_not_due": "HY-52",
    "bao_slot_invalid": "HY-15",
    "bao_wrong": "HY-52",
    "chi_honor": "HY-30",
    "chi_not_next": "HY-30",
    "claim_forbidden": "HY-30",
    "claim_in_ting": "HY-54",
    "commitment_broken": "HY-11",
    "discard_not_drawn_tile": "HY-54",
    "drawn_mismatch": "HY-26",
    "gang_after_claim": "HY-34",
    "gang_breaks_ting": "HY-54",
    "gang_needs_four": "HY-31",
    "gang_needs_peng": "HY-34",
    "gang_no_draw_left": "HY-27",
    "gang_not_drawn_tile": "HY-54",
    "hand_not_over": "HY-70",
    "hand_over": "HY-26",
    "last_tile_claim": "HY-37",
    "li_hu_forbidden": "HY-63",
    "missing_suit": "HY-60",
    "no_draw_due": "HY-36",
    "no_kezi": "HY-62",
    "no_replacement_tile": "HY-27",
    "no_shape": "HY-55",
    "no_such_win": "HY-26",
    "no_tile_drawn": "HY-26",
    "no_yaojiu": "HY-61",
    "not_robbable": "HY-46",
    "not_your_turn": "HY-24",
    "nothing_to_pass": "HY-35",
    "player_twice": "HY-2",
    "qiang_gang_disabled": "HY-46",
    "replacement_due": "HY-27",
    "shou_ba_yi": "HY-64",
    "special_disabled": "HY-40",
    "special_duplicate": "HY-41",
    "special_not_dealt": "HY-42",
    "special_window_closed": "HY-42",
    "tile_not_held": "HY-26",
    "ting_declared": "HY-51",
    "ting_no_wait": "HY-51",
    "ting_required": "HY-51",
    "too_many_tiles": "HY-10",
    "wall_differs": "HY-11",
    "wall_reserved": "HY-14",
    "window_open": "HY-42",
    "wrong_deal": "HY-23",
    "wrong_dealer": "HY-18",
    "wrong_roster": "HY-2",
    "wrong_source": "HY-13",
    "wrong_streak": "HY-21",
    "wrong_tile": "HY-31",
}
"""Refusal code to the id of the rule it rests on."""


SENTENCES: Final[Mapping[str, tuple[str, str]]] = {
    "gang.tiles": ("{seat} {kind:name} {tiles}", "{seat} {kind:name} {tiles}"),
    "peng.robs": (
        "{seat} 碰走 {from:seat} 杠上的 {tile}",
        "{seat} peng {tile} from the gang of {from:seat}",
    ),
    "bao_roll": ("{seat} 打宝 {tile}", "{seat} rolls for the bao: {tile}"),
    "bao_look": ("{seat} 看宝 {tile}", "{seat} looks at the bao {tile}"),
    "bao_exhausted": ("无宝可打", "No bao is left to roll for"),
}
"""The own events in words (``rules_engine.sentences``)."""


def signs(extra: HuaiyuanTable) -> tuple[Sign, ...]:
    """What of the state is to be seen on the table."""
    if extra.exhausted:
        return (Sign("无宝", "no bao left"),)
    return () if extra.bao == NOTHING else (Sign("宝", "bao", tile=NAMES[extra.bao]),)
