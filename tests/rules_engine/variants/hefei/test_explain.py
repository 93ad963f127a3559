"""The explanation: every item with its reason, given or not, in both languages."""

import pytest

from rules_engine import registry
from rules_engine.variants.hefei.items import ITEMS
from rules_engine.variants.hefei.reasons import REASONS
from tests.rules_engine.variants.hefei.results import explained, win

GANG = {"concealed": "23456788m34p", "gangs": "7777s"}
PAIRS = {"concealed": "22334488m5566p7s", "tile": "7s"}
DOUBLE_RUN = {"concealed": "2233456788m678p", "tile": "4m"}
TRIPLETS = {"concealed": "22244466688m88s", "tile": "8s"}
ONE_RUN = {"concealed": "222444666m3p678s", "tile": "3p"}
ALL_GANGS = {"concealed": "8m", "tile": "8m", "gangs": "2222m 4444p 6666s 7777s"}
HUO = {"concealed": "22234678m55p678s", "tile": "2m"}


def why_given(answer, item):
    return next(each.en for each in answer.wins[0].given if each.id == item)


def why_not(answer, item):
    return next(each.en for each in answer.wins[0].not_given if each.id == item)


def test_every_item_has_its_reasons():
    assert REASONS.keys() == {item.id for item in ITEMS}


@pytest.mark.parametrize(
    ("item", "won", "given", "words"),
    [
        ("base", {}, {"room": "bao_ting"}, "bao-ting room"),
        ("base", {}, {}, "plain room"),
        ("zhi", {"concealed": "23456788m34m678s", "tile": "5m"}, {}, "11m 0p 3s"),
        (
            "shuang_ba_zhi",
            {"concealed": "2234p", "tile": "5p", "gangs": "2222m 3333m 7777p"},
            {},
            "two suits",
        ),
        ("que_men", {"concealed": "23456788m34p678p"}, {}, "exactly one"),
        ("qing_yi_se", {"concealed": "2233445566778m", "tile": "8m"}, {}, "All 14 tiles"),
        ("tong", {"concealed": "22333444m2234p4p", "tile": "3p"}, {}, "3×5 4×5"),
        (
            "tong",
            {"concealed": "22333444m2234p4p", "tile": "3p"},
            {"tong_count": "best"},
            "largest",
        ),
        ("kan", {"concealed": "23456788m77p678s", "tile": "7p"}, {}, "7p"),
        ("gang", GANG, {}, "1 concealed gang"),
        ("huo_ming", {**HUO, "from_": 1}, {}, "the win was on 2m"),
        ("huo_an", HUO, {}, "Triplet of 2m"),
        ("shuang_pu_ming", {**DOUBLE_RUN, "from_": 1}, {}, "234m×2"),
        ("shuang_pu_an", DOUBLE_RUN, {}, "234m×2"),
        ("ka", {"concealed": "23456788m46p678s"}, {}, "5p is the middle of 456p"),
        ("ka", {"concealed": "2356788m345p678s", "tile": "4m"}, {}, "4m is the edge of 234m"),
        ("ka", {"concealed": "2345678m345p678s", "tile": "8m"}, {}, "makes the pair 88m"),
        ("ka", PAIRS, {}, "pair of 7s"),
        ("qi_dui", PAIRS, {}, "seven pairs"),
        ("hai_lao", {"flags": "hai_lao"}, {}, "last four tiles"),
        ("tian_hu", {"seat": 0, "flags": "tian_hu"}, {}, "dealt tiles"),
        ("di_hu", {"flags": "di_hu"}, {}, "first turn"),
        (
            "di_hu",
            {"flags": "dealer_first_discard", "from_": 0},
            {"di_hu_rule": "either"},
            "first discard",
        ),
        ("hao_hua_qi_dui", {"concealed": "22223344m5566p7s", "tile": "7s"}, {}, "1 quad"),
        (
            "hao_hua_qi_dui",
            {"concealed": "22223344m5566p7s", "tile": "7s"},
            {"luxury_base": "base_only"},
            "the base",
        ),
        (
            "hao_hua_qi_dui",
            {"concealed": "22223344m5566p7s", "tile": "7s", "seat": 0},
            {"luxury_base": "all"},
            "dealer's bonus",
        ),
        ("gang_kai", {**GANG, "flags": "gang_kai"}, {}, "S = 13 counts twice."),
        ("zhuang_fen", {"seat": 0}, {}, "streak 1, by self-draw."),
        ("zhuang_fen", {"seat": 0, "from_": 1}, {}, "by discard"),
    ],
)
def test_an_item_that_counts_says_why(item, won, given, words):
    assert words in why_given(explained(win(**won), **given), item)


