"""The limit of requests, shared among processes."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from api import throttling
from api.throttling import Shares


@pytest.fixture(autouse=True)
def one_minute(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """A clock that stands still until the test moves it, and an empty cache."""
    cache.clear()
    now = [6_000.0]
    monkeypatch.setattr(throttling.time, "time", lambda: now[0])
    yield now
    cache.clear()


def test_processes_together_let_through_what_the_limit_says() -> None:
    processes = [Shares() for _ in range(4)]
    answers = [process.take("lin", 1_000) for _ in range(300) for process in processes]
    assert answers == [True] * 1_000 + [False] * 200


def test_what_one_process_has_not_used_is_all_that_can_be_missing() -> None:
    busy, idle = Shares(), Shares()
    assert idle.take("lin", 1_000)
    assert sum(busy.take("lin", 1_000) for _ in range(1_200)) == 990
    assert sum(idle.take("lin", 1_000) for _ in range(100)) == 9


def test_the_next_minute_begins_with_the_whole_limit(one_minute: list[float]) -> None:
    process = Shares()
    assert sum(process.take("lin", 250) for _ in range(300)) == 250
    one_minute[0] += throttling.WINDOW_S
    assert sum(process.take("lin", 250) for _ in range(300)) == 250


def test_each_caller_has_a_limit_of_its_own() -> None:
    process = Shares()
    assert [process.take(caller, 1) for caller in ("lin", "mei", "lin")] == [True, True, False]


def test_a_cache_that_has_lost_the_count_refuses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttling.cache, "add", lambda *_, **__: True)
    assert Shares().take("lin", 5)
