"""What other rules would have changed, on recorded games, with nothing written."""

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.utils import InternalError
from django.utils import timezone
from msgspec.structs import replace

from records import impact
from records.clubs import create_club
from records.impact import NextDeal, Other, Scope
from records.journal import seal_pending
from records.ladders import number_tiers, set_ladder
from records.merges import merge
from records.models import Account, Club, Settlement, Transfer
from records.players import add_player
from records.seasons import create_season
from records.settlement import settle_sealed
from rules_engine import registry
from rules_engine.ladders import Ladder
from tests.support.recorded import RecordedGame

pytestmark = pytest.mark.usefixtures("database")

SLUG = "hefei"


def settled(game: RecordedGame) -> RecordedGame:
    seal_pending()
    settle_sealed()
    return game


def one_game(**kwargs: Any) -> RecordedGame:
    """Three hands: a self-draw with a gang by the dealer, a discard win, and no win."""
    game = RecordedGame(**kwargs)
    game.play(0, gang=True)
    game.play(2, from_seat=1)
    game.play(None)
    return settled(game)


def run(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("impact", SLUG, *arguments, "--json", stdout=out)
    report: dict[str, Any] = json.loads(out.getvalue())
    return report


def options_file(folder: Path, **options: Any) -> str:
    path = folder / "options.json"
    path.write_text(json.dumps(options))
    return str(path)


def tables() -> list[Any]:
    return [
        list(Settlement.objects.order_by("position").values()),
        list(Transfer.objects.order_by("game_id", "hand", "revision", "line").values()),
    ]


def test_the_version_it_was_played_under_changes_nothing() -> None:
    one_game()
    report = run("--to", "1")
    assert (report["games"], report["hands"]) == (1, 3)
    assert report["changed"] == report["tiers"] == report["refused"] == []


def test_a_price_changes_the_payments_of_the_hands_that_have_the_item(tmp_path: Path) -> None:
    game = one_game()
    before = tables()
    report = run("--to", options_file(tmp_path, points_gang=12))
    assert tables() == before
    (change,) = report["changed"]
    assert (change["game_id"], change["hand"]) == (str(game.id), 1)
    gangs = [each for each in change["payments"] if each["after"] - each["before"] == 10]
    assert [each["payer"] for each in gangs] == [1, 2, 3]
    differences = [
        after - before
        for before, after in zip(change["points_before"], change["points_after"], strict=True)
    ]
    assert differences == [30, -10, -10, -10]
    items = {each["id"]: each["points"] for win in change["wins_after"] for each in win["items"]}
    assert items["gang"] == 12
    assert change["illegal"] is None
    assert change["next_after"] is None


def test_a_hand_that_was_ruled_on_is_scored_as_it_stands(tmp_path: Path) -> None:
    game = one_game()
    game.correct(2, 3, gang=True)
    game.void(1)
    settled(game)
    (change,) = run("--to", options_file(tmp_path, points_gang=12))["changed"]
    assert (change["hand"], len(change["wins_after"])) == (2, 1)
    assert change["wins_after"][0]["seat"] == 3


def test_a_hand_the_other_rules_do_not_allow_is_told_with_the_rule(tmp_path: Path) -> None:
    one_game()
    report = run("--to", options_file(tmp_path, allow_dianpao=False))
    (change,) = report["changed"]
    assert change["hand"] == 2
    assert change["illegal"]["rule"] == "HF-40"
    assert change["points_after"] == [0, 0, 0, 0]
    assert report["illegal"] == 1


def test_a_player_who_would_stand_on_another_rung_is_told(tmp_path: Path) -> None:
    players = tuple(uuid4() for _ in range(4))
    one_game(players=players)
    report = run("--to", options_file(tmp_path, points_gang=500, cap=0))
    ladders = {(each["ruleset"], each["player_id"]): each for each in report["tiers"]}
    assert set(ladders) == {(SLUG, str(players[0])), ("", str(players[0]))}
    step = ladders[SLUG, str(players[0])]
    assert (step["before"]["tier"], step["after"]["tier"]) == (1, 5)
    assert step["score_after"] - step["score_before"] == 3 * 498


def club_with_ladder(owner: Account, *thresholds: int, **ladder: Any) -> Club:
    club = create_club(owner=owner, name="One", slug="one", time_zone="Asia/Shanghai")
    tiers = number_tiers([("低", "low", None), *((str(n), str(n), n) for n in thresholds)])
    set_ladder(club=club, name="own", ladder=Ladder(tiers=tiers, start=0, **ladder), by=owner)
    return club


def test_rungs_are_those_of_the_clubs_own_ladder(tmp_path: Path) -> None:
    owner = Account.objects.create_user(username="owner")
    club = club_with_ladder(owner, 1000)
    game = one_game(club_id=club.id)
    report = run("--to", options_file(tmp_path, points_gang=500, cap=0))
    (step,) = [each for each in report["tiers"] if each["ruleset"] == ""]
    assert step["player_id"] == str(game.players[0])
    assert (step["before"]["en"], step["after"]["en"]) == ("low", "1000")


def test_without_demotion_a_rung_reached_on_the_way_counts(tmp_path: Path) -> None:
    owner = Account.objects.create_user(username="owner")
    club = club_with_ladder(owner, 1000, demotion=False)
    game = RecordedGame(club_id=club.id)
    game.play(0, gang=True)
    game.adjust((str(game.players[0]), str(game.players[1]), 5000))
    settled(game)
    report = run("--to", options_file(tmp_path, points_gang=500, cap=0))
    (step,) = [each for each in report["tiers"] if each["ruleset"] == ""]
    assert step["score_after"] < 0
    assert (step["before"]["en"], step["after"]["en"]) == ("low", "1000")


def test_on_a_ladder_climbed_season_by_season_the_present_season_counts(tmp_path: Path) -> None:
    owner = Account.objects.create_user(username="owner")
    club = club_with_ladder(owner, 1000, scope="season")
    game = one_game(club_id=club.id)
    path = options_file(tmp_path, points_gang=500, cap=0)
    assert run("--to", path)["tiers"] == []
    today = timezone.now().date()
    day = timedelta(days=1)
    create_season(club=club, name="now", starts_on=today - day, ends_on=today + day)
    assert {each["player_id"] for each in run("--to", path)["tiers"]} == {str(game.players[0])}


def test_two_records_of_one_person_climb_as_one(tmp_path: Path) -> None:
    owner = Account.objects.create_user(username="owner")
    club = club_with_ladder(owner, 2000)
    records = [add_player(club=club, name=name) for name in ("once", "again")]
    for record in records:
        one_game(club_id=club.id, players=(record.id, *(uuid4() for _ in range(3))))
    path = options_file(tmp_path, points_gang=500, cap=0)
    assert run("--to", path)["tiers"] == []
    merge(absorbed=records[0], into=records[1], by=owner)
    assert {each["player_id"] for each in run("--to", path)["tiers"]} == {str(records[1].id)}


def test_only_the_clubs_and_the_days_asked_for_are_looked_at(tmp_path: Path) -> None:
    owner = Account.objects.create_user(username="owner")
    club = create_club(owner=owner, name="One", slug="one", time_zone="Asia/Shanghai")
    mine = one_game(club_id=club.id)
    one_game()
    path = options_file(tmp_path, points_gang=12)
    assert run("--to", path)["games"] == 2
    report = run("--to", path, "--club", "one")
    assert [change["game_id"] for change in report["changed"]] == [str(mine.id)]
    assert run("--to", path, "--since", "2000-01-01")["hands"] == 6
    assert run("--to", path, "--since", "2999-01-01T00:00:00Z")["games"] == 0


def test_options_that_a_game_cannot_have_are_told_and_no_hand_is_scored(tmp_path: Path) -> None:
    game = one_game()
    report = run("--to", options_file(tmp_path, min_suit=40))
    (refused,) = report["refused"]
    assert refused["game_id"] == str(game.id)
    assert refused["refused"]["facts"]["option"] == "min_suit"
    assert report["changed"] == []


def test_nothing_can_be_written_in_the_sandbox() -> None:
    one_game()
    with (
        pytest.raises(InternalError, match="read-only"),
        impact.sandbox(),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE settlement_cursor SET position = 0")


def test_another_next_dealer_is_told_and_stands_as_played(monkeypatch: pytest.MonkeyPatch) -> None:
    game = one_game()
    installed = registry.get(SLUG)

    class Rotating(installed.play):  # type: ignore[name-defined, misc]
        """A version in which the deal always passes."""

        def rotate(self, memory: Any, facts: Any, dealer: int, streak: int) -> Any:
            return (dealer + 1) % 4, 1, memory

    other = replace(installed, version=2, play=Rotating)
    versions = {SLUG: {1: installed, 2: other}}
    monkeypatch.setattr(registry, "rulesets", lambda: versions)
    found = impact.impact_on_game(game.id, Other(SLUG, 2), Scope())
    (first, *_) = found.changes
    assert first.hand == 1
    assert first.payments == ()
    assert (first.next_before, first.next_after) == (NextDeal(0, 2), NextDeal(1, 1))


def test_a_person_reads_a_table(tmp_path: Path) -> None:
    one_game()
    out = StringIO()
    path = options_file(tmp_path, allow_dianpao=False, points_gang=12)
    call_command("impact", SLUG, "--to", path, stdout=out)
    text = out.getvalue()
    assert "1 games, 3 hands: 2 would differ, 1 of them not allowed" in text
    assert "HF-40" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere", "--to", "1"], "There is no ruleset 'nowhere'"),
        ([SLUG, "--to", "99"], "no version 99"),
        ([SLUG, "--to", "missing.json"], "missing.json"),
        ([SLUG, "--to", "1", "--club", "nobody"], "There is no club 'nobody'"),
        ([SLUG, "--to", "1", "--since", "soon"], "is no date"),
    ],
)
def test_what_cannot_be_tried_is_refused(arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("impact", *arguments)


def test_an_option_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no option moon_phase"):
        run("--to", options_file(tmp_path, moon_phase=1))


def test_a_table_of_prices_is_changed_number_by_number() -> None:
    ruleset = registry.get("qingdao")
    game = RecordedGame().game
    assert game is not None
    options: Any = ruleset.options()
    found = impact.options_under(
        replace(game, ruleset=ruleset, options=options),
        Other("qingdao", None, {"values": {"qi_dui": 9}}),
    )
    assert isinstance(found, tuple)
    values: Any = found[1]
    assert values.values == replace(options.values, qi_dui=9)


def test_a_game_of_no_settled_hand_is_not_in_the_report() -> None:
    game = RecordedGame()
    assert game.id not in impact.games_in(SLUG, Scope())
    assert impact.games_in(SLUG, Scope(club_id=UUID(int=9))) == []
