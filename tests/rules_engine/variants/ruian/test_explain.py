"""What is said about a Rui'an hand: why items count and why not, the waits, notes on payments."""

from typing import Any

import msgspec
import pytest

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts
from rules_engine.score import HandExplanation
from rules_engine.variants.ruian.explain import explain
from rules_engine.variants.ruian.reasons import REASONS
from tests.rules_engine.variants.ruian.hands import made
from tests.rules_engine.variants.ruian.logs import RULESET

Body = dict[str, Any]
PLAIN = {"concealed": "123456m234678p55s67s", "tile": "8s"}


def explained(
    concealed: str,
    tile: str,
    given: Body | None = None,
    *,
    wild: str = "9s",
    seat: int = 2,
    by: str = "dianpao",
    table: list[Body] | None = None,
    **more: Any,
) -> HandExplanation:
    """The explanation of a hand."""
    giver = None if by == "zimo" else (seat + 1) % 4
    win = {"seat": seat, "by": by, "from": giver, "tile": tile, "concealed": concealed, **more}
    body = {"dealer": 0, "result": "hu", "wild": wild, "wins": [win], "table": table or []}
    answer = explain(msgspec.convert(body, HandFacts), made(given or {})[0])
    assert isinstance(answer, HandExplanation), answer
    return answer


def why_not(answer: HandExplanation, item_id: str) -> str:
    """The English sentence of an item not given."""
    return next(each.en for each in answer.wins[0].not_given if each.id == item_id)


def why(answer: HandExplanation, item_id: str) -> str:
    """The English sentence of an item given."""
    return next(each.en for each in answer.wins[0].given if each.id == item_id)


def test_each_item_is_explained_once():
    computed = {"la_zhi", "la_zhi_extra", "di"}
    assert {item.id for item in RULESET.items} == set(REASONS) | computed


def test_a_plain_hand_names_its_wait_and_its_waits():
    answer = explained(**PLAIN)
    win = answer.wins[0]
    assert win.waits == ("5s", "8s", "9s")
    assert win.reading == ("123m", "456m", "234p", "678p", "678s", "55s")
    assert [(step.en, step.points) for step in win.formula] == [
        ("hu added up", 50),
        ("doubled once (1 tai)", 100),
        ("times 2", 200),
    ]
    assert why_not(answer, "bian_dang") == "The winning tile 8s is at an outer end of a run."
    assert why_not(answer, "qing_yi_se") == (
        "The tiles are 6 of m, 6 of p and 5 of s; it takes one suit alone."
    )
    assert why_not(answer, "la_zhi") == "1 tai; 3 reach the limit."


@pytest.mark.parametrize(
    ("hand", "item_id", "sentence"),
    [
        ({**PLAIN, "concealed": "123456m234678p67s66z"}, "ping_hu",
         "The pair 66z is zhong, fa or the own wind."),
        (PLAIN, "dui_fa", "The pair is 55s; it takes two of 6z, at most one a substitute."),
        (PLAIN, "di_hu", "The winning tile 8s is not the dealer's first discard."),
        ({"concealed": "12456m234678p55s678s", "tile": "3m"}, "ping_hu",
         "The winning tile 3m is at the edge of a run (123 by 3, 789 by 7)."),
        ({"concealed": "123456m23477p55678s", "tile": "7p"},
         "ping_hu", "It has 4 runs; a flat hand has five."),
        (PLAIN, "zi_feng_ke",
         "The hand holds 0 of 3z; it takes three, at most one a substitute."),
        (PLAIN, "shuang_cai_shen", "The hand holds no wild; it takes 2."),
        (PLAIN, "shuang_cai_shen_za_hu", "The hand holds no wild; it takes 2."),
        (PLAIN, "an_ke", "The hand has no concealed triplet of 2 to 8."),
        (PLAIN, "bai_ban", "The seat set aside no flower."),
        (PLAIN, "peng_peng_hu", "It has 5 runs; all triplets allows none."),
        (PLAIN, "si_feng_qi", "It lacks a triplet or gang of 1z 2z 3z 4z."),
        (PLAIN, "fan_bei_ying_ba_dui", "The hand is not read as eight pairs."),
        (PLAIN, "di", "This club counts hu and tai."),
        (PLAIN, "la_zhi_extra", "This club pays nothing for tai above the limit."),
        (PLAIN, "dan_zhang_diao", "In this club it is 0 (option dan_zhang_diao_tai)."),
    ],
)  # fmt: skip
def test_an_item_not_given_says_why_not(hand: Body, item_id: str, sentence: str):
    assert why_not(explained(**hand), item_id) == sentence


