"""Why each item of the bao game counts or does not, in both languages, with the figures.

``REASONS`` goes beside ``ITEMS``: for each item a sentence for when it counts and one for when its
own condition fails, each a function of the scored ``Win`` and the ``Hand``.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Final, TypeAlias

from msgspec import Struct

from rules_engine.shapes import HONOURS, ORPHANS
from rules_engine.tiles import NAMES, SUITED_KINDS, count, kinds_in, write
from rules_engine.variants.jiangxi.hands import Hand
from rules_engine.variants.jiangxi.items import Win
from rules_engine.words import agreeing, counted, joined

Words: TypeAlias = tuple[str, str]
"""A sentence in Chinese and the same in English."""
Telling: TypeAlias = Callable[[Win, Hand], Words]


APART: Final = 3
"""How far apart the tiles of a suit lie in 十三浪 (JX-74)."""


NO_WILDS_IN_SPECIAL: Final[Words] = (
    "本房宝不能代牌（wild_in_special）。",
    "In this club bao do not replace tiles in it (option wild_in_special).",
)
"""Why a hand is neither 十三浪 nor 九幺 although its other tiles are all right (JX-75)."""


class Reason(Struct, frozen=True):
    """The sentences of an item."""

    given: Telling
    missing: Telling


def _says(zh: str, en: str) -> Telling:
    """A sentence that needs no figures."""
    return lambda win, hand: (zh, en)


def _bao(win: Win) -> Words:
    """What the wilds do in the reading that counts."""
    if win.replaced:
        replaces = agreeing(win.replaced, "replaces another tile", "replace other tiles")
        return f"有 {win.replaced} 个宝代替别的牌", f"{win.replaced} bao {replaces}"
    if win.with_bao:
        return "手中有宝（qing_strict）", "the hand holds bao (option qing_strict)"
    return "没有宝代替别的牌", "no bao replaces another tile"


def _with_bao_words(zh: str, en: str) -> Telling:
    """A sentence followed by what the wilds do."""

    def tell(win: Win, hand: Hand) -> Words:
        chinese, english = _bao(win)
        return f"{zh}，{chinese}。", f"{en}, and {english}."

    return tell


def _purity(win: Win) -> Words:
    """Whether the wilds make a reading one with bao or a pure one, which are different items."""
    chinese, english = _bao(win)
    if win.with_bao:
        return f"{chinese}，不算清", f"{english}, so it is not pure"
    return f"{chinese}，算清", f"{english}, so it is the pure kind"


# --- shapes the hand does not have ----------------------------------------------------------------


def no_pairs(win: Win, hand: Hand) -> Words:
    """Why the hand is not seven pairs."""
    if hand.melds.size:
        return "吃碰杠过的牌不是七对。", "A hand with melds is not seven pairs."
    odd = [NAMES[kind] for kind in kinds_in(hand.natural) if count(hand.natural, kind) % 2]
    listed = " ".join(odd)
    lack = agreeing(len(odd), "lacks", "lack")
    return (
        f"{listed} 不成对，而宝只有 {hand.wilds} 个。",
        f"{joined(odd)} {lack} a second tile; the hand holds {counted(hand.wilds, 'bao', 'bao')}.",
    )


def no_sets(win: Win, hand: Hand) -> Words:
    """Why the hand has no standard reading."""
    return (
        f"手牌拆不成 {hand.sets} 副和一对将。",
        f"The concealed tiles do not make {counted(hand.sets, 'set')} and a pair.",
    )


def not_apart(win: Win, hand: Hand) -> Words:
    """Why the hand is not 十三浪."""
    if hand.melds.size:
        return "吃碰杠过的牌不是十三浪。", "A hand with melds is not thirteen apart."
    twice = [NAMES[kind] for kind in kinds_in(hand.natural) if count(hand.natural, kind) > 1]
    if twice:
        listed = " ".join(twice)
        there = agreeing(len(twice), "is", "are")
        return f"{listed} 有重复。", f"{joined(twice)} {there} there more than once."
    close = _closest(hand)
    if close:
        return f"{close[0]} 与 {close[1]} 相隔不到三。", f"{joined(close)} are closer than three."
    return NO_WILDS_IN_SPECIAL


def _closest(hand: Hand) -> tuple[str, ...]:
    """Two natural tiles of one suit less than three apart, or nothing."""
    kinds = [kind for kind in kinds_in(hand.natural) if kind < SUITED_KINDS]
    for low, high in pairwise(kinds):
        if NAMES[low][1] == NAMES[high][1] and high - low < APART:
            return NAMES[low], NAMES[high]
    return ()


def not_nine_one(win: Win, hand: Hand) -> Words:
    """Why the hand is not 九幺."""
    middle = (hand.natural + hand.melds.tiles) & ~ORPHANS
    if middle:
        listed = " ".join(NAMES[kind] for kind in kinds_in(middle))
        names = listed.split()
        return (
            f"{listed} 不是幺九或字牌。",
            f"{joined(names)} {agreeing(len(names), 'is', 'are')} neither one, nine nor honour.",
        )
    if hand.melds.size:
        return (
            "本房九幺不能有碰杠（jiu_yao_melds）。",
            "This club allows no melds in it (option jiu_yao_melds).",
        )
    return NO_WILDS_IN_SPECIAL


def _no_stars(win: Win, hand: Hand) -> Words:
    """七星 is missing though the shape is there."""
    held = hand.as_they_are + hand.melds.tiles
    kinds = len(list(kinds_in(held & HONOURS)))
    return (
        f"字牌只有 {kinds} 种，宝补不齐七种。",
        f"The hand holds {kinds} of the seven honours, and the bao do not fill them.",
    )


def no_shape(win: Win, hand: Hand, shape: str) -> Words:
    """Why the hand cannot be read in this shape."""
    tell = {
        "standard": no_sets,
        "seven_pairs": no_pairs,
        "apart": not_apart,
        "nine_one": not_nine_one,
        "tian_hu": _says("不是庄家起手即胡。", "It is not the dealer's win with the dealt tiles."),
        "di_hu": _says(
            "不是胡庄家首张打出的牌。", "It is not a win on the dealer's first discard."
        ),
    }
    return tell[shape](win, hand)


# --- main items -----------------------------------------------------------------------------------


def _no_quad(win: Win, hand: Hand) -> Words:
    chinese, english = _purity(win)
    if win.quad and not win.options.hao_hua_wild and not win.real_quad:
        return (
            "四张里有代牌的宝，本房不算（hao_hua_wild）。",
            "A bao replaces one of the four, which does not count here (option hao_hua_wild).",
        )
    if not win.quad:
        return "七对里没有四张相同的牌。", "No kind is there four times."
    return f"有四张相同的牌，但{chinese}。", f"It has four alike, but {english}."


def _no_pure(zh: str, en: str) -> Telling:
    """A shape that is there, but as the other of the two items it can be."""

    def missing(win: Win, hand: Hand) -> Words:
        chinese, english = _purity(win)
        return f"{zh}，但{chinese}。", f"{en}, but {english}."

    return missing


def _triplets_missing(win: Win, hand: Hand) -> Words:
    chinese, english = _purity(win)
    if win.runs:
        listed = [write(0x111 << 4 * kind) for kind in win.runs]
        which = agreeing(len(listed), "is a run", "are runs")
        return (
            f"有顺子 {' '.join(listed)}，不全是刻子和杠。",
            f"{joined(listed)} {which}, so not all sets are triplets or gangs.",
        )
    return f"全是刻子和杠，但{chinese}。", f"All sets are triplets or gangs, but {english}."


def _peng_peng_hu_missing(win: Win, hand: Hand) -> Words:
    if not win.runs and win.with_bao:
        return (
            "胡前已是宝吊头，不算碰碰糊。",
            "The hand waited on a lone bao before, which bars it (JX-108).",
        )
    return _triplets_missing(win, hand)


def _bao_diao_tou_missing(win: Win, hand: Hand) -> Words:
    if win.diao:
        return "宝吊头只能自摸或抢杠。", "A bao single wait needs an own draw or a robbed gang."
    held = hand.wilds - win.drew_wild
    bao = counted(held, "bao", "bao")
    return (
        f"胡前手中有 {held} 个宝，不是“成副之外单吊一个宝”。",
        f"Before it the hand held {bao} and was not complete sets and one lone bao.",
    )


def _ping_hu_zi_mo_missing(win: Win, hand: Hand) -> Words:
    if win.by != "zimo":
        return "不是自摸。", "The hand was not won by an own draw."
    if not win.runs:
        return "没有顺子。", "The hand has no run."
    chinese, english = _bao(win)
    return f"{chinese}，不算平糊自摸。", f"It needs a hand without bao, but {english}."


_SELF_EVIDENT: Final = _says("拆法相符。", "The reading fits.")


# --- multipliers ----------------------------------------------------------------------------------


def _tou_ji_missing(win: Win, hand: Hand) -> Words:
    if win.shape != "standard":
        return "按七对、十三浪或九幺拆，不计偷机。", "Only a standard reading can be stolen."
    if not win.diao:
        return "胡前不是宝吊头。", "Before the winning tile the hand did not wait on a lone bao."
    if win.by == "dianpao":
        return "胡别人打出的牌，不计偷机。", "A win on a discard is not stolen."
    if win.tou_ji:
        return (
            "已计宝吊宝或宝吊无宝。",
            "“Bao meets bao” or “bao becomes itself” counts in its place.",
        )
    return "没有放过能胡的牌。", "No win was declined before the win."


def _stolen_missing(win: Win, hand: Hand) -> Words:
    if win.shape != "standard" or not win.diao or win.by == "dianpao":
        return _tou_ji_missing(win, hand)
    if win.by != "zimo":
        return "不是自摸。", "The hand was not won by an own draw."
    if not win.tou_ji and win.options.tou_ji_required:
        return (
            "没有先偷机（tou_ji_required）。",
            "No win was declined before (option tou_ji_required).",
        )
    chinese, english = _bao(win)
    if win.replaced and not win.drew_wild:
        return f"摸到的不是宝，{chinese}。", f"The tile drawn is no bao, and {english}."
    return f"{chinese}。", f"In this reading {english}."


def _fei_bao_given(win: Win, hand: Hand) -> Words:
    single = win.options.factor_fei_bao
    return (
        f"飞了 {win.flown} 个宝，每个 ×{single}。",
        f"{win.flown} bao {agreeing(win.flown, 'was', 'were')} discarded, times {single} for each.",
    )


def _dan_diao_missing(win: Win, hand: Hand) -> Words:
    return (
        f"只有 {win.melds} 副吃碰杠，须四副，手里只剩一张。",
        f"The hand has {counted(win.melds, 'meld')}; it takes four, with one tile left.",
    )


def _jiu_yao_jia_missing(win: Win, hand: Hand) -> Words:
    if not win.options.jiu_yao_stack:
        return "本房不计（jiu_yao_stack）。", "This club does not stack (option jiu_yao_stack)."
    if (hand.natural + hand.melds.tiles) & ~ORPHANS:
        return not_nine_one(win, hand)
    if win.orphans or win.shape == "nine_one":
        return "主牌型不是七对或碰碰糊。", "The main item is neither pairs nor triplets."
    name = NAMES[hand.wild]
    return (
        f"宝作本牌 {name}，不是幺九或字牌。",
        f"A bao counts as itself, and {name} is neither one, nine nor honour.",
    )


def _cap_given(win: Win, hand: Hand) -> Words:
    cap = win.options.cap
    return f"每家最多 {cap}。", f"One share is at most {cap}."


def _cap_missing(win: Win, hand: Hand) -> Words:
    cap = win.options.cap
    if not cap:
        return "本房不封顶（cap）。", "This club has no cap (option cap)."
    return f"没有超过封顶 {cap}。", f"The product is not above the cap of {cap}."


REASONS: Final[Mapping[str, Reason]] = {
    "tian_hu": Reason(
        _says("庄家起手十四张即胡。", "The dealer won with the fourteen dealt tiles."),
        _says("不是庄家起手即胡。", "It is not the dealer's win with the dealt tiles."),
    ),
    "di_hu": Reason(
        _says("闲家胡庄家首张打出的牌。", "Another seat won on the dealer's first discard."),
        _says("不是胡庄家首张打出的牌。", "It is not a win on the dealer's first discard."),
    ),
    "qing_hao_hua_qi_dui": Reason(
        _with_bao_words("七对含四张相同的牌", "Seven pairs with four alike"), _no_quad
    ),
    "hao_hua_qi_dui": Reason(
        _with_bao_words("七对含四张相同的牌", "Seven pairs with four alike"), _no_quad
    ),
    "qing_qi_dui": Reason(
        _with_bao_words("七对", "Seven pairs"), _no_pure("是七对", "It is seven pairs")
    ),
    "qing_peng_peng_hu": Reason(
        _with_bao_words("全是刻子和杠", "All sets are triplets or gangs"), _triplets_missing
    ),
    "qi_dui": Reason(
        _with_bao_words("七对", "Seven pairs"), _no_pure("是七对", "It is seven pairs")
    ),
    "peng_peng_hu": Reason(
        _with_bao_words("全是刻子和杠", "All sets are triplets or gangs"), _peng_peng_hu_missing
    ),
    "qi_xing_shi_san_lang": Reason(
        _says("张张相隔，七种字牌齐全。", "All apart, with all seven honours."), _no_stars
    ),
    "bao_diao_tou": Reason(
        _says("胡前成副之外单吊一个宝。", "Before it the hand was complete sets and one lone bao."),
        _bao_diao_tou_missing,
    ),
    "ping_hu_zi_mo": Reason(
        _with_bao_words("有顺子的平糊，自摸", "An own draw with a run"), _ping_hu_zi_mo_missing
    ),
    "shi_san_lang": Reason(
        _says(
            "十四张各不相同，同门相隔至少三。",
            "Fourteen different tiles, three apart in each suit.",
        ),
        _SELF_EVIDENT,
    ),
    "qi_xing_jiu_yao": Reason(
        _says(
            "全是幺九和字牌，七种字牌齐全。",
            "Ones, nines and honours only, with all seven honours.",
        ),
        _no_stars,
    ),
    "ping_hu": Reason(_says("四副加一对将。", "Four sets and a pair."), _SELF_EVIDENT),
    "jiu_yao": Reason(_says("全是幺九和字牌。", "Ones, nines and honours only."), _SELF_EVIDENT),
    "gang_kai": Reason(
        _says("杠后补张自摸。", "Won on a replacement tile."),
        _says("不是杠后补张自摸。", "It is not won on a replacement tile."),
    ),
    "qiang_gang": Reason(
        _says("抢别人的杠。", "Won by robbing a gang."), _says("不是抢杠。", "No gang was robbed.")
    ),
    "tou_ji": Reason(
        _says("宝吊头时放过一次胡牌。", "A win was declined while waiting on a lone bao."),
        _tou_ji_missing,
    ),
    "bao_diao_bao": Reason(
        _with_bao_words("偷机中又摸到宝", "A bao was drawn while stealing"), _stolen_missing
    ),
    "bao_diao_wu_bao": Reason(
        _says("偷机中摸牌，宝都还原为本牌。", "Won while stealing with every bao itself."),
        _stolen_missing,
    ),
    "fei_bao": Reason(_fei_bao_given, _says("没有飞过宝。", "The winner discarded no bao.")),
    "dan_diao": Reason(
        _says("四副落地，手里只剩一张。", "Four melds, one tile left in hand."), _dan_diao_missing
    ),
    "jiu_yao_jia": Reason(
        _says("全由幺九和字牌组成。", "Every tile is a one, a nine or an honour."),
        _jiu_yao_jia_missing,
    ),
    "cap": Reason(_cap_given, _cap_missing),
}
"""By item id; the same ids as ``ITEMS``, which a test holds."""
