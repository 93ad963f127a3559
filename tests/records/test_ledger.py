"""The ledger's own promises, kept by the database: append-only, and it always adds up."""

from uuid import uuid4

import psycopg
import pytest
from django.db import IntegrityError, transaction

from records.ids import uuid7
from records.ledger import (
    Mismatch,
    age_of_oldest_unsettled_hand_s,
    mismatches,
    revisions_of_hand,
    settled_after,
    settlement_failures,
    settlement_of_game,
)
from records.models import Settlement, SettlementFailure, Transfer
from tests.support.databases import Database
from tests.support.settled import Books


@pytest.fixture
def books(database: Database) -> Books:
    return Books()


@pytest.mark.parametrize("role", ["default", "owner", None], ids=["writer", "owner", "superuser"])
def test_nobody_changes_removes_or_truncates_what_the_ledger_holds(
    database: Database, books: Books, role: str | None
) -> None:
    books.settle((0, 2, 12), winner=2)
    refusal: type[Exception] = psycopg.errors.RestrictViolation
    if role == "default":
        refusal = psycopg.errors.InsufficientPrivilege
    with database.connect(role, autocommit=True) as connection:
        for table in ("settlement", "transfer"):
            for attack in (
                f"UPDATE {table} SET seq = 9",
                f"DELETE FROM {table}",
                f"TRUNCATE {table} CASCADE",
            ):
                with pytest.raises(refusal):
                    connection.execute(attack)


def test_a_restore_session_cannot_change_the_ledger_either(
    database: Database, books: Books
) -> None:
    books.settle((0, 2, 12), winner=2)
    with database.connect(autocommit=True) as superuser:
        superuser.execute("SET session_replication_role = replica")
        for table in ("settlement", "transfer"):
            with pytest.raises(psycopg.errors.RestrictViolation):
                superuser.execute(f"UPDATE {table} SET seq = 9")


@pytest.mark.parametrize("role", ["reader", "sequencer"])
def test_reader_and_sequencer_cannot_write_to_the_ledger(database: Database, role: str) -> None:
    with database.connect(role, autocommit=True) as connection:
        for table in ("settlement", "transfer"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"INSERT INTO {table} DEFAULT VALUES")


def line_of(settlement: Settlement, **changes: object) -> Transfer:
    fields = {
        "game_id": settlement.game_id,
        "hand": settlement.hand,
        "revision": settlement.revision,
        "line": 9,
        "payer": settlement.players[0],
        "payee": settlement.players[1],
        "payer_seat": 0,
        "payee_seat": 1,
        "points": 5,
        "kind": "hu",
        "item": "base",
        "rule": "T-1",
        "seq": 2,
        **{name: getattr(settlement, name) for name in ("position", "club_id", "ended_at_ms")},
    }
    return Transfer(**{**fields, **changes})


def test_a_payment_that_the_settlement_does_not_state_is_refused_at_commit(books: Books) -> None:
    settlement = books.settle((0, 2, 12), winner=2)
    with pytest.raises(IntegrityError, match="does not add up"):
        line_of(settlement).save(force_insert=True)
    assert Transfer.objects.count() == 1


def test_a_settlement_without_the_payments_it_states_is_refused_at_commit(books: Books) -> None:
    settlement = books.settle((0, 2, 12), winner=2)
    settlement.game_id = uuid7()
    settlement.seal_position = settlement.position = 2
    with pytest.raises(IntegrityError, match="does not add up"):
        settlement.save(force_insert=True)


def test_points_that_do_not_sum_to_zero_are_refused(books: Books) -> None:
    settlement = books.settle(result="huang_zhuang")
    settlement.game_id = uuid7()
    settlement.points = [1, 0, 0, 0]
    with pytest.raises(IntegrityError, match="settlement_points_check"):
        settlement.save(force_insert=True)


def test_a_correction_must_take_back_exactly_what_was_paid(books: Books) -> None:
    settlement = books.settle((0, 2, 12), winner=2)
    settlement.revision = 2
    settlement.seal_position = settlement.position = 2
    settlement.points = [-5, 5, 0, 0]
    reversal = {
        "revision": 2,
        "line": 1,
        "payer": settlement.players[2],
        "payee": settlement.players[0],
        "payer_seat": 2,
        "payee_seat": 0,
        "reverses": 1,
    }

    @transaction.atomic
    def correct(amount: int) -> None:
        settlement.save(force_insert=True)
        line_of(settlement, **{**reversal, "points": amount}).save(force_insert=True)
        line_of(settlement).save(force_insert=True)

    for amount in (11, 13):
        with pytest.raises(IntegrityError, match="does not add up"):
            correct(amount)
    correct(12)
    assert mismatches() == []


