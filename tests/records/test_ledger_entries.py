"""Entries beside the hands, and what the database refuses of them and of their reversals."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from records.ids import uuid7
from records.ledger import mismatches, settled_after
from records.models import Settlement, Transfer
from tests.support.databases import Database
from tests.support.settled import Books


@pytest.fixture
def books(database: Database) -> Books:
    del database
    return Books()


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
