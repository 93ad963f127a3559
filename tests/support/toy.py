"""The throw-away sixth variant, installed like any package for as long as a test needs it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rules_engine import registry

FOLDER = Path(__file__).resolve().parents[1] / "rules_engine" / "toy"
"""Put it on ``PYTHONPATH`` for a process that is to know the toy."""


@contextmanager
def toy_installed() -> Iterator[None]:
    """The registry knows the ruleset ``toy`` while the block lasts."""
    sys.path.insert(0, str(FOLDER))
    registry.rulesets.cache_clear()
    try:
        yield
    finally:
        sys.path.remove(str(FOLDER))
        registry.rulesets.cache_clear()