@pytest.mark.parametrize(
    ("item", "won", "given", "words"),
    [
        ("base", {}, {"base_plain": 0}, "base of this room is 0"),
        ("base", {"flags": "di_hu"}, {"tian_di_hu_base": False}, "tian_di_hu_base"),
        ("zhi", {}, {}, "longest suit has 8 tiles"),
        ("zhi", {}, {"points_zhi": 0}, "0 points for it (option points_zhi)"),
        ("shuang_ba_zhi", {}, {}, "second longest suit has 3"),
        ("que_men", {}, {}, "shortest has 3"),
        (
            "que_men",
            {"concealed": "2233445566778m", "tile": "8m"},
            {},
            "the item of one suit alone.",
        ),
        ("qing_yi_se", {}, {}, "6 tiles are of other suits (3p 3s)"),
        ("tong", {}, {}, "more than 3 tiles"),
        ("kan", {}, {}, "no triplet; its runs are 234m 567m 345p 678s."),
        ("kan", ALL_GANGS, {}, "All four sets are gangs"),
        ("kan", PAIRS, {}, "Seven pairs has no triplet"),
        ("kan", HUO, {"huo_kan": "huo_only"}, "huo_kan"),
        ("gang", {}, {}, "No concealed gang was declared"),
        ("huo_ming", {}, {}, "This reading has no triplet"),
        ("huo_ming", TRIPLETS, {}, "The fourth tile of 222m 444m 666m 888s lies in no run."),
        ("huo_ming", HUO, {}, "all one's own"),
        ("huo_an", PAIRS, {}, "neither triplet nor run"),
        ("huo_an", {**HUO, "from_": 1}, {}, "and is an open one."),
        ("shuang_pu_ming", {}, {}, "No two runs are the same: 234m 567m 345p 678s."),
        ("shuang_pu_ming", TRIPLETS, {}, "This reading has no run."),
        ("shuang_pu_an", ONE_RUN, {}, "There is one run only, 678s."),
        ("shuang_pu_ming", DOUBLE_RUN, {}, "all one's own"),
        ("shuang_pu_an", PAIRS, {}, "no run"),
        ("shuang_pu_an", {**DOUBLE_RUN, "from_": 1}, {}, "and is an open one."),
        ("ka", {}, {}, "5p lies at the open end of 345p"),
        ("ka", {"concealed": "23456788m77p678s", "tile": "7p"}, {}, "completes the triplet 777p"),
        ("ka", PAIRS, {"ka_qi_dui": False}, "ka_qi_dui"),
        (
            "ka",
            {"concealed": "2345678m345p678s", "tile": "8m"},
            {"ka_rule": "single_wait"},
            "ka_rule",
        ),
        (
            "qi_dui",
            {},
            {},
            "The hand is read as 234m 567m 345p 678s and a pair, which is not seven pairs.",
        ),
        ("qi_dui", GANG, {}, "with a gang"),
        ("hai_lao", {}, {}, "not on one of the last four"),
        ("tian_hu", {}, {}, "not the dealer"),
        ("tian_hu", {"seat": 0}, {}, "not with the dealt tiles"),
        (
            "tian_hu",
            {"seat": 0, "flags": "tian_hu", "concealed": "23456788m46p678s"},
            {"points_tian_hu": 0, "tian_di_hu_best": True},
            "0 points",
        ),
        (
            "tian_hu",
            {"seat": 0, "flags": "tian_hu", "concealed": "2233445566778m", "tile": "8m"},
            {"points_tian_hu": 1, "tian_di_hu_best": True},
            "ordinary score is higher",
        ),
        ("di_hu", {}, {}, "not in the first turn"),
        ("di_hu", {"seat": 0}, {}, "dealer cannot"),
        ("di_hu", {"flags": "di_hu"}, {"di_hu_rule": "dealer_first_discard"}, "self-drawn"),
        (
            "di_hu",
            {**GANG, "flags": "di_hu gang_kai"},
            {"di_hu_after_own_gang": False},
            "own gang came first",
        ),
        (
            "di_hu",
            {"flags": "dealer_first_discard", "from_": 0},
            {},
            "first discard is no earthly win here",
        ),
        (
            "di_hu",
            {"flags": "di_hu", "concealed": "2233445566778m", "tile": "8m"},
            {"points_di_hu": 1, "tian_di_hu_best": True},
            "ordinary score is higher",
        ),
        ("hao_hua_qi_dui", {}, {}, "and a pair, which is not seven pairs."),
        ("hao_hua_qi_dui", PAIRS, {}, "no four identical tiles"),
        (
            "hao_hua_qi_dui",
            {"concealed": "22223344m5566p7s", "tile": "7s"},
            {"luxury_base": "base_only", "base_plain": 0},
            "multiply is 0",
        ),
        ("gang_kai", {}, {}, "not on a replacement tile"),
        ("gang_kai", {**GANG, "flags": "gang_kai"}, {"gang_kai_mult": 1}, "multiplies by 1"),
        ("zhuang_fen", {}, {}, "not the dealer"),
        ("zhuang_fen", {"seat": 0}, {"points_zhuang_zimo": 0}, "bonus is 0"),
        ("kan", {"flags": "di_hu"}, {}, "With an earthly win no other item counts."),
        ("kan", {"seat": 0, "flags": "tian_hu"}, {}, "With a heavenly win no other item counts."),
    ],
)
def test_an_item_that_does_not_count_says_why_not(item, won, given, words):
    assert words in why_not(explained(win(**won), **given), item)


