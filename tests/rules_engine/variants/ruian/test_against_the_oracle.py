"""The best reading, its items and the payments, held to a slow scorer that shares no code."""

import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from rules_engine.cases import Case
from rules_engine.errors import Violation
from rules_engine.score import HandScore
from rules_engine.tiles import NAMES, ONE, kind_of, parse
from rules_engine.variants.ruian.hands import is_win, make_hand, waits
from rules_engine.variants.ruian.melds import melded
from rules_engine.variants.ruian.score import score
from tests.rules_engine.variants.ruian import oracle
from tests.rules_engine.variants.ruian.hands import hand_of, made, random_case, random_options

CASES = json.loads(Path(__file__).with_name("cases.json").read_text())


def as_case(body: dict[str, Any]) -> Case:
    """A case's body as the engine reads it."""
    expect = {"legal": True}
    return msgspec.convert({"id": "ruian-0", "title": "", "expect": expect, **body}, Case)


def check(body: dict[str, Any], given: dict[str, Any]) -> bool:
    """The engine's answer to a random case is the oracle's; gives whether the hand wins."""
    options, plain = made(given)
    answer = score(as_case(body).facts, options)
    win = body["wins"][0]
    found = oracle.best(win, body["wild"], body["dealer"], plain)
    if found is None:
        assert isinstance(answer, Violation), (answer, body, given)
        shapes = ("no_shape", "soft_ba_dui", "san_cai_shen_own_draw", "bare_san_cai_shen_off")
        assert answer.code in shapes, (answer, body)
        return False
    items, total = found
    assert isinstance(answer, HandScore), (answer, body, given)
    lines = {line.id: line.points for line in answer.wins[0].items}
    assert list(lines.items()) == list(items.items()), (body, given, answer.wins[0])
    assert answer.wins[0].total == total, (body, given)
    points = oracle.payments(body, win, total, plain)
    assert points == (list(answer.hand_points), list(answer.gang_points)), (body, given)
    return True


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_oracle_gives_the_golden_answers(case: dict[str, Any]):
    expect = case["expect"]
    _, plain = made(case["options"])
    wild, dealer = case["wild"], case["dealer"]
    if not expect["legal"]:
        found = [oracle.best(win, wild, dealer, plain) for win in case["wins"]]
        shapes = ("no_shape", "soft_ba_dui", "san_cai_shen_own_draw", "bare_san_cai_shen_off")
        if expect["reason"] in shapes:
            assert found == [None]
        return
    if not expect["wins"]:
        points = oracle.payments(case, None, 0, plain)
    else:
        wanted = expect["wins"][0]
        win = next(win for win in case["wins"] if win["seat"] == wanted["seat"])
        found = oracle.best(win, wild, dealer, plain)
        assert found is not None
        assert found[0] == {item["id"]: item["points"] for item in wanted["items"]}
        assert found[1] == wanted["total"]
        points = oracle.payments(case, win, wanted["total"], plain)
    assert points == (expect["hand_points"], expect["gang_points"])


@pytest.mark.parametrize("wilds", range(4))
def test_50_random_hands_score_as_the_oracle_says(wilds: int):
    chance = Random(10 + wilds)
    won = sum(check(random_case(chance, made({})[1], wilds), {}) for _ in range(50))
    assert won > 25


@pytest.mark.parametrize("wilds", range(4))
def test_50_random_hands_under_random_options_score_as_the_oracle_says(wilds: int):
    chance = Random(20 + wilds)
    for _ in range(50):
        given = random_options(chance)
        check(random_case(chance, made(given)[1], wilds), given)


@pytest.mark.thorough
@pytest.mark.parametrize("wilds", range(4))
def test_5000_random_hands_under_random_options_score_as_the_oracle_says(wilds: int):
    chance = Random(30 + wilds)
    for number in range(5000):
        given = random_options(chance) if number % 2 else {}
        check(random_case(chance, made(given)[1], wilds), given)


def test_waits_and_winning_shapes_are_those_of_the_oracle():
    chance = Random(40)
    waiting = 0
    for number in range(40):
        given = chance.choice([{}, {"ruan_ba_dui": True}, {"ying_ba_dui": False}])
        options, plain = made({**given, "san_cai_shen_bare": False})
        body = random_case(chance, plain, number % 3)
        win, wild, dealer = body["wins"][0], body["wild"], body["dealer"]
        held = oracle.tiles_of(win["concealed"])
        held += [tile for meld in win["melds"] for tile in oracle.tiles_of(meld["tiles"])]
        expected = [
            tile
            for tile in oracle.ALL
            if held.count(tile) < 4
            and tile != oracle.flower_of(wild, plain)
            and oracle.best({**win, "tile": tile}, wild, dealer, plain) is not None
        ]
        facts = as_case(body).wins[0]
        whole = hand_of(facts, kind_of(wild), dealer, options)
        concealed = parse(win["concealed"])
        before = make_hand(concealed, 0, kind_of(wild), whole.own, melded(facts.melds), options)
        assert [NAMES[kind] for kind in waits(before, options)] == expected, (body, given)
        assert whole.as_they_are == concealed + ONE[kind_of(win["tile"])]
        shape = oracle.best(win, wild, dealer, plain) is not None
        assert is_win(whole, options) == shape
        waiting += bool(expected)
    assert waiting > 25
