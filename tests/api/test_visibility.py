"""Through every way of reading: what a viewer may not see of a live hand is not in any answer."""

from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest

from records import reader
from records.chain import ExportedEvent, Opening, verify_chain
from records.models import Role
from tests.support.people import ClubHouse, Person
from tests.support.plays import played_hand

READINGS = (
    "",
    "/events",
    "/events?proof=true",
    "/state",
    "/state?seq={middle}",
    "/actions",
    "/actions?seq={middle}",
    "/settlement",
    "/verify",
)


def readings(person: Person, game: str, middle: int) -> list[Any]:
    """Every answer about a game that a person can ask for, as plain values."""
    answers = [person.get(f"games/{game}{path.format(middle=middle)}").json() for path in READINGS]
    stream = person.get(f"games/{game}/events", accept="application/x-ndjson")
    lines = b"".join(stream.streaming_content).splitlines()
    return [*answers, [msgspec.json.decode(line) for line in lines]]


def without_identity(value: Any) -> Any:
    """The value without ids, times and everything that a hash went into."""
    if isinstance(value, dict):
        identity = {"id", "game", "created_at", "occurred_at", "recorded_at", "hash", "prev"}
        identity |= {"occurred_at_ms", "commitments", "salt"}
        return {k: without_identity(v) for k, v in value.items() if k not in identity}
    if isinstance(value, list):
        return [without_identity(item) for item in value]
    return value


def twin_of(deal: dict[str, Any], seats: tuple[int, int]) -> dict[str, Any]:
    """The same deal with the tiles of two seats exchanged."""
    dealt = list(deal["dealt"])
    one, other = seats
    dealt[one], dealt[other] = dealt[other], dealt[one]
    return {**deal, "dealt": dealt}


@pytest.mark.parametrize("seed", range(3))
def test_two_games_that_differ_in_hidden_tiles_answer_a_viewer_alike(
    house: ClubHouse, seed: int
) -> None:
    games = house.start_game(), house.start_game()
    deal, discard, *_ = played_hand(games[0], seed=seed)
    one, other, watching = [seat for seat in range(4) if seat != deal["dealer"]]
    # The tile drawn next is hidden too, and may be any that nobody holds.
    draws = [
        {"type": "draw", "seat": (deal["dealer"] + 1) % 4, "tile": tile}
        for tile in unseen(deal, Random(seed))
    ]
    for game, opening, draw in (
        (games[0], deal, draws[0]),
        (games[1], twin_of(deal, (one, other)), draws[1]),
    ):
        assert house.append(game, 1, opening, discard).status_code == 201
        if watching != draw["seat"]:
            assert house.append(game, 3, draw).status_code == 201, draw
    for person in (house.member(Role.VIEWER), house.member(Role.REFEREE), house.seated(watching)):
        answers = [without_identity(readings(person, game, 2)) for game in games]
        assert answers[0] == answers[1]
    answers = [without_identity(readings(house.owner, game, 2)) for game in games]
    assert answers[0] != answers[1]
    answers = [without_identity(readings(house.seated(one), game, 2)) for game in games]
    assert answers[0] != answers[1]


def unseen(deal: dict[str, Any], rng: Random) -> list[str]:
    """Two tiles of which nobody was dealt a copy or that are left, in a game of 2 to 8 in suits."""
    held: dict[str, int] = {}
    for text in deal["dealt"]:
        suit_end = 0
        for place, letter in enumerate(text):
            if letter.isalpha():
                for digit in text[suit_end:place]:
                    held[digit + letter] = held.get(digit + letter, 0) + 1
                suit_end = place + 1
    left = [
        f"{rank}{suit}"
        for suit in "mps"
        for rank in range(2, 9)
        if held.get(f"{rank}{suit}", 0) < 4
    ]
    return rng.sample(left, 2)


def test_when_the_hand_ends_every_member_sees_all_of_it(house: ClubHouse) -> None:
    game = house.start_game()
    events = played_hand(game, seed=7)
    viewer = house.member(Role.VIEWER)
    house.append(game, 1, *events[:-2])
    live = viewer.get(f"games/{game}/events?limit=500").json()["items"]
    assert live[1]["event"]["dealt"] == [None] * 4
    assert live[1]["hidden"] == ["dealt.0", "dealt.1", "dealt.2", "dealt.3", "last"]
    house.append(game, len(events) - 1, *events[-2:])
    ended = viewer.get(f"games/{game}/events?limit=500").json()["items"]
    assert [item["event"] for item in ended[1:]] == events
    assert not any(item["hidden"] for item in ended)
    state = viewer.get(f"games/{game}/state?seq=2").json()
    assert all(seat["concealed"] for seat in state["table"]["seats"])


def test_a_draw_that_was_rewound_stays_hidden_while_the_hand_lives(house: ClubHouse) -> None:
    game = house.start_game()
    events = played_hand(game, seed=7)
    rewind = {"type": "rewind", "to": 3, "reason": "wrong tile"}
    assert house.append(game, 1, *events[:3], rewind).status_code == 201
    items = house.member(Role.VIEWER).get(f"games/{game}/events").json()["items"]
    assert (items[3]["event"]["type"], items[3]["event"]["tile"]) == ("draw", None)


def test_an_own_seat_is_seen_in_events_state_and_actions(house: ClubHouse) -> None:
    game = house.start_game()
    deal, discard, *_ = played_hand(game, seed=7)
    player = house.seated(deal["dealer"])
    assert house.append(game, 1, deal).status_code == 201
    event = player.get(f"games/{game}/events").json()["items"][1]
    own = [text if seat == deal["dealer"] else None for seat, text in enumerate(deal["dealt"])]
    assert (event["event"]["dealt"], event["event"]["last"]) == (own, deal["last"])
    state = player.get(f"games/{game}/state").json()["table"]
    assert [seat["concealed"] for seat in state["seats"]] == own
    assert discard in player.get(f"games/{game}/actions").json()["actions"]
    assert (
        house.seated((deal["dealer"] + 1) % 4).get(f"games/{game}/actions").json()["actions"] == []
    )


def test_what_a_viewer_was_shown_verifies_against_the_chain(house: ClubHouse) -> None:
    game = house.start_game()
    deal, *rest = played_hand(game, seed=7)
    house.append(game, 1, deal, *rest[:6])
    for person, opened in ((house.member(Role.VIEWER), 0), (house.seated(0), 1)):
        items = person.get(f"games/{game}/events?proof=true").json()["items"]
        exported = [exported_event(game, item) for item in items]
        assert verify_chain(exported) is None
        assert len(exported[1].openings) >= opened
        assert exported[-1].hash == reader.head(UUID(game))[1]
        public = {**exported[2].public, "seat": 9}
        forged = [*exported[:2], msgspec.structs.replace(exported[2], public=public)]
        fault = verify_chain(forged)
        assert fault is not None
        assert fault.seq == 3


def exported_event(game: str, item: dict[str, Any]) -> ExportedEvent:
    """An event of the API as the verifier reads it."""
    proof = item["proof"]
    return ExportedEvent(
        game_id=game,
        seq=item["seq"],
        type=item["event"]["type"],
        version=proof["version"],
        occurred_at_ms=proof["occurred_at_ms"],
        public=proof["public"],
        commitments=proof["commitments"],
        openings={
            name: Opening(salt=bytes.fromhex(opening["salt"]), value=opening["value"])
            for name, opening in proof["openings"].items()
        },
        prev=bytes.fromhex(proof["prev"]),
        hash=bytes.fromhex(item["hash"]),
    )
