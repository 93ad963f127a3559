"""The pages of boards, players and statements: what they show, to whom, and at what price."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html import unescape
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID, uuid4

import msgspec
import pytest
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from records.clubs import change_club, create_club
from records.journal import seal_pending
from records.ladders import set_ladder
from records.merges import merge
from records.models import Account, Club, Player
from records.people import create_account
from records.players import add_player
from records.seasons import create_season
from records.settlement import settle_sealed
from replays.board_rows import SORTS
from replays.pages.charts import bars, line_chart
from replays.pages.numbers import decimal, percent, signed, signed_decimal, whole
from replays.projections import advance_projections
from rules_engine.events import CLUB
from rules_engine.ladders import DEFAULT_LADDER
from tests.support.people import unused_name
from tests.support.recorded import RecordedGame

NAMES = ("Lin", "Mei", "Tao", "Yun")


class House(msgspec.Struct):
    """A club with four players and games between them, and its owner, who is one of them."""

    club: Club
    owner: Account
    players: list[Player]
    client: Client

    def get(self, path: str, *, status: int = 200) -> str:
        """The text of a page in English, without the markup of characters."""
        answer = self.client.get(path, headers={"accept-language": "en"})
        assert answer.status_code == status, answer.content.decode()[:2000]
        return unescape(answer.content.decode())

    def play(self, *winners: int | None) -> RecordedGame:
        """Record and settle a game in which these seats win one hand each."""
        game = RecordedGame(
            club_id=self.club.pk, players=tuple(player.pk for player in self.players)
        )
        for winner in winners:
            game.play(winner, gang=winner == 2)
        take_in()
        return game

    @property
    def at(self) -> str:
        return f"/clubs/{self.club.slug}/"

    @property
    def pages(self) -> list[str]:
        """Every page of the club, and those of its first player."""
        own = f"/players/{self.players[0].pk}"
        parts = ("", "boards", "ratings", "head-to-head", "balances", "pot")
        return [*(f"{self.at}{part}" for part in parts), own, f"{own}/statement"]


def take_in() -> None:
    seal_pending()
    settle_sealed()
    advance_projections()


@pytest.fixture
def house(database: Any) -> House:
    """A club with a game of three hands."""
    del database
    name = unused_name()
    owner = create_account(username=name, password=f"{name} has a long password")
    club = create_club(owner=owner, name="Club", slug=name, time_zone="Asia/Shanghai")
    change_club(club=club, rated=True)
    client = Client()
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    players = [add_player(club=club, name=each) for each in NAMES]
    players[1].account = owner
    players[1].save()
    made = House(club=Club.objects.get(pk=club.pk), owner=owner, players=players, client=client)
    made.play(2, None, 1)
    return made


def link(text: str, pattern: str) -> str:
    """The address in the first link whose tag has this in it."""
    found = re.search(rf'<a[^>]*{pattern}[^>]*href="([^"]+)"|href="([^"]*{pattern}[^"]*)"', text)
    assert found, pattern
    return found[1] or found[2]


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


def test_what_was_paid_to_the_pot_stands_in_its_statement(house: House) -> None:
    game = house.play(0)
    game.penalise((str(house.players[3].pk), CLUB, 7))
    take_in()
    assert "+7" in house.get(f"{house.at}pot")
    text = house.get(f"/players/{house.players[3].pk}/statement")
    assert f'<a href="{house.at}pot">The pot</a>' in text


def test_a_club_without_ratings_has_no_page_of_them(house: House) -> None:
    change_club(club=house.club, rated=False)
    assert "/ratings" not in house.get(house.at)
    house.get(f"{house.at}ratings", status=404)


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
    assert re.search(r'<tr class="own" aria-current="true">.*?Mei', text)
    assert text.count('class="own"') == 1
    around = house.get(f"{house.at}boards?{link(text, 'place=mine').removeprefix('?')}")
    assert 'class="own"' in around


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("sort=luck", "cannot be sorted by “luck”"),
        ("order=sideways", "is no order"),
        ("min_games=-1", "is no number"),
        ("min_games=99999999999999999999", "is no number"),
        ("min_games=²", "is no number"),
        ("season=x", "no such season"),
        (f"season={UUID(int=4)}", "no such season"),
        ("ruleset=chess", "no ruleset “chess”"),
        ("as_of=yesterday", "is no day or time"),
        ("as_of=0001-01-01", "is no day or time"),
        ("known_at=2026-13-01T00:00", "is no day or time"),
        ("known_at=%00", "is no day or time"),
        ("after=WzEsMiwzLDRd", "none of this list"),
        ("after=a:b:c", "none of this list"),
        ("place=mine&min_games=50", "not on this board"),
        ("night=x&show=now", "is no day or time"),
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


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("from=x", "is no day or time"),
        ("from=2026-02-02&to=2026-01-01", "ends before it begins"),
        ("month=2026-13", "is no month"),
        ("month=2026", "is no month"),
        ("after=x", "none of this list"),
        ("as_of=x", "is no day or time"),
    ],
)
def test_a_statement_says_what_it_cannot_read(house: House, query: str, told: str) -> None:
    assert told in house.get(f"/players/{house.players[0].pk}/statement?{query}", status=400)


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
    told = house.get(f"{house.at}boards{link(first, 'after=')}&ruleset=hefei", status=400)
    assert "none of this list" in told


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


def test_a_players_page_shows_every_part_and_leads_into_the_replay(house: House) -> None:
    game = house.play(0, 2)
    text = house.get(f"/players/{house.players[2].pk}")
    for part in ("Tier", "Points over time", "Places", "In a row", "Items won", "Gangs"):
        assert part in text
    for part in ("Partners and rivals", "Latest games", "Biggest hands", "Rating"):
        assert part in text
    assert f"/games/{game.id}?hand=2#2" in text
    assert "<polyline" in text
    assert "style=" not in text


def test_a_merged_record_leads_to_the_person_it_counts_for(house: House) -> None:
    guest = add_player(club=house.club, name="Guest")
    merge(absorbed=guest, into=house.players[3], by=house.owner)
    for path in ("", "/statement"):
        answer = house.client.get(f"/players/{guest.pk}{path}?ruleset=hefei")
        assert answer.headers["location"] == f"/players/{house.players[3].pk}{path}?ruleset=hefei"


def test_a_statement_runs_to_the_points_of_the_board_over_every_page(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.pages.statements.PAGE", 2)
    game = house.play(3, 0)
    game.correct(1, 2)
    take_in()
    row = r'class="who"><a[^>]*>(\w+)</a>.*?<td class="number by">([^<]+)<'
    points = dict(re.findall(row, house.get(f"{house.at}boards")))
    player = house.players[0]
    path = f"/players/{player.pk}/statement"
    text = house.get(path)
    assert "#1." in text
    while 'rel="next"' in text:
        text = house.get(path + link(text, 'class="more"'))
        assert "Carried over" in text
    balances = re.findall(r'<td class="number">([^<]+)</td></tr>', text)
    assert balances[-1] == points[player.name]


def test_balances_sum_to_zero_and_lead_to_statements(house: House) -> None:
    text = house.get(f"{house.at}balances?month=2026-11")
    assert "/statement?month=2026-11" in text
    foot = text.split("<tfoot>")[1]
    assert re.findall(r'class="number">([^<]+)<', foot)[-1] == "0"


def test_a_head_to_head_cell_is_what_the_other_cell_lacks(house: House) -> None:
    text = house.get(f"{house.at}head-to-head")
    table = [
        re.findall(r'<td class="(?:number|self)"[^>]*>([^<]*)', row)
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
    assert max(after.values()) <= 34, after


def test_a_season_is_on_the_front_page_and_narrows_the_board(house: House) -> None:
    today = datetime.now(tz=UTC).date()
    season = create_season(club=house.club, name="Winter", starts_on=today, ends_on=today)
    advance_projections()
    assert "Winter" in house.get(house.at)
    assert "Winter" in house.get(f"{house.at}boards?season={season.pk}")


def test_numbers_have_true_minus_signs_and_dashes_for_nothing() -> None:
    assert (whole(-1234), whole(None), signed(5), signed(-5), signed(0)) == (
        *("−1,234", "–", "+5", "−5", "0"),
    )
    assert (percent(0.235), percent(None)) == ("23.5%", "–")
    assert (decimal(-0.01), decimal(-1.25), decimal(None)) == ("0.0", "−1.2", "–")
    assert (signed_decimal(2.0), signed_decimal(0.01), signed_decimal(-2.0)) == (
        *("+2.0", "0.0", "−2.0"),
    )


def test_a_line_of_points_begins_at_nothing_and_fits_its_frame() -> None:
    assert line_chart([]) is None
    chart = line_chart([("a", "2026-11-01", -5, -5), ("b", "2026-11-02", 30, 25)])
    assert chart is not None
    assert chart.line.startswith(f"8.0,{chart.zero_y}")
    assert all(0 <= mark.y <= chart.height and mark.x <= chart.right for mark in chart.marks)
    assert [bar.length for bar in bars([2, 0, 1, 0])] == [100, 0, 50, 0]
    assert [bar.share for bar in bars([0, 0])] == [None, None]
