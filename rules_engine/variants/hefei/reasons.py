"""Why each item of a Hefei hand counts or does not, in both languages, with the figures.

``REASONS`` goes beside ``ITEMS``: for each item a sentence for when it counts and one for when it
does not, each a function of the same ``Win``. The prices themselves stay in the options.
"""

from collections.abc import Mapping
from typing import Final

from rules_engine.variants.hefei.items import ENOUGH, FOUR, Win
from rules_engine.variants.hefei.reasons_of_reading import (
    OF_READING,
    Reason,
    Words,
    no_pairs,
)
from rules_engine.words import agreeing, counted, times_over


def _suits(win: Win) -> str:
    """How many tiles of each suit, such as ``9m 3p 2s``."""
    return " ".join(f"{tiles}{suit}" for suit, tiles in zip("mps", win.suits, strict=True))


def _base_given(win: Win) -> Words:
    if win.options.room == "bao_ting":
        return "报听房，胡牌即有基本分。", "Every win in a bao-ting room has this base."
    return "不报听房，胡牌即有基本分。", "Every win in a plain room has this base."


def _base_missing(win: Win) -> Words:
    if win.first_turn:
        return (
            "本房天胡、地胡不另计基本分（tian_di_hu_base）。",
            "The base does not count with a heavenly or earthly win (option tian_di_hu_base).",
        )
    return "本房基本分为零。", "The base of this room is 0."


def _zhi_given(win: Win) -> Words:
    return (
        f"各门张数 {_suits(win)}，超过{ENOUGH}张的每张计分。",
        f"Tiles by suit are {_suits(win)}; each above {ENOUGH} counts.",
    )


def _zhi_missing(win: Win) -> Words:
    longest = max(win.suits)
    return (
        f"最长一门 {longest} 张，没有超过{ENOUGH}张。",
        f"The longest suit has {longest} tiles; only tiles above {ENOUGH} count.",
    )


def _shuang_ba_zhi_given(win: Win) -> Words:
    return (
        f"各门张数 {_suits(win)}，两门满{ENOUGH}张。",
        f"Tiles by suit are {_suits(win)}: two suits have {ENOUGH} or more.",
    )


def _shuang_ba_zhi_missing(win: Win) -> Words:
    second = sorted(win.suits)[-2]
    return (
        f"第二长的一门只有 {second} 张，需{ENOUGH}张。",
        f"The second longest suit has {counted(second, 'tile')}; it needs {ENOUGH}.",
    )


def _que_men_given(win: Win) -> Words:
    return (
        f"各门张数 {_suits(win)}，恰缺一门。",
        f"Tiles by suit are {_suits(win)}: exactly one is missing.",
    )


def _que_men_missing(win: Win) -> Words:
    if win.suits.count(0) == 2:
        return "只有一门，算清一色。", "Two suits are missing, which is the item of one suit alone."
    return (
        f"三门俱全，最短一门有 {min(win.suits)} 张。",
        f"All three suits are there; the shortest has {counted(min(win.suits), 'tile')}.",
    )


def _qing_yi_se_given(win: Win) -> Words:
    return f"{sum(win.suits)} 张同一门。", f"All {sum(win.suits)} tiles are of one suit."


def _qing_yi_se_missing(win: Win) -> Words:
    longest = win.suits.index(max(win.suits))
    strangers = " ".join(
        f"{tiles}{suit}"
        for place, (suit, tiles) in enumerate(zip("mps", win.suits, strict=True))
        if tiles and place != longest
    )
    count = sum(win.suits) - max(win.suits)
    return (
        f"另有 {count} 张别的花色（{strangers}）。",
        f"{counted(count, 'tile')} {agreeing(count, 'is', 'are')} of other suits ({strangers}).",
    )


def _tong_given(win: Win) -> Words:
    ranks = [f"{rank}×{tiles}" for rank, tiles in enumerate(win.ranks, 1) if tiles > FOUR]
    listed = " ".join(ranks)
    if win.options.tong_count == "best":
        return (
            f"同点数超过{FOUR}张：{listed}，只计最多的一个。",
            f"Ranks with more than {FOUR} tiles: {listed}; only the largest counts.",
        )
    return (
        f"同点数超过{FOUR}张：{listed}，每多一张计分。",
        f"Ranks with more than {FOUR} tiles: {listed}; each tile above {FOUR} counts.",
    )


def _tong_missing(win: Win) -> Words:
    most = max(win.ranks)
    return (
        f"同点数最多 {most} 张，需超过{FOUR}张。",
        f"No rank has more than {most} tiles; more than {FOUR} are needed.",
    )


def _hai_lao_given(win: Win) -> Words:
    return "胡在最后四张内。", "The win was on one of the last four tiles."


def _hai_lao_missing(win: Win) -> Words:
    return "不是胡在最后四张内。", "The win was not on one of the last four tiles."


def _tian_hu_given(win: Win) -> Words:
    return "庄家起手即胡。", "The dealer won with the dealt tiles."