def test_what_wilds_do_is_said():
    mixed = explained("23678m34578p46s44z99p", "6p", wild="9p", seat=1)
    assert "mixed" in why_not(mixed, "ping_hu")
    assert "mixed" in why_not(mixed, "shuang_cai_shen")
    assert why_not(mixed, "ying_pai") == "2 wilds stand for another kind: a soft hand."
    apart = explained("123456m23478p146s99m", "6p", wild="9m", seat=3)
    assert why_not(apart, "shuang_cai_shen_za_hu") == "A wild is in the pair 11s."
    own = explained("123456m234678p67s33z", "8s", wild="3z")
    assert "2 of 3z" in why_not(own, "zi_feng_ke")
    hard = explained("234678m55678p123s4s9p", "5s", {"zimo_is_hard": True}, wild="9p", by="zimo")
    assert "self-drawn" in why(hard, "ying_pai")


def test_a_run_of_two_substitutes_is_no_flat_run():
    melds = [{"kind": "chi", "tiles": tiles, "from": 2} for tiles in ("234m", "678s")]
    crowded = explained("1666789m78p3s", "9p", wild="6m", seat=3, by="qiang_gang", melds=melds)
    assert crowded.wins[0].reading[-2:] == ("123s", "11m")
    assert why_not(crowded, "ping_hu") == "The run 123s holds two or more substitutes."


def test_the_limit_stands_for_hu_and_tai():
    flush = explained("1234567892346755s", "8s", wild="2z", by="zimo")
    assert why_not(flush, "base_hu").startswith("The limit")
    assert why_not(flush, "ping_hu").startswith("The limit")
    assert why_not(flush, "la_zhi") == "A limit item counts already."
    off = explained("1234567892346755s", "8s", {"times_on_lazhi": False}, wild="2z")
    assert "RA-76" in why_not(off, "ying_pai")
    whites = explained(**PLAIN, flowers="555z")
    assert "4 tai" in why(whites, "la_zhi")
    step = explained(**PLAIN, given={"lazhi_step": 100}, flowers="555z")
    assert "100 hu" in why(step, "la_zhi_extra")
    never = explained(**PLAIN, given={"lazhi_tai": 0}, flowers="555z")
    assert "never" in why_not(never, "la_zhi")


def test_another_reading_is_named_with_what_it_lacks():
    answer = explained("111222333m45678p55s", "9p", by="zimo")
    assert why_not(answer, "an_ke") == (
        "The reading 111m 222m 333m 456p 789p 55s has it but totals 140, which is 80 less."
    )


def test_flat_counting_says_so():
    answer = explained(**PLAIN, given={"value_mode": "flat"})
    assert why(answer, "di") == "In flat counting a hand is one unit times its factor."
    assert why_not(answer, "base_hu") == "In flat counting neither hu nor tai count."


def test_factors_that_a_club_has_switched_off_are_named():
    off = {"ying_pai_times": 1, "special_times": 1}
    answer = explained(**PLAIN, given=off)
    assert "ying_pai_times" in why_not(answer, "ying_pai")
    assert "special_times" in why_not(answer, "fan_bei_peng_peng_hu")
    melds = [
        {"kind": "peng", "tiles": "222m", "from": 0},
        {"kind": "peng", "tiles": "777p", "from": 0},
    ]
    both = explained("999m33p44455s", "5s", wild="1z", melds=melds)
    assert why_not(both, "ying_pai") == "Only one factor counts: Special: all triplets."


