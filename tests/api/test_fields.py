"""Only some fields of a big answer, and operations that are going to end."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

import msgspec
import pytest
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory

from api.deprecation import Deprecation
from api.docs.contents import source_of
from api.operation import PublicOperation
from tests.support.people import HAND_RESULT, ClubHouse
from tests.support.problems import refused


@pytest.fixture
def game(house: ClubHouse, settle: Any) -> str:
    game = house.start_game()
    house.append(game, 1, HAND_RESULT)
    settle()
    return game


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("games/{}/state", "seq,hand,table"),
        ("games/{}/settlement", "totals,pending"),
        ("games/{}/hands/1/explanation", "explanation"),
    ],
)
def test_only_the_fields_asked_for_are_answered(
    house: ClubHouse, game: str, path: str, fields: str
) -> None:
    path = path.format(game)
    whole = house.owner.get(path).json()
    some = house.owner.get(f"{path}?fields={fields}").json()
    assert list(some) == fields.split(",")
    assert some.items() <= whole.items()


def test_of_a_list_the_fields_are_those_of_each_item(house: ClubHouse, game: str) -> None:
    page = house.owner.get(f"games?club={house.club.id}&fields=id,title").json()
    assert page["items"] == [{"id": game, "title": ""}]
    assert page["next"] is None


def test_a_field_that_there_is_not_is_refused(house: ClubHouse, game: str) -> None:
    facts = refused(house.owner.get(f"games/{game}/state?fields=seq,luck"), 422, "unknown_field")
    assert facts["actual"] == "luck"
    assert "table" in facts["expected"]
    refused(house.owner.get(f"games/{game}/state?fields="), 422, "invalid_input")


class Toy(PublicOperation):
    """A toy."""

    def get(self, request: Request) -> Response:
        return Response({"done": True})


def toy(since: date, sunset: date) -> Any:
    """The answer of an operation with such a deprecation."""
    told = Deprecation(since=since, sunset=sunset, instead="Use another toy.")
    view = type("OldToy", (Toy,), {"deprecated": told, "get": Toy.get})
    answer = view.as_view()(APIRequestFactory().get("/toy"))
    return answer.render() if hasattr(answer, "render") else answer


def test_a_deprecated_operation_says_since_when_and_until_when() -> None:
    answer = toy(date(2026, 11, 30), date(2999, 11, 30))
    assert answer.status_code == 200
    assert answer["Deprecation"] == "@1795996800"
    assert answer["Sunset"] == "Sat, 30 Nov 2999 00:00:00 GMT"
    assert answer["Link"] == '</docs/versions/>; rel="deprecation"'


def test_the_guide_shows_what_a_deprecated_operation_says() -> None:
    answer = toy(date(2026, 11, 30), date(2027, 11, 30))
    for language in ("en", "zh"):
        (shown,) = re.findall(r"```text\n(.*?)```", source_of("versions", language), re.DOTALL)
        for line in shown.splitlines():
            name, _, value = line.partition(": ")
            assert answer[name] == value


def test_an_operation_that_is_over_is_gone_and_says_what_to_use() -> None:
    answer = toy(date(2020, 1, 1), datetime.now(UTC).date() - timedelta(days=1))
    assert answer.status_code == 410
    problem = msgspec.json.decode(answer.content)
    assert problem["code"] == "operation_over"
    assert problem["detail"].endswith("Use another toy.")


def test_a_deprecation_gives_a_year_of_notice() -> None:
    with pytest.raises(AssertionError, match="a year"):
        Deprecation(since=date(2026, 1, 1), sunset=date(2026, 6, 1), instead="")
