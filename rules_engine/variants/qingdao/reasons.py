"""Why each item of a Qingdao hand counts or does not, in Chinese and English, with its figures.

``REASONS`` goes beside ``ITEMS``: for each item a sentence for when it counts, and one for when its
own condition fails, each a function of the ``Win`` and the ``Hand`` it was read from.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from rules_engine.shapes import ORPHANS
from rules_engine.tiles import NAMES, count, kinds_in
from rules_engine.variants.qingdao.hands import Hand
from rules_engine.variants.qingdao.items import DRAGONS, WINDS, Win
from rules_engine.words import agreeing, counted, joined

Words: TypeAlias = tuple[str, str]
"""A sentence in Chinese and the same in English."""
Telling: TypeAlias = Callable[[Win, Hand], Words]


class Reason(Struct, frozen=True):
    """The sentences of an item: why it counts, and why its condition fails."""

    given: Telling
    missing: Telling


def _say(zh: str, en: str) -> Telling:
    """A sentence without figures."""
    return lambda win, hand: (zh, en)


def _kinds(kinds: tuple[int, ...]) -> str:
    """Kinds with blanks between, or a dash for none."""
    return " ".join(NAMES[kind] for kind in kinds) or "—"


def _runs(win: Win) -> str:
    """The runs by their lowest tile, claimed ones first."""
    return _kinds(win.all_runs)


def _suits(win: Win) -> str:
    """How many tiles of each suit, such as ``9m 3p 2s 0z``."""
    return " ".join(f"{tiles}{suit}" for suit, tiles in zip("mpsz", win.suits, strict=True))


def _pairs(win: Win, hand: Hand) -> Words:
    """What keeps a hand from being seven pairs."""
    if win.melds:
        return (
            f"有 {win.melds} 副副露，七对须十四张全在手中。",
            f"The hand has {counted(win.melds, 'meld')}; seven pairs needs all 14 tiles in hand.",
        )
    odd = len([kind for kind in kinds_in(hand.natural) if count(hand.natural, kind) % 2])
    alone = f"{counted(odd, 'kind').capitalize()} {agreeing(odd, 'has', 'have')}"
    return (
        f"手中有 {odd} 种单张，混子只有 {hand.wilds} 张。",
        f"{alone} a tile without a partner; the hand holds {counted(hand.wilds, 'hun', 'hun')}.",
    )


def _doubled(needed: int) -> Telling:
    """What keeps seven pairs from being a luxury kind."""

    def missing(win: Win, hand: Hand) -> Words:
        if win.case.shape != "seven_pairs":
            return _pairs(win, hand)
        return (
            f"只有 {win.case.doubled} 种牌成两对，需 {needed} 种。",
            f"The pairs hold {counted(win.case.doubled, 'kind')} twice; it takes {needed}.",
        )

    return missing


def _not_all_triplets(win: Win, hand: Hand) -> Words:
    """What keeps a hand from being all triplets."""
    if win.case.shape != "standard":
        return "不是四副一将的牌型。", "The hand is not read as four sets and a pair."
    if win.niu:
        return "有扭牌，扭牌不是刻子。", "It has a niu group, which is no triplet."
    return (
        f"有 {len(win.all_runs)} 副顺子（最小张 {_runs(win)}）。",
        f"It has {counted(len(win.all_runs), 'run')}, beginning with {_runs(win)}.",
    )


def _no_di_ba_yi(win: Win, hand: Hand) -> Words:
    """What keeps all triplets from going to the last tile."""
    if win.case.shape != "standard" or win.niu or win.all_runs:
        return _not_all_triplets(win, hand)
    if win.melds < 4:
        return (
            f"只有 {win.melds} 副碰杠，须四副，手中剩一张。",
            f"The hand has {counted(win.melds, 'meld')}; it takes four and one tile in hand.",
        )
    return "不是自摸。", "The hand was not won by self-draw."


def _no_hui_shou_tao(win: Win, hand: Hand) -> Words:
    """What keeps a hand from being won with a hun as the last tile."""
    if not win.won_with_hun:
        tile = NAMES[hand.tile]
        return f"胡的 {tile} 不是混子。", f"The winning tile {tile} is no hun."
    return _no_di_ba_yi(win, hand)


def _no_shou_ba_yi(win: Win, hand: Hand) -> Words:
    """What keeps a hand from being down to one tile."""
    if win.melds < 4:
        return (
            f"只有 {win.melds} 副副露，须四副，手中剩一张。",
            f"The hand has {counted(win.melds, 'meld')}; it takes four and one tile in hand.",
        )
    return "四副之中没有吃牌。", "None of the four melds is a chi."


def _no_ba_yi_gang_kai(win: Win, hand: Hand) -> Words:
    """What keeps a hand from winning on a gang's replacement with one tile in hand."""
    if "gang_kai" not in win.flags:
        return _NO_GANG_KAI(win, hand)
    return _no_shou_ba_yi(win, hand)


