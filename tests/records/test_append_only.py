"""Every attack on the log that the research tried, each refused. Numbers are those of README.md."""

from collections.abc import Callable
from datetime import date
from typing import Any

import psycopg
import pytest
from django.db import connections, transaction
from psycopg import errors, sql

from records import partitions
from tests.records.games import drawn_hands, new_game, record, started
from tests.support.databases import Database

LOG_TABLES = ("game", "event", "receipt", "journal", "checkpoint")
TABLES = (*LOG_TABLES, "seal_queue", "hand_snapshot")
ROLES = ("default", "reader", "sequencer")
REFUSED = (errors.InsufficientPrivilege, errors.RestrictViolation)

pytestmark = pytest.mark.usefixtures("filled")


@pytest.fixture(scope="module")
def filled(log: Database) -> Database:
    """A log with a row in every table."""
    from records import journal

    game_id = new_game()
    record(game_id, started(), *drawn_hands(2))
    journal.seal_pending()
    with log.connect("sequencer") as connection:
        connection.execute(
            "INSERT INTO checkpoint (size, root, tree, note) VALUES (2, %s, '{}', '')", [bytes(32)]
        )
    record(game_id, *drawn_hands(1, first=3), at=3)
    return log


def partitions_of(connection: psycopg.Connection[Any], table: str) -> list[str]:
    rows = connection.execute(
        "SELECT relid::regclass::text FROM pg_partition_tree(%s::regclass) WHERE isleaf", [table]
    )
    return [row[0] for row in rows] or [table]


def change(table: str) -> sql.Composed:
    """An UPDATE of every row that changes nothing anybody would notice."""
    column = {"game": "title", "checkpoint": "note"}.get(table, "hash")
    name = sql.Identifier(column)
    return sql.SQL("UPDATE {} SET {} = {}").format(sql.Identifier(table), name, name)


def attack(
    database: Database, statement: sql.Composable, role: str | None, *first: str
) -> psycopg.Error | None:
    """What the database answers to the statement (after ``first``); everything is rolled back."""
    with database.connect(role) as connection:
        for line in first:
            connection.execute(line)
        try:
            connection.execute(statement)
        except psycopg.Error as error:
            return error
        finally:
            connection.rollback()
    return None


STATEMENTS: dict[str, Callable[[str], sql.Composable]] = {
    "update": change,
    "delete": lambda table: sql.SQL("DELETE FROM {}").format(sql.Identifier(table)),
    "truncate": lambda table: sql.SQL("TRUNCATE {}").format(sql.Identifier(table)),
}


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("table", LOG_TABLES)
@pytest.mark.parametrize("role", ROLES)
def test_no_role_of_the_application_may_change_the_log(
    filled: Database, role: str, table: str, statement: str
) -> None:
    assert isinstance(
        attack(filled, STATEMENTS[statement](table), role), errors.InsufficientPrivilege
    )


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("table", LOG_TABLES)
def test_the_owner_is_refused_by_a_trigger(filled: Database, table: str, statement: str) -> None:
    assert isinstance(
        attack(filled, STATEMENTS[statement](table), "owner"), errors.RestrictViolation
    )


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("table", LOG_TABLES)
def test_the_superuser_is_refused_even_in_replica_mode(
    filled: Database, table: str, statement: str
) -> None:
    """Restore tools set this mode; it switches off every trigger that is not ENABLE ALWAYS."""
    answer = attack(
        filled, STATEMENTS[statement](table), None, "SET session_replication_role = replica"
    )
    assert isinstance(answer, errors.RestrictViolation)


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("table", ["event", "receipt"])
@pytest.mark.parametrize("first", ["SELECT 1", "SET session_replication_role = replica"])
def test_no_partition_can_be_changed_by_itself(
    filled: Database, table: str, statement: str, first: str
) -> None:
    """TRUNCATE of a partition is the attack a trigger on the parent does not see."""
    with filled.connect() as connection:
        months = partitions_of(connection, table)
    assert len(months) >= 3
    full = [name for name in months if name.endswith(this_month(filled))]
    for name in full if statement != "truncate" else months:
        assert isinstance(
            attack(filled, STATEMENTS[statement](name), None, first), errors.RestrictViolation
        )


