"""Streams of the web server as it is run: connections that leave its threads, and its end."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import httpx
import pytest

from tests.support.databases import Database
from tests.support.people import ClubHouse
from tests.support.plays import played_hand
from tests.support.streams import Message, parsed
from tests.support.web_server import web_server

pytestmark = pytest.mark.slow


@contextmanager
def listening(address: str, path: str, house: ClubHouse) -> Iterator[Iterator[Message]]:
    """The messages of a stream over HTTP."""
    headers = {**house.owner.headers, "accept": "text/event-stream"}
    with httpx.stream("GET", f"{address}/api/v1/{path}", headers=headers, timeout=60) as answer:
        assert answer.status_code == 200, answer.read()
        yield (each for each in parsed(answer.iter_bytes()) if isinstance(each, Message))


def test_more_streams_than_threads_leave_the_threads_to_requests(
    api_database: Database, house: ClubHouse
) -> None:
    game = house.start_game()
    with web_server(api_database.url, processes=2) as (address, web), ExitStack() as stack:
        streams = [
            stack.enter_context(listening(address, f"games/{game}/stream", house))
            for _ in range(20)
        ]
        shown = httpx.get(f"{address}/api/v1/games/{game}", headers=house.owner.headers)
        assert shown.status_code == 200
        for stream in streams:
            assert next(stream).data["event"]["type"] == "game_started"
        events = played_hand(game, seed=7)
        house.append(game, 1, *events)
        for stream in streams:
            assert [next(stream).data["event"] for _ in events] == events
        web.ask_to_stop()
        for stream in streams:
            assert [(each.event, each.data) for each in stream] == [("bye", {"reason": "restart"})]
