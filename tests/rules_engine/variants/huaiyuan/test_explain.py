"""Why items of a Huaiyuan hand count or do not, said concretely, and the notes on its payments."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rules_engine.cases import Case
from rules_engine.score import HandExplanation
from tests.rules_engine.variants.huaiyuan.hands import RULESET, made

CASES = {
    case["id"].removeprefix("huaiyuan-"): case
    for case in json.loads(Path(__file__).with_name("cases.json").read_text())
}


def explained(number: str, options: dict[str, Any] | None = None, **win: Any) -> HandExplanation:
    """The explanation of a golden hand, under other options or with other facts."""
    case = json.loads(json.dumps(CASES[number]))
    case["options"] |= options or {}
    if "table" in win:
        case["table"] = win.pop("table")
    if win:
        case["wins"][0] |= win
    facts = msgspec.convert(case, Case).facts
    found = RULESET.explain(facts, made(case["options"])[0])
    assert isinstance(found, HandExplanation), found
    return found


def said(number: str, item: str, options: dict[str, Any] | None = None, **win: Any) -> str:
    """Why an item of a golden hand counted, or did not."""
    (why,) = explained(number, options, **win).wins
    (each,) = [each for each in (*why.given, *why.not_given) if each.id == item]
    assert each.zh
    return each.en


@pytest.mark.parametrize(
    ("number", "item", "options", "says"),
    [
        ("001", "dianpao", {}, "6m was discarded by seat 1"),
        ("001", "zimo", {}, "6m was discarded by seat 1"),
        ("058", "dianpao", {}, "3m was robbed from a gang of seat 2"),
        ("076", "dianpao", {}, "self-drawn"),
        ("076", "zimo", {}, "6m was drawn"),
        ("001", "jia_hu", {}, "6m lies in 456m 678m: no edge, gap or pair"),
        ("001", "jia_hu", {"jia_hu_rule": "sole"}, "waited for 3m 6m 9m: not one tile only"),
        ("001", "jia_hu", {"fan_jia_hu": 0}, "0 fan for it (option fan_jia_hu)"),
        ("054", "jia_hu", {}, "5m came into 456m"),
        ("087", "jia_hu", {}, "1m is the only tile waited for"),
        ("031", "jia_hu", {}, "all triplets has none beside it"),
        ("045", "jia_hu", {}, "a bao that was drawn gives none"),
        ("092", "jia_hu", {}, "lies in an opened gang"),
        ("041", "bao", {}, "5p was drawn after ting and stands for"),
        ("047", "bao", {}, "3m looked at counts"),
        ("048", "bao", {}, "the bao looked at does not score the bao as well."),
        ("001", "bao", {}, "Without ting"),
        ("001", "bao", {"bao_enabled": False}, "without the bao"),
        ("001", "dui_bao", {"bao_enabled": False}, "without the bao"),
        ("001", "dui_bao", {}, "not won at a look"),
        ("047", "dui_bao", {}, "was a tile waited for"),
        ("047", "zimo", {}, "counts as a self-draw"),
        ("001", "piao_hu", {}, "The hand has a chi meld."),
        ("052", "piao_hu", {}, "All four melds"),
        ("078", "piao_hu", {}, "a special gang cannot stand in it"),
        ("040", "piao_hu", {"allow_li_hu": True}, "It has the runs"),
        ("001", "zhuang_hu", {}, "Seat 2 does not deal"),
        ("052", "zhuang_hu", {}, "The winner deals"),
        ("001", "li_hu", {}, "The hand is open: 777p and 123s."),
        ("052", "li_hu", {}, "No meld opened the hand"),
        ("001", "base", {}, "Every win has it"),
    ],
)
def test_the_reason_is_concrete(number: str, item: str, options: dict[str, Any], says: str):
    assert says in said(number, item, options)


def test_another_reading_that_has_the_item_is_named_with_what_it_lacks():
    win = {"concealed": "22233444m11s", "tile": "3m"}
    less = said("055", "jia_hu", {"fan_piao_hu": 2}, **win)
    assert less == "The reading 777p 234m 234m 234m 11s has it but totals 3 fan, which is 1 less."
    same = said("055", "jia_hu", {"fan_piao_hu": 1}, **win)
    assert same.endswith(" fan too; all triplets go first (HY-88).")


def test_a_win_of_a_seat_in_ting_on_another_tile_is_no_bao():
    assert "is no bao that was drawn" in said("001", "bao", flags=["ting"])


def notes(number: str, options: dict[str, Any] | None = None, **win: Any) -> str:
    found = explained(number, options, **win)
    assert all(note.zh for note in found.notes)
    return " ".join(note.en for note in found.notes)


def test_the_notes_say_who_pays_and_why_a_gang_pays_nothing():
    assert notes("001") == ""
    assert "pays the shares of all three" in notes("061")
    assert "pays the shares of all three" in notes("058")
    assert "void and pays nothing (HY-105)" in notes("058")
    assert "Nobody won" in notes("071")
    assert "settles no gangs when nobody won (HY-106)" in notes("071")
    assert "gives 0 for such a gang (HY-102)" in notes("074", {"gang_an": 0})
    aborted = [{"seat": 0, "melds": [{"kind": "an_gang", "tiles": "1111p"}], "flags": ["aborted"]}]
    assert "settles no gangs (HY-107)" in notes("074", table=aborted)
    assert "settles" not in notes("074", {"abort_settles_gang": True}, table=aborted)


@pytest.mark.parametrize(
    ("options", "steps"),
    [({}, [9]), ({"fan_cap": 5}, [9, 5]), ({"fan_mode": "doubling"}, [9, 256]),
     ({"fan_mode": "doubling", "fan_cap": 3}, [9, 3, 4])],
)  # fmt: skip
def test_the_formula_goes_step_by_step(options: dict[str, Any], steps: list[int]):
    (win,) = explained("052", options).wins
    assert [step.points for step in win.formula] == steps
    assert win.total == steps[-1]
