"""What goes over the line: messages in the form of server-sent events.

A client goes on after a message by sending its ``id`` as ``Last-Event-ID``; a browser does it by
itself. Two messages are about the stream: after ``end`` nothing will ever come, after ``bye`` the
connection closes and the stream can be gone on with.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

EVENT_STREAM: Final = "text/event-stream"
RETRY_MS: Final = 2000
"""How long a client waits before it connects again."""
HEARTBEAT: Final = b":\n\n"
"""A comment, which tells both sides that the connection still stands."""


Reason = Literal["restart", "access", "unreadable"]


class StreamBye(msgspec.Struct, frozen=True):
    """Why a connection closes.

    `restart`: the process stops. `access`: you may not listen any more. `unreadable`: what was
    recorded cannot be read here.
    """

    reason: Reason


def message(event: str, data: Any, *, cursor: str | None = None) -> bytes:
    """A message of this kind; ``cursor`` is its id, without one it has none."""
    place = b"" if cursor is None else b"id: %b\n" % cursor.encode()
    # JSON has no line breaks in it, so that the data are always one line.
    return b"%bevent: %b\ndata: %b\n\n" % (place, event.encode(), msgspec.json.encode(data))


def opening(cursor: str) -> bytes:
    """The first thing that is sent: where the stream begins, and when to try again."""
    return b"retry: %d\nid: %b\n\n" % (RETRY_MS, cursor.encode())


def place_only(cursor: str) -> bytes:
    """An id alone: nothing is dispatched, but the client remembers how far it is."""
    return b"id: %b\n\n" % cursor.encode()


def end(data: Any) -> bytes:
    """Nothing more will come: do not connect again."""
    return message("end", data)


def bye(reason: Reason) -> bytes:
    """The connection closes: go on after the last message."""
    return message("bye", StreamBye(reason))
