"""The best reading, its items and the payments, held to a slow scorer that shares no code."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rules_engine.cases import Case, read_cases
from rules_engine.errors import Violation
from rules_engine.ruleset import dump_options, make_options
from rules_engine.variants.jiangxi.options import JiangxiOptions
from rules_engine.variants.jiangxi.score import score
from tests.rules_engine.variants.jiangxi import oracle
from tests.rules_engine.variants.jiangxi.hands import random_case, random_options

CASES = read_cases(Path(__file__).with_name("cases.json").read_bytes())
SHARES = {0: 24, 1: 28, 2: 32, 3: 14, 4: 2}
"""How often a random hand has so many wilds; four take the oracle a second."""


def made(given: dict[str, Any]) -> tuple[JiangxiOptions, dict[str, Any]]:
    """The options as a value for the engine and as a dictionary for the oracle."""
    options = make_options(JiangxiOptions, given)
    assert isinstance(options, JiangxiOptions), options
    return options, dump_options(options)


def check(body: dict[str, Any], given: dict[str, Any]) -> str:
    """The engine's answer to a random case is the oracle's; the reason it is refused, or none."""
    options, plain = made(given)
    case = msgspec.convert(
        {"id": "jiangxi-0", "title": "", "expect": {"legal": True}, **body}, Case
    )
    found = score(case.facts, options)
    win = body["wins"][0]
    reason, items = oracle.answer(win, wild=body["wild"], options=plain)
    if isinstance(found, Violation):
        assert found.code == reason, (found, body, given)
        return reason
    assert not reason, (reason, body, given)
    lines = [(line.id, line.points) for line in found.wins[0].items]
    assert lines == items, (body, given)
    total = sum(points for _, points in items)
    assert found.wins[0].total == total
    hand, gangs = oracle.payments(win, total, options=plain)
    assert (list(found.hand_points), list(found.gang_points)) == (hand, gangs), (body, given)
    return ""


def check_many(seed: int, number: int) -> None:
    """So many random hands, a third of them under random options, most of which win."""
    chance = random.Random(seed)
    won = 0
    for _ in range(number):
        wilds = chance.choices(list(SHARES), list(SHARES.values()))[0]
        given = random_options(chance) if chance.random() < 0.33 else {}
        won += not check(random_case(chance, wilds), given)
    assert won > number // 3


@pytest.mark.parametrize("seed", range(4))
def test_100_random_hands_score_as_the_oracle_says(seed: int):
    check_many(seed, 100)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(100, 120))
def test_1000_more_random_hands_score_as_the_oracle_says(seed: int):
    check_many(seed, 1000)


ALONE = [
    case
    for case in CASES
    if len(case.wins) == 1 and (case.expect.legal or case.expect.reason != "flag_impossible")
]


@pytest.mark.parametrize("case", ALONE, ids=lambda case: case.id)
def test_the_oracle_agrees_with_the_golden_cases(case: Case):
    _, plain = made(case.options)
    win = msgspec.to_builtins(case.wins[0])
    win = {"from": None, "melds": [], "flags": [], **win}
    reason, items = oracle.answer(win, wild=str(case.wild), options=plain)
    if case.expect.legal:
        assert case.expect.wins is not None
        assert items == [(item.id, item.points) for item in case.expect.wins[0].items]
    elif case.expect.reason not in ("pass_hu_locked", "rob_not_allowed"):
        assert reason == case.expect.reason
