"""Rooms to play in: options that reach what the presets leave out, each under a name of its own."""

from collections.abc import Mapping
from typing import Any, Final

Rooms = Mapping[str, Mapping[str, Any]]
"""Options by the name of a room."""

HEFEI: Final[Rooms] = {
    "plain": {},
    "bao_ting": {"room": "bao_ting", "ting_gang": "same_waits", "hands_per_game": 4},
    "initial": {"room": "bao_ting", "initial_ting": True, "auto_hu_after_ting": False},
    "locked": {"pass_rule": "locked_until_draw", "hai_lao_must_hu": False, "min_suit": 6},
    "must_hu": {"pass_rule": "must_hu", "min_suit": 0, "leave_mid_hand": "void", "cap": 60},
    "strict": {"room": "bao_ting", "ting_gang": "forbidden", "allow_qi_dui": False, "min_suit": 5},
}
HUAIYUAN: Final[Rooms] = {
    "window": {"special_gang_window": "deal", "special_gang_first_draw": True, "multi_win": "all"},
    "loose": {"special_gang_first_draw": True, "opening_add_robbable": True, "chi_from": "any",
              "dealer_first_turn_add": True, "gang_after_ting": "same_waits", "bao_change_at": 1,
              "require_kezi": False},
    "long": {"reserve_stacks": 0, "reserve_growth": False, "bao_dice": 1, "bao_change_at": 1,
             "bao_change_counts": "visible", "require_three_suits": False,
             "require_yaojiu": "off", "abort_settles_gang": True},
    "strict": {"block_claim_to_last_tile": True, "ting_required": True, "jia_hu_rule": "sole",
               "gang_on_last_tile": False, "qiang_gang_enabled": False, "bao_enabled": False,
               "gang_after_ting": "none"},
}  # fmt: skip
JIANGXI: Final[Rooms] = {
    "open": {"discard_win": "all", "pass_peng_lock": True, "claim_wild": True, "dice": 1,
             "ming_gang_payer": "discarder", "jie_bao_payer": "all"},
    "at_indicator": {"draw_end": "at_indicator", "rob_kinds": "bu_gang", "rob_winners": "first",
                     "next_dealer": "rotate", "gang_on_draw": False},
    "reserved": {"reserve": 14, "qing_strict": True, "honour_cycle": "seven", "cap": 20,
                 "pass_hu_lock": False, "wild_in_special": False, "tou_ji_required": False},
}  # fmt: skip
QINGDAO: Final[Rooms] = {
    "barred": {"guo_peng": True, "guo_hu": True, "lou": "both", "niu_kou_ting": "not_while",
               "niu_exchange_from": "hand", "multi_win": False},
    "any_hun": {"hun": True, "niu_hun": "any", "lou": "both", "chi_max": 1, "guo_hu": True,
                "combine": "multiply", "huang_cumulative": True},
    "normal_end": {"mode": "quan_dai_jiang", "flowers": 4, "hai_di_zone": "normal",
                   "min_points": 6, "gang_scope": "all", "huang_gang": "pay"},
    "self_drawn": {"zimo_only": True, "lou": "both", "flower_set": "all", "first_dealer": "random"},
}  # fmt: skip
RUIAN: Final[Rooms] = {
    "early_ends": {"four_same_winds_draw": True, "four_gangs_draw": True, "triple_hu_draw": True,
                   "draw_side_settlement": True, "flower_when_white_wild": "none"},
    "long_wall": {"reserve_stacks": 5, "guo_peng": False, "dealer_on_draw": "stay", "roster": 5,
                  "dianpao_pays": "discarder_all", "max_streak": 2},
    "short_wall": {"reserve_stacks": 14, "san_cai_shen_bare": False, "tian_hu_after_gang": True,
                   "side_settlement": "melds", "ji_shu_scope": "all"},
}  # fmt: skip
TOYS: Final[Rooms] = {
    "plain": {},
    "cut_throat": {"several_winners": False, "rob": "none", "proud": True},
    "must_hu": {"must_hu": True},
}
ROOMS: Final[Mapping[str, Rooms]] = {
    "hefei": HEFEI,
    "huaiyuan": HUAIYUAN,
    "jiangxi": JIANGXI,
    "qingdao": QINGDAO,
    "ruian": RUIAN,
}
"""By ruleset; its presets are rooms too."""
