"""From events somebody wants to append to the rows that would be written. No database here.

Each event is checked against the rules, split into its public body and its secret items, and
chained to the event before it. Where the rules say that the hand is over, the end of the hand is
added.
"""

from __future__ import annotations

import os
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec.structs import replace

from records.chain import EVENT_SALT_BYTES, commitments, hash_event
from records.heads import Head, advance
from rules_engine.errors import IllegalEvent
from rules_engine.events import Event, HandEnded, split
from rules_engine.fold import Game, closing
from rules_engine.snapshot import FORMAT, dump

_ENCODER: Final = msgspec.json.Encoder()


class Row(msgspec.Struct, frozen=True):
    """One event as ``append_events`` of SQL takes it; bytes as PostgreSQL writes them in text."""

    type: str
    version: int
    occurred_at_ms: int
    public: dict[str, Any]
    secret: dict[str, Any] | None
    salt: str | None
    prev: str
    hash: str


class SealRow(msgspec.Struct, frozen=True):
    """A seal for the queue."""

    seq: int
    hand: int
    hash: str


class SnapshotRow(msgspec.Struct, frozen=True):
    """The state after a hand."""

    seq: int
    hash: str
    format: int
    state: str


class Draft:
    """What an append would write, built event by event on a head. ``head`` is what comes of it."""

    def __init__(self, game_id: UUID, head: Head) -> None:
        self.head = head
        self._game_id = str(game_id)
        self._rows: list[Row] = []
        self._seals: list[SealRow] = []
        self._snapshots: list[SnapshotRow] = []

    def add(self, event: Event, occurred_at_ms: int) -> None:
        """Put one event behind the head. Raises IllegalEvent, NotCanonical."""
        before = self.head
        public, items = split(event)
        secret = {name: item.value for name, item in items.items()}
        salt = os.urandom(EVENT_SALT_BYTES) if secret else None
        digest = hash_event(
            game_id=self._game_id,
            seq=before.seq + 1,
            type=event.type,
            version=event.version,
            occurred_at_ms=occurred_at_ms,
            public=public,
            commitments=commitments(secret, salt),
            prev=before.hash,
        )
        self.head = advance(before, event, digest)
        self._rows.append(
            Row(
                type=event.type,
                version=event.version,
                occurred_at_ms=occurred_at_ms,
                public=public,
                secret=secret or None,
                salt=None if salt is None else _hex(salt),
                prev=_hex(before.hash),
                hash=_hex(digest),
            )
        )
        if event.seals:
            self._seal(event)

    def _seal(self, event: Event) -> None:
        head = self.head
        game = head.game
        assert game is not None
        hand = getattr(event, "hand", game.hand)
        self._seals.append(SealRow(seq=head.seq, hand=hand, hash=_hex(head.hash)))
        if head.base is game:
            self._snapshots.append(
                SnapshotRow(
                    seq=head.seq, hash=_hex(head.hash), format=FORMAT, state=_hex(dump(game))
                )
            )

    def over(self) -> HandEnded | None:
        """The end of the hand, where the rules say that nothing else can happen in it."""
        game: Game | None = self.head.game
        return None if game is None or game.table is None else closing(game)

    def rows_json(self) -> str:
        """The events as SQL takes them."""
        return _ENCODER.encode(self._rows).decode()

    def seals_json(self) -> str | None:
        """The seals as SQL takes them, None for none."""
        return _ENCODER.encode(self._seals).decode() if self._seals else None

    def snapshots_json(self) -> str | None:
        """The snapshots as SQL takes them, None for none."""
        return _ENCODER.encode(self._snapshots).decode() if self._snapshots else None


def draft(
    *, game_id: UUID, head: Head, events: tuple[Event, ...], occurred_at_ms: tuple[int, ...]
) -> Draft:
    """The events, one behind the other on ``head``, with each end of a hand that follows from them.

    Raises NotCanonical, and IllegalEvent with the offending event's ``index`` among its facts.
    """
    result = Draft(game_id, head)
    last = len(events) - 1
    for index, (event, moment_ms) in enumerate(zip(events, occurred_at_ms, strict=True)):
        try:
            result.add(event, moment_ms)
            if index == last or not isinstance(events[index + 1], HandEnded):
                end = result.over()
                if end is not None:
                    result.add(end, moment_ms)
        except IllegalEvent as error:
            violation = error.violation
            facts = {**violation.facts, "index": index}
            raise IllegalEvent(replace(violation, facts=facts)) from error
    return result


def _hex(value: bytes) -> str:
    return f"\\x{value.hex()}"
