"""Boards: sorted by any figure, page by page, around a player, as of and as known at any moment."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, get_args

import pytest
from django.db import connection

from records.models import Club, Season
from replays.board_rows import SORTS, NoTiersHere, Order, UnknownSort, View
from replays.boards import Board, BoardCursor, Line, around, board, board_before, size_of
from replays.meanings import FIGURES
from replays.models import Standing
from replays.projections import advance_projections
from replays.standings import place_of
from tests.support.club_life import ClubLife
from tests.support.databases import Database
from tests.support.settled import Books


def whole(view: View) -> list[Line]:
    return list(board(view, limit=500).lines)


def views(life: ClubLife, **more: Any) -> Iterator[View]:
    """Every board of a club, by season and ruleset."""
    for season in (None, *Season.objects.filter(club=life.club)):
        for ruleset in ("", "fake", "other"):
            yield View(club=life.club, season=season, ruleset=ruleset, **more)


@pytest.fixture
def club(database: Database) -> Club:
    return Club.objects.create(name="Club", slug="club")


@pytest.fixture
def books(club: Club) -> Books:
    return Books(club_id=club.pk)


def test_ties_share_a_place_and_the_next_place_is_left_out(club: Club, books: Books) -> None:
    books.settle((0, 2, 10), (3, 1, 10), winner=2)
    advance_projections()
    lines = whole(View(club=club))
    assert [(line.place, line.row.points) for line in lines] == [
        (1, 10),
        (1, 10),
        (3, -10),
        (3, -10),
    ]
    assert [place_of(row) for row in Standing.objects.filter(ruleset="", points=-10)] == [3, 3]


def test_a_board_is_of_one_club_and_one_ruleset(club: Club, books: Books) -> None:
    stranger = Books()
    stranger.settle((0, 1, 5), winner=1)
    books.settle((0, 1, 5), winner=1, ruleset="other")
    advance_projections()
    assert not whole(View(club=club, ruleset="fake"))
    assert {line.row.player_id for line in whole(View(club=club))} == set(books.players)


@pytest.mark.parametrize("as_of", [None, datetime(2026, 10, 10, tzinfo=UTC)])
def test_every_sort_in_either_order_pages_and_places_like_the_whole_board(
    database: Database, as_of: datetime | None
) -> None:
    life = ClubLife(seed=1)
    life.happen(60)
    advance_projections()
    for sort, column in SORTS.items():
        for order in get_args(Order):
            view = View(club=life.club, sort=sort, order=order, as_of=as_of)
            lines = whole(view)
            assert len(lines) == 9
            values = [getattr(line.row, column) for line in lines]
            known = [value for value in values if value is not None]
            assert known == sorted(known, reverse=order == "desc")
            assert values[len(known) :] == [None] * (len(values) - len(known))
            assert [line.place for line in lines] == [1 + values.index(value) for value in values]
            assert paged(view, limit=2) == lines
            assert paged_back(view, limit=2) == lines
            assert size_of(view) == len(lines)
            for number, line in enumerate(lines):
                near = around(view, line.row.player_id, neighbours=2)
                assert near is not None
                assert list(near.lines) == lines[max(0, number - 2) : number + 3]


def paged(view: View, *, limit: int) -> list[Line]:
    lines: list[Line] = []
    after: BoardCursor | None = None
    while True:
        page = board(view, after=after, limit=limit)
        lines += page.lines
        after = page.next
        if after is None:
            return lines


def paged_back(view: View, *, limit: int) -> list[Line]:
    """The board read from its last page up to its first."""
    page = board(view, limit=limit)
    while page.next is not None:
        page = board(view, after=page.next, limit=limit)
    lines = list(page.lines)
    while page.begin is not None and page.begin.rows > 1:
        number = page.begin.rows
        page = board_before(view, page.begin, limit=limit)
        lines[:0] = page.lines
        assert page.begin is not None
        assert page.begin.rows == number - len(page.lines)
        assert page.next is not None
        assert page.next.rows == number - 1
    return lines


def test_only_who_played_enough_is_on_a_board_and_has_a_place(club: Club, books: Books) -> None:
    others = Books(club_id=club.pk)
    books.settle((0, 1, 5), winner=1)
    game = others.settle((0, 1, 90), winner=1)
    others.settle((0, 1, 90), winner=1, game_id=game.game_id, hand=2)
    books.settle((2, 1, 5), winner=1)
    advance_projections()
    by_games = whole(View(club=club, min_games=2))
    assert {line.row.player_id for line in by_games} == set(books.players)
    assert by_games[0].place == 1
    assert len(whole(View(club=club, min_hands=2))) == size_of(View(club=club, min_hands=2)) == 8
    assert len(whole(View(club=club, min_hands=3))) == 0
    assert around(View(club=club, min_games=2), others.players[1]) is None
    near = around(View(club=club, min_games=2), books.players[1], neighbours=0)
    assert near is not None
    assert [line.place for line in near.lines] == [1]


def test_an_unknown_sort_is_refused_with_the_list_of_those_there_are(club: Club) -> None:
    with pytest.raises(UnknownSort) as refused:
        View(club=club, sort="luck")
    assert refused.value.facts == {"expected": list(SORTS), "actual": "luck"}


def test_every_sort_is_a_figure_with_a_meaning() -> None:
    assert {figure.sort for figure in FIGURES if figure.sort} == set(SORTS)


def test_a_board_of_all_time_is_not_sorted_by_tiers_of_seasons(database: Database) -> None:
    life = ClubLife(seed=2)
    while not (ladder := life.club.ladders.last()) or ladder.scope != "season":
        life.climb()
    with pytest.raises(NoTiersHere):
        board(View(club=life.club, sort="tier"))


def as_told(view: View) -> list[tuple[Any, ...]]:
    """Every figure of every line, and what each is called."""
    return [(line.place, line.row, line.tier) for line in whole(view)]


@pytest.mark.parametrize("seed", range(3, 7))
def test_a_board_counted_as_of_and_known_at_now_is_the_live_board(
    database: Database, seed: int
) -> None:
    life = ClubLife(seed=seed)
    for _ in range(8):
        life.happen(8)
        life.redefine()
        advance_projections()
        later = datetime(2100, 1, 1, tzinfo=UTC)
        for live, past in zip(views(life), views(life, as_of=later, known_at=later), strict=True):
            assert as_told(live) == as_told(past)


def test_a_board_with_known_at_is_what_the_live_board_was_at_each_settlement(
    database: Database,
) -> None:
    life = ClubLife(seed=8)
    life.plan()
    life.climb()
    remembered: list[tuple[int, list[tuple[Any, ...]]]] = []
    for position in range(1, 41):
        life.happen()
        advance_projections()
        remembered.append((position, [shape(board(view)) for view in views(life)]))
    with connection.cursor() as cursor:
        cursor.execute("SELECT position, settled_at FROM settlement ORDER BY position")
        moments = dict(cursor.fetchall())
    # The ladder of the test is made today, and the settlements are dated as they are told.
    life.club.ladders.update(created_at=datetime(2026, 1, 1, tzinfo=UTC))
    for position, then in remembered:
        now = [shape(board(view)) for view in views(life, known_at=moments[position])]
        assert now == then


def shape(told: Board) -> tuple[int, list[tuple[Any, ...]]]:
    return told.position, [(line.place, line.row, line.tier) for line in told.lines]


def test_a_past_evening_is_shown_as_it_was_and_as_it_should_have_been(
    club: Club, books: Books
) -> None:
    first = books.settle((0, 1, 30), winner=1)
    advance_projections()
    then = Standing.objects.get(ruleset="", player_id=books.players[1]).points
    evening = first.settled_at
    as_of = datetime.fromtimestamp(first.ended_at_ms / 1000, tz=UTC)
    books.settle((2, 3, 500), winner=3)
    books.settle((0, 2, 30), winner=2, game_id=first.game_id)
    advance_projections()

    def points(**clocks: datetime) -> list[int]:
        rows = {line.row.player_id: line.row for line in whole(View(club=club, **clocks))}
        return [rows[player].points for player in books.players]

    assert points(as_of=as_of, known_at=evening) == [-30, then, 0, 0]
    assert points(as_of=as_of) == [-30, 0, 30, 0]
    assert points() == [-30, 0, -470, 500]


def test_a_page_of_every_board_is_read_off_its_index(club: Club, books: Books) -> None:
    books.settle((0, 1, 5), winner=1)
    advance_projections()
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")
        cursor.execute("SET enable_bitmapscan = off")
    for sort, column in SORTS.items():
        for order in get_args(Order):
            view = View(club=club, sort=sort, order=order)
            page = board(view, limit=1)
            for after in (None, page.next):
                with connection.execute_wrapper(explained := Explain()):
                    board(view, after=after, limit=2)
                assert explained.plans
                for plan in explained.plans:
                    assert "Sort" not in plan
                    assert f"standing_by_{column}" in plan or f"{column} IS NULL" in plan


class Explain:
    """Keeps the plans of the queries of standings."""

    def __init__(self) -> None:
        self.plans: list[str] = []

    def __call__(self, execute: Any, sql: str, params: Any, many: Any, context: Any) -> Any:
        if "FROM standing" in sql:
            with context["connection"].connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN {sql}", params)
                self.plans.append("\n".join(str(row) for row in cursor.fetchall()))
        return execute(sql, params, many, context)


def test_numbers_out_of_range_are_refused(club: Club, books: Books) -> None:
    for limit in (0, 501):
        with pytest.raises(ValueError, match="between 1 and 500"):
            board(View(club=club), limit=limit)
    for neighbours in (-1, 51):
        with pytest.raises(ValueError, match="between 0 and 50"):
            around(View(club=club), books.players[0], neighbours=neighbours)
