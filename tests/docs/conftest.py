"""A live server, and workers that settle what it records."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connections

from api.bulk import working
from records.journal import seal_pending
from records.settlement import settle_sealed
from replays.projections import advance_projections
from tests.support.databases import fresh_database
from tests.support.web import running_web


@pytest.fixture(scope="module")
def server(postgres_server: Any, django_db_blocker: Any) -> Iterator[str]:
    """The address of a live server whose hands are settled within moments."""
    with (
        django_db_blocker.unblock(),
        fresh_database(postgres_server) as database,
        running_web(database) as address,
    ):
        over = threading.Event()
        worker = threading.Thread(target=_work, args=(over,))
        worker.start()
        try:
            yield address
        finally:
            over.set()
            worker.join()


def _work(over: threading.Event) -> None:
    """What the workers do, until it is over."""
    try:
        while not over.wait(0.2):
            seal_pending()
            settle_sealed()
            advance_projections()
            working.work(budget_s=1)
    finally:
        connections.close_all()
