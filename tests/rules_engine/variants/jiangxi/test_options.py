"""What a club may change: every option changes an answer, every wrong one is refused."""

from typing import Any

import pytest

from rules_engine import registry
from rules_engine.errors import Violation
from rules_engine.facts import HandFacts
from rules_engine.ruleset import dump_options, make_options, options_schema
from rules_engine.variants.jiangxi.options import PRESETS, JiangxiOptions
from rules_engine.variants.jiangxi.score import score
from tests.rules_engine.variants.jiangxi.results import hand, holding, items, options, win

OF_PLAY = {"pass_peng_lock", "dice", "draw_end", "reserve", "next_dealer"}
"""Options that change how a hand is played and no hand's worth; ``test_play`` tries them."""
GANGS = hand(
    table=(
        holding(0, "an_gang 4444s"),
        holding(1, "ming_gang 2222m 3"),
        holding(2, "bu_gang 7777p 1"),
    )
)
DIAO = ("123456m789p1113s", "7z")
STOLEN = hand(win(*DIAO, flags="tou_ji"), wild="3s")
BAO_BAO = hand(win("123456m78p11133s", "3s", flags="tou_ji"), wild="3s")
WU_BAO = hand(win("123456m789p1113s", "3s", flags="tou_ji"), wild="3s")
ROBBED = hand(
    win("123456m46p678s11z", "5p", by="qiang_gang", from_=0, flags="rob:an_gang"), wild="9m"
)
TWO_ROBBERS = hand(
    win("123456m46p678s22z", "5p", by="qiang_gang", from_=0, seat=1),
    win("234567m46p111s33z", "5p", by="qiang_gang", from_=0, seat=3),
    wild="9m",
)
BAO_ON_DISCARD = hand(win("1234569m4p678s11z", "6p", from_=1), wild="9m")
QI_DUI = hand(win("1133m5577p229s46z", "4z"), wild="9s")
HAO_HUA = hand(win("111339m5577p99s2z", "2z"), wild="9m")
LANG = hand(win("147m458p369s1234z", "5z"), wild="5p")
STAR_LANG = hand(win("147m25p36s123456z", "7z"))
YAO = hand(win("1m19p1346z", "7z", melds=["peng 999s 1", "peng 222z 0"]), wild="5p")
STAR_YAO = hand(win("19m9p1s134567z", "9s", melds=["peng 222z 3"]), wild="5p")
EDGE_PAIRS = hand(win("1199m1199p99s337z", "7z"), wild="5p")
TRIPLETS = hand(win("3m22444s7z", "7z", melds=["peng 111m 0", "peng 999p 3"]), wild="3m")
DIAO_TRIPLETS = hand(win("222p3444s", "6z", melds=["peng 111m 0", "peng 999p 3"]), wild="3s")
LOCKED = hand(win(from_=0, flags="hu_locked"))
FOUR = hand(win(), table=(holding(3, flags="si_bao"),))
FOUR_DRAWN = hand(table=(holding(3, flags="si_bao"),))
CAUGHT = hand(table=(holding(3, flags="jie_bao:0"),))

