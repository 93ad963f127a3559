"""What a ruleset is made of: options with their schema, rules from a file, its events."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from rules_engine import registry
from rules_engine.errors import Violation
from rules_engine.facts import HandFacts
from rules_engine.ruleset import (
    COMMON_PAYMENTS,
    Options,
    Ruleset,
    bind_play,
    dump_options,
    make_options,
    options_schema,
)
from rules_engine.sheet_forms import OwnSheet


class Sample(Options, frozen=True, kw_only=True):
    """Options of a game that does not exist."""

    points: Annotated[int, Meta(ge=0, le=9, extra={"rules": ["XX-1", "XX-2"], "zh": "分"})] = 3
    manner: Literal["quick", "slow"] = "quick"
    open_hands: bool = False


class Prices(Struct, frozen=True):
    """A table of numbers."""

    small: int = 1
    large: int = 5


class Joined(Options, frozen=True, kw_only=True):
    """Options that depend on each other, and a table."""

    prices: Prices = Prices()
    few: int = 1
    many: int = 2

    @classmethod
    def complete(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Unless it is given, many is twice few."""
        return {"many": 2 * given.get("few", 1), **given}

    def objection(self) -> Violation | None:
        """Few are fewer than many."""
        if self.few < self.many:
            return None
        return Violation(code="invalid_option", message="few must be less than many")


def test_a_default_may_depend_on_what_is_given():
    assert make_options(Joined, {"few": 4}) == Joined(few=4, many=8)
    assert make_options(Joined, {"few": 4, "many": 5}) == Joined(few=4, many=5)


def test_options_that_do_not_go_together_are_refused():
    found = make_options(Joined, {"few": 4, "many": 4})
    assert isinstance(found, Violation)
    assert found.message == "few must be less than many"


def test_a_table_of_numbers_is_an_option_with_a_schema_of_its_own():
    options = make_options(Joined, {"prices": {"large": 9}})
    assert options == Joined(prices=Prices(large=9))
    assert dump_options(options)["prices"] == {"small": 1, "large": 9}
    schema = options_schema(Joined)
    assert schema["$defs"]["Prices"]["properties"].keys() == {"small", "large"}


def test_options_not_given_keep_their_defaults():
    assert make_options(Sample, {"manner": "slow"}) == Sample(manner="slow")


def test_dumped_options_are_whole_and_make_the_same_options_again():
    options = Sample(points=7, open_hands=True)
    dumped = dump_options(options)
    assert dumped == {"points": 7, "manner": "quick", "open_hands": True}
    assert make_options(Sample, dumped) == options


def test_an_unknown_option_is_refused_with_those_there_are():
    found = make_options(Sample, {"colour": 1})
    assert isinstance(found, Violation)
    assert (found.code, found.actual) == ("unknown_option", "colour")
    assert found.expected == ["manner", "open_hands", "points"]


@pytest.mark.parametrize(
    ("name", "value", "rule", "allowed"),
    [
        ("points", 10, "XX-1", {"maximum": 9}),
        ("points", -1, "XX-1", {"minimum": 0}),
        ("points", "3", "XX-1", {"type": "integer"}),
        ("points", True, "XX-1", {"type": "integer"}),
        ("manner", "fast", "", {"enum": ["quick", "slow"]}),
        ("open_hands", 1, "", {"type": "boolean"}),
        ("open_hands", None, "", {"type": "boolean"}),
    ],
)
def test_a_wrong_value_is_refused_naming_option_rule_given_and_allowed(name, value, rule, allowed):
    found = make_options(Sample, {name: value})
    assert isinstance(found, Violation)
    assert (found.code, found.rule, found.actual) == ("invalid_option", rule, value)
    assert found.facts == {"option": name}
    assert allowed.items() <= found.expected.items()
    assert name in found.message


def test_the_schema_tells_default_range_rules_and_both_languages():
    field = options_schema(Sample)["properties"]["points"]
    assert field["default"] == 3
    assert (field["minimum"], field["maximum"]) == (0, 9)
    assert (field["rules"], field["zh"]) == (["XX-1", "XX-2"], "分")


@pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda ruleset: ruleset.slug)
def test_every_ruleset_is_whole(ruleset):
    assert ruleset.names.zh
    assert ruleset.names.en
    assert ruleset.rules
    assert all(rule.startswith(f"{ruleset.rule_prefix}-") for rule in ruleset.rules)
    assert len({item.id for item in ruleset.items}) == len(ruleset.items)
    assert all(item.rule in ruleset.rules and item.zh and item.en for item in ruleset.items)
    assert ruleset.rules is ruleset.rules


@pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda ruleset: ruleset.slug)
def test_a_rulesets_defaults_and_presets_are_valid_options(ruleset):
    for given in ({}, *ruleset.presets.values()):
        assert isinstance(make_options(ruleset.options, given), ruleset.options)
    if ruleset.ladder_start_option is not None:
        assert ruleset.ladder_start_option in ruleset.options.__struct_fields__


@pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda ruleset: ruleset.slug)
def test_a_rulesets_own_events_are_in_its_catalogue(ruleset):
    own = {event.__struct_config__.tag for event in ruleset.events}
    assert own <= ruleset.catalogue.types.keys()
    assert {"draw", "discard", "hand_result"} <= ruleset.catalogue.types.keys()


def test_the_same_options_share_one_play():
    ruleset = registry.latest()[0]
    assert bind_play(ruleset, ruleset.options()) is bind_play(ruleset, ruleset.options())


def test_a_variant_that_says_nothing_of_its_own_shows_and_adds_nothing():
    full = registry.get("hefei")
    needed = ("slug", "version", "names", "package", "options", "items", "play", "score", "explain")
    plain = Ruleset(**{name: getattr(full, name) for name in needed})
    facts = HandFacts(dealer=0, result="huang_zhuang")
    assert plain.gangs(facts, Sample()) == ()
    assert plain.signs(None) == ()
    assert plain.sheet(Sample()) == OwnSheet()


def test_a_payment_is_called_by_the_ruleset_or_as_everywhere_or_as_its_item():
    ruleset = registry.get("ruian")
    assert ruleset.name_of("own_hu") == ruleset.payments["own_hu"]
    assert ruleset.name_of("hu") == COMMON_PAYMENTS["hu"]
    assert ruleset.name_of("ping_hu") == ("平胡", "Flat hand")
    assert ruleset.name_of("nothing") is None
