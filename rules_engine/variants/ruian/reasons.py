"""Why each item of a Rui'an hand counts or does not, in Chinese and English, with its figures.

``REASONS`` goes beside ``ITEMS``: for each item a sentence for when it counts, and one for when its
own condition fails, each a function of the ``Win``, the ``Hand`` it was read from and the groups.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from rules_engine.groups import RUN, Group
from rules_engine.shapes import suit_sizes
from rules_engine.tiles import NAMES, count, write
from rules_engine.variants.ruian.hands import Hand
from rules_engine.variants.ruian.items import Weighed, Win, is_mixed_double
from rules_engine.variants.ruian.melds import FA, SETS, WINDS, ZHONG
from rules_engine.words import agreeing, counted, joined

Words: TypeAlias = tuple[str, str]
"""A sentence in Chinese and the same in English."""
Groups: TypeAlias = tuple[Group, ...]
"""The groups of the reading; of the standard shape the pair is the last."""
Telling: TypeAlias = Callable[[Win, Hand, Groups], Words]
_WAITS: Final[Mapping[str, Words]] = {
    "end": ("顺子的外侧", "at an outer end of a run"),
    "edge": ("顺子的边上（边档）", "at the edge of a run (123 by 3, 789 by 7)"),
    "middle": ("顺子的中间", "in the middle of a run"),
    "pair": ("将牌", "in the pair"),
    "triplet": ("刻子", "in a triplet"),
}


_SIMPLE: Final = "of 2 to 8"
_YAO: Final = "of terminals or honours"


TWO: Final = 2
THREE: Final = 3
"""Wilds that items ask for."""


class Reason(Struct, frozen=True):
    """The sentences of an item: why it counts, and why its condition fails."""

    given: Telling
    missing: Telling


def _say(zh: str, en: str) -> Telling:
    """A sentence without figures."""
    return lambda win, hand, groups: (zh, en)


def _no_groups(win: Win) -> Words | None:
    """What keeps every item of groups from a hand that is not read as groups."""
    if win.shape == "eight_pairs":
        return "八对不按副计。", "Eight pairs has no groups that earn."
    if win.shape == "bare":
        return "三财神放倒，不看牌型。", "Three wilds were laid down whatever the rest looks like."
    return None


def _grouped(telling: Telling) -> Telling:
    """The sentence of an item of groups, where the hand is read as groups."""
    return lambda win, hand, groups: _no_groups(win) or telling(win, hand, groups)


def _wait(win: Win, hand: Hand, groups: Groups) -> Words:
    """Where the winning tile lies."""
    zh, en = _WAITS[win.wait]
    return f"胡的 {NAMES[hand.tile]} 在{zh}。", f"The winning tile {NAMES[hand.tile]} is {en}."


def _sets(zh: str, en: str, of: str, number: Callable[[Win], int]) -> Reason:
    """The sentences of an item that counts triplets or gangs of one sort."""

    def given(win: Win, hand: Hand, groups: Groups) -> Words:
        return f"有 {number(win)} 副{zh}。", f"The hand has {counted(number(win), en)} {of}."

    def missing(win: Win, hand: Hand, groups: Groups) -> Words:
        return f"没有{zh}。", f"The hand has no {en} {of}."

    return Reason(given, _grouped(missing))


def _no_triplet_of(kind: int) -> Telling:
    """What keeps a triplet of this kind from earning a tai."""

    def missing(win: Win, hand: Hand, groups: Groups) -> Words:
        return _too_few(kind, hand)

    return _grouped(missing)


def _no_own_triplet(win: Win, hand: Hand, groups: Groups) -> Words:
    return _no_groups(win) or _too_few(hand.own, hand)


def _too_few(kind: int, hand: Hand) -> Words:
    """How many natural tiles of a kind there are towards a triplet."""
    held = count(hand.natural, kind)
    if kind == hand.wild:
        held = hand.wilds
    return (
        f"{NAMES[kind]} 有 {held} 张；三张成刻，其中至多一张由财神代替。",
        f"The hand holds {held} of {NAMES[kind]}; it takes three, at most one a substitute.",
    )


def _no_pair_of(kind: int) -> Telling:
    """What keeps a pair of this kind from earning hu."""
    return _grouped(lambda win, hand, groups: _other_pair(kind, groups))


def _other_pair(kind: int, groups: Groups) -> Words:
    """Which pair the hand has in place of one of this kind."""
    pair, name = write(groups[-1].tiles), NAMES[kind]
    return (
        f"将牌是 {pair}；须 {name} 成对，其中至多一张由财神代替。",
        f"The pair is {pair}; it takes two of {name}, at most one a substitute.",
    )


def _not_flat(win: Win, hand: Hand, groups: Groups) -> Words:
    """What keeps a hand from being flat (RA-60), the first reason that holds."""
    if win.runs < SETS:
        return (
            f"只有 {win.runs} 副顺子，平胡须五副。",
            f"It has {counted(win.runs, 'run')}; a flat hand has five.",
        )
    if win.pair_counts:
        pair = write(groups[-1].tiles)
        return (
            f"将牌 {pair} 是中、发或自风。",
            f"The pair {pair} is zhong, fa or the own wind.",
        )
    if win.wait != "end":
        return _wait(win, hand, groups)
    crowded = next(each for each in groups if each.shape == RUN and _crowded(each, hand))
    run = write(crowded.tiles)
    return (
        f"顺子 {run} 用了两张以上的财神代替。",
        f"The run {run} holds two or more substitutes.",
    )


def _crowded(each: Group, hand: Hand) -> bool:
    """Whether two or more wilds of a group stand for another kind."""
    return each.wild_count - count(each.wilds, hand.wild) > 1


def _no_ping_hu(win: Win, hand: Hand, groups: Groups) -> Words:
    if is_mixed_double(win):
        return "已计双财神杂胡。", "The mixed double wild counts in its place."
    return _not_flat(win, hand, groups)


def _no_mixed_double(win: Win, hand: Hand, groups: Groups) -> Words:
    if win.wilds != TWO:
        return _needs_wilds(TWO)(win, hand, groups)
    if win.flat:
        pair = write(groups[-1].tiles)
        return f"财神在将牌 {pair} 里。", f"A wild is in the pair {pair}."
    return _not_flat(win, hand, groups)


def _no_double(win: Win, hand: Hand, groups: Groups) -> Words:
    if is_mixed_double(win):
        return "已计双财神杂胡。", "The mixed double wild counts in its place."
    return _needs_wilds(TWO)(win, hand, groups)


def _wilds(win: Win, hand: Hand, groups: Groups) -> Words:
    return f"手中财神 {win.wilds} 张。", f"The hand holds {counted(win.wilds, 'wild')}."


def _needs_wilds(needed: int) -> Telling:
    """How many wilds are missing or too many."""

    def missing(win: Win, hand: Hand, groups: Groups) -> Words:
        return (
            f"手中财神 {win.wilds} 张，须 {needed} 张。",
            f"The hand holds {counted(win.wilds, 'wild')}; it takes {needed}.",
        )

    return missing


def _not_all_triplets(win: Win, hand: Hand, groups: Groups) -> Words:
    return (
        f"有 {win.runs} 副顺子，碰碰胡不能有顺子。",
        f"It has {counted(win.runs, 'run')}; all triplets allows none.",
    )


def _suits(win: Win, hand: Hand, groups: Groups) -> Words:
    """Which suits the tiles as read are of, with how many there are of each without wilds."""
    held = suit_sizes(hand.natural + hand.melded.tiles)
    zh, en = [], []
    for place, number in enumerate(held):
        if win.suits >> place & 1:
            chinese, suit = "万饼条字"[place], "mpsz"[place]
            zh.append(f"{number} 张{chinese}" if number else f"财神作{chinese}")
            en.append(f"{number} of {suit}" if number else f"a wild as {suit}")
    wilds = hand.wilds
    more = (f"，另有财神 {wilds} 张", f" beside {counted(wilds, 'wild')}") if wilds else ("", "")
    return f"牌有 {'、'.join(zh)}{more[0]}。", f"The tiles are {joined(en)}{more[1]}."


def _no_suits(zh: str, en: str) -> Telling:
    """Which suits keep a hand from being of the suits an item asks for."""

    def missing(win: Win, hand: Hand, groups: Groups) -> Words:
        if win.shape == "bare":
            return _no_groups(win) or ("", "")
        chinese, english = _suits(win, hand, groups)
        return f"{chinese[:-1]}，须{zh}。", f"{english[:-1]}; it takes {en}."

    return missing


def _winds(win: Win, hand: Hand, groups: Groups) -> Words:
    """Which winds have no triplet."""
    missing = " ".join(NAMES[wind] for n, wind in enumerate(WINDS) if not win.winds >> n & 1)
    return f"缺 {missing} 的刻子或杠。", f"It lacks a triplet or gang of {missing}."


def _gangs(win: Win, hand: Hand, groups: Groups) -> Words:
    gangs = hand.melded.gangs
    return f"{gangs} 副杠，须五副。", f"The hand has {counted(gangs, 'gang')}; it takes five."


def _melds(win: Win, hand: Hand, groups: Groups) -> Words:
    melds = hand.melded.size
    return f"落地 {melds} 副，须五副。", f"The hand has {counted(melds, 'meld')}; it takes five."


def _flowers(win: Win, hand: Hand, groups: Groups) -> Words:
    return f"花牌 {win.flowers} 张。", f"The seat set aside {counted(win.flowers, 'flower')}."


def _by(win: Win, hand: Hand, groups: Groups) -> Words:
    zh = {"zimo": "自摸", "dianpao": "点炮", "qiang_gang": "抢杠"}[win.by]
    en = {"zimo": "by self-draw", "dianpao": "on a discard", "qiang_gang": "by robbing a gang"}
    return f"是{zh}胡。", f"The hand was won {en[win.by]}."


def _substitutes(win: Win, hand: Hand, groups: Groups) -> Words:
    stand = agreeing(win.substitutes, "stands", "stand")
    return (
        f"有 {win.substitutes} 张财神当别的牌用，是软牌。",
        f"{counted(win.substitutes, 'wild')} {stand} for another kind: a soft hand.",
    )


def _no_hard(win: Win, hand: Hand, groups: Groups) -> Words:
    if win.shape == "bare":
        return "三财神放倒不计倍数。", "Three wilds laid down bare have no factor."
    return _substitutes(win, hand, groups)


def _no_special_pairs(win: Win, hand: Hand, groups: Groups) -> Words:
    if win.shape != "eight_pairs":
        return "不是八对。", "The hand is not read as eight pairs."
    return _substitutes(win, hand, groups)


def _no_special_wilds(win: Win, hand: Hand, groups: Groups) -> Words:
    if win.shape == "bare":
        return "没有成胡的牌型。", "The three wilds do not complete a hand."
    return _needs_wilds(THREE)(win, hand, groups)


def _hard(win: Win, hand: Hand, groups: Groups) -> Words:
    if win.substitutes:
        return "自摸算硬牌。", "In this club a self-drawn hand counts as hard."
    return "没有财神当别的牌用。", "No wild stands for another kind."


def _not_on(zh: str, en: str) -> Telling:
    """A moment at which the winning tile did not come."""
    return lambda win, hand, groups: (
        f"胡的 {NAMES[hand.tile]} {zh}。",
        f"The winning tile {NAMES[hand.tile]} {en}.",
    )


_SPECIAL: Final = _say(
    "特殊牌型，在硬牌倍数上再番倍。", "A special hand doubles on top of the hard factor."
)

REASONS: Final[Mapping[str, Reason]] = {
    "base_hu": Reason(_say("每副牌都有底胡。", "Every hand has the base."), _by),
    "zi_mo": Reason(_by, _by),
    "bai_ban_hu": Reason(_flowers, _flowers),
    "bian_dang": Reason(_wait, _grouped(_wait)),
    "qian_dang": Reason(_wait, _grouped(_wait)),
    "dan_diao": Reason(_wait, _grouped(_wait)),
    "peng": _sets("二至八的碰", "open triplet", _SIMPLE, lambda win: win.pengs[0]),
    "peng_yao": _sets("幺九或字牌的碰", "open triplet", _YAO, lambda win: win.pengs[1]),
    "an_ke": _sets("二至八的暗刻", "concealed triplet", _SIMPLE, lambda win: win.an_ke[0]),
    "an_ke_yao": _sets("幺九或字牌的暗刻", "concealed triplet", _YAO, lambda win: win.an_ke[1]),
    "ming_gang": _sets("二至八的明杠", "open gang", _SIMPLE, lambda win: win.melded.open_gangs[0]),
    "ming_gang_yao": _sets(
        "幺九或字牌的明杠", "open gang", _YAO, lambda win: win.melded.open_gangs[1]
    ),
    "an_gang": _sets("二至八的暗杠", "concealed gang", _SIMPLE, lambda win: win.melded.an_gangs[0]),
    "an_gang_yao": _sets(
        "幺九或字牌的暗杠", "concealed gang", _YAO, lambda win: win.melded.an_gangs[1]
    ),
    "dui_zhong": Reason(_say("将牌是红中。", "The pair is zhong."), _no_pair_of(ZHONG)),
    "dui_fa": Reason(_say("将牌是发财。", "The pair is fa."), _no_pair_of(FA)),
    "dui_zi_feng": Reason(
        _say("将牌是自家风。", "The pair is the own wind."),
        _grouped(lambda win, hand, groups: _other_pair(hand.own, groups)),
    ),
    "bai_ban": Reason(_flowers, _flowers),
    "gang_shang_kai_hua": Reason(
        _say("杠后补牌自摸。", "The winning tile replaced the fourth tile of an own gang."),
        _not_on("不是杠后补的牌", "was not drawn to replace the fourth tile of a gang"),
    ),
    "hai_di_lao_yue": Reason(
        _say("胡了海底牌或最后打出的牌。", "Won on a hai-di tile or on the last discard."),
        _not_on(
            "不是海底牌，也不是最后打出的牌", "is neither a dealt hai-di tile nor the last discard"
        ),
    ),
    "he_di_lao_yue": Reason(
        _say("自摸河底牌。", "Self-drawn on the he-di tile."),
        _not_on("不是河底牌", "is not the he-di tile"),
    ),
    "qiang_gang": Reason(_by, _by),
    "ping_hu": Reason(
        _say("五副顺子，两面听，将牌无番。", "Five runs, an outer end won, a pair of no value."),
        _grouped(_no_ping_hu),
    ),
    "shuang_cai_shen_za_hu": Reason(
        _say("两张财神都不在将牌，且是平胡。", "Two wilds, none in the pair, in a flat hand."),
        _grouped(_no_mixed_double),
    ),
    "shuang_cai_shen": Reason(_wilds, _no_double),
    "zi_feng_ke": Reason(
        _say("有自家风的刻子或杠。", "It has a triplet or gang of the own wind."), _no_own_triplet
    ),
    "hong_zhong_ke": Reason(
        _say("有红中的刻子或杠。", "It has a triplet or gang of zhong."), _no_triplet_of(ZHONG)
    ),
    "fa_cai_ke": Reason(
        _say("有发财的刻子或杠。", "It has a triplet or gang of fa."), _no_triplet_of(FA)
    ),
    "peng_peng_hu": Reason(_say("没有顺子。", "There is no run."), _grouped(_not_all_triplets)),
    "gang_gang_hu": Reason(_gangs, _gangs),
    "hun_yi_se": Reason(_suits, _no_suits("一门加字牌", "one suit with honours")),
    "dan_zhang_diao": Reason(_melds, _melds),
    "qing_yi_se": Reason(_suits, _no_suits("只有一门", "one suit alone")),
    "si_feng_qi": Reason(
        _say("四种风都成刻或杠。", "All four winds are triplets or gangs."), _grouped(_winds)
    ),
    "tian_hu": Reason(
        _say("庄家起手自摸。", "The dealer won before discarding."),
        _say("不是庄家起手胡。", "It is not the dealer's win before the first discard."),
    ),
    "di_hu": Reason(
        _say("胡庄家打出的第一张。", "Won on the dealer's first discard."),
        _not_on("不是庄家打出的第一张", "is not the dealer's first discard"),
    ),
    "san_cai_shen": Reason(_wilds, _needs_wilds(THREE)),
    "ying_pai": Reason(_hard, _no_hard),
    "fan_bei_ying_ba_dui": Reason(_SPECIAL, _no_special_pairs),
    "fan_bei_san_cai_shen": Reason(_SPECIAL, _no_special_wilds),
    "fan_bei_peng_peng_hu": Reason(_SPECIAL, _grouped(_not_all_triplets)),
}
"""By item; ``la_zhi``, ``la_zhi_extra`` and ``di`` rest on the whole hand: see ``computed``."""


def computed(item_id: str, chosen: Weighed) -> Words:
    """Why a line that is worked out from the others counts or does not."""
    options = chosen.win.options
    if item_id == "di":
        if options.value_mode == "flat":
            return "平算，只计倍数。", "In flat counting a hand is one unit times its factor."
        return "本房计胡与台。", "This club counts hu and tai."
    if options.value_mode == "flat":
        return "平算，不计胡与台。", "In flat counting neither hu nor tai count."
    if item_id == "la_zhi":
        if chosen.limits:
            return "已有拉直的牌型。", "A limit item counts already."
        if not options.lazhi_tai:
            return "本房台数不拉直。", "In this club tai never reach the limit."
        return (
            f"{chosen.tai} 台，{options.lazhi_tai} 台拉直。",
            f"{chosen.tai} tai; {options.lazhi_tai} reach the limit.",
        )
    if not options.lazhi_step:
        return "本房拉直后不加台。", "This club pays nothing for tai above the limit."
    return (
        (
            f"共 {chosen.tai} 台与 {chosen.limits} 项拉直（每项三台）；三台以上每台 "
            f"{options.lazhi_step} 胡。"
        ),
        (
            f"{chosen.tai} tai and {counted(chosen.limits, 'limit item')} (three tai each); each "
            f"tai above three pays {options.lazhi_step} hu."
        ),
    )
