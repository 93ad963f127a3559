"""The data folder: what lies where in it, that it can be written, and that only one `up` uses it."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from api.embedded.errors import CannotRun

# A socket's address may have at most 107 bytes; PostgreSQL adds "/.s.PGSQL.5432" and ".lock".
_SOCKET_FOLDER_BYTES = 80


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
    def locked(self) -> Iterator[None]:
        """Hold the folder for ourselves. Raises CannotRun when another `up` holds it.

        The lock ends with the process, however it ends, so it never needs clearing.
        """
        with (self.run / "lock").open("a+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                lock.seek(0)
                holder = lock.read().strip() or "unknown"
                raise CannotRun(
                    f"paipu is already running on {self.root} (process {holder}).\n"
                    "  Stop it with Ctrl-C there, or set PAIPU_DATA_DIR to run a second one."
                ) from None
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            yield

    @contextmanager
    def sockets(self, name: str, *, uid: int | None = None, gid: int | None = None) -> Iterator[Path]:
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
