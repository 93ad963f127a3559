"""Where commands read and write their lines, and how they show how far they are."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from django.core.management.base import CommandError, OutputWrapper
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


def write_lines(wrapper: OutputWrapper, lines: Iterable[bytes]) -> None:
    """Write lines to a command's output. A reader that has seen enough ends it without a word."""
    binary: BinaryIO | None = getattr(wrapper._out, "buffer", None)  # noqa: SLF001 -- bytes
    try:
        for line in lines:
            if binary is None:
                wrapper.write(line.decode(), ending="")
            else:
                binary.write(line)
        wrapper.flush()
    except BrokenPipeError:
        # What is still buffered goes nowhere, or the interpreter would complain at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """The file of this name for reading, or standard input for ``-``. Raises CommandError."""
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115 -- closed below, errors named here
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror}") from error
    with file:
        yield file


def progress() -> Progress:
    """How far a command is, on standard error where that is a terminal, for unknown lengths."""
    console = Console(stderr=True)
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=console,
        disable=not console.is_terminal,
    )


def bar() -> Progress:
    """How far a command is of what it has to do, on standard error where that is a terminal."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    )