def test_a_rival_reading_that_has_the_item_is_named_with_what_it_lacks():
    answer = explained(win("2223333444455m", "5m", seat=1, from_=2))
    assert why_not(answer, "shuang_pu_an") == (
        "The reading 234m 234m 234m 345m 55m with 5m in 55m has it but totals 51, which is 7 less."
    )
    assert answer.wins[0].total == 51 + 7
    pairs = explained(win("2233445566778m", "8m"))
    assert "The reading" in why_not(pairs, "shuang_pu_an")
    assert "totals" in why_not(pairs, "shuang_pu_an")


def test_seven_pairs_as_a_rival_names_no_place():
    answer = explained(win("2233445566778m", "8m"), points_qi_dui=0, points_shuang_pu_an=9)
    assert "0 points" in why_not(answer, "qi_dui")
    answer = explained(win("2233445566778m", "8m"), points_shuang_pu_an=9)
    assert why_not(answer, "qi_dui").startswith("The reading 22m 33m 44m 55m 66m 77m 88m has it")


def test_a_rival_of_the_same_total_loses_by_the_order_of_the_items():
    answer = explained(
        win("22233344455p88m", "8m", from_=1), min_suit=0, points_kan=2, points_shuang_pu_an=3
    )
    assert why_not(answer, "shuang_pu_an").endswith("the order of the items decides.")


def test_the_waits_before_the_winning_tile_are_told():
    assert explained(win()).wins[0].waits == ("2p", "5p")


def test_notes_tell_what_concerns_the_payments():
    assert [note.points for note in explained(win(), streak=500).notes] == [1000, 981, 9]
    assert explained(win(seat=0)).notes == ()
    drawn = explained().notes
    assert [note.points for note in drawn] == [0]
    assert "void" in drawn[0].en


def test_every_rule_named_is_on_the_rule_page_of_75():
    rules = registry.get("hefei").rules
    assert list(rules) == [f"HF-{number}" for number in range(1, 76)]
    assert all(rule.zh and rule.en and rule.provenance for rule in rules.values())
    assert {item.rule for item in ITEMS} <= rules.keys()
