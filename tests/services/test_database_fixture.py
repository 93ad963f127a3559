"""The fixture that everything else stands on."""

import psycopg
import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import ProgrammingError, connections

from api.databases import ROLES
from tests.support.databases import Database


def test_each_alias_acts_as_its_own_role(database: Database) -> None:
    for alias, role in ROLES.items():
        with connections[alias].cursor() as cursor:
            cursor.execute("SELECT current_user")
            assert cursor.fetchone() == (role,)


@pytest.mark.parametrize("name", ["lin", "wang"])
def test_a_row_of_one_test_is_not_seen_by_the_next(database: Database, name: str) -> None:
    accounts = get_user_model().objects
    accounts.create_user(username=name)
    assert list(accounts.values_list("username", flat=True)) == [name]


def test_the_writer_may_change_a_mutable_table(database: Database) -> None:
    account = get_user_model().objects.create_user(username="lin")
    account.first_name = "Lin"
    account.save()
    account.delete()
    assert not get_user_model().objects.exists()


def test_the_reader_may_not_write(database: Database) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        get_user_model().objects.using("reader").create(username="lin")


def test_a_new_table_lets_the_writer_insert_but_not_change(database: Database) -> None:
    with database.connect("owner") as owner:
        owner.execute("CREATE TABLE forgotten (id int)")
    with database.connect("default", autocommit=True) as writer:
        writer.execute("INSERT INTO forgotten VALUES (1)")
        for change in (
            "UPDATE forgotten SET id = 2",
            "DELETE FROM forgotten",
            "TRUNCATE forgotten",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                writer.execute(change)


def test_the_writer_may_not_make_tables(database: Database) -> None:
    with database.connect("default") as writer, pytest.raises(psycopg.errors.InsufficientPrivilege):
        writer.execute("CREATE TABLE mine (id int)")


def test_migrating_again_makes_the_months_that_are_missing(database: Database) -> None:
    with database.connect(autocommit=True) as superuser:
        newest = superuser.execute(
            "SELECT max(inhrelid::regclass::text) FROM pg_inherits"
            " WHERE inhparent = 'event'::regclass"
        ).fetchone()
        assert newest is not None
        superuser.execute("SET session_replication_role = replica")
        superuser.execute("SET paipu.log_ddl = 'create_month'")
        superuser.execute(
            psycopg.sql.SQL("DROP TABLE {}").format(psycopg.sql.Identifier(newest[0]))
        )
        missing = superuser.execute("SELECT to_regclass(%s)", [newest[0]]).fetchone()
        call_command("migrate", verbosity=0)
        made = superuser.execute("SELECT to_regclass(%s)", [newest[0]]).fetchone()
    assert missing == (None,)
    assert made == (newest[0],)
