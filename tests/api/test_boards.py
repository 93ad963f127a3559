"""Leaderboards through the API: what they answer and what they refuse."""

from typing import Any
from uuid import uuid4

import pytest

from records.models import Season
from replays.board_rows import SORTS
from tests.api.test_settlements import record
from tests.support.people import ClubHouse
from tests.support.problems import refused


@pytest.fixture
def path(house: ClubHouse, settle: Any) -> str:
    """The address of a board of four players with one hand."""
    record(house, house.start_game())
    settle()
    return f"clubs/{house.club.id}/leaderboard"


def test_a_board_can_be_sorted_by_every_key_and_says_what_it_rests_on(
    house: ClubHouse, path: str
) -> None:
    for sort in SORTS:
        answer = house.owner.get(f"{path}?sort={sort}&order=asc").json()
        assert len(answer["items"]) == 4
        assert answer["position"] >= 1
    assert (answer["as_of"], answer["known_at"]) == (None, None)


def test_an_unknown_sort_is_refused_with_the_keys_there_are(house: ClubHouse, path: str) -> None:
    facts = refused(house.owner.get(f"{path}?sort=luck"), 400, "unknown_sort")
    assert facts == {"expected": list(SORTS), "actual": "luck"}


def test_my_place_comes_with_my_neighbours(house: ClubHouse, path: str) -> None:
    me = house.players[2].id
    answer = house.owner.get(f"{path}/around/{me}?neighbours=1").json()
    assert [(line["place"], line["figures"]["points"]) for line in answer["items"]] == [
        (1, 32),
        (2, -10),
    ]
    assert answer["items"][0]["player"] == str(me)
    refused(house.owner.get(f"{path}/around/{uuid4()}"), 404, "not_found")
    refused(house.owner.get(f"{path}/around/{me}?min_games=2"), 404, "not_found")
    refused(house.owner.get(f"{path}/around/{me}?neighbours=51"), 422, "invalid_input")


def test_a_cursor_that_was_tampered_with_or_is_of_another_board_is_refused(
    house: ClubHouse, path: str
) -> None:
    cursor = house.owner.get(f"{path}?limit=1").json()["next"]
    rest = house.owner.get(f"{path}?limit=200&cursor={cursor}").json()
    assert len(rest["items"]) == 3
    tampered = ("A" if cursor[0] != "A" else "B") + cursor[1:]
    for query in (f"cursor={tampered}", f"cursor={cursor}x", "cursor=WzEsMiwzLDRd"):
        answer = house.owner.get(f"{path}?{query}")
        refused(answer, 422, "invalid_input")
        assert "not a cursor" in answer.json()["detail"]
    for other in (
        "sort=hands&",
        "order=asc&",
        "ruleset=hefei&",
        "min_games=1&",
        "as_of=2030-01-01&",
    ):
        answer = house.owner.get(f"{path}?{other}cursor={cursor}")
        refused(answer, 422, "invalid_input")
        assert "another board" in answer.json()["detail"]


def test_a_board_of_a_day_ends_with_the_day_in_the_clubs_zone(house: ClubHouse, path: str) -> None:
    answer = house.owner.get(f"{path}?as_of=2020-02-29&known_at=2020-02-29T12:00:00Z").json()
    assert answer["items"] == []
    assert answer["as_of"] == "2020-02-29T15:59:59.999999Z"
    assert (answer["known_at"], answer["position"]) == ("2020-02-29T12:00:00Z", 0)
    for moment in ("2020-02-30", "2020-02-29T12:00:00", "yesterday", "2020-13-01T00:00:00Z"):
        refused(house.owner.get(f"{path}?as_of={moment}"), 422, "invalid_input")


def test_a_board_of_a_season_counts_the_games_of_its_days(house: ClubHouse, path: str) -> None:
    season = Season.objects.create(
        club_id=house.club.id, name="all", starts_on="2000-01-01", ends_on="2199-01-01"
    )
    before = Season.objects.create(
        club_id=house.club.id, name="before", starts_on="1990-01-01", ends_on="1999-01-01"
    )
    later = "as_of=2198-01-01"
    assert len(house.owner.get(f"{path}?season={season.id}&{later}").json()["items"]) == 4
    assert house.owner.get(f"{path}?season={before.id}&{later}").json()["items"] == []
    refused(house.owner.get(f"{path}?season={uuid4()}"), 404, "not_found")


def test_every_figure_has_a_meaning_in_both_languages(house: ClubHouse) -> None:
    figures = house.owner.get("figures").json()["items"]
    assert {"win_rate", "tier"} <= {figure["name"] for figure in figures}
    assert all(figure["means_zh"] and figure["means_en"] for figure in figures)
    (win_rate,) = (figure for figure in figures if figure["name"] == "win_rate")
    assert (win_rate["over"], win_rate["sort"]) == ("hands", "win_rate")
