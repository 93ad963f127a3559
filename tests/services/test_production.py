"""The production form: the image's own scripts, the least powerful logins, real services."""

import base64
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import redis

from api.embedded.broker import BrokerServer
from api.embedded.postgres import PostgresServer
from api.embedded.roles import create_roles
from tests.support.source import PROJECT

GOOD = {
    "PAIPU_MODE": "production",
    "PAIPU_SECRET_KEY": "a-secret-of-this-test-that-is-long-enough",
    "PAIPU_CHECKPOINT_KEY": base64.b64encode(bytes(range(32))).decode(),
    "PAIPU_DATABASE_URL": "postgresql://db.invalid/paipu",
    "PAIPU_BROKER_URL": "amqp://broker.invalid",
    "PAIPU_ALLOWED_HOSTS": "paipu.test",
}


def _run(
    command: list[str], variables: Mapping[str, str], *, limit_s: float = 120
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=PROJECT,
        env=_environment(variables),
        capture_output=True,
        text=True,
        timeout=limit_s,
        check=False,
    )


def _environment(variables: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PAIPU_")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**kept, "PATH": path, "PYTHONUNBUFFERED": "1", **variables}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"PAIPU_SECRET_KEY": ""}, "needs PAIPU_SECRET_KEY"),
        ({"PAIPU_SECRET_KEY": "short"}, "shorter than 32 characters"),
        ({"PAIPU_CHECKPOINT_KEY": ""}, "needs PAIPU_CHECKPOINT_KEY"),
        ({"PAIPU_CHECKPOINT_KEY": "c2hvcnQ="}, "not the base64 of 32 bytes"),
        ({"PAIPU_DATABASE_URL": ""}, "needs PAIPU_DATABASE_URL"),
        ({"PAIPU_BROKER_URL": ""}, "needs PAIPU_BROKER_URL"),
        ({"PAIPU_ALLOWED_HOSTS": ""}, "needs PAIPU_ALLOWED_HOSTS"),
        ({"PAIPU_DEBUG": "1"}, "PAIPU_DEBUG may not be set"),
        ({"PAIPU_MODE": "prod"}, "must be development or production"),
    ],
)
def test_production_refuses_to_start_with_a_setting_that_is_missing_or_unsafe(
    change: dict[str, str], complaint: str
) -> None:
    done = _run([sys.executable, "-c", "import api.settings"], {**GOOD, **change})
    assert done.returncode != 0
    assert complaint in done.stderr


def test_production_starts_with_good_settings() -> None:
    done = _run([sys.executable, "-c", "import api.settings"], GOOD)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def logins(postgres_server: PostgresServer) -> Iterator[dict[str, str]]:
    """An empty database prepared as compose.yaml does: roles.sql, then logins.sh.

    Gives the address for each login, by its short name.
    """
    name = "production"
    postgres_server.create_database(name)
    create_roles(postgres_server.url(name))
    variables = {
        "PATH": f"{postgres_server.binaries.folder}{os.pathsep}{os.environ['PATH']}",
        "PGHOST": str(postgres_server.sockets),
        "POSTGRES_USER": "paipu",
        "POSTGRES_DB": name,
        "PAIPU_WEB_PASSWORD": "w",
        "PAIPU_WORKER_PASSWORD": "k",
        "PAIPU_MIGRATOR_PASSWORD": "m",
    }
    made = subprocess.run(
        [str(PROJECT / "docker" / "postgres" / "logins.sh")],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    url = postgres_server.url(name)
    yield {
        login: url.replace("paipu@", f"paipu_{login}@", 1)
        for login in ("web", "worker", "migrator")
    }
    with psycopg.connect(postgres_server.url("postgres"), autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[call-overload]
        for login in ("web", "worker", "migrator"):
            admin.execute(f"DROP ROLE paipu_{login}")  # type: ignore[call-overload]


def test_the_images_scripts_prepare_and_serve_with_the_least_powerful_logins(
    logins: dict[str, str], broker_server: BrokerServer, tmp_path: Path
) -> None:
    port = _free_port()
    static = tmp_path / "static"
    variables = {
        **GOOD,
        "PAIPU_DATABASE_URL": logins["web"],
        "PAIPU_BROKER_URL": broker_server.broker_url,
        "PAIPU_STATIC_ROOT": str(static),
        "PAIPU_SHARED_MEMORY": str(tmp_path),
        "PAIPU_WEB_PROCESSES": "1",
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "VENV": str(Path(sys.executable).parent.parent),
    }
    collected = _run(
        ["docker/collect.sh"], {"PAIPU_STATIC_ROOT": str(static), "VENV": variables["VENV"]}
    )
    assert collected.returncode == 0, collected.stderr
    assert (static / "staticfiles.json").exists()

    by_web = _run(["docker/start.sh", "migrate"], variables)
    assert by_web.returncode != 0, "the web's login may not change tables"
    migrator = {**variables, "PAIPU_DATABASE_URL": logins["migrator"]}
    migrated = _run(["docker/start.sh", "migrate"], migrator)
    assert migrated.returncode == 0, migrated.stderr

    with _started("web", variables, tmp_path / "web.log"):
        _wait_until(lambda: _is_healthy(variables), tmp_path / "web.log")
    worker = {**variables, "PAIPU_DATABASE_URL": logins["worker"]}
    with _started("worker", worker, tmp_path / "worker.log"):
        _wait_until(
            lambda: " ready" in (tmp_path / "worker.log").read_text(), tmp_path / "worker.log"
        )
    queue = redis.Redis(unix_socket_path=str(broker_server.socket))
    queue.flushdb()
    with _started("beat", worker, tmp_path / "beat.log"):
        _wait_until(lambda: queue.llen("celery") > 0, tmp_path / "beat.log")


@contextmanager
def _started(part: str, variables: Mapping[str, str], log: Path) -> Iterator[None]:
    """One part, started as its container starts it, and stopped as its container is stopped."""
    with log.open("w") as output:
        process = subprocess.Popen(
            ["docker/start.sh", part],
            cwd=PROJECT,
            env=_environment(variables),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield
        assert process.poll() is None, log.read_text()
    finally:
        process.send_signal(signal.SIGTERM)
        code = process.wait(60)
    assert code == 0, log.read_text()


def _is_healthy(variables: Mapping[str, str]) -> bool:
    return _run(["docker/start.sh", "healthy"], variables).returncode == 0


def _wait_until(holds: Callable[[], bool], log: Path) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.2)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_scripts_of_the_image_are_posix_shell_and_find_their_own_folder() -> None:
    shell = shutil.which("dash") or "/bin/sh"
    for script in ("install.sh", "collect.sh", "start.sh"):
        checked = _run([shell, "-n", f"docker/{script}"], {})
        assert checked.returncode == 0, checked.stderr
