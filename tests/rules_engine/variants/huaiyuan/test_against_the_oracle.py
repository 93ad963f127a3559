"""The best reading, its items and the payments, held to a slow scorer that shares no code."""

import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from rules_engine.cases import Case
from rules_engine.errors import Violation
from rules_engine.facts import Meld
from rules_engine.score import HandScore
from rules_engine.tiles import NAMES, parse
from rules_engine.variants.huaiyuan.hands import waited_for
from rules_engine.variants.huaiyuan.melds import melded
from rules_engine.variants.huaiyuan.score import score
from tests.rules_engine.variants.huaiyuan import oracle
from tests.rules_engine.variants.huaiyuan.hands import made, random_case, random_options

CASES = json.loads(Path(__file__).with_name("cases.json").read_text())
REASONS = {7: "no_shape", 8: "missing_suit", 9: "no_yaojiu", 10: "no_kezi", 11: "shou_ba_yi",
           12: "li_hu_forbidden"}  # fmt: skip
OPEN = {"require_three_suits": False, "require_yaojiu": "off", "require_kezi": False}


def as_case(body: dict[str, Any]) -> Case:
    """A case's body as the engine reads it."""
    return msgspec.convert({"id": "x", "title": "", "expect": {"legal": True}, **body}, Case)


def check(body: dict[str, Any], given: dict[str, Any]) -> bool:
    """The engine's answer to a random case is the oracle's; gives whether the hand wins."""
    options, plain = made(given)
    answer = score(as_case(body).facts, options)
    (win,) = body["wins"]
    items = oracle.best_items(win, body["dealer"], body["wild"], plain)
    if isinstance(items, int):
        assert isinstance(answer, Violation), (answer, body)
        assert answer.code == REASONS[items], (answer, body, given)
        return False
    assert isinstance(answer, HandScore), (answer, body, given)
    lines = [(line.id, line.points) for line in answer.wins[0].items]
    assert lines == list(items.items()), (body, given)
    assert answer.wins[0].total == oracle.conv(sum(items.values()), plain)
    points = oracle.hand_points(win, items, body["dealer"], plain)
    assert list(answer.hand_points) == points, (body, given)
    assert list(answer.gang_points) == oracle.gang_points([win], plain, won=True), (body, given)
    return True


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_oracle_gives_the_golden_answers(case: dict[str, Any]):
    expect = case["expect"]
    _, plain = made(case["options"])
    found = [
        oracle.best_items(win, case["dealer"], case.get("wild"), plain) for win in case["wins"]
    ]
    if not expect["legal"]:
        numbers = [REASONS[each] for each in found if isinstance(each, int)]
        assert numbers == [expect["reason"]] * len(numbers)
        assert bool(numbers) or expect["reason"] not in REASONS.values()
        return
    points = [0, 0, 0, 0]
    for win, wanted, items in zip(case["wins"], expect["wins"], found, strict=True):
        assert not isinstance(items, int)
        assert items == {item["id"]: item["points"] for item in wanted["items"]}
        paid = oracle.hand_points(win, items, case["dealer"], plain)
        points = [a + b for a, b in zip(points, paid, strict=True)]
    holders = [*case["wins"], *case.get("table", [])]
    assert points == expect["hand_points"]
    won = case["result"] == "hu"
    assert oracle.gang_points(holders, plain, won=won) == expect["gang_points"]


@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_100_random_hands_score_as_the_oracle_says(seed: int, wild: bool):  # noqa: FBT001
    chance = Random(10 * wild + seed)
    won = sum(check(random_case(chance, wild=wild), OPEN) for _ in range(100))
    assert won > 30


@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_100_random_hands_under_random_options_score_as_the_oracle_says(
    seed: int,
    wild: bool,  # noqa: FBT001
):
    chance = Random(100 + 10 * wild + seed)
    won = [check(random_case(chance, wild=wild), random_options(chance)) for _ in range(100)]
    assert any(won)
    assert not all(won)


@pytest.mark.thorough
@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_3000_random_hands_under_random_options_score_as_the_oracle_says(
    seed: int,
    wild: bool,  # noqa: FBT001
):
    chance = Random(200 + 10 * wild + seed)
    for number in range(3000):
        base = OPEN if number % 2 else {}
        check(random_case(chance, wild=wild), {**base, **random_options(chance)})


def test_waits_are_those_of_the_oracle():
    chance = Random(400)
    waiting = 0
    for _ in range(100):
        options, plain = made({**OPEN, **random_options(chance)})
        (win,) = random_case(chance, wild=False)["wins"]
        melds = melded(tuple(msgspec.convert(meld, Meld) for meld in win["melds"]))
        found = [NAMES[kind] for kind in waited_for(parse(win["concealed"]), melds, options)]
        assert found == oracle.waits(win, plain), (win, plain)
        waiting += bool(found)
    assert waiting > 40
