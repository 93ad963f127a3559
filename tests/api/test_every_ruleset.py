"""A simulated game of every installed ruleset, and of one installed from outside, over HTTP."""

from typing import Any

import pytest

from rules_engine import registry
from tests.support.people import ClubHouse, Person
from tests.support.plays import played_hands
from tests.support.problems import refused
from tests.support.toy import toy_installed

HANDS = 3


@pytest.mark.parametrize("slug", [ruleset.slug for ruleset in registry.latest()])
def test_a_game_is_recorded_settled_explained_and_replayed(
    house: ClubHouse, settle: Any, slug: str
) -> None:
    play_and_read(house, settle, slug)


def test_a_ruleset_shipped_as_a_package_of_its_own_needs_nothing_more(
    house: ClubHouse, stranger: Person, settle: Any
) -> None:
    assert stranger.get("rulesets/toy").status_code == 404
    with toy_installed():
        assert stranger.get("rulesets/toy").json()["names"]["en"]
        assert stranger.get("rulesets/toy/options").json()["properties"]
        game = play_and_read(house, settle, "toy")
    answer = house.owner.get(f"games/{game}")
    refused(answer, 503, "ruleset_missing")


def play_and_read(house: ClubHouse, settle: Any, slug: str) -> str:
    """Record a game of some hands, and ask everything about it; give its id."""
    game = house.start_game(ruleset=slug)
    events = played_hands(game, seed=3, hands=HANDS)
    seq = 1
    for start in range(0, len(events), 40):
        answer = house.append(game, seq, *events[start : start + 40])
        assert answer.status_code == 201, answer.content
        # The service may have ended the hand already, where the simulator ends it too.
        seq = answer.json()["last_seq"]
        assert seq == 1 + min(start + 40, len(events)) + len(answer.json()["added"])
        if answer.json()["added"]:
            events.pop(start + 40)
    settle()
    path = f"games/{game}"
    shown = house.owner.get(path).json()
    assert (shown["seq"], shown["hand"], shown["ended"]) == (seq, HANDS, True)
    settlement = house.owner.get(f"{path}/settlement").json()
    assert settlement["pending"] == 0
    assert sum(total["points"] for total in settlement["totals"]) == 0
    for hand in settlement["hands"]:
        explanation = house.owner.get(f"{path}/hands/{hand['hand']}/explanation").json()
        paid = explanation["explanation"]["transfers"]
        assert sum(t["points"] for t in paid) == sum(p["points"] for p in hand["payments"])
    for at in (2, seq // 2, seq):
        assert house.owner.get(f"{path}/state?seq={at}").json()["seq"] == at
        assert house.owner.get(f"{path}/actions?seq={at}").status_code == 200
    assert house.owner.get(f"{path}/verify").json()["intact"] is True
    board = house.owner.get(f"clubs/{house.club.id}/leaderboard?ruleset={slug}").json()["items"]
    totals = {total["player"]: total["points"] for total in settlement["totals"]}
    assert {line["player"]: line["figures"]["points"] for line in board} == totals
    return game
