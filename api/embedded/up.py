"""`manage.py up`: everything paipu needs, in one foreground process. Read `Up.run` first."""

import os
import secrets
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from celery import Celery
from kombu import Connection
from kombu.exceptions import KombuError

from api.embedded.account import choose_account
from api.embedded.binaries import find_broker, find_postgres
from api.embedded.broker import BrokerServer
from api.embedded.environment import remove_running, write_running
from api.embedded.errors import CannotRun
from api.embedded.folders import DataFolder
from api.embedded.postgres import PostgresServer
from api.embedded.processes import Child, Program, run_to_end, wait_until
from api.embedded.roles import create_roles, ensure_roles
from api.embedded.secrets import load_or_make_secrets
from api.embedded.supervisor import Supervisor
from api.embedded.web import free_address, is_ours, shown

_THREADS = 4  # per web process
_CELERY_OPTIONS = ("--loglevel", "INFO", "--without-mingle")


@dataclass(frozen=True)
class UpOptions:
    """What a person may choose. `workers` counts web processes.

    `database_url` and `broker_url` name services of somebody else's, or are empty for our own.
    """

    project: Path
    data: Path
    host: str
    port: int
    workers: int
    demo: bool
    database_url: str
    broker_url: str


class Up:
    """One run of everything, from the first check to the end of the last child."""

    def __init__(self, options: UpOptions, supervisor: Supervisor) -> None:
        """Nothing is started or made yet."""
        self._options = options
        self._supervisor = supervisor
        self._exits = ExitStack()
        self._instance = secrets.token_hex(8)
        self._lock = -1
        # What every process of ours, and every command in a second shell, gets as environment.
        self._variables = {"PAIPU_DATA_DIR": str(options.data)}

    def run(self) -> None:
        """Prepare, start, tell the address, wait. Raises CannotRun, or StopRequested when asked.

        What is left at the end is undone in the reverse order: the addresses are forgotten, the
        children stop, their socket folders go, and the data folder is free again.
        """
        with self._exits:
            folder = DataFolder(self._options.data)
            self._lock = self._exits.enter_context(folder.locked())
            host, port = free_address(self._options.host, self._options.port)
            self._supervisor.console.print(f"paipu, data in {folder.root}", soft_wrap=True)
            self._variables |= load_or_make_secrets(folder.root)
            sockets = self._exits.enter_context(ExitStack())
            self._exits.enter_context(self._supervisor.handling_signals())
            self._start_database(folder, sockets)
            self._start_broker(folder, sockets)
            said = self._prepare(folder)
            self._start_processes(folder, host, port)
            write_running(folder.root, self._variables)
            self._exits.callback(remove_running, folder.root)
            self._greet(shown(host, port), said)
            self._supervisor.watch()

    def _start_database(self, folder: DataFolder, sockets: ExitStack) -> None:
        given = self._options.database_url
        if given:
            with self._supervisor.step("The database of PAIPU_DATABASE_URL"):
                ensure_roles(given)
            self._variables["PAIPU_DATABASE_URL"] = given
            return
        binaries = find_postgres()
        account = choose_account(programs=binaries.folder, data=folder.postgres)
        server = PostgresServer(
            binaries=binaries,
            account=account,
            data=folder.postgres,
            sockets=sockets.enter_context(
                folder.sockets("postgres", uid=account.uid, gid=account.gid)
            ),
            log=folder.log / "postgres.log",
            keep_open=(self._lock,),
        )
        with self._supervisor.step(f"PostgreSQL {binaries.major}, running {account.told}"):
            server.initialise(interrupted=self._supervisor.interrupted)
            server.start(interrupted=self._supervisor.interrupted, adopt=self._supervisor.adopt)
            server.create_database()
            create_roles(server.url())
        self._variables["PAIPU_DATABASE_URL"] = server.url()

    def _start_broker(self, folder: DataFolder, sockets: ExitStack) -> None:
        given = self._options.broker_url
        if given:
            with self._supervisor.step("The broker of PAIPU_BROKER_URL"):
                check_broker(given)
            self._variables["PAIPU_BROKER_URL"] = given
            return
        broker = BrokerServer(
            program=find_broker(),
            data=folder.broker,
            sockets=sockets.enter_context(folder.sockets("broker")),
            log=folder.log / "broker.log",
            keep_open=(self._lock,),
        )
        with self._supervisor.step("Broker"):
            broker.start(interrupted=self._supervisor.interrupted, adopt=self._supervisor.adopt)
        self._variables["PAIPU_BROKER_URL"] = broker.broker_url
        self._variables["PAIPU_CACHE_URL"] = broker.cache_url

    def _prepare(self, folder: DataFolder) -> str:
        """Bring the tables up to date and make the demonstration; gives what the latter said."""
        with self._supervisor.step("Tables"):
            self._manage(folder, "migrate", "--verbosity", "0")
        if not self._options.demo:
            return ""
        try:
            with self._supervisor.step("Demonstration club"):
                return self._manage(folder, "demo")
        except CannotRun as error:
            # The club is there to look at; whatever is wrong with it, the service can be used.
            return f"There is no demonstration club: {error}"

    def _start_processes(self, folder: DataFolder, host: str, port: int) -> None:
        bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        web = self._start(folder, "web", self._web_command(bind), self._web_variables())
        node = f"paipu-{self._instance}@{socket.gethostname()}"
        celery = ["celery", "--app", "api", "--workdir", str(self._options.project)]
        worker = self._start(
            folder,
            "worker",
            [*celery, "worker", "--concurrency", "2", "--hostname", node, *_CELERY_OPTIONS],
        )
        # The schedule is a table in the code, so what beat remembers between runs is of no use.
        schedule = folder.run / "beat-schedule"
        for remembered in folder.run.glob(f"{schedule.name}*"):
            remembered.unlink()
        self._start(
            folder,
            "beat",
            [*celery, "beat", "--loglevel", "INFO", "--schedule", str(schedule), "--pidfile="],
        )
        with self._supervisor.step("Web server"):
            address = shown(host, port)
            self._wait(web, lambda: is_ours(address, self._instance))
        with self._supervisor.step("Worker"):
            client = Celery(
                "paipu", broker=self._variables["PAIPU_BROKER_URL"], set_as_current=False
            )
            self._wait(worker, lambda: bool(client.control.ping([node], timeout=0.5)))
            client.close()

    def _web_command(self, bind: str) -> list[str]:
        return [
            *("gunicorn", "api.wsgi", "--chdir", str(self._options.project)),
            *("--bind", bind),
            *("--workers", str(self._options.workers)),
            *("--worker-class", "api.live.worker.Worker", "--threads", str(_THREADS)),
            *("--graceful-timeout", "10"),
            "--preload",
            *("--access-logfile", "-"),
            # By default its socket lies in the home folder, and two servers would share it.
            "--no-control-socket",
        ]

    def _web_variables(self) -> dict[str, str]:
        # Each thread takes one connection of a kind at most, and the reader of the streams one.
        return {"PAIPU_INSTANCE": self._instance, "PAIPU_DATABASE_POOL_MAX": str(_THREADS + 1)}

    def _start(
        self,
        folder: DataFolder,
        name: str,
        module: list[str],
        variables: Mapping[str, str] | None = None,
    ) -> Child:
        child = Child(self._program(folder, name, ["-m", *module], variables or {}))
        self._supervisor.adopt(child)
        return child

    def _manage(self, folder: DataFolder, command: str, *arguments: str) -> str:
        """Run one of manage.py's commands to its end; gives what it wrote."""
        program = self._program(folder, command, ["manage.py", command, *arguments], {})
        return run_to_end(program, interrupted=self._supervisor.interrupted)

    def _program(
        self, folder: DataFolder, name: str, arguments: list[str], variables: Mapping[str, str]
    ) -> Program:
        return Program(
            name=name,
            command=[sys.executable, *arguments],
            log=folder.log / f"{name}.log",
            environment={
                **os.environ,
                **self._variables,
                **variables,
                "PYTHONUNBUFFERED": "1",
            },
            folder=str(self._options.project),
            stop_s=30.0,
            keep_open=(self._lock,),
        )

    def _wait(self, child: Child, answers: Callable[[], bool]) -> None:
        wait_until(answers, child=child, limit_s=120.0, interrupted=self._supervisor.interrupted)

    def _greet(self, address: str, said: str) -> None:
        say = self._supervisor.console.print
        if said:
            say(f"\n{said}", markup=False, highlight=False, soft_wrap=True)
        say(f"\npaipu is running at [bold]{address}/[/]", soft_wrap=True)
        say(
            f"  API    {address}/api/v1/docs/\n  logs   {self._options.data / 'log'}",
            soft_wrap=True,
        )
        say("  Ctrl-C stops it. Commands in a second shell find it by themselves.")


def check_broker(url: str) -> None:
    """Raise CannotRun when no broker answers at the address."""
    try:
        with Connection(url, connect_timeout=5) as connection:
            connection.ensure_connection(max_retries=1, interval_start=1, timeout=8)
    except (KombuError, OSError, ValueError, KeyError) as error:
        raise CannotRun(
            f"The broker of PAIPU_BROKER_URL does not answer: {error}\n"
            "  Start it, or unset the variable to use the embedded one."
        ) from error
