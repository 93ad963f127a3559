"""A recorded league to settle, and a crew of real workers to settle it."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.db import connections

from api.embedded.postgres import PostgresServer
from tests.chaos.workers import Crew, MortalBroker
from tests.support.databases import Database, fresh_database
from tests.support.league import Outcome, record_league, settle_in_peace
from tests.support.servers import running_broker, short_folder


@dataclass(frozen=True)
class Recorded:
    """A database with games nobody has settled yet, to be copied, and what they come to."""

    template: str
    peaceful: Outcome


@pytest.fixture(scope="session")
def recorded(postgres_server: PostgresServer, django_db_blocker: Any) -> Iterator[Recorded]:
    with django_db_blocker.unblock(), fresh_database(postgres_server) as source:
        record_league()
        connections.close_all()
        with fresh_database(postgres_server, template=source.name):
            peaceful = settle_in_peace()
        yield Recorded(template=source.name, peaceful=peaceful)


@pytest.fixture
def league(
    recorded: Recorded, postgres_server: PostgresServer, django_db_blocker: Any
) -> Iterator[Database]:
    """A copy of the recorded games for one test."""
    with (
        django_db_blocker.unblock(),
        fresh_database(postgres_server, template=recorded.template) as copy,
    ):
        yield copy


@pytest.fixture
def broker_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """A broker of our own, or the installed one whose fixture the test's parameter names."""
    service = getattr(request, "param", "embedded")
    if service == "embedded":
        with running_broker() as broker:
            yield broker.broker_url
    else:
        yield request.getfixturevalue(service)


@pytest.fixture
def crew(league: Database, broker_url: str, tmp_path: Path) -> Iterator[Crew]:
    yield from started_crew(league, broker_url, tmp_path)


@pytest.fixture
def mortal_broker() -> Iterator[MortalBroker]:
    """A broker that the test may kill."""
    with short_folder() as folder:
        broker = MortalBroker(folder)
        try:
            broker.start()
            yield broker
        finally:
            broker.stop()


@pytest.fixture
def crew_of_mortal_broker(
    league: Database, mortal_broker: MortalBroker, tmp_path: Path
) -> Iterator[Crew]:
    yield from started_crew(league, mortal_broker.server.broker_url, tmp_path)


def started_crew(database: Database, broker_url: str, folder: Path) -> Iterator[Crew]:
    crew = Crew(database=database, broker_url=broker_url, folder=folder)
    crew.forget_messages()
    try:
        yield crew
    finally:
        crew.stop()
        crew.forget_messages()
        sys.stdout.write(crew.logs())
