"""Standings, boards and the ladder follow from the ledger, hand by hand or all at once."""

import random
from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from records.models import Club
from replays.models import (
    ALL_RULESETS,
    CountedClub,
    PlaceCount,
    Result,
    Standing,
    TierChange,
)
from replays.projections import advance_projections, take_in
from replays.rebuild import rebuild
from replays.standings import (
    lag,
    results_of_player,
    standing_of_player,
    standings_of_player,
    tier_changes_of_player,
)
from tests.support.databases import Database
from tests.support.settled import Books

TABLES = (Standing, Result, TierChange, PlaceCount)


@pytest.fixture
def books(database: Database) -> Books:
    return Books()


def tables() -> list[list[dict[str, Any]]]:
    """Everything the read side keeps, in an order of its own."""
    return [sorted(model.objects.values(), key=repr) for model in TABLES]


def standing(books: Books, seat: int, ruleset: str = ALL_RULESETS) -> Standing:
    found = standing_of_player(books.players[seat], ruleset)
    assert found is not None
    return found


def test_a_settled_hand_counts_for_all_four_players(books: Books) -> None:
    books.settle((0, 2, 12), (1, 2, 10), (3, 2, 10), winner=2, total=10)
    assert advance_projections() == 1
    assert [standing(books, seat).points for seat in range(4)] == [-12, -10, 32, -10]
    assert [standing(books, seat).hands for seat in range(4)] == [1, 1, 1, 1]
    winner = standing(books, 2)
    assert (winner.wins, winner.zimo_wins, winner.best_total) == (1, 1, 10)


def test_a_win_on_a_discard_is_a_deal_in_of_the_discarder_and_no_zimo(books: Books) -> None:
    books.settle((3, 2, 10), winner=2, by="dianpao", from_seat=3)
    advance_projections()
    assert [standing(books, seat).deal_ins for seat in range(4)] == [0, 0, 0, 1]
    assert (standing(books, 2).wins, standing(books, 2).zimo_wins) == (1, 0)


def test_gangs_of_winner_and_losers_are_counted(books: Books) -> None:
    books.settle((3, 2, 10), winner=2, gangs={2: 1, 0: 2})
    advance_projections()
    assert [standing(books, seat).gangs for seat in range(4)] == [2, 0, 1, 0]


def test_a_game_counts_once_however_many_hands_it_has(books: Books) -> None:
    first = books.settle((0, 1, 5), winner=1)
    books.settle((0, 1, 5), winner=1, game_id=first.game_id, hand=2)
    advance_projections()
    books.settle((0, 1, 5), winner=1, game_id=first.game_id, hand=3)
    books.settle((0, 1, 5), winner=1)
    advance_projections()
    assert (standing(books, 0).games, standing(books, 0).hands) == (2, 4)


def test_an_abandoned_hand_counts_for_nothing(books: Books) -> None:
    books.settle(result="abandoned")
    assert advance_projections() == 1
    assert tables() == [[], [], [], []]


def test_a_hand_nobody_won_counts_as_played(books: Books) -> None:
    books.settle(result="huang_zhuang")
    advance_projections()
    assert (standing(books, 0).hands, standing(books, 0).wins, standing(books, 0).points) == (
        1,
        0,
        0,
    )


def test_a_player_has_a_standing_in_each_ruleset_and_one_in_all_together(books: Books) -> None:
    books.settle((0, 1, 5), winner=1, total=5, ruleset="fake")
    books.settle((0, 1, 7), winner=1, total=7, ruleset="other")
    advance_projections()
    found = standings_of_player(books.players[1])
    assert [(row.ruleset, row.points, row.best_total) for row in found] == [
        (ALL_RULESETS, 12, 7),
        ("fake", 5, 5),
        ("other", 7, 7),
    ]


def test_the_ladder_starts_where_the_options_say(database: Database) -> None:
    books = Books(ladder_start=290)
    books.settle((0, 1, 10), winner=1)
    advance_projections()
    assert [standing(books, seat).ladder_score for seat in range(4)] == [280, 300, 290, 290]
    assert [standing(books, seat).tier for seat in range(4)] == [1, 2, 1, 1]


def test_a_step_of_the_ladder_names_the_hand_that_caused_it(books: Books) -> None:
    books.settle((0, 1, 299), winner=1)
    up = books.settle((0, 1, 1), winner=1, hand=4)
    down = books.settle((1, 0, 50), winner=0)
    advance_projections()
    changes = tier_changes_of_player(books.players[1])
    assert [(row.from_tier, row.to_tier, row.game_id, row.hand) for row in changes] == [
        (2, 1, down.game_id, 1),
        (1, 2, up.game_id, 4),
    ]


def test_a_hand_settled_anew_takes_the_place_of_its_earlier_result(books: Books) -> None:
    first = books.settle((0, 1, 400), winner=1, total=400)
    books.settle((0, 2, 30), winner=2, total=30)
    advance_projections()
    books.settle((0, 2, 20), winner=2, total=20, game_id=first.game_id)
    advance_projections()
    assert [standing(books, seat).points for seat in range(4)] == [-50, 0, 50, 0]
    assert [standing(books, seat).wins for seat in range(4)] == [0, 0, 2, 0]
    assert [standing(books, seat).games for seat in range(4)] == [2, 2, 2, 2]
    assert standing(books, 1).best_total is None
    assert standing(books, 2).best_total == 30
    assert tier_changes_of_player(books.players[1]) == []