def this_month(database: Database) -> str:
    with database.connect() as connection:
        row = connection.execute("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM')").fetchone()
    assert row is not None
    return str(row[0])


def test_a_month_made_later_is_protected_like_the_first(filled: Database) -> None:
    assert partitions.create_months(date(2031, 5, 9), ahead=0) == [date(2031, 5, 1)]
    assert partitions.create_months(date(2031, 5, 31), ahead=0) == []
    for name in ("event_2031_05", "receipt_2031_05"):
        answer = attack(
            filled,
            STATEMENTS["truncate"](name),
            None,
            "SET session_replication_role = replica",
        )
        assert isinstance(answer, errors.RestrictViolation)
        for role in ROLES:
            for statement in (*STATEMENTS.values(), insert_nothing):
                refusal = attack(filled, statement(name), role)
                assert isinstance(refusal, errors.InsufficientPrivilege)


def insert_nothing(table: str) -> sql.Composed:
    name = sql.Identifier(table)
    return sql.SQL("INSERT INTO {} SELECT * FROM {} LIMIT 0").format(name, name)


def test_an_insert_that_would_update_on_conflict_is_refused(filled: Database) -> None:
    statement = sql.SQL(
        "INSERT INTO receipt SELECT * FROM receipt"
        " ON CONFLICT (game_id, command_id) DO UPDATE SET actor = 'x'"
    )
    assert isinstance(attack(filled, statement, "default"), errors.InsufficientPrivilege)
    assert isinstance(attack(filled, statement, "owner"), errors.RestrictViolation)


def test_a_row_cannot_be_moved_by_a_merge(filled: Database) -> None:
    statement = sql.SQL(
        "MERGE INTO event AS e USING event AS o ON e.game_id = o.game_id AND e.seq = o.seq"
        " WHEN MATCHED THEN UPDATE SET type = 'pass'"
    )
    assert isinstance(attack(filled, statement, None), errors.RestrictViolation)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE event DETACH PARTITION {month}",
        "ALTER TABLE event DISABLE TRIGGER ALL",
        "ALTER TABLE event DISABLE RULE x",
        "DROP TABLE {month}",
        "DROP TABLE event CASCADE",
        "DROP TRIGGER refuse_change ON event",
        "ALTER FUNCTION refuse_change() RENAME TO harmless",
        "ALTER TABLE event OWNER TO {role}",
        "CREATE RULE gone AS ON INSERT TO event DO INSTEAD NOTHING",
        "SET session_replication_role = replica",
        "SET ROLE paipu_owner",
        "SELECT make_append_only('event')",
    ],
)
def test_no_role_of_the_application_can_take_the_guards_away(
    filled: Database, role: str, statement: str
) -> None:
    login = {"default": "paipu_writer"}.get(role, f"paipu_{role}")
    names = {"month": f"event_{this_month(filled)}", "role": login}
    # Logged in as that role, as production is: a session that merely took a role may give it back.
    with filled.connect() as connection:
        connection.execute(sql.SQL("SET SESSION AUTHORIZATION {}").format(sql.Identifier(login)))
        with pytest.raises(errors.InsufficientPrivilege):
            connection.execute(statement.format(**names))
        connection.rollback()


def test_no_foreign_key_that_cascades_touches_the_log(filled: Database) -> None:
    """A cascade runs as the owner, so grants would not stop it."""
    with filled.connect() as connection:
        found = connection.execute(
            "SELECT conname FROM pg_constraint WHERE contype = 'f' AND confdeltype <> 'r'"
            " AND confdeltype <> 'a' AND (conrelid = ANY(%(t)s::regclass[])"
            " OR confrelid = ANY(%(t)s::regclass[]))",
            {"t": list(TABLES)},
        ).fetchall()
        outward = connection.execute(
            "SELECT conname FROM pg_constraint WHERE contype = 'f'"
            " AND conrelid = ANY(%s::regclass[])",
            [list(TABLES)],
        ).fetchall()
    assert (found, outward) == ([], [])


