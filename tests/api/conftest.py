"""Fixtures of the API's tests: a club of their own on the database of their module."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from records.journal import seal_pending
from records.milestones import place_milestones
from records.settlement import settle_sealed
from replays.projections import advance_projections
from tests.support.databases import Database, fresh_database
from tests.support.everything import ClubOfEverything
from tests.support.people import ClubHouse, Person
from tests.support.receiver import Receiver, receiving
from tests.support.streams import Followers


@pytest.fixture(scope="module")
def api_database(postgres_server: Any, django_db_blocker: Any) -> Iterator[Database]:
    """One database for the tests of a module: what each writes is of a club of its own."""
    with django_db_blocker.unblock(), fresh_database(postgres_server) as fresh:
        yield fresh


@pytest.fixture
def house(api_database: Any, django_db_blocker: Any) -> Iterator[ClubHouse]:
    """A new club with its owner and four players."""
    del api_database
    with django_db_blocker.unblock():
        yield ClubHouse()


@pytest.fixture
def stranger(api_database: Any, django_db_blocker: Any) -> Iterator[Person]:
    """Somebody who is not signed in."""
    del api_database
    with django_db_blocker.unblock():
        yield Person()


@pytest.fixture(scope="session")
def settle() -> Any:
    """Do now what the workers do within seconds."""

    def work() -> None:
        seal_pending()
        settle_sealed()
        place_milestones()
        advance_projections()

    return work


@pytest.fixture
def followers(api_database: Any, settings: Any) -> Iterator[Followers]:
    """Streams, read in short turns and closed at the end."""
    del api_database
    settings.STREAM_TURN_MS = 10
    made = Followers()
    yield made
    made.close()


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """A receiver of webhooks on this machine, where the operator of the test lets them go."""
    settings.WEBHOOK_ALLOW = ["127.0.0.1"]
    with receiving() as started:
        yield started


@pytest.fixture(scope="module")
def club(
    api_database: Database, django_db_blocker: Any, settle: Callable[[], None]
) -> Iterator[ClubOfEverything]:
    """A club with one of everything, for the tests of a module that leave it as it was."""
    del api_database
    with django_db_blocker.unblock():
        yield ClubOfEverything(settle)
