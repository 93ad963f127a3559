"""Pages of other origins: which may ask, with what, and what they may read of an answer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.people import ClubHouse, Person

APP = "https://app.example"
PREFIX = "Access-Control-Allow-"


@pytest.fixture
def allowed(settings: Any) -> None:
    """The service allows the app's origin."""
    settings.CORS_ALLOWED_ORIGINS = [APP]


def preflight(person: Person, path: str, origin: str, method: str = "POST") -> Any:
    """What a browser asks before it sends a write for a page."""
    headers = {
        "origin": origin,
        "access-control-request-method": method,
        "access-control-request-headers": "authorization,idempotency-key,if-match",
    }
    return person.client.options(path, headers=headers)


@pytest.mark.usefixtures("allowed")
def test_a_page_of_an_allowed_origin_may_write_with_a_token(house: ClubHouse) -> None:
    answer = preflight(house.owner, "/api/v1/games", APP)
    assert (answer.status_code, answer[f"{PREFIX}Origin"]) == (200, APP)
    for name in ("authorization", "idempotency-key", "if-match", "last-event-id"):
        assert name in answer[f"{PREFIX}Headers"]
    answer = house.owner.post("games", house.game_body(), origin=APP)
    assert (answer.status_code, answer[f"{PREFIX}Origin"]) == (201, APP)
    exposed = answer["Access-Control-Expose-Headers"].split(", ")
    assert {"ETag", "Location", "RateLimit", "RateLimit-Policy", "Retry-After"} <= set(exposed)
    assert "origin" in answer["Vary"].lower()


@pytest.mark.usefixtures("allowed")
def test_a_page_may_never_use_the_cookie_of_a_session(house: ClubHouse) -> None:
    for answer in (
        preflight(house.owner, "/api/v1/games", APP),
        house.owner.get("me", origin=APP),
        house.owner.get("me", origin="https://elsewhere.example"),
    ):
        assert f"{PREFIX}Credentials" not in answer


@pytest.mark.usefixtures("allowed")
@pytest.mark.parametrize("origin", ["https://elsewhere.example", "http://app.example", "null", "x"])
def test_a_page_of_another_origin_may_not_read(house: ClubHouse, origin: str) -> None:
    assert f"{PREFIX}Origin" not in house.owner.get("me", origin=origin)
    assert f"{PREFIX}Origin" not in preflight(house.owner, "/api/v1/games", origin)


def test_no_page_may_read_where_none_is_configured(house: ClubHouse) -> None:
    assert f"{PREFIX}Origin" not in house.owner.get("me", origin=APP)


@pytest.mark.usefixtures("allowed")
def test_nothing_but_the_api_is_open_to_other_origins(stranger: Person) -> None:
    for path in ("/", "/admin/login/", "/rulesets/hefei"):
        answer = stranger.client.get(path, headers={"origin": APP})
        assert f"{PREFIX}Origin" not in answer


def test_all_origins_may_be_allowed_and_then_without_the_cookie_too(
    house: ClubHouse, settings: Any
) -> None:
    settings.CORS_ALLOW_ALL_ORIGINS = True
    answer = house.owner.get("me", origin=APP)
    assert answer[f"{PREFIX}Origin"] == "*"
    assert f"{PREFIX}Credentials" not in answer


@pytest.mark.usefixtures("allowed")
def test_a_refusal_can_be_read_too(stranger: Person) -> None:
    answer = stranger.get("me", origin=APP)
    assert (answer.status_code, answer[f"{PREFIX}Origin"]) == (401, APP)
