"""The options of Rui'an mahjong: each changes an answer, the presets hold, bad ones are refused."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rules_engine.cases import Case
from rules_engine.errors import Violation
from rules_engine.fold import makes_room
from rules_engine.ruleset import dump_options, make_options, options_schema
from rules_engine.variants.ruian.options import PRESETS, RuianOptions
from rules_engine.variants.ruian.score import score
from tests.rules_engine.variants.ruian.logs import RULESET, deal, played, result, started

CASES = [
    msgspec.convert(body, Case)
    for body in json.loads(Path(__file__).with_name("cases.json").read_text())
]
IN_PLAY: dict[str, tuple[Any, str]] = {
    "guo_peng": (False, "test_play: a barred peng is refused"),
    "dealer_on_draw": ("stay", "test_hand_to_hand: who deals next"),
    "max_streak": (2, "test_hand_to_hand: who deals next"),
    "reserve": ("server", "the dead wall"),
    "reserve_stacks": (7, "the dead wall"),
    "four_same_winds_draw": (True, "test_play: four equal winds"),
    "four_gangs_draw": (True, "test_play: the fourth gang"),
    "roster": (5, "test_hand_to_hand: with five players"),
}
"""Options that change how a hand is played, a value each, and where that is tested."""


def test_every_option_that_prices_a_hand_changes_the_answer_to_a_golden_case():
    changing = {name for case in CASES for name in case.options}
    fields = {field.name for field in msgspec.structs.fields(RuianOptions)}
    assert changing | set(IN_PLAY) == fields
    for case in CASES:
        if case.options and case.id not in ("ruian-093", "ruian-096"):
            plain = score(case.facts, RuianOptions())
            assert plain != score(case.facts, options_of(case.options)), case.id


def options_of(given: dict[str, Any]) -> RuianOptions:
    """The options with these overrides."""
    options = make_options(RuianOptions, given)
    assert isinstance(options, RuianOptions), options
    return options


def test_the_reserve_options_change_the_dead_wall():
    def dead(options: dict[str, Any]) -> int:
        game = deal({}, options=options)
        assert game.table is not None
        return game.play.dead_wall(game.table)

    assert (dead({}), dead({"reserve": "server"}), dead({"reserve_stacks": 7})) == (21, 14, 15)


def test_a_roster_of_five_has_a_substitute_who_takes_turns():
    four = played([started(), result(1, 0, 1)])
    five = played([started({"roster": 5}, ["e"]), result(1, 0, 1)])
    assert makes_room(four) is None
    assert makes_room(five) == 0


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_a_legal_set_of_options(name: str):
    options = options_of(dict(PRESETS[name]))
    assert {key: dump_options(options)[key] for key in PRESETS[name]} == PRESETS[name]


def test_the_schema_tells_ranges_rules_and_both_languages():
    properties = options_schema(RuianOptions)["properties"]
    assert set(properties) == {field.name for field in msgspec.structs.fields(RuianOptions)}
    for name, schema in properties.items():
        assert schema["description"], name
        assert schema["zh"], name
        assert set(schema["rules"]) <= set(RULESET.rules), name


@pytest.mark.parametrize(
    ("given", "code", "rule"),
    [
        ({"base_hu": 501}, "invalid_option", "RA-53"),
        ({"ji_shu": []}, "invalid_option", "RA-81"),
        ({"ji_shu": [0]}, "invalid_option", "RA-81"),
        ({"ji_shu": [1] * 9}, "invalid_option", "RA-81"),
        ({"round_to": 5}, "invalid_option", "RA-72"),
        ({"roster": 6}, "invalid_option", "RA-2"),
        ({"hu_per_point": 10, "round_to": 1}, "bad_option", "RA-85"),
        ({"colour": "red"}, "unknown_option", ""),
    ],
)
def test_a_bad_option_is_refused_with_its_rule(given: dict[str, Any], code: str, rule: str):
    refusal = make_options(RuianOptions, given)
    assert isinstance(refusal, Violation)
    assert (refusal.code, refusal.rule) == (code, rule)


def test_a_list_of_numbers_survives_the_first_event():
    game = played([started({"ji_shu": [1, 3]})])
    assert game.options.ji_shu == (1, 3)  # type: ignore[attr-defined]
