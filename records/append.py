"""Writing the truth: the one function that appends to the log, and the one that opens a game.

A *command* is what a caller asks for, a *draft* (``drafts.py``) is what would be written, and
``writing.py`` writes it in one round trip and one transaction, if nothing came between.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

import msgspec
from django.db import connections
from msgspec.structs import replace

from records import partitions, reader, snapshots
from records.drafts import Command, draft
from records.errors import (
    BadAppend,
    CommandReused,
    NotCanonical,
    StaleSequence,
)
from records.heads import Head, follow, head_cache
from records.ids import uuid7
from records.writing import write
from rules_engine.errors import IllegalEvent
from rules_engine.events import Event
from rules_engine.expectations import Expectation

WRITER: Final = "default"
EVENTS_MAX: Final = 1000
COMMAND_ID_MAX: Final = 255
CATCH_UP_MAX: Final = 200
"""Events a cached head may be behind before a snapshot is the shorter way to the present."""

_ENCODER: Final = msgspec.json.Encoder(order="deterministic")


class Receipt(msgspec.Struct, frozen=True):
    """What an append wrote: seqs ``first_seq`` to ``last_seq``. ``hash`` (32 bytes) is the head's.

    There may be one event more than was sent: the end of a hand that the rules say is over.
    ``replayed`` tells that the command had been carried out before and nothing was written now.
    """

    game_id: UUID
    first_seq: int
    last_seq: int
    hash: bytes
    replayed: bool


def create_game(*, club_id: UUID, created_by: UUID | None = None, title: str = "") -> UUID:
    """Open a game and give its id. Raises MonthMissing where this month has no partition yet."""
    game_id = uuid7()
    partitions.insist_on_month(game_id, using=WRITER)
    with connections[WRITER].cursor() as cursor:
        cursor.execute(
            "WITH queued AS (INSERT INTO milestone_queue (game_id, seq) VALUES (%s, 1))"
            " INSERT INTO game (id, club_id, created_by, title) VALUES (%s, %s, %s, %s)",
            [game_id, game_id, club_id, created_by, title],
        )
    return game_id


def append_events(
    *,
    game_id: UUID,
    expected_seq: int,
    events: Sequence[Event],
    command_id: str,
    actor: str | None = None,
    occurred_at_ms: Sequence[int] | None = None,
    expects: Mapping[int, Expectation] | None = None,
) -> Receipt:
    """Append events behind ``expected_seq``, all of them or none, and give the receipt.

    The same command again gives the same receipt and writes nothing. ``occurred_at_ms`` holds one
    time an event (milliseconds since 1970 UTC); without it they happened now. ``actor`` is an
    opaque id kept with the receipt. ``expects`` says, by the index of the event that ends a hand,
    what that hand has to come to.

    Raises StaleSequence, CommandReused, UnknownGame, BadAppend, MonthMissing, NotCanonical, and
    IllegalEvent, whose facts name the offending event's ``index`` among ``events``.
    """
    command = _command(game_id, expected_seq, events, command_id, actor, occurred_at_ms)
    if expects:
        command = replace(command, expects=expects)
    guess = head_cache().get(game_id)
    receipt = None
    if guess is not None and guess.seq == expected_seq:
        try:
            receipt = _attempt(guess, command)
        except IllegalEvent:
            # The guess may be a state that was rolled back, so this is no refusal yet
            # (test_a_refusal_is_never_given_on_a_cached_head).
            receipt = None
    return receipt or _append_to_present(command, guess)


def _append_to_present(command: Command, guess: Head | None) -> Receipt:
    """Append where no guess was right: read the present head, then write on it or say why not."""
    present = _present_head(command.game_id, guess)
    refusal = None
    if present.seq == command.expected_seq:
        try:
            receipt = _attempt(present, command)
            if receipt is not None:
                return receipt
        except IllegalEvent as error:
            refusal = error
    # A command carried out before is answered as such, whatever the game has come to since.
    receipt = _receipt_of_the_past(command)
    if receipt is not None:
        return receipt
    if refusal is not None:
        raise refusal
    actual, _ = reader.head(command.game_id, using=WRITER)
    raise StaleSequence(expected=command.expected_seq, actual=actual)


def _command(
    game_id: UUID,
    expected_seq: int,
    events: Sequence[Event],
    command_id: str,
    actor: str | None,
    occurred_at_ms: Sequence[int] | None,
) -> Command:
    if not 1 <= len(events) <= EVENTS_MAX:
        raise BadAppend(
            f"An append holds 1 to {EVENTS_MAX} events, not {len(events)}.",
            expected={"from": 1, "to": EVENTS_MAX},
            actual=len(events),
        )
    if not (1 <= len(command_id) <= COMMAND_ID_MAX and command_id.isprintable()):
        raise BadAppend(
            f"A command id has 1 to {COMMAND_ID_MAX} printable characters.",
            actual=ascii(command_id[: COMMAND_ID_MAX + 1]),
        )
    if occurred_at_ms is not None and len(occurred_at_ms) != len(events):
        raise BadAppend(
            "Give one time for each event, or none at all.",
            expected=len(events),
            actual=len(occurred_at_ms),
        )
    try:
        asked = _ENCODER.encode((expected_seq, events, occurred_at_ms))
    except UnicodeEncodeError as error:
        raise NotCanonical(place="", reason="a string holds half a surrogate pair") from error
    times = occurred_at_ms or [time.time_ns() // 1_000_000] * len(events)
    return Command(
        game_id=game_id,
        expected_seq=expected_seq,
        events=tuple(events),
        command_id=command_id,
        fingerprint=hashlib.sha256(asked).digest(),
        actor=actor,
        occurred_at_ms=tuple(times),
    )


def _attempt(head: Head, command: Command) -> Receipt | None:
    """Write the command on this head; None where the database has another head.

    Raises IllegalEvent, CommandReused and the rest.
    """
    drafted = draft(command, head)
    if not write(command, head=head, drafted=drafted, using=WRITER):
        return None
    written = drafted.head
    head_cache().put(command.game_id, written)
    return Receipt(command.game_id, head.seq + 1, written.seq, written.hash, replayed=False)


def _present_head(game_id: UUID, guess: Head | None) -> Head:
    """The head the database has now. Raises UnknownGame, ReplayRefused."""
    if guess is not None and guess.seq:
        last = guess.seq + CATCH_UP_MAX
        news = list(reader.events_of(game_id, from_seq=guess.seq, to_seq=last, using=WRITER))
        # The event the guess stands on is read again, because it may not be in the log any more.
        if news and news[0].hash == guess.hash and news[-1].seq < last:
            head = guess
            for stored in news[1:]:
                head = follow(head, stored)
            return head
    head = reader.head_at(game_id, using=WRITER)
    if head.base is not None:
        snapshots.keep(game_id, head.base, using=WRITER)
    return head


def _receipt_of_the_past(command: Command) -> Receipt | None:
    """The receipt of a command carried out earlier, or None. Raises CommandReused."""
    found = reader.receipt_of(command.game_id, command.command_id, using=WRITER)
    if found is None:
        return None
    if found.fingerprint != command.fingerprint:
        raise CommandReused(
            command_id=command.command_id, first_seq=found.first_seq, last_seq=found.last_seq
        )
    return Receipt(command.game_id, found.first_seq, found.last_seq, found.hash, replayed=True)
