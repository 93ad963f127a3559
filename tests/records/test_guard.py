"""The optional event trigger: nobody takes the guards of the log away by mistake."""

from datetime import date
from pathlib import Path

import psycopg
import pytest
from psycopg import errors

from records import partitions
from tests.records.games import drawn_hands, new_game, record, started
from tests.support.databases import Database

GUARD = Path(__file__).parents[2] / "records" / "sql" / "guard.sql"

pytestmark = pytest.mark.usefixtures("guarded")


@pytest.fixture(scope="module")
def guarded(log: Database) -> Database:
    """A log whose superuser has run guard.sql, twice, as may happen."""
    with log.connect(autocommit=True) as superuser:
        for _ in range(2):
            superuser.execute(GUARD.read_text(encoding="utf-8"))
    return log


MISTAKES = [
    "ALTER TABLE event DETACH PARTITION event_2026_11",
    "ALTER TABLE event DISABLE TRIGGER ALL",
    "ALTER TABLE event_2026_11 DISABLE TRIGGER ALL",
    "ALTER TABLE receipt DROP COLUMN hash",
    "ALTER TABLE game RENAME TO games",
    "DROP TABLE event CASCADE",
    "DROP TABLE event_2026_11",
    "DROP TABLE journal",
    "DROP TRIGGER refuse_change ON event",
    "DROP TRIGGER refuse_truncate ON checkpoint",
    "DROP TRIGGER refuse_gap ON journal",
    "DROP FUNCTION refuse_change() CASCADE",
    "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'",
    "CREATE RULE gone AS ON INSERT TO event DO INSTEAD NOTHING",
]


@pytest.fixture(scope="module")
def november(guarded: Database) -> None:
    """A month with a known name, whatever today is."""
    del guarded
    partitions.create_months(date(2026, 11, 1), ahead=0)


@pytest.mark.usefixtures("november")
@pytest.mark.parametrize("role", ["owner", None])
@pytest.mark.parametrize("statement", MISTAKES)
def test_neither_owner_nor_superuser_takes_a_guard_away_by_mistake(
    guarded: Database, statement: str, role: str | None
) -> None:
    with guarded.connect(role) as connection, pytest.raises(errors.RestrictViolation) as refusal:
        connection.execute(statement)
    assert "belongs to the log" in str(refusal.value)


@pytest.mark.usefixtures("november")
@pytest.mark.parametrize("statement", MISTAKES)
def test_who_gives_a_reason_may(guarded: Database, statement: str) -> None:
    with guarded.connect() as connection:
        connection.execute("SET LOCAL paipu.log_ddl = 'moving house'")
        connection.execute(statement)
        connection.rollback()


def test_the_log_is_written_and_months_are_made_as_before() -> None:
    game_id = new_game()
    assert record(game_id, started(), *drawn_hands(1)).last_seq == 2
    assert partitions.create_months(date(2033, 1, 1), ahead=1) == [
        date(2033, 1, 1),
        date(2033, 2, 1),
    ]


def test_other_tables_are_not_concerned(guarded: Database) -> None:
    with guarded.connect("owner") as connection:
        connection.execute("CREATE TABLE eventful (id integer)")
        connection.execute("ALTER TABLE eventful ADD COLUMN name text")
        connection.execute("DROP TABLE eventful")
        connection.rollback()


def test_making_a_month_leaves_the_lock_closed_behind_it(guarded: Database) -> None:
    with guarded.connect() as connection:
        connection.execute("SELECT create_month('2034-01-01')")
        with pytest.raises(psycopg.errors.RestrictViolation):
            connection.execute("DROP TABLE event_2034_01")
