"""The same games for every test of settling as a whole, and what settling them comes to."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from records.journal import seal_pending
from records.settlement import settle_sealed
from replays.projections import advance_projections
from tests.support.recorded import RecordedGame

CLUB = UUID(int=1_000_000)
GAMES, HANDS = 6, 10

Rows = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Outcome:
    """What must come out whatever happens on the way, without the order in which it was done."""

    settlements: Rows
    transfers: Rows
    results: Rows
    standings: Rows


def record_league(games: int = GAMES, hands: int = HANDS, first_player: int = 1) -> None:
    """Record games of one club among eight players; always the same ones for the same numbers."""
    dice = random.Random(7)
    for _ in range(games):
        seats = dice.sample(range(first_player, first_player + 8), 4)
        game = RecordedGame(club_id=CLUB, players=tuple(UUID(int=number) for number in seats))
        for _ in range(hands):
            winner, other = dice.sample(range(4), 2)
            kind = dice.randrange(4)
            game.play(
                None if kind == 0 else winner,
                from_seat=other if kind == 1 else None,
                gang=kind == 2,
            )


def settle_in_peace() -> Outcome:
    """Settle what is recorded here and now, with no worker and no broker."""
    seal_pending()
    settle_sealed()
    advance_projections()
    return outcome()


def outcome() -> Outcome:
    """What the database of the test holds by now."""
    return Outcome(
        settlements=rows(
            "SELECT game_id, hand, revision, seq, result, points::text, next_dealer, next_streak"
            " FROM settlement ORDER BY 1, 2, 3"
        ),
        transfers=rows(
            "SELECT game_id, hand, revision, line, payer, payee, points, kind, item, seq"
            " FROM transfer ORDER BY 1, 2, 3, 4"
        ),
        results=rows(
            "SELECT game_id, hand, entry, revision, player_id, person_id, seat, points, won, total,"
            " dealt_in, gangs, until_position IS NULL FROM result ORDER BY 1, 2, 3, 4, 5"
        ),
        standings=rows(
            "SELECT season_id, ruleset, player_id, games, hands, points, wins, zimo_wins, deal_ins,"
            " gangs, best_total, ladder_score, tier FROM standing ORDER BY 1, 2, 3"
        ),
    )


def insist_on_once_each_and_zero_sums() -> None:
    """One settlement for each hand, positions without a gap, and every sum zero."""
    assert rows("SELECT count(*) FROM ledger_mismatch") == [(0,)]
    assert rows("SELECT count(*) FROM settlement_failure") == [(0,)]
    seals, settlements, hands, last = rows(
        "SELECT (SELECT count(*) FROM journal), count(*), count(DISTINCT (game_id, hand)),"
        " max(position) FROM settlement"
    )[0]
    assert seals == settlements == hands == last
    assert rows("SELECT coalesce(sum(points), 0) FROM standing") == [(0,)]


def rows(query: str, parameters: Sequence[Any] = ()) -> Rows:
    """The rows of a query."""
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        found: Rows = cursor.fetchall()
    return found
