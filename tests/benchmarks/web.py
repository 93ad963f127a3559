"""The web server as `manage.py up` starts it, with the benchmark's addresses."""

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
from tests.benchmarks.stage import Stage
from tests.support.servers import running_broker, short_folder
from tests.support.source import PROJECT


@contextmanager
def serving(stage: Stage) -> Iterator[str]:
    """The server with its broker; gives its address."""
    with short_folder() as folder, running_broker() as broker:
        host, port = free_address("127.0.0.1", 0)
        up = Up(_options(folder, port), Supervisor(Console(stderr=True)))
        variables = {
            **up._web_variables(),
            "DJANGO_SETTINGS_MODULE": "tests.benchmarks.site_settings",
            "PAIPU_DATA_DIR": str(folder),
            "PAIPU_DATABASE_URL": stage.url,
            "PAIPU_BROKER_URL": broker.broker_url,
            "PAIPU_CACHE_URL": broker.cache_url,
            # The limit is counted for each request, but must not end the run.
            "PAIPU_ACCOUNT_REQUESTS_PER_MINUTE": "100000000",
            "PAIPU_TOKEN_REQUESTS_PER_MINUTE": "100000000",
        }
        web = Child(
            Program(
                name="web",
                command=[sys.executable, "-m", *up._web_command(f"{host}:{port}")],
                log=folder / "web.log",
                environment={**os.environ, **variables, "PYTHONUNBUFFERED": "1"},
                folder=str(PROJECT),
            )
        )
        try:
            instance = variables["PAIPU_INSTANCE"]
            wait_until(lambda: is_ours(shown(host, port), instance), child=web, limit_s=60)
            yield shown(host, port)
        finally:
            web.stop()


def _options(folder: Path, port: int) -> UpOptions:
    return UpOptions(
        project=PROJECT,
        data=folder,
        host="127.0.0.1",
        port=port,
        workers=2,
        demo=False,
        database_url="",
        broker_url="",
    )
