"""`manage.py verify --ledger` derives every payment again and names the first row that is wrong."""

import io
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from msgspec.structs import replace

from records import journal
from records.ledger import settlement_failures
from records.ledger_verification import verify_ledger_of, verify_whole_ledger
from records.settlement import settle_sealed
from rules_engine.events import (
    Adjusted,
    Due,
    GameStarted,
    HandCorrected,
    HandVoided,
    Penalty,
    PenaltyCancelled,
    StatedFacts,
)
from tests.records.games import drawn_hands, live_events, new_game, record, started
from tests.support.databases import Database
from tests.support.recorded import RecordedGame

pytestmark = pytest.mark.usefixtures("database")

Execute = Callable[..., Any]


def verify(*arguments: str) -> tuple[int, list[str]]:
    """Run the command; its exit code and lines."""
    out = io.StringIO()
    try:
        call_command("verify", "--ledger", *arguments, stdout=out)
    except CommandError as error:
        return error.returncode, [*out.getvalue().splitlines(), str(error)]
    return 0, out.getvalue().splitlines()


@pytest.fixture
def game(database: Database) -> RecordedGame:
    """A game with corrections, a voided hand, an adjustment and a penalty taken back, settled."""
    del database
    game = RecordedGame()
    for winner in (2, 0, None, 1):
        game.play(winner, gang=winner == 0)
    first, second = (str(player) for player in game.players[:2])
    result = game.result(3)
    game.append(
        HandCorrected(
            hand=1,
            facts=StatedFacts(dealer=0, streak=1, result="hu", wins=result.wins),
            reason="seat 3 had won",
        ),
        HandVoided(hand=4, reason="five tiles of a kind"),
        Adjusted(transfers=(Due(first, second, 7),), reason="miscounted"),
    )
    game.append(Penalty(transfers=(Due(first, "club", 20),), hand=2, reason="late"))
    game.append(PenaltyCancelled(penalty=game.seq, reason="was not late"))
    settle()
    return game


def settle() -> None:
    journal.seal_pending()
    settle_sealed()


@pytest.fixture
def altered(database: Database) -> Iterator[Execute]:
    """What a superuser can do who has taken the guards away for good."""
    with database.connect(autocommit=True) as superuser:
        for table in ("settlement", "transfer", "journal"):
            superuser.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        yield superuser.execute


def test_an_untouched_ledger_is_intact(game: RecordedGame) -> None:
    report = verify_ledger_of(game.id)
    assert report.finding is None
    assert report.settlements == 9
    assert verify_whole_ledger() is None
    code, lines = verify(str(game.id))
    assert (code, lines[-1]) == (0, "1 games, 9 settlements: intact")


def test_a_game_recorded_tile_by_tile_is_intact() -> None:
    game, seq = new_game(), 0
    first, *others = live_events(seed=21, hands=2)
    assert isinstance(first, GameStarted)
    players = tuple(str(uuid4()) for _ in range(4))
    for event in (replace(first, players=players), *others):
        seq = record(game, event, at=seq).last_seq
    settle()
    report = verify_ledger_of(game)
    assert (report.settlements, report.finding) == (2, None)


@pytest.mark.parametrize(
    ("table", "change", "where", "kind", "names"),
    [
        ("transfer", "points = points + 1", "hand = 2 AND line = 1", "payment", "hand 2"),
        ("transfer", "item = 'gift'", "hand = 2 AND line = 2", "payment", "gift"),
        ("transfer", "rule = ''", "hand = 2 AND line = 1", "payment", "hand 2"),
        ("transfer", "seq = 1", "hand = 2 AND line = 1", "payment", "seq 1"),
        ("transfer", "points = 9", "entry > 0 AND revision = 1", "payment", "entry"),
        ("transfer", "points = points + 1", "hand = 1 AND reverses = 1", "payment", "reverses"),
        ("transfer", "ended_at_ms = 1", "hand = 2 AND line = 1", "payment", "another time"),
        ("settlement", "result = 'huang_zhuang'", "hand = 2 AND entry = 0", "settlement", "hand 2"),
        ("settlement", "players = array_reverse_of(players)", "hand = 2 AND entry = 0",
         "settlement", "other players"),
        ("settlement", "facts = jsonb_set(facts, '{streak}', '3')", "hand = 2 AND entry = 0",
         "settlement", "other facts"),
        ("settlement", "ruleset_version = 9", "hand = 2 AND entry = 0", "settlement", "ruleset"),
        ("settlement", "seq = 1", "hand = 2 AND entry = 0", "settlement", "seals no such"),
        ("settlement", "seal_position = 99", "hand = 3", "settlement", "journal"),
    ],
)  # fmt: skip
def test_whatever_is_altered_its_row_is_named(
    game: RecordedGame,
    altered: Execute,
    table: str,
    change: str,
    where: str,
    kind: str,
    names: str,
) -> None:
    altered(
        "CREATE FUNCTION array_reverse_of(uuid[]) RETURNS uuid[] LANGUAGE sql RETURN"
        " (SELECT array_agg(one ORDER BY place DESC) FROM unnest($1)"
        " WITH ORDINALITY AS u(one, place))"
    )
    altered(f"UPDATE {table} SET {change} WHERE game_id = %s AND {where}", [game.id])
    finding = verify_ledger_of(game.id).finding
    assert finding is not None
    assert (finding.kind, finding.game_id) == (kind, game.id)
    assert names in finding.message
    code, lines = verify()
    assert code == 1
    assert lines[0].startswith(f"{game.id} seq ")
    assert lines[-1].endswith("1 not as recorded")


def test_points_stated_for_nothing_are_named(game: RecordedGame, altered: Execute) -> None:
    altered(
        "UPDATE settlement SET points = '{5,-5,0,0}' WHERE game_id = %s AND hand = 3", [game.id]
    )
    finding = verify_ledger_of(game.id).finding
    assert finding is not None
    assert (finding.kind, finding.seq) == ("sum", 4)


def test_a_payment_that_vanished_is_named(game: RecordedGame, altered: Execute) -> None:
    altered("DELETE FROM transfer WHERE game_id = %s AND hand = 2 AND line = 1", [game.id])
    finding = verify_ledger_of(game.id).finding
    assert finding is not None
    assert finding.kind == "payment"


def test_a_settlement_that_vanished_is_named(game: RecordedGame, altered: Execute) -> None:
    altered("DELETE FROM settlement WHERE game_id = %s AND hand = 3", [game.id])
    finding = verify_ledger_of(game.id).finding
    assert finding is not None
    assert (finding.kind, finding.seq) == ("unsettled", 4)
    gap = verify_whole_ledger()
    assert gap is not None
    assert gap.kind == "settlement"


def test_what_could_not_be_settled_or_is_not_due_yet_is_accounted_for() -> None:
    game = new_game()
    record(game, replace(started(), players=("a", "b", "c", "d")), *drawn_hands(2), at=0)
    journal.seal_pending()
    assert verify_ledger_of(game).finding is None
    settle_sealed()
    # Its players are no ids, so both hands are failures.
    assert settlement_failures().count == 2
    report = verify_ledger_of(game)
    assert (report.settlements, report.finding) == (0, None)


def test_a_game_that_does_not_exist_is_said_so() -> None:
    code, lines = verify(str(UUID(int=7)))
    assert code == 1
    assert "There is no game" in lines[-1]
