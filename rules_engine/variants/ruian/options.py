"""What a club may change in Rui'an mahjong (section 12 of the rules): options, ranges, presets.

The source document holds two scoring parts, the hu with its tai and a list of factors; by default
both count. The presets ``server`` and ``flat`` are the manners of two public descriptions.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from rules_engine.errors import Violation
from rules_engine.events import OptionValue
from rules_engine.ruleset import Options


def about(rules: str, en: str, zh: str) -> Meta:
    """The rules an option changes (ids separated by blanks) and what it means in both languages."""
    return Meta(description=en, extra={"rules": rules.split(), "zh": zh})


class RuianOptions(Options, frozen=True, kw_only=True, cache_hash=True):
    """The options of a game. The order is that of the rule page."""

    value_mode: Annotated[
        Literal["tai_hu", "flat"],
        about(
            "RA-86",
            "How a hand is valued: by hu and tai, or flat, by its factor only.",
            "算法：计胡与台，或只计倍数（平算）。",
        ),
    ] = "tai_hu"
    base_hu: Annotated[
        int, Meta(ge=0, le=500), about("RA-53", "Hu every hand begins with.", "底胡数。")
    ] = 50
    lazhi_value: Annotated[
        int,
        Meta(ge=100, le=5000),
        about("RA-71", "What a limit hand counts, in hu.", "拉直的胡数。"),
    ] = 500
    lazhi_tai: Annotated[
        int,
        Meta(ge=0, le=9),
        about("RA-71", "Tai that reach the limit; 0 means never.", "几台拉直，0 为不拉直。"),
    ] = 3
    lazhi_step: Annotated[
        int,
        Meta(ge=0, le=500),
        about(
            "RA-73",
            "Hu for each tai above three at the limit; 0 means none.",
            "拉直后三台以上每台加的胡数，0 为不加。",
        ),
    ] = 0
    hu_cap: Annotated[
        int,
        Meta(ge=0, le=5000),
        about(
            "RA-72",
            "Most hu of a hand below the limit; 0 means no cap.",
            "未拉直时的封顶胡数，0 为不封顶。",
        ),
    ] = 500
    round_to: Annotated[
        Literal[1, 10],
        about("RA-72 RA-80 RA-90", "Amounts are rounded up to it.", "胡数向上取整的单位。"),
    ] = 10
    hu_per_point: Annotated[
        Literal[1, 10], about("RA-85", "Hu in one point of the stake.", "几胡折一分。")
    ] = 1
    half_between_xian: Annotated[
        bool,
        about(
            "RA-80 RA-91",
            "Two seats neither of which deals settle half.",
            "闲家之间减半。",
        ),
    ] = True
    ji_shu: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=64)], ...],
        Meta(min_length=1, max_length=8),
        about(
            "RA-81",
            "Base by the dealer's streak; the last one stays.",
            "基数：按连庄次数，超过后取最后一个。",
        ),
    ] = (1, 2, 3, 4)
    ji_shu_scope: Annotated[
        Literal["dealer_pairs", "all"],
        about(
            "RA-81",
            "Payments the base multiplies: those of the dealer, or all.",
            "基数所乘：只乘与庄家的收付，或全部。",
        ),
    ] = "dealer_pairs"
    ying_pai_times: Annotated[
        int,
        Meta(ge=1, le=8),
        about("RA-74 RA-75", "Factor of a hard hand.", "硬牌的倍数。"),
    ] = 2
    special_times: Annotated[
        int,
        Meta(ge=1, le=8),
        about(
            "RA-75",
            "Further factor of special hands; 1 switches them off.",
            "特殊牌型再乘的倍数，1 为不设特殊牌型。",
        ),
    ] = 2
    times_on_lazhi: Annotated[
        bool, about("RA-76", "The factor applies to limit values too.", "拉直也乘倍数。")
    ] = True
    zimo_is_hard: Annotated[
        bool, about("RA-74", "A self-drawn hand counts as hard.", "自摸算硬牌。")
    ] = False
    ying_ba_dui: Annotated[
        bool, about("RA-44", "Eight pairs is a winning shape.", "八对可以胡牌。")
    ] = True
    ruan_ba_dui: Annotated[
        bool,
        about(
            "RA-44",
            "Eight pairs completed by wilds win too.",
            "财神凑成的软八对也可胡牌。",
        ),
    ] = False
    san_cai_shen_bare: Annotated[
        bool,
        about("RA-46", "Three wilds win without a shape.", "三财神不成牌型也可放倒。"),
    ] = True
    san_cai_shen_bare_low: Annotated[
        int,
        Meta(ge=0, le=5000),
        about(
            "RA-46",
            "Hu of three wilds laid down with nothing of value beside them.",
            "三财神放倒而别无花、中、发、自风时的胡数。",
        ),
    ] = 500
    dan_zhang_diao_tai: Annotated[
        int,
        Meta(ge=0, le=3),
        about("RA-79", "Tai for five melds and one tile.", "单张吊（五副落地）的台数。"),
    ] = 0
    he_di_tai: Annotated[
        int, Meta(ge=0, le=3), about("RA-59", "Tai for the he-di tile.", "河底捞月的台数。")
    ] = 1
    tian_hu_after_gang: Annotated[
        bool,
        about("RA-69", "Concealed gangs keep tian_hu alive.", "暗杠后仍算天胡。"),
    ] = False
    flower_when_white_wild: Annotated[
        Literal["7z", "none"],
        about(
            "RA-9",
            "The flower where the white is the wild.",
            "白板为财神时以红中为花，或无花。",
        ),
    ] = "7z"
    dianpao_pays: Annotated[
        Literal["all", "discarder_all"],
        about(
            "RA-83",
            "Who pays a win on another seat's tile: all alike, or that seat for all.",
            "点炮与抢杠：三家各付，或由点炮者包付。",
        ),
    ] = "all"
    side_settlement: Annotated[
        Literal["full", "melds", "off"],
        about(
            "RA-92",
            "What the losers compare: all tiles, melds and flowers, or nothing.",
            "未胡三家互比胡数：全部、只比副露与花、或不比。",
        ),
    ] = "full"
    draw_side_settlement: Annotated[
        bool, about("RA-93", "All four compare at a draw.", "流局时四家也互比胡数。")
    ] = False
    guo_peng: Annotated[
        bool,
        about(
            "RA-35",
            "A passed peng is barred until the own next draw.",
            "过碰：能碰不碰，下次摸牌前不能再碰同一种。",
        ),
    ] = True
    dealer_on_draw: Annotated[
        Literal["pass", "stay", "stay_unless_gang"],
        about(
            "RA-14",
            "The deal after a draw: passes, stays, or stays unless somebody made a gang.",
            "流局后：轮庄、连庄、或无人开杠才连庄。",
        ),
    ] = "pass"
    max_streak: Annotated[
        int,
        Meta(ge=0, le=16),
        about(
            "RA-17",
            "Most deals in a row; 0 means no limit.",
            "连庄上限，0 为不限。",
        ),
    ] = 0
    reserve: Annotated[
        Literal["floating", "server"],
        about("RA-23 RA-25", "How the dead wall is counted.", "王牌张数的算法。"),
    ] = "floating"
    reserve_stacks: Annotated[
        int,
        Meta(ge=5, le=14),
        about("RA-23 RA-25", "Stacks of the floating dead wall.", "王牌的墩数（floating）。"),
    ] = 10
    four_same_winds_draw: Annotated[
        bool,
        about("RA-52", "Four equal winds discarded first end the hand.", "四同风连打流局。"),
    ] = False
    four_gangs_draw: Annotated[
        bool, about("RA-52", "The fourth gang ends the hand.", "四杠流局。")
    ] = False
    triple_hu_draw: Annotated[
        bool, about("RA-52", "Three claims to win end the hand.", "三家胡流局。")
    ] = False
    roster: Annotated[
        Literal[4, 5],
        about(
            "RA-2 RA-16",
            "Players at the table; the fifth waits as substitute.",
            "人数：四人，或五人（一人替补）。",
        ),
    ] = 4

    def objection(self) -> Violation | None:
        """Every amount has to divide into points."""
        if self.hu_per_point <= self.round_to:
            return None
        return Violation(
            code="bad_option",
            message="With 10 hu in a point amounts are rounded to 10.",
            rule="RA-85",
            expected=10,
            actual=self.round_to,
            facts={"option": "round_to"},
        )


PRESETS: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "standard": {},
    "five_players": {"roster": 5},
    "server": {
        "ying_pai_times": 1,
        "special_times": 1,
        "ji_shu": [1],
        "lazhi_step": 200,
        "hu_cap": 0,
        "hu_per_point": 10,
        "dan_zhang_diao_tai": 3,
        "san_cai_shen_bare_low": 250,
        "he_di_tai": 0,
        "tian_hu_after_gang": True,
        "ying_ba_dui": False,
        "dealer_on_draw": "stay_unless_gang",
        "reserve": "server",
    },
    "flat": {
        "value_mode": "flat",
        "zimo_is_hard": True,
        "ruan_ba_dui": True,
        "max_streak": 4,
        "dealer_on_draw": "stay_unless_gang",
    },
}
"""Named sets of options, one per manner of play."""


VALUE_NAMES: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "value_mode": {
        "tai_hu": ("计胡与台", "hu and tai"),
        "flat": ("平算", "flat, by factor"),
    },
    "round_to": {
        "1": ("不取整", "not rounded"),
        "10": ("取整到十胡", "up to tens of hu"),
    },
    "hu_per_point": {
        "1": ("一胡一分", "1 hu a point"),
        "10": ("十胡一分", "10 hu a point"),
    },
    "ji_shu_scope": {
        "dealer_pairs": ("与庄家的收付", "payments of the dealer"),
        "all": ("全部收付", "all payments"),
    },
    "flower_when_white_wild": {
        "7z": ("红中为花", "the red dragon"),
        "none": ("无花", "none"),
    },
    "dianpao_pays": {
        "all": ("三家各付", "all three"),
        "discarder_all": ("点炮者包付", "the discarder for all"),
    },
    "side_settlement": {
        "full": ("全部", "all tiles"),
        "melds": ("副露与花", "melds and flowers"),
        "off": ("不比", "nothing"),
    },
    "dealer_on_draw": {
        "pass": ("轮庄", "passes"),
        "stay": ("连庄", "stays"),
        "stay_unless_gang": ("无人开杠才连庄", "stays unless there was a gang"),
    },
    "reserve": {
        "floating": ("按墩数", "so many stacks"),
        "server": ("随杠数增加", "grows with gangs"),
    },
    "roster": {
        "4": ("四人", "4 players"),
        "5": ("五人（一人替补）", "5, one a substitute"),
    },
}
"""What the values of a list are called in Chinese and in English, by option and value."""
