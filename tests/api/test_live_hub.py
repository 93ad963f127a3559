"""The hub with sockets: slow clients, those that have gone, and the end of the process."""

import socket
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from api.errors import Problem
from api.live.hub import Hub
from api.live.messages import HEARTBEAT, message
from api.live.streams import Delivery, Stream
from tests.support.streams import Message, parsed

LAST = 200
BULK = "x" * 20_000


class Numbers:
    """Tells the numbers up to LAST, one a turn, with much data beside each."""

    def __init__(self) -> None:
        self.read_for: list[int] = []

    def read(self, streams: Sequence[Stream]) -> Iterator[Delivery]:
        for stream in streams:
            if stream.cursor < LAST:
                number = stream.cursor + 1
                self.read_for.append(number)
                data = message("number", {"bulk": BULK}, cursor=str(number))
                yield Delivery(stream, data, number, ends=number == LAST)

    def beat(self, stream: Stream) -> bytes:
        del stream
        return HEARTBEAT


@pytest.fixture
def hub(database: Any, settings: Any) -> Iterator[Hub]:
    del database
    settings.STREAM_TURN_MS = 1
    made = Hub()
    yield made
    made.close()
    made.wait_until_closed(10)


def connected(hub: Hub, source: Numbers, *, chunked: bool = False) -> socket.socket:
    """The client's end of a stream."""
    ours, theirs = socket.socketpair()
    stream = Stream(source, caller="lin", cursor=0, access=None, ask=lambda: None)
    hub.admit(stream.caller)
    hub.take_over(stream, ours, chunked=chunked)
    theirs.settimeout(30)
    return theirs


def parts(client: socket.socket) -> Iterator[bytes]:
    while part := client.recv(65536):
        yield part


def numbers(client: socket.socket) -> Iterator[int]:
    return (int(each.id) for each in parsed(parts(client)) if isinstance(each, Message))


def test_a_client_that_takes_nothing_is_left_out_and_loses_nothing(hub: Hub) -> None:
    slow, quick = Numbers(), Numbers()
    idle = connected(hub, slow)
    assert list(numbers(connected(hub, quick))) == list(range(1, LAST + 1))
    assert max(slow.read_for) < LAST, "more was read for it than the connection holds"
    assert list(numbers(idle)) == list(range(1, LAST + 1))
    assert slow.read_for == list(range(1, LAST + 1))


def test_a_client_that_takes_nothing_for_long_is_dropped(hub: Hub, settings: Any) -> None:
    settings.STREAM_STALLED_S = settings.STREAM_HEARTBEAT_S = 0.2
    settings.STREAMS_PER_CALLER = 1
    idle = connected(hub, Numbers())
    while not place_for_another(hub):
        pass
    assert list(numbers(idle))[-1] < LAST


def test_who_hangs_up_is_forgotten_and_read_for_no_more(hub: Hub, settings: Any) -> None:
    settings.STREAMS_PER_CALLER = 1
    gone = connected(hub, Numbers())
    gone.close()
    while not place_for_another(hub):
        pass


def test_everybody_is_told_goodbye_at_the_end(hub: Hub) -> None:
    client = connected(hub, Numbers(), chunked=True)
    hub.close()
    sent = b"".join(parts(client))
    assert b'event: bye\ndata: {"reason":"restart"}\n\n\r\n0\r\n\r\n' in sent


def place_for_another(hub: Hub) -> bool:
    """Whether the caller may have one more stream."""
    try:
        hub.admit("lin")
    except Problem:
        return False
    return True
