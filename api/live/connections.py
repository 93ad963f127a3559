"""Two ways to carry a stream: a socket of the hub's event loop, and a queue that a thread reads."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Callable
from typing import Final

ROOM_BYTES: Final = 128 * 1024
"""Nothing is read for a client that has left more than this untaken."""
ROOM_PARTS: Final = 100


class SocketConnection(asyncio.Protocol):
    """A connection that was handed over to the event loop. ``lost`` is called when it ends."""

    def __init__(self, *, chunked: bool, lost: Callable[[], None]) -> None:
        self._chunked = chunked
        self._lost = lost
        self._transport: asyncio.Transport | None = None
        self._early = b""
        self._ended = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the event loop, after what may have been sent already."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._early)
        if self._ended:
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by the event loop: the client has gone, or we have closed."""
        self._transport, self._ended = None, True
        self._lost()

    def send(self, data: bytes) -> None:
        """Send, or keep it until the client takes it."""
        self._write(b"%X\r\n%b\r\n" % (len(data), data) if self._chunked else data)

    def has_room(self) -> bool:
        """Whether the client has taken most of what it was sent."""
        sent = self._transport
        return sent is not None and sent.get_write_buffer_size() < ROOM_BYTES

    def close(self) -> None:
        """Close, once everything is sent."""
        if self._chunked:
            self._write(b"0\r\n\r\n")
        self._ended = True
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """Close now."""
        if self._transport is not None:
            self._transport.abort()

    def _write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)
        elif not self._ended:
            self._early += data


class QueueConnection:
    """For a server that keeps a thread for each answer: that thread takes the parts from here."""

    def __init__(self) -> None:
        self._parts: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def take(self) -> bytes | None:
        """The next part, waited for; None at the end."""
        return self._parts.get()

    def send(self, data: bytes) -> None:
        """Put a part into the queue."""
        self._parts.put(data)

    def has_room(self) -> bool:
        """Whether the thread keeps up."""
        return self._parts.qsize() < ROOM_PARTS

    def close(self) -> None:
        """End behind what is in the queue."""
        self._parts.put(None)

    def abort(self) -> None:
        """End too; what is in the queue is taken or not."""
        self._parts.put(None)