def _no_tian_hu(win: Win, hand: Hand) -> Words:
    if win.by != "zimo":
        return "不是自摸。", "The hand was not won by self-draw."
    return "不是庄家起手的十四张。", "The hand is not the dealer's 14 dealt tiles."


def _no_hun_pair(win: Win, hand: Hand) -> Words:
    return (
        f"将牌不是两张混子（共有混子 {hand.wilds} 张）。",
        f"The pair is not two hun; the hand holds {counted(hand.wilds, 'hun', 'hun')}.",
    )


def _no_hun_set(win: Win, hand: Hand) -> Words:
    return (
        f"没有三张混子成的一副（共有混子 {hand.wilds} 张）。",
        f"No set is three hun; the hand holds {counted(hand.wilds, 'hun', 'hun')}.",
    )


def _no_runs(zh: str, en: str) -> Telling:
    """Which runs there are, beside those it takes."""

    def missing(win: Win, hand: Hand) -> Words:
        if not win.all_runs:
            return f"没有顺子，须{zh}。", f"The hand has no run; it takes {en}."
        return (
            f"顺子最小张为 {_runs(win)}，须{zh}。",
            f"The runs begin with {_runs(win)}; it takes {en}.",
        )

    return missing


_NO_LONG: Final = _no_runs("同门一至九三副顺子", "123, 456 and 789 of one suit")


def _no_ming_long(win: Win, hand: Hand) -> Words:
    if not win.chis:
        return "没有吃牌。", "The hand has no chi meld."
    return _NO_LONG(win, hand)


def _no_shi_san_yao(win: Win, hand: Hand) -> Words:
    if win.melds:
        return (
            f"有 {win.melds} 副副露，十三幺不能有副露。",
            f"The hand has {counted(win.melds, 'meld')}; it allows none.",
        )
    middle = [NAMES[kind] for kind in kinds_in(hand.natural & ~ORPHANS)]
    if middle:
        return (
            f"{' '.join(middle)} 不是幺九字牌。",
            f"{joined(middle)} {agreeing(len(middle), 'is', 'are')} neither terminal nor honour.",
        )
    lacking = [NAMES[kind] for kind in kinds_in(ORPHANS) if not count(hand.natural, kind)]
    return f"缺 {' '.join(lacking)}。", f"It lacks {joined(lacking)}."


def _triplets_missing(kinds: tuple[int, ...]) -> Telling:
    """Which of these triplets a hand lacks."""

    def missing(win: Win, hand: Hand) -> Words:
        lacking = _kinds(tuple(kind for kind in kinds if kind not in win.triplets))
        return f"缺 {lacking} 的刻子或杠。", f"It lacks a triplet or gang of {lacking}."

    return missing


def _no_qing_yi_se(win: Win, hand: Hand) -> Words:
    if win.case.shape == "shi_san_yao":
        return "十三幺不另算清一色。", "A hand of thirteen terminals counts without it."
    return (
        f"各门张数 {_suits(win)}，不止一门。",
        f"Tiles by suit are {_suits(win)}: more than one suit.",
    )


def _no_hun_yi_se(win: Win, hand: Hand) -> Words:
    if win.melds:
        return (
            f"有 {win.melds} 副副露，混一色不能有副露。",
            f"The hand has {counted(win.melds, 'meld')}; it allows none.",
        )
    if win.case.shape == "shi_san_yao":
        return "十三幺不另算混一色。", "A hand of thirteen terminals counts without it."
    if win.suits.count(0) == 2 and win.suits[3]:
        return (
            f"有 {win.dragons} 张箭牌，本房只许风牌。",
            f"The hand has {counted(win.dragons, 'dragon')}; only winds are allowed here.",
        )
    return (
        f"各门张数 {_suits(win)}，不是一门加字牌。",
        f"Tiles by suit are {_suits(win)}: not one suit with honours.",
    )