def test_row_level_security_hides_nothing(filled: Database) -> None:
    """It would make a forbidden UPDATE succeed on no rows, where an error is wanted."""
    with filled.connect() as connection:
        found = connection.execute(
            "SELECT relname FROM pg_class WHERE relrowsecurity AND relname = ANY(%s)",
            [list(TABLES)],
        ).fetchall()
    assert found == []


READ = frozenset({"SELECT"})
GRANTS = {
    "paipu_writer": {
        **dict.fromkeys(("journal", "checkpoint"), READ),
        **dict.fromkeys(
            ("game", "event", "receipt", "hand_snapshot", "seal_queue"), READ | {"INSERT"}
        ),
    },
    "paipu_sequencer": {
        **dict.fromkeys(("game", "event", "receipt", "hand_snapshot"), READ),
        **dict.fromkeys(("journal", "checkpoint"), READ | {"INSERT"}),
        "seal_queue": READ | {"DELETE"},
    },
    "paipu_reader": dict.fromkeys(TABLES, READ),
}


@pytest.mark.parametrize("role", GRANTS)
def test_each_role_has_exactly_the_privileges_it_needs(filled: Database, role: str) -> None:
    names = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")
    with filled.connect() as connection:
        for table, expected in GRANTS[role].items():
            held = {
                name
                for name in names
                if connection.execute(
                    "SELECT has_table_privilege(%s, %s, %s)", [role, table, name]
                ).fetchone()
                == (True,)
            }
            assert (table, held) == (table, expected)


def test_the_journal_refuses_a_gap_and_a_position_given_twice(filled: Database) -> None:
    insert = (
        "INSERT INTO journal (position, game_id, hand, seq, hash, leaf)"
        " SELECT (SELECT max(position) FROM journal) + {}, gen_random_uuid(), 1, 1, hash, leaf"
        " FROM journal LIMIT 1"
    )
    for step, refusal in ((2, errors.CheckViolation), (0, errors.CheckViolation), (1, None)):
        answer = attack(filled, sql.SQL(insert.format(step)), "sequencer")
        assert (type(answer) if answer else None) == refusal


def test_a_month_that_has_no_partition_is_named(filled: Database) -> None:
    from records.errors import MonthMissing
    from records.ids import uuid7

    del filled
    with pytest.raises(MonthMissing) as refusal:
        partitions.insist_on_month(uuid7(1_000_000_000_000), using="default")
    assert refusal.value.facts == {"month": "2001-09"}


def test_an_append_to_a_month_that_is_gone_is_refused(filled: Database) -> None:
    from records.errors import MonthMissing
    from records.ids import uuid7

    game_id = uuid7(1_000_000_000_000)
    with filled.connect("default") as connection:
        connection.execute("INSERT INTO game (id, club_id) VALUES (%s, %s)", [game_id, game_id])
    with pytest.raises(MonthMissing):
        record(game_id, started())


def test_an_append_locks_the_partitions_of_one_month(filled: Database) -> None:
    """However many months the log has: the statements are prepared, so a plan is for all games."""
    del filled
    game_id = new_game()
    record(game_id, started())
    record(game_id, *drawn_hands(1), at=1)
    with transaction.atomic(), connections["default"].cursor() as cursor:
        cursor.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        cursor.execute(
            "SELECT name, cardinality(parameter_types) FROM pg_prepared_statements"
            " WHERE name LIKE 'append%%'"
        )
        prepared = cursor.fetchall()
        assert len(prepared) == 2
        for name, parameters in prepared:
            cursor.execute(f"EXPLAIN EXECUTE {name} ({', '.join(['NULL'] * parameters)})")
        cursor.execute(
            "SELECT DISTINCT relation::regclass::text FROM pg_locks"
            " WHERE pid = pg_backend_pid() AND relation::regclass::text ~ '_[0-9]{4}_[0-9]{2}$'"
        )
        locked = cursor.fetchall()
    assert locked == [(f"event_{partitions.month_of(game_id):%Y_%m}",)]
