"""Statements prepared once on each connection and sent through libpq itself.

Django's cursor cannot prepare. psycopg's can do much that an append and the few small queries of
every request have no use for, and does it at every call: with eight writers it took a third of
their processor time. What is left out here: parameters are bytes in PostgreSQL's binary formats,
values come back as text, and the call blocks until the answer is there (other threads run on).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from django.db import connections
from psycopg import Connection, OperationalError
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult

_KNOWN: Final = "paipu_prepared"
_DONE: Final = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)
_BINARY: Final = 1
_NO_SUCH_STATEMENT: Final = b"26000"


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
    return _run(connection, statement, parameters).command_tuples or 0


def fetch_rows(
    statement: Statement, parameters: Sequence[bytes | None], *, using: str
) -> list[tuple[str | None, ...]]:
    """The rows it finds, every value as PostgreSQL writes it. Raises Django's database errors."""
    wrapper = connections[using]
    wrapper.validate_no_broken_transaction()
    wrapper.ensure_connection()
    with wrapper.wrap_database_errors:
        result = _run(wrapper.connection, statement, parameters)
    columns = range(result.nfields)
    rows = [[result.get_value(row, column) for column in columns] for row in range(result.ntuples)]
    return [tuple([None if each is None else each.decode() for each in row]) for row in rows]


def _run(
    connection: Connection[Any], statement: Statement, parameters: Sequence[bytes | None]
) -> PGresult:
    """Send it and wait for the answer, which is in text."""
    libpq = connection.pgconn
    formats = [_BINARY] * len(parameters)
    values: Any = parameters  # None is a null to libpq, though its types do not say so.
    if not connection.autocommit or libpq.transaction_status != TransactionStatus.IDLE:
        # In a transaction an error would break what the caller has begun, so nothing may be tried:
        # the statement is not looked for by its name.
        if libpq.transaction_status == TransactionStatus.IDLE:
            # Not begun yet: that is left to psycopg, which knows how it is to be begun.
            connection.execute(b"")
        return _checked(libpq, libpq.exec_params(statement.text, values, None, formats))
    known: set[bytes] | None = getattr(connection, _KNOWN, None)
    if known is None:
        known = set()
        setattr(connection, _KNOWN, known)
    if statement.name not in known:
        _checked(libpq, libpq.prepare(statement.name, statement.text))
        known.add(statement.name)
    result = libpq.exec_prepared(statement.name, values, formats)
    if result.error_field(DiagnosticField.SQLSTATE) == _NO_SUCH_STATEMENT:
        # psycopg drops all of them after a rollback, and a pool of connections may do so too.
        _checked(libpq, libpq.prepare(statement.name, statement.text))
        result = libpq.exec_prepared(statement.name, values, formats)
    return _checked(libpq, result)


def _checked(libpq: PGconn, result: PGresult) -> PGresult:
    """The result, unless it is an error; a lost connection is told as psycopg tells it."""
    if result.status not in _DONE:
        error = error_from_result(result)
        raise OperationalError(str(error)) if libpq.status == ConnStatus.BAD else error
    return result
