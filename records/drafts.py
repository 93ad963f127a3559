"""From events somebody wants to append to the rows that would be written. No database here.

Each event is checked against the rules, split into its public body and its secret items, and
chained to the event before it. Where the rules say that the hand is over, the end of the hand is
added.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec
from msgspec.structs import replace

from records.chain import EVENT_SALT_BYTES, commitments, hash_event
from records.heads import Head, advance
from rules_engine.errors import IllegalEvent
from rules_engine.events import Event, HandEnded, split
from rules_engine.expectations import Expectation, insist_on
from rules_engine.fold import Game, closing
from rules_engine.rulings import sealed_hand
from rules_engine.snapshot import FORMAT, dump


class Command(msgspec.Struct, frozen=True):
    """What a caller asks for. ``fingerprint`` tells whether a second one is the same.

    ``expects`` holds what hands are said to come to, by the index of the event that ends each.
    """

    game_id: UUID
    expected_seq: int
    events: tuple[Event, ...]
    command_id: str
    fingerprint: bytes
    actor: str | None
    occurred_at_ms: tuple[int, ...]
    expects: Mapping[int, Expectation] = {}


class Row(msgspec.Struct, frozen=True):
    """One event for the table ``event``."""

    type: str
    version: int
    occurred_at_ms: int
    public: dict[str, Any]
    secret: dict[str, Any] | None
    salt: bytes | None
    prev: bytes
    hash: bytes


class SealRow(msgspec.Struct, frozen=True):
    """A seal for the queue."""

    seq: int
    hand: int
    hash: bytes


class SnapshotRow(msgspec.Struct, frozen=True):
    """The state after a hand."""

    seq: int
    hash: bytes
    format: int
    state: bytes


class Draft:
    """What an append would write, built event by event on a head. ``head`` is what comes of it."""

    def __init__(self, game_id: UUID, head: Head) -> None:
        self.head = head
        self._game_id = str(game_id)
        self.rows: list[Row] = []
        self.seals: list[SealRow] = []
        self.snapshots: list[SnapshotRow] = []

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
        self.rows.append(
            Row(
                type=event.type,
                version=event.version,
                occurred_at_ms=occurred_at_ms,
                public=public,
                secret=secret or None,
                salt=salt,
                prev=before.hash,
                hash=digest,
            )
        )
        if event.seals:
            self._seal(event)

    def _seal(self, event: Event) -> None:
        head = self.head
        game = head.game
        assert game is not None
        hand = sealed_hand(game, event)
        self.seals.append(SealRow(seq=head.seq, hand=hand, hash=head.hash))
        if head.base is game:
            self.snapshots.append(
                SnapshotRow(seq=head.seq, hash=head.hash, format=FORMAT, state=dump(game))
            )

    def over(self) -> HandEnded | None:
        """The end of the hand, where the rules say that nothing else can happen in it."""
        game: Game | None = self.head.game
        return None if game is None or game.table is None else closing(game)

    def insist_on(self, expectation: Expectation) -> None:
        """Refuse a hand that comes to something else. Raises IllegalEvent."""
        assert self.head.game is not None
        try:
            insist_on(expectation, self.head.game)
        except IllegalEvent as error:
            raise IllegalEvent(replace(error.violation, seq=self.head.seq)) from error


def draft(command: Command, head: Head) -> Draft:
    """The events, one behind the other on ``head``, with each end of a hand that follows from them.

    Raises NotCanonical, and IllegalEvent with the offending event's ``index`` among its facts.
    """
    result = Draft(command.game_id, head)
    events = command.events
    last = len(events) - 1
    for index, (event, moment_ms) in enumerate(zip(events, command.occurred_at_ms, strict=True)):
        try:
            result.add(event, moment_ms)
            if index == last or not isinstance(events[index + 1], HandEnded):
                end = result.over()
                if end is not None:
                    result.add(end, moment_ms)
            if index in command.expects:
                result.insist_on(command.expects[index])
        except IllegalEvent as error:
            violation = error.violation
            facts = {**violation.facts, "index": index}
            raise IllegalEvent(replace(violation, facts=facts)) from error
    return result
