"""Calls made at the same time, each on a database connection of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connections

from tests.support.databases import Database


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """What each call answered, or the exception that it raised."""
    ready = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            ready.wait()
            return call()
        except Exception as error:  # noqa: BLE001 - what came of it is the answer
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def wait_until_blocked(database: Database, kind: str = "advisory") -> None:
    """Until a session waits for a lock of this kind that another one holds."""
    query = "SELECT count(*) FROM pg_locks WHERE locktype = %s AND NOT granted"
    deadline = time.monotonic() + 20
    with database.connect(autocommit=True) as connection:
        while time.monotonic() < deadline:
            (waiting,) = connection.execute(query, [kind]).fetchone() or (0,)
            if waiting:
                return
            time.sleep(0.01)
    raise AssertionError(f"nobody waits for a lock of kind {kind}")
