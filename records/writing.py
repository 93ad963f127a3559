"""The one round trip of an append: two statements, one for a single event and one for any number.

Both begin with the receipt. It claims the command id, and with its first seq the place behind the
head. Whoever builds on the same head claims the same place, so of two in flight the second waits
for what becomes of the first (test_of_two_appends_in_flight_for_one_seq_one_is_stale,
test_two_commands_in_flight_with_one_id_write_once). Where there is nothing to claim, nothing at all
is written. That the event built on is the last one need be true only when the statement begins:
the first to be appended after that claims the same place too.

The head is asked of the game's own month by name. A prepared query of ``event`` would lock every
month there is at each append (test_an_append_locks_the_partitions_of_one_month).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec
import psycopg
from django.db import IntegrityError, ProgrammingError, connections

from records import partitions
from records.drafts import Command, Draft, Row
from records.errors import MonthMissing
from records.heads import Head
from records.prepared import Statement, execute
from rules_engine.events import GameEnded

_CLAIM: Final = """
    WITH claimed AS (
        INSERT INTO receipt (game_id, command_id, fingerprint, first_seq, last_seq, hash, actor)
        SELECT $1::uuid, $2::text, $3::bytea, $4::integer, $5::integer, $6::bytea, $7::text
        WHERE $8::bytea = coalesce(
            (SELECT hash FROM {month} WHERE game_id = $1::uuid ORDER BY seq DESC LIMIT 1),
            (SELECT decode(repeat('00', 32), 'hex') FROM game WHERE id = $1::uuid))
        ON CONFLICT DO NOTHING
        RETURNING game_id, first_seq, hash
    )"""
_ONE: Final = """
    INSERT INTO event
        (game_id, seq, type, version, occurred_at_ms, public, secret, salt, prev, hash)
    SELECT game_id, first_seq, $9::text, $10::integer, $11::bigint, $12::text::jsonb,
           $13::text::jsonb, $14::bytea, $8::bytea, hash
    FROM claimed
"""
_ANY: Final = """, written AS (
        INSERT INTO event
            (game_id, seq, type, version, occurred_at_ms, public, secret, salt, prev, hash)
        SELECT game_id, first_seq + place - 1, type, version, occurred_at_ms, public, secret,
               decode(salt, 'base64'), decode(prev, 'base64'), decode(given.hash, 'base64')
        FROM claimed, ROWS FROM (jsonb_to_recordset($9::text::jsonb) AS (
            type text, version integer, occurred_at_ms bigint, public jsonb, secret jsonb,
            salt text, prev text, hash text)) WITH ORDINALITY AS given(
            type, version, occurred_at_ms, public, secret, salt, prev, hash, place)
        RETURNING game_id, seq, type
    ), queued AS (
        INSERT INTO milestone_queue (game_id, seq)
        SELECT game_id, seq FROM written WHERE type = 'game_ended'
    ), sealed AS (
        INSERT INTO seal_queue (game_id, hand, seq, hash)
        SELECT game_id, hand, seq, decode(given.hash, 'base64')
        FROM claimed, jsonb_to_recordset($10::text::jsonb)
            AS given(hand integer, seq integer, hash text)
    ), kept AS (
        INSERT INTO hand_snapshot (game_id, seq, hash, format, state)
        SELECT game_id, seq, decode(given.hash, 'base64'), format, decode(state, 'base64')
        FROM claimed, jsonb_to_recordset($11::text::jsonb)
            AS given(seq integer, hash text, format smallint, state text)
        ON CONFLICT DO NOTHING
    )
    SELECT FROM claimed
"""
"""The bytes of a row in JSON are in base64, as msgspec writes them."""
_ENDED: Final = GameEnded.__struct_config__.tag
"""This event has to be told to others, so it goes by the statement that queues it for them."""


def write(command: Command, *, head: Head, drafted: Draft, using: str) -> bool:
    """Carry it out on this head; whether the place behind it was free. Raises MonthMissing."""
    one = len(drafted.rows) == 1 and not drafted.seals and drafted.rows[0].type != _ENDED
    statement = _statement(partitions.partition_of(command.game_id), one=one)
    parameters = _claim(command, head, drafted)
    parameters += _of_one(drafted.rows[0]) if one else _of_any(drafted)
    wrapper = connections[using]
    wrapper.validate_no_broken_transaction()
    wrapper.ensure_connection()
    try:
        with wrapper.wrap_database_errors:
            return execute(wrapper.connection, statement, parameters) > 0
    except (IntegrityError, ProgrammingError) as error:
        if _lacks_month(error.__cause__):
            raise MonthMissing(f"{partitions.month_of(command.game_id):%Y-%m}") from error
        raise


def _claim(command: Command, head: Head, drafted: Draft) -> list[bytes | None]:
    """$1 to $8."""
    return [
        command.game_id.bytes,
        command.command_id.encode(),
        command.fingerprint,
        (head.seq + 1).to_bytes(4),
        drafted.head.seq.to_bytes(4),
        drafted.head.hash,
        None if command.actor is None else command.actor.encode(),
        head.hash,
    ]


def _of_one(row: Row) -> list[bytes | None]:
    """$9 to $14 for a single event."""
    return [
        row.type.encode(),
        row.version.to_bytes(4),
        row.occurred_at_ms.to_bytes(8, signed=True),
        msgspec.json.encode(row.public),
        None if row.secret is None else msgspec.json.encode(row.secret),
        row.salt,
    ]


def _of_any(drafted: Draft) -> list[bytes | None]:
    """$9 to $11 for any number of events."""
    lists = (drafted.rows, drafted.seals, drafted.snapshots)
    return [msgspec.json.encode(each) for each in lists]


@lru_cache(maxsize=64)
def _statement(month: str, *, one: bool) -> Statement:
    """The statement for games of one month; ``month`` is the name of its partition of events."""
    text = _CLAIM.replace("{month}", month) + (_ONE if one else _ANY)
    return Statement(name=f"append_{'one' if one else 'any'}_{month}".encode(), text=text.encode())


def _lacks_month(cause: BaseException | None) -> bool:
    """Whether the month was never made, or was taken off (a violated check that has no name)."""
    return isinstance(cause, psycopg.errors.UndefinedTable) or (
        isinstance(cause, psycopg.errors.CheckViolation) and not cause.diag.constraint_name
    )
