"""The best reading, its items and the payments, held to a slow scorer that shares no code."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from rules_engine.cases import Case
from rules_engine.errors import Violation
from rules_engine.facts import Meld, WinFacts
from rules_engine.score import HandScore
from rules_engine.tiles import KIND, NAMES, parse
from rules_engine.variants.qingdao.hands import hand_of, waits, winning_shape
from rules_engine.variants.qingdao.melds import NO_HUN
from rules_engine.variants.qingdao.score import score
from tests.rules_engine.variants.qingdao import oracle
from tests.rules_engine.variants.qingdao.hands import made, random_case, random_options

CASES = json.loads(Path(__file__).with_name("cases.json").read_text())
HUN = {"hun": True, "bare_hun_ron": True}
FULL = {"mode": "quan_dai_jiang", "flowers": 4}


def as_case(body: dict[str, Any]) -> Case:
    """A case's body as the engine reads it."""
    expect = {"legal": True}
    return msgspec.convert({"id": "qingdao-0", "title": "", "expect": expect, **body}, Case)


def check(body: dict[str, Any], given: dict[str, Any]) -> bool:
    """The engine's answer to a random case is the oracle's; gives whether the hand wins."""
    options, plain = made(given)
    answer = score(as_case(body).facts, options)
    best = [oracle.best_items(win, plain, body["wild"]) for win in body["wins"]]
    if None in best:
        assert isinstance(answer, Violation), (answer, body)
        assert answer.code == "shape", (answer, body)
        return False
    assert isinstance(answer, HandScore), (answer, body, given)
    totals = {}
    for win, result, items in zip(body["wins"], answer.wins, best, strict=True):
        found = {line.id: line.points for line in result.items}
        assert items is not None
        assert list(found.items()) == list(items.items()), (body, given)
        assert result.total == sum(items.values())
        totals[win["seat"]] = result.total
    hand, gang = oracle.payments(body["wins"], totals, [], plain)
    assert (list(answer.hand_points), list(answer.gang_points)) == (hand, gang), (body, given)
    return True


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_oracle_gives_the_golden_answers(case: dict[str, Any]):
    expect = case["expect"]
    _, plain = made(case["options"])
    if not expect["legal"]:
        items = [oracle.best_items(win, plain, case.get("wild")) for win in case["wins"]]
        assert (None in items) == (expect["reason"] in ("shape", "flower_in_hand"))
        return
    totals = {}
    for win, wanted in zip(case["wins"], expect["wins"], strict=True):
        items = oracle.best_items(win, plain, case.get("wild"))
        assert items == {item["id"]: item["points"] for item in wanted["items"]}
        totals[win["seat"]] = wanted["total"]
    points = oracle.payments(case["wins"], totals, case["table"], plain)
    assert points == (expect["hand_points"], expect["gang_points"])


@pytest.mark.parametrize("hun", range(5))
def test_60_random_hands_with_hun_score_as_the_oracle_says(hun: int):
    chance = Random(100 * hun)
    won = sum(check(random_case(chance, made(HUN)[1], hun), HUN) for _ in range(60))
    assert won > 30


@pytest.mark.parametrize("seed", range(2))
def test_100_random_hands_of_all_types_score_as_the_oracle_says(seed: int):
    chance = Random(seed)
    for _ in range(100):
        check(random_case(chance, made(FULL)[1]), FULL)


@pytest.mark.parametrize("seed", range(2))
def test_100_random_hands_under_random_options_score_as_the_oracle_says(seed: int):
    chance = Random(200 + seed)
    for number in range(100):
        hun = number % 5
        given = random_options(chance, hun=hun > 0)
        check(random_case(chance, made(given)[1], hun), given)


@pytest.mark.thorough
@pytest.mark.parametrize("hun", range(5))
def test_5000_random_hands_under_random_options_score_as_the_oracle_says(hun: int):
    chance = Random(300 + hun)
    for _ in range(5000):
        given = random_options(chance, hun=hun > 0)
        check(random_case(chance, made(given)[1], hun), given)


def test_waits_and_winning_shapes_are_those_of_the_oracle():
    chance = Random(400)
    waiting = 0
    for number in range(120):
        hun = number % 3
        given = {"hun": True} if hun else chance.choice([FULL, {}])
        options, plain = made(given)
        body = random_case(chance, plain, hun)
        win = body["wins"][0]
        if chance.random() < 0.3:
            win["melds"] = win["melds"][:1]
        held = Counter(oracle.tiles_of(win["concealed"]))
        for meld in win["melds"]:
            held.update(oracle.tiles_of(meld["tiles"]))
        expected = [
            tile
            for tile in oracle.ALL
            if held[tile] < 4
            and oracle.best_items({**win, "tile": tile}, plain, body["wild"]) is not None
        ]
        kind = NO_HUN if body["wild"] is None else KIND[body["wild"]]
        facts = msgspec.convert(win, WinFacts)
        whole = hand_of(facts, kind)
        before = whole_without_tile(facts, kind)
        found = [NAMES[each] for each in waits(before, held_bag(facts), options)]
        assert found == expected, (body, given)
        shape = winning_shape(whole.natural, whole.wilds, whole.melds.size, options)
        assert shape == (oracle.best_items(win, plain, body["wild"]) is not None)
        waiting += bool(found)
    assert waiting > 60


def whole_without_tile(win: WinFacts, kind: int) -> Any:
    """The hand before its winning tile."""
    whole = hand_of(win, kind)
    if whole.tile == kind:
        return msgspec.structs.replace(whole, wilds=whole.wilds - 1)
    return msgspec.structs.replace(whole, natural=whole.natural - parse(win.tile))


def held_bag(win: WinFacts) -> int:
    """All tiles the winner has but the winning one."""
    melds: tuple[Meld, ...] = win.melds
    return parse(win.concealed) + sum(parse(meld.tiles) for meld in melds)