def _no_replacement(win: Win, hand: Hand) -> Words:
    if "hua_kai" in win.flags:
        return (
            "本房补花后胡牌不算（hua_kai）。",
            "A win on a flower replacement does not count here (option hua_kai).",
        )
    return (
        "胡的不是扭牌或补花抓来的牌。",
        "The winning tile did not replace a niu tile or a flower.",
    )


def _lou(flag: str, zh: str, en: str) -> Telling:
    """Why a declaration does not count."""

    def missing(win: Win, hand: Hand) -> Words:
        if flag in win.flags:
            return f"本房没有{zh}（lou）。", f"This club plays without {en} (option lou)."
        return f"没有报{zh}。", f"The seat did not declare {en}."

    return missing


def _flowers(*, open_pair: bool) -> Telling:
    """Why no flower pair of this sort counts."""

    def missing(win: Win, hand: Hand) -> Words:
        if not win.ming_hua and not win.an_hua:
            return "没有凑齐的花。", "No flower pair is complete."
        if open_pair:
            return "凑齐的花都是暗花。", "Every complete pair was set aside hidden."
        return "凑齐的花都是明花。", "Every complete pair was set aside piece by piece."

    return missing


def _no_cheng(win: Win, hand: Hand) -> Words:
    if win.options.combine == "add":
        return "本房牌型相加（combine）。", "Hand types add up here (option combine)."
    return "相乘与相加结果相同。", "The product of the types is their sum."


def _no_doubling(win: Win, hand: Hand) -> Words:
    if any(flag.startswith("after_huang") for flag in win.flags):
        return (
            "本房荒庄后不翻倍（huang_multiplier）。",
            "This club does not double after a hand nobody won (option huang_multiplier).",
        )
    return "上一局不是荒庄。", "The hand before was won, or there was none."


def _no_cap(win: Win, hand: Hand) -> Words:
    if not win.options.cap:
        return "本房不封顶（cap）。", "This club has no cap (option cap)."
    return f"未超过封顶 {win.options.cap}。", f"The total is not above the cap {win.options.cap}."


_NO_GANG_KAI: Final = _say(
    "胡的不是杠后补的牌。", "The winning tile did not replace a gang's fourth tile."
)

