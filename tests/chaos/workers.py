"""Real Celery processes, started, killed and rung by a test."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from celery import Celery
from kombu import Connection, Queue

from api.embedded.binaries import find_broker
from api.embedded.broker import BrokerServer
from api.embedded.processes import Child
from tests.support.databases import Database

PROJECT = Path(__file__).parents[2]
PATIENCE_S = 120.0


def wait_until(condition: Callable[[], bool], what: str, *, every_s: float = 0.02) -> None:
    """Wait for a condition; fail with its description when it never comes true."""
    stop_at = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < stop_at, f"never happened: {what}"
        time.sleep(every_s)


class MortalBroker:
    """A Valkey of its own that may lose everything it holds."""

    def __init__(self, folder: Path) -> None:
        self.server = BrokerServer(
            program=find_broker(), data=folder / "d", sockets=folder, log=folder / "broker.log"
        )
        self._children: list[Child] = []

    def start(self) -> None:
        """Start it, empty."""
        self.server.start(adopt=self._children.append)

    def lose_everything(self) -> None:
        """Die, and come back empty at the same address."""
        child = self._children.pop()
        os.kill(child.pid, signal.SIGKILL)
        child.stop()
        shutil.rmtree(self.server.data)
        self.server.socket.unlink(missing_ok=True)
        self.start()

    def stop(self) -> None:
        """Stop it for good."""
        for child in self._children:
            child.stop()


class Crew:
    """The workers and the schedule of one database and one broker."""

    def __init__(self, *, database: Database, broker_url: str, folder: Path) -> None:
        self.database = database
        self.broker_url = broker_url
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self._ringer = Celery("ringer", broker=broker_url, set_as_current=False)

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a Celery process in a group of its own, and do not wait for it."""
        number = len(self.processes)
        environment = {
            **self.database.environment,
            "PAIPU_BROKER_URL": self.broker_url,
            "PAIPU_DATA_DIR": str(self.folder),
        }
        log = self.folder / f"process-{number}.log"
        with log.open("wb") as stream:
            process = subprocess.Popen(
                [sys.executable, "-m", "celery", "--app", "api", *arguments],
                cwd=PROJECT,
                env=environment,
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def start_worker(self, concurrency: int = 1) -> subprocess.Popen[bytes]:
        """Start a worker as `manage.py up` does."""
        return self.start(
            *("worker", "--concurrency", str(concurrency), "--without-mingle"),
            *("--hostname", f"chaos{len(self.processes)}@test"),
        )

    def start_beat(self) -> subprocess.Popen[bytes]:
        """Start the schedule."""
        return self.start("beat", "--schedule", str(self.folder / "schedule"), "--pidfile=")

    def ring(self, task: str, *, message_id: str | None = None) -> None:
        """Send a message; with the same `message_id` it is the same message delivered again."""
        self._ringer.send_task(task, task_id=message_id)

    def forget_messages(self) -> None:
        """Throw away every message that waits."""
        with self._ringer.connection_for_write() as connection:
            self._queue(connection).purge()

    def messages_waiting(self) -> int:
        """How many messages no worker has taken yet."""
        with self._ringer.connection_for_write() as connection:
            return int(self._queue(connection).queue_declare()[1])

    def _queue(self, connection: Connection) -> Queue:
        queue = self._ringer.amqp.queues["celery"].bind(connection.default_channel)
        queue.declare()
        return queue

    def stop(self) -> None:
        """Kill what still runs."""
        for process in self.processes:
            kill(process)
        self._ringer.close()

    def logs(self) -> str:
        """What the processes wrote, for the report of a failed test."""
        return "\n".join(path.read_text() for path in sorted(self.folder.glob("process-*.log")))


def kill(process: subprocess.Popen[bytes]) -> None:
    """SIGKILL to a process and its children, as when the machine loses them."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def held_up_at(database: Database, table: str) -> Iterator[Callable[[], bool]]:
    """While the block lasts, a transaction that writes to `table` stops there.

    Gives a function that tells whether one has.
    """
    with database.connect() as holder, database.connect(autocommit=True) as watcher:
        holder.execute(f"LOCK TABLE {table} IN SHARE MODE")

        def has_stopped_one() -> bool:
            waiting = watcher.execute(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = %s::regclass",
                [table],
            )
            return waiting.fetchall() != [(0,)]

        yield has_stopped_one
        holder.rollback()


def sessions_of_others(database: Database) -> int:
    """How many database sessions of other processes there are."""
    with psycopg.connect(database.url, autocommit=True) as superuser:
        found = superuser.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        return int(found.fetchall()[0][0])
