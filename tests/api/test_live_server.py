"""Streams of the web server as it is run: connections that leave its threads, and its end."""

import socket
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


def test_whichever_process_one_comes_back_to_nothing_is_lost_and_nothing_comes_twice(
    api_database: Database, house: ClubHouse
) -> None:
    game = house.start_game()
    events = played_hand(game, seed=8)
    with web_server(api_database.url, processes=2) as (address, _):
        got: list[Message] = []
        for first in range(0, len(events), 5):
            house.append(game, 1 + first, *events[first : first + 5])
            place = f"?last_event_id={len(got)}" if got else ""
            with listening(address, f"games/{game}/stream{place}", house) as stream:
                while len(got) < min(first + 6, len(events) + 1):
                    got.append(next(stream))
    assert [message.id for message in got] == [str(seq) for seq in range(1, len(events) + 2)]


def test_a_client_of_the_old_protocol_gets_the_stream_without_chunks(
    api_database: Database, house: ClubHouse
) -> None:
    game = house.start_game()
    house.append(game, 1, {"type": "game_ended"})
    asked = f"GET /api/v1/games/{game}/stream HTTP/1.0\r\nHost: localhost\r\n"
    asked += f"Authorization: {house.owner.headers['authorization']}\r\n\r\n"
    with web_server(api_database.url) as (address, _):
        host, _, port = address.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), timeout=30) as client:
            client.sendall(asked.encode())
            head, _, body = b"".join(iter(lambda: client.recv(65536), b"")).partition(b"\r\n\r\n")
    assert b"text/event-stream" in head
    assert b"chunked" not in head.lower()
    messages = [each for each in parsed([body]) if isinstance(each, Message)]
    assert [message.event for message in messages] == ["event", "event", "end"]