REASONS: Final[Mapping[str, Reason]] = {
    "base": Reason(
        _say("没有别的牌型，按底胡。", "No special type: the plain hand counts."),
        _say("已有别的牌型，不计底胡。", "A special type counts in its place."),
    ),
    "qi_dui": Reason(_say("七个不同的对子。", "Seven different pairs."), _pairs),
    "hao_hua_qi_dui": Reason(
        _say("七对中有一种牌成两对。", "One kind is used by two of the seven pairs."), _doubled(1)
    ),
    "chao_hao_hua_qi_dui": Reason(
        lambda win, hand: (
            f"七对中有 {win.case.doubled} 种牌各成两对。",
            f"{win.case.doubled} kinds are each used by two of the seven pairs.",
        ),
        _doubled(2),
    ),
    "dui_dao": Reason(
        _say("四副都是刻子或杠。", "All four sets are triplets or gangs."), _not_all_triplets
    ),
    "dui_dao_di_ba_yi": Reason(
        _say("四副碰杠，单吊一张而胡。", "Four peng or gangs, won on the single tile left."),
        _no_di_ba_yi,
    ),
    "hui_shou_tao": Reason(
        _say("四副碰杠，摸到混子而胡。", "Four peng or gangs, won by drawing a hun."),
        _no_hui_shou_tao,
    ),
    "shou_ba_yi": Reason(
        _say("四副副露，手中只剩一张。", "Four melds and one tile left in hand."), _no_shou_ba_yi
    ),
    "ba_yi_gang_kai": Reason(
        _say("手把一而又杠上开花。", "One tile in hand, won on a gang's replacement."),
        _no_ba_yi_gang_kai,
    ),
    "tian_hu": Reason(_say("庄家起手即胡。", "The dealer won with the dealt tiles."), _no_tian_hu),
    "di_hu": Reason(
        _say("闲家以第一张牌胡。", "A non-dealer won with its first tile."),
        _say("不是闲家的第一张牌。", "It was not a non-dealer's first tile."),
    ),
    "hun_jiang": Reason(_say("将牌是两张混子。", "The pair is two hun."), _no_hun_pair),
    "hun_fu": Reason(_say("一副是三张混子。", "One set is three hun."), _no_hun_set),
    "ming_long": Reason(
        _say("同门一至九三副顺子，有吃牌。", "123, 456 and 789 of one suit, one of them a chi."),
        _no_ming_long,
    ),
    "an_long": Reason(
        _say("同门一至九三副顺子，都在手中。", "123, 456 and 789 of one suit, all in hand."),
        _NO_LONG,
    ),
    "hua_long": Reason(
        _say("三门各一副，连成一至九。", "123, 456 and 789 in three suits."),
        _no_runs("三门各一副连成一至九", "123, 456 and 789 in three suits"),
    ),
    "feng_pai": Reason(
        _say("三门同样的顺子。", "The same run in all three suits."),
        _no_runs("三门同样的顺子", "the same run in all three suits"),
    ),
    "shi_san_yao": Reason(
        _say("十四张都是幺九字牌。", "All 14 tiles are terminals and honours."),
        _no_shi_san_yao,
    ),
    "da_san_yuan": Reason(
        _say("中发白都是刻子。", "All three dragons are triplets or gangs."),
        _triplets_missing(DRAGONS),
    ),
    "da_si_xi": Reason(
        _say("东南西北都是刻子。", "All four winds are triplets or gangs."),
        _triplets_missing(WINDS),
    ),
    "qing_yi_se": Reason(
        lambda win, hand: (
            f"各门张数 {_suits(win)}，只有一门。",
            f"Tiles by suit are {_suits(win)}: one only.",
        ),
        _no_qing_yi_se,
    ),
    "hun_yi_se": Reason(
        lambda win, hand: (
            f"各门张数 {_suits(win)}，一门加字牌，没有副露。",
            f"Tiles by suit are {_suits(win)}: one suit with honours, no meld.",
        ),
        _no_hun_yi_se,
    ),
    "hai_di_lao_yue": Reason(
        _say("胡的是最后四张之一。", "The winning tile is one of the last four of the wall."),
        _say("胡的不是最后四张之一。", "The winning tile is none of the last four of the wall."),
    ),
    "cheng": Reason(
        _say("牌型相乘与相加之差。", "What multiplying the types adds to their sum."), _no_cheng
    ),
    "gang_kai": Reason(
        _say("杠后补牌而胡。", "The winning tile replaced a gang's fourth tile."), _NO_GANG_KAI
    ),
    "niu_gang_kai": Reason(
        lambda win, hand: (
            ("补花后胡牌。", "The winning tile replaced a flower.")
            if "hua_kai" in win.flags
            else ("扭牌后抓牌而胡。", "The winning tile replaced a niu tile.")
        ),
        _no_replacement,
    ),
    "qiang_gang": Reason(
        _say("抢了别人的补杠。", "The hand robbed a gang."),
        _say("不是抢杠胡。", "The hand was not won by robbing a gang."),
    ),
    "kou_ting": Reason(
        _say("报了扣听。", "The seat declared a hidden ting."),
        _lou("kou_ting", "扣听", "a hidden ting"),
    ),
    "ming_lou": Reason(
        _say("报了明楼。", "The seat declared an open ting."),
        _lou("ming_lou", "明楼", "an open ting"),
    ),
    "zimo": Reason(
        _say("自摸。", "The hand was won by self-draw."),
        _say("不是自摸。", "The hand was not won by self-draw."),
    ),
    "ming_hua": Reason(
        lambda win, hand: (
            f"明花 {win.ming_hua} 份。",
            f"The seat set aside {counted(win.ming_hua, 'flower pair')} piece by piece.",
        ),
        _flowers(open_pair=True),
    ),
    "an_hua": Reason(
        lambda win, hand: (
            f"暗花 {win.an_hua} 份。",
            f"The seat set aside {counted(win.an_hua, 'flower pair')} together or in the opening.",
        ),
        _flowers(open_pair=False),
    ),
    "huang_fan_bei": Reason(
        lambda win, hand: (
            f"荒庄之后，乘以 {win.huang_factor}。",
            f"After a hand nobody won everything is multiplied by {win.huang_factor}.",
        ),
        _no_doubling,
    ),
    "feng_ding": Reason(
        lambda win, hand: (
            f"超过封顶 {win.options.cap}，减到封顶。",
            f"The total is above the cap {win.options.cap} and is cut to it.",
        ),
        _no_cap,
    ),
}
"""The sentences by item."""
