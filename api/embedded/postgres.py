"""The embedded PostgreSQL: made once, started as a direct child, reached by a socket of its own."""

import os
import shutil
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import psycopg

from api.embedded.account import Account
from api.embedded.binaries import PostgresBinaries
from api.embedded.errors import CannotRun
from api.embedded.processes import Child, Program, run_to_end, wait_until

SUPERUSER = "paipu"
DATABASE = "paipu"
_START_LIMIT_S = 60.0  # Recovery after a crash may take this long; a normal start takes 0.05 s.

Interrupted = Callable[[], None]


def _never() -> None:
    """No signal is waited for."""


@dataclass(frozen=True)
class PostgresServer:
    """One server: its programs, the account it runs as, its data and its folder for sockets.

    The socket folder may be entered by its owner alone, which is what guards the server: it does
    not listen on the network at all. `parameters` are server settings beside our own; `keep_open`
    are descriptors that the server inherits.
    """

    binaries: PostgresBinaries
    account: Account
    data: Path
    sockets: Path
    log: Path
    parameters: Mapping[str, str] = field(default_factory=dict)
    keep_open: tuple[int, ...] = ()

    def url(self, database: str = DATABASE) -> str:
        """The address of a database on this server, for its superuser."""
        return f"postgresql://{SUPERUSER}@/{database}?host={quote(str(self.sockets), safe='')}"

    def initialise(self, *, interrupted: Interrupted = _never) -> bool:
        """Make the data folder if there is none; tell whether it was made.

        Raises CannotRun when the data were made by another major version of PostgreSQL.
        """
        version = self.data / "PG_VERSION"
        if version.exists():
            self._check_major(version)
            return False
        # It is made under another name first: an interrupted initdb must leave nothing half done.
        draft = self.data.with_name(self.data.name + ".new")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        self._give(draft)
        command = [
            *self.account.prefix,
            str(self.binaries.folder / "initdb"),
            f"--pgdata={draft}",
            f"--username={SUPERUSER}",
            "--auth-local=trust",
            "--auth-host=reject",
            "--encoding=UTF8",
            "--no-locale",
            "--no-instructions",
        ]
        run_to_end(self._program("initdb", command), interrupted=interrupted)
        draft.rename(self.data)
        return True

    def start(self, *, interrupted: Interrupted = _never, adopt: Callable[[Child], None]) -> None:
        """Start the server and wait until it answers.

        The child is handed to `adopt` as soon as it exists, so that it is stopped whatever happens.
        """
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.sockets),
            "unix_socket_permissions": "0700",
            "max_connections": "100",
            "max_prepared_transactions": "0",
            "timezone": "UTC",
            **self.parameters,
        }
        command = [
            *self.account.prefix,
            str(self.binaries.folder / "postgres"),
            "-D",
            str(self.data),
            *(word for name, value in settings.items() for word in ("-c", f"{name}={value}")),
        ]
        child = Child(self._program("postgres", command))
        adopt(child)
        wait_until(self._answers, child=child, limit_s=_START_LIMIT_S, interrupted=interrupted)

    def create_database(self, name: str = DATABASE) -> None:
        """Create the database unless it is there."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
            if found.fetchone() is None:
                identifier = psycopg.sql.Identifier(name)
                connection.execute(psycopg.sql.SQL("CREATE DATABASE {}").format(identifier))

    def _answers(self) -> bool:
        """Whether the server that uses our data folder answers on our socket."""
        try:
            with psycopg.connect(self.url("postgres"), connect_timeout=2) as connection:
                row = connection.execute("SELECT current_setting('data_directory')").fetchone()
        except psycopg.OperationalError:
            return False
        return row is not None and Path(row[0]) == self.data

    def _program(self, name: str, command: list[str]) -> Program:
        return Program(
            name=name,
            command=command,
            log=self.log,
            environment={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"},
            # SIGTERM would wait for every client to leave by itself; SIGINT ends their sessions.
            stop_signal=signal.SIGINT,
            stop_s=30.0,
            uid=self.account.uid,
            gid=self.account.gid,
            keep_open=self.keep_open,
        )

    def _give(self, folder: Path) -> None:
        if self.account.uid is not None and self.account.gid is not None:
            os.chown(folder, self.account.uid, self.account.gid)

    def _check_major(self, version: Path) -> None:
        made_by = version.read_text(encoding="ascii").strip()
        if made_by != str(self.binaries.major):
            raise CannotRun(
                f"The data in {self.data} were made by PostgreSQL {made_by}; this is PostgreSQL"
                f" {self.binaries.major}, which cannot read them.\n"
                f"  Set PAIPU_POSTGRES_BIN to the programs of PostgreSQL {made_by}, or carry the"
                " data over with pg_dump,\n  or set PAIPU_DATA_DIR to a new folder."
            )
