"""Every option changes an answer, a refusal or the play; presets are whole and valid."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rules_engine.cases import Case
from rules_engine.errors import Violation
from rules_engine.ruleset import make_options, options_schema
from tests.rules_engine.variants.huaiyuan.hands import RULESET, made

CASES = [
    msgspec.convert(case, Case)
    for case in json.loads(Path(__file__).with_name("cases.json").read_text())
]
IN_PLAY = {
    "abort_settles_gang", "bao_change_allows_dui_bao", "bao_change_at", "bao_change_counts",
    "bao_dice", "block_claim_to_last_tile", "dealer_first_turn_add", "dealer_rotation",
    "gang_after_ting", "gang_on_last_tile", "huang_zhuang_dealer", "opening_add_robbable",
    "qiang_peng", "reserve_counts", "reserve_growth", "reserve_stacks", "special_gang_first_draw",
    "special_gang_window",
}  # fmt: skip
"""Options of the play, tried where it is tested."""
PROPERTIES = options_schema(RULESET.options)["properties"]


def others(name: str) -> list[Any]:
    """Some other values of an option."""
    field = PROPERTIES[name]
    if "enum" in field:
        return [value for value in field["enum"] if value != field["default"]]
    if field["type"] == "boolean":
        return [not field["default"]]
    return [value for value in (field["default"] + 2, 5) if value <= field["maximum"]]


@pytest.mark.parametrize("name", sorted(PROPERTIES.keys() - IN_PLAY))
def test_every_other_value_changes_the_answer_to_a_golden_hand(name: str):
    for value in others(name):
        assert any(
            RULESET.score(case.facts, made(case.options)[0])
            != RULESET.score(case.facts, made({**case.options, name: value})[0])
            for case in CASES
        ), value


def test_the_options_are_those_of_the_rule_page():
    assert len(PROPERTIES) == 64
    for name, field in PROPERTIES.items():
        assert field["description"], name
        assert field["zh"], name
        assert set(field["rules"]) <= RULESET.rules.keys()


@pytest.mark.parametrize("name", RULESET.presets)
def test_a_preset_is_valid(name: str):
    assert not isinstance(make_options(RULESET.options, RULESET.presets[name]), Violation)


@pytest.mark.parametrize(
    ("given", "rule"),
    [({"fan_cap": 65}, "HY-93"), ({"fan_base": 0}, "HY-80"), ({"bao_dice": 3}, "HY-15"),
     ({"jia_hu_rule": "none"}, "HY-81"), ({"qiang_peng": 1}, "HY-46")],
)  # fmt: skip
def test_a_value_out_of_range_is_refused_with_its_rule(given: dict[str, Any], rule: str):
    violation = make_options(RULESET.options, given)
    assert isinstance(violation, Violation)
    assert (violation.code, violation.rule) == ("invalid_option", rule)
