"""The figures of a player's page and the head-to-head table, counted from results and ledger."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest

from records.clubs import create_club
from records.ids import uuid7
from records.merges import merge
from records.models import Club
from records.players import add_player
from replays import figures
from replays.figures import GameResult, HandResult
from replays.projections import advance_projections
from replays.selections import Selection, select
from tests.support.people import new_account
from tests.support.settled import Books


@pytest.fixture
def club(database: Any) -> Club:
    """An empty club."""
    del database
    return create_club(owner=new_account(), name="C", slug="c", time_zone="Asia/Shanghai")


@pytest.fixture
def books(club: Club) -> Books:
    """The books of four players of the club."""
    players = sorted(add_player(club=club, name=name).pk for name in ("A", "B", "C", "D"))
    return Books(club_id=club.pk, players=tuple(players))


def of(club: Club, player: UUID | None = None, **which: Any) -> Selection:
    """The results of a player, taken in so far."""
    advance_projections()
    return select(club, player=player, **which)


def game(points: int, place: int, hands: int = 1) -> GameResult:
    """A game of a player."""
    return GameResult(game_id=uuid4(), ended_at_ms=0, hands=hands, points=points, place=place)


def hand(*, won: bool = False, dealt_in: bool = False) -> HandResult:
    """A hand of a player."""
    return HandResult(won=won, dealt_in=dealt_in)


def test_the_curve_of_many_games_is_thinned_and_keeps_its_ends_exactly() -> None:
    games = [game(number % 7 - 3, 1) for number in range(1001)]
    curve = figures.curve_of(games)
    assert len(curve) == 200
    assert curve[0].game_id == games[0].game_id
    assert curve[-1].total == sum(each.points for each in games)
    totals, total = {}, 0
    for each in games:
        total += each.points
        totals[each.game_id] = total
    assert all(point.total == totals[point.game_id] for point in curve)
    assert len({point.game_id for point in curve}) == 200
    assert len(figures.curve_of(games[:200])) == 200
    assert figures.curve_of([]) == []


def test_places_count_games_and_those_behind_the_fourth_too() -> None:
    games = [game(5, 1), game(5, 1), game(-3, 4), game(-9, 5), game(-2, 2, hands=0)]
    assert figures.places_of(games) == [2, 0, 0, 1, 1]
    assert figures.places_of([]) == [0, 0, 0, 0]


def test_streaks_are_the_longest_and_the_present_ones() -> None:
    hands = [hand(won=True), hand(won=True), hand(dealt_in=True), hand(), hand(won=True)]
    games = [game(1, 1), game(1, 1), game(-1, 3), game(0, 1, hands=0)]
    streaks = figures.streaks_of(games, hands)
    assert (streaks.hands_won, streaks.hands_won_now) == (2, 1)
    assert (streaks.games_won, streaks.games_won_now) == (2, 0)
    assert (streaks.hands_without_deal_in, streaks.hands_without_deal_in_now) == (2, 2)


def test_games_have_places_that_ties_share(club: Club, books: Books) -> None:
    first, second = uuid7(), uuid7()
    books.settle((0, 1, 5), (2, 1, 5), game_id=first, winner=1)
    books.settle((3, 1, 5), game_id=first, hand=2, winner=1)
    books.settle((1, 0, 1), (1, 2, 1), game_id=second, winner=0)
    mine = {player: figures.games_of(of(club, player)) for player in books.players}
    assert [[each.place for each in mine[player]] for player in books.players] == [
        [2, 1],
        [1, 4],
        [2, 1],
        [2, 3],
    ]
    one = mine[books.players[1]]
    assert [(each.points, each.hands) for each in one] == [(15, 2), (-2, 1)]
    assert [point.total for point in figures.curve_of(one)] == [15, 13]


def test_what_was_corrected_counts_as_it_stands_and_earlier_as_it_was_known(
    club: Club, books: Books
) -> None:
    first = books.settle((0, 1, 5), winner=1)
    books.settle((0, 2, 7), game_id=first.game_id, winner=2)
    player = books.players[1]
    assert [each.points for each in figures.games_of(of(club, player))] == [0]
    before = of(club, player, known_at=first.settled_at)
    assert [each.points for each in figures.games_of(before)] == [5]
    assert [each.won for each in figures.hands_of(before)] == [True]


def test_biggest_hands_come_first_and_equals_in_the_order_of_play(club: Club, books: Books) -> None:
    for total in (10, 30, 10, 20):
        books.settle((0, 1, total), winner=1, total=total)
    found = figures.biggest_of(of(club, books.players[1]))
    assert [each.total for each in found] == [30, 20, 10, 10]
    assert found[2].ended_at_ms < found[3].ended_at_ms
    assert figures.biggest_of(of(club, books.players[0])) == []


def test_head_to_head_counts_what_two_played_together(club: Club, books: Books) -> None:
    shared = uuid7()
    books.settle((0, 1, 5), (2, 1, 3), game_id=shared, winner=1)
    corrected = books.settle((0, 1, 9), game_id=shared, hand=2, winner=1)
    books.settle((0, 1, 2), game_id=shared, hand=2, winner=1)
    stranger = add_player(club=club, name="E").pk
    others = Books(club_id=club.pk, players=(stranger, *books.players[1:]))
    others.settle((1, 0, 4), winner=0)
    zero, one = books.players[0], books.players[1]
    found = {(pair.one, pair.other): pair for pair in figures.pairs_of(of(club), [zero, one])}
    assert found.keys() == {(zero, one), (one, zero)}
    pair = found[one, zero]
    assert (pair.games, pair.hands, pair.ahead, pair.level, pair.net) == (1, 2, 1, 0, 7)
    assert found[zero, one].net == -7
    assert corrected.revision == 1
    players = list(club.players.values_list("id", flat=True))
    partners = figures.pairs_of(of(club, one), players)
    assert {each.one for each in partners} == {one}
    assert {each.other: each.net for each in partners} == {
        zero: 7,
        books.players[2]: 3,
        books.players[3]: 0,
        stranger: -4,
    }


def test_the_table_is_of_those_with_the_most_hands(club: Club, books: Books) -> None:
    for _ in range(3):
        books.settle((0, 1, 5), winner=1)
    stranger = add_player(club=club, name="E").pk
    Books(club_id=club.pk, players=(stranger, *books.players[1:])).settle((1, 0, 4), winner=0)
    assert figures.most_active(of(club), 3) == sorted(books.players[1:])
    assert figures.most_active(of(club), 9)[-1] == stranger


def test_a_merged_record_counts_for_its_person(club: Club, books: Books) -> None:
    guest = add_player(club=club, name="Guest")
    books.settle((0, 1, 5), winner=1)
    others = Books(club_id=club.pk, players=(guest.pk, *books.players[1:]))
    others.settle((1, 0, 4), winner=0)
    person = club.players.get(pk=books.players[0])
    merge(absorbed=guest, into=person, by=new_account())
    mine = figures.games_of(of(club, guest.pk))
    assert [each.points for each in mine] == [-5, 4]
    players = list(club.players.values_list("id", flat=True))
    net = {each.other: each.net for each in figures.pairs_of(of(club, person.pk), players)}
    assert net[books.players[1]] == -1
    assert guest.pk not in net


def test_items_are_counted_with_their_average_worth(club: Club, books: Books) -> None:
    settled = books.settle((0, 1, 5), winner=1)
    assert settled.score["wins"][0]["items"] == []
    assert figures.items_of(of(club, books.players[1])) == []
