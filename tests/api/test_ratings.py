"""Ratings beside points: the board of a club that keeps them, and a player's rated games."""

from typing import Any

import pytest

from records.models import Role
from replays.ratings import ALGORITHM, LIBRARY_VERSION
from tests.api.test_ladders import record
from tests.support.people import ClubHouse
from tests.support.problems import refused


@pytest.fixture
def rated(house: ClubHouse) -> ClubHouse:
    house.club.rated = True
    house.club.save()
    return house


def test_a_club_that_keeps_no_ratings_says_so(house: ClubHouse) -> None:
    for path in (f"clubs/{house.club.id}/ratings", f"players/{house.players[0].id}/ratings"):
        assert refused(house.owner.get(path), 409, "not_rated") == {"club": str(house.club.id)}


def test_the_board_orders_players_by_rating_and_equals_share_a_place(
    rated: ClubHouse, settle: Any
) -> None:
    record(rated, settle, 2)
    board = rated.member(Role.VIEWER).get(f"clubs/{rated.club.id}/ratings").json()
    lines = board["items"]
    assert (board["next"], board["due"]) == (None, False)
    assert [line["name"] for line in lines][0::3] == ["Tao", "Lin"]
    assert [line["place"] for line in lines] == [1, 2, 2, 4]
    assert [line["ordinal"] for line in lines] == [line["mu"] - 3 * line["sigma"] for line in lines]
    assert {(line["games"], line["provisional"]) for line in lines} == {(1, True)}


def test_the_board_comes_page_by_page_also_as_it_was(rated: ClubHouse, settle: Any) -> None:
    record(rated, settle, 2)
    record(rated, settle, 1)
    path = f"clubs/{rated.club.id}/ratings"
    whole = rated.owner.get(path).json()["items"]
    for clock in ("", "&as_of=2999-01-01T00:00:00Z", "&known_at=2999-01-01T00:00:00Z"):
        paged: list[Any] = []
        cursor = ""
        while True:
            page = rated.owner.get(f"{path}?limit=1{cursor}{clock}").json()
            paged += page["items"]
            if page["next"] is None:
                break
            cursor = f"&cursor={page['next']}"
        assert (paged, len(paged)) == (whole, 4)
    assert rated.owner.get(f"{path}?min_games=3").json()["items"] == []
    assert rated.owner.get(f"{path}?as_of=2000-01-01T00:00:00Z").json()["items"] == []
    for tampered in ("abc", "WzEsMl0", "WzEsMiwzLDRd"):
        refused(rated.owner.get(f"{path}?cursor={tampered}"), 422, "invalid_input")


def test_a_players_rated_games_lead_from_one_skill_to_the_next(
    rated: ClubHouse, settle: Any
) -> None:
    games = [record(rated, settle, winner) for winner in (2, 1)]
    path = f"players/{rated.players[2].id}/ratings"
    latest, first = rated.owner.get(path).json()["items"]
    assert [latest["game"], first["game"]] == games[::-1]
    assert first["before"]["mu"] == 25.0
    assert latest["before"] == first["after"]
    assert (first["place"], first["points"]) == (1, 32)
    assert (first["algorithm"], first["library_version"]) == (ALGORITHM, LIBRARY_VERSION)
    page = rated.owner.get(f"{path}?limit=1").json()
    rest = rated.owner.get(f"{path}?limit=1&cursor={page['next']}").json()
    assert (page["items"], rest) == ([latest], {"items": [first], "next": None})
    past = rated.owner.get(f"{path}?known_at=2999-01-01T00:00:00Z").json()
    assert past["items"] == [latest, first]
    for tampered in ("abc", "WzEsMl0", "WzFlOTksIjEiXQ"):
        refused(rated.owner.get(f"{path}?cursor={tampered}"), 422, "invalid_input")


def test_ratings_of_other_clubs_are_not_found(rated: ClubHouse) -> None:
    other = ClubHouse()
    refused(rated.owner.get(f"clubs/{other.club.id}/ratings"), 404, "not_found")
    refused(rated.owner.get(f"players/{other.players[0].id}/ratings"), 404, "not_found")
