"""Statements read from the ledger: order, balances, corrections, merges, what a page reads."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from records.clubs import create_club
from records.ids import uuid7
from records.merges import merge
from records.models import Club
from records.players import add_player
from replays import periods, statements
from replays.periods import Period, position_known_at
from replays.statements import Line, Subject
from tests.support.people import new_account
from tests.support.settled import Books

EVER = Period()


@pytest.fixture
def books(database: Any) -> Books:
    """Books of four players who have accounts nowhere."""
    del database
    return Books()


def subject(books: Books, seat: int = 0) -> Subject:
    """The player of a seat."""
    return statements.subject_of(club_id=books.club_id, account=books.players[seat])


def whole(of: Subject, period: Period = EVER, known: int | None = None) -> list[Line]:
    """Every line of a statement."""
    position = position_known_at(None) if known is None else known
    opening = statements.opening_balance(of, period, known_position=position)
    return list(statements.lines_of(of, period, known_position=position, opening=opening))


def test_lines_stand_in_the_order_of_play_with_a_running_balance(books: Books) -> None:
    books.settle((1, 0, 5), (2, 0, 3))
    books.settle((0, 2, 4))
    lines = whole(subject(books))
    assert [line.points for line in lines] == [5, 3, -4]
    assert [line.balance for line in lines] == [5, 8, 4]
    assert [line.counterpart for line in lines] == [books.players[seat] for seat in (1, 2, 2)]
    assert lines[0].moment == f"/games/{lines[0].game_id}#1.2"


def test_pages_of_any_size_are_the_whole_statement(books: Books) -> None:
    for hand in range(7):
        books.settle((1, 0, 5 + hand), (0, 2, 3), (3, 0, 1))
    own = subject(books)
    expected = whole(own)
    assert len(expected) == 21
    known = position_known_at(None)
    for size in (1, 2, 5, 21):
        mark, found = statements.first_mark(EVER, 0), []
        while page := statements.page_of(own, EVER, after=mark, known_position=known, limit=size):
            found += page
            mark = page[-1].mark
        assert found == expected


def test_a_correction_takes_lines_back_where_they_stood(books: Books) -> None:
    first = books.settle((1, 0, 5))
    books.settle((2, 0, 7))
    known = position_known_at(None)
    books.settle((1, 0, 2), game_id=first.game_id)
    corrected = whole(subject(books))
    assert sorted(line.points for line in corrected) == [-5, 2, 5, 7]
    assert corrected[-1].balance == 9
    taken_back = next(line for line in corrected if line.points == 5)
    assert taken_back.reversed_in == 2
    reversal = next(line for line in corrected if line.points == -5)
    assert reversal.reverses
    assert reversal.reversed_in is None
    before = whole(subject(books), known=known)
    assert [(line.points, line.reversed_in) for line in before] == [(5, None), (7, None)]


def test_a_period_opens_with_what_was_before_and_closes_with_its_lines(books: Books) -> None:
    books.settle((1, 0, 5))
    second = books.settle((0, 2, 3))
    third = books.settle((3, 0, 10))
    period = Period(from_ms=second.ended_at_ms, to_ms=third.ended_at_ms)
    own, known = subject(books), position_known_at(None)
    opening = statements.opening_balance(own, period, known_position=known)
    summary = statements.summary_of(own, period, known_position=known, opening=opening)
    assert (summary.opening, summary.closing) == (5, 2)
    assert [line.balance for line in whole(own, period)] == [2]
    assert {kind: sums.points for kind, sums in summary.by_kind.items()} == {"hu": -3}
    assert summary.by_counterpart[books.players[2]].paid == 3
    assert summary.all.lines == 1


def test_as_of_a_moment_only_what_was_played_counts(books: Books) -> None:
    first = books.settle((1, 0, 5))
    books.settle((1, 0, 6))
    at = datetime.fromtimestamp(first.ended_at_ms / 1000, tz=UTC)
    assert [line.points for line in whole(subject(books), EVER.up_to(at))] == [5]


def test_what_was_known_at_a_moment_is_found_exactly(books: Books) -> None:
    assert position_known_at(None) == 0
    assert position_known_at(datetime(2030, 1, 1, tzinfo=UTC)) == 0
    settled = [books.settle((1, 0, 1)) for _ in range(9)]
    for each in settled:
        assert position_known_at(each.settled_at) == each.position
    assert position_known_at(datetime(2000, 1, 1, tzinfo=UTC)) == 0
    assert position_known_at(datetime(2100, 1, 1, tzinfo=UTC)) == position_known_at(None) == 9


def test_days_and_months_begin_at_midnight_in_the_clubs_time_zone() -> None:
    november = periods.month("Asia/Shanghai", year=2026, number=11)
    assert november.from_ms == periods.to_ms(datetime(2026, 10, 31, 16, tzinfo=UTC))
    assert november.to_ms == periods.to_ms(datetime(2026, 11, 30, 16, tzinfo=UTC))
    # The day clocks go forward in Berlin has 23 hours.
    short = periods.days("Europe/Berlin", first=date(2026, 3, 29), last=date(2026, 3, 29))
    assert short.to_ms - short.from_ms == 23 * 3_600_000
    assert periods.days("UTC", first=None, last=date.max) == EVER


def club_books() -> tuple[Club, Books]:
    """Books of a club whose four players exist."""
    club = create_club(owner=new_account(), name="C", slug="c", time_zone="Asia/Shanghai")
    players = sorted(add_player(club=club, name=name).pk for name in ("A", "B", "C", "D"))
    return club, Books(club_id=club.pk, players=tuple(players))


def test_balances_of_a_club_sum_to_zero_before_and_after(database: Any) -> None:
    del database
    club, books = club_books()
    books.settle((0, 1, 5), (2, 1, 5))
    middle = books.settle((1, 3, 4))
    found = statements.balances_of(
        club.pk,
        books.players,
        Period(from_ms=middle.ended_at_ms),
        known_position=position_known_at(None),
    )
    assert found[-1].account == club.pk
    assert sum(each.opening for each in found) == sum(each.closing for each in found) == 0
    by_account = {each.account: each for each in found}
    assert by_account[books.players[1]].opening == 10
    assert by_account[books.players[1]].closing == 6


def test_a_merged_record_counts_for_its_person_as_owner_and_as_counterpart(database: Any) -> None:
    del database
    club, books = club_books()
    guest = add_player(club=club, name="Guest")
    others = Books(club_id=club.pk, players=(guest.pk, *books.players[1:]))
    books.settle((1, 0, 5))
    others.settle((1, 0, 7))
    person = club.players.get(pk=books.players[0])
    assert club.created_at
    merge(absorbed=guest, into=person, by=new_account())
    own = statements.subject_of(club_id=club.pk, account=guest.pk)
    assert own.account == person.pk
    assert [line.points for line in whole(own)] == [5, 7]
    theirs = whole(statements.subject_of(club_id=club.pk, account=books.players[1]))
    assert {line.counterpart for line in theirs} == {person.pk}
    balances = statements.balances_of(
        club.pk, [*books.players, guest.pk], EVER, known_position=position_known_at(None)
    )
    assert guest.pk not in {each.account for each in balances}
    assert next(each.closing for each in balances if each.account == person.pk) == 12


def rows_read(plan: dict[str, Any]) -> int:
    """How many payments the scans below a node of a plan have given or thrown away."""
    own = 0
    if plan.get("Relation Name") == "transfer":
        dropped = plan.get("Rows Removed by Filter", 0)
        own = (plan["Actual Rows"] + dropped) * plan["Actual Loops"]
    return int(own + sum(rows_read(child) for child in plan.get("Plans", ())))


def page_reads(own: Subject, after: statements.Mark, limit: int) -> int:
    """How many payments one page reads."""
    given = {
        "records": list(own.records),
        "ended": after.ended_at_ms,
        "position": after.position,
        "line": after.line,
        "payee_line": after.line,
        "to": EVER.to_ms,
        "known": position_known_at(None),
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {statements._PAGE}", given)
        found = cursor.fetchone()[0]
    plans = json.loads(found) if isinstance(found, str) else found
    return rows_read(plans[0]["Plan"])


def test_a_page_reads_the_same_however_long_the_statement_is(books: Books) -> None:
    game: UUID = uuid7()
    for hand in range(1, 31):
        books.settle(*[(1, 0, 1), (0, 2, 1)] * 5, game_id=game, hand=hand)
    own = subject(books)
    short = page_reads(own, statements.first_mark(EVER, 0), 10)
    for hand in range(31, 151):
        books.settle(*[(1, 0, 1), (0, 2, 1)] * 5, game_id=game, hand=hand)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    lines = whole(own)
    assert len(lines) == 1500
    first = page_reads(own, statements.first_mark(EVER, 0), 10)
    late = page_reads(own, lines[1400].mark, 10)
    assert max(short, first, late) <= 10 * 4
