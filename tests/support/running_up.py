"""A real `manage.py up` in a process of its own, as somebody at a terminal has it."""

import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
LIMIT_S = 240.0


def environment(data: Path, **variables: str) -> dict[str, str]:
    """The environment of a shell in which only these variables of ours are set."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PAIPU_")}
    return {**kept, "PAIPU_DATA_DIR": str(data), "PYTHONUNBUFFERED": "1", **variables}


def manage(data: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run one command to its end, as in a second shell."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=PROJECT,
        env=environment(data, **variables),
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


class RunningUp:
    """One run of `manage.py up`, in a session of its own like a terminal's foreground job."""

    def __init__(self, data: Path, *, output: Path, variables: Mapping[str, str]) -> None:
        self.data = data
        self._output = output
        command = [sys.executable, "manage.py", "up", "--port", "0", "--workers", "1", "--no-demo"]
        with output.open("w") as stream:
            self.process = subprocess.Popen(
                command,
                cwd=PROJECT,
                env=environment(data, **variables),
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def output(self) -> str:
        return self._output.read_text()

    @property
    def address(self) -> str:
        """Where it says it listens, once it has said so."""
        deadline = time.monotonic() + LIMIT_S
        while not (said := re.search(r"running at (http://\S+?)/\s", self.output)):
            assert self.process.poll() is None, self.output
            assert time.monotonic() < deadline, self.output
            time.sleep(0.1)
        return said.group(1)

    def get(self, path: str) -> dict[str, object]:
        with urllib.request.urlopen(self.address + path, timeout=10) as answer:
            found: dict[str, object] = json.load(answer)
        return found

    def page(self, path: str) -> str:
        with urllib.request.urlopen(self.address + path, timeout=10) as answer:
            text: str = answer.read().decode()
        return text

    def send(self, number: signal.Signals, *, to_group: bool = False) -> None:
        if to_group:
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)

    def wait(self) -> int:
        return self.process.wait(LIMIT_S)


def children_left(data: Path, *, within_s: float = 0.0) -> bool:
    """Whether any process that `up` started on this folder is still there after that time.

    Every one of them holds the folder's lock, so the folder can be locked only when all are gone.
    """
    deadline = time.monotonic() + within_s
    with (data / "run" / "lock").open("a") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                if time.monotonic() >= deadline:
                    return True
                time.sleep(0.1)
            else:
                return False


@contextmanager
def running_up(data: Path, **variables: str) -> Iterator[RunningUp]:
    """Start `up` and stop it at the end, however the test ends."""
    output = data.with_name(f"{data.name}-{time.monotonic_ns()}.out")
    output.parent.mkdir(parents=True, exist_ok=True)
    up = RunningUp(data, output=output, variables=variables)
    try:
        yield up
    finally:
        if up.process.poll() is None:
            up.send(signal.SIGTERM)
            up.wait()
