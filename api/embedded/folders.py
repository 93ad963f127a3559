"""The data folder: what lies where, that it can be written, and that only one `up` uses it."""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from api.embedded.errors import CannotRun

# A socket's address may have at most 107 bytes; PostgreSQL adds "/.s.PGSQL.5432" and ".lock".
_SOCKET_FOLDER_BYTES = 80
_LEFTOVERS_S = 15.0


class DataFolder:
    """The folder of one installation, `var` unless PAIPU_DATA_DIR says otherwise."""

    def __init__(self, root: Path) -> None:
        """Make the folder. Raises CannotRun when it cannot be made or written."""
        self.root = root
        self.postgres = root / "postgres"
        self.broker = root / "broker"
        self.log = root / "log"
        self.run = root / "run"
        try:
            for folder in (root, self.log, self.run, self.broker):
                folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=root):
                pass
        except OSError as error:
            raise CannotRun(
                f"The data folder {root} cannot be written ({error.strerror}).\n"
                "  Give it to the account you run as, or set PAIPU_DATA_DIR to another folder."
            ) from error

    @contextmanager
    def locked(self) -> Iterator[int]:
        """Hold the folder for ourselves; gives the descriptor of the lock.

        Every child inherits the descriptor, and with it the lock: the folder is free only when all
        of them are gone, also when we were killed. Raises CannotRun when it is held by others.
        """
        with (self.run / "lock").open("a+") as lock:
            self._take(lock)
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            yield lock.fileno()

    def _take(self, lock: TextIO) -> None:
        """Take the lock, waiting a little for what a killed `up` left behind to finish stopping."""
        deadline = time.monotonic() + _LEFTOVERS_S
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                lock.seek(0)
                holder = lock.read().strip()
                if _is_alive(holder):
                    raise CannotRun(
                        f"paipu is already running on {self.root} (process {holder}).\n"
                        "  Stop it with Ctrl-C there, or set PAIPU_DATA_DIR to run a second one."
                    ) from None
                if time.monotonic() > deadline:
                    raise CannotRun(
                        f"Processes that an earlier run ({holder or 'unknown'}) started still use"
                        f" {self.root}.\n  End them, or set PAIPU_DATA_DIR to another folder."
                    ) from None
                time.sleep(0.1)
            else:
                return

    @contextmanager
    def sockets(
        self, name: str, *, uid: int | None = None, gid: int | None = None
    ) -> Iterator[Path]:
        """A folder for sockets that only its owner may enter, with a path short enough for one.

        It lies in the data folder where that is short enough, else in the system's temporary
        folder under a new name, and goes away afterwards.
        """
        folder = self.run / name
        if len(os.fsencode(folder)) > _SOCKET_FOLDER_BYTES:
            folder = Path(tempfile.mkdtemp(prefix="paipu-"))
        else:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(mode=0o700)
        try:
            if uid is not None and gid is not None:
                os.chown(folder, uid, gid)
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _is_alive(holder: str) -> bool:
    """Whether the process whose number the lock file holds still exists."""
    try:
        os.kill(int(holder), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True
