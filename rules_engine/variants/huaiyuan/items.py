"""What a Huaiyuan win is made of (section 10): the items, each a function of one frozen ``Win``."""

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from msgspec import Struct

from rules_engine.score import NOT_COUNTED, Item, Worth, amount
from rules_engine.variants.huaiyuan.options import HuaiyuanOptions


class Win(Struct, frozen=True):
    """A win in one reading.

    ``zimo``: self-drawn, a bao looked at included. ``narrow``: its tile came into a narrow wait as
    the club counts it (HY-81). ``bao``: the bao was drawn after ting; ``dui_bao``: it was the tile
    waited for. ``piao``: all triplets. ``dealer``: the winner deals. ``closed``: see HY-63.
    """

    options: HuaiyuanOptions
    zimo: bool
    narrow: bool
    bao: bool
    dui_bao: bool
    piao: bool
    dealer: bool
    closed: bool


HuaiyuanItem: TypeAlias = Item[Win]


def _base(win: Win) -> int:
    return win.options.fan_base


def _dianpao(win: Win) -> int:
    return 0 if win.zimo else win.options.fan_dianpao


def _zimo(win: Win) -> int:
    return win.options.fan_zimo if win.zimo else 0


def _jia_hu(win: Win) -> int:
    options = win.options
    if not win.narrow or (win.bao and not options.jia_hu_with_bao):
        return 0
    return 0 if win.piao and options.piao_excludes_jia else options.fan_jia_hu


def _bao(win: Win) -> int:
    counts = win.bao or (win.dui_bao and win.options.dui_bao_includes_bao)
    return win.options.fan_bao if counts else 0


def _dui_bao(win: Win) -> int:
    return win.options.fan_dui_bao if win.dui_bao else 0


def _piao_hu(win: Win) -> int:
    return win.options.fan_piao_hu if win.piao else 0


def _zhuang_hu(win: Win) -> int:
    return win.options.fan_zhuang_hu if win.dealer else 0


def _li_hu(win: Win) -> int:
    return win.options.fan_li_hu if win.closed else 0


def _worth(name: str, options: HuaiyuanOptions) -> Worth:
    """So many fan, where the club has the item at all."""
    needs_bao = name in ("bao", "dui_bao") and not options.bao_enabled
    if needs_bao or (name == "li_hu" and not options.allow_li_hu):
        return NOT_COUNTED
    return in_fan(getattr(options, f"fan_{name}"))


def in_fan(number: int) -> Worth:
    """So many fan."""
    return amount(number, "番", "fan")


def _item(number: int, name: str, zh: str, en: str, points: Callable[[Win], int]) -> HuaiyuanItem:
    """A line of the table; its fan are the option of its name."""
    return Item(
        id=name,
        zh=zh,
        en=en,
        rule=f"HY-{number}",
        points=points,
        worth=partial(_worth, name),
        written=in_fan,
    )


ITEMS: Final[tuple[HuaiyuanItem, ...]] = (
    _item(80, "base", "平胡", "basic win", _base),
    _item(80, "dianpao", "放炮", "won on a discard", _dianpao),
    _item(80, "zimo", "自摸", "self-draw", _zimo),
    _item(81, "jia_hu", "夹胡", "narrow wait", _jia_hu),
    _item(83, "bao", "宝牌", "bao", _bao),
    _item(84, "dui_bao", "对宝", "bao is the wait", _dui_bao),
    _item(85, "piao_hu", "飘胡", "all triplets", _piao_hu),
    _item(86, "zhuang_hu", "庄胡", "dealer wins", _zhuang_hu),
    _item(87, "li_hu", "立胡", "closed hand", _li_hu),
)
"""The items in the order in which they are listed."""
