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
    tiers: Rows


def record_league(
    games: int = GAMES, hands: int = HANDS, first_player: int = 1, *, rulings: bool = False
) -> None:
    """Record games of one club among eight players; always the same ones for the same numbers.

    With `rulings` among the hands: facts corrected, hands voided, penalties made and taken back.
    """
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
            if rulings and dice.random() < 0.4:
                _rule(game, dice)


def _rule(game: RecordedGame, dice: random.Random) -> None:
    assert game.game is not None
    hand = dice.randint(1, game.game.hand)
    kind = dice.randrange(4)
    if kind == 0:
        game.correct(hand, dice.randrange(4), gang=dice.random() < 0.5)
    elif kind == 1:
        game.void(game.game.hand)
    else:
        payer, payee = dice.sample([str(player) for player in game.players], 2)
        penalty = game.penalise((payer, "club", 3), (payer, payee, 2), hand=hand)
        if kind == 2:
            game.cancel(penalty)


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
            "SELECT game_id, hand, entry, revision, seq, result, points::text, next_dealer,"
            " next_streak FROM settlement ORDER BY 1, 2, 3, 4"
        ),
        transfers=rows(
            "SELECT game_id, hand, entry, revision, line, payer, payee, points, kind, item, seq"
            " FROM transfer ORDER BY 1, 2, 3, 4, 5"
        ),
        results=rows(
            "SELECT game_id, hand, entry, revision, player_id, person_id, seat, points, won, total,"
            " dealt_in, gangs, until_position IS NULL FROM result ORDER BY 1, 2, 3, 4, 5"
        ),
        standings=rows(
            "SELECT season_id, ruleset, player_id, games, hands, points, wins, zimo_wins, deal_ins,"
            " gangs, best_total, ladder_score, tier FROM standing ORDER BY 1, 2, 3"
        ),
        tiers=rows(
            "SELECT season_id, ruleset, player_id, game_id, hand, entry, revision, from_tier,"
            " to_tier, ladder_score FROM tier_change ORDER BY 1, 2, 3, ended_at_ms, 4, 5, 6"
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
