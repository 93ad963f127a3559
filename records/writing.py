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
from typing import Any, Final

import msgspec
import psycopg
from django.db import IntegrityError, ProgrammingError, connections
from psycopg import sql

from records import partitions
from records.drafts import Command, Draft, Row
from records.errors import MonthMissing
from records.heads import Head

_CLAIM: Final = """
    WITH claimed AS (
        INSERT INTO receipt (game_id, command_id, fingerprint, first_seq, last_seq, hash, actor)
        SELECT %(game_id)b, %(command_id)b, %(fingerprint)b, %(first_seq)b, %(last_seq)b, %(hash)b,
               %(actor)b
        WHERE %(prev)b = coalesce(
            (SELECT hash FROM {month} WHERE game_id = %(game_id)b ORDER BY seq DESC LIMIT 1),
            (SELECT decode(repeat('00', 32), 'hex') FROM game WHERE id = %(game_id)b))
        ON CONFLICT DO NOTHING
        RETURNING game_id, first_seq, hash
    )"""
"""The bytes of a row in JSON are in base64, as msgspec writes them."""
_ONE: Final = """
    INSERT INTO event
        (game_id, seq, type, version, occurred_at_ms, public, secret, salt, prev, hash)
    SELECT game_id, first_seq, %(type)b, %(version)b, %(occurred_at_ms)b, %(public)b::text::jsonb,
           %(secret)b::text::jsonb, %(salt)b, %(prev)b, hash
    FROM claimed
"""
_ANY: Final = """, written AS (
        INSERT INTO event
            (game_id, seq, type, version, occurred_at_ms, public, secret, salt, prev, hash)
        SELECT game_id, first_seq + place - 1, type, version, occurred_at_ms, public, secret,
               decode(salt, 'base64'), decode(prev, 'base64'), decode(given.hash, 'base64')
        FROM claimed, ROWS FROM (jsonb_to_recordset(%(rows)b::text::jsonb) AS (
            type text, version integer, occurred_at_ms bigint, public jsonb, secret jsonb,
            salt text, prev text, hash text)) WITH ORDINALITY AS given(
            type, version, occurred_at_ms, public, secret, salt, prev, hash, place)
    ), sealed AS (
        INSERT INTO seal_queue (game_id, hand, seq, hash)
        SELECT game_id, hand, seq, decode(given.hash, 'base64')
        FROM claimed, jsonb_to_recordset(%(seals)b::text::jsonb)
            AS given(hand integer, seq integer, hash text)
    ), kept AS (
        INSERT INTO hand_snapshot (game_id, seq, hash, format, state)
        SELECT game_id, seq, decode(given.hash, 'base64'), format, decode(state, 'base64')
        FROM claimed, jsonb_to_recordset(%(snapshots)b::text::jsonb)
            AS given(seq integer, hash text, format smallint, state text)
        ON CONFLICT DO NOTHING
    )
    SELECT FROM claimed
"""
_CURSOR: Final = "paipu_append_cursor"


def write(command: Command, *, head: Head, drafted: Draft, using: str) -> bool:
    """Carry it out on this head; whether the place behind it was free. Raises MonthMissing."""
    one = len(drafted.rows) == 1 and not drafted.seals
    parameters = _claim(command, head, drafted)
    parameters |= _of_one(drafted.rows[0]) if one else _of_any(drafted)
    wrapper = connections[using]
    wrapper.validate_no_broken_transaction()
    wrapper.ensure_connection()
    try:
        with wrapper.wrap_database_errors:
            cursor = _cursor(wrapper.connection)
            statement = _statement(partitions.partition_of(command.game_id), one=one)
            cursor.execute(statement, parameters, prepare=True, binary=True)
            return cursor.rowcount == 1
    except (IntegrityError, ProgrammingError) as error:
        if _lacks_month(error.__cause__):
            raise MonthMissing(f"{partitions.month_of(command.game_id):%Y-%m}") from error
        raise


def _claim(command: Command, head: Head, drafted: Draft) -> dict[str, Any]:
    return {
        "game_id": command.game_id,
        "command_id": command.command_id,
        "fingerprint": command.fingerprint,
        "first_seq": head.seq + 1,
        "last_seq": drafted.head.seq,
        "hash": drafted.head.hash,
        "actor": command.actor,
        "prev": head.hash,
    }


def _of_one(row: Row) -> dict[str, Any]:
    return {
        "type": row.type,
        "version": row.version,
        "occurred_at_ms": row.occurred_at_ms,
        "public": _json(row.public),
        "secret": None if row.secret is None else _json(row.secret),
        "salt": row.salt,
    }


def _of_any(drafted: Draft) -> dict[str, Any]:
    return {
        "rows": _json(drafted.rows),
        "seals": _json(drafted.seals),
        "snapshots": _json(drafted.snapshots),
    }


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _cursor(connection: Any) -> psycopg.Cursor[Any]:
    """The cursor of appends on this connection, made once and kept with it.

    Django's own puts parameters into the text and so cannot prepare. A new one for each append
    would find out anew how to write every parameter, which costs a tenth of the whole.
    """
    kept: psycopg.Cursor[Any] | None = getattr(connection, _CURSOR, None)
    if kept is None:
        kept = psycopg.Cursor(connection)
        setattr(connection, _CURSOR, kept)
    return kept


@lru_cache(maxsize=64)
def _statement(month: str, *, one: bool) -> bytes:
    """The statement for games of one month."""
    statement = sql.SQL(_CLAIM).format(month=sql.Identifier(month))
    return (statement + sql.SQL(_ONE if one else _ANY)).as_bytes()


def _lacks_month(cause: BaseException | None) -> bool:
    """Whether the month was never made, or was taken off (a violated check that has no name)."""
    return isinstance(cause, psycopg.errors.UndefinedTable) or (
        isinstance(cause, psycopg.errors.CheckViolation) and not cause.diag.constraint_name
    )