def test_a_payment_that_cannot_be_is_refused(books: Books) -> None:
    settlement = books.settle((0, 2, 12), winner=2)
    for change in (
        {"points": 0},
        {"points": -5},
        {"kind": "gift"},
        {"payee": None},
        {"payee": settlement.players[0]},
        {"payee_seat": 0},
        {"payee_seat": 4},
        {"reverses": 1},
        {"hand": 2},
    ):
        with pytest.raises(IntegrityError) as refusal:
            line_of(settlement, **change).save(force_insert=True)
        assert "does not add up" not in str(refusal.value), change


def test_one_seal_is_settled_once(books: Books) -> None:
    settlement = books.settle(result="huang_zhuang")
    settlement.revision = 2
    with pytest.raises(IntegrityError, match="seal_position"):
        settlement.save(force_insert=True)


def test_the_view_names_a_settlement_that_does_not_add_up(database: Database, books: Books) -> None:
    books.settle((0, 1, 5), winner=1)
    wrong = books.settle((0, 2, 12), (1, 2, 10), winner=2)
    assert mismatches() == []
    with database.connect(autocommit=True) as superuser:
        superuser.execute("ALTER TABLE transfer DISABLE TRIGGER ALL")
        superuser.execute("UPDATE transfer SET points = 13 WHERE points = 12")
    assert mismatches() == [Mismatch(wrong.game_id, 1, 0, 1)]


def test_a_game_is_read_with_the_last_revision_of_each_hand(books: Books) -> None:
    first = books.settle((0, 1, 5), winner=1)
    books.settle((2, 1, 7), winner=1, game_id=first.game_id, hand=2)
    books.settle((0, 3, 6), winner=3, game_id=first.game_id)
    books.settle((0, 1, 5), winner=1)
    hands = settlement_of_game(first.game_id)
    assert [(hand.hand, hand.revision, hand.points) for hand in hands] == [
        (1, 2, (-6, 0, 0, 6)),
        (2, 1, (0, 7, -7, 0)),
    ]
    assert [payment.reverses for payment in hands[0].payments] == [1, None]
    assert [payment.points for payment in hands[0].own_payments] == [6]
    revisions = revisions_of_hand(first.game_id, 1)
    assert [revision.points for revision in revisions] == [(-5, 5, 0, 0), (-6, 0, 0, 6)]


def test_settlements_are_followed_in_the_order_they_were_made(books: Books) -> None:
    games = [books.settle((0, 1, 5), winner=1).game_id for _ in range(5)]
    first = settled_after(0, 3)
    assert [hand.game_id for hand in first] == games[:3]
    assert [hand.game_id for hand in settled_after(first[-1].position, 3)] == games[3:]
    assert settled_after(5, 3) == []


def test_the_age_of_the_oldest_unsettled_hand_is_of_queue_and_journal(database: Database) -> None:
    assert age_of_oldest_unsettled_hand_s() == 0
    game_id, digest = uuid7(), b"\0" * 32
    with database.connect(autocommit=True) as superuser:
        superuser.execute(
            "INSERT INTO seal_queue (game_id, hand, seq, hash, queued_at)"
            " VALUES (%s, 1, 2, %s, now() - interval '100 s')",
            [game_id, digest],
        )
        assert 99 < age_of_oldest_unsettled_hand_s() < 160
        superuser.execute("DELETE FROM seal_queue")
        superuser.execute(
            "INSERT INTO journal (position, game_id, hand, seq, hash, leaf, sealed_at)"
            " VALUES (1, %s, 1, 2, %s, %s, now() - interval '1000 s')",
            [game_id, digest, digest],
        )
        assert 999 < age_of_oldest_unsettled_hand_s() < 1060
        superuser.execute(
            "INSERT INTO settlement_cursor (id, seal_position, position) VALUES (1, 1, 1)"
        )
    assert age_of_oldest_unsettled_hand_s() == 0


def test_failures_are_counted_and_the_oldest_shown(database: Database) -> None:
    assert (settlement_failures().count, settlement_failures().oldest) == (0, ())
    for position in (3, 1, 2):
        SettlementFailure.objects.create(
            seal_position=position,
            game_id=uuid4(),
            hand=position,
            seq=2,
            code="engine_failed",
            message="no",
            retry_at="2030-01-01T00:00:00Z",
        )
    found = settlement_failures(limit=2)
    assert found.count == 3
    assert [failure.hand for failure in found.oldest] == [3, 1]


def test_the_cursor_is_one_row(database: Database) -> None:
    with database.connect("default") as writer, pytest.raises(psycopg.errors.CheckViolation):
        writer.execute(
            "INSERT INTO settlement_cursor (id, seal_position, position) VALUES (2, 0, 0)"
        )
