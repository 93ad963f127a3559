"""What may not be recorded: the reasons of JX-77 in their order, and facts that cannot be."""

from typing import Any

import pytest

from rules_engine.facts import HandFacts
from tests.rules_engine.variants.jiangxi.results import (
    hand,
    holding,
    items,
    refused,
    scored,
    win,
)

BAO_HAND: dict[str, Any] = {"concealed": "1234569m4p678s11z", "tile": "6p"}
"""The bao 9m replaces 5p."""


def bao_win(**given: Any) -> HandFacts:
    return hand(win(**BAO_HAND, **given), wild="9m")


def gang_win(**given: Any) -> HandFacts:
    return hand(win("123567m4588p", "6p", melds=["an_gang 2222s"], **given), wild="9s")


ROB: dict[str, Any] = {"concealed": "123456m46p678s11z", "tile": "5p", "by": "qiang_gang"}


def rob(*others: Any, **given: Any) -> HandFacts:
    table = given.pop("table", ())
    return hand(win(**ROB, from_=0, seat=3, **given), *others, wild="9m", table=table)


REASONS: list[tuple[str, str, HandFacts, dict[str, Any], str]] = [
    ("not_a_win", "no shape", hand(win(tile="9s")), {}, "JX-77"),
    ("not_a_win", "a tile too few", hand(win("123456m345p67s1z")), {}, "JX-77"),
    ("discard_win_off", "no discards", hand(win(from_=1)), {"discard_win": "di_hu_only"}, "JX-50"),
    ("wild_needs_self_draw", "bao replaces", bao_win(from_=1), {}, "JX-50"),
    ("wild_needs_self_draw", "bao held", hand(win("456m123789p2267s", from_=1), wild="5m"),
     {"qing_strict": True}, "JX-50"),
    ("pass_hu_locked", "on a discard", hand(win(from_=1, flags="hu_locked")), {}, "JX-52"),
    ("pass_hu_locked", "on a gang", rob(flags="hu_locked"), {}, "JX-52"),
    ("rob_not_allowed", "an an_gang", rob(flags="rob:an_gang"), {"rob_kinds": "bu_gang"}, "JX-58"),
    ("one_winner_per_discard", "two on one", hand(
        win("123456789s46p22z", "5p", seat=1, from_=0),
        win("234567m46p111s33z", "5p", seat=3, from_=0), wild="9m"), {}, "JX-48"),
    ("one_winner_per_gang", "two on one", rob(
        win("9m123456789s222z", "5p", by="qiang_gang", from_=0, seat=1)),
     {"rob_winners": "first"}, "JX-49"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "facts", "given", "rule"),
    [pytest.param(code, *rest, id=f"{code} {name}") for code, name, *rest in REASONS],
)
def test_a_hand_is_refused_for_its_reason(
    code: str, facts: HandFacts, given: dict[str, Any], rule: str
):
    violation = refused(facts, **given)
    assert (violation.code, violation.rule) == (code, rule)


def test_a_wrong_number_of_tiles_is_told():
    violation = refused(hand(win("123456m345p67s1z")))
    assert (violation.expected, violation.actual) == (14, 13)
    assert "13 tiles and should be 14" in violation.message
    assert "tiles and should" not in refused(hand(win(tile="9s"))).message


def test_the_first_reason_in_the_order_of_the_rule_page_is_given():
    facts = bao_win(from_=1, flags="hu_locked rob:an_gang")
    assert refused(facts, discard_win="di_hu_only").code == "flag_impossible"
    facts = hand(win(tile="9s", from_=1, flags="hu_locked"))
    assert refused(facts, discard_win="di_hu_only").code == "not_a_win"
    facts = bao_win(from_=1, flags="hu_locked")
    assert refused(facts, discard_win="di_hu_only").code == "discard_win_off"
    assert refused(facts).code == "wild_needs_self_draw"
    assert refused(facts, discard_win="all").code == "pass_hu_locked"
    facts = rob(flags="hu_locked rob:ming_gang")
    assert refused(facts, rob_kinds="bu_gang").code == "pass_hu_locked"
    two = rob(win("9m123456789s222z", "5p", by="qiang_gang", from_=0, seat=1,
                  flags="rob:an_gang"), flags="rob:an_gang")  # fmt: skip
    assert refused(two, rob_kinds="bu_gang", rob_winners="first").code == "rob_not_allowed"


