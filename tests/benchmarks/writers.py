"""Python processes that all write at once, each in its own way on its own connection.

They are forked before anything is connected, wait for orders on a pipe, and keep what they have
prepared from run to run, so that a run holds nothing but the writing.
"""

from __future__ import annotations

import multiprocessing
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Protocol

HEAD_START_S = 0.1
"""Between the order and the moment all begin."""


class Writer(Protocol):
    """One way to write. Made in the process that uses it."""

    def __init__(self, url: str, number: int) -> None:
        """`url` is the address of the database or server; `number` tells the process."""

    def prepare(self, seconds: float) -> None:
        """Make ready for a run of this length; not measured."""

    def write(self) -> None:
        """Write one event."""


class Crew:
    """The processes."""

    def __init__(self, workers: list[tuple[BaseProcess, Connection]]) -> None:
        self._workers = workers

    def run(self, kind: type[Writer], url: str, *, count: int, seconds: float) -> float:
        """Writes per second of `count` processes together."""
        pipes = [pipe for _, pipe in self._workers[:count]]
        for pipe in pipes:
            pipe.send((kind, url, seconds))
        for pipe in pipes:
            _answer(pipe)
        start = time.monotonic() + HEAD_START_S
        for pipe in pipes:
            pipe.send(start)
        return sum(_answer(pipe) for pipe in pipes)

    def stop(self) -> None:
        """Let them go home."""
        for process, pipe in self._workers:
            pipe.close()
            process.join(10)


def _answer(pipe: Connection) -> float:
    answer = pipe.recv()
    if not isinstance(answer, float):
        raise RuntimeError(f"a writer failed:\n{answer}")  # noqa: TRY004 -- it is no wrong type
    return answer


@contextmanager
def crew(count: int) -> Iterator[Crew]:
    """So many processes. Nothing may be connected yet, and no thread may run."""
    context = multiprocessing.get_context("fork")
    workers: list[tuple[BaseProcess, Connection]] = []
    for number in range(count):
        ours, theirs = context.Pipe()
        inherited = [pipe for _, pipe in workers] + [ours]
        process = context.Process(target=_work, args=(theirs, inherited, number), daemon=True)
        process.start()
        theirs.close()
        workers.append((process, ours))
    made = Crew(workers)
    try:
        yield made
    finally:
        made.stop()


def _work(pipe: Connection, inherited: list[Connection], number: int) -> None:
    """The life of one process: orders until the pipe is closed."""
    for other in inherited:
        # Otherwise the ends we inherit would keep each other's pipes open for ever.
        other.close()
    writers: dict[type[Writer], Writer] = {}
    while True:
        try:
            kind, url, seconds = pipe.recv()
        except (EOFError, ConnectionResetError):
            return
        try:
            writer = writers.get(kind) or writers.setdefault(kind, kind(url, number))
            writer.prepare(seconds)
            pipe.send(0.0)
            pipe.send(_run(writer, start=pipe.recv(), seconds=seconds))
        except Exception:  # noqa: BLE001 -- whatever it was, it is for the process that asked
            pipe.send(traceback.format_exc())


def _run(writer: Writer, *, start: float, seconds: float) -> float:
    """Writes per second from the common start, for this long."""
    time.sleep(max(0.0, start - time.monotonic()))
    begun, done = time.monotonic(), 0
    while True:
        writer.write()
        done += 1
        spent = time.monotonic() - begun
        if spent >= seconds:
            return done / spent
