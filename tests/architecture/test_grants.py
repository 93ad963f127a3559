"""What each role may do, read from a migrated database: nobody can forget a table."""

from django.apps import apps

from api.databases import ROLES
from tests.support.databases import Database

_PRIVILEGED = """
    SELECT c.relname FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      AND has_table_privilege(%s, c.oid, %s)
"""


def _tables_that(database: Database, role: str, privilege: str) -> set[str]:
    with database.connect() as connection:
        return {row[0] for row in connection.execute(_PRIVILEGED, [ROLES[role], privilege])}


def test_the_writer_may_change_no_table_but_those_of_djangos_managed_models(
    database: Database,
) -> None:
    managed = {
        model._meta.db_table
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed
    }
    for privilege in ("UPDATE", "DELETE"):
        changeable = _tables_that(database, "default", privilege)
        assert "records_account" in changeable
        assert changeable <= managed


def test_nobody_but_the_owner_may_truncate_a_table(database: Database) -> None:
    for role in ("default", "reader", "sequencer"):
        assert not _tables_that(database, role, "TRUNCATE")


def test_the_reader_may_change_nothing(database: Database) -> None:
    for privilege in ("INSERT", "UPDATE", "DELETE"):
        assert not _tables_that(database, "reader", privilege)


def test_the_sequencer_may_delete_from_the_queue_alone_and_update_nothing(
    database: Database,
) -> None:
    assert _tables_that(database, "sequencer", "DELETE") == {"seal_queue"}
    assert not _tables_that(database, "sequencer", "UPDATE")
