"""The pages of players, statements and balances: what they show, and where they lead."""

from __future__ import annotations

import re

import pytest

from records.merges import merge
from records.players import add_player
from replays.pages.charts import bars, line_chart
from replays.pages.numbers import decimal, percent, signed, signed_decimal, whole
from rules_engine.events import CLUB
from tests.support.databases import Database
from tests.support.house import House, link, open_house, take_in


@pytest.fixture
def house(database: Database) -> House:
    """A club with a game of three hands."""
    del database
    return open_house()


def test_what_was_paid_to_the_pot_stands_in_its_statement(house: House) -> None:
    game = house.play(0)
    game.penalise((str(house.players[3].pk), CLUB, 7))
    take_in()
    assert "+7" in house.get(f"{house.at}pot")
    text = house.get(f"/players/{house.players[3].pk}/statement")
    assert f'<a href="{house.at}pot">The pot</a>' in text


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("from=x", "is not a date or time"),
        ("from=2026-02-02&to=2026-01-01", "ends before it begins"),
        ("month=2026-13", "is not a month"),
        ("month=2026", "is not a month"),
        ("after=x", "belongs to another list"),
        ("as_of=x", "is not a date or time"),
    ],
)
def test_a_statement_says_what_it_cannot_read(house: House, query: str, told: str) -> None:
    assert told in house.get(f"/players/{house.players[0].pk}/statement?{query}", status=400)


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
    assert re.search(r'<a class="rule" href="/rulesets/hefei/#HF-\d+">', text)
    while 'rel="next"' in text:
        text = house.get(path + link(text, 'class="more"'))
        assert "Carried over" in text
    assert "on this page" in text, "the game goes over more than one page"
    balances = re.findall(r'<td class="number">([^<]+)</td></tr>', text)
    assert balances[-1] == points[player.name]


def test_a_statement_puts_the_lines_of_a_game_together_under_what_they_come_to(
    house: House,
) -> None:
    second = house.play(3)
    player = house.players[0]
    text = house.get(f"/players/{player.pk}/statement")
    heads = re.findall(
        r'class="of-game">.*?href="/games/([^"]+)".*?class="number by">([^<]+)<', text
    )
    assert [game for game, _ in heads][1:] == [str(second.id)]
    assert "on this page" not in text
    told = house.get(f"/players/{player.pk}")
    for game, points in heads:
        cells = r'<td class="number">\d</td><td class="number by">([^<]+)<'
        found = re.search(rf'href="/games/{game}">.*?</th>{cells}', told)
        assert found, "the player's page has the game"
        assert found[1] == points


def test_a_player_sees_who_else_sat_at_the_table_with_their_points(house: House) -> None:
    text = house.get(f"/players/{house.players[0].pk}")
    recent = text.split('id="recent"')[1].split("</section>")[0]
    for other in house.players[1:]:
        assert f'<a href="/players/{other.pk}">{other.name}</a>' in recent
    assert house.players[0].name not in recent


def test_balances_sum_to_zero_and_lead_to_statements(house: House) -> None:
    text = house.get(f"{house.at}balances?month=2026-11")
    assert "/statement?month=2026-11" in text
    foot = text.split("<tfoot>")[1]
    assert re.findall(r'class="number">([^<]+)<', foot)[-1] == "0"


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
