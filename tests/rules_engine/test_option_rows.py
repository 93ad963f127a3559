"""Options as rows a person reads, and what items are worth under them."""

from typing import Any

import pytest

from rules_engine import registry
from rules_engine.errors import Violation
from rules_engine.option_rows import (
    BY_RULE,
    OptionRow,
    choose_options,
    option_rows,
    prices_of,
    worth_by_item,
)
from rules_engine.ruleset import Ruleset, make_options

RULESETS = pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda each: each.slug)


@RULESETS
def test_every_option_has_a_meaning_in_both_languages_and_rules_that_exist(
    ruleset: Ruleset,
) -> None:
    for row in option_rows(ruleset, ruleset.options()):
        assert row.zh, row
        assert row.en, row
        assert row.rules, row
        assert set(row.rules) <= set(ruleset.rules), row


@RULESETS
def test_every_value_of_a_list_has_its_own_name_in_both_languages(ruleset: Ruleset) -> None:
    for row in option_rows(ruleset, ruleset.options()):
        values = [str(value) for value in row.allowed.get("enum", [])]
        assert sorted(row.value_names) == sorted(values), row
        for names in (
            [each.zh for each in row.value_names.values()],
            [each.en for each in row.value_names.values()],
        ):
            assert all(names), row
            assert len(set(names)) == len(names), row


@RULESETS
def test_every_preset_is_valid_and_changes_what_it_says(ruleset: Ruleset) -> None:
    assert ruleset.presets
    for name, preset in ruleset.presets.items():
        options = choose_options(ruleset, preset=name, given={})
        assert not isinstance(options, Violation), (name, options)
        rows = {row.name: row for row in option_rows(ruleset, options)}
        for option, value in preset.items():
            if option in rows:
                chosen = rows[option].chosen
                assert (list(chosen) if isinstance(chosen, tuple) else chosen) == value


@RULESETS
def test_a_number_out_of_range_is_refused_with_option_rule_given_and_allowed(
    ruleset: Ruleset,
) -> None:
    tried = 0
    for row in option_rows(ruleset, ruleset.options()):
        for bound, step in (("minimum", -1), ("maximum", 1)):
            if bound in row.allowed:
                tried += 1
                wrong = row.allowed[bound] + step
                assert_refused(ruleset, row, str(wrong), wrong)
    assert tried > 5


@RULESETS
def test_a_value_that_is_not_of_the_list_is_refused_with_the_list(ruleset: Ruleset) -> None:
    tried = 0
    for row in option_rows(ruleset, ruleset.options()):
        if "enum" in row.allowed:
            tried += 1
            violation = assert_refused(ruleset, row, "sideways", "sideways")
            if "." not in row.name:
                assert violation.expected["enum"] == row.allowed["enum"]
    assert tried > 2


def assert_refused(ruleset: Ruleset, row: OptionRow, text: str, value: Any) -> Violation:
    """The refusal of one option, which names it, its rule, what was given and what is allowed."""
    violation = choose_options(ruleset, given={row.name: text})
    assert isinstance(violation, Violation), (row, text)
    table, _, member = row.name.partition(".")
    assert violation.code == "invalid_option"
    assert violation.facts["option"] == table
    assert (member or table) in violation.message
    assert violation.rule in ruleset.rules
    given = violation.actual[member] if member else violation.actual
    assert given == value
    assert violation.expected
    return violation


@RULESETS
def test_an_option_that_does_not_exist_is_refused_with_those_that_do(ruleset: Ruleset) -> None:
    violation = choose_options(ruleset, given={"moon_phase": "1"})
    assert isinstance(violation, Violation)
    assert (violation.code, violation.actual) == ("unknown_option", "moon_phase")
    assert len(violation.expected) == len(ruleset.options.__struct_fields__)


@RULESETS
def test_what_the_rows_say_is_what_the_options_are_made_of(ruleset: Ruleset) -> None:
    rows = option_rows(ruleset, ruleset.options())
    given = {row.name: text_of(row.default) for row in rows}
    assert choose_options(ruleset, given=given) == make_options(ruleset.options, {})


def text_of(value: Any) -> str:
    """A value as an address writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


@RULESETS
def test_a_price_is_an_option_that_changes_the_rule_of_its_item(ruleset: Ruleset) -> None:
    rows = option_rows(ruleset, ruleset.options())
    by_name = {row.name: row for row in rows}
    for item in ruleset.items:
        for price in prices_of(ruleset, item, rows):
            assert item.rule in by_name[price.option].rules
            assert price.number == by_name[price.option].chosen


def test_an_item_is_worth_what_the_option_of_its_name_says() -> None:
    ruleset = registry.get("hefei")
    options = choose_options(ruleset, given={"points_shuang_pu_an": "7"})
    assert not isinstance(options, Violation)
    rows = option_rows(ruleset, options)
    prices = {item.id: prices_of(ruleset, item, rows) for item in ruleset.items}
    assert [price.number for price in prices["shuang_pu_an"]] == [7]
    assert [price.number for price in prices["base"]] == [10, 12]
    assert [price.multiplies for price in prices["gang_kai"]] == [True]
    assert prices["hao_hua_qi_dui"] == ()


def test_an_option_of_a_rule_that_several_items_share_prices_only_the_item_it_names() -> None:
    ruleset = registry.get("ruian")
    rows = option_rows(ruleset, ruleset.options())
    items = {item.id: item for item in ruleset.items}
    assert items["zi_mo"].rule == items["base_hu"].rule
    assert prices_of(ruleset, items["zi_mo"], rows) == ()
    assert [price.number for price in prices_of(ruleset, items["base_hu"], rows)] == [50]


def test_an_item_no_option_prices_is_worth_what_its_rule_says(toy: Ruleset) -> None:
    worth = worth_by_item(toy, toy.options())
    assert worth == {item.id: BY_RULE for item in toy.items}


def test_a_member_of_a_table_is_chosen_by_its_own_name() -> None:
    ruleset = registry.get("qingdao")
    given = {"values.qi_dui": "9", "mode": "dian_pao"}
    options: Any = choose_options(ruleset, given=given)
    assert (options.values.qi_dui, options.values.base, options.mode) == (9, 1, "dian_pao")
    rows = {row.name: row for row in option_rows(ruleset, options)}
    assert (rows["values.qi_dui"].chosen, rows["values.qi_dui"].default) == (9, 2)


def test_a_preset_that_does_not_exist_is_no_preset() -> None:
    with pytest.raises(KeyError, match="nobody"):
        choose_options(registry.get("hefei"), preset="nobody", given={})


def test_a_text_that_is_no_value_is_refused_as_it_stands() -> None:
    for text in ("", "twelve", "1,2", "[1]", "NaN", "1e99"):
        violation = choose_options(registry.get("hefei"), given={"cap": text})
        assert isinstance(violation, Violation), text
        assert violation.facts["option"] == "cap"
