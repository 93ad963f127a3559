"""A broken rule of play, from the request to the problem: its code, its rule and the rule's text.

What each variant refuses is in ``tests/rules_engine/variants/test_refusals.py``.
"""

from typing import Any

import msgspec
import pytest

from rules_engine import registry
from tests.rules_engine.variants.test_refusals import cases
from tests.support.people import ClubHouse
from tests.support.problems import nothing_written, refused


def assert_quotes(facts: dict[str, Any], slug: str, rule: str) -> None:
    """The facts name the rule and quote it in both languages."""
    text = registry.get(slug).rules[rule]
    assert (facts["rule"], facts["rule_zh"], facts["rule_en"]) == (rule, text.zh, text.en)


def test_a_substitute_who_sits_twice_is_refused_with_the_rule(house: ClubHouse) -> None:
    body = house.game_body(ruleset="ruian", preset="five_players")
    with nothing_written():
        answer = house.owner.post("games", {**body, "substitutes": body["players"][:1]})
    assert_quotes(refused(answer, 422, "player_twice"), "ruian", "RA-2")


def test_a_game_of_five_without_a_fifth_is_refused_with_the_rule(house: ClubHouse) -> None:
    with nothing_written():
        answer = house.owner.post("games", house.game_body(ruleset="ruian", preset="five_players"))
    facts = refused(answer, 422, "wrong_roster")
    assert_quotes(facts, "ruian", "RA-2")
    assert (facts["expected"], facts["actual"]) == (1, 0)


@pytest.mark.parametrize(
    ("case_id", "code", "rule"),
    [
        ("hefei-012", "claim_forbidden", "HF-22"),
        ("huaiyuan-049", "dui_bao_not_ting", "HY-53"),
        ("jiangxi-004", "wild_needs_self_draw", "JX-50"),
        ("qingdao-041", "bare_hun", "QD-66"),
        ("ruian-051", "wild_in_meld", "RA-42"),
    ],
)
def test_an_impossible_hand_is_refused_with_the_rule(
    house: ClubHouse, case_id: str, code: str, rule: str
) -> None:
    slug = case_id.partition("-")[0]
    case = cases(slug)[case_id]
    game = house.start_game(ruleset=slug, options=case.options)
    result = {"type": "hand_result", "hand": 1, **body_of(case)}
    with nothing_written():
        answer = house.append(game, 1, result)
    facts = refused(answer, 422, code)
    assert_quotes(facts, slug, rule)
    assert (facts["index"], facts["seq"]) == (0, 2)


def body_of(case: Any) -> dict[str, Any]:
    """The facts of a case as a client sends them."""
    return {
        key: value
        for key, value in msgspec.to_builtins(case.facts).items()
        if key in ("dealer", "result", "streak", "wild", "wins", "table")
    }