def _tian_hu_missing(win: Win) -> Words:
    if "tian_hu" in win.flags:
        return (
            "普通算法更高，取普通算法（tian_di_hu_best）。",
            "The ordinary score is higher and replaces it (option tian_di_hu_best).",
        )
    if not win.deals:
        return "胡牌者不是庄家。", "The winner is not the dealer."
    return "不是起手即胡。", "The win was not with the dealt tiles."


def _di_hu_given(win: Win) -> Words:
    if win.zimo:
        return "闲家首轮自摸。", "A seat other than the dealer drew the win in its first turn."
    return (
        "闲家胡庄家首张打出的牌。",
        "A seat other than the dealer won on the dealer's first discard.",
    )


def _di_hu_missing(win: Win) -> Words:
    options = win.options
    if win.deals:
        return "庄家没有地胡。", "The dealer cannot make an earthly win."
    if "di_hu" in win.flags and options.di_hu_rule == "dealer_first_discard":
        return (
            "本房首轮自摸不算地胡（di_hu_rule）。",
            "A self-drawn win in the first turn is no earthly win here (option di_hu_rule).",
        )
    if "di_hu" in win.flags and win.gangs and not options.di_hu_after_own_gang:
        return (
            "自己先暗杠，本房不算地胡（di_hu_after_own_gang）。",
            "An own gang came first, so it is no earthly win (option di_hu_after_own_gang).",
        )
    if "dealer_first_discard" in win.flags and options.di_hu_rule == "first_turn_zimo":
        return (
            "胡庄家首张打出的牌，本房不算地胡（di_hu_rule）。",
            "A win on the dealer's first discard is no earthly win here (option di_hu_rule).",
        )
    if "di_hu" in win.flags or "dealer_first_discard" in win.flags:
        return (
            "普通算法更高，取普通算法（tian_di_hu_best）。",
            "The ordinary score is higher and replaces it (option tian_di_hu_best).",
        )
    return "不是首轮胡牌。", "The win was not in the first turn."


def _hao_hua_qi_dui_given(win: Win) -> Words:
    extents = {
        "all_but_zhuang": (f"S={win.sum_points}", f"S = {win.sum_points}"),
        "all": (f"S={win.sum_points} 连同庄分", f"S = {win.sum_points} and the dealer's bonus"),
        "base_only": ("基本分", "the base"),
    }
    zh, en = extents[win.options.luxury_base]
    more = times_over(win.quads)
    return (
        f"七对含 {win.quads} 个四张，{zh} 再计 {win.quads} 次。",
        f"Seven pairs with {counted(win.quads, 'quad')}: {en} counts {more} more.",
    )


def _hao_hua_qi_dui_missing(win: Win) -> Words:
    if not win.seven_pairs:
        return no_pairs(win)
    if not win.quads:
        return "七对中没有四张相同的牌。", "The seven pairs have no four identical tiles."
    return "所乘之分为零。", "What the quads multiply is 0."


def _gang_kai_given(win: Win) -> Words:
    mult = win.options.gang_kai_mult
    return (
        f"杠后补张自摸，S={win.sum_points} 计 {mult} 倍。",
        f"Won on a replacement tile: S = {win.sum_points} counts {times_over(mult)}.",
    )


def _gang_kai_missing(win: Win) -> Words:
    if "gang_kai" in win.flags:
        return (
            "本房杠后自摸不加倍（gang_kai_mult）。",
            "It multiplies by 1 here (option gang_kai_mult).",
        )
    return "不是杠后补张自摸。", "The win was not on a replacement tile."


def _zhuang_fen_given(win: Win) -> Words:
    how = ("自摸", "self-draw") if win.zimo else ("点炮", "discard")
    return (
        f"庄家胡牌，连庄数 {win.streak}，{how[0]}。",
        f"The dealer won at streak {win.streak}, by {how[1]}.",
    )


def _zhuang_fen_missing(win: Win) -> Words:
    if win.deals:
        return "本房庄分为零。", "The dealer's bonus is 0 here."
    return "胡牌者不是庄家。", "The winner is not the dealer."


REASONS: Final[Mapping[str, Reason]] = {
    **OF_READING,
    "base": Reason("", _base_given, _base_missing),
    "zhi": Reason("points_zhi", _zhi_given, _zhi_missing),
    "shuang_ba_zhi": Reason("points_shuang_ba_zhi", _shuang_ba_zhi_given, _shuang_ba_zhi_missing),
    "que_men": Reason("points_que_men", _que_men_given, _que_men_missing),
    "qing_yi_se": Reason("points_qing_yi_se", _qing_yi_se_given, _qing_yi_se_missing),
    "tong": Reason("points_tong", _tong_given, _tong_missing),
    "hai_lao": Reason("points_hai_lao", _hai_lao_given, _hai_lao_missing),
    "tian_hu": Reason("points_tian_hu", _tian_hu_given, _tian_hu_missing),
    "di_hu": Reason("points_di_hu", _di_hu_given, _di_hu_missing),
    "hao_hua_qi_dui": Reason("", _hao_hua_qi_dui_given, _hao_hua_qi_dui_missing),
    "gang_kai": Reason("", _gang_kai_given, _gang_kai_missing),
    "zhuang_fen": Reason("", _zhuang_fen_given, _zhuang_fen_missing),
}
"""By item id; the same ids as ``ITEMS``, which a test holds."""
