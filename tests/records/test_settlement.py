"""Each sealed hand is settled once, with the payments the engine says, whoever asks how often."""

import threading
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connections
from django.utils import timezone

from records.drain import drain
from records.journal import seal_pending
from records.ledger import (
    mismatches,
    revisions_of_hand,
    settled_after,
    settlement_failures,
    settlement_of_game,
)
from records.models import Settlement, SettlementFailure, Transfer
from records.posting import InForce, Place, Sealed, Setting, Unsettled, compose
from records.settlement import LOCK, retry_failures, settle_sealed
from rules_engine import VERSION
from rules_engine.events import GameEnded, HandEnded, HandStarted
from tests.support.databases import Database
from tests.support.recorded import RecordedGame

pytestmark = pytest.mark.usefixtures("database")


def settle_everything() -> int:
    seal_pending()
    return settle_sealed()


def test_a_sealed_hand_is_paid_as_the_engine_says() -> None:
    game = RecordedGame()
    game.play(2)
    assert settle_everything() == 1
    (hand,) = settlement_of_game(game.id)
    assert hand.points == (-12, -10, 32, -10)
    assert hand.players == game.players
    assert (hand.club_id, hand.seq, hand.engine) == (game.club_id, 2, VERSION)
    assert (hand.result, hand.wins[0].seat, hand.wins[0].total) == ("hu", 2, 10)
    paid = [(p.payer_seat, p.payee_seat, p.points, p.item, p.seq) for p in hand.payments]
    assert sorted(paid) == [
        (0, 2, 2, "zhuang_pay", 2),
        (0, 2, 10, "hu", 2),
        (1, 2, 10, "hu", 2),
        (3, 2, 10, "hu", 2),
    ]
    assert all(p.payee == game.players[2] for p in hand.payments)


def test_the_settlement_shows_the_next_dealer_and_the_streak() -> None:
    game = RecordedGame()
    for winner in (0, 0, None, 3):
        game.play(winner)
    settle_everything()
    assert [
        (hand.dealer, hand.streak, hand.next_dealer, hand.next_streak)
        for hand in settlement_of_game(game.id)
    ] == [(0, 1, 0, 2), (0, 2, 0, 3), (0, 3, 0, 4), (0, 4, 1, 1)]


def test_a_hand_nobody_won_is_settled_without_payments() -> None:
    game = RecordedGame()
    game.play(None)
    settle_everything()
    (hand,) = settlement_of_game(game.id)
    assert (hand.result, hand.points, hand.payments) == ("huang_zhuang", (0, 0, 0, 0), ())


def test_an_abandoned_hand_is_settled_without_payments_and_without_facts() -> None:
    game = RecordedGame()
    wall = [f"{rank}{suit}" for suit in "mps" for rank in range(2, 9) for _ in range(4)]
    dealt = tuple("".join(wall[seat * 13 : seat * 13 + 13]) for seat in range(4))
    game.append(
        HandStarted(hand=1, dealer=0, dealt=(dealt[0] + wall[-1], *dealt[1:]), last=wall[-1]),
        HandEnded(reason="abandoned"),
    )
    game.play(1)
    assert settle_everything() == 2
    abandoned, played = settlement_of_game(game.id)
    assert (abandoned.result, abandoned.facts, abandoned.payments) == ("abandoned", None, ())
    assert (played.hand, played.points[1]) == (2, 32)


def test_settling_again_changes_nothing() -> None:
    game = RecordedGame()
    game.play(1)
    settle_everything()
    before = list(Settlement.objects.values()), list(Transfer.objects.values())
    assert settle_everything() == 0
    assert (list(Settlement.objects.values()), list(Transfer.objects.values())) == before


@pytest.mark.parametrize("batch", [1, 2, 100])
def test_positions_have_no_gap_whatever_the_batch(batch: int) -> None:
    games = [RecordedGame() for _ in range(3)]
    for winner in (0, 1, None):
        for game in games:
            game.play(winner)
    seal_pending()
    assert settle_sealed(batch=batch) == 9
    assert [hand.position for hand in settled_after(0, 100)] == list(range(1, 10))
    assert mismatches() == []


