"""The server everything is measured on: the embedded PostgreSQL as it is shipped, fsync on.

It has a data folder of its own, which is thrown away, and one migrated database in which the tables
of the raw runs and of the peers stand beside ours.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
from django.core.management import call_command

from api.embedded.postgres import PostgresServer
from api.embedded.roles import create_roles
from tests.support.databases import django_uses
from tests.support.servers import running_postgres

BODY = (
    '{"seat": 2, "tile": "5p", "drawn": true, "type": "discard", "version": 1,'
    ' "occurred_at_ms": 1795996800000, "note": "as long as one event with its secrets"}'
)
"""What every single-row insert and every peer writes: 152 bytes of JSON, an event of ours."""
DIGEST = bytes(range(32))

_TABLES = """
    CREATE TABLE raw_event (
      game_id uuid NOT NULL, seq integer NOT NULL, type text NOT NULL, data jsonb NOT NULL,
      hash bytea NOT NULL, PRIMARY KEY (game_id, seq)
    );
    CREATE TABLE plain_event (LIKE raw_event INCLUDING ALL);
    CREATE TABLE bare_event (LIKE raw_event INCLUDING ALL);
    GRANT INSERT, SELECT ON bare_event TO paipu_writer;
"""


@dataclass(frozen=True)
class Stage:
    """A running server and the database on it."""

    server: PostgresServer
    database: str

    @property
    def url(self) -> str:
        """The address of the database for the superuser."""
        return self.server.url(self.database)


@contextmanager
def standing() -> Iterator[Stage]:
    """The server with its database, which Django uses while the block lasts."""
    logging.getLogger("django").setLevel(logging.ERROR)
    with running_postgres(parameters={}) as server:
        stage = Stage(server=server, database="bench")
        server.create_database(stage.database)
        create_roles(stage.url)
        with psycopg.connect(stage.url, autocommit=True) as connection:
            connection.execute(_TABLES)
        with django_uses(stage.url):
            call_command("migrate", verbosity=0)
            yield stage
