"""What a club may change in Hefei mahjong (HF-71): every option with its range, rules and meaning.

The presets are the kinds of room a club opens. ``plain`` and ``bao_ting`` are the two rooms of the
source document; ``online`` has the prices that two public game servers agree on.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from rules_engine.ruleset import Options


def about(rules: str, en: str, zh: str) -> Meta:
    """The rules an option changes (ids separated by blanks) and what it means in both languages."""
    return Meta(description=en, extra={"rules": rules.split(), "zh": zh})


Price = Annotated[int, Meta(ge=0, le=1000)]
"""Points of one item, in units of the stake."""


class HefeiOptions(Options, frozen=True, kw_only=True):
    """The options of a game. The order is that of the rule page."""

    room: Annotated[
        Literal["plain", "bao_ting"],
        about(
            "HF-2 HF-34",
            "Kind of room: in bao_ting a win on a discard needs a declared ting.",
            "房间类型：报听房须先报听才能胡别人打出的牌。",
        ),
    ] = "plain"
    base_plain: Annotated[
        Price, about("HF-47", "Base points in a plain room.", "不报听房的胡牌基本分。")
    ] = 10
    base_bao_ting: Annotated[
        Price, about("HF-47", "Base points in a bao ting room.", "报听房的胡牌基本分。")
    ] = 12
    min_suit: Annotated[
        int,
        Meta(ge=0, le=14),
        about(
            "HF-39",
            "Tiles of one suit a winner must own; 0 switches the condition off.",
            "胡牌所需同一门花色的张数，0 为不限。",
        ),
    ] = 8
    allow_qi_dui: Annotated[
        bool, about("HF-38", "Seven pairs is a winning shape.", "七对可以胡牌。")
    ] = True
    allow_dianpao: Annotated[
        bool, about("HF-40", "Wins on discards are allowed.", "可以胡别人打出的牌。")
    ] = True
    points_zhi: Annotated[
        Price,
        about(
            "HF-48",
            "Points per tile of a suit above eight.",
            "支：同门超过八张，每张分数。",
        ),
    ] = 1
    points_shuang_ba_zhi: Annotated[
        Price,
        about(
            "HF-49",
            "Points for two suits of eight tiles.",
            "双八支：两门各满八张的分数。",
        ),
    ] = 50
    points_que_men: Annotated[
        Price, about("HF-50", "Points for exactly one suit missing.", "缺一门的分数。")
    ] = 1
    points_qing_yi_se: Annotated[
        Price, about("HF-51", "Points for a hand of one suit.", "清一色的分数。")
    ] = 30
    points_tong: Annotated[
        Price,
        about(
            "HF-52",
            "Points per tile of a rank above four.",
            "同：同点数超过四张，每张分数。",
        ),
    ] = 1
    tong_count: Annotated[
        Literal["each", "best"],
        about(
            "HF-52",
            "Add up the ranks, or count the best only.",
            "同：各点数相加，或只计最多的一个。",
        ),
    ] = "each"
    points_kan: Annotated[Price, about("HF-53", "Points per kan.", "每个坎的分数。")] = 1
    kan_on_dianpao: Annotated[
        bool,
        about(
            "HF-53",
            "A kan completed by the won discard counts.",
            "由点炮牌凑成的坎也算。",
        ),
    ] = True
    points_gang: Annotated[
        Price, about("HF-54", "Points per concealed gang.", "每个暗杠的分数。")
    ] = 2
    points_huo_ming: Annotated[
        Price, about("HF-55 HF-56", "Points per ming huo.", "每个明活的分数。")
    ] = 2
    points_huo_an: Annotated[
        Price, about("HF-55 HF-56", "Points per an huo.", "每个暗活的分数。")
    ] = 4
    huo_kan: Annotated[
        Literal["both", "huo_only"],
        about(
            "HF-55",
            "Whether the triplet of a huo is a kan as well.",
            "活里的刻子另算坎，或只算活。",
        ),
    ] = "both"
    points_shuang_pu_ming: Annotated[
        Price,
        about("HF-57 HF-56", "Points per ming double run.", "每个明双铺子的分数。"),
    ] = 1
    points_shuang_pu_an: Annotated[
        Price, about("HF-57 HF-56", "Points per an double run.", "每个暗双铺子的分数。")
    ] = 2
    shuang_pu_four_runs: Annotated[
        int,
        Meta(ge=2, le=6),
        about(
            "HF-57",
            "How many double runs four identical runs hold.",
            "四个相同顺子算几个双铺子。",
        ),
    ] = 3
    ming_rule: Annotated[
        Literal["dianpao_only", "winning_tile"],
        about(
            "HF-56",
            "What makes a huo or a double run ming: the won discard only, or any winning tile.",
            "活与双铺子何时算明：只因点炮牌，或自摸的胡牌张也算。",
        ),
    ] = "dianpao_only"
    points_ka: Annotated[Price, about("HF-58", "Points for a tight wait.", "卡的分数。")] = 1
    ka_rule: Annotated[
        Literal["any_reading", "single_wait"],
        about(
            "HF-58",
            "Whether a ka may have other waits beside it.",
            "卡：不论另有别的听张，或必须只听一种牌。",
        ),
    ] = "any_reading"
    ka_qi_dui: Annotated[bool, about("HF-58", "Seven pairs counts as a ka.", "七对也算卡。")] = True
    points_qi_dui: Annotated[Price, about("HF-59", "Points for seven pairs.", "七对的分数。")] = 5
    luxury_base: Annotated[
        Literal["all_but_zhuang", "all", "base_only"],
        about(
            "HF-60",
            "What each quad of seven pairs adds once more: everything but the dealer's bonus, "
            "everything, or the base only.",
            "豪华七对所乘的分：庄分以外的全部、全部、或仅基本分。",
        ),
    ] = "all_but_zhuang"
    points_hai_lao: Annotated[
        Price, about("HF-61", "Points for a win in the hai-lao zone.", "海捞的分数。")
    ] = 10
    hai_lao_must_hu: Annotated[
        bool,
        about(
            "HF-21",
            "A possible win in the hai-lao zone must be taken.",
            "海捞区内能胡必须胡。",
        ),
    ] = True
    points_tian_hu: Annotated[
        Price, about("HF-62", "Points for the dealer's dealt win.", "天胡的分数。")
    ] = 100
    points_di_hu: Annotated[
        Price, about("HF-63", "Points for a first-turn win.", "地胡的分数。")
    ] = 80
    tian_di_hu_base: Annotated[
        bool,
        about(
            "HF-62 HF-63",
            "The base counts with tian_hu and di_hu.",
            "天胡、地胡另计基本分。",
        ),
    ] = True
    tian_di_hu_best: Annotated[
        bool,
        about(
            "HF-62 HF-63",
            "The ordinary score replaces tian_hu or di_hu where it is higher.",
            "天胡、地胡不如普通算法时，取较高者。",
        ),
    ] = False
    di_hu_rule: Annotated[
        Literal["first_turn_zimo", "dealer_first_discard", "either"],
        about(
            "HF-63",
            "What is a di_hu: an own draw in the first turn, dealer's first discard, or either.",
            "何为地胡：首轮自摸、胡庄家首张打出的牌、或两者皆可。",
        ),
    ] = "first_turn_zimo"
    di_hu_after_own_gang: Annotated[
        bool,
        about(
            "HF-63",
            "An own gang before it does not spoil a di_hu.",
            "自己先暗杠不影响地胡。",
        ),
    ] = True
    gang_kai_mult: Annotated[
        int,
        Meta(ge=1, le=4),
        about("HF-64", "Multiplier of a win on a replacement tile.", "杠后自摸的倍数。"),
    ] = 2
    points_zhuang_dianpao: Annotated[
        Price,
        about(
            "HF-65 HF-69",
            "Dealer's bonus per streak, on a discard.",
            "庄分：点炮胡时每一连庄数的分数。",
        ),
    ] = 1
    points_zhuang_zimo: Annotated[
        Price,
        about(
            "HF-65 HF-69",
            "Dealer's bonus per streak, on zimo.",
            "庄分：自摸时每一连庄数的分数。",
        ),
    ] = 2
    zhuang_fen_mode: Annotated[
        Literal["both_ways", "dealer_wins"],
        about(
            "HF-65 HF-69",
            "Whether a losing dealer pays the bonus, or a winning dealer alone receives it.",
            "庄分：庄家输时也付，或只在庄家赢时收。",
        ),
    ] = "both_ways"
    cap: Annotated[
        int,
        Meta(ge=0, le=1_000_000),
        about(
            "HF-68",
            "Most points a seat wins or loses in a hand; 0 means no cap.",
            "一局每家输赢上限，0 为不封顶。",
        ),
    ] = 1000
    cap_split: Annotated[
        Literal["pro_rata", "turn_order"],
        about(
            "HF-68",
            "How the money of a capped payer is shared among several winners.",
            "封顶后多家胡牌的分法：按比例或按次序。",
        ),
    ] = "pro_rata"
    pass_rule: Annotated[
        Literal["free", "locked_until_draw", "must_hu"],
        about(
            "HF-24",
            "What follows from passing a possible win.",
            "放过能胡的牌：无限制、摸牌前不得再胡别人的牌、或不准放过。",
        ),
    ] = "free"
    auto_hu_after_ting: Annotated[
        bool, about("HF-33", "A declared hand wins automatically.", "报听后自动胡牌。")
    ] = True
    ting_gang: Annotated[
        Literal["keep_ting", "same_waits", "forbidden"],
        about(
            "HF-32",
            "Which gangs a declared hand may make.",
            "报听后可否暗杠：仍听即可、听张不变、或不准。",
        ),
    ] = "keep_ting"
    initial_ting: Annotated[
        bool,
        about("HF-35", "Non-dealers may declare ting at the deal.", "闲家起手即可报听。"),
    ] = False
    leave_mid_hand: Annotated[
        Literal["trustee", "void"],
        about(
            "HF-14",
            "What happens to the hand when a player leaves it: played on automatically, or void.",
            "局中有人离开：托管打完，或本局作废。",
        ),
    ] = "trustee"
    ready_timeout_s: Annotated[
        int,
        Meta(ge=0, le=600),
        about(
            "HF-9",
            "Seconds the fourth player has to get ready; 0 means no countdown.",
            "第四家准备的倒计时秒数，0 为不倒计时。",
        ),
    ] = 15
    hands_per_game: Annotated[
        int,
        Meta(ge=0, le=1000),
        about("HF-15", "Hands in a game; 0 means open.", "一场的局数，0 为不限。"),
    ] = 0
    ladder_start: Annotated[
        int,
        Meta(ge=-(2**53) + 1, le=2**53 - 1),
        about("HF-72", "Ladder score of a new player.", "新牌手的起始段位分。"),
    ] = 0


PRESETS: Final[Mapping[str, Mapping[str, bool | int | str]]] = {
    "plain": {},
    "bao_ting": {"room": "bao_ting"},
    "online": {
        "points_que_men": 2,
        "points_gang": 4,
        "points_shuang_pu_ming": 2,
        "points_shuang_pu_an": 4,
        "points_qi_dui": 10,
        "points_hai_lao": 15,
        "points_zhuang_dianpao": 2,
        "points_zhuang_zimo": 4,
        "base_plain": 15,
        "base_bao_ting": 15,
        "ming_rule": "winning_tile",
        "di_hu_rule": "dealer_first_discard",
    },
}
"""Named sets of options, one per kind of room."""


VALUE_NAMES: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "room": {
        "plain": ("不报听房", "plain room"),
        "bao_ting": ("报听房", "bao-ting room"),
    },
    "tong_count": {
        "each": ("各点数相加", "all ranks added up"),
        "best": ("只计最多的", "the best rank only"),
    },
    "huo_kan": {
        "both": ("活与坎都算", "huo and kan"),
        "huo_only": ("只算活", "huo only"),
    },
    "ming_rule": {
        "dianpao_only": ("只因点炮牌", "by the won discard only"),
        "winning_tile": ("自摸也算", "by any winning tile"),
    },
    "ka_rule": {
        "any_reading": ("不论别的听张", "other waits allowed"),
        "single_wait": ("只听一种牌", "one wait only"),
    },
    "luxury_base": {
        "all_but_zhuang": ("庄分以外的全部", "all but the dealer's bonus"),
        "all": ("全部", "everything"),
        "base_only": ("仅基本分", "the base only"),
    },
    "di_hu_rule": {
        "first_turn_zimo": ("首轮自摸", "own draw in the first turn"),
        "dealer_first_discard": ("胡庄家首张", "on the dealer's first discard"),
        "either": ("两者皆可", "either"),
    },
    "zhuang_fen_mode": {
        "both_ways": ("输赢都算", "won and lost"),
        "dealer_wins": ("只在庄家赢时", "when the dealer wins only"),
    },
    "cap_split": {
        "pro_rata": ("按比例", "in proportion"),
        "turn_order": ("按次序", "in turn order"),
    },
    "pass_rule": {
        "free": ("无限制", "no restriction"),
        "locked_until_draw": ("摸牌前不得再胡", "locked until the own draw"),
        "must_hu": ("不准放过", "a win must be taken"),
    },
    "ting_gang": {
        "keep_ting": ("仍听即可", "while still ting"),
        "same_waits": ("听张不变", "while the waits stay the same"),
        "forbidden": ("不准", "forbidden"),
    },
    "leave_mid_hand": {
        "trustee": ("托管打完", "played on automatically"),
        "void": ("本局作废", "the hand is void"),
    },
}
"""What the values of a list are called in Chinese and in English, by option and value."""
