"""The best reading, its items and the payments, held to a slow scorer that shares no code."""

import random
from collections import Counter, defaultdict
from itertools import combinations
from typing import Any

import msgspec
import pytest

from rules_engine.cases import Case
from rules_engine.ruleset import dump_options, make_options
from rules_engine.score import HandScore
from rules_engine.tiles import NAMES, kind_of, parse
from rules_engine.variants.hefei.legality import waits, winning_shape
from rules_engine.variants.hefei.options import HefeiOptions
from rules_engine.variants.hefei.score import score
from tests.rules_engine.variants.hefei import oracle
from tests.rules_engine.variants.hefei.hands import (
    random_case,
    random_options,
    random_tiles,
    random_win,
)

SPLITS = ["pro_rata", "turn_order"]


def as_case(body: dict[str, Any]) -> Case:
    """A case's body as the engine reads it."""
    expect = {"legal": True}
    return msgspec.convert({"id": "hefei-0", "title": "", "expect": expect, **body}, Case)


def made(given: dict[str, Any]) -> tuple[HefeiOptions, dict[str, Any]]:
    """The options as a value for the engine and as a dictionary for the oracle."""
    options = make_options(HefeiOptions, given)
    assert isinstance(options, HefeiOptions)
    return options, dump_options(options)


def check(body: dict[str, Any], given: dict[str, Any]) -> None:
    """The engine's answer to a random case is the oracle's."""
    options, plain = made(given)
    answer = score(as_case(body).facts, options)
    assert isinstance(answer, HandScore), (answer, body, given)
    totals = {}
    results = {result.seat: result for result in answer.wins}
    for win in body["wins"]:
        result = results[win["seat"]]
        items = oracle.best_items(win, dealer=body["dealer"], streak=body["streak"], options=plain)
        totals[win["seat"]] = sum(items.values())
        found = {line.id: line.points for line in result.items}
        assert list(found.items()) == [(name, items[name]) for name in items], (body, given)
        assert result.total == totals[win["seat"]]
    due = oracle.payments(
        body["wins"], totals, dealer=body["dealer"], streak=body["streak"], options=plain
    )
    assert list(answer.hand_points) == due, (body, given)


@pytest.mark.parametrize("seed", range(6))
def test_500_random_hands_score_as_the_oracle_says(seed: int):
    chance = random.Random(seed)
    for _ in range(500):
        check(random_case(chance, made({})[1]), {})


@pytest.mark.parametrize("seed", range(6))
def test_300_random_hands_under_random_options_score_as_the_oracle_says(seed: int):
    chance = random.Random(100 + seed)
    for _ in range(300):
        given = random_options(chance)
        check(random_case(chance, made(given)[1]), given)


def pairs_of_winners(chance: random.Random) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Hands that can win on the same tile, with no more than four copies of a kind between them."""
    by_tile = defaultdict(list)
    for _ in range(400):
        win = random_win(chance, made({})[1])
        by_tile[win["tile"]].append(win)
    found = []
    for wins in by_tile.values():
        for one, other in combinations(wins, 2):
            held = one["tile"] + "".join(
                text
                for win in (one, other)
                for text in (win["concealed"], *(meld["tiles"] for meld in win["melds"]))
            )
            if max(Counter(oracle.tiles_of(held)).values()) <= 4:
                found.append((one, other))
    return found


def test_two_winners_of_one_discard_are_paid_as_the_oracle_says():
    chance = random.Random(200)
    pairs = pairs_of_winners(chance)
    assert len(pairs) >= 100
    for one, other in pairs:
        seats = chance.sample(range(4), 3)
        by = {"by": "dianpao", "from": seats[2], "flags": []}
        body = {
            "dealer": chance.randrange(4),
            "streak": chance.randrange(1, 6),
            "result": "hu",
            "wins": [{**one, **by, "seat": seats[0]}, {**other, **by, "seat": seats[1]}],
        }
        check(body, {"cap": chance.choice([0, 20, 45]), "cap_split": chance.choice(SPLITS)})


def test_waits_and_winning_shapes_are_those_of_the_oracle():
    chance = random.Random(300)
    for _ in range(300):
        options, plain = made(random_options(chance))
        gangs, tiles = random_tiles(chance)
        if max(Counter(tiles + gangs * 4).values()) > 4:
            continue
        tiles.remove(chance.choice(tiles))
        if chance.random() < 0.5:
            tiles[0] = chance.choice(tiles)
        if max(Counter(tiles + gangs * 4).values()) > 4:
            continue
        pairs = [oracle.tiles_of(NAMES[kind])[0] for kind in tiles]
        gang_pairs = [oracle.tiles_of(NAMES[kind])[0] for kind in gangs]
        bag = sum(parse(NAMES[kind]) for kind in tiles)
        expected = [
            kind_of(f"{rank}{suit}") for suit, rank in oracle.waits(pairs, gang_pairs, plain)
        ]
        found = waits(bag, tuple(gangs), options)
        assert list(found) == expected
        for kind in expected:
            whole = bag + parse(NAMES[kind])
            owned = whole + 4 * sum(parse(NAMES[gang]) for gang in gangs)
            assert winning_shape(whole, len(gangs), owned, options)
