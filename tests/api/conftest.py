"""Fixtures of the API's tests: a club on a fresh database."""

from typing import Any

import pytest

from records.journal import seal_pending
from records.settlement import settle_sealed
from replays.projections import advance_projections
from tests.support.people import ClubHouse, Person


@pytest.fixture
def house(database: Any) -> ClubHouse:
    """A club with its owner and four players."""
    del database
    return ClubHouse()


@pytest.fixture
def stranger(database: Any) -> Person:
    """Somebody who is not signed in."""
    del database
    return Person()


@pytest.fixture
def settle() -> Any:
    """Do now what the workers do within seconds."""

    def work() -> None:
        seal_pending()
        settle_sealed()
        advance_projections()

    return work
