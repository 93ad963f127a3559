"""A player's figures, gangs and head-to-head through the API, and the same tables as files."""

import csv
import io
from typing import Any

import pytest
from openpyxl import load_workbook

from tests.api.test_settlements import record
from tests.support.people import ClubHouse
from tests.support.problems import refused

GANG_HAND = {"seat": 2, "by": "zimo", "tile": "5p", "concealed": "23456788m34p"}


def played(house: ClubHouse, settle: Any) -> str:
    """A game of three settled hands, all won by seat 2, the last with a gang."""
    game = house.start_game(title="=Evening")
    record(house, game)
    record(house, game)
    win = {**GANG_HAND, "melds": [{"kind": "an_gang", "tiles": "2222s"}]}
    record(house, game, wins=[win])
    settle()
    return game


def test_the_figures_of_a_player_page(house: ClubHouse, settle: Any) -> None:
    game = played(house, settle)
    found = house.owner.get(f"players/{house.players[2].id}/figures").json()
    assert (found["name"], found["games"], found["hands"]) == ("Tao", 1, 3)
    assert found["places"] == [1, 0, 0, 0]
    assert [point["game"] for point in found["curve"]] == [game]
    assert found["streaks"]["hands_won"] == found["streaks"]["hands_won_now"] == 3
    assert {item["item_en"] for item in found["items"]} >= {"concealed gang"}
    gang = next(item for item in found["items"] if item["item"] == "gang")
    assert (gang["times"], gang["share"]) == (1, 1 / 3)
    assert found["biggest"][0]["moment"].startswith(f"/games/{game}#")
    assert {each["name"] for each in found["partners"]} == {"Lin", "Mei", "Yun"}
    assert sum(each["net"] for each in found["partners"]) == found["curve"][-1]["total"]
    unplayed = f"players/{house.players[2].id}/figures?as_of=2001-01-01T00:00:00Z"
    assert house.owner.get(unplayed).json()["hands"] == 0


def test_the_gangs_of_a_game_and_of_a_player(house: ClubHouse, settle: Any) -> None:
    game = played(house, settle)
    (gang,) = house.owner.get(f"games/{game}/gangs").json()["items"]
    assert (gang["name"], gang["kind"], gang["points"], gang["seq"]) == ("Tao", "an_gang", 0, None)
    assert gang["unpaid"]["rule"] == "HF-54"
    assert gang["unpaid"]["rule_zh"]
    (kind,) = house.owner.get(f"players/{house.players[2].id}/gangs").json()["items"]
    assert (kind["kind"], kind["declared"], kind["paid"], kind["robbed"]) == ("an_gang", 1, 0, 0)


def test_head_to_head_of_a_club_and_of_some_of_its_players(house: ClubHouse, settle: Any) -> None:
    played(house, settle)
    table = house.owner.get(f"clubs/{house.club.id}/head-to-head").json()
    assert len(table["items"]) == 12
    assert sum(line["net"] for line in table["items"]) == 0
    two = f"{house.players[0].id},{house.players[2].id}"
    lines = house.owner.get(f"clubs/{house.club.id}/head-to-head?players={two}").json()["items"]
    assert {(line["one_name"], line["name"]) for line in lines} == {("Lin", "Tao"), ("Tao", "Lin")}
    won = next(line for line in lines if line["one_name"] == "Tao")
    assert (won["games"], won["hands"], won["ahead"]) == (1, 3, 1)
    nowhere = f"clubs/{house.club.id}/head-to-head?season={house.club.id}"
    refused(house.owner.get(nowhere), 404, "not_found")
    stranger = ClubHouse().players[0].id
    for players, code in (
        (f"{house.players[0].id},{stranger}", "unknown_player"),
        ("x,y", "invalid_input"),
        (str(house.players[0].id), "invalid_input"),
    ):
        answer = house.owner.get(f"clubs/{house.club.id}/head-to-head?players={players}")
        refused(answer, 422, code)


def content_of(answer: Any) -> bytes:
    """The whole of a file that was sent in pieces."""
    assert answer.status_code == 200, answer.content
    return b"".join(answer.streaming_content)


@pytest.mark.parametrize(("address", "rows"), [("standings", 4), ("games", 4), ("statement", 9)])
def test_a_table_is_the_same_in_every_format(
    house: ClubHouse, settle: Any, address: str, rows: int
) -> None:
    played(house, settle)
    where = f"players/{house.players[2].id}" if address == "statement" else f"clubs/{house.club.id}"
    files = {}
    for name in ("csv", "json", "ndjson", "xlsx"):
        answer = house.owner.get(f"{where}/exports/{address}?format={name}")
        disposition = answer["Content-Disposition"]
        assert disposition.startswith("attachment; filename=")
        assert house.club.slug in disposition
        assert f".{name}" in disposition
        files[name] = content_of(answer)
    lines = list(csv.DictReader(io.StringIO(files["csv"].decode("utf-8-sig"))))
    sheet = load_workbook(io.BytesIO(files["xlsx"])).active
    assert sheet is not None
    assert len(lines) >= rows
    assert sheet.max_row == len(lines) + 1 == len(files["ndjson"].splitlines()) + 1
    assert [cell.value for cell in sheet[1]] == list(lines[0])
    points = next(number for number, cell in enumerate(sheet[1]) if cell.value == "points")
    sheet_points = [row[points].value for row in sheet.iter_rows(min_row=2)]
    assert sheet_points == [int(line["points"]) for line in lines]


def test_a_title_that_looks_like_a_formula_stays_a_text(house: ClubHouse, settle: Any) -> None:
    played(house, settle)
    content = content_of(house.owner.get(f"clubs/{house.club.id}/exports/games"))
    lines = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert {line["title"] for line in lines} == {"'=Evening"}
    assert min(line["place"] for line in lines) == "1"


def test_what_cannot_be_exported_is_refused_before_a_file_begins(house: ClubHouse) -> None:
    club = f"clubs/{house.club.id}/exports"
    refused(house.owner.get(f"{club}/games?format=pdf"), 422, "invalid_input")
    refused(house.owner.get(f"{club}/games?month=2026-00"), 422, "invalid_input")
    refused(ClubHouse().owner.get(f"{club}/standings"), 404, "not_found")
