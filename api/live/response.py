"""The answer that begins a stream and hands its connection over.

Under our own worker (``api.live.worker``) the connection leaves the thread that served the request:
the answer's first part goes out with its headers, then the socket belongs to the hub. Any other
WSGI server keeps the thread, and sends what the hub puts into a queue.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.http import StreamingHttpResponse

from api.live.connections import QueueConnection
from api.live.hub import hub
from api.live.messages import EVENT_STREAM
from api.live.streams import Stream

HANDS_OVER: Final = "paipu.hands_over"
"""In the environment of a request whose server lets go of a socket when HandedOver is raised."""


class HandedOver(OSError):
    """The hub has the connection now. An OSError, because the server lets those pass."""


class EventStream(StreamingHttpResponse):
    """A stream as an answer. The caller was admitted to the hub."""

    def __init__(self, stream: Stream, first: bytes, environ: Mapping[str, Any]) -> None:
        super().__init__(
            Parts(stream, first, environ),
            content_type=EVENT_STREAM,
            # A proxy must not wait for the end before it passes something on.
            headers={"X-Accel-Buffering": "no", "Cache-Control": "no-store"},
        )


class Parts(Iterator[bytes]):
    """The parts of the answer: the first, and those that the hub has where it takes no socket."""

    def __init__(self, stream: Stream, first: bytes, environ: Mapping[str, Any]) -> None:
        self._stream = stream
        self._first: bytes | None = first
        self._environ = environ
        self._connection: QueueConnection | None = None
        self._handed_over = False

    def __next__(self) -> bytes:
        if self._first is not None:
            first, self._first = self._first, None
            return first
        if self._connection is None:
            self._hand_over()
            self._connection = QueueConnection()
            hub().follow(self._stream, self._connection)
        part = self._connection.take()
        if part is None:
            raise StopIteration
        return part

    def _hand_over(self) -> None:
        """Give the socket to the hub if the server lets go of it. Raises HandedOver."""
        taken = self._environ.get("gunicorn.socket")
        if HANDS_OVER not in self._environ or type(taken) is not socket.socket:
            return
        chunked = self._environ["SERVER_PROTOCOL"] == "HTTP/1.1"
        self._handed_over = True
        hub().take_over(self._stream, socket.socket(fileno=taken.detach()), chunked=chunked)
        raise HandedOver

    def close(self) -> None:
        """The server is done with the answer: the client has gone, or the hub has it."""
        if self._connection is not None:
            hub().leave(self._stream)
        elif not self._handed_over:
            hub().release(self._stream.caller)
