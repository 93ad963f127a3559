"""What a club may change in the bao game of Shangrao (section 12): ranges, rules, meanings.

The source document gives no values and knows no modes. ``shangrao`` is the game as our rule page
has it; ``wuyuan`` comes near what a public server of the neighbouring Wuyuan plays.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from rules_engine.ruleset import Options


def about(rules: str, en: str, zh: str) -> Meta:
    """The rules an option changes (ids separated by blanks) and what it means in both languages."""
    return Meta(description=en, extra={"rules": rules.split(), "zh": zh})


Price = Annotated[int, Meta(ge=0, le=1000)]
"""Points in units of the stake."""
Factor = Annotated[int, Meta(ge=1, le=16)]
"""What a multiplier multiplies by; 1 switches it off."""
Shares = Annotated[int, Meta(ge=1, le=3)]


class JiangxiOptions(Options, frozen=True, kw_only=True, cache_hash=True):
    """The options of a game. The order is that of the rule page."""

    discard_win: Annotated[
        Literal["no_wild", "all", "di_hu_only"],
        about(
            "JX-50",
            "Which hands may win on a discard: those in which no bao replaces another tile, all, "
            "or none but a di_hu.",
            "哪些牌可以胡别人打出的牌：宝未代替别的牌者、全部、或只有地胡。",
        ),
    ] = "no_wild"
    qing_strict: Annotated[
        bool,
        about("JX-76", "Holding a bao already makes a hand one with bao.", "手中有宝即算有宝。"),
    ] = False
    wild_in_special: Annotated[
        bool,
        about(
            "JX-75",
            "Bao may replace tiles in shi_san_lang and jiu_yao.",
            "十三浪、九幺中宝可以代牌。",
        ),
    ] = True
    jiu_yao_melds: Annotated[
        bool, about("JX-75", "A jiu_yao may have peng and gangs.", "九幺可以有碰和杠。")
    ] = True
    jiu_yao_stack: Annotated[
        bool,
        about(
            "JX-123",
            "Triplets and pairs of terminals and honours are doubled.",
            "全由幺九和字牌组成的碰碰胡、七对加倍。",
        ),
    ] = False
    hao_hua_wild: Annotated[
        bool,
        about(
            "JX-104",
            "The four alike of seven pairs may contain a bao that replaces.",
            "豪华七对的四张里可以有代牌的宝。",
        ),
    ] = True
    peng_peng_in_diao: Annotated[
        bool,
        about(
            "JX-108",
            "peng_peng_hu also counts out of bao_diao_tou.",
            "宝吊头时也可算碰碰胡。",
        ),
    ] = False
    tou_ji_required: Annotated[
        bool,
        about(
            "JX-64",
            "bao_diao_bao and bao_diao_wu_bao need a win declined before.",
            "宝吊宝、宝吊无宝须先偷机。",
        ),
    ] = True
    rob_kinds: Annotated[
        Literal["all", "bu_gang"],
        about("JX-58", "Gangs that may be robbed.", "哪些杠可以抢：全部，或只有补杠。"),
    ] = "all"
    rob_winners: Annotated[
        Literal["all", "first"],
        about(
            "JX-49",
            "Who wins on a robbed gang: everyone who can, or the first in turn.",
            "抢杠时能胡者都胡，或只有顺序在前的一家。",
        ),
    ] = "all"
    pass_hu_lock: Annotated[
        bool,
        about(
            "JX-52",
            "Who lets a win on another's tile go is locked until the own next draw.",
            "放过能胡的牌，自己摸牌前不能再胡别人的牌。",
        ),
    ] = True
    pass_peng_lock: Annotated[
        bool,
        about(
            "JX-52",
            "Who lets a peng go may not peng that kind until the own next draw.",
            "放过能碰的牌，自己摸牌前不能再碰同样的牌。",
        ),
    ] = False
    claim_wild: Annotated[
        bool,
        about(
            "JX-46",
            "A discarded bao may be claimed as the tile it shows.",
            "打出的宝可以当本牌吃、碰、杠。",
        ),
    ] = False
    dian_pao_shares: Annotated[
        Shares, about("JX-85", "Shares the discarder pays.", "点炮者付几家的分。")
    ] = 1
    qiang_gang_shares: Annotated[
        Shares, about("JX-85", "Shares the robbed player pays.", "被抢杠者付几家的分。")
    ] = 3
    cap: Annotated[
        int,
        Meta(ge=0, le=100_000),
        about(
            "JX-84",
            "Most points of one share of a hand; 0 means no cap.",
            "一家应付的上限，0 为不封顶。",
        ),
    ] = 0
    value_tian_hu: Annotated[
        Price, about("JX-101", "Points of the heavenly win.", "天胡的分数。")
    ] = 16
    value_di_hu: Annotated[Price, about("JX-102", "Points of the earthly win.", "地胡的分数。")] = (
        16
    )
    value_qing_hao_hua_qi_dui: Annotated[
        Price,
        about("JX-103", "Points of pure luxury seven pairs.", "清豪华七对的分数。"),
    ] = 32
    value_hao_hua_qi_dui: Annotated[
        Price, about("JX-104", "Points of luxury seven pairs.", "豪华七对的分数。")
    ] = 16
    value_qing_qi_dui: Annotated[
        Price, about("JX-105", "Points of pure seven pairs.", "清七对的分数。")
    ] = 16
    value_qi_dui: Annotated[Price, about("JX-107", "Points of seven pairs.", "七对的分数。")] = 8
    value_qing_peng_peng_hu: Annotated[
        Price, about("JX-106", "Points of pure all triplets.", "清碰碰胡的分数。")
    ] = 16
    value_peng_peng_hu: Annotated[
        Price, about("JX-108", "Points of all triplets.", "碰碰胡的分数。")
    ] = 8
    value_qi_xing_shi_san_lang: Annotated[
        Price,
        about("JX-109", "Points of seven-star thirteen apart.", "七星十三浪的分数。"),
    ] = 8
    value_shi_san_lang: Annotated[
        Price, about("JX-112", "Points of thirteen apart.", "十三浪的分数。")
    ] = 4
    value_bao_diao_tou: Annotated[
        Price, about("JX-110", "Points of the bao single wait.", "宝吊头的分数。")
    ] = 4
    value_ping_hu_zi_mo: Annotated[
        Price, about("JX-111", "Points of the plain self-draw.", "平胡自摸的分数。")
    ] = 4
    value_ping_hu: Annotated[Price, about("JX-114", "Points of a plain win.", "平胡的分数。")] = 2
    value_qi_xing_jiu_yao: Annotated[
        Price, about("JX-113", "Points of seven-star nine-one.", "七星九幺的分数。")
    ] = 4
    value_jiu_yao: Annotated[Price, about("JX-115", "Points of nine-one.", "九幺的分数。")] = 2
    factor_gang_kai: Annotated[
        Factor, about("JX-116", "Factor of a win after a gang.", "杠开的倍数。")
    ] = 2
    factor_qiang_gang: Annotated[
        Factor, about("JX-117", "Factor of robbing a gang.", "抢杠的倍数。")
    ] = 2
    factor_tou_ji: Annotated[Factor, about("JX-118", "Factor of stealing.", "偷机的倍数。")] = 2
    factor_bao_diao_bao: Annotated[
        Factor, about("JX-119", "Factor of bao meets bao.", "宝吊宝的倍数。")
    ] = 4
    factor_bao_diao_wu_bao: Annotated[
        Factor, about("JX-120", "Factor of bao becomes itself.", "宝吊无宝的倍数。")
    ] = 8
    factor_fei_bao: Annotated[
        Factor, about("JX-121", "Factor of each flown bao.", "每飞一个宝的倍数。")
    ] = 2
    factor_dan_diao: Annotated[
        Factor, about("JX-122", "Factor of the single wait.", "单吊的倍数。")
    ] = 2
    factor_jiu_yao_jia: Annotated[
        Factor,
        about(
            "JX-123",
            "Factor of terminals and honours only, with jiu_yao_stack.",
            "九幺加的倍数，须开启 jiu_yao_stack。",
        ),
    ] = 2
    gang_an: Annotated[
        Price, about("JX-90", "What each pays for a concealed gang.", "暗杠每家付的分。")
    ] = 3
    gang_ming: Annotated[
        Price, about("JX-90", "What each pays for a gang on a discard.", "明杠每家付的分。")
    ] = 3
    gang_bu: Annotated[
        Price, about("JX-90", "What each pays for an added gang.", "补杠每家付的分。")
    ] = 3
    ming_gang_payer: Annotated[
        Literal["all", "discarder"],
        about(
            "JX-90",
            "Who pays a gang on a discard: all three, or the discarder for all.",
            "明杠由三家各付，或由点杠者全付。",
        ),
    ] = "all"
    gang_on_draw: Annotated[
        bool, about("JX-92", "Gangs are paid when nobody wins.", "荒庄时杠照付。")
    ] = True
    si_bao: Annotated[
        Price,
        about("JX-94", "What each pays for four bao in a hand won.", "四个宝每家付的分。"),
    ] = 24
    si_bao_draw: Annotated[
        Price,
        about(
            "JX-94",
            "What each pays for four bao when nobody wins.",
            "荒庄时四个宝每家付的分。",
        ),
    ] = 40
    jie_bao: Annotated[
        Price,
        about(
            "JX-93",
            "Points of a caught bao; 0 means there is no such declaration.",
            "接宝的分数，0 为没有接宝。",
        ),
    ] = 24
    jie_bao_payer: Annotated[
        Literal["discarder", "all"],
        about(
            "JX-93",
            "Who pays a caught bao: its discarder, or all three.",
            "接宝由打宝者付，或三家各付。",
        ),
    ] = "discarder"
    honour_cycle: Annotated[
        Literal["two", "seven"],
        about(
            "JX-13",
            "Which honour follows the indicator: winds and dragons apart, or one ring of seven.",
            "字牌指示的次序：风与箭分开，或七张一圈。",
        ),
    ] = "two"
    dice: Annotated[
        int,
        Meta(ge=1, le=2),
        about("JX-12", "Dice rolled for the indicator.", "定宝所掷骰子数。"),
    ] = 2
    draw_end: Annotated[
        Literal["all_tiles", "at_indicator"],
        about(
            "JX-15",
            "Where ordinary draws end: with the last tile, or at the indicator.",
            "摸到最后一张为止，或摸到翻开的牌为止。",
        ),
    ] = "all_tiles"
    reserve: Annotated[
        int,
        Meta(ge=0, le=40),
        about(
            "JX-15",
            "Tiles left when the wall counts as used up.",
            "牌墙剩几张即算摸完。",
        ),
    ] = 0
    next_dealer: Annotated[
        Literal["winner", "rotate"],
        about(
            "JX-22",
            "Who deals next: the winner, or the next seat unless the dealer won.",
            "胡者坐庄，或庄家未胡则下家坐庄。",
        ),
    ] = "winner"


PRESETS: Final[Mapping[str, Mapping[str, bool | int | str]]] = {
    "shangrao": {},
    "wuyuan": {
        "discard_win": "di_hu_only",
        "value_peng_peng_hu": 6,
        "value_qing_peng_peng_hu": 12,
        "value_qi_dui": 6,
        "value_qing_qi_dui": 12,
        "value_hao_hua_qi_dui": 12,
        "value_qing_hao_hua_qi_dui": 24,
        "value_qi_xing_shi_san_lang": 6,
        "value_qi_xing_jiu_yao": 6,
        "value_shi_san_lang": 2,
        "factor_tou_ji": 1,
        "factor_bao_diao_bao": 1,
        "factor_bao_diao_wu_bao": 1,
        "factor_dan_diao": 1,
        "jie_bao": 0,
        "pass_peng_lock": True,
        "claim_wild": True,
    },
}
"""Named sets of options."""


VALUE_NAMES: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "discard_win": {
        "no_wild": ("宝未代牌者", "hands in which no bao replaces"),
        "all": ("全部", "all hands"),
        "di_hu_only": ("只有地胡", "a di_hu only"),
    },
    "rob_kinds": {
        "all": ("全部的杠", "all gangs"),
        "bu_gang": ("只有补杠", "added gangs only"),
    },
    "rob_winners": {
        "all": ("能胡者都胡", "all who can"),
        "first": ("顺序在前的一家", "the first in turn"),
    },
    "ming_gang_payer": {
        "all": ("三家各付", "all three"),
        "discarder": ("点杠者全付", "the discarder for all"),
    },
    "jie_bao_payer": {
        "discarder": ("打宝者付", "the discarder"),
        "all": ("三家各付", "all three"),
    },
    "honour_cycle": {
        "two": ("风与箭分开", "winds and dragons apart"),
        "seven": ("七张一圈", "one ring of seven"),
    },
    "draw_end": {
        "all_tiles": ("最后一张", "the last tile"),
        "at_indicator": ("翻开的牌", "the indicator"),
    },
    "next_dealer": {
        "winner": ("胡者坐庄", "the winner"),
        "rotate": ("庄家未胡则下家坐庄", "the next seat unless the dealer won"),
    },
}
"""What the values of a list are called in Chinese and in English, by option and value."""
