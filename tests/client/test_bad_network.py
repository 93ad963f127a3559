"""A game of each ruleset through a network that loses, repeats and delays what passes it."""

from random import Random
from types import ModuleType
from typing import Any

import pytest

from rules_engine import registry
from tests.support.at_once import at_once
from tests.support.plays import played_hands
from tests.support.web import FATES, bad_network

HANDS = 3


@pytest.mark.slow
@pytest.mark.parametrize("slug", [ruleset.slug for ruleset in registry.latest()])
def test_a_whole_game_ends_with_exactly_the_intended_log(
    program: ModuleType, server: str, slug: str
) -> None:
    rng = Random(slug)
    with bad_network(server, seed=rng.randrange(1000)) as (address, network):
        client = program.sign_on(address, f"recorder-{slug}", "nine gates and a wall")
        recorder = program.Club(client, slug).start(slug)
        intended = played_hands(str(recorder.game), seed=5, hands=HANDS)
        recorder.record(intended, batch=lambda: rng.randint(1, 15))
        log = recorder.log()
        assert recorder.intact()
    assert log[1:] == intended
    assert log[-1]["type"] == "game_ended"
    assert network.happened.keys() == {"well", *FATES}


HAND = {
    "type": "hand_result",
    "hand": 1,
    "dealer": 0,
    "result": "hu",
    "wins": [{"seat": 2, "by": "zimo", "tile": "5p", "concealed": "23456788m34p678s"}],
}


def test_of_two_recorders_at_once_one_wins_and_the_other_recovers(
    program: ModuleType, server: str
) -> None:
    client = program.sign_on(server, "two-tables", "nine gates and a wall")
    first = program.Club(client, "two-tables").start("hefei")
    second = program.Recorder(client, first.game)
    answers = dict(
        zip(
            (first, second),
            at_once(*[lambda r=r: r.append([HAND]) for r in (first, second)]),
            strict=True,
        )
    )
    assert sorted(answer.status_code for answer in answers.values()) == [201, 412]
    (loser,) = [recorder for recorder, answer in answers.items() if answer.status_code == 412]

    since: list[dict[str, Any]] = program.missed(answers[loser])
    assert since == [HAND]
    loser.seq += len(since)
    # Their hand is the first, so ours is the second: its winner was not the dealer, who moves on.
    ours = {**HAND, "hand": 2, "dealer": 1}
    assert program.told(loser.append([ours])).last_seq == 3
    assert loser.log()[1:] == [HAND, ours]
