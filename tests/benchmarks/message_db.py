"""message-db, a peer: its SQL is fetched from npm when the benchmark runs, and never shipped."""

from __future__ import annotations

import shutil
import subprocess
import tarfile

import psycopg

from tests.benchmarks.stage import Stage
from tests.support.source import PROJECT

PACKAGE = "@eventide/message-db@1.3.1"
CACHE = PROJECT / ".benchmarks"
"""Ignored by git."""

# Without the extension pgcrypto, which the embedded server does not have and from which, since
# PostgreSQL 13 has gen_random_uuid itself, it uses nothing.
_FILES = (
    "roles/message-store",
    "schema/message-store",
    "tables/messages",
    "types/message",
    *(
        f"functions/{name}"
        for name in (
            *("message-store-version", "hash-64", "acquire-lock", "category", "is-category", "id"),
            *("cardinal-id", "stream-version", "write-message"),
        )
    ),
    *(f"indexes/messages-{name}" for name in ("id", "stream", "category")),
)


def install(stage: Stage) -> str | None:
    """Create it in the database; gives the reason where it cannot be."""
    npm = shutil.which("npm")
    CACHE.mkdir(exist_ok=True)
    if not list(CACHE.glob("*.tgz")):
        if npm is None:
            return "npm is not installed, which is where its SQL comes from"
        done = subprocess.run(
            [npm, "pack", PACKAGE], cwd=CACHE, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            return f"npm pack {PACKAGE} failed: {done.stderr.strip()[-200:]}"
    with (
        tarfile.open(next(CACHE.glob("*.tgz"))) as package,
        psycopg.connect(
            stage.url, autocommit=True, options="-c search_path=message_store,public"
        ) as connection,
    ):
        for name in _FILES:
            source = package.extractfile(f"package/database/{name}.sql")
            assert source is not None
            connection.execute(_without_concurrently(source.read()))
    return None


def _without_concurrently(sql: bytes) -> bytes:
    """An index may not be built concurrently in the implicit transaction of several statements."""
    return sql.replace(b" CONCURRENTLY", b"")