IMPOSSIBLE: list[tuple[str, HandFacts]] = [
    ("tian_hu on a discard", hand(win(from_=1, flags="tian_hu"), dealer=2)),
    ("tian_hu of another seat", hand(win(flags="tian_hu"))),
    ("tian_hu with melds", hand(win("123567m4588p", "6p", melds=["an_gang 2222s"],
                                    flags="tian_hu"), dealer=2, wild="9s")),
    ("di_hu by zimo", hand(win(flags="di_hu"))),
    ("di_hu of another's discard", hand(win(from_=1, flags="di_hu"))),
    ("di_hu with melds", hand(win("123567m4588p", "6p", melds=["an_gang 2222s"], from_=0,
                                  flags="di_hu"), wild="9s")),
    ("tian_hu after flying", hand(win(flags="tian_hu fei_bao:1"), dealer=2)),
    ("tian_hu after stealing", hand(win(flags="tian_hu tou_ji"), dealer=2)),
    ("tian_hu and gang_kai", hand(win(flags="tian_hu gang_kai"), dealer=2)),
    ("gang_kai on a discard", gang_win(from_=1, flags="gang_kai")),
    ("gang_kai without a gang", hand(win(flags="gang_kai"))),
    ("gang_kai beside a peng", hand(win("123567m4588p", "6p", melds=["peng 222s 1"],
                                        flags="gang_kai"), wild="9s")),
    ("rob without robbing", hand(win(flags="rob:bu_gang"))),
    ("hu_locked on an own draw", hand(win(flags="hu_locked"))),
    ("five bao", hand(win("456m123789p2267s", flags="fei_bao:4"), wild="5m")),
    ("five bao, one just drawn", hand(win("46m123789p22678s", "5m", flags="fei_bao:4"),
                                      wild="5m")),
    ("five bao, one in a meld", hand(win("78p123s44z777z", "9p", melds=["chi 456m 1"],
                                         flags="fei_bao:4"), wild="5m")),
    ("si_bao of one", hand(win("123456m789p1113s", "7z", flags="si_bao"), wild="3s")),
    ("two seats with four bao", hand(table=(holding(0, flags="si_bao"),
                                            holding(1, flags="si_bao")))),
    ("four bao and one caught", hand(table=(holding(0, flags="si_bao"),
                                            holding(1, flags="jie_bao:2")))),
    ("a bao caught from oneself", hand(table=(holding(1, flags="jie_bao:1"),))),
]  # fmt: skip


@pytest.mark.parametrize(
    "facts", [facts for _, facts in IMPOSSIBLE], ids=[name for name, _ in IMPOSSIBLE]
)
def test_a_flag_that_the_hand_refutes_is_refused(facts: HandFacts):
    violation = refused(facts)
    assert (violation.code, violation.rule) == ("flag_impossible", "JX-150")


def test_without_jie_bao_nobody_catches_one():
    facts = hand(table=(holding(1, flags="jie_bao:2"),))
    assert refused(facts, jie_bao=0).code == "flag_impossible"


def test_four_bao_are_not_counted_where_they_may_be_claimed():
    facts = hand(win("123456m789p1113s", "7z", flags="si_bao"), wild="3s")
    assert items(facts, claim_wild=True) == {"bao_diao_tou": 4}


def test_a_tou_ji_without_the_state_is_ignored():
    assert items(hand(win(flags="tou_ji"))) == {"ping_hu_zi_mo": 4}


@pytest.mark.parametrize(
    "flags", ["odd", "fei_bao", "fei_bao:0", "fei_bao:5", "rob:peng", "jie_bao:4", "tou_ji:1",
              "tou_ji tou_ji", "fei_bao:1 fei_bao:2"]
)  # fmt: skip
def test_a_flag_the_game_does_not_have_is_refused(flags: str):
    assert refused(hand(win(flags=flags))).code == "unknown_flag"


@pytest.mark.parametrize("flags", ["tou_ji", "tian_hu", "fei_bao:1", "odd"])
def test_a_seat_that_did_not_win_has_no_winners_flag(flags: str):
    assert refused(hand(table=(holding(1, flags=flags),))).code == "unknown_flag"


