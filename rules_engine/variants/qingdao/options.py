"""What a club may change in Qingdao mahjong (QD-2, QD-3 and section 12): options, ranges, presets.

The mode decides some defaults and forbids some combinations. The presets are the rooms of the
source document: its three modes, each plain and with what it says may be chosen.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from rules_engine.errors import Violation
from rules_engine.events import OptionValue
from rules_engine.ruleset import Options

Mode: TypeAlias = Literal["ping_hu", "dian_pao", "quan_dai_jiang"]


def about(rules: str, en: str, zh: str) -> Meta:
    """The rules an option changes (ids separated by blanks) and what it means in both languages."""
    return Meta(description=en, extra={"rules": rules.split(), "zh": zh})


def price(rule: str, en: str, zh: str) -> Meta:
    """The range of one price in points, and what it is the price of."""
    return Meta(
        ge=0, le=99, description=en, extra_json_schema={"rules": [rule, "QD-108"], "zh": zh}
    )


class QingdaoValues(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Points of items (QD-73) and gangs (QD-124); an item of 0 points does not exist (QD-108)."""

    base: Annotated[int, price("QD-74", "Plain hand.", "底胡")] = 1
    qi_dui: Annotated[int, price("QD-75", "Seven pairs.", "七对")] = 2
    hao_hua_qi_dui: Annotated[int, price("QD-76", "Luxury seven pairs.", "豪华七对")] = 4
    chao_hao_hua_qi_dui: Annotated[
        int, price("QD-77", "Super luxury seven pairs.", "超豪华七对")
    ] = 8
    dui_dao: Annotated[int, price("QD-78", "All triplets.", "对倒")] = 2
    dui_dao_di_ba_yi: Annotated[
        int, price("QD-79", "All triplets to the last tile.", "对倒底把一")
    ] = 4
    hui_shou_tao: Annotated[int, price("QD-80", "Last tile by hun.", "回手掏")] = 8
    shou_ba_yi: Annotated[int, price("QD-81", "One tile in hand.", "手把一")] = 2
    ba_yi_gang_kai: Annotated[
        int, price("QD-82", "Gang kai with one tile in hand.", "把一的杠开")
    ] = 5
    tian_hu: Annotated[int, price("QD-83", "Heavenly hand.", "天胡")] = 8
    di_hu: Annotated[int, price("QD-84", "Earthly hand.", "地胡")] = 4
    hun_jiang: Annotated[int, price("QD-85", "Pair of hun.", "混将")] = 2
    hun_fu: Annotated[int, price("QD-86", "Set of hun.", "混付")] = 4
    ming_long: Annotated[int, price("QD-87", "Open dragon.", "明龙")] = 2
    an_long: Annotated[int, price("QD-88", "Concealed dragon.", "暗龙")] = 4
    hua_long: Annotated[int, price("QD-89", "Mixed dragon.", "花龙")] = 2
    feng_pai: Annotated[int, price("QD-90", "Phoenix.", "凤牌")] = 2
    shi_san_yao: Annotated[int, price("QD-91", "Thirteen terminals.", "十三幺")] = 8
    da_san_yuan: Annotated[int, price("QD-92", "Big three dragons.", "大三元")] = 8
    da_si_xi: Annotated[int, price("QD-93", "Big four winds.", "大四喜")] = 16
    qing_yi_se: Annotated[int, price("QD-94", "One suit or all honours.", "清一色")] = 2
    hun_yi_se: Annotated[int, price("QD-95", "One suit with winds.", "混一色")] = 2
    hai_di_lao_yue: Annotated[int, price("QD-96", "Last-tile draw.", "海底捞月")] = 2
    gang_kai: Annotated[int, price("QD-98", "Win on a gang replacement.", "杠上开花")] = 3
    niu_gang_kai: Annotated[
        int, price("QD-99", "Win on a niu or flower replacement.", "扭牌杠开")
    ] = 2
    qiang_gang: Annotated[int, price("QD-100", "Robbing a gang.", "抢杠胡")] = 2
    kou_ting: Annotated[int, price("QD-101", "Hidden declaration.", "扣听")] = 1
    ming_lou: Annotated[int, price("QD-102", "Open declaration.", "明楼")] = 2
    zimo: Annotated[int, price("QD-103", "Self-draw.", "自摸")] = 0
    ming_hua: Annotated[int, price("QD-104", "Open flower pair.", "明花")] = 1
    an_hua: Annotated[int, price("QD-105", "Hidden flower pair.", "暗花")] = 2
    ming_gang: Annotated[int, price("QD-124", "Gang on a discard.", "明杠")] = 1
    bu_gang: Annotated[int, price("QD-124", "Gang added to a peng.", "补杠")] = 1
    an_gang: Annotated[int, price("QD-124", "Concealed gang.", "暗杠")] = 2


