"""Scores that senders keep too: a hand that comes to something else is refused, with both."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

import api
from api.exchange.lines import header_line
from api.models import ImportedGame
from tests.api.test_imports import faults, game, sent, shown, work
from tests.support.people import HAND_RESULT, ClubHouse
from tests.support.plays import played_hand
from tests.support.problems import nothing_written, refused

POINTS = [-12, -10, 32, -10]
WRONG = [-12, -12, 36, -12]


def test_an_append_is_recorded_if_the_hand_comes_to_what_is_expected(house: ClubHouse) -> None:
    game = house.start_game()
    expect = {"points": POINTS, "wins": [{"seat": 2, "total": 10}]}
    assert house.append(game, 1, {**HAND_RESULT, "expect": expect}).status_code == 201
    item = house.owner.get(f"games/{game}/events?cursor=1").json()["items"][0]
    assert "expect" not in item["event"]


def test_an_append_with_another_score_is_refused_and_writes_nothing(house: ClubHouse) -> None:
    game = house.start_game()
    with nothing_written():
        answer = house.append(game, 1, {**HAND_RESULT, "expect": {"points": WRONG}})
    facts = refused(answer, 422, "score_differs")
    assert facts["expected"] == {"points": POINTS}
    assert facts["actual"] == {"points": WRONG}
    assert (facts["index"], facts["seq"], facts["hand"]) == (0, 2, 1)


def test_a_preview_says_the_same(house: ClubHouse) -> None:
    game = house.start_game()
    path = f"games/{game}/preview"
    assert house.owner.post(path, {**HAND_RESULT, "expect": {"points": POINTS}}).status_code == 200
    answer = house.owner.post(path, {**HAND_RESULT, "expect": {"points": WRONG}})
    refused(answer, 422, "score_differs")


@pytest.mark.parametrize("whole", [True, False])
def test_a_hand_of_tiles_is_held_to_its_score_too(house: ClubHouse, *, whole: bool) -> None:
    """Also where the service ends the hand itself: then the last event sent has the score."""
    game = house.start_game()
    events: list[dict[str, Any]] = played_hand(game, seed=7)
    *before, last = events if whole else events[:-1]
    with nothing_written():
        answer = house.append(game, 1, *before, {**last, "expect": {"points": [1, 1, 1, -3]}})
    found = refused(answer, 422, "score_differs")["expected"]
    assert house.append(game, 1, *before, {**last, "expect": found}).status_code == 201


@pytest.mark.parametrize(
    ("expect", "code"), [({"points": [1]}, "invalid_expectation"), ({}, "no_score_here")]
)
def test_no_score_is_expected_of_anything_but_a_hand(
    house: ClubHouse, expect: Any, code: str
) -> None:
    game = house.start_game()
    deal, *_ = played_hand(game, seed=7)
    with nothing_written():
        answer = house.append(game, 1, {**deal, "expect": expect})
    refused(answer, 422, code)


def test_the_example_of_the_readme_is_accepted(house: ClubHouse) -> None:
    text = (Path(api.__file__).parent / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    (example,) = [msgspec.json.decode(block) for block in blocks if '"expect"' in block]
    assert house.append(house.start_game(), 1, example).status_code == 201


def with_scores(lines: list[bytes], points: list[Any]) -> list[bytes]:
    """The lines with these points expected of the hands."""
    found = []
    for line in lines:
        body = msgspec.json.decode(line)
        if body.get("type") == "hand_ended" and points:
            body["expect"] = {"points": points.pop(0)}
        found.append(msgspec.json.encode(body) + b"\n")
    return found


def scores_of(house: ClubHouse, file: dict[str, Any]) -> list[Any]:
    """What the hands of the only game of a file come to."""
    recorded = ImportedGame.objects.get(file=file["id"]).game_id
    items = house.owner.get(f"games/{recorded}/settlement").json()["hands"]
    return [item["points"] for item in items]


def test_a_file_is_taken_with_the_scores_it_should_come_to(house: ClubHouse, settle: Any) -> None:
    lines = game("first", hands=3)
    file = sent(house, lines)
    work()
    settle()
    points = scores_of(house, file)
    assert len(points) == 3
    # Of hands that are recorded already the score is compared too.
    for name in ("first", "second"):
        again = with_scores(game("first", hands=3), list(points))
        again = [line.replace(b'"game":"first"', b'"game":"%b"' % name.encode()) for line in again]
        file = sent(house, again)
        work()
        assert faults(house, file) == []
        assert shown(house, file)["progress"]["events"] == len(lines) - 1


@pytest.mark.parametrize("recorded", [True, False])
def test_a_hand_with_another_score_is_a_fault_and_not_recorded(
    house: ClubHouse, settle: Any, *, recorded: bool
) -> None:
    lines = game("odd", hands=3)
    points = scores_before(house, settle, lines)
    points[1] = [99, -33, -33, -33]
    lines = with_scores(lines, list(points))
    if recorded:
        sent(house, game("odd", hands=3))
        work()
    file = sent(house, lines)
    work()
    (fault,) = faults(house, file)
    ends = [n for n, line in enumerate(lines, 1) if b'"hand_ended"' in line]
    assert (fault["code"], fault["line"]) == ("score_differs", ends[1])
    assert fault["seq"] == ends[1] - 1
    assert fault["facts"]["actual"] == {"points": points[1]}
    assert fault["facts"]["expected"]["points"] != points[1]
    events = ImportedGame.objects.get(file=file["id"]).events
    assert events == (len(lines) - 1 if recorded else ends[0] - 1)


def scores_before(house: ClubHouse, settle: Any, lines: list[bytes]) -> list[Any]:
    """What the hands of the lines come to, found out with another name for the game."""
    file = sent(house, [line.replace(b'"game":"odd"', b'"game":"even"') for line in lines])
    work()
    settle()
    return scores_of(house, file)


def test_an_expectation_nobody_can_read_is_a_fault_of_its_line(house: ClubHouse) -> None:
    result = {**HAND_RESULT, "game": "r", "seq": 2, "expect": {"point": POINTS}}
    players = ["a", "b", "c", "d"]
    started = started_line(house, players)
    lines = [
        header_line(game="r", title="r", players=dict(zip(players, "ABCD", strict=True))),
        started,
        msgspec.json.encode(result) + b"\n",
    ]
    file = sent(house, lines)
    work()
    (fault,) = faults(house, file)
    assert (fault["line"], fault["code"], fault["seq"]) == (3, "invalid_expectation", 2)


def started_line(house: ClubHouse, players: list[str]) -> bytes:
    """The first event of a game of Hefei mahjong as a line."""
    recorded = house.start_game()
    event = house.owner.get(f"games/{recorded}/events").json()["items"][0]["event"]
    return msgspec.json.encode({**event, "game": "r", "seq": 1, "players": players}) + b"\n"
