"""What a club may change: every option changes an answer, and every wrong one is refused."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rules_engine.cases import Case
from rules_engine.errors import Violation
from rules_engine.ruleset import Options, dump_options, make_options, options_schema
from rules_engine.variants.qingdao.items import ITEMS
from tests.rules_engine.variants.qingdao.logs import RULESET

PRICED = [item.id for item in ITEMS if item.category != "adjusting"]
CASES = json.loads(Path(__file__).with_name("cases.json").read_text())


def made(**given: Any) -> Options:
    """Options that are allowed."""
    options = make_options(RULESET.options, given)
    assert not isinstance(options, Violation), options
    return options


def refusal(**given: Any) -> Violation:
    """Why these options are not."""
    options = make_options(RULESET.options, given)
    assert isinstance(options, Violation), options
    return options


@pytest.mark.parametrize(
    ("mode", "flowers", "lou"),
    [("ping_hu", 2, "none"), ("dian_pao", 0, "none"), ("quan_dai_jiang", 2, "both")],
)
def test_the_mode_gives_its_defaults(mode: str, flowers: int, lou: str):
    options = dump_options(made(mode=mode))
    assert (options["flowers"], options["lou"]) == (flowers, lou)


def test_what_the_club_chose_stands_above_the_mode():
    assert dump_options(made(mode="quan_dai_jiang", flowers=0, lou="an"))["lou"] == "an"


@pytest.mark.parametrize(
    ("given", "option", "rule"),
    [
        ({"flowers": 0}, "flowers", "QD-5"),
        ({"mode": "dian_pao", "flowers": 2}, "flowers", "QD-5"),
        ({"mode": "quan_dai_jiang", "hun": True}, "hun", "QD-2"),
        ({"min_points": 4}, "min_points", "QD-68"),
    ],
)
def test_what_a_mode_does_not_have_is_refused(given: dict[str, Any], option: str, rule: str):
    violation = refusal(**given)
    assert (violation.code, violation.rule) == ("bad_option", rule)
    assert violation.facts["option"] == option
    assert violation.actual == given[option]
    assert violation.actual not in violation.expected


@pytest.mark.parametrize(
    "given",
    [{"cap": -1}, {"mode": "fast"}, {"flowers": 3}, {"values": {"qi_dui": 100}},
     {"values": {"luck": 1}}, {"chi_max": 5}],
)  # fmt: skip
def test_a_value_outside_its_range_is_refused(given: dict[str, Any]):
    violation = refusal(**given)
    assert violation.code == "invalid_option"
    assert violation.rule in RULESET.rules


def test_whole_options_are_what_they_were_made_from():
    for given in [*RULESET.presets.values(), {"values": {"qi_dui": 7}, "cap": 9}]:
        options = made(**given)
        assert made(**dump_options(options)) == options
        assert hash(made(**dump_options(options))) == hash(options)


def test_every_option_and_every_value_names_its_rules_and_both_languages():
    schema = options_schema(RULESET.options)
    values = schema["$defs"]["QingdaoValues"]["properties"]
    for name, about in [*schema["properties"].items(), *values.items()]:
        assert set(about["rules"]) <= set(RULESET.rules), name
        assert about["description"], name
        assert about["zh"], name
    assert set(values) == {
        *PRICED,
        "ming_gang", "bu_gang", "an_gang",
    }  # fmt: skip


def answer(case: dict[str, Any], options: dict[str, Any]) -> Any:
    """The golden case's hand under other options."""
    facts = msgspec.convert({**case, "options": {}}, Case).facts
    return RULESET.score(facts, made(**options))


ALTERNATIVES: dict[str, list[Any]] = {
    "mode": ["dian_pao", "quan_dai_jiang"],
    "hun": [True],
    "flowers": [2],
    "flower_set": ["all"],
    "lou": ["an", "ming", "none"],
    "min_points": [9],
    "multi_win": [False],
    "zimo_only": [True],
    "chi_max": [0, 2],
    "guo_hu": [True],
    "combine": ["multiply"],
    "cap": [3],
    "discarder_factor": [2, 3],
    "winners_pay_each_other": [True],
    "qiang_gang_payer": ["robbed_pays_all"],
    "gang_scope": ["all"],
    "gang_payers": ["all"],
    "huang_gang": ["void", "pay"],
    "huang_multiplier": [1, 3],
    "huang_cumulative": [True],
    "huang_max": [1],
    "hai_di_zone": ["draw_only"],
    "hua_long": ["any"],
    "shi_san_yao": ["classic"],
    "hun_yi_se_honours": ["all"],
    "shou_ba_yi_needs_chi": [False],
    "di_ba_yi_zimo_only": [False],
    "bare_hun_ron": [True],
    "hua_kai": [False],
    "niu": [False],
    "niu_hun": ["one"],
    "values": [{"base": 3}],
}
PLAYED = {"guo_peng", "niu_exchange_from", "niu_kou_ting", "first_dealer"}
"""These say how a hand is played and are tested there."""


def test_every_option_changes_the_play_or_the_worth_of_a_hand():
    names = {field.name for field in msgspec.structs.fields(RULESET.options)}
    assert names == ALTERNATIVES.keys() | PLAYED


@pytest.mark.parametrize(
    ("option", "value"),
    [(option, value) for option, values in ALTERNATIVES.items() for value in values],
)
def test_another_value_of_an_option_changes_some_golden_answer(option: str, value: Any):
    changes = 0
    for case in CASES:
        other = {**case["options"], option: value}
        if not isinstance(make_options(RULESET.options, other), Violation):
            changes += answer(case, other) != answer(case, case["options"])
    assert changes


@pytest.mark.parametrize(
    ("option", "value"),
    [("ming_gang", 5), ("bu_gang", 5), ("an_gang", 5), *[(item_id, 50) for item_id in PRICED]],
)  # fmt: skip
def test_every_price_changes_the_worth_of_some_hand(option: str, value: int):
    legal = [case for case in CASES if case["expect"]["legal"]]
    changes = 0
    for case in legal:
        values = {**case["options"].get("values", {}), option: value}
        after = answer(case, {**case["options"], "values": values})
        changes += after != answer(case, case["options"])
    assert changes


def test_everybodys_gangs_are_void_or_paid_when_nobody_wins():
    case = next(case for case in CASES if case["id"] == "qingdao-081")
    paid = answer(case, {"gang_scope": "all", "huang_gang": "pay"})
    void = answer(case, {"gang_scope": "all"})
    assert any(paid.gang_points)
    assert not any(void.gang_points)