def test_two_settlers_at_once_settle_each_hand_once() -> None:
    game = RecordedGame()
    for number in range(12):
        game.play(number % 4)
    seal_pending()
    start = threading.Barrier(4)

    def settle(_number: int) -> int:
        start.wait()
        try:
            return settle_sealed(batch=1)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        settled = sum(pool.map(settle, range(4)))
    assert settled + settle_sealed() == 12
    assert [hand.hand for hand in settlement_of_game(game.id)] == list(range(1, 13))


def test_a_settler_leaves_when_another_one_holds_the_lock(database: Database) -> None:
    RecordedGame().play(1)
    seal_pending()
    with database.connect("default") as other:
        other.execute("SELECT pg_advisory_xact_lock(hashtext('paipu'), hashtext(%s))", [LOCK])
        assert settle_sealed() == 0
        assert retry_failures() == 0
    assert settle_sealed() == 1


def test_a_drain_stops_at_its_budget_and_the_next_one_resumes() -> None:
    for _ in range(3):
        RecordedGame().play(1)
    seal_pending()
    assert drain(LOCK, lambda: 1, budget_s=0) == 0
    assert settle_sealed() == 3


@contextmanager
def broken(database: Database, game: RecordedGame) -> Iterator[None]:
    """While the block lasts, the first event of the game is not what was written."""
    with database.connect(autocommit=True) as superuser:
        superuser.execute("ALTER TABLE event DISABLE TRIGGER ALL")
        superuser.execute("DELETE FROM hand_snapshot WHERE game_id = %s", [game.id])
        change = "UPDATE event SET public = replace(public::text, %s, %s)::jsonb WHERE game_id = %s"
        superuser.execute(change, ['"hefei"', '"nowhere"', game.id])
        yield
        superuser.execute(change, ['"nowhere"', '"hefei"', game.id])


def test_a_hand_that_cannot_be_scored_does_not_hold_up_the_others(database: Database) -> None:
    first, second, third = (RecordedGame() for _ in range(3))
    for game in (first, second, third):
        game.play(1)
    with broken(database, second):
        assert settle_everything() == 3
    assert [hand.game_id for hand in settled_after(0, 10)] == [first.id, third.id]
    failures = settlement_failures()
    assert (failures.count, failures.oldest[0].game_id) == (1, second.id)
    assert failures.oldest[0].code
    assert retry_failures() == 1
    assert [hand.game_id for hand in settled_after(2, 10)] == [second.id]
    assert settlement_failures().count == 0


def test_a_hand_set_aside_is_tried_again_when_it_is_due_and_then_later_and_later(
    database: Database,
) -> None:
    game = RecordedGame()
    game.play(1)
    with broken(database, game):
        settle_everything()
        waits = []
        for attempts in range(1, 15):
            failure = SettlementFailure.objects.get()
            assert failure.attempts == attempts
            waits.append(failure.retry_at - timezone.now())
            assert settle_sealed() == 0
            SettlementFailure.objects.update(retry_at=timezone.now())
            assert settle_sealed() == 1
    minutes = [round(wait.total_seconds() / 60) for wait in waits]
    assert minutes == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440, 1440]
    SettlementFailure.objects.update(retry_at=timezone.now())
    assert settle_sealed() == 1
    assert len(settlement_of_game(game.id)) == 1
    assert settlement_failures().count == 0


def test_players_must_be_named_by_ids() -> None:
    game = RecordedGame(players=("lin", "wang", "zhao", "sun"))
    game.play(1)
    settle_everything()
    assert settlement_failures().oldest[0].code == "player_not_an_id"


def test_a_later_seal_of_a_hand_takes_back_what_was_paid_and_pays_anew() -> None:
    game = RecordedGame()
    game.play(2)
    game.append(GameEnded())
    settle_everything()
    game.correct(1, 2)
    settle_everything()
    first, second = revisions_of_hand(game.id, 1)
    reversed_lines = [p for p in second.payments if p.reverses is not None]
    assert [(p.payer, p.payee, p.points, p.item) for p in first.payments] == [
        (p.payee, p.payer, p.points, p.item) for p in reversed_lines
    ]
    assert [p.reverses for p in reversed_lines] == [p.line for p in first.payments]
    assert second.points == first.points
    assert (second.seq, second.position) == (4, 2)
    assert mismatches() == []