class QingdaoOptions(Options, frozen=True, kw_only=True, cache_hash=True):
    """The options of a game. The order is that of the rule page."""

    mode: Annotated[
        Mode,
        about(
            "QD-2 QD-3",
            "Mode: who pays a win on a discard, and which hand types count.",
            "玩法：平胡（奔倒胡）、点炮或全带讲。",
        ),
    ] = "ping_hu"
    hun: Annotated[
        bool,
        about(
            "QD-7 QD-8",
            "Play with the wild tile and the 14-tile dragon tail; never in quan_dai_jiang.",
            "带混：有混子，留十四张龙尾巴；全带讲不可带混。",
        ),
    ] = False
    flowers: Annotated[
        Literal[0, 2, 4],
        about(
            "QD-5",
            "Flower tiles: 2 or 4 in ping_hu, none in dian_pao, 0, 2 or 4 in quan_dai_jiang.",
            "花牌张数：平胡两张或四张，点炮无花，全带讲零、两张或四张。",
        ),
    ] = 2
    flower_set: Annotated[
        Literal["pair", "all"],
        about(
            "QD-53",
            "Flowers score by pairs, or once and only when one seat has them all.",
            "花牌每对计分，或一家集齐全部才计一次。",
        ),
    ] = "pair"
    lou: Annotated[
        Literal["none", "an", "ming", "both"],
        about(
            "QD-56",
            "Declarations of readiness: none, kou_ting (an), ming_lou (ming) or both.",
            "楼：无、只有扣听（暗楼）、只有明楼、或两者皆可。",
        ),
    ] = "none"
    min_points: Annotated[
        int,
        Meta(ge=0, le=64),
        about(
            "QD-68",
            "Least hand to win, only in quan_dai_jiang; 0 switches it off.",
            "起胡分，只用于全带讲，0 为不限。",
        ),
    ] = 0
    multi_win: Annotated[
        bool, about("QD-28", "Several seats may win on one tile.", "一炮多响。")
    ] = True
    zimo_only: Annotated[bool, about("QD-29", "Wins by self-draw only.", "只许自摸胡牌。")] = False
    chi_max: Annotated[
        int,
        Meta(ge=0, le=4),
        about("QD-25", "Chi melds a seat may have; 0 forbids chi.", "每家可吃次数，0 为不许吃。"),
    ] = 4
    guo_peng: Annotated[
        bool,
        about(
            "QD-32",
            "A passed peng may not be made until the own next draw.",
            "过碰：能碰不碰，下次抓牌前不能再碰同一张。",
        ),
    ] = False
    guo_hu: Annotated[
        bool,
        about(
            "QD-33",
            "A passed win may not be taken on the same tile until the own next draw.",
            "过胡：能胡不胡，下次抓牌前不能再胡同一张。",
        ),
    ] = False
    combine: Annotated[
        Literal["add", "multiply"],
        about("QD-114", "Hand types add up or multiply.", "牌型相加或相乘。"),
    ] = "add"
    cap: Annotated[
        int,
        Meta(ge=0, le=999),
        about(
            "QD-107 QD-116",
            "Most one payer pays for a hand; 0 means no cap.",
            "每家封顶，0 为不封顶。",
        ),
    ] = 0
    discarder_factor: Annotated[
        int,
        Meta(ge=1, le=3),
        about(
            "QD-120",
            "Shares the discarder pays where three seats pay.",
            "三家付时点炮者所付的份数。",
        ),
    ] = 1
    winners_pay_each_other: Annotated[
        bool,
        about(
            "QD-123",
            "Winners on one tile pay each other where three seats pay.",
            "三家付时，同胡的几家互相支付。",
        ),
    ] = False
    qiang_gang_payer: Annotated[
        Literal["as_dianpao", "robbed_pays_all"],
        about(
            "QD-122",
            "A robbed gang is paid like a discard, or wholly by the robbed seat.",
            "抢杠胡按点炮支付，或由被抢者包三家。",
        ),
    ] = "as_dianpao"
    gang_scope: Annotated[
        Literal["winner", "all"],
        about(
            "QD-124 QD-127",
            "Gangs of the winner only are paid, or everybody's.",
            "只有胡牌者的杠计分，或各家的杠都计分。",
        ),
    ] = "winner"
    gang_payers: Annotated[
        Literal["as_win", "all"],
        about(
            "QD-126",
            "The winner's gangs are paid by who pays the win, or by all.",
            "胡牌者的杠由付胡者支付，或三家都付。",
        ),
    ] = "as_win"
    huang_gang: Annotated[
        Literal["void", "pay"],
        about(
            "QD-71",
            "Gangs in a hand nobody won; only with gang_scope all.",
            "荒庄时杠作废或照付（只在各家的杠都计分时）。",
        ),
    ] = "void"
    huang_multiplier: Annotated[
        int,
        Meta(ge=1, le=4),
        about(
            "QD-118",
            "Factor of the hand after one nobody won; 1 switches it off.",
            "荒庄后下一局的倍数，1 为不翻倍。",
        ),
    ] = 2
    huang_cumulative: Annotated[
        bool,
        about("QD-118", "The factor grows with each such hand in a row.", "连续荒庄时倍数连乘。"),
    ] = False
    huang_max: Annotated[
        int,
        Meta(ge=1, le=64),
        about("QD-118", "The greatest factor when it grows.", "连乘时的最高倍数。"),
    ] = 8
    hai_di_zone: Annotated[
        Literal["draw_only", "normal"],
        about(
            "QD-21 QD-23",
            "On the last four tiles of quan_dai_jiang seats only draw, or play as usual.",
            "海底四张：只轮流摸牌，或照常打牌。",
        ),
    ] = "draw_only"
    hua_long: Annotated[
        Literal["fixed", "any"],
        about(
            "QD-89",
            "Suits of the mixed dragon: 123s 456m 789p, or three suits in any order.",
            "花龙：限一二三条、四五六万、七八九饼，或三门任意。",
        ),
    ] = "fixed"
    shi_san_yao: Annotated[
        Literal["any", "classic"],
        about(
            "QD-91",
            "Thirteen terminals: any terminals and honours, or all 13 kinds.",
            "十三幺：任意幺九字牌，或须十三种齐全。",
        ),
    ] = "any"
    hun_yi_se_honours: Annotated[
        Literal["winds", "all"],
        about(
            "QD-95",
            "Honours allowed in hun_yi_se: winds, or dragons too.",
            "混一色的字牌：只限风牌，或箭牌也可。",
        ),
    ] = "winds"
    shou_ba_yi_needs_chi: Annotated[
        bool, about("QD-81", "Shou ba yi needs a chi meld.", "手把一须有吃牌。")
    ] = True
    di_ba_yi_zimo_only: Annotated[
        bool,
        about(
            "QD-79 QD-80",
            "Dui dao di ba yi is won by self-draw only.",
            "对倒底把一只限自摸。",
        ),
    ] = True
    bare_hun_ron: Annotated[
        bool,
        about(
            "QD-66",
            "A lone hun in hand may win on another seat's tile.",
            "手中只剩一张混子也可胡别人的牌。",
        ),
    ] = False
    hua_kai: Annotated[
        bool,
        about(
            "QD-99",
            "A win on a flower replacement counts as niu_gang_kai.",
            "补花后胡牌也算扭牌杠开。",
        ),
    ] = True
    niu: Annotated[
        bool, about("QD-39", "Niu groups and their exchange are played.", "有扭牌。")
    ] = True
    niu_hun: Annotated[
        Literal["one", "any"],
        about(
            "QD-40",
            "Hun tiles in a niu group: one in zfb and dnxb, or any number in all three.",
            "扭牌中混子：只可代中发白、东南西北中的一张，或不限。",
        ),
    ] = "one"
    niu_exchange_from: Annotated[
        Literal["drawn", "hand"],
        about(
            "QD-46",
            "Which tile may be exchanged: the one just drawn, or any in hand.",
            "扭牌调牌：只限刚抓的牌，或手中任意一张。",
        ),
    ] = "drawn"
    niu_kou_ting: Annotated[
        Literal["never", "not_while"],
        about(
            "QD-50",
            "After a niu nobody may declare ting, or only not in the same turn.",
            "扭牌后不可扣听，或只是扭牌的那一轮不可。",
        ),
    ] = "never"
    first_dealer: Annotated[
        Literal["seat0", "random"],
        about("QD-11", "The first dealer: seat 0, or drawn by lot.", "首局庄家：零座或随机。"),
    ] = "seat0"
    values: Annotated[
        QingdaoValues,
        about("QD-73 QD-108 QD-124", "Points of single items and gangs.", "各项与各杠的分数。"),
    ] = QingdaoValues()

    @classmethod
    def complete(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """QD-3: the column of the mode, under what the club has chosen."""
        return {**MODE_DEFAULTS[given.get("mode", "ping_hu")], **given}

    def objection(self) -> Violation | None:
        """QD-3: what the chosen mode does not have."""
        if self.flowers not in MODE_FLOWERS[self.mode]:
            return self._bad("flowers", "QD-5", MODE_FLOWERS[self.mode], self.flowers)
        if self.hun and self.mode == "quan_dai_jiang":
            return self._bad("hun", "QD-2", [False], self.hun)
        if self.min_points and self.mode != "quan_dai_jiang":
            return self._bad("min_points", "QD-68", [0], self.min_points)
        return None

    def _bad(self, name: str, rule: str, allowed: Any, given: Any) -> Violation:
        """The refusal of one option in this mode."""
        return Violation(
            code="bad_option",
            message=f"Option {name} cannot be {given!r} in {self.mode}.",
            rule=rule,
            expected=list(allowed),
            actual=given,
            facts={"option": name, "mode": self.mode},
        )


MODE_DEFAULTS: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "ping_hu": {"flowers": 2, "lou": "none"},
    "dian_pao": {"flowers": 0, "lou": "none"},
    "quan_dai_jiang": {"flowers": 2, "lou": "both"},
}
"""The defaults that differ by mode (QD-3)."""
MODE_FLOWERS: Final[Mapping[str, tuple[int, ...]]] = {
    "ping_hu": (2, 4),
    "dian_pao": (0,),
    "quan_dai_jiang": (0, 2, 4),
}
"""How many flowers a mode may have (QD-5)."""

