"""Plans of hands that reach what luck seldom gives, each under the id of the item it is meant for.

Tiles are written as everywhere; seats are counted from the dealer. The tiles dealt lack what the
draws bring, so a hand is won with its last draw.
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from api.simulation.bots import PATIENT
from tests.simulation.steering import BYSTANDER, CLAIMS, GANGS, SOLO, Part, Plan

FULL: Final[Mapping[str, Any]] = {"mode": "quan_dai_jiang", "flowers": 0, "niu": False}
HUN: Final[Mapping[str, Any]] = {"mode": "dian_pao", "hun": True, "zimo_only": True}
HOLDS_5S: Final = Part("5s", style=BYSTANDER)
"""Keeps a tile that another seat waits for."""
FOUR_GANGS: Final = "2222m5555m7777p8s"
"""Three gangs and the first tile of a fourth."""


def waits(dealt: str, junk: str, wins: str) -> Part:
    """A seat that draws and discards one tile, so that it does not win in its first turn."""
    return Part(dealt, f"{junk} {wins}", throws=junk)


def solo(dealt: str, junk: str, wins: str, **given: Any) -> Plan:
    """The seat after the dealer waits, and wins with its second draw."""
    return Plan(parts={1: waits(dealt, junk, wins)}, given=given)


def dealt(tiles: str, **given: Any) -> Plan:
    """The dealer is dealt a whole hand."""
    return Plan(parts={0: Part(tiles)}, given=given)


BEST: Final[Mapping[str, Any]] = {"min_suit": 0, "tian_di_hu_best": True}
"""A hand of the first turn counts as what it is worth besides, where that is more."""
HEFEI: Final = {
    "shuang_ba_zhi": Plan(
        parts={1: Part("22223333m23456p", "8p 7p 8p", style=GANGS)},
        given=BEST,
    ),
    "gang_kai": Plan(parts={1: Part("3334445678m222p", "2s 2p 8m", throws="2s", style=GANGS)}),
    "qing_yi_se": solo("222333444567m8m", "2s", "8m"),
    "tian_hu": dealt("22233344456788m"),
    "di_hu": Plan(parts={1: Part("222333444567m8m", "8m")}),
    "hao_hua_qi_dui": solo("2222m334455668m", "2s", "8m"),
}
HUAIYUAN: Final = {
    "bao_exhausted": Plan(
        given={"reserve_stacks": 0, "reserve_growth": False, "bao_dice": 1, "bao_change_at": 1,
               "bao_change_counts": "visible", "require_three_suits": False,
               "require_yaojiu": "off"},
        others=PATIENT,
        hands=3,
    ),
}  # fmt: skip


def wild_2p(*parts: Part, **given: Any) -> Plan:
    """A hand in which ``2p`` is wild, its parts from the dealer on."""
    return Plan(parts=dict(enumerate(parts)), given=given, indicator="1p")


NOBODY: Final = Part(style=BYSTANDER)
WAITS: Final = replace(SOLO, wild_wait=1.0)
"""Holds a wild and waits for another."""
STEALS: Final = replace(SOLO, wild_wait=0.6)
"""Lets a win go, but not every win."""
STACKED: Final[Mapping[str, Any]] = {
    "jiu_yao_stack": True,
    "factor_jiu_yao_jia": 2,
    "discard_win": "di_hu_only",
}
JIANGXI: Final = {
    "tian_hu": wild_2p(Part("123456789m11234s")),
    "di_hu": wild_2p(Part("5z", throws="5555z"), Part("123456789m123s5z")),
    "qing_hao_hua_qi_dui": wild_2p(NOBODY, waits("1111m3355p7799s6z", "3m", "6z")),
    "hao_hua_qi_dui": wild_2p(NOBODY, waits("1111m2335p5779s", "3m", "9s"), wild_in_special=True),
    "qing_qi_dui": wild_2p(NOBODY, waits("1133m3355p7799s6z", "3m", "6z")),
    "tou_ji": wild_2p(NOBODY, Part("123456789m123s2p", "9p 8p 7p", style=STEALS)),
    "bao_diao_bao": wild_2p(NOBODY, Part("123456789m12s22p", "9p 2p", style=WAITS)),
    "bao_diao_wu_bao": wild_2p(NOBODY, Part("123456789m123s2p", "9p 2p", style=WAITS)),
    "fei_bao": wild_2p(NOBODY, Part("123456789m123s2p", "6z 6z", throws="2p", style=WAITS)),
    "jiu_yao_jia": wild_2p(
        Part("5p", throws="5555p"), waits("1199m1199p1199s5z", "3m", "5z"), **STACKED
    ),
    "jie_bao": wild_2p(Part("2p", throws="2p"), Part("222p", style=CLAIMS)),
}

ROBBING: Final = {
    0: Part("5m", throws="5m"),
    1: Part("55m", "1p 5m", style=CLAIMS),
}
"""The dealer discards a tile, the next seat claims it, and adds the fourth to it later."""
FULL_LATE: Final = Part("123456789m123p5s", "5s", late=4)
QINGDAO: Final = {
    "hao_hua_qi_dui": solo("2222m557788p993p", "1s", "3p", **FULL),
    "chao_hao_hua_qi_dui": solo("22225555m77889p", "1s", "9p", **FULL),
    "dui_dao": solo("222555m777888p9p", "1s", "9p", **FULL),
    "dui_dao_di_ba_yi": Plan(
        parts={1: Part(FOUR_GANGS, "3p 8s 8s 8s 3p", style=GANGS)}, given=FULL
    ),
    "hui_shou_tao": Plan(
        parts={1: Part(FOUR_GANGS, "3p 8s 8s 8s 2s", style=GANGS)}, given=HUN, indicator="1s"
    ),
    "ba_yi_gang_kai": Plan(
        parts={
            0: Part("3s", throws="3s"),
            1: Part("2222m5555m77p129s", "7p 7p 3p 3p", throws="9s", style=CLAIMS),
        },
        given=FULL,
    ),
    "tian_hu": dealt("123456789m11234s", **FULL),
    "di_hu": Plan(parts={1: Part("123456789m123s5z", "5z")}, given=FULL),
    "hun_jiang": Plan(
        parts={1: Part("123456789m123p2s", "2s")}, given=HUN, indicator="1s"
    ),
    "hun_fu": Plan(parts={1: Part("123456789m55p22s", "2s")}, given=HUN, indicator="1s"),
    "ming_long": Plan(
        parts={
            0: Part("9m", throws="9m"),
            1: Part("12345678m11p239s", "4s", throws="9s", style=CLAIMS),
        },
        given=FULL,
    ),
    "an_long": solo("123456789m11p23s", "9p", "4s", **FULL),
    "hua_long": solo("456m789p123s11z56s", "9p", "7s", **FULL),
    "feng_pai": solo("123m123p123s11z56s", "9p", "7s", **FULL),
    "shi_san_yao": solo("19m19p19s1234567z", "9p", "1m", **FULL),
    "da_san_yuan": solo("12m44s555666777z", "9p", "3m", **FULL),
    "da_si_xi": solo("5m111222333444z", "9p", "5m", **FULL),
    "qing_yi_se": solo("1234567892233m", "9p", "2m", **FULL),
    "hun_yi_se": solo("123456789m1112z", "9p", "2z", **FULL),
    "hai_di_lao_yue": Plan(
        parts={1: FULL_LATE, 2: HOLDS_5S, 3: HOLDS_5S}, given=FULL
    ),
    "cheng": solo("1234567892233m", "9p", "2m", **FULL, combine="multiply"),
    "gang_kai": Plan(
        parts={1: Part("2222456m789p125s", "3s 5s", style=GANGS)}, given=FULL
    ),
    "qiang_gang": Plan(
        parts={**ROBBING, 2: Part("46m123456789p19s", "1z 9s", throws="1z")}, given=FULL
    ),
    "zimo": solo("123456789m123s5z", "9p", "5z", **FULL, values={"zimo": 1}),
    "niu_gang_kai": Plan(
        parts={1: Part("123456789m5s567z", "6z 5s", style=replace(SOLO, own=1.0))},
        given={"mode": "quan_dai_jiang", "flowers": 0, "lou": "none"},
    ),
    "feng_ding": solo("1234567892233m", "9p", "2m", **FULL, cap=1),
}  # fmt: skip


def no_flowers(*parts: Part, **given: Any) -> Plan:
    """A hand without flowers: the white is the wild."""
    return Plan(
        parts=dict(enumerate(parts)),
        given={"flower_when_white_wild": "none", "ying_ba_dui": False, **given},
        indicator="5z",
    )


FIVE_GANGS: Final = Part("2222m5555m7777p8888s", "3p 3p 3p 3p 9s 9s", style=GANGS)
RUIAN: Final = {
    "an_gang": no_flowers(NOBODY, FIVE_GANGS, lazhi_tai=0),
    "an_gang_yao": no_flowers(
        NOBODY, Part("1111m5555m7777p999s8s", "9s 3p 3p 3p 8s", style=GANGS), lazhi_tai=0
    ),
    "gang_gang_hu": no_flowers(NOBODY, FIVE_GANGS),
    "dan_zhang_diao": no_flowers(NOBODY, FIVE_GANGS, dan_zhang_diao_tai=1),
    "he_di_lao_yue": no_flowers(
        NOBODY,
        Part("123456789m123p123s5s", "5s", late=26),
        HOLDS_5S,
        HOLDS_5S,
    ),
    "qiang_gang": no_flowers(
        ROBBING[0], ROBBING[1], Part("46m123456789p123s19s", "1z 9s", throws="1z")
    ),
    "hun_yi_se": no_flowers(NOBODY, waits("111222333456789m1z", "9p", "1z")),
    "qing_yi_se": no_flowers(NOBODY, waits("1112223334567895m", "9p", "5m")),
    "si_feng_qi": no_flowers(NOBODY, waits("123m5s111222333444z", "9p", "5s")),
    "tian_hu": no_flowers(Part("123456789m123p12355s")),
    "di_hu": no_flowers(Part("5s", throws="5555s"), Part("123456789m123p1235s")),
    "dui_zhong": no_flowers(NOBODY, waits("123456789m123p123s7z", "9p", "7z")),
    "dui_fa": no_flowers(NOBODY, waits("123456789m123p123s6z", "9p", "6z")),
    "fan_bei_ying_ba_dui": no_flowers(
        NOBODY, waits("1122558899m3355p79s", "9p", "9s"), special_times=2, ying_ba_dui=True
    ),
    "fan_bei_san_cai_shen": no_flowers(
        NOBODY, waits("123456789m12p12s555z", "9p", "9s"), special_times=2
    ),
}  # fmt: skip


def tries(plan: Plan) -> Plan:
    """The plan, for a reason to refuse something: that is tried at every moment."""
    return replace(plan, every=1)


def dealer_throws(tile: str, *parts: Part, **given: Any) -> Plan:
    """The dealer discards this tile first; then come the parts of the seats after it."""
    seats = (Part(tile, throws=4 * tile[0] + tile[1]), *parts)
    return Plan(parts=dict(enumerate(seats)), given=given, every=1)


HOLDS: Final = replace(BYSTANDER, name="holds")
"""Lets everything go, wins too."""
TENPAI: Final = "123456789m123s5z"
WAITS_5M: Final = Part("46m345789p123s19s", "1z 9s", throws="1z")
ALSO_5M: Final = Part("46m345678p456s29s", "2z 9s", throws="2z")
LAST_9P: Final = Part("999p", "9p", late=1, style=HOLDS)
REASONS: Final[Mapping[str, Mapping[str, Plan]]] = {
    "hefei": {
        "gang_breaks_ting": tries(
            Plan(
                parts={
                    1: Part("222345678m3455p", "8p 2m", throws="8p", style=replace(SOLO, own=1.0))
                },
                given={"room": "bao_ting", "ting_gang": "forbidden", "min_suit": 0},
            )
        ),
        "pass_locked": dealer_throws(
            "8m",
            Part("8m", throws="8888m"),
            NOBODY,
            Part("222333444567m8m", style=HOLDS),
            pass_rule="locked_until_draw",
        ),
    },
    "huaiyuan": {
        # Of the 83 tiles left after the deal the first 73 are drawn in turn.
        "gang_no_draw_left": Plan(
            parts={1: replace(LAST_9P, late=11)},
            given={"bao_enabled": False, "gang_on_last_tile": False, "reserve_stacks": 5},
            every=1,
        ),
    },
    "jiangxi": {
        "one_winner_per_discard": replace(
            dealer_throws("5z", Part(TENPAI), Part("123456789p123s5z")), indicator="1s"
        ),
        "one_winner_per_gang": tries(wild_2p(*ROBBING.values(), WAITS_5M, ALSO_5M,
                                             rob_winners="first")),
        "last_tile_claim": tries(
            wild_2p(NOBODY, NOBODY, Part("", "9p", throws="9p", late=1, style=HOLDS),
                    Part("99p", style=HOLDS))
        ),
        "no_replacement_tile": tries(wild_2p(NOBODY, NOBODY, LAST_9P)),
    },
    "qingdao": {
        "bare_hun": tries(
            Plan(
                parts={1: Part(FOUR_GANGS, "3p 8s 8s 8s 2s", throws="3p",
                               style=replace(GANGS, win=0.0))},
                given={"mode": "dian_pao", "hun": True},
                indicator="1s",
            )
        ),
        "guo_hu": dealer_throws(
            "5z",
            Part("5z", throws="5555z"),
            NOBODY,
            Part("123456789m123s5z", style=HOLDS),
            mode="dian_pao", guo_hu=True,
        ),
        "guo_peng": dealer_throws(
            "5z", Part("5z", throws="5555z"), NOBODY, Part("55z", style=HOLDS),
            mode="dian_pao", guo_peng=True,
        ),
        "not_nearest": dealer_throws(
            "5z", Part(TENPAI), Part("123456789p123s5z"), mode="dian_pao", multi_win=False
        ),
    },
    "ruian": {
        "no_gang_in_hai_di": tries(
            no_flowers(NOBODY, Part("999p", "9p", late=25, style=HOLDS))
        ),
        "only_wilds_left": tries(
            no_flowers(
                NOBODY,
                Part("2222m5555m7777p8888s", "5z 5z 9s 9s 1p", throws="1p",
                     style=replace(GANGS, win=0.0)),
                Part("9s", throws="9999s"),
            )
        ),
    },
}  # fmt: skip
"""Plans for reasons to refuse something, by ruleset and reason."""

PLANS: Final[Mapping[str, Mapping[str, Plan]]] = {
    "hefei": HEFEI,
    "huaiyuan": HUAIYUAN,
    "jiangxi": JIANGXI,
    "qingdao": QINGDAO,
    "ruian": RUIAN,
}
"""By ruleset and id."""
