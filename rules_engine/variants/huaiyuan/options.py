"""What a club may change in Huaiyuan mahjong (section 12): options, ranges, presets.

The source document names no mode beside its own rules; ``changchun`` has what public descriptions
of the sister game do otherwise.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from rules_engine.events import OptionValue
from rules_engine.ruleset import Options


def about(rules: str, en: str, zh: str) -> Meta:
    """The rules an option changes (ids separated by blanks) and what it means in both languages."""
    return Meta(description=en, extra={"rules": rules.split(), "zh": zh})


class HuaiyuanOptions(Options, frozen=True, kw_only=True, cache_hash=True):
    """The options of a game. The order is that of the rule page."""

    fan_mode: Annotated[
        Literal["additive", "doubling"],
        about(
            "HY-93",
            "Fan are points, or each fan after the first doubles.",
            "番数相加，或每多一番翻倍。",
        ),
    ] = "additive"
    fan_cap: Annotated[
        int,
        Meta(ge=0, le=64),
        about("HY-93", "Most fan of one payment; 0 is no cap.", "每笔封顶番数，0 为不封顶。"),
    ] = 0
    fan_base: Annotated[
        int, Meta(ge=1, le=20), about("HY-80", "Fan of the basic win.", "平胡番数。")
    ] = 1
    fan_dianpao: Annotated[
        int, Meta(ge=0, le=20), about("HY-80", "Fan of a win on a discard.", "放炮番数。")
    ] = 1
    fan_zimo: Annotated[
        int, Meta(ge=0, le=20), about("HY-80", "Fan of a self-drawn win.", "自摸番数。")
    ] = 1
    fan_jia_hu: Annotated[
        int, Meta(ge=0, le=20), about("HY-81", "Fan of the narrow wait.", "夹胡番数。")
    ] = 1
    fan_bao: Annotated[int, Meta(ge=0, le=20), about("HY-83", "Fan of the bao.", "宝牌番数。")] = 2
    fan_dui_bao: Annotated[
        int,
        Meta(ge=0, le=20),
        about("HY-84", "Fan of the bao being the tile waited for.", "对宝番数。"),
    ] = 2
    fan_piao_hu: Annotated[
        int, Meta(ge=0, le=20), about("HY-85", "Fan of all triplets.", "飘胡番数。")
    ] = 2
    fan_zhuang_hu: Annotated[
        int, Meta(ge=0, le=20), about("HY-86", "Fan of a win by the dealer.", "庄胡番数。")
    ] = 1
    fan_li_hu: Annotated[
        int, Meta(ge=0, le=20), about("HY-87", "Fan of a closed hand.", "立胡番数。")
    ] = 1
    jia_hu_rule: Annotated[
        Literal["form", "sole", "both", "either"],
        about(
            "HY-81",
            "Narrow wait by form, by having one wait only, by both or by either.",
            "夹胡看牌形、看独听、两者皆须或任一即可。",
        ),
    ] = "form"
    jia_hu_with_bao: Annotated[
        bool,
        about("HY-81", "A narrow wait also counts when the bao was drawn.", "摸宝胡牌也可算夹胡。"),
    ] = True
    piao_excludes_jia: Annotated[
        bool, about("HY-81", "No narrow wait beside all triplets.", "飘胡不再算夹胡。")
    ] = False
    dui_bao_includes_bao: Annotated[
        bool, about("HY-84", "A win by dui_bao scores the bao as well.", "对宝同时算宝牌。")
    ] = True
    dealer_pays_extra: Annotated[
        bool, about("HY-92", "A dealer who pays adds the dealer's fan.", "庄家付分时加庄番。")
    ] = False
    dianpao_payers: Annotated[
        Literal["discarder", "all", "cover"],
        about(
            "HY-90",
            "Who pays on a discard: the discarder alone, all, or the discarder for all.",
            "点炮由点炮者付、三家付或点炮者包三家。",
        ),
    ] = "discarder"
    qiang_gang_enabled: Annotated[
        bool, about("HY-46", "A gang being added to may be robbed by a win.", "可以抢杠胡。")
    ] = True
    qiang_gang_payers: Annotated[
        Literal["as_dianpao", "cover"],
        about(
            "HY-94",
            "A robbed gang is paid like a discard, or for all three.",
            "抢杠按点炮付，或包三家。",
        ),
    ] = "as_dianpao"
    multi_win: Annotated[
        Literal["nearest", "all"],
        about(
            "HY-33",
            "On one tile the nearest claimant wins, or all do.",
            "一张牌只有最近一家胡，或各家都胡。",
        ),
    ] = "nearest"
    require_three_suits: Annotated[
        bool, about("HY-60", "A win needs tiles of all three suits.", "胡牌须三色全。")
    ] = True
    yao_jiu_dan_counts_suits: Annotated[
        bool,
        about(
            "HY-60",
            "Tiles of yao_dan and jiu_dan count for the three suits.",
            "幺蛋九蛋的牌算花色。",
        ),
    ] = True
    require_yaojiu: Annotated[
        Literal["any", "both", "off"],
        about(
            "HY-61",
            "A win needs a 1 or a 9, both of them, or neither.",
            "胡牌须有幺或九、两者都有或不限。",
        ),
    ] = "any"
    require_kezi: Annotated[
        bool, about("HY-62", "A win needs a triplet or what waives it.", "胡牌须有一叉或可免。")
    ] = True
    kezi_exempt_dragon_pair: Annotated[
        bool, about("HY-62", "A pair of dragons waives the triplet.", "中发白作将可免叉。")
    ] = True
    allow_li_hu: Annotated[bool, about("HY-63", "A closed hand may win.", "允许立胡。")] = True
    special_gang_keeps_li_hu: Annotated[
        bool, about("HY-63", "Special gangs leave a hand closed.", "特殊杠不算开门。")
    ] = False
    shou_ba_yi_only_piao: Annotated[
        bool, about("HY-64", "With one tile in hand only all triplets wins.", "手把一只许飘胡。")
    ] = True
    shou_ba_yi_counts_an_gang: Annotated[
        bool, about("HY-64", "An an_gang counts as tiles in hand.", "暗杠算手中牌。")
    ] = False
    special_gang_in_piao: Annotated[
        bool, about("HY-85", "Special gangs may stand in all triplets.", "特殊杠可算飘胡。")
    ] = True
    piao_exempt_suits_yaojiu: Annotated[
        bool,
        about(
            "HY-65", "All triplets needs neither three suits nor a 1 or 9.", "飘胡不限三色与幺九。"
        ),
    ] = False
    block_claim_to_last_tile: Annotated[
        bool,
        about(
            "HY-37",
            "No claim with a chi may leave a single tile in hand.",
            "有吃牌时不许吃碰到只剩一张。",
        ),
    ] = False
    ting_required: Annotated[
        bool, about("HY-51", "Only a seat that has declared ting may win.", "须报听才可胡。")
    ] = False
    gang_after_ting: Annotated[
        Literal["still_ting", "same_waits", "none"],
        about(
            "HY-54",
            "Gangs after ting: if a wait is left, if the waits stay the same, or none.",
            "听后可杠：仍听、听口不变或不许。",
        ),
    ] = "still_ting"
    bao_enabled: Annotated[bool, about("HY-52", "Play with the bao.", "有宝牌。")] = True
    bao_dice: Annotated[
        int, Meta(ge=1, le=2), about("HY-15", "Dice thrown for the bao.", "打宝的骰子数。")
    ] = 2
    bao_change_at: Annotated[
        int,
        Meta(ge=0, le=3),
        about(
            "HY-16",
            "So many discards of its kind change the bao; 0 never.",
            "打出几张宝牌就换宝，0 为不换。",
        ),
    ] = 3
    bao_change_counts: Annotated[
        Literal["discards", "visible"],
        about(
            "HY-16",
            "What counts for the change: discards, or all tiles in sight.",
            "换宝计打出的牌，或计所有可见的牌。",
        ),
    ] = "discards"
    bao_change_allows_dui_bao: Annotated[
        bool, about("HY-53", "A change of bao gives a chance of dui_bao.", "换宝时可对宝。")
    ] = True
    enable_xuanfeng_gang: Annotated[
        bool, about("HY-40", "The whirlwind gang is played.", "有旋风杠。")
    ] = True
    enable_xi_gang: Annotated[bool, about("HY-40", "The joy gang is played.", "有喜杠。")] = True
    enable_yao_dan: Annotated[bool, about("HY-40", "The one-egg is played.", "有幺蛋。")] = True
    enable_jiu_dan: Annotated[bool, about("HY-40", "The nine-egg is played.", "有九蛋。")] = True
    special_gang_window: Annotated[
        Literal["first_turn", "deal"],
        about(
            "HY-42",
            "Special gangs open in the own first turn, or right after the deal.",
            "特殊杠在各家第一手开，或发完牌即开。",
        ),
    ] = "first_turn"
    special_gang_first_draw: Annotated[
        bool, about("HY-42", "The first tile drawn counts as dealt.", "第一张摸牌算起手牌。")
    ] = False
    dealer_first_turn_add: Annotated[
        bool,
        about(
            "HY-44", "The dealer may add to a special gang in its first turn.", "庄家第一手可补杠。"
        ),
    ] = False
    opening_add_robbable: Annotated[
        bool,
        about(
            "HY-45",
            "Dealt tiles added in the first turn can be robbed.",
            "第一手补的起手牌也可抢。",
        ),
    ] = False
    qiang_peng: Annotated[
        bool, about("HY-46", "An added tile may be robbed by a peng.", "补杠可被抢叉。")
    ] = True
    da_dan_enabled: Annotated[
        bool, about("HY-104", "Big eggs have a higher price.", "大蛋加价。")
    ] = True
    gang_ming: Annotated[
        int, Meta(ge=0, le=20), about("HY-101", "Price of an open gang.", "明杠、补杠底注数。")
    ] = 1
    gang_an: Annotated[
        int, Meta(ge=0, le=20), about("HY-102", "Price of a concealed gang.", "暗杠底注数。")
    ] = 2
    gang_special: Annotated[
        int,
        Meta(ge=0, le=20),
        about(
            "HY-103",
            "Price of a special gang and of each tile added to it.",
            "特殊杠及每张补牌的底注数。",
        ),
    ] = 1
    gang_da_dan_ming: Annotated[
        int, Meta(ge=0, le=40), about("HY-104", "Price of an open big egg.", "明大蛋底注数。")
    ] = 2
    gang_da_dan_an: Annotated[
        int, Meta(ge=0, le=40), about("HY-104", "Price of a concealed big egg.", "暗大蛋底注数。")
    ] = 4
    ming_gang_payer: Annotated[
        Literal["all", "discarder"],
        about(
            "HY-101",
            "A gang on a discard is paid by all, or by the discarder once.",
            "明杠三家付，或放杠者付一份。",
        ),
    ] = "all"
    gang_on_huang_zhuang: Annotated[
        bool, about("HY-106", "Gangs are paid when nobody won.", "荒庄照算杠钱。")
    ] = True
    abort_settles_gang: Annotated[
        bool, about("HY-107 HY-20", "Gangs of a hand broken off are paid.", "中途散局照算杠钱。")
    ] = False
    chi_from: Annotated[
        Literal["next", "any"],
        about("HY-30", "Chi by the next seat only, or by all.", "只有下家可吃，或三家都可吃。"),
    ] = "next"
    reserve_stacks: Annotated[
        int, Meta(ge=0, le=20), about("HY-14", "Stacks that stay in the wall.", "牌墙保留的墩数。")
    ] = 7
    reserve_growth: Annotated[
        bool,
        about(
            "HY-14",
            "One stack more stays for each gang from the second on.",
            "第二杠起每杠多留一墩。",
        ),
    ] = True
    reserve_counts: Annotated[
        Literal["all_gangs", "replacements"],
        about(
            "HY-14",
            "What the reserve grows with: gangs, or tiles drawn from the tail.",
            "按杠数或按尾部补牌数增加保留。",
        ),
    ] = "all_gangs"
    gang_on_last_tile: Annotated[
        bool, about("HY-27", "A gang may be made when no draw is left.", "无牌可摸时仍可杠。")
    ] = True
    dealer_rotation: Annotated[
        Literal["next", "winner"],
        about(
            "HY-18",
            "After another seat's win its next seat deals, or the winner.",
            "闲家胡后下家坐庄，或胡家坐庄。",
        ),
    ] = "next"
    huang_zhuang_dealer: Annotated[
        Literal["stay", "next"],
        about(
            "HY-19",
            "After nobody won the dealer stays, or the next seat deals.",
            "荒庄后连庄，或下家坐庄。",
        ),
    ] = "stay"


PRESETS: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "standard": {},
    "changchun": {"fan_mode": "doubling", "dianpao_payers": "all", "bao_dice": 1},
}
"""The game of the source document, and the habits of its sister game."""


VALUE_NAMES: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "fan_mode": {
        "additive": ("番数相加", "fan are points"),
        "doubling": ("每番翻倍", "each fan doubles"),
    },
    "jia_hu_rule": {
        "form": ("看牌形", "by form"),
        "sole": ("看独听", "by a sole wait"),
        "both": ("两者皆须", "by both"),
        "either": ("任一即可", "by either"),
    },
    "dianpao_payers": {
        "discarder": ("点炮者付", "the discarder"),
        "all": ("三家付", "all three"),
        "cover": ("点炮者包三家", "the discarder for all"),
    },
    "qiang_gang_payers": {
        "as_dianpao": ("按点炮", "like a discard"),
        "cover": ("包三家", "the robbed seat for all"),
    },
    "multi_win": {
        "nearest": ("最近一家", "the nearest"),
        "all": ("各家都胡", "all who can"),
    },
    "require_yaojiu": {
        "any": ("幺或九", "a 1 or a 9"),
        "both": ("幺和九", "a 1 and a 9"),
        "off": ("不限", "neither"),
    },
    "gang_after_ting": {
        "still_ting": ("仍听即可", "while a wait is left"),
        "same_waits": ("听口不变", "while the waits stay the same"),
        "none": ("不许", "none"),
    },
    "bao_change_counts": {
        "discards": ("打出的牌", "discards"),
        "visible": ("所有可见的牌", "all tiles in sight"),
    },
    "special_gang_window": {
        "first_turn": ("各家第一手", "in the own first turn"),
        "deal": ("发完牌", "right after the deal"),
    },
    "ming_gang_payer": {
        "all": ("三家付", "all three"),
        "discarder": ("放杠者付一份", "the discarder, once"),
    },
    "chi_from": {
        "next": ("只有下家", "the next seat only"),
        "any": ("三家都可", "any seat"),
    },
    "reserve_counts": {
        "all_gangs": ("杠数", "gangs"),
        "replacements": ("尾部补牌数", "tiles drawn from the tail"),
    },
    "dealer_rotation": {
        "next": ("下家坐庄", "the next seat"),
        "winner": ("胡家坐庄", "the winner"),
    },
    "huang_zhuang_dealer": {
        "stay": ("连庄", "the dealer stays"),
        "next": ("下家坐庄", "the next seat"),
    },
}
"""What the values of a list are called in Chinese and in English, by option and value."""