PRESETS: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "ping_hu": {},
    "ping_hu_dai_shen": {"flowers": 4},
    "ping_hu_dai_hun": {"hun": True},
    "ping_hu_dai_hun_dai_shen": {"hun": True, "flowers": 4},
    "dian_pao": {"mode": "dian_pao"},
    "dian_pao_dai_hun": {"mode": "dian_pao", "hun": True},
    "quan_dai_jiang": {"mode": "quan_dai_jiang"},
    "quan_dai_jiang_wu_hua": {"mode": "quan_dai_jiang", "flowers": 0},
    "quan_dai_jiang_dai_shen": {"mode": "quan_dai_jiang", "flowers": 4},
    "quan_dai_jiang_si_fen": {"mode": "quan_dai_jiang", "min_points": 4},
}
"""The rooms of the source document: mode, hun, number of flowers, and the four-point minimum."""


VALUE_NAMES: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "mode": {
        "ping_hu": ("平胡", "ping hu"),
        "dian_pao": ("点炮", "dian pao"),
        "quan_dai_jiang": ("全带讲", "quan dai jiang"),
    },
    "flowers": {
        "0": ("无花", "none"),
        "2": ("两张", "2 tiles"),
        "4": ("四张", "4 tiles"),
    },
    "flower_set": {
        "pair": ("每对计分", "each pair"),
        "all": ("集齐才计", "the whole set only"),
    },
    "lou": {
        "none": ("无楼", "none"),
        "an": ("扣听", "kou_ting only"),
        "ming": ("明楼", "ming_lou only"),
        "both": ("扣听与明楼", "both"),
    },
    "combine": {
        "add": ("相加", "added"),
        "multiply": ("相乘", "multiplied"),
    },
    "qiang_gang_payer": {
        "as_dianpao": ("按点炮", "like a discard"),
        "robbed_pays_all": ("被抢者包三家", "the robbed seat for all"),
    },
    "gang_scope": {
        "winner": ("只有胡牌者", "the winner's only"),
        "all": ("各家的杠", "everybody's"),
    },
    "gang_payers": {
        "as_win": ("付胡者支付", "who pays the win"),
        "all": ("三家都付", "all three"),
    },
    "huang_gang": {
        "void": ("作废", "void"),
        "pay": ("照付", "paid"),
    },
    "hai_di_zone": {
        "draw_only": ("只轮流摸牌", "draws only"),
        "normal": ("照常打牌", "played as usual"),
    },
    "hua_long": {
        "fixed": ("限一二三条、四五六万、七八九饼", "123s 456m 789p"),
        "any": ("三门任意", "three suits in any order"),
    },
    "shi_san_yao": {
        "any": ("任意幺九字牌", "any terminals and honours"),
        "classic": ("十三种齐全", "all 13 kinds"),
    },
    "hun_yi_se_honours": {
        "winds": ("只限风牌", "winds only"),
        "all": ("箭牌也可", "dragons too"),
    },
    "niu_hun": {
        "one": ("只可代一张", "one, in zfb and dnxb"),
        "any": ("不限", "any number"),
    },
    "niu_exchange_from": {
        "drawn": ("刚抓的牌", "the tile just drawn"),
        "hand": ("手中任意一张", "any tile in hand"),
    },
    "niu_kou_ting": {
        "never": ("扭牌后不可", "never after a niu"),
        "not_while": ("扭牌的那一轮不可", "not in the turn of a niu"),
    },
    "first_dealer": {
        "seat0": ("零座", "seat 0"),
        "random": ("随机", "drawn by lot"),
    },
}
"""What the values of a list are called in Chinese and in English, by option and value."""
