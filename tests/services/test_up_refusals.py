"""What `manage.py up` says when it cannot run: the reason, and what to do about it."""

import base64
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from api.embedded.postgres import PostgresServer
from tests.support.running_up import children_left, manage
from tests.support.servers import short_folder


@pytest.fixture
def data() -> Iterator[Path]:
    with short_folder() as folder:
        yield folder / "var"


def test_a_taken_port_is_named_and_another_proposed(data: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        refused = manage(data, "up", "--port", str(port))
    assert refused.returncode == 1
    assert f"Cannot listen on port {port} of 127.0.0.1: Address already in use" in refused.stderr
    assert f"make up PORT={port + 1}" in refused.stderr
    assert not (data / "postgres").exists()


def test_a_data_folder_that_cannot_be_made_is_named(data: Path) -> None:
    data.write_text("a file stands where the folder should be")
    refused = manage(data, "up")
    assert refused.returncode == 1
    assert f"The data folder {data} cannot be written" in refused.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_data_folder_that_cannot_be_written_is_named(data: Path) -> None:
    data.mkdir(mode=0o500)
    refused = manage(data, "up")
    assert refused.returncode == 1
    assert f"The data folder {data} cannot be written (Permission denied)" in refused.stderr


def test_data_of_another_version_of_postgresql_are_left_alone(data: Path) -> None:
    (data / "postgres").mkdir(parents=True)
    (data / "postgres" / "PG_VERSION").write_text("12\n")
    refused = manage(data, "up", "--port", "0")
    assert refused.returncode == 1
    assert "were made by PostgreSQL 12" in refused.stderr
    assert "PAIPU_POSTGRES_BIN" in refused.stderr
    assert [entry.name for entry in (data / "postgres").iterdir()] == ["PG_VERSION"]
    assert not children_left(data)


def test_a_database_that_does_not_answer_is_said_to_be_so(data: Path) -> None:
    url = "postgresql://paipu@127.0.0.1:1/paipu"
    refused = manage(data, "up", "--port", "0", PAIPU_DATABASE_URL=url)
    assert refused.returncode == 1
    assert "The database of PAIPU_DATABASE_URL does not answer" in refused.stderr


def test_a_login_that_may_not_make_the_roles_is_told_to_run_the_file(
    data: Path, postgres_server: PostgresServer
) -> None:
    with psycopg.connect(postgres_server.url("postgres"), autocommit=True) as admin:
        admin.execute("CREATE ROLE powerless LOGIN")
    url = postgres_server.url("postgres").replace("paipu@", "powerless@", 1)
    refused = manage(data, "up", "--port", "0", PAIPU_DATABASE_URL=url)
    assert refused.returncode == 1
    assert "this login may not make them" in refused.stderr
    assert "Run roles.sql" in refused.stderr


def test_a_broker_that_does_not_answer_is_said_to_be_so(
    data: Path, postgres_server: PostgresServer
) -> None:
    variables = {
        "PAIPU_DATABASE_URL": postgres_server.url("postgres"),
        "PAIPU_BROKER_URL": "redis://127.0.0.1:1/0",
    }
    refused = manage(data, "up", "--port", "0", **variables)
    assert refused.returncode == 1
    assert "The broker of PAIPU_BROKER_URL does not answer" in refused.stderr


def test_it_is_not_for_production(data: Path) -> None:
    variables = {
        "PAIPU_MODE": "production",
        "PAIPU_SECRET_KEY": "x" * 40,
        "PAIPU_CHECKPOINT_KEY": base64.b64encode(bytes(32)).decode(),
        "PAIPU_DATABASE_URL": "postgresql://db/paipu",
        "PAIPU_BROKER_URL": "amqp://broker",
        "PAIPU_ALLOWED_HOSTS": "example.org",
    }
    refused = manage(data, "up", **variables)
    assert refused.returncode == 1
    assert "not for PAIPU_MODE=production" in refused.stderr
