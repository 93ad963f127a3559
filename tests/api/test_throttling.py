"""The limit of requests, shared among processes."""

import re
import socket
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache

from api import throttling
from api.throttling import Policy, Shares
from records.models import Role
from tests.support.people import ClubHouse, Person
from tests.support.problems import refused


@pytest.fixture(autouse=True)
def one_minute(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """A clock that stands still until the test moves it, and nothing counted yet."""
    cache.clear()
    throttling.shares.cache_clear()
    now = [6_000.0]
    monkeypatch.setattr(throttling.time, "time", lambda: now[0])
    yield now
    cache.clear()
    throttling.shares.cache_clear()


def of(whose: str, limit: int) -> Policy:
    """A limit of one account's."""
    return Policy("account", whose, limit)


def test_processes_together_let_through_what_the_limit_says() -> None:
    processes = [Shares() for _ in range(4)]
    lin = of("lin", 1_000)
    answers = [process.take(lin) is not None for _ in range(300) for process in processes]
    assert answers == [True] * 1_000 + [False] * 200


def test_what_one_process_has_not_used_is_all_that_can_be_missing() -> None:
    busy, idle, lin = Shares(), Shares(), of("lin", 1_000)
    assert idle.take(lin) == 999
    assert sum(busy.take(lin) is not None for _ in range(1_200)) == 990
    assert sum(idle.take(lin) is not None for _ in range(100)) == 9


def test_what_is_left_is_known_to_the_next_request() -> None:
    process, lin = Shares(), of("lin", 250)
    assert [process.take(lin) for _ in range(251)] == [*range(249, -1, -1), None]


def test_the_next_minute_begins_with_the_whole_limit(one_minute: list[float]) -> None:
    process, lin = Shares(), of("lin", 250)
    assert sum(process.take(lin) is not None for _ in range(300)) == 250
    one_minute[0] += throttling.WINDOW_S
    assert sum(process.take(lin) is not None for _ in range(300)) == 250


def test_each_caller_has_a_limit_of_its_own() -> None:
    process = Shares()
    assert [process.take(of(whose, 1)) for whose in ("lin", "mei", "lin")] == [0, 0, None]


def test_a_cache_that_has_lost_the_count_refuses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttling.cache, "add", lambda *_, **__: True)
    assert Shares().take(of("lin", 5)) is not None


def test_requests_go_through_and_the_log_says_so_while_the_cache_is_down(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
        settings.CACHES = {
            "default": {
                "BACKEND": "django.core.cache.backends.redis.RedisCache",
                "LOCATION": f"redis://127.0.0.1:{port}",
            }
        }
        process = Shares()
        assert all(process.take(of("lin", 5)) is not None for _ in range(50))
    assert caplog.text.count("limits are not kept") == 1


def policies(answer: Any) -> list[str]:
    """The names of the limits that an answer tells of, each with its quota and what is left."""
    told = zip(answer["RateLimit-Policy"].split(", "), answer["RateLimit"].split(", "), strict=True)
    found = []
    for policy, standing in told:
        limit = re.fullmatch(r'"(\w+)";q=(\d+);w=60', policy)
        left = re.fullmatch(r'"(\w+)";r=(\d+);t=\d+', standing)
        assert limit is not None
        assert left is not None
        assert limit[1] == left[1]
        found.append(f"{limit[1]} {int(left[2])}/{limit[2]}")
    return found


def test_every_answer_says_what_limits_leave(
    house: ClubHouse, stranger: Person, settings: Any
) -> None:
    settings.TOKEN_REQUESTS_PER_MINUTE = 50
    settings.ACCOUNT_REQUESTS_PER_MINUTE = 100
    settings.ADDRESS_REQUESTS_PER_MINUTE = 5
    assert policies(house.owner.get("me")) == ["token 49/50", "account 99/100"]
    assert policies(house.owner.get(f"games/{uuid4()}")) == ["token 48/50", "account 98/100"]
    assert policies(stranger.get("rulesets")) == ["address 4/5"]
    assert policies(stranger.get("me")) == ["address 3/5"]


def test_a_limit_of_nought_is_none_and_is_not_told_of(house: ClubHouse, settings: Any) -> None:
    settings.TOKEN_REQUESTS_PER_MINUTE = settings.ACCOUNT_REQUESTS_PER_MINUTE = 0
    answer = house.owner.get("me")
    assert answer.status_code == 200
    assert "RateLimit" not in answer


def test_a_token_is_limited_apart_from_the_others_of_its_account(
    house: ClubHouse, settings: Any
) -> None:
    settings.TOKEN_REQUESTS_PER_MINUTE = 2
    assert [house.owner.get("me").status_code for _ in range(3)] == [200, 200, 429]
    answer = house.owner.get("me")
    assert refused(answer, 429, "too_many_requests") == {"policy": "token", "limit": 2}
    assert answer["Retry-After"] == "60"
    assert policies(answer) == ["token 0/2"]
    assert Person(house.owner.account).get("me").status_code == 200


def test_an_account_is_limited_with_all_its_tokens_together(
    house: ClubHouse, settings: Any
) -> None:
    settings.ACCOUNT_REQUESTS_PER_MINUTE = 3
    signs_in_again = Person(house.owner.account)
    assert [person.get("me").status_code for person in (house.owner, signs_in_again) * 2] == [
        *[200] * 3,
        429,
    ]


def test_the_tokens_of_a_club_count_by_the_club_together(house: ClubHouse, settings: Any) -> None:
    settings.ACCOUNT_REQUESTS_PER_MINUTE = 3
    machines = [house.machine(Role.VIEWER, "games:read") for _ in range(2)]
    answers = [machine.get("games") for machine in machines * 2]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert refused(answers[-1], 429, "too_many_requests") == {"policy": "club", "limit": 3}


def test_who_guesses_tokens_is_limited_by_address(stranger: Person, settings: Any) -> None:
    settings.ADDRESS_REQUESTS_PER_MINUTE = 2
    answers = [stranger.get("me", authorization="Bearer paipu_" + "x" * 43) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [401, 401, 429]
