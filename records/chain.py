"""The hash chain of one game: pure functions over values, no database.

    hash              = SHA-256(canonical {game_id, seq, type, version, occurred_at_ms, public,
                                           commitments, prev})
    prev              = hash of the event before it; 32 zero bytes before seq 1
    commitments[name] = SHA-256(item salt || canonical value of the secret item)
    item salt         = SHA-256(event salt || item name); the event salt is 16 random bytes

Each secret item has its own commitment and its own salt, so showing one item (its value and its
item salt) to one viewer tells nothing about the others, and an export from which items are withheld
still verifies.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, Literal

import msgspec

from records.canonical import canonical_bytes
from records.errors import NotCanonical

GENESIS: Final = bytes(32)
EVENT_SALT_BYTES: Final = 16

FaultKind = Literal["content", "missing", "chain", "commitment"]


class StoredEvent(msgspec.Struct, frozen=True):
    """One row of the log as it was written, secrets and salt included.

    ``prev`` and ``hash`` are 32 bytes, ``salt`` 16 bytes or None for an event without secret items.
    ``recorded_at_ms`` is the database's clock and is not hashed (0 where it was not read). Times
    are integer milliseconds since 1970 UTC.
    """

    game_id: str
    seq: int
    type: str
    version: int
    occurred_at_ms: int
    public: dict[str, Any]
    secret: dict[str, Any]
    salt: bytes | None
    prev: bytes
    hash: bytes
    recorded_at_ms: int = 0


class Opening(msgspec.Struct, frozen=True):
    """What opens one commitment: the item's salt (32 bytes) and its value."""

    salt: bytes
    value: Any


class ExportedEvent(msgspec.Struct, frozen=True):
    """One event as it may leave the house: every commitment, and openings of what may be seen."""

    game_id: str
    seq: int
    type: str
    version: int
    occurred_at_ms: int
    public: dict[str, Any]
    commitments: dict[str, str]
    openings: dict[str, Opening]
    prev: bytes
    hash: bytes


class Fault(msgspec.Struct, frozen=True):
    """The first event that does not hold, and in what way.

    ``content``: the event is not the one that was hashed. ``missing``: seq leaves a gap. ``chain``:
    the event before it is not the one it names. ``commitment``: an opened item is not the one
    committed to.
    """

    seq: int
    kind: FaultKind
    message: str


def item_salt(event_salt: bytes, name: str) -> bytes:
    """The salt (32 bytes) of the item ``name``; it can be shown without showing ``event_salt``."""
    return hashlib.sha256(event_salt + name.encode("ascii")).digest()


def commitment(salt: bytes, value: object) -> str:
    """The commitment (64 hex digits) to one secret value under its item salt."""
    return hashlib.sha256(salt + canonical_bytes(value)).hexdigest()


def commitments(secret: Mapping[str, object], event_salt: bytes | None) -> dict[str, str]:
    """The commitments by item name; empty where there is nothing secret."""
    if not secret:
        return {}
    if event_salt is None or len(event_salt) != EVENT_SALT_BYTES:
        raise ValueError(f"an event with secret items needs a salt of {EVENT_SALT_BYTES} bytes")
    return {name: commitment(item_salt(event_salt, name), value) for name, value in secret.items()}


def hash_event(
    *,
    game_id: str,
    seq: int,
    type: str,  # noqa: A002 -- the envelope's own word
    version: int,
    occurred_at_ms: int,
    public: Mapping[str, object],
    commitments: Mapping[str, str],
    prev: bytes,
) -> bytes:
    """The hash (32 bytes) of one event. Raises NotCanonical."""
    envelope = {
        "game_id": game_id,
        "seq": seq,
        "type": type,
        "version": version,
        "occurred_at_ms": occurred_at_ms,
        "public": public,
        "commitments": commitments,
        "prev": prev.hex(),
    }
    return hashlib.sha256(canonical_bytes(envelope)).digest()


def export(event: StoredEvent, *, visible: Collection[str]) -> ExportedEvent:
    """The event with only the items named in ``visible`` opened (``event.secret`` opens all)."""
    salt = event.salt or b""
    return ExportedEvent(
        game_id=event.game_id,
        seq=event.seq,
        type=event.type,
        version=event.version,
        occurred_at_ms=event.occurred_at_ms,
        public=event.public,
        commitments=commitments(event.secret, event.salt),
        openings={
            name: Opening(salt=item_salt(salt, name), value=value)
            for name, value in event.secret.items()
            if name in visible
        },
        prev=event.prev,
        hash=event.hash,
    )


def verify_chain(events: Iterable[StoredEvent | ExportedEvent]) -> Fault | None:
    """The first fault of a whole game given from seq 1, or None where all is as it was recorded.

    A chain proves that nothing before its head was changed; that the head itself is the right one
    is shown by a receipt, a journal leaf or a checkpoint kept elsewhere.
    """
    head, seq, game_id = GENESIS, 0, ""
    for event in events:
        if event.seq != seq + 1:
            return Fault(
                seq + 1,
                "missing",
                f"seq {seq + 1} is missing; the next event there is has seq {event.seq}",
            )
        if event.prev != head or (seq and event.game_id != game_id):
            return Fault(
                event.seq, "chain", f"seq {event.seq} does not follow the event stored before it"
            )
        fault = check_event(event)
        if fault is not None:
            return fault
        head, seq, game_id = event.hash, event.seq, event.game_id
    return None


def check_event(event: StoredEvent | ExportedEvent) -> Fault | None:
    """Whether one event hashes to its own hash and its openings fit its commitments."""
    try:
        if isinstance(event, ExportedEvent):
            promised = event.commitments
            for name, opening in event.openings.items():
                if promised.get(name) != commitment(opening.salt, opening.value):
                    return Fault(
                        event.seq,
                        "commitment",
                        f"item {name} of seq {event.seq} is not the one committed to",
                    )
        else:
            promised = commitments(event.secret, event.salt)
        actual = hash_event(
            game_id=event.game_id,
            seq=event.seq,
            type=event.type,
            version=event.version,
            occurred_at_ms=event.occurred_at_ms,
            public=event.public,
            commitments=promised,
            prev=event.prev,
        )
    except (NotCanonical, ValueError) as error:
        return Fault(
            event.seq,
            "content",
            f"the content of seq {event.seq} cannot be what was recorded: {error}",
        )
    if actual != event.hash:
        return Fault(event.seq, "content", f"the content of seq {event.seq} was altered")
    return None
