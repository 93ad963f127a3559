"""The same code on services that somebody else installed: what production will be."""

import uuid
from collections.abc import Iterator

import psycopg
import pytest
from celery import Celery
from django.core.management import call_command
from django.db import connections

from api.databases import ROLES
from api.embedded.roles import ensure_roles
from api.embedded.up import check_broker
from tests.support.databases import django_uses

pytestmark = pytest.mark.services


@pytest.fixture
def installed_database(service_database_url: str) -> Iterator[str]:
    """An empty database on the installed PostgreSQL; dropped at the end."""
    name = f"paipu_test_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(service_database_url, autocommit=True) as admin:
        admin.execute(psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(name)))
        url = service_database_url.rsplit("/", 1)[0] + f"/{name}"
        yield url
        admin.execute(
            psycopg.sql.SQL("DROP DATABASE {} WITH (FORCE)").format(psycopg.sql.Identifier(name))
        )


def test_roles_and_tables_can_be_made_and_made_again(
    installed_database: str, django_db_blocker: pytest.FixtureRequest
) -> None:
    for _ in range(2):
        ensure_roles(installed_database)
        with django_db_blocker.unblock(), django_uses(installed_database):
            call_command("migrate", verbosity=0)
            for alias, role in ROLES.items():
                with connections[alias].cursor() as cursor:
                    cursor.execute("SELECT current_user, count(*) FROM records_account")
                    assert cursor.fetchone() == (role, 0)


@pytest.mark.parametrize("fixture", ["rabbitmq_url", "redis_url"])
def test_a_bell_rung_on_an_installed_broker_is_heard(
    fixture: str, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue(fixture)
    check_broker(url)
    queue = f"paipu-test-{uuid.uuid4().hex[:12]}"
    ringer = Celery("ringer", broker=url, set_as_current=False)
    with ringer.connection_for_write() as connection:
        ringer.send_task("bell", queue=queue, connection=connection, ignore_result=True)
        heard = connection.SimpleQueue(queue)
        message = heard.get(block=True, timeout=10)
        message.ack()
        assert message.headers["task"] == "bell"
        heard.close()
        heard.queue(connection.default_channel).delete()
    ringer.close()
