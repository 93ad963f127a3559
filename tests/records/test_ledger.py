"""The ledger's own promises, kept by the database: append-only, and it always adds up."""

from uuid import uuid4

import psycopg
import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

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


def penalty_of(books: Books, **changes: object) -> tuple[Settlement, Transfer]:
    """A penalty of 30 that the first player pays into the club's pot, not written yet."""
    position = (Settlement.objects.count() or 0) + 1
    settlement = Settlement(
        game_id=uuid7(),
        hand=0,
        entry=7,
        revision=1,
        position=position,
        seal_position=position,
        seq=7,
        club_id=books.club_id,
        ruleset="fake",
        ruleset_version=1,
        engine="test",
        result="penalty",
        players=[books.players[0], books.club_id],
        points=[-30, 30],
        stake=1,
        ladder_start=0,
        score={"wins": [], "details": {}},
        started_at_ms=1,
        ended_at_ms=2,
        settled_at=timezone.now(),
    )
    for name, value in changes.items():
        setattr(settlement, name, value)
    line = Transfer(
        **{
            name: getattr(settlement, name)
            for name in ("game_id", "hand", "entry", "revision", "position", "club_id")
        },
        ended_at_ms=settlement.ended_at_ms,
        line=1,
        payer=books.players[0],
        payee=books.club_id,
        points=30,
        kind="penalty",
        item="penalty",
        rule="",
        seq=7,
    )
    return settlement, line


DEALT = {"dealer": 0, "streak": 1, "next_streak": 1}


@transaction.atomic
def write(settlement: Settlement, *lines: Transfer) -> None:
    settlement.save(force_insert=True)
    for line in lines:
        line.save(force_insert=True)


def test_an_entry_has_any_accounts_and_the_clubs_pot_among_them(books: Books) -> None:
    write(*penalty_of(books))
    assert mismatches() == []
    (settled,) = settled_after(0, 1)
    assert (settled.entry, settled.players[1], settled.points) == (7, books.club_id, (-30, 30))
    assert settled.payments[0].payer_seat is None


@pytest.mark.parametrize(
    ("changes", "constraint"),
    [
        ({"result": "hu", "facts": {}}, "settlement_result_check"),
        ({"result": "voided"}, "settlement_result_check"),
        ({"entry": 0, "hand": 1, **DEALT}, "settlement_players_check"),
        ({"entry": 0, **DEALT}, "settlement_hand_check"),
        ({"hand": -1}, "settlement_hand_check"),
        (DEALT, "settlement_facts_check"),
        ({"facts": {}}, "settlement_facts_check"),
        ({"points": [-30, 31]}, "settlement_points_check"),
        ({"points": [-30, 30, 0]}, "settlement_points_check"),
    ],
)
def test_an_entry_that_cannot_be_is_refused(
    books: Books, changes: dict[str, object], constraint: str
) -> None:
    settlement, line = penalty_of(books, **changes)
    with pytest.raises(IntegrityError, match=constraint):
        write(settlement, line)


@pytest.mark.parametrize(
    "changes",
    [
        {"payer_seat": 0, "payee_seat": 1},
        {"payer_seat": 0},
        {"kind": "hu"},
        {"kind": "gift"},
        {"payee": "payer"},
    ],
)
def test_a_payment_of_an_entry_that_cannot_be_is_refused(
    books: Books, changes: dict[str, object]
) -> None:
    settlement, line = penalty_of(books)
    for name, value in changes.items():
        setattr(line, name, line.payer if value == "payer" else value)
    with pytest.raises(IntegrityError, match=r"transfer_(parties|kind)_check"):
        write(settlement, line)


@pytest.mark.parametrize("name", ["position", "club_id", "ended_at_ms"])
def test_a_payment_says_position_club_and_time_as_its_settlement_does(
    books: Books, name: str
) -> None:
    settlement, line = penalty_of(books)
    setattr(line, name, uuid4() if name == "club_id" else 99)
    with pytest.raises(IntegrityError, match="does not add up"):
        write(settlement, line)


def test_a_revision_without_the_one_before_it_is_refused(books: Books) -> None:
    settlement, line = penalty_of(books, revision=2)
    with pytest.raises(IntegrityError, match="does not add up"):
        write(settlement, line)


def cancelling(books: Books, **changes: object) -> tuple[Settlement, Transfer]:
    """The cancelling of a penalty that is written already, with its reversal, not written yet."""
    settlement, line = penalty_of(books)
    write(settlement, line)
    cancelled, back = penalty_of(
        books, game_id=settlement.game_id, revision=2, result="penalty_cancelled", points=[0, 0]
    )
    back.payer, back.payee, back.reverses = line.payee, line.payer, 1
    for name, value in changes.items():
        setattr(back, name, value)
    return cancelled, back


def test_a_reversal_is_the_payment_turned_round(books: Books) -> None:
    write(*cancelling(books))
    assert mismatches() == []


@pytest.mark.parametrize(
    "changes", [{"item": "gift"}, {"rule": "T-1"}, {"seq": 8}, {"points": 29}, {"reverses": 2}]
)
def test_a_reversal_of_anything_else_is_refused(books: Books, changes: dict[str, object]) -> None:
    cancelled, back = cancelling(books, **changes)
    with pytest.raises(IntegrityError, match="does not add up"):
        write(cancelled, back)


def test_a_reversal_between_others_is_refused(books: Books) -> None:
    cancelled, back = cancelling(books, payer=books.players[1])
    with pytest.raises(IntegrityError, match="does not add up"):
        write(cancelled, back)


def test_a_revision_that_takes_nothing_back_is_refused(books: Books) -> None:
    cancelled, _ = cancelling(books)
    with pytest.raises(IntegrityError, match="does not add up"):
        write(cancelled)


def test_a_page_of_a_players_payments_is_read_from_an_index(books: Books) -> None:
    write(*penalty_of(books))
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")
        for side in ("payer", "payee"):
            cursor.execute(
                f"EXPLAIN SELECT * FROM transfer WHERE {side} = %s"
                f" AND (ended_at_ms, position, line) < (9, 9, 9)"
                f" ORDER BY ended_at_ms DESC, position DESC, line DESC LIMIT 50",
                [books.players[0]],
            )
            plan = "\n".join(row[0] for row in cursor.fetchall())
            assert f"transfer_by_{side}" in plan
            assert "Sort" not in plan
        cursor.execute("RESET enable_seqscan")