BAD: list[tuple[str, str, str, HandFacts]] = [
    ("no wild", "wild_missing", "JX-12", hand(win(), wild=None)),
    ("no wild in a draw", "wild_missing", "JX-12", hand(wild=None)),
    ("a flower as wild", "wild_missing", "JX-12", hand(win(), wild="1f")),
    ("flowers in hand", "bad_tiles", "JX-10", hand(win("123456m345p67s1z1f"))),
    ("flowers set aside", "bad_tiles", "JX-10", hand(win(flowers="1f"))),
    ("a flower won on", "bad_tiles", "JX-10", hand(win(tile="1f"))),
    ("a meld of flowers", "bad_tiles", "JX-10", hand(table=(holding(1, "peng 123f 2"),))),
    ("a loser's flowers", "bad_tiles", "JX-10", hand(table=(holding(1, flowers="2f"),))),
    ("five melds", "bad_meld", "JX-72", hand(table=(
        holding(1, "peng 111m 2", "peng 222m 2", "peng 333m 2", "peng 444m 2", "peng 555m 2"),))),
    ("a chi of honours", "bad_meld", "JX-40", hand(table=(holding(1, "chi 123z 0"),))),
    ("a chi with a gap", "bad_meld", "JX-40", hand(table=(holding(1, "chi 124m 0"),))),
    ("a chi over two suits", "bad_meld", "JX-40", hand(table=(holding(1, "chi 89m1p 0"),))),
    ("a chi of one tile", "bad_meld", "JX-40", hand(table=(holding(1, "chi 1m 0"),))),
    ("a chi from across", "bad_meld", "JX-40", hand(table=(holding(1, "chi 123m 3"),))),
    ("a peng of two kinds", "bad_meld", "JX-41", hand(table=(holding(1, "peng 112m 3"),))),
    ("a peng from nobody", "bad_meld", "JX-41", hand(table=(holding(1, "peng 111m"),))),
    ("a peng from oneself", "bad_meld", "JX-41", hand(table=(holding(1, "peng 111m 1"),))),
    ("a gang of three", "bad_meld", "JX-42", hand(table=(holding(1, "an_gang 111m"),))),
    ("an an_gang from somebody", "bad_meld", "JX-42", hand(table=(holding(1, "an_gang 1111m 2"),))),
    ("a ming_gang from nobody", "bad_meld", "JX-42", hand(table=(holding(1, "ming_gang 1111m"),))),
    ("a bu_gang from oneself", "bad_meld", "JX-42", hand(table=(holding(1, "bu_gang 1111m 1"),))),
    ("an unknown meld", "bad_meld", "JX-42", hand(table=(holding(1, "niu 567z"),))),
    ("a peng of bao", "wild_not_claimable", "JX-46", hand(table=(holding(1, "peng 999p 2"),))),
    ("a gang of discarded bao", "wild_not_claimable", "JX-46", hand(table=(
        holding(1, "ming_gang 9999p 2"),))),
    ("four of the indicator's kind", "too_many_tiles", "JX-14", hand(table=(
        holding(1, "an_gang 8888p"),))),
    ("the fourth of the indicator's kind drawn", "too_many_tiles", "JX-14", hand(
        win("123456m888p67s11z"), table=(holding(1, "chi 678p 0"),))),
    ("winning on the fourth of the indicator's kind", "too_many_tiles", "JX-14", hand(
        win("123456m67888p11z", "8p"))),
    ("a robbed gang of the indicator's kind", "too_many_tiles", "JX-14", hand(
        win("123456m67p678s11z", "8p", by="qiang_gang", from_=0))),
    ("a robber who holds the tile", "too_many_tiles", "JX-58", hand(
        win("123456m55p678s11z", "5p", by="qiang_gang", from_=0))),
    ("another seat that holds the robbed tile", "too_many_tiles", "JX-58", rob(
        table=(holding(1, "chi 567p 0"),))),
    ("a robbed gang told as one that stands", "bad_meld", "JX-91", rob(
        table=(holding(0, "bu_gang 5555p 2"),))),
    ("a seat given twice", "seat_twice", "", hand(table=(holding(1), holding(1)))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "rule", "facts"), [each[1:] for each in BAD], ids=[each[0] for each in BAD]
)
def test_facts_that_cannot_be_are_refused(code: str, rule: str, facts: HandFacts):
    violation = refused(facts)
    assert (violation.code, violation.rule) == (code, rule), violation


def test_claimed_bao_are_melds_where_the_club_allows_it():
    facts = hand(table=(holding(1, "peng 999p 2"),))
    assert refused(facts).code == "wild_not_claimable"
    assert items(hand(win(), table=(holding(1, "peng 999p 3"),)), claim_wild=True)


def test_a_robbed_bu_gang_may_be_told_with_the_rest_of_its_owner():
    assert items(rob(table=(holding(0, "peng 555p 2"), holding(1, "an_gang 3333z"))))


def test_the_cycle_decides_which_kind_is_short():
    four = hand(table=(holding(1, "an_gang 4444z"),), wild="7z")
    assert refused(four, honour_cycle="seven").code == "too_many_tiles"
    assert scored(four).gang_points == (-3, 9, -3, -3)
