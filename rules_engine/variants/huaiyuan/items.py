"""What a Huaiyuan win is made of (section 10): the items, each a function of one frozen ``Win``."""

from typing import Final, TypeAlias

from msgspec import Struct

from rules_engine.score import Item
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


ITEMS: Final[tuple[HuaiyuanItem, ...]] = (
    Item(id="base", zh="平胡", en="basic win", rule="HY-80", points=_base),
    Item(id="dianpao", zh="放炮", en="won on a discard", rule="HY-80", points=_dianpao),
    Item(id="zimo", zh="自摸", en="self-draw", rule="HY-80", points=_zimo),
    Item(id="jia_hu", zh="夹胡", en="narrow wait", rule="HY-81", points=_jia_hu),
    Item(id="bao", zh="宝牌", en="bao", rule="HY-83", points=_bao),
    Item(id="dui_bao", zh="对宝", en="bao is the wait", rule="HY-84", points=_dui_bao),
    Item(id="piao_hu", zh="飘胡", en="all triplets", rule="HY-85", points=_piao_hu),
    Item(id="zhuang_hu", zh="庄胡", en="dealer wins", rule="HY-86", points=_zhuang_hu),
    Item(id="li_hu", zh="立胡", en="closed hand", rule="HY-87", points=_li_hu),
)
"""The items in the order in which they are listed."""
