"""Golden cases: read from their form, and every way an answer can differ is told."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from rules_engine import registry
from rules_engine.cases import BadCases, Case, mismatches, read_cases

FILE = Path(__file__).parent / "variants" / "hefei" / "cases.json"
CASE = msgspec.json.decode(FILE.read_bytes())[0]
RULESET = registry.get("hefei")


def changed(**expect: Any) -> Case:
    """The first case with another right answer."""
    return msgspec.convert({**CASE, "expect": {**CASE["expect"], **expect}}, Case)


def test_a_case_names_its_variant_by_its_id():
    (first, *_) = read_cases(FILE.read_bytes())
    assert (first.id, first.slug) == ("hefei-001", "hefei")
    assert msgspec.convert({**CASE, "id": "one-more-017"}, Case).slug == "one-more"


@pytest.mark.parametrize("text", [b"", b"{", b"[{}]", b'{"id": "x-1"}', b"\xff", b'[{"x": 1}]'])
def test_a_text_that_is_no_list_of_cases_is_refused(text):
    with pytest.raises(BadCases):
        read_cases(text)


def test_a_right_answer_has_no_mismatch():
    assert mismatches(changed(), RULESET) == ()


@pytest.mark.parametrize(
    ("expect", "whats"),
    [
        ({"hand_points": [0, 0, 0, 0]}, ["hand_points"]),
        ({"gang_points": [1, 0, 0, -1]}, ["gang_points"]),
        ({"wins": []}, ["wins"]),
        ({"wins": [{"seat": 2, "items": [], "total": 10}]}, ["wins"]),
        ({"total_points": [-12, -10, 32, -11]}, ["total_points"]),
        ({"legal": False, "reason": "bad_meld"}, ["legal", "reason"]),
    ],
)
def test_each_difference_is_told_with_both_sides(expect, whats):
    found = mismatches(changed(**expect), RULESET)
    assert [mismatch.what for mismatch in found] == whats
    assert all(mismatch.expected != mismatch.actual for mismatch in found)


def test_a_figure_the_case_does_not_give_is_not_compared():
    assert mismatches(changed(wins=None, hand_points=None), RULESET) == ()


def test_an_answer_that_should_have_been_legal_differs_by_its_reason():
    case = msgspec.structs.replace(changed(), wild="3m")
    found = {mismatch.what: mismatch.actual for mismatch in mismatches(case, RULESET)}
    assert found["legal"] is False
    assert found["reason"] == "wild_forbidden"


def test_options_the_ruleset_does_not_have_are_a_mismatch():
    case = msgspec.structs.replace(changed(), options={"colour": "red"})
    (found,) = mismatches(case, RULESET)
    assert found.what == "options"
    assert "colour" in found.actual
