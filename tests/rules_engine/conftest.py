"""Fixtures of the rules."""

from collections.abc import Iterator

import pytest

from rules_engine import registry
from rules_engine.ruleset import Ruleset
from tests.support.toy import toy_installed


@pytest.fixture
def toy() -> Iterator[Ruleset]:
    """The throw-away sixth variant, found through its entry point."""
    with toy_installed():
        yield registry.get("toy")
