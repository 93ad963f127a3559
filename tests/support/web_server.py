"""The web server of `manage.py up` on a test's database, without the rest of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from api.embedded.processes import Child, Program, wait_until
from api.embedded.supervisor import Supervisor
from api.embedded.up import Up, UpOptions
from api.embedded.web import free_address, is_ours, shown
from tests.support.servers import short_folder
from tests.support.source import PROJECT


@contextmanager
def web_server(
    database_url: str, *, processes: int = 1, **variables: str
) -> Iterator[tuple[str, Child]]:
    """The running server: its address, and gunicorn's first process."""
    with short_folder() as folder:
        host, port = free_address("127.0.0.1", 0)
        up = Up(_options(folder, port, processes), Supervisor(Console(stderr=True)))
        environment = {
            **os.environ,
            **up._web_variables(),
            "PAIPU_DATA_DIR": str(folder),
            "PAIPU_DATABASE_URL": database_url,
            "PYTHONUNBUFFERED": "1",
            **variables,
        }
        web = Child(
            Program(
                name="web",
                command=[sys.executable, "-m", *up._web_command(f"{host}:{port}")],
                log=folder / "web.log",
                environment=environment,
                folder=str(PROJECT),
            )
        )
        try:
            address, instance = shown(host, port), environment["PAIPU_INSTANCE"]
            wait_until(lambda: is_ours(address, instance), child=web, limit_s=60)
            yield address, web
        finally:
            web.stop()


def _options(folder: Path, port: int, processes: int) -> UpOptions:
    return UpOptions(
        project=PROJECT,
        data=folder,
        host="127.0.0.1",
        port=port,
        workers=processes,
        demo=False,
        database_url="",
        broker_url="",
    )
