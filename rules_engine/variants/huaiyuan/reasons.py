"""Why each item of a Huaiyuan hand counts or does not, in Chinese and English, with its figures.

``REASONS`` goes beside ``ITEMS``: for each item a sentence for when it counts, one for when its own
condition fails, and the option that prices it.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from rules_engine.groups import RUN
from rules_engine.readings import places
from rules_engine.tiles import NAMES, write
from rules_engine.variants.huaiyuan.hands import is_narrow, waited_for
from rules_engine.variants.huaiyuan.legality import Read
from rules_engine.words import agreeing, joined

Words: TypeAlias = tuple[str, str]
"""A sentence in Chinese and the same in English."""
Telling: TypeAlias = Callable[[Read], Words]


class Reason(Struct, frozen=True):
    """The sentences of an item: why it counts, and why its condition fails."""

    given: Telling
    missing: Telling
    price: str


def _say(zh: str, en: str) -> Telling:
    """A sentence without figures."""
    return lambda read: (zh, en)


def _from(read: Read) -> Words:
    tile, giver = read.win.tile, read.win.from_
    if read.win.by == "qiang_gang":
        return f"抢 {giver} 座补杠的 {tile}。", f"{tile} was robbed from a gang of seat {giver}."
    return f"{giver} 座打出 {tile}。", f"{tile} was discarded by seat {giver}."


def _drawn(read: Read) -> Words:
    tile = read.win.tile
    if read.chosen.win.dui_bao:
        return f"看宝 {tile} 即胡，算自摸。", f"Winning on the bao {tile} counts as a self-draw."
    return f"自己摸到 {tile}。", f"{tile} was drawn by the winner."


def _waits(read: Read) -> str:
    options = read.chosen.win.options
    found = waited_for(read.hand.concealed, read.hand.melds, options)
    return " ".join(NAMES[kind] for kind in found) or "—"


def _narrow(read: Read) -> Words:
    case = read.chosen.case
    name = NAMES[case.kind]
    if case.form and read.chosen.win.options.jia_hu_rule != "sole":
        (group, *_) = [each for each in case.reading.groups if is_narrow(each, case.kind)]
        return f"{name} 落在 {write(group.tiles)}。", f"{name} came into {write(group.tiles)}."
    return f"只听 {_waits(read)} 一种。", f"{_waits(read)} is the only tile waited for."


def _no_narrow(read: Read) -> Words:
    win, case = read.chosen.win, read.chosen.case
    rule = win.options.jia_hu_rule
    if win.narrow and win.bao and not win.options.jia_hu_with_bao:
        return (
            "本房摸宝胡不算夹胡（jia_hu_with_bao）。",
            "In this club a bao that was drawn gives none (option jia_hu_with_bao).",
        )
    if win.narrow and win.piao:
        return "本房飘胡不再算夹胡。", "In this club all triplets has none beside it."
    if not read.hand.counted:
        return "最后一张已在开的杠里。", "The tile dealt last lies in an opened gang."
    name = NAMES[case.kind]
    if rule in ("form", "either") or (rule == "both" and not case.form):
        lies = " ".join(write(each.tiles) for each in places(case.reading, case.kind))
        return (
            f"{name} 落在 {lies}，不是边张、坎张或单调。",
            f"{name} lies in {lies}: no edge, gap or pair.",
        )
    return (
        f"听 {_waits(read)}，不止一种。",
        f"The hand waited for {_waits(read)}: not one tile only.",
    )


def _bao(read: Read) -> Words:
    win = read.chosen.win
    tile, stands = read.win.tile, NAMES[read.chosen.case.kind]
    if win.dui_bao:
        return f"对宝也算宝牌 {tile}。", f"The bao {tile} looked at counts as the bao, too."
    return (
        f"听后摸到宝牌 {tile}，当作 {stands}。",
        f"The bao {tile} was drawn after ting and stands for {stands}.",
    )


def _no_bao(read: Read) -> Words:
    win = read.chosen.win
    if not win.options.bao_enabled:
        return (
            "本房不带宝（bao_enabled）。",
            "This club plays without the bao (option bao_enabled).",
        )
    if win.dui_bao:
        return (
            "本房对宝不再算宝牌。",
            "In this club the bao looked at does not score the bao as well.",
        )
    if "ting" not in read.win.flags:
        return "没有报听，与宝无关。", "Without ting a seat has no part in the bao."
    return f"胡的 {read.win.tile} 不是摸到的宝牌。", f"{read.win.tile} is no bao that was drawn."


def _no_dui_bao(read: Read) -> Words:
    if not read.chosen.win.options.bao_enabled:
        return (
            "本房不带宝（bao_enabled）。",
            "This club plays without the bao (option bao_enabled).",
        )
    return "不是看宝即胡。", "The hand was not won at a look at the bao."


def _no_piao(read: Read) -> Words:
    case, melds = read.chosen.case, read.hand.melds
    runs = [write(each.tiles) for each in case.reading.sets if each.shape == RUN]
    if melds.chi:
        return "有吃牌。", "The hand has a chi meld."
    if runs:
        return (
            f"有顺子 {' '.join(runs)}。",
            f"It has the {agreeing(len(runs), 'run', 'runs')} {joined(runs)}.",
        )
    return "本房有特殊杠不算飘胡。", "In this club a special gang cannot stand in it."


def _no_dealer(read: Read) -> Words:
    return f"{read.win.seat} 座不是庄家。", f"Seat {read.win.seat} does not deal."


def _not_closed(read: Read) -> Words:
    opened = [meld.tiles for meld in read.win.melds if meld.kind != "an_gang"]
    return f"已开门：{'、'.join(opened)}。", f"The hand is open: {joined(opened)}."


REASONS: Final[Mapping[str, Reason]] = {
    "base": Reason(
        _say("每次胡牌都有。", "Every win has it."),
        _say("每次胡牌都有。", "Every win has it."),
        "fan_base",
    ),
    "dianpao": Reason(_from, _say("是自摸。", "The win was self-drawn."), "fan_dianpao"),
    "zimo": Reason(_drawn, _from, "fan_zimo"),
    "jia_hu": Reason(_narrow, _no_narrow, "fan_jia_hu"),
    "bao": Reason(_bao, _no_bao, "fan_bao"),
    "dui_bao": Reason(
        _say("看到的宝牌正是要胡的牌。", "The bao looked at was a tile waited for."),
        _no_dui_bao,
        "fan_dui_bao",
    ),
    "piao_hu": Reason(
        _say("四副都是刻子或杠。", "All four melds are triplets or gangs."),
        _no_piao,
        "fan_piao_hu",
    ),
    "zhuang_hu": Reason(_say("庄家胡牌。", "The winner deals."), _no_dealer, "fan_zhuang_hu"),
    "li_hu": Reason(_say("没有开门。", "No meld opened the hand."), _not_closed, "fan_li_hu"),
}
"""The sentences of each item."""
