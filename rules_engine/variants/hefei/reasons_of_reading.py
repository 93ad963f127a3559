"""Why the items that depend on the reading of a Hefei hand count or do not (HF-53 to HF-59).

Part of ``reasons``: each function gives the sentence in Chinese and the same in English.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from rules_engine.shapes import placing
from rules_engine.tiles import NAMES, ONE, write
from rules_engine.variants.hefei.items import (
    HIGHEST_RANK,
    LOWEST_RANK,
    Win,
    double_runs,
    is_tight,
    live_kinds,
    ming_double_runs,
)
from rules_engine.words import agreeing, counted

Words: TypeAlias = tuple[str, str]
"""A sentence in Chinese and the same in English."""
Telling: TypeAlias = Callable[[Win], Words]


class Reason(Struct, frozen=True):
    """The sentences of an item; ``price`` is the option of its points, ``""`` where it has none."""

    price: str
    given: Telling
    missing: Telling


def _kinds(kinds: list[int]) -> str:
    """Kinds with blanks between."""
    return " ".join(NAMES[kind] for kind in kinds)


def _run(kind: int) -> str:
    """The run that begins at a kind, such as ``345m``."""
    return write(0x111 << 4 * kind)


def _triplet(kind: int) -> str:
    """The triplet of a kind, such as ``555m``."""
    return write(3 * ONE[kind])


def _runs(win: Win) -> str:
    """The runs of the reading, such as ``234m 678p``."""
    return " ".join(_run(kind) for kind in win.runs)


def _sets(win: Win) -> str:
    """The concealed sets of the reading, such as ``234m 678p 555s``."""
    return " ".join([_run(kind) for kind in win.runs] + [_triplet(kind) for kind in win.triplets])


def _kan_given(win: Win) -> Words:
    triplets = _kinds(list(win.triplets))
    return f"手中刻子：{triplets}。", f"Concealed triplets of this reading: {triplets}."


def _kan_missing(win: Win) -> Words:
    if win.seven_pairs:
        return "七对没有刻子。", "Seven pairs has no triplet."
    if not win.triplets:
        return _no_triplet(win)
    return (
        "刻子按本房规则不算坎（huo_kan、kan_on_dianpao）。",
        "Its triplets are no kan under this club's options (options huo_kan, kan_on_dianpao).",
    )


def _no_triplet(win: Win) -> Words:
    if not win.runs:
        return "四副都是杠，没有刻子。", "All four sets are gangs, and none is a triplet."
    which = agreeing(len(win.runs), "its run is", "its runs are")
    return (
        f"此拆法没有刻子，只有顺子 {_runs(win)}。",
        f"This reading has no triplet; {which} {_runs(win)}.",
    )


def _gang_given(win: Win) -> Words:
    return (
        f"亮出 {win.gangs} 个暗杠。",
        f"The seat declared {counted(win.gangs, 'concealed gang')}.",
    )


def _gang_missing(win: Win) -> Words:
    return (
        "没有亮出的暗杠；未杠的四张不算。",
        "No concealed gang was declared; four tiles kept in the hand are none.",
    )


def _huo_ming_given(win: Win) -> Words:
    tile = NAMES[win.tile]
    return (
        f"{tile} 成刻，第四张在顺子里，胡的就是 {tile}。",
        f"{tile} is a triplet, its fourth tile lies in a run, and the win was on {tile}.",
    )


def _no_huo(win: Win) -> Words:
    if win.seven_pairs:
        return "七对没有刻子和顺子。", "Seven pairs has neither triplet nor run."
    if not win.triplets:
        return _no_triplet(win)
    listed = " ".join(_triplet(kind) for kind in win.triplets)
    return (
        f"刻子 {listed} 的第四张不在顺子里。",
        f"The fourth tile of {listed} lies in no run.",
    )


def _huo_ming_missing(win: Win) -> Words:
    if not live_kinds(win):
        return _no_huo(win)
    live = _kinds(live_kinds(win))
    return (
        f"活 {live} 全在自己手中，不靠别人的牌。",
        f"The huo of {live} is all one's own: no foreign tile belongs to it.",
    )


def _huo_an_given(win: Win) -> Words:
    own = [kind for kind in live_kinds(win) if not (win.foreign and kind == win.tile)]
    listed = _kinds(own)
    return (
        f"{listed} 成刻，第四张在顺子里，都是自己的牌。",
        f"Triplet of {listed} with the fourth tile in a run, all of them one's own.",
    )


def _huo_an_missing(win: Win) -> Words:
    if not live_kinds(win):
        return _no_huo(win)
    return (
        f"仅有的活含胡牌张 {NAMES[win.tile]}，算明活。",
        f"The only huo holds the winning tile {NAMES[win.tile]} and is an open one.",
    )


def _doubled(win: Win) -> str:
    """The runs a hand has more than once."""
    return " ".join(
        f"{_run(k)}×{win.runs.count(k)}" for k in sorted(set(win.runs)) if win.runs.count(k) > 1
    )


def _shuang_pu_ming_given(win: Win) -> Words:
    return (
        f"相同顺子 {_doubled(win)}，胡牌张 {NAMES[win.tile]} 落在其中。",
        f"Identical runs {_doubled(win)}; the winning tile {NAMES[win.tile]} lies in one of them.",
    )


def _no_double_run(win: Win) -> Words:
    if win.seven_pairs:
        return "七对没有顺子。", "Seven pairs has no run."
    if not win.runs:
        return "此拆法没有顺子。", "This reading has no run."
    if len(win.runs) == 1:
        return f"只有一个顺子 {_runs(win)}。", f"There is one run only, {_runs(win)}."
    return (
        f"没有两个相同的顺子：{_runs(win)}。",
        f"No two runs are the same: {_runs(win)}.",
    )


def _shuang_pu_ming_missing(win: Win) -> Words:
    if not double_runs(win):
        return _no_double_run(win)
    return (
        f"相同顺子 {_doubled(win)} 全是自己的牌。",
        f"The identical runs {_doubled(win)} are all one's own tiles.",
    )


def _shuang_pu_an_given(win: Win) -> Words:
    count = double_runs(win) - ming_double_runs(win)
    return (
        f"相同顺子 {_doubled(win)}，其中 {count} 个双铺子全是自己的牌。",
        f"Identical runs {_doubled(win)}: {counted(count, 'double run')} of one's own tiles only.",
    )


def _shuang_pu_an_missing(win: Win) -> Words:
    if not double_runs(win):
        return _no_double_run(win)
    return (
        "仅有的双铺子含别人的牌，算明。",
        "The only double run holds the winning tile and is an open one.",
    )


def _ka_given(win: Win) -> Words:
    tile = NAMES[win.tile]
    if win.place is None:
        return f"七对单吊 {tile}。", f"Seven pairs waited for the pair of {tile}."
    group = write(win.place.tiles)
    how = placing(win.place, win.tile, LOWEST_RANK, HIGHEST_RANK)
    if how == "pair":
        return f"{tile} 单吊将 {group}。", f"{tile} makes the pair {group}."
    if how == "middle":
        return f"{tile} 嵌在 {group} 中间。", f"{tile} is the middle of {group}."
    return f"{tile} 是 {group} 的边张。", f"{tile} is the edge of {group}."


def _ka_missing(win: Win) -> Words:
    if is_tight(win):
        return (
            "听不止一种牌，本房不算卡（ka_rule）。",
            "The hand waited for more than one kind, which is no ka here (option ka_rule).",
        )
    if win.place is None:
        return (
            "本房七对不算卡（ka_qi_dui）。",
            "Seven pairs is no ka here (option ka_qi_dui).",
        )
    tile, group = NAMES[win.tile], write(win.place.tiles)
    if win.place.shape == "triplet":
        return f"{tile} 碰成刻子 {group}。", f"{tile} completes the triplet {group}."
    return f"{tile} 落在 {group} 的两面一端。", f"{tile} lies at the open end of {group}."


def _qi_dui_given(win: Win) -> Words:
    return "十四张成七对。", "The fourteen tiles are seven pairs."


def no_pairs(win: Win) -> Words:
    """Why the reading that counts is not seven pairs."""
    if win.gangs:
        return "有杠的牌不是七对。", "A hand with a gang is not seven pairs."
    return (
        f"手牌拆作 {_sets(win)} 加一对将，不是七对。",
        f"The hand is read as {_sets(win)} and a pair, which is not seven pairs.",
    )


OF_READING: Final[Mapping[str, Reason]] = {
    "kan": Reason("points_kan", _kan_given, _kan_missing),
    "gang": Reason("points_gang", _gang_given, _gang_missing),
    "huo_ming": Reason("points_huo_ming", _huo_ming_given, _huo_ming_missing),
    "huo_an": Reason("points_huo_an", _huo_an_given, _huo_an_missing),
    "shuang_pu_ming": Reason(
        "points_shuang_pu_ming", _shuang_pu_ming_given, _shuang_pu_ming_missing
    ),
    "shuang_pu_an": Reason("points_shuang_pu_an", _shuang_pu_an_given, _shuang_pu_an_missing),
    "ka": Reason("points_ka", _ka_given, _ka_missing),
    "qi_dui": Reason("points_qi_dui", _qi_dui_given, no_pairs),
}
"""By item id."""
