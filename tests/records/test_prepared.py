"""Statements sent through libpq itself: what psycopg's cursor would have seen to."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import ProgrammingError

from records.prepared import Statement, execute, fetch_rows
from tests.support.databases import Database

PUT = Statement(name=b"put", text=b"INSERT INTO thing SELECT $1::integer ON CONFLICT DO NOTHING")
FIND = Statement(name=b"find", text=b"SELECT FROM thing WHERE id = $1::integer")
ONE = (1).to_bytes(4)


@pytest.fixture
def connection(log: Database) -> Iterator[psycopg.Connection[Any]]:
    with log.connect(autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS thing (id integer PRIMARY KEY)")
        yield connection
    with log.connect(autocommit=True) as connection:
        connection.execute("DROP TABLE thing")


def test_it_says_how_many_rows_it_wrote_or_found(connection: psycopg.Connection[Any]) -> None:
    assert [execute(connection, PUT, [ONE]) for _ in range(3)] == [1, 0, 0]
    assert execute(connection, FIND, [ONE]) == 1
    assert execute(connection, FIND, [None]) == 0


def test_it_is_part_of_the_transaction_the_connection_is_in(
    connection: psycopg.Connection[Any],
) -> None:
    connection.autocommit = False
    assert execute(connection, PUT, [ONE]) == 1
    connection.rollback()
    assert execute(connection, FIND, [ONE]) == 0


@pytest.mark.parametrize("forget", ["ROLLBACK", "DEALLOCATE ALL"])
def test_a_statement_that_was_dropped_is_prepared_again(
    connection: psycopg.Connection[Any], forget: str
) -> None:
    assert execute(connection, PUT, [ONE]) == 1
    connection.execute("SELECT 1", prepare=True)
    connection.execute(forget)
    assert execute(connection, PUT, [ONE]) == 0


def test_a_statement_dropped_by_a_rollback_to_a_savepoint_breaks_no_transaction(
    connection: psycopg.Connection[Any],
) -> None:
    execute(connection, PUT, [ONE])
    with connection.transaction():
        connection.execute("SELECT 1", prepare=True)
        with connection.transaction(force_rollback=True):
            execute(connection, PUT, [(2).to_bytes(4)])
        assert execute(connection, PUT, [(3).to_bytes(4)]) == 1
    assert execute(connection, FIND, [(2).to_bytes(4)]) == 0
    assert execute(connection, FIND, [(3).to_bytes(4)]) == 1


def test_what_the_database_refuses_is_the_error_that_psycopg_has_for_it(
    connection: psycopg.Connection[Any],
) -> None:
    with pytest.raises(psycopg.errors.UndefinedTable, match="nowhere"):
        execute(connection, Statement(name=b"bad", text=b"SELECT FROM nowhere"), [])
    with pytest.raises(psycopg.errors.NotNullViolation):
        execute(connection, PUT, [None])
    assert execute(connection, PUT, [ONE]) == 1


def test_a_connection_that_was_lost_is_an_operational_error(
    log: Database, connection: psycopg.Connection[Any]
) -> None:
    assert execute(connection, PUT, [ONE]) == 1
    with log.connect(autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.info.backend_pid])
    with pytest.raises(psycopg.OperationalError):
        execute(connection, PUT, [ONE])
    assert connection.closed


def test_rows_come_back_as_the_database_writes_them(log: Database) -> None:
    query = Statement(name=b"three", text=b"SELECT $1::integer, $2::text, true, NULL")
    for number in range(3):
        rows = fetch_rows(query, [number.to_bytes(4), "\u5e84".encode()], using="reader")
        assert rows == [(str(number), "\u5e84", "t", None)]
    assert fetch_rows(Statement(b"none", b"SELECT 1 WHERE false"), [], using="reader") == []
    with pytest.raises(ProgrammingError):
        fetch_rows(Statement(b"bad", b"SELECT nonsense"), [], using="reader")
