"""Following a game: order, resuming, what is seen, and the end."""

from collections.abc import Iterator
from typing import Any

import pytest

from records.models import Role
from tests.support.people import ClubHouse, Person
from tests.support.plays import played_hand
from tests.support.streams import Following


@pytest.fixture(autouse=True)
def _quick(settings: Any) -> Iterator[None]:
    settings.STREAM_TURN_MS = 10
    return


def follow(person: Person, game: str, last_id: int | None = None) -> Following:
    headers = {} if last_id is None else {"last_event_id": str(last_id)}
    return Following(person.get(f"games/{game}/stream", accept="text/event-stream", **headers))


def test_a_follower_gets_every_event_in_order_as_the_log_has_it(house: ClubHouse) -> None:
    game = house.start_game()
    events = played_hand(game, seed=7)
    following = follow(house.owner, game)
    assert following.next().data["event"]["type"] == "game_started"
    house.append(game, 1, *events[:5])
    house.append(game, 6, *events[5:])
    messages = following.take(len(events))
    assert [message.data["event"] for message in messages] == events
    assert [message.id for message in messages] == [str(seq) for seq in range(2, len(events) + 2)]
    assert {message.event for message in messages} == {"event"}
    listed = house.owner.get(f"games/{game}/events?limit=500").json()["items"][1:]
    assert [message.data for message in messages] == [{**item, "opened": []} for item in listed]
    following.close()


def test_a_hidden_tile_is_null_while_the_hand_lives_and_opened_when_it_ends(
    house: ClubHouse,
) -> None:
    game = house.start_game()
    events = played_hand(game, seed=7)
    following = follow(house.member(Role.VIEWER), game, 1)
    house.append(game, 1, *events[:-2])
    live = following.take(len(events) - 2)
    assert live[0].data["event"]["dealt"] == [None] * 4
    house.append(game, len(events) - 1, *events[-2:])
    last = following.take(2)[-1]
    hidden = [message.data["seq"] for message in live if message.data["hidden"]]
    assert [item["seq"] for item in last.data["opened"]] == hidden
    seen = {message.data["seq"]: message.data["event"] for message in live}
    seen |= {item["seq"]: item["event"] for item in last.data["opened"]}
    assert list(seen.values()) == events[:-2]
    following.close()
