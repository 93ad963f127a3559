"""Statements prepared once on each connection, which Django's cursor cannot do.

``execute`` sends them through libpq itself. psycopg's cursor can do much that an append has no use
for, and does it at every call: with eight writers it took a third of their processor time. What is
left out here: parameters are bytes in PostgreSQL's binary formats, no rows come back, and the call
blocks until the answer is there. ``fetch_rows`` is for the few small queries of every request,
which the database would otherwise plan for longer than it runs them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from django.db import connections
from psycopg import Connection, Cursor, OperationalError
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, ExecStatus
from psycopg.pq.abc import PGconn, PGresult

_KNOWN: Final = "paipu_prepared"
_DONE: Final = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)
_BINARY: Final = 1


class Statement(msgspec.Struct, frozen=True):
    """A statement with parameters $1, $2, ..., each with a cast that tells its type.

    ``name`` is what it is prepared under; another text must have another name.
    """

    name: bytes
    text: bytes


def execute(
    connection: Connection[Any], statement: Statement, parameters: Sequence[bytes | None]
) -> int:
    """Run it; how many rows it wrote or found. Raises psycopg.Error."""
    if not connection.autocommit:
        # The transaction that the caller is in begins with its first statement through a cursor.
        connection.execute(b"")
    libpq = connection.pgconn
    known: set[bytes] | None = getattr(connection, _KNOWN, None)
    if known is None:
        known = set()
        setattr(connection, _KNOWN, known)
    if statement.name not in known:
        _insist(libpq, libpq.prepare(statement.name, statement.text))
        known.add(statement.name)
    formats = [_BINARY] * len(parameters)
    result = libpq.exec_prepared(
        statement.name,
        parameters,  # type: ignore[arg-type] # None is a null, as libpq has it
        formats,
        _BINARY,
    )
    _insist(libpq, result)
    return result.command_tuples or 0


def fetch_rows(query: str, parameters: Sequence[object], *, using: str) -> list[tuple[Any, ...]]:
    """The rows of a query with %s for each parameter. Raises Django's database errors."""
    wrapper = connections[using]
    wrapper.validate_no_broken_transaction()
    wrapper.ensure_connection()
    with wrapper.wrap_database_errors, Cursor(wrapper.connection) as cursor:
        cursor.execute(query.encode(), parameters, prepare=True)
        return cursor.fetchall()


def _insist(libpq: PGconn, result: PGresult) -> None:
    """Raise what went wrong, if something did; a lost connection as psycopg reports one."""
    if result.status in _DONE:
        return
    error = error_from_result(result)
    raise OperationalError(str(error)) if libpq.status == ConnStatus.BAD else error
