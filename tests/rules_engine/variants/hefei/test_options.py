"""The options of HF-71: every one that scores changes an answer, every wrong value is refused."""

from typing import Any

import pytest

from rules_engine import registry
from rules_engine.errors import Violation
from rules_engine.ruleset import make_options, options_schema
from rules_engine.variants.hefei.options import PRESETS, HefeiOptions
from rules_engine.variants.hefei.score import score
from tests.rules_engine.variants.hefei.results import hand, options, win

OF_PLAY = {
    "hai_lao_must_hu",
    "pass_rule",
    "auto_hu_after_ting",
    "ting_gang",
    "leave_mid_hand",
    "ready_timeout_s",
    "hands_per_game",
    "ladder_start",
}
"""Options that change how a game is played, or the ladder, and no hand's worth."""
QUAD = {"concealed": "22223344m5566p7s", "tile": "7s", "seat": 0}
HUO = {"concealed": "22223478m55p678s", "tile": "6m"}
"""222 234 678 m, 55p, 678s: a kan that is a huo, three suits."""
DOUBLE_RUN = {"concealed": "2233456788m678p", "tile": "4m"}
TONG = {"concealed": "22333444m2234p4p", "tile": "3p"}
"""Five tiles of rank 3 and five of rank 4."""

CHANGES: list[tuple[str, Any, dict[str, Any], dict[str, Any]]] = [
    ("room", "bao_ting", {}, {}),
    ("base_plain", 11, {}, {}),
    ("base_bao_ting", 11, {}, {"room": "bao_ting"}),
    ("min_suit", 9, {}, {}),
    ("allow_qi_dui", False, QUAD, {}),
    ("allow_dianpao", False, {"from_": 1}, {}),
    ("points_zhi", 2, HUO, {}),
    (
        "points_shuang_ba_zhi",
        51,
        {"concealed": "2234p", "tile": "5p", "gangs": "2222m 3333m 7777p"},
        {},
    ),
    ("points_que_men", 2, {"concealed": "23456788m34p678p"}, {}),
    ("points_qing_yi_se", 31, {"concealed": "2233445566778m", "tile": "8m"}, {}),
    ("points_tong", 2, TONG, {}),
    ("tong_count", "best", TONG, {}),
    ("points_kan", 2, HUO, {}),
    ("kan_on_dianpao", False, {"concealed": "23456788m77p678s", "tile": "7p", "from_": 1}, {}),
    ("points_gang", 3, {"concealed": "23456788m34p", "gangs": "7777s"}, {}),
    ("points_huo_ming", 3, {**HUO, "concealed": "22234678m55p678s", "tile": "2m", "from_": 1}, {}),
    ("points_huo_an", 5, HUO, {}),
    ("huo_kan", "huo_only", HUO, {}),
    ("points_shuang_pu_ming", 2, {**DOUBLE_RUN, "from_": 1}, {}),
    ("points_shuang_pu_an", 3, DOUBLE_RUN, {}),
    (
        "shuang_pu_four_runs",
        6,
        {"concealed": "2222333344488m", "tile": "4m"},
        {"points_shuang_pu_an": 9, "allow_qi_dui": False},
    ),
    ("ming_rule", "winning_tile", DOUBLE_RUN, {}),
    ("points_ka", 2, {"concealed": "23456788m46p678s"}, {}),
    ("ka_rule", "single_wait", {"concealed": "2345678m345p678s", "tile": "8m"}, {}),
    ("ka_qi_dui", False, {"concealed": "22334488m5566p7s", "tile": "7s"}, {}),
    ("points_qi_dui", 6, QUAD, {}),
    ("luxury_base", "all", QUAD, {}),
    ("luxury_base", "base_only", QUAD, {}),
    ("points_hai_lao", 11, {"flags": "hai_lao"}, {}),
    ("points_tian_hu", 101, {"seat": 0, "flags": "tian_hu"}, {}),
    ("points_di_hu", 81, {"flags": "di_hu"}, {}),
    ("tian_di_hu_base", False, {"flags": "di_hu"}, {}),
    ("tian_di_hu_best", True, {"flags": "di_hu"}, {"points_di_hu": 0, "tian_di_hu_base": False}),
    ("di_hu_rule", "dealer_first_discard", {"flags": "di_hu"}, {}),
    ("di_hu_rule", "either", {"flags": "dealer_first_discard", "from_": 0}, {}),
    (
        "di_hu_after_own_gang",
        False,
        {"concealed": "23456788m34p", "gangs": "7777s", "flags": "di_hu gang_kai"},
        {},
    ),
    (
        "gang_kai_mult",
        3,
        {"concealed": "23456788m34p", "gangs": "7777s", "flags": "gang_kai"},
        {},
    ),
    ("points_zhuang_dianpao", 2, {"from_": 0}, {}),
    ("points_zhuang_zimo", 3, {}, {}),
    ("zhuang_fen_mode", "dealer_wins", {}, {}),
    ("cap", 10, {}, {}),
    ("initial_ting", True, {"flags": "di_hu ting"}, {"room": "bao_ting"}),
]


