"""Child processes that never outlive us and that stop in the order we choose."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from api.embedded.errors import CannotRun

POLL_S = 0.05
LOG_BYTES_MAX = 5_000_000
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


@dataclass(frozen=True)
class Program:
    """What to run. `stop_signal` asks it to stop; after `stop_s` seconds its group is killed.

    `uid` and `gid` are the account to run as, or None for our own. `keep_open` are descriptors that
    it inherits.
    """

    name: str
    command: Sequence[str]
    log: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: str = "/"
    stop_signal: signal.Signals = signal.SIGTERM
    stop_s: float = 15.0
    uid: int | None = None
    gid: int | None = None
    keep_open: tuple[int, ...] = ()


class Child:
    """A running program, in a session of its own."""

    def __init__(self, program: Program) -> None:
        """Start the program. Raises CannotRun when the system refuses to."""
        self.program = program
        _turn_over(program.log)
        another_account = program.uid is not None
        self._process: subprocess.Popen[bytes]
        try:
            with program.log.open("ab") as log:
                self._log_start = log.tell()
                self._process = subprocess.Popen(  # noqa: S603 - our own commands
                    list(program.command),
                    cwd=program.folder,
                    env=dict(program.environment),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    # Ctrl-C at the terminal reaches the whole foreground group. In sessions of
                    # their own the children do not get it, so the order of stopping stays ours.
                    start_new_session=True,
                    pass_fds=program.keep_open,
                    preexec_fn=_die_with_parent(program.stop_signal),  # noqa: PLW1509 - see there
                    user=program.uid,
                    group=program.gid,
                    extra_groups=[] if another_account else None,
                )
        except OSError as error:
            raise CannotRun(f"{program.name} cannot be started: {error}") from error

    @property
    def pid(self) -> int:
        """The process id, which is also the id of its group and session."""
        return self._process.pid

    def exit_code(self) -> int | None:
        """How it ended, or None while it runs."""
        return self._process.poll()

    def ask_to_stop(self) -> None:
        """Send the stop signal, once; harmless when it has already ended."""
        if self._process.poll() is None:
            self._process.send_signal(self.program.stop_signal)

    def stop(self) -> None:
        """Ask, wait at most `stop_s` seconds, then end whatever is left of its group."""
        self.ask_to_stop()
        try:
            self._process.wait(self.program.stop_s)
        except subprocess.TimeoutExpired:
            self._kill_group()
            self._process.wait()
        self._kill_group()

    def _kill_group(self) -> None:
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            return  # Nothing of the group is left.

    def last_words(self, lines: int = 12) -> str:
        """The last lines this run of it wrote, for a message about why it ended."""
        with self.program.log.open("rb") as log:
            log.seek(self._log_start)
            said = log.read().decode("utf-8", "replace").strip().splitlines()
        return "\n".join(f"  {line}" for line in said[-lines:]) or "  (it wrote nothing)"

    def must_run(self) -> None:
        """Raise CannotRun with its last words when it has ended."""
        code = self.exit_code()
        if code is not None:
            raise CannotRun(
                f"{self.program.name} ended by itself ({_how_it_ended(code)}):\n"
                f"{self.last_words()}\n  More in {self.program.log}"
            )


def wait_until(
    answers: Callable[[], bool],
    *,
    child: Child,
    limit_s: float,
    interrupted: Callable[[], None] = lambda: None,
) -> None:
    """Wait for `answers()`. Raises CannotRun when the child ends or the time is over.

    `interrupted` is called at each look and may raise, so that a signal ends the wait.
    """
    deadline = time.monotonic() + limit_s
    while not answers():
        interrupted()
        child.must_run()
        if time.monotonic() > deadline:
            raise CannotRun(
                f"{child.program.name} did not answer within {limit_s:.0f} s:\n{child.last_words()}"
            )
        time.sleep(POLL_S)


def run_to_end(program: Program, *, interrupted: Callable[[], None] = lambda: None) -> str:
    """Run a program that ends by itself; gives what it wrote. Raises CannotRun when it fails.

    When `interrupted` raises, the program is stopped before the exception goes on.
    """
    child = Child(program)
    try:
        while (code := child.exit_code()) is None:
            interrupted()
            time.sleep(POLL_S)
    finally:
        child.stop()
    if code != 0:
        raise CannotRun(f"{program.name} failed ({_how_it_ended(code)}):\n{child.last_words(25)}")
    return child.last_words(1000)


def _turn_over(log: Path) -> None:
    """Make room for the log, putting a big one aside (one old log is kept)."""
    log.parent.mkdir(parents=True, exist_ok=True)
    if log.exists() and log.stat().st_size > LOG_BYTES_MAX:
        log.replace(log.with_suffix(".old.log"))


def _how_it_ended(code: int) -> str:
    return f"exit {code}" if code >= 0 else signal.Signals(-code).name


def _die_with_parent(stop_signal: signal.Signals) -> Callable[[], None] | None:
    """What a child does before it becomes the program: ask to be stopped when we are killed.

    Linux only: elsewhere a SIGKILL of the supervisor leaves its children running. Python changes
    the user id before it calls this, and must, because changing it clears the setting. The setting
    belongs to the thread that starts the child, so children are started from the main thread.
    Everything is looked up beforehand: between fork and exec as little as possible may happen.
    """
    if _LIBC is None:
        return None
    prctl, parent, number = _LIBC.prctl, os.getpid(), int(stop_signal)

    def set_death_signal() -> None:
        prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0)
        if os.getppid() != parent:  # We were killed before the setting took hold.
            os._exit(1)

    return set_death_signal
