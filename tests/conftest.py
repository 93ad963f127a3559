"""Fixtures for every test: real servers, a fresh database, a browser where there is one."""

import os
import shutil
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest

from api.embedded.broker import BrokerServer
from api.embedded.postgres import PostgresServer
from tests.support.databases import Database, create_template, fresh_database
from tests.support.servers import running_broker, running_postgres


def pytest_configure(config: pytest.Config) -> None:
    """Let the processes that tests start use the service's settings, not those of the tests."""
    del config
    os.environ["DJANGO_SETTINGS_MODULE"] = "api.settings"
    # A deadline would be a timed assertion: it fails on a busy machine and nowhere else.
    hypothesis.settings.register_profile("untimed", deadline=None)
    hypothesis.settings.load_profile("untimed")


@pytest.fixture(scope="session")
def postgres_server(django_db_blocker: Any) -> Iterator[PostgresServer]:
    """One PostgreSQL for the run (one per worker under xdist), with a migrated template."""
    with running_postgres() as server, django_db_blocker.unblock():
        create_template(server)
        yield server


@pytest.fixture
def database(postgres_server: PostgresServer, django_db_blocker: Any) -> Iterator[Database]:
    """A fresh, migrated database, and Django's four aliases pointing at it.

    Transactions are real: nothing is wrapped or rolled back.
    """
    with django_db_blocker.unblock(), fresh_database(postgres_server) as fresh:
        yield fresh


@pytest.fixture(scope="session")
def broker_server() -> Iterator[BrokerServer]:
    """One Valkey for the run (one per worker under xdist)."""
    with running_broker() as broker:
        yield broker


def _service(name: str) -> str:
    if os.environ.get("PAIPU_TEST_SERVICES") != "1":
        pytest.skip("PAIPU_TEST_SERVICES=1 is not set: tests against installed services are off")
    url = os.environ.get(name, "")
    if not url:
        pytest.skip(f"{name} is not set: that service is not installed here")
    return url


@pytest.fixture(scope="session")
def service_database_url() -> str:
    """The address, for a superuser, of an installed PostgreSQL (PAIPU_TEST_DATABASE_URL)."""
    return _service("PAIPU_TEST_DATABASE_URL")


@pytest.fixture(scope="session")
def rabbitmq_url() -> str:
    """The address of an installed RabbitMQ (PAIPU_TEST_RABBITMQ_URL)."""
    return _service("PAIPU_TEST_RABBITMQ_URL")


@pytest.fixture(scope="session")
def redis_url() -> str:
    """The address of an installed Redis (PAIPU_TEST_REDIS_URL)."""
    return _service("PAIPU_TEST_REDIS_URL")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Use the system's Chromium: nothing is ever downloaded for the browser tests."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no chromium on PATH: install the system's package to run the browser tests")
    arguments = [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium refuses to run as root with it.
    return {**browser_type_launch_args, "executable_path": chromium, "args": arguments}
