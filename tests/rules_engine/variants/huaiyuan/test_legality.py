"""What may not be recorded: every reason of HY-56, flags and tiles that contradict the rest."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rules_engine.cases import Case
from rules_engine.errors import Violation
from rules_engine.score import HandScore
from tests.rules_engine.variants.huaiyuan.hands import RULESET, made

CASES = {
    case["id"].removeprefix("huaiyuan-"): case
    for case in json.loads(Path(__file__).with_name("cases.json").read_text())
}
Body = dict[str, Any]


def result(number: str, options: Body | None = None, **win: Any) -> HandScore | Violation:
    """The answer to a golden hand with other facts of its winner or its hand."""
    case = json.loads(json.dumps(CASES[number]))
    case["options"] |= options or {}
    for name in ("wild", "dealer", "table"):
        if name in win:
            case[name] = win.pop(name)
    if win:
        case["wins"][0] |= win
    return RULESET.score(msgspec.convert(case, Case).facts, made(case["options"])[0])


def code(number: str, options: Body | None = None, **win: Any) -> tuple[str, str]:
    """The refusal of that hand, and its rule."""
    answer = result(number, options, **win)
    assert isinstance(answer, Violation), answer
    assert answer.message
    assert answer.rule in RULESET.rules
    return answer.code, answer.rule


def meld(kind: str, tiles: str, giver: int | None = None) -> Body:
    return {"kind": kind, "tiles": tiles} | ({} if giver is None else {"from": giver})


REST = [meld("peng", "777p", 0)]


@pytest.mark.parametrize(
    ("bad", "rule"),
    [
        (meld("chi", "124s", 1), "HY-30"),
        (meld("chi", "567z", 1), "HY-30"),
        (meld("chi", "123s", 3), "HY-30"),
        (meld("chi", "123s"), "HY-30"),
        (meld("peng", "113s", 1), "HY-30"),
        (meld("peng", "111s", 2), "HY-30"),
        (meld("peng", "111s"), "HY-30"),
        (meld("ming_gang", "111s", 1), "HY-30"),
        (meld("bu_gang", "1111s"), "HY-30"),
        (meld("an_gang", "1111s", 1), "HY-30"),
        (meld("an_gang", ""), "HY-30"),
        (meld("niu", "567z"), "HY-30"),
        (meld("xi_gang", "556z"), "HY-40"),
        (meld("xi_gang", "1567z"), "HY-40"),
        (meld("xi_gang", "567z", 1), "HY-40"),
    ],
)
def test_a_meld_that_cannot_be_is_refused(bad: Body, rule: str):
    assert code("001", melds=[*REST, bad]) == ("bad_meld", rule)


def test_a_special_gang_lies_once_and_there_are_four_melds():
    twice = [meld("xi_gang", "567z"), meld("xi_gang", "567z")]
    assert code("001", melds=twice) == ("bad_meld", "HY-41")
    five = [meld("peng", f"{rank * 3}p", 0) for rank in "13579"]
    assert code("001", melds=five) == ("bad_meld", "HY-41")


def test_melds_of_the_others_are_checked_when_nobody_won_too():
    table = [{"seat": 0, "melds": [meld("an_gang", "1112s")]}]
    assert code("071", table=table) == ("bad_meld", "HY-30")


def test_a_hand_with_too_few_or_too_many_tiles_has_no_shape():
    assert code("001", concealed="45678m2p") == ("no_shape", "HY-55")
    assert code("001", concealed="45678m2233p") == ("no_shape", "HY-55")


@pytest.mark.parametrize(
    ("win", "expected"),
    [
        ({"flags": ["riichi"]}, "bad_flags"),
        ({"flags": ["ting", "ting"]}, "bad_flags"),
        ({"flags": ["tian_hu"]}, "bad_flags"),
        ({"flags": ["gang_kai"]}, "bad_flags"),
        ({"flags": ["dui_bao", "ting"]}, "bad_flags"),
        ({"tile": "1f"}, "bad_tiles"),
        ({"flowers": "1f"}, "bad_tiles"),
        ({"wild": "1f"}, "bad_tiles"),
        ({"table": [{"seat": 0, "flags": ["aborted"]}]}, "bad_flags"),
        ({"table": [{"seat": 0, "melds": [meld("an_gang", "7777p")]}]}, "too_many_tiles"),
        ({"wild": "6m", "concealed": "45666m22p", "tile": "6m"}, "too_many_tiles"),
    ],
)
def test_facts_that_contradict_themselves_are_refused(win: Body, expected: str):
    answer = result("001", **win)
    assert isinstance(answer, Violation), answer
    assert answer.code == expected, answer


@pytest.mark.parametrize(
    "win",
    [
        {"flags": ["ting", "dui_bao"], "wild": "5m"},
        {"flags": ["tian_hu"], "dealer": 1},
        {"flags": ["tian_hu", "ting"], "dealer": 2},
        {"flags": ["gang_kai"]},
        {"flags": ["last_in_gang"]},
    ],
)
def test_flags_of_a_self_drawn_win_that_cannot_be_are_refused(win: Body):
    win = {"by": "zimo", "from": None} | win
    assert code("001", **win)[0] == "bad_flags"


@pytest.mark.parametrize(
    ("win", "rule"),
    [
        ({"tile": "4m", "concealed": "1156m789p234s"}, "HY-29"),
        ({"flags": ["last_in_gang", "hai_di"]}, "HY-29"),
        ({"melds": [meld("xi_gang", "5567z")]}, "HY-29"),
        ({"dealer": 1}, "HY-29"),
    ],
)
def test_a_win_after_an_opening_tells_of_nothing_else(win: Body, rule: str):
    assert isinstance(result("092"), HandScore)
    assert code("092", **win) == ("bad_flags", rule)


def test_with_the_first_draw_counted_as_dealt_another_seat_may_win_so():
    assert isinstance(result("092", {"special_gang_first_draw": True}, dealer=1), HandScore)


def test_a_hand_of_a_club_without_bao_names_none():
    assert code("001", {"bao_enabled": False}, wild="1p") == ("bao_disabled", "HY-52")


def test_a_robbed_gang_does_not_stand_nor_pay():
    table = [{"seat": 2, "melds": [meld("bu_gang", "3333m", 0)]}]
    assert code("058", table=table) == ("robbed_gang", "HY-105")
    other = [{"seat": 3, "melds": [meld("bu_gang", "3333m", 0)]}]
    assert code("058", table=other) == ("too_many_tiles", "HY-16")


def test_the_melds_of_the_winner_are_checked_before_its_hand():
    assert code("090") == ("bad_meld", "HY-40")


def test_several_self_drawn_wins_are_refused_whatever_the_club_says():
    case = json.loads(json.dumps(CASES["063"]))
    for win in case["wins"]:
        win |= {"by": "zimo", "from": None}
    answer = RULESET.score(msgspec.convert(case, Case).facts, made(case["options"])[0])
    assert isinstance(answer, Violation)
    assert answer.code == "second_winner"


def test_every_reason_of_the_rule_page_is_reached_by_a_golden_case():
    reasons = {case["expect"].get("reason") for case in CASES.values()} - {None}
    assert reasons == {
        "second_winner", "bad_meld", "qiang_gang_disabled", "ting_required", "bao_disabled",
        "dui_bao_not_ting", "no_shape", "missing_suit", "no_yaojiu", "no_kezi", "shou_ba_yi",
        "li_hu_forbidden",
    }  # fmt: skip