def test_three_wilds_laid_down_bare_are_explained():
    answer = explained("33159m159p159s12347z", "3m", wild="3m", by="zimo")
    win = answer.wins[0]
    assert [item.id for item in win.given] == ["san_cai_shen"]
    assert win.reading == ("133359m159p159s12347z",)
    assert "laid down" in why_not(answer, "an_ke")
    assert "do not complete" in why_not(answer, "fan_bei_san_cai_shen")
    assert "no factor" in why_not(answer, "ying_pai")


def test_eight_pairs_are_explained():
    answer = explained("1133m2266p4488s1133z", "7p")
    assert answer.wins[0].reading[-1] == "7p"
    assert "groups" in why_not(answer, "an_ke")
    soft = explained("113m2266p4488s1133z9s", "7p", {"ruan_ba_dui": True})
    assert soft.wins[0].total == 50
    assert "soft" in why_not(soft, "fan_bei_ying_ba_dui")


def test_the_notes_tell_what_each_loser_has_and_why_a_gang_pays_nothing():
    table = [{"seat": 1, "melds": [{"kind": "an_gang", "tiles": "1111p"}], "flowers": "5z"}]
    notes = explained(**PLAIN, table=table).notes
    assert ("Seat 1 has 36 hu and 1 tai of its own.", 80) in [(n.en, n.points) for n in notes]
    off = explained(**PLAIN, given={"side_settlement": "off"}, table=table).notes
    assert any("pays nothing" in note.en for note in off)


def test_the_notes_tell_of_robbed_gangs_and_beaten_claimants():
    notes = explained(**PLAIN, by="qiang_gang").notes
    assert any("RA-94" in note.en for note in notes)
    wins = [
        {"seat": 2, "by": "dianpao", "from": 3, **PLAIN},
        {"seat": 0, "by": "dianpao", "from": 3, "tile": "8s", "concealed": "123456m234678p99m67s"},
    ]
    body = {"dealer": 0, "result": "hu", "wild": "9s", "wins": wins}
    answer = explain(msgspec.convert(body, HandFacts), made({})[0])
    assert isinstance(answer, HandExplanation)
    assert any("RA-34" in note.en for note in answer.notes)
    assert [win.seat for win in answer.wins] == [0]


@pytest.mark.parametrize("flag", ["", "four_gangs"])
def test_the_notes_tell_of_a_draw(flag: str):
    table = [{"seat": 1, "flags": [flag] if flag else []}]
    body = {"dealer": 0, "result": "huang_zhuang", "wild": "9s", "table": table}
    answer = explain(msgspec.convert(body, HandFacts), made({"four_gangs_draw": True})[0])
    assert isinstance(answer, HandExplanation)
    assert ("RA-52" if flag else "RA-50") in answer.notes[0].en


def test_what_may_not_be_recorded_is_not_explained():
    body = {"dealer": 0, "result": "hu", "wins": [{"seat": 2, "by": "zimo", **PLAIN}]}
    assert isinstance(explain(msgspec.convert(body, HandFacts), made({})[0]), Violation)


def test_points_are_written_with_what_they_are():
    limit = explained("1234567892346755s", "8s", wild="2z", by="zimo")
    hu = explained("111222333m45678p55s", "9p", by="zimo")
    flat = explained(**PLAIN, given={"value_mode": "flat"})
    written = {
        item.id: (item.worth.zh, item.worth.en)
        for answer in (limit, hu, flat)
        for item in answer.wins[0].given
    }
    assert written["qing_yi_se"] == ("500 胡", "500 hu")
    assert written["zi_mo"] == ("2 胡", "2 hu")
    assert written["ying_pai"] == ("×2", "×2")
    assert written["di"] == ("1 底", "1 unit")
