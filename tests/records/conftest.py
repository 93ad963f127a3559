"""One database a module: games have ids of their own, so most tests of the log can share it."""

from collections.abc import Iterator
from typing import Any

import pytest

from api.embedded.postgres import PostgresServer
from tests.support.databases import Database, fresh_database


@pytest.fixture(scope="module")
def log(postgres_server: PostgresServer, django_db_blocker: Any) -> Iterator[Database]:
    """A fresh, migrated database for the tests of one module, and Django pointing at it."""
    with django_db_blocker.unblock(), fresh_database(postgres_server) as fresh:
        yield fresh