def test_a_hand_abandoned_after_all_leaves_no_result(books: Books) -> None:
    first = books.settle((0, 1, 400), winner=1)
    advance_projections()
    books.settle(game_id=first.game_id, result="abandoned")
    advance_projections()
    assert not Result.objects.filter(until_position=None).exists()
    assert not Standing.objects.exists()
    assert not TierChange.objects.exists()
    assert not PlaceCount.objects.exists()


def season(books: Books, *, hands: int, seed: int) -> None:
    """Hands at random, a tenth of them settled anew, a tenth abandoned."""
    dice = random.Random(seed)
    keys: list[tuple[UUID, int, str]] = []
    for number in range(hands):
        game_id, hand, ruleset = None, number + 1, dice.choice(("fake", "other"))
        if keys and dice.random() < 0.1:
            game_id, hand, ruleset = dice.choice(keys)
        elif keys and dice.random() < 0.7:
            game_id, _, ruleset = keys[-1]
        winner, loser = dice.sample(range(4), 2)
        worth = dice.choice((5, 50, 500))
        abandoned = dice.random() < 0.1
        settled = books.settle(
            *([] if abandoned else [(loser, winner, worth)]),
            game_id=game_id,
            hand=hand,
            winner=None if abandoned else winner,
            total=worth,
            gangs={} if abandoned else {loser: 1},
            result="abandoned" if abandoned else "hu",
            ruleset=ruleset,
        )
        keys.append((settled.game_id, settled.hand, ruleset))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_rebuilt_tables_equal_those_kept_hand_by_hand(books: Books, seed: int) -> None:
    season(books, hands=40, seed=seed)
    assert advance_projections(batch=1) == 40
    one_by_one = tables()
    assert len(one_by_one[2]) > 4
    for batch in (7, 500):
        rebuilt = rebuild(batch=batch)
        assert (rebuilt.position, rebuilt.differences) == (40, ())
    assert tables() == one_by_one
    assert lag() == 0


def test_the_standings_are_the_sums_of_the_results(books: Books) -> None:
    season(books, hands=40, seed=4)
    advance_projections()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT player_id, count(DISTINCT game_id), count(*), sum(points), sum(gangs),"
            " count(*) FILTER (WHERE won <> ''), count(*) FILTER (WHERE dealt_in), max(total)"
            " FROM result WHERE until_position IS NULL GROUP BY player_id ORDER BY player_id"
        )
        summed = cursor.fetchall()
    kept = Standing.objects.filter(ruleset=ALL_RULESETS).order_by("player_id")
    assert summed == [
        (
            row.player_id,
            row.games,
            row.hands,
            row.points,
            row.gangs,
            row.wins,
            row.deal_ins,
            row.best_total,
        )
        for row in kept
    ]
    assert sum(row.points for row in kept) == 0


def test_a_players_hands_come_latest_first_and_page_by_position(books: Books) -> None:
    settled = [books.settle((0, 1, points), winner=1) for points in (1, 2, 3)]
    advance_projections()
    player = books.players[1]
    assert [row.points for row in results_of_player(player)] == [3, 2, 1]
    earlier = results_of_player(player, before=settled[2].position, limit=1)
    assert [row.points for row in earlier] == [2]


def test_a_hand_is_taken_in_without_a_look_at_other_clubs(books: Books) -> None:
    other = Books()
    for each in (books, other):
        club_of(each)
        each.settle((0, 2, 10), winner=2)
    advance_projections()
    Club.objects.filter(pk=other.club_id).update(time_zone="Asia/Tokyo")
    books.settle((0, 2, 10), winner=2)
    assert take_in() == 1
    assert standing(books, 2).points == 20
    assert fingerprint_of(other) == fingerprint_of(books), "Tokyo is not noticed yet"
    advance_projections()
    assert fingerprint_of(other) != fingerprint_of(books)


def club_of(books: Books) -> Club:
    return Club.objects.create(pk=books.club_id, name="Bamboo", slug=str(books.club_id))


def fingerprint_of(books: Books) -> str:
    return CountedClub.objects.get(club_id=books.club_id).fingerprint


def test_definitions_that_changed_hold_before_a_hand_of_the_club_is_taken_in(books: Books) -> None:
    club_of(books)
    books.settle((0, 2, 10), winner=2)
    advance_projections()
    before = fingerprint_of(books)
    Club.objects.filter(pk=books.club_id).update(time_zone="Asia/Tokyo")
    assert take_in() == 0
    assert fingerprint_of(books) == before
    books.settle((0, 2, 10), winner=2)
    assert take_in() == 1
    assert fingerprint_of(books) != before


def test_the_lag_counts_settlements_not_taken_in(books: Books) -> None:
    assert lag() == 0
    books.settle((0, 1, 5), winner=1)
    books.settle((0, 1, 5), winner=1)
    assert lag() == 2
    advance_projections()
    assert lag() == 0
