"""The months of the log."""

import io
from datetime import UTC, date, datetime
from uuid import UUID

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from records import partitions
from records.ids import uuid7
from tests.support.databases import Database

pytestmark = pytest.mark.usefixtures("log")


def milliseconds(*moment: int) -> int:
    """Milliseconds since 1970 of a moment in UTC."""
    return int(datetime(*moment, tzinfo=UTC).timestamp() * 1000)  # type: ignore[misc,arg-type]


def partition_of(log: Database, game_id: UUID) -> str:
    """The partition a row of this game lands in; the row is not kept."""
    with log.connect("owner") as connection:
        row = connection.execute(
            "INSERT INTO receipt (game_id, command_id, fingerprint, first_seq, last_seq, hash)"
            " VALUES (%s, 'x', %s, 1, 1, %s) RETURNING tableoid::regclass::text",
            [game_id, bytes(32), bytes(32)],
        ).fetchone()
        connection.rollback()
    assert row is not None
    return str(row[0])


def test_this_month_and_the_next_two_are_made_also_over_the_end_of_a_year() -> None:
    assert partitions.create_months(date(2040, 11, 30)) == [
        date(2040, 11, 1),
        date(2040, 12, 1),
        date(2041, 1, 1),
    ]
    assert partitions.create_months(date(2040, 12, 1)) == [date(2041, 2, 1)]
    assert partitions.create_months(date(2040, 12, 31)) == []


def test_a_game_belongs_to_the_month_its_id_was_made_in_to_the_millisecond(log: Database) -> None:
    partitions.create_months(date(2042, 2, 1), ahead=1)
    march = milliseconds(2042, 3, 1)
    assert partition_of(log, uuid7(march - 1)) == "receipt_2042_02"
    assert partition_of(log, uuid7(march)) == "receipt_2042_03"


@given(st.integers(0, milliseconds(9999, 11, 30)))
def test_database_and_python_name_the_same_month(log: Database, moment_ms: int) -> None:
    game_id = uuid7(moment_ms)
    with log.connect() as connection:
        row = connection.execute(
            "SELECT first_id_of_month(%(month)s) <= %(id)s"
            " AND %(id)s < first_id_of_month((%(month)s + interval '1 month')::date)",
            {"month": partitions.month_of(game_id), "id": game_id},
        ).fetchone()
    assert row == (True,)


def test_the_command_says_what_it_made() -> None:
    out = io.StringIO()
    call_command("create_partitions", "--ahead", "7", stdout=out)
    assert len(out.getvalue().splitlines()) == 5
    out = io.StringIO()
    call_command("create_partitions", "--ahead", "7", stdout=out)
    assert out.getvalue() == "nothing to make\n"


def test_only_the_sequencer_and_the_owner_make_months(log: Database) -> None:
    for role, may in (("default", False), ("reader", False), ("sequencer", True), ("owner", True)):
        with log.connect() as connection:
            row = connection.execute(
                "SELECT has_function_privilege(%s, 'create_month(date)', 'EXECUTE')",
                [{"default": "paipu_writer"}.get(role, f"paipu_{role}")],
            ).fetchone()
        assert (role, row) == (role, (may,))
