"""Why items of a Qingdao hand count or do not, said concretely, and the notes on its payments."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rules_engine.cases import Case
from rules_engine.errors import Violation
from rules_engine.ruleset import make_options
from rules_engine.score import HandExplanation
from tests.rules_engine.variants.qingdao.logs import RULESET

CASES = {
    case["id"].removeprefix("qingdao-"): case
    for case in json.loads(Path(__file__).with_name("cases.json").read_text())
}
FULL = {"mode": "quan_dai_jiang"}


def explained(number: str, options: dict[str, Any] | None = None, **win: Any) -> HandExplanation:
    """The explanation of a golden hand, under other options or with other facts of its winner."""
    case = msgspec.json.decode(msgspec.json.encode(CASES[number]))
    case["options"] |= options or {}
    if win:
        case["wins"][0] |= win
    made = make_options(RULESET.options, case["options"])
    assert not isinstance(made, Violation), made
    found = RULESET.explain(msgspec.convert(case, Case).facts, made)
    assert isinstance(found, HandExplanation), found
    return found


def missing(number: str, item: str, options: dict[str, Any] | None = None, **win: Any) -> str:
    """Why an item of a golden hand did not count."""
    (why,) = [
        each for each in explained(number, options, **win).wins[0].not_given if each.id == item
    ]
    assert why.zh
    return why.en


def given(number: str, item: str, options: dict[str, Any] | None = None, **win: Any) -> str:
    """Why an item of a golden hand counted."""
    (why,) = [each for each in explained(number, options, **win).wins[0].given if each.id == item]
    assert why.zh
    return why.en


@pytest.mark.parametrize(
    ("number", "item", "says"),
    [
        ("001", "qi_dui", "12 kinds have a tile without a partner; the hand holds no hun."),
        ("010", "qi_dui", "The hand has 1 meld; "),
        ("006", "hao_hua_qi_dui", "The pairs hold no kind twice; it takes 1."),
        ("007", "chao_hao_hua_qi_dui", "The pairs hold 1 kind twice; it takes 2."),
        ("001", "hao_hua_qi_dui", "without a partner"),
        ("001", "dui_dao", "It has 4 runs, beginning with 1m 4p 2s 7s."),
        ("006", "dui_dao", "not read as four sets"),
        ("016", "dui_dao", "a niu group, which is no triplet"),
        ("012", "dui_dao", "The item “all triplets to the last tile” counts in its place."),
        ("010", "dui_dao_di_ba_yi", "The hand has 1 meld; it takes four"),
        ("013", "dui_dao_di_ba_yi", "not won by self-draw"),
        ("001", "dui_dao_di_ba_yi", "runs, beginning with"),
        ("045", "hui_shou_tao", "6p is no hun"),
        ("043", "dui_dao_di_ba_yi", "The item “last tile by hun” counts"),
        ("038", "hui_shou_tao", "not read as four sets"),
        ("001", "shou_ba_yi", "The hand has no meld; it takes four"),
        ("013", "shou_ba_yi", "None of the four melds is a chi"),
        ("001", "ba_yi_gang_kai", "did not replace a gang's"),
        ("019", "ba_yi_gang_kai", "The hand has 1 meld; "),
        ("018", "shou_ba_yi", "counts in its place"),
        ("018", "gang_kai", "counts in its place"),
        ("002", "tian_hu", "not won by self-draw"),
        ("001", "tian_hu", "not the dealer's 14"),
        ("001", "di_hu", "not a non-dealer's first tile"),
        ("034", "hun_jiang", "The pair is not two hun; the hand holds 1"),
        ("034", "hun_fu", "No set is three hun; the hand holds 1"),
        ("001", "hun_fu", "plays without hun"),
        ("001", "an_long", "The mode “plain win” does not count it."),
        ("005", "ming_long", "The hand has no chi meld."),
        ("053", "ming_long", "begin with 2m 2p 2s 6s"),
        ("005", "an_long", "it takes 123, 456 and 789 of one suit."),
        ("064", "shi_san_yao", "The hand has 1 meld; "),
        ("005", "shi_san_yao", "neither terminal nor honour."),
        ("059", "da_si_xi", "It lacks a triplet or gang of 1z 2z 3z 4z"),
        ("062", "da_san_yuan", "It lacks a triplet or gang of 6z 7z"),
        ("005", "qing_yi_se", "3m 3p 6s 2z: more than one suit"),
        ("064", "hun_yi_se", "The hand has 1 meld; it allows none."),
        ("065", "hun_yi_se", "The hand has 2 dragons; only winds"),
        ("005", "hun_yi_se", "not one suit with honours"),
        ("005", "hai_di_lao_yue", "none of the last four"),
        ("001", "cheng", "add up here"),
        ("001", "gang_kai", "did not replace a gang's"),
        ("001", "niu_gang_kai", "did not replace a niu tile"),
        ("023", "niu_gang_kai", "does not count here (option hua_kai)"),
        ("001", "qiang_gang", "not won by robbing"),
        ("005", "kou_ting", "did not declare a hidden ting."),
        ("002", "zimo", "gives 0 points for it (option values.zimo)"),
        ("001", "ming_hua", "No flower pair is complete"),
        ("028", "ming_hua", "set aside hidden"),
        ("027", "an_hua", "piece by piece"),
        ("001", "huang_fan_bei", "was won, or there was none"),
        ("090", "huang_fan_bei", "does not double"),
        ("001", "feng_ding", "no cap"),
        ("006", "base", "A special type counts in its place."),
    ],
)
def test_an_item_that_does_not_count_says_what_is_missing(number: str, item: str, says: str):
    assert says in missing(number, item)


@pytest.mark.parametrize("case", CASES.values(), ids=lambda case: case["id"])
def test_whatever_counts_says_why_in_both_languages(case: dict[str, Any]):
    made = make_options(RULESET.options, case["options"])
    found = RULESET.explain(msgspec.convert(case, Case).facts, made)
    if isinstance(found, HandExplanation):
        for win in found.wins:
            for each in (*win.given, *win.not_given):
                assert each.en.endswith(".")
                assert each.zh.endswith("。")


def test_pairs_of_terminals_and_honours_lack_kinds_of_the_classic_thirteen():
    why = missing(
        "005", "shi_san_yao", FULL | {"shi_san_yao": "classic"}, concealed="1199m1199p1199s1z",
        tile="1z", flowers="",
    )  # fmt: skip
    assert why == "It lacks 2z, 3z, 4z, 5z, 6z and 7z."


def test_sentences_carry_the_figures_of_the_hand():
    assert given("008", "chao_hao_hua_qi_dui") == (
        "2 kinds are each used by two of the seven pairs."
    )
    assert "0m 14p 0s 0z" in given("061", "qing_yi_se")
    assert "multiplied by 4" in given("087", "huang_fan_bei")
    assert "above the cap 10" in given("091", "feng_ding")
    assert "replaced a flower" in given("022", "niu_gang_kai")
    assert "replaced a niu tile" in given("020", "niu_gang_kai")
    assert "The seat set aside 1 flower pair together or in the opening." in given("029", "an_hua")
    assert missing("001", "feng_ding", {"cap": 9}) == "The total is not above the cap 9."
    assert missing("006", "cheng", {"combine": "multiply"}) == (
        "The product of the types is their sum."
    )
    assert missing("005", "zimo", {"values": {"zimo": 1}}).startswith("The hand was not won")
    assert "option lou" in missing("068", "kou_ting", {"lou": "ming"})
    assert "thirteen terminals" in missing("055", "qing_yi_se")
    assert "thirteen terminals" in missing("055", "hun_yi_se")


def test_a_reading_that_has_the_item_but_is_worth_less_is_named():
    words = missing("011", "base")
    assert words == "The reading 123m 123m 123m 444p 55s has it but totals 1, which is 1 less."


def test_of_equal_readings_the_earlier_items_decide():
    words = missing("036", "hun_jiang", {"values": {"hun_jiang": 1}})
    assert words.endswith("the order of the items decides.")
    words = missing("011", "dui_dao", {"values": {"dui_dao": 1}})
    assert words.endswith("the order of the items decides.")


def test_the_formula_goes_from_the_types_to_the_total():
    steps = explained("089").wins[0].formula
    assert [step.points for step in steps] == [1, 4, 8]
    steps = explained("091").wins[0].formula
    assert [step.points for step in steps] == [16, 10]
    assert "multiplied" in explained("092").wins[0].formula[0].en


def test_the_waits_are_those_before_the_winning_tile():
    assert explained("001").wins[0].waits == ("6s", "9s")
    assert explained("043").wins[0].waits == ("6p", "9p")


def notes(number: str, options: dict[str, Any] | None = None) -> list[str]:
    """The notes on the payments of a golden hand."""
    return [note.en for note in explained(number, options).notes]


def test_gangs_that_pay_nothing_are_told_with_the_reason():
    assert any("seat 3 pays nothing: only a winner's gangs count" in n for n in notes("084"))
    assert any("nobody won the hand" in note for note in notes("082"))
    assert not any("pays nothing" in note for note in notes("081"))
    assert any("only a winner's gangs" in note for note in notes("080"))
    zero = notes("012", {"values": {"ming_gang": 0}})
    assert any("gives 0 points for it" in note for note in zero)
    assert any("was robbed: it stays a peng" in note for note in notes("031"))


def test_the_other_notes_tell_of_the_draw_the_winners_and_the_doubling():
    assert any("the dealer stays" in note for note in notes("080"))
    assert any("Winners do not pay each other" in note for note in notes("075"))
    assert not any("Winners do not pay" in note for note in notes("076"))
    assert any("Nobody won the hand before" in note for note in notes("085"))
    assert notes("001") == []
    assert notes("090") == []
