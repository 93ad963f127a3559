"""Real servers for the tests, started from the same programs and code as `manage.py up`."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from api.embedded.account import choose_account
from api.embedded.binaries import find_broker, find_postgres
from api.embedded.broker import BrokerServer
from api.embedded.postgres import PostgresServer
from api.embedded.processes import Child

# Safe for tests alone: a crash of the machine may lose what the tests wrote.
UNSAFE_AND_FAST = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "64MB",
    "max_wal_size": "512MB",
}


@contextmanager
def short_folder() -> Iterator[Path]:
    """A new folder with a path short enough for a socket, that every account may enter."""
    folder = Path(tempfile.mkdtemp(prefix="paipu-test-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running_postgres(parameters: dict[str, str] | None = None) -> Iterator[PostgresServer]:
    """A PostgreSQL of its own; `parameters` are server settings, unsafe and fast when not given."""
    children: list[Child] = []
    with short_folder() as folder:
        binaries = find_postgres()
        account = choose_account(programs=binaries.folder, data=folder / "data")
        sockets = folder / "s"
        sockets.mkdir(mode=0o700)
        if account.uid is not None and account.gid is not None:
            shutil.chown(sockets, account.uid, account.gid)
        server = PostgresServer(
            binaries=binaries,
            account=account,
            data=folder / "data",
            sockets=sockets,
            log=folder / "postgres.log",
            parameters=UNSAFE_AND_FAST if parameters is None else parameters,
        )
        try:
            server.initialise()
            server.start(adopt=children.append)
            yield server
        finally:
            for child in children:
                child.stop()


@contextmanager
def running_broker() -> Iterator[BrokerServer]:
    """A Valkey of its own, empty."""
    children: list[Child] = []
    with short_folder() as folder:
        broker = BrokerServer(
            program=find_broker(), data=folder / "d", sockets=folder, log=folder / "broker.log"
        )
        try:
            broker.start(adopt=children.append)
            yield broker
        finally:
            for child in children:
                child.stop()