@pytest.mark.parametrize(("name", "value", "won", "beside"), CHANGES)
def test_the_option_changes_an_answer(name, value, won, beside):
    facts = hand(win(**won))
    before = score(facts, options(**beside))
    after = score(facts, options(**{**beside, name: value}))
    assert before != after
    assert not (isinstance(before, Violation) and isinstance(after, Violation))


def test_cap_split_changes_what_two_winners_receive():
    wins = (win(seat=1, from_=0), win("34p678m23456788s", seat=3, from_=0))
    answers = {
        split: score(hand(*wins, dealer=2), options(cap=15, cap_split=split)).hand_points
        for split in ("pro_rata", "turn_order")
    }
    assert answers == {"pro_rata": (-15, 8, 0, 7), "turn_order": (-15, 10, 0, 5)}


def test_every_option_is_in_one_of_the_lists():
    changed = {name for name, *_ in CHANGES} | {"cap_split"}
    assert changed | OF_PLAY == set(HefeiOptions.__struct_fields__)
    assert not changed & OF_PLAY


@pytest.mark.parametrize("name", sorted(OF_PLAY))
def test_an_option_of_play_changes_no_score(name):
    allowed = options_schema(HefeiOptions)["properties"][name]
    default = getattr(HefeiOptions(), name)
    others = [*allowed.get("enum", ())] or ([False] if default is True else [default + 1])
    other = next(value for value in others if value != default)
    facts = hand(win())
    assert score(facts, options(**{name: other})) == score(facts, options())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("room", "open"),
        ("room", 1),
        ("base_plain", -1),
        ("base_plain", 1001),
        ("base_plain", "10"),
        ("base_plain", True),
        ("base_plain", 1.5),
        ("min_suit", 15),
        ("allow_qi_dui", 1),
        ("allow_qi_dui", None),
        ("shuang_pu_four_runs", 1),
        ("shuang_pu_four_runs", 7),
        ("gang_kai_mult", 0),
        ("gang_kai_mult", 5),
        ("cap", 1_000_001),
        ("ready_timeout_s", 601),
        ("hands_per_game", 1001),
        ("ladder_start", 2**53),
    ],
)
def test_a_wrong_value_is_refused_with_option_rule_given_and_allowed(name, value):
    found = make_options(HefeiOptions, {name: value})
    assert isinstance(found, Violation)
    assert (found.code, found.actual, found.facts) == ("invalid_option", value, {"option": name})
    assert found.rule in options_schema(HefeiOptions)["properties"][name]["rules"]
    assert name in found.message
    assert found.expected


def test_an_unknown_option_is_refused_with_those_there_are():
    found = make_options(HefeiOptions, {"points_flower": 1})
    assert isinstance(found, Violation)
    assert (found.code, found.actual) == ("unknown_option", "points_flower")
    assert found.expected == sorted(HefeiOptions.__struct_fields__)


def test_every_option_says_what_it_means_and_which_rules_it_changes():
    rules = registry.get("hefei").rules
    for name, field in options_schema(HefeiOptions)["properties"].items():
        assert field["zh"], name
        assert field["description"], name
        assert field["rules"], name
        assert all(rule in rules for rule in field["rules"]), name


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_valid(name):
    assert isinstance(make_options(HefeiOptions, PRESETS[name]), HefeiOptions)
