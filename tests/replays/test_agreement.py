"""`manage.py verify --ledger` holds the boards against the ledger, person by person."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from replays.agreement import disagreements
from replays.projections import advance_projections
from tests.support.databases import Database
from tests.support.settled import Books


def test_boards_agree_with_the_ledger_as_far_as_they_have_read_it(database: Database) -> None:
    del database
    books = Books()
    first = books.settle((0, 1, 5), (2, 1, 3), winner=1)
    advance_projections()
    books.settle((0, 1, 9), game_id=first.game_id, winner=1)
    assert disagreements() == []
    advance_projections()
    assert disagreements() == []


def test_a_board_that_says_something_else_is_named(database: Database) -> None:
    books = Books()
    books.settle((0, 1, 5), winner=1)
    advance_projections()
    connections.close_all()
    with database.connect(autocommit=True) as superuser:
        superuser.execute(
            "UPDATE standing SET points = points + 2 WHERE player_id = %s", [books.players[1]]
        )
    (found,) = disagreements()
    assert (found.person, found.standing, found.paid) == (books.players[1], 7, 5)
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("verify", "--ledger", stdout=out)
    assert out.getvalue().startswith(f"ledger: standing: the board of club {books.club_id} gives")
