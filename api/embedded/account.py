"""Which account PostgreSQL runs as. It refuses to run as root, so for root another must be found.

Nobody else's files are changed for it: no account is made and no folder above ours is opened up.
"""

import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from api.embedded.errors import CannotRun

_ACCOUNTS = ("postgres", "nobody")


@dataclass(frozen=True)
class Account:
    """How to run a program that must not be root's.

    `uid` and `gid` are None when it runs as ourselves. `prefix` goes before its command line.
    `told` is a phrase for a person.
    """

    told: str
    uid: int | None = None
    gid: int | None = None
    prefix: Sequence[str] = ()


def choose_account(*, programs: Path, data: Path) -> Account:
    """The account for the server whose programs are in `programs` and whose files are in `data`.

    An ordinary user runs it as themselves. For root: whoever owns the data already, else the
    account `postgres` or `nobody` if it can reach both folders, else root's own files seen from
    within a user namespace, where the server is not root. Raises CannotRun when none will do.
    """
    owner = data.stat().st_uid if data.exists() else None
    if os.geteuid() != 0:
        if owner not in (None, os.geteuid()):
            raise CannotRun(
                f"The data in {data} belong to the account {_name(owner)}: run as that account, or"
                " set PAIPU_DATA_DIR to another folder."
            )
        return Account(told="as you")
    if owner is None:
        return _first_that_can_reach(programs, data.parent) or _namespace()
    if owner == 0:
        return _namespace()
    entry = _entry(owner)
    if not _can_reach(entry, programs, data.parent):
        raise CannotRun(
            f"The data in {data} belong to the account {entry.pw_name}, which can no longer reach"
            f" them or {programs}. Move the project, or set PAIPU_DATA_DIR to another folder."
        )
    return Account(told=f"as {entry.pw_name}", uid=entry.pw_uid, gid=entry.pw_gid)


def _first_that_can_reach(programs: Path, folder: Path) -> Account | None:
    for name in _ACCOUNTS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        if _can_reach(entry, programs, folder):
            return Account(told=f"as {name}", uid=entry.pw_uid, gid=entry.pw_gid)
    return None


def _namespace() -> Account:
    """Root's files, but not root within: for a project below a folder that only root may enter."""
    entry = pwd.getpwnam("nobody")
    unshare = shutil.which("unshare")
    if unshare is not None:
        prefix = (unshare, "--user", f"--map-user={entry.pw_uid}", f"--map-group={entry.pw_gid}")
        probe = subprocess.run([*prefix, "true"], capture_output=True, check=False)  # noqa: S603
        if probe.returncode == 0:
            return Account(told="in a user namespace", prefix=prefix)
    raise CannotRun(
        "PostgreSQL refuses to run as root, no other account can reach this folder, and this"
        " system\n  forbids user namespaces. Run as an ordinary user, move the project to a folder"
        " that others\n  may enter, or set PAIPU_DATABASE_URL to a running PostgreSQL."
    )


def _can_reach(entry: pwd.struct_passwd, programs: Path, folder: Path) -> bool:
    """Whether the account may run the programs and enter the folder, asked of the system itself."""
    test = shutil.which("test") or "/usr/bin/test"
    return all(
        subprocess.run(  # noqa: S603
            [test, "-x", str(path)],
            user=entry.pw_uid,
            group=entry.pw_gid,
            extra_groups=[],
            cwd="/",
            check=False,
        ).returncode
        == 0
        for path in (programs / "postgres", folder)
    )


def _entry(uid: int) -> pwd.struct_passwd:
    try:
        return pwd.getpwuid(uid)
    except KeyError:
        raise CannotRun(
            f"The data belong to the number {uid}, which is no account of this system any more."
            " Give them to one with `chown -R`, or set PAIPU_DATA_DIR to another folder."
        ) from None


def _name(uid: int | None) -> str:
    try:
        return pwd.getpwuid(uid or 0).pw_name
    except KeyError:
        return str(uid)
