"""`manage.py migrate`: Django's own, done by the owner; then the writer's grants and the months."""

from typing import Any

from django.apps import apps
from django.core.management.base import CommandParser
from django.core.management.commands import migrate
from django.db import connections
from psycopg import sql

from api.databases import ROLES
from records.partitions import create_months

_MUTABLE = """
    SELECT c.relname FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname = ANY(%s)
      AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgenabled = 'A')
    ORDER BY c.relname
"""


class Command(migrate.Command):
    """Django's `migrate` with `--database owner` as its default."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Django's arguments, with the owner as the database."""
        super().add_arguments(parser)
        parser.set_defaults(database="owner")

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate, let the writer change the tables that may be changed, make the log's months.

        The last is for an installation that was off when a month should have been made: it can
        record as soon as it is started again, before the schedule comes to it.
        """
        super().handle(*args, **options)
        if options["database"] != "owner" or options["plan"] or options["check_unapplied"]:
            return
        grant_mutable_tables()
        if options["app_label"] is None:
            create_months()


def grant_mutable_tables() -> list[str]:
    """Grant the writer UPDATE and DELETE on every mutable table; give their names.

    Mutable is a table of a managed model that does not guard itself with an ENABLE ALWAYS trigger:
    such a trigger is how the append-only tables refuse changes. New tables start without these two
    privileges (docker/postgres/roles.sql), so what is forgotten here is refused, not open.
    """
    models = apps.get_models(include_auto_created=True)
    candidates = sorted({m._meta.db_table for m in models if m._meta.managed and not m._meta.proxy})
    with connections["owner"].cursor() as cursor:
        cursor.execute(_MUTABLE, [candidates])
        tables = [str(row[0]) for row in cursor.fetchall()]
        for table in tables:
            cursor.execute(
                sql.SQL("GRANT UPDATE, DELETE ON {} TO {}").format(
                    sql.Identifier("public", table), sql.Identifier(ROLES["default"])
                )
            )
    return tables
