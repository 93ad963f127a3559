"""One foreground process over several children: signals, steps with their times, and the end."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from rich.console import Console
from rich.control import Control
from rich.segment import ControlType

from api.embedded.processes import POLL_S, Child

STOP_ORDER = ("web", "worker", "beat", "broker", "postgres")
"""Who asks stops before who answers, and the database last."""

_CLEAR_LINE = Control((ControlType.ERASE_IN_LINE, 2), ControlType.CARRIAGE_RETURN)
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequested(Exception):
    """Somebody pressed Ctrl-C or sent SIGTERM or SIGHUP."""


class Supervisor:
    """Keeps the children, tells what happens, and stops everything in order."""

    def __init__(self, console: Console) -> None:
        """Nothing runs yet."""
        self.console = console
        self._children: list[Child] = []
        self._stop = False
        self._step: tuple[str, float] | None = None

    @contextmanager
    def handling_signals(self) -> Iterator[None]:
        """Take note of signals while the block lasts, and stop all children at its end.

        A handler that only takes note cannot interrupt between the start of a child and its
        adoption. While stopping, further signals are noted and change nothing: a second Ctrl-C
        must not leave orphans.
        """
        before = {number: signal.signal(number, self._note) for number in _STOP_SIGNALS}
        try:
            yield
        finally:
            self._stop_all()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self._stop = True

    def adopt(self, child: Child) -> None:
        """Stop this child at the end."""
        self._children.append(child)

    def interrupted(self) -> None:
        """Raise StopRequested once a signal has come; show that a long step still goes on."""
        if self._stop:
            raise StopRequested
        if self._step is not None and self.console.is_terminal:
            told, since = self._step
            self.console.print(f"  … {told} {time.monotonic() - since:4.1f} s", end="\r")

    @contextmanager
    def step(self, told: str) -> Iterator[None]:
        """A step of the preparation: its name while it lasts, its time when it is done."""
        self.interrupted()
        since = time.monotonic()
        self._step = (told, since)
        try:
            yield
        finally:
            self._step = None
            if self.console.is_terminal:
                self.console.control(_CLEAR_LINE)
        self.console.print(f"  [green]✓[/] {told} [dim]{time.monotonic() - since:.1f} s[/]")

    def watch(self) -> None:
        """Wait for a signal. Raises CannotRun when a child ends by itself."""
        while True:
            self.interrupted()
            for child in self._children:
                child.must_run()
            time.sleep(POLL_S * 4)

    def _stop_all(self) -> None:
        if not self._children:
            return
        since = time.monotonic()
        self.console.print("\nStopping ", end="")
        for child in sorted(self._children, key=lambda c: STOP_ORDER.index(c.program.name)):
            self.console.print(f"{child.program.name} ", end="")
            child.stop()
        self._children.clear()
        self.console.print(f"[dim]{time.monotonic() - since:.1f} s[/]")
