"""What one stream is, what feeds it, and what carries it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol


class Connection(Protocol):
    """What carries a stream to its client. Used by the hub's event loop alone."""

    def send(self, data: bytes) -> None:
        """Send, or keep it until the client takes it."""

    def has_room(self) -> bool:
        """Whether the client has taken most of what it was sent."""

    def close(self) -> None:
        """Close, once everything is sent."""

    def abort(self) -> None:
        """Close now."""


class Stream:
    """One client that follows something.

    ``cursor`` is where it stands: what its source gave with the last message. ``access`` is what
    the client may see, as its source wants it; ``ask`` answers that anew and raises Problem or
    APIException where they may see nothing any more. ``caller`` is who is counted for it.
    """

    def __init__(
        self, source: Source, *, caller: str, cursor: Any, access: Any, ask: Callable[[], Any]
    ) -> None:
        self.source = source
        self.caller = caller
        self.cursor = cursor
        self.access = access
        self.ask = ask
        self.sent_at = 0.0
        self.asked_at = 0.0


class Delivery(NamedTuple):
    """Messages for one stream: where it stands then, and whether they are the last."""

    stream: Stream
    data: bytes
    cursor: Any
    ends: bool = False


class Source(Protocol):
    """Where messages come from: one for each kind of stream and process.

    It reads from the database, in the hub's one thread for that, for all its streams at once.
    """

    def read(self, streams: Sequence[Stream]) -> Iterable[Delivery]:
        """What has happened behind the cursors of these streams."""

    def beat(self, stream: Stream) -> bytes:
        """What a stream is sent from time to time while nothing happens."""
