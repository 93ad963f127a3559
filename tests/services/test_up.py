"""`manage.py up` as a person meets it: one command, one process, one address, a clean end.

Each test is a story, since a start takes seconds.
"""

import os
import signal
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.embedded.account import choose_account
from api.embedded.binaries import find_postgres
from api.embedded.broker import BrokerServer
from api.embedded.errors import CannotRun
from api.embedded.postgres import PostgresServer
from tests.support.running_up import children_left, manage, running_up
from tests.support.servers import short_folder

pytestmark = pytest.mark.slow

ADD_ACCOUNT = "from records.models import Account; Account.objects.create_user(username='lin')"
TELL_ACCOUNTS = (
    "from records.models import Account; print(list(Account.objects.values_list('username')))"
)


@pytest.fixture
def data() -> Iterator[Path]:
    with short_folder() as folder:
        yield folder / "var"


def test_it_serves_stops_without_orphans_and_starts_again_on_the_same_data(data: Path) -> None:
    with running_up(data) as up:
        assert up.get("/health/ready")["status"] == "ready"
        assert "/rulesets/" in up.page("/")
        assert "swagger" in up.page("/api/v1/docs").lower()
        second_shell = manage(data, "shell", "--no-imports", "-c", ADD_ACCOUNT)
        assert second_shell.returncode == 0, second_shell.stderr

        second_up = manage(data, "up", "--port", "0")
        assert second_up.returncode == 1
        assert f"already running on {data} (process {up.process.pid})" in second_up.stderr
        assert up.get("/health/ready")["status"] == "ready"

        up.send(signal.SIGTERM)
        assert up.wait() == 0
        assert not children_left(data)
        assert "Stopping web worker beat broker postgres" in up.output

    nothing_runs = manage(data, "shell", "--no-imports", "-c", TELL_ACCOUNTS)
    assert nothing_runs.returncode == 1
    assert "No database answers. Start one with `make up`" in nothing_runs.stderr

    with running_up(data) as up:
        assert up.get("/health/ready")["status"] == "ready"
        kept = manage(data, "shell", "--no-imports", "-c", TELL_ACCOUNTS)
        assert "[('lin',)]" in kept.stdout
        # Ctrl-C reaches the whole foreground group, and an impatient person presses it twice.
        up.send(signal.SIGINT, to_group=True)
        up.send(signal.SIGINT, to_group=True)
        assert up.wait() == 0
        assert not children_left(data)


def test_killed_outright_it_takes_its_children_along_and_the_next_start_is_normal(
    data: Path,
) -> None:
    with running_up(data) as up:
        assert up.get("/health/ready")["status"] == "ready"
        up.send(signal.SIGKILL)
        up.wait()
    # Started at once, it waits for what the killed one left behind to finish.
    with running_up(data) as up:
        assert up.get("/health/ready")["status"] == "ready"
    assert not children_left(data)


def test_a_child_that_ends_by_itself_ends_everything_and_says_which(data: Path) -> None:
    with running_up(data) as up:
        assert up.get("/health/ready")["status"] == "ready"
        os.kill(_pid_of_postgres(data), signal.SIGKILL)
        assert up.wait() == 1
        assert "postgres ended by itself (SIGKILL)" in up.output
        assert not children_left(data)


def test_it_uses_the_database_and_the_broker_it_is_given(
    data: Path, postgres_server: PostgresServer, broker_server: BrokerServer
) -> None:
    postgres_server.create_database("given")
    url = postgres_server.url("given")
    broker = broker_server.broker_url
    with running_up(data, PAIPU_DATABASE_URL=url, PAIPU_BROKER_URL=broker) as up:
        assert up.get("/health/ready")["status"] == "ready"
        assert not (data / "postgres").exists()
        up.send(signal.SIGTERM)
        assert up.wait() == 0
        assert "Stopping web worker beat 0" in up.output or "web worker beat" in up.output


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another account for PostgreSQL")
def test_below_a_folder_that_only_root_may_enter_root_can_still_run_it(data: Path) -> None:
    closed = data.parent / "closed"
    closed.mkdir(mode=0o700)
    # A path this long also holds no socket.
    deep = closed / ("a-folder-with-a-long-name-" * 3) / "var"
    _skip_without_user_namespaces(deep)
    with running_up(deep) as up:
        assert up.get("/health/ready")["status"] == "ready"
        assert "in a user namespace" in up.output
        up.send(signal.SIGKILL)
        up.wait()
    assert not children_left(deep, within_s=20)
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700
    assert (deep / "postgres").stat().st_uid == 0


def _skip_without_user_namespaces(folder: Path) -> None:
    folder.mkdir(parents=True)
    try:
        choose_account(programs=find_postgres().folder, data=folder / "postgres")
    except CannotRun:
        pytest.skip("this system forbids user namespaces")


def _pid_of_postgres(data: Path) -> int:
    return int((data / "postgres" / "postmaster.pid").read_text().splitlines()[0])
