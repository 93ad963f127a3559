"""Reading server-sent events as a client does."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from tests.support.people import Person

PATIENCE_S = 60.0
"""After so long a test gives up waiting for a message, instead of hanging."""


class Message(NamedTuple):
    """One message: ``id`` is the last event id that the client has after it."""

    id: str
    event: str
    data: Any


class Place(NamedTuple):
    """An id without a message: how far the client is."""

    id: str


def parsed(parts: Iterable[bytes]) -> Iterator[Message | Place | str]:
    """The messages of a stream as they come, its comments as text that begins with a colon.

    Written after the parsing rules of the standard, without those for CR.
    """
    last_id, event = "", ""
    data: list[str] = []
    for line in _lines(parts):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            if data:
                yield Message(last_id, event or "message", msgspec.json.decode("\n".join(data)))
            elif last_id:
                yield Place(last_id)
            event, data = "", []
        elif not field:
            yield line
        elif field == "id":
            last_id = value
        elif field == "event":
            event = value
        elif field == "data":
            data.append(value)


def _lines(parts: Iterable[bytes]) -> Iterator[str]:
    rest = b""
    for part in parts:
        *lines, rest = (rest + part).split(b"\n")
        yield from (line.decode() for line in lines)


class Followers:
    """Begins streams and ends those that are left."""

    def __init__(self) -> None:
        self._begun: list[Following] = []

    def follow(self, person: Person, path: str, last_id: object = None) -> Following:
        """Somebody's stream of this address, after the message ``last_id`` if one is given."""
        headers = {} if last_id is None else {"last_event_id": str(last_id)}
        self._begun.append(Following(person.get(path, accept="text/event-stream", **headers)))
        return self._begun[-1]

    def close(self) -> None:
        """Hang up everywhere."""
        for following in self._begun:
            following.close()


class Following:
    """Somebody's stream through Django's test client; each part is waited for."""

    def __init__(self, answer: Any) -> None:
        assert answer.status_code == 200, answer.content
        assert answer["Content-Type"] == "text/event-stream"
        self.answer = answer
        self.parts = iter(answer.streaming_content)
        self._messages = parsed(self.parts)
        self.last_id = ""

    def next(self) -> Message:
        """The next message, comments passed over."""
        give_up_at = time.monotonic() + PATIENCE_S
        while not isinstance(found := next(self._messages), Message):
            assert time.monotonic() < give_up_at, "nothing but heartbeats came"
        self.last_id = found.id
        return found

    def take(self, count: int) -> list[Message]:
        """So many messages."""
        return [self.next() for _ in range(count)]

    def rest(self) -> list[Message]:
        """Every message until the stream ends."""
        return [each for each in self._messages if isinstance(each, Message)]

    def place(self) -> str:
        """The next id that comes without a message."""
        return next(each.id for each in self._messages if isinstance(each, Place))

    def comment(self) -> str:
        """The next comment, messages passed over."""
        return next(each for each in self._messages if isinstance(each, str))

    def close(self) -> None:
        """Hang up."""
        self.answer.close()
