"""The pages of boards, players and statements: what they show, to whom, and at what price."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html import unescape
from urllib.parse import parse_qs
from uuid import UUID, uuid4

import msgspec
import pytest
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from records.clubs import change_club, create_club, set_member
from records.ladders import set_ladder
from records.models import Role
from records.people import create_account
from records.players import add_player
from records.seasons import create_season
from replays.board_rows import SORTS
from replays.pages.numbers import signed
from replays.projections import advance_projections
from rules_engine.ladders import DEFAULT_LADDER
from tests.support.databases import Database
from tests.support.house import NAMES, House, link, open_house
from tests.support.people import unused_name


@pytest.fixture
def house(database: Database) -> House:
    """A club with a game of three hands."""
    del database
    return open_house()


def test_a_club_is_shown_to_its_members_only(house: House) -> None:
    stranger = Client()
    account = create_account(username=unused_name(), password="something long enough")
    stranger.force_login(account, backend="django.contrib.auth.backends.ModelBackend")
    for path in house.pages:
        house.get(path)
        assert stranger.get(path).status_code == 404, path
        answer = Client().get(path)
        assert (answer.status_code, answer.headers["location"].split("?")[0]) == (302, "/sign-in")
    assert house.club.name in house.get("/clubs/")
    assert house.club.slug not in stranger.get("/clubs/").content.decode()
    house.get("/clubs/nowhere/", status=404)
    house.get(f"/players/{uuid4()}", status=404)


def test_pages_of_a_club_in_which_nothing_was_played_say_so(house: House) -> None:
    empty = create_club(
        owner=house.owner, name="Empty", slug=unused_name(), time_zone="Europe/Berlin"
    )
    player = add_player(club=empty, name="Nobody yet")
    for part in ("", "boards", "boards?place=mine", "head-to-head", "balances", "pot"):
        status = 400 if "mine" in part else 200
        assert "Empty" in house.get(f"/clubs/{empty.slug}/{part}", status=status)
    assert "No hand has been counted" in house.get(f"/players/{player.pk}")
    assert "no payments" in house.get(f"/players/{player.pk}/statement")


def test_a_club_without_ratings_says_so_and_its_owner_how_to_turn_them_on(house: House) -> None:
    change_club(club=house.club, rated=False)
    assert "/ratings" not in house.get(house.at)
    told = house.get(f"{house.at}ratings")
    assert "does not keep ratings" in told
    assert f'href="{house.at}settings#rated"' in told
    viewer = create_account(username=unused_name(), password="something long enough")
    set_member(club=house.club, username=viewer.username, role=Role.VIEWER)
    house.client.force_login(viewer, backend="django.contrib.auth.backends.ModelBackend")
    told = house.get(f"{house.at}ratings")
    assert "owner can turn them on" in told
    assert "settings#rated" not in told


def test_a_board_is_sorted_by_every_figure_either_way(house: House) -> None:
    for sort in SORTS:
        ways = {}
        for order in ("asc", "desc"):
            text = house.get(f"{house.at}boards?sort={sort}&order={order}")
            ways[order] = re.findall(r'scope="row" class="who"><a[^>]*>(\w+)', text)
            assert f'aria-sort="{order}ending"' in text, sort
        assert sorted(ways["asc"]) == sorted(ways["desc"]) == sorted(NAMES), sort


def test_the_own_row_is_marked_and_found_with_its_neighbours(house: House) -> None:
    text = house.get(f"{house.at}boards")
    assert re.search(r'<tr class="own" aria-current="true" id="me">.*?Mei', text)
    assert text.count('class="own"') == 1
    assert 'href="#me"' in text


def test_who_is_further_down_a_board_is_told_the_place_and_led_to_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.pages.boards.PAGE", 1)
    text = house.get(f"{house.at}boards?order=asc")
    assert 'class="own"' not in text
    assert re.search(r'You are <b class="figure">No. \d</b>', text)
    around = house.get(f"{house.at}boards{link(text, 'place=mine')}")
    assert 'class="own"' in around


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("sort=luck", "cannot be sorted by “luck”"),
        ("order=sideways", "is not an order"),
        ("min_games=-1", "is not a number"),
        ("min_games=99999999999999999999", "is not a number"),
        ("min_games=²", "is not a number"),
        ("min_hands=x", "is not a number"),
        ("before=x", "belongs to another list"),
        ("season=x", "no such season"),
        (f"season={UUID(int=4)}", "no such season"),
        ("ruleset=chess", "no ruleset “chess”"),
        ("as_of=yesterday", "is not a date or time"),
        ("as_of=0001-01-01", "is not a date or time"),
        ("known_at=2026-13-01T00:00", "is not a date or time"),
        ("known_at=%00", "is not a date or time"),
        ("after=WzEsMiwzLDRd", "belongs to another list"),
        ("after=a:b:c", "belongs to another list"),
        ("place=mine&min_games=50", "not on this board"),
        ("night=x&show=now", "is not a date or time"),
    ],
)
def test_what_cannot_be_read_is_told_and_the_rest_is_shown(
    house: House, query: str, told: str
) -> None:
    path = f"{house.at}boards?{query}"
    answer = house.client.get(path, follow=True, headers={"accept-language": "en"})
    text = unescape(answer.content.decode())
    assert answer.status_code == 400
    assert told in text
    assert 'role="alert"' in text


def test_a_board_goes_on_page_by_page_and_keeps_its_places(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.pages.boards.PAGE", 2)
    first = house.get(f"{house.at}boards?sort=games")
    second = house.get(f"{house.at}boards{link(first, 'after=')}")
    rows = re.findall(r'class="number">(\d+)</td><th scope="row" class="who"><a[^>]*>(\w+)', first)
    rows += re.findall(
        r'class="number">(\d+)</td><th scope="row" class="who"><a[^>]*>(\w+)', second
    )
    assert sorted(name for _, name in rows) == sorted(NAMES)
    assert [place for place, _ in rows] == ["1"] * 4
    assert "Next page" not in second
    assert "1–2 / 4 players" in first
    assert "3–4 / 4 players" in second
    back = house.get(f"{house.at}boards{link(second, 'before=')}")
    assert re.findall(r'class="who"><a[^>]*>(\w+)', back) == [name for _, name in rows[:2]]
    assert "Previous page" not in back
    told = house.get(f"{house.at}boards{link(first, 'after=')}&ruleset=hefei", status=400)
    assert "belongs to another list" in told


def test_prize_night_is_the_board_as_it_was_shown_and_as_it_should_have_been(house: House) -> None:
    asked = {"night": "2026-11-28", "sort": "games"}
    then = house.client.get(f"{house.at}boards", {**asked, "show": "then"})
    now = house.client.get(f"{house.at}boards", {**asked, "show": "now"})
    assert parse_qs(then.headers["location"].split("?")[1]) == {
        "sort": ["games"],
        "as_of": ["2026-11-28"],
        "known_at": ["2026-11-28"],
    }
    assert "known_at" not in now.headers["location"]
    text = house.get(now.headers["location"])
    assert "2026-11-28 23:59:59" in text
    assert "as_of=2026-11-28T15%3A59%3A59.999999Z" in text  # The export's, in UTC.


def test_tiers_cannot_be_sorted_by_where_they_are_of_seasons(house: House) -> None:
    ladder = msgspec.structs.replace(DEFAULT_LADDER, scope="season", start=0)
    set_ladder(club=house.club, name="by season", ladder=ladder, by=house.owner)
    advance_projections()
    assert "choose a season" in house.get(f"{house.at}boards?sort=tier", status=400)


def test_a_moment_before_anything_was_recorded_says_so(house: House) -> None:
    text = house.get(f"{house.at}boards?as_of=2020-01-01&known_at=2020-01-01")
    assert "Nothing had been recorded here by then" in text


def test_the_front_page_says_where_the_reader_stands_and_who_played(house: House) -> None:
    text = house.get(house.at)
    assert re.search(r"You are <b>No. \d</b>", text)
    assert 'id="live"' in text, "the game goes on"
    for name in NAMES:
        assert name in text


def test_a_head_to_head_cell_is_what_the_other_cell_lacks(house: House) -> None:
    text = house.get(f"{house.at}head-to-head")
    table = [
        re.findall(r'<td class="(?:number|self)"[^>]*>(?:<span[^>]*>)?([^<]*)', row)
        for row in text.split("<tbody>")[1].split("</tr>")[:4]
    ]
    for one in range(4):
        for other in range(one):
            assert table[one][other].replace("−", "-") == signed(
                -int(table[other][one].replace("−", "-"))
            ).replace("−", "-")


def queries(house: House, path: str) -> int:
    """How many queries a page asks of every database together."""
    captured = [CaptureQueriesContext(connections[each]) for each in ("default", "reader")]
    with captured[0], captured[1]:
        house.get(path)
    return sum(len(each) for each in captured)


def test_a_page_asks_as_many_questions_however_much_was_played(house: House) -> None:
    for path in house.pages:
        house.get(path)
    before = {path: queries(house, path) for path in house.pages}
    for _ in range(3):
        house.play(2, 1, None, 0)
    after = {path: queries(house, path) for path in house.pages}
    assert after == before
    assert max(after.values()) <= 42, after


def test_a_season_is_on_the_front_page_and_narrows_the_board(house: House) -> None:
    today = datetime.now(tz=UTC).date()
    season = create_season(club=house.club, name="Winter", starts_on=today, ends_on=today)
    advance_projections()
    assert "Winter" in house.get(house.at)
    assert "Winter" in house.get(f"{house.at}boards?season={season.pk}")
