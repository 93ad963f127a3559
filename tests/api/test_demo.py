"""The demonstration club, as `manage.py demo` makes it."""

import io
from datetime import timedelta
from itertools import islice

import pytest
from django.core.management import call_command

from api.exchange.importing import import_lines
from api.management.commands import demo
from records import reader
from records.ledger import age_of_oldest_unsettled_hand_s, settlement_failures
from records.models import Account, Club, Event, Game
from records.seasons import state_of
from replays import boards
from replays.board_rows import View
from replays.models import Result
from replays.projections import advance_projections
from rules_engine import registry
from tests.support.databases import Database


def made() -> str:
    """What the command writes to its output."""
    output = io.StringIO()
    call_command("demo", stdout=output, stderr=io.StringIO())
    return output.getvalue()


def test_the_demonstration_has_a_live_game_and_the_rest_settled(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAIPU_DEMO_PASSWORD", "a long sentence to sign in with")
    assert "sign in as demo-owner" in made()
    club = Club.objects.get(slug="demo")
    games = [reader.game_at(game.id) for game in Game.objects.filter(club_id=club.pk)]
    for ruleset in registry.latest():
        played = [game for game in games if game.ruleset is ruleset]
        assert sorted(game.ended for game in played) == [False] + [True] * 8
        assert [game for game in played if game.table is not None and not game.ended]
    recorder = Account.objects.get(username="demo-recorder")
    assert recorder.check_password("a long sentence to sign in with")
    names = set(club.players.values_list("name", flat=True))
    assert set(demo.PLAYERS) < names <= {*demo.PLAYERS, *demo.GUESTS}
    assert age_of_oldest_unsettled_hand_s() == 0
    assert not settlement_failures().count


def test_the_demonstration_was_played_over_weeks_in_one_season_that_is_over_and_one_under_way(
    database: Database,
) -> None:
    made()
    club = Club.objects.get(slug="demo")
    assert [state_of(season) for season in club.seasons.order_by("starts_on")] == ["closed", "open"]
    assert club.rated
    advance_projections()
    played = list(
        Result.objects.filter(club_id=club.pk)
        .order_by("game_id")
        .values_list("started_at_ms", flat=True)
    )
    an_hour_ago_ms = (club.created_at.timestamp() - 3600) * 1000
    finished = [began_ms for began_ms in played if began_ms < an_hour_ago_ms]
    assert finished == sorted(finished), "games are recorded in the order in which they were played"
    assert played[-1] - played[0] > timedelta(days=50) / timedelta(milliseconds=1)
    for season in club.seasons.all():
        assert boards.board(View(club=club, season=season)).lines


def test_the_demonstration_is_made_once(database: Database) -> None:
    first = made()
    assert "password" in first
    events = Event.objects.count()
    second = made()
    assert "password" not in second
    assert Event.objects.count() == events


def test_a_demonstration_that_was_interrupted_is_completed(database: Database) -> None:
    club = demo.Command(stdout=io.StringIO()).club()
    list(import_lines(islice(demo.evenings(club), 500), club=club))
    begun = Game.objects.count()
    assert 0 < begun < 9
    assert "password" in made(), "nobody saw the first one"
    assert Game.objects.count() == 9 * len(registry.latest())
    assert age_of_oldest_unsettled_hand_s() == 0
