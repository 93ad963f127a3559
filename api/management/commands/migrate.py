"""`manage.py migrate`: Django's own, done by the owner, followed by the writer's grants."""

from typing import Any

from django.apps import apps
from django.core.management.base import CommandParser
from django.core.management.commands import migrate
from django.db import connections
from psycopg import sql

from api.databases import ROLES

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
        """Migrate, then let the writer change the tables that may be changed."""
        super().handle(*args, **options)
        if options["database"] == "owner" and not options["plan"]:
            grant_mutable_tables()


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