CHANGES: list[tuple[str, Any, HandFacts, dict[str, Any]]] = [
    ("discard_win", "all", BAO_ON_DISCARD, {}),
    ("discard_win", "di_hu_only", hand(win(from_=0)), {}),
    ("qing_strict", True, hand(win("456m123789p2267s"), wild="5m"), {}),
    ("wild_in_special", False, LANG, {}),
    ("jiu_yao_melds", False, YAO, {}),
    ("jiu_yao_stack", True, EDGE_PAIRS, {}),
    ("hao_hua_wild", False, HAO_HUA, {}),
    ("peng_peng_in_diao", True, DIAO_TRIPLETS, {}),
    ("tou_ji_required", False, hand(win("123456m789p1113s", "3s"), wild="3s"), {}),
    ("rob_kinds", "bu_gang", ROBBED, {}),
    ("rob_winners", "first", TWO_ROBBERS, {}),
    ("pass_hu_lock", False, LOCKED, {}),
    ("claim_wild", True, hand(table=(holding(1, "ming_gang 9999p 2"),)), {}),
    ("dian_pao_shares", 2, hand(win(from_=0)), {}),
    ("qiang_gang_shares", 2, ROBBED, {}),
    ("cap", 3, hand(win()), {}),
    ("value_tian_hu", 17, hand(win(flags="tian_hu"), dealer=2), {}),
    ("value_di_hu", 17, hand(win(from_=0, flags="di_hu")), {}),
    ("value_qing_hao_hua_qi_dui", 33, hand(win("111155m3388p66s7z", "7z"), wild="4z"), {}),
    ("value_hao_hua_qi_dui", 17, HAO_HUA, {}),
    ("value_qing_qi_dui", 17, EDGE_PAIRS, {}),
    ("value_qi_dui", 9, QI_DUI, {}),
    ("value_qing_peng_peng_hu", 17, hand(win("111m88p333s66z", "8p", melds=["peng 555p 1"])), {}),
    ("value_peng_peng_hu", 9, TRIPLETS, {}),
    ("value_qi_xing_shi_san_lang", 9, STAR_LANG, {}),
    ("value_shi_san_lang", 5, LANG, {}),
    ("value_bao_diao_tou", 5, STOLEN, {}),
    ("value_ping_hu_zi_mo", 5, hand(win()), {}),
    ("value_ping_hu", 3, hand(win(from_=0)), {}),
    ("value_qi_xing_jiu_yao", 5, STAR_YAO, {}),
    ("value_jiu_yao", 3, YAO, {}),
    ("factor_gang_kai", 3, hand(win("123567m4588p", "6p", melds=["an_gang 2222s"],
                                    flags="gang_kai"), wild="9s"), {}),
    ("factor_qiang_gang", 3, ROBBED, {}),
    ("factor_tou_ji", 3, STOLEN, {}),
    ("factor_bao_diao_bao", 3, BAO_BAO, {}),
    ("factor_bao_diao_wu_bao", 3, WU_BAO, {}),
    ("factor_fei_bao", 3, hand(win(flags="fei_bao:2")), {}),
    ("factor_dan_diao", 3, hand(win("1z", "1z", melds=["chi 123m 1", "peng 555p 0",
                                    "peng 777s 3", "chi 456s 1"]), wild="9m"), {}),
    ("factor_jiu_yao_jia", 3, EDGE_PAIRS, {"jiu_yao_stack": True}),
    ("gang_an", 4, GANGS, {}),
    ("gang_ming", 4, GANGS, {}),
    ("gang_bu", 4, GANGS, {}),
    ("ming_gang_payer", "discarder", GANGS, {}),
    ("gang_on_draw", False, GANGS, {}),
    ("si_bao", 25, FOUR, {}),
    ("si_bao_draw", 41, FOUR_DRAWN, {}),
    ("jie_bao", 25, CAUGHT, {}),
    ("jie_bao", 0, CAUGHT, {}),
    ("jie_bao_payer", "all", CAUGHT, {}),
    ("honour_cycle", "seven", hand(table=(holding(1, "an_gang 4444z"),), wild="7z"), {}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "facts", "given"),
    CHANGES,
    ids=[f"{name}={value}" for name, value, _, _ in CHANGES],
)
def test_an_option_changes_an_answer(
    name: str, value: Any, facts: HandFacts, given: dict[str, Any]
):
    before, after = options(**given), options(**given | {name: value})
    assert score(facts, before) != score(facts, after)


def test_every_option_is_tried():
    names = set(dump_options(JiangxiOptions()))
    assert {name for name, *_ in CHANGES} | OF_PLAY == names
    assert not {name for name, *_ in CHANGES} & OF_PLAY


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_a_set_of_options(name: str):
    assert isinstance(make_options(JiangxiOptions, PRESETS[name]), JiangxiOptions)


def test_the_wuyuan_table_scores_as_its_server_does():
    given = PRESETS["wuyuan"]
    assert items(STOLEN, **given) == {"bao_diao_tou": 4}
    assert items(QI_DUI, **given) == {"qi_dui": 6}
    assert items(hand(win(from_=0, flags="di_hu")), **given) == {"di_hu": 16}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("discard_win", "never"),
        ("qing_strict", 1),
        ("dian_pao_shares", 0),
        ("dian_pao_shares", 4),
        ("cap", -1),
        ("cap", 100_001),
        ("value_tian_hu", 1001),
        ("factor_fei_bao", 0),
        ("factor_fei_bao", 17),
        ("dice", 3),
        ("reserve", 41),
        ("jie_bao", "24"),
    ],
)
def test_a_value_outside_its_range_is_refused_with_its_rule(name: str, value: Any):
    violation = make_options(JiangxiOptions, {name: value})
    assert isinstance(violation, Violation)
    assert violation.code == "invalid_option"
    assert violation.rule in registry.get("jiangxi").rules
    assert violation.facts == {"option": name}
    assert violation.actual == value


def test_an_unknown_option_is_refused():
    violation = make_options(JiangxiOptions, {"jing": True})
    assert isinstance(violation, Violation)
    assert violation.code == "unknown_option"


def test_every_option_tells_its_rules_and_its_meaning_in_both_languages():
    rules = registry.get("jiangxi").rules
    for name, schema in options_schema(JiangxiOptions)["properties"].items():
        assert set(schema["rules"]) <= set(rules), name
        assert schema["description"], name
        assert schema["zh"], name