def test_two_seals_of_one_hand_in_one_batch_are_two_revisions() -> None:
    game = RecordedGame()
    game.play(2)
    game.append(GameEnded())
    game.correct(1, 2)
    assert settle_everything() == 2
    assert [len(r.payments) for r in revisions_of_hand(game.id, 1)] == [4, 8]
    assert mismatches() == []


def test_a_failed_seal_that_a_later_one_overtook_is_not_settled_any_more(
    database: Database,
) -> None:
    game = RecordedGame()
    game.play(2)
    game.append(GameEnded())
    with broken(database, game):
        settle_everything()
    game.correct(1, 2)
    settle_everything()
    assert settlement_failures().count == 0
    assert [r.seq for r in revisions_of_hand(game.id, 1)] == [4]


def test_of_a_failed_seal_and_a_later_one_in_one_batch_the_later_one_stands(
    database: Database,
) -> None:
    game = RecordedGame()
    game.play(2)
    game.append(GameEnded())
    with broken(database, game):
        settle_everything()
    game.correct(1, 2)
    SettlementFailure.objects.update(retry_at=timezone.now())
    assert settle_everything() == 2
    assert settlement_failures().count == 0
    assert [r.seq for r in revisions_of_hand(game.id, 1)] == [2, 4]


def test_a_fault_of_the_database_is_not_put_down_to_the_hand(database: Database) -> None:
    RecordedGame().play(2)
    seal_pending()
    with database.connect(autocommit=True) as superuser:
        superuser.execute("REVOKE SELECT ON hand_snapshot FROM paipu_writer")
        with pytest.raises(ProgrammingError, match="permission denied"):
            settle_sealed()
        assert settlement_failures().count == 0
        superuser.execute("GRANT SELECT ON hand_snapshot TO paipu_writer")
    assert settle_sealed() == 1


def test_a_seal_of_another_hand_than_the_one_that_ended_is_not_settled() -> None:
    game = RecordedGame()
    game.play(2)
    assert game.game is not None
    with pytest.raises(Unsettled, match="Hand 7 did not end at seq 2"):
        compose(
            seal=Sealed(position=1, game_id=game.id, hand=7, entry=0, seq=2),
            event=GameEnded(),
            game=game.game,
            setting=Setting(club_id=uuid4(), started_at_ms=0, ended_at_ms=0),
            in_force=InForce(),
            place=Place(1, timezone.now()),
        )


def test_the_engines_version_is_the_projects() -> None:
    project = Path(__file__).parents[2] / "pyproject.toml"
    assert tomllib.loads(project.read_text())["project"]["version"] == VERSION


def test_the_command_settles_here_and_now_and_names_what_it_cannot(database: Database) -> None:
    game = RecordedGame()
    game.play(2)
    errors = StringIO()
    with broken(database, game), pytest.raises(CommandError, match="1 hands cannot be settled"):
        call_command("settle", stdout=StringIO(), stderr=errors)
    assert f"game {game.id} hand 1: " in errors.getvalue()
    output = StringIO()
    call_command("settle", "--retry", stdout=output)
    assert output.getvalue() == "0 sealed, 0 worked off, 1 settled on retry\n"


def test_settled_at_grows_with_the_position_even_when_the_clock_goes_back(
    database: Database,
) -> None:
    game = RecordedGame()
    for winner in (0, 1):
        game.play(winner)
    settle_everything()
    with database.connect(autocommit=True) as superuser:
        superuser.execute("ALTER TABLE settlement DISABLE TRIGGER refuse_change")
        superuser.execute(
            "UPDATE settlement SET settled_at = settled_at + interval '1 year' WHERE position = 2"
        )
        superuser.execute("ALTER TABLE settlement ENABLE ALWAYS TRIGGER refuse_change")
    for winner in (2, 3):
        game.play(winner)
    settle_everything()
    moments = [hand.settled_at for hand in settled_after(0, 10)]
    assert len(moments) == 4
    assert moments == sorted(set(moments))
