"""Leaderboards, what their figures mean, and players' figures."""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from django.core import signing
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import club_of
from api.errors import Problem
from api.operation import Cursor, Limit, Operation, PublicOperation, Shown, Struct, read_query
from api.pagination import DEFAULT_LIMIT
from api.scopes import Scope
from api.v1.games import RulesetName
from api.v1.players import player_of
from api.v1.shapes import PlayerShown, moment, names_of, player_shown
from records.clubs import Right
from records.ladders import ladder_of
from records.models import Club, Season
from replays import boards, meanings, periods, standings
from replays.board_rows import SORTS, Row, View
from replays.boards import MAX_NEIGHBOURS, Board, BoardCursor
from replays.meanings import Meaning
from replays.models import ALL_RULESETS, ALL_TIME, Standing
from rules_engine.ladders import Ladder, Tier

Clock = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2}))?$",
        description=(
            "A moment with its offset (2026-11-30T20:00:00Z), or a day: its end in the club's zone."
        ),
    ),
]
Sort = Annotated[
    str,
    msgspec.Meta(
        max_length=40,
        extra_json_schema={"enum": list(SORTS)},
        description="What to sort by; `figures` says what each means.",
    ),
]
Least = Annotated[int, msgspec.Meta(ge=0, le=2_000_000_000)]


class BoardQuery(Struct, frozen=True):
    """Which board: of a season or of all time, under one ruleset or all together, when.

    `as_of`: games played up to then. `known_at`: corrections known up to then. Together they give
    the board of a past evening as it was then, and apart as it should have been.
    """

    season: UUID | None = None
    ruleset: RulesetName | None = None
    sort: Sort = "points"
    order: Literal["asc", "desc"] = "desc"
    min_games: Least = 0
    min_hands: Least = 0
    as_of: Clock | None = None
    known_at: Clock | None = None


class Figures(Shown, frozen=True):
    """A player's figures in a season, or of all time (`season` null).

    They are under one ruleset, or under all of them (`ruleset` null). Points are in units of the
    stake; a rate over nothing is null. `ladder_score` is what the tier follows from; both are null
    where the club's ladder counts the points of seasons and these are of all time, or the other way
    round in a player's figures of a season.
    """

    season: UUID | None
    ruleset: str | None
    points: int
    hands: int
    games: int
    entries: int
    adjusted_points: int
    gang_points: int
    wins: int
    zimo_wins: int
    deal_ins: int
    gangs: int
    points_per_hand: float | None
    win_rate: float | None
    zimo_rate: float | None
    deal_in_rate: float | None
    average_win: float | None
    best_total: int | None
    best_game: UUID | None
    best_hand: int | None
    ladder_score: int | None
    tier: Tier | None


class BoardLine(Shown, frozen=True):
    """A player on a board. Equals share a place, and the next places are left out."""

    place: int
    player: UUID
    name: str
    figures: Figures


class BoardShown(Shown, frozen=True):
    """Lines of a board; the moments it is of (null: now), and the last settlement it rests on."""

    items: list[BoardLine]
    as_of: datetime | None
    known_at: datetime | None
    position: int


class TierStep(Shown, frozen=True):
    """A step up or down the ladder, and the hand that caused it.

    `entry` is 0, or the seq of the adjustment or penalty that caused it instead.
    """

    season: UUID | None
    from_tier: Tier
    to_tier: Tier
    ladder_score: int
    game: UUID
    hand: int
    entry: int
    at: datetime


def figures_of(row: Row | Standing, *, season_id: UUID, ruleset: str, tier: Tier | None) -> Figures:
    """What a row of a board, or a standing, says."""
    elsewhere: dict[str, Any] = {
        "season": _season(season_id),
        "ruleset": ruleset or None,
        "best_game": row.best_game_id,
        "tier": tier,
    }
    same = [name for name in Figures.__struct_fields__ if name not in elsewhere]
    return Figures(**{name: getattr(row, name) for name in same}, **elsewhere)


class ShowLeaderboard(Operation):
    """A club's players by a figure, the highest first unless told otherwise."""

    scope = Scope.CLUB_READ
    right = Right.SEE

    refusals = ("unknown_sort", "no_tiers_here")

    class Query(BoardQuery, frozen=True):
        """Which board, and which page of it."""

        cursor: Cursor | None = None
        limit: Limit = DEFAULT_LIMIT

    class Output(BoardShown, frozen=True):
        """One page of the board."""

        next: Cursor | None

    def get(self, request: Request, club_id: UUID) -> Response:
        """One page of it."""
        query = read_query(request, ShowLeaderboard.Query)
        club = club_of(request, club_id)
        view = view_of(query, club)
        after = None if query.cursor is None else _board_cursor(query.cursor, view)
        board = boards.board(view, after=after, limit=query.limit)
        following = None if board.next is None else _cursor_of(board.next, view)
        return Response(ShowLeaderboard.Output(**shown(view, board), next=following))


class ShowPlaceOnLeaderboard(Operation):
    """A player's own line of a board, with its neighbours above and below."""

    scope = Scope.CLUB_READ
    right = Right.SEE

    refusals = ("unknown_sort", "no_tiers_here")

    class Query(BoardQuery, frozen=True):
        """Which board, and how many neighbours on either side."""

        neighbours: Annotated[int, msgspec.Meta(ge=0, le=MAX_NEIGHBOURS)] = 5

    class Output(BoardShown, frozen=True):
        """Lines of the board around the player."""

    def get(self, request: Request, club_id: UUID, player_id: UUID) -> Response:
        """The player and the neighbours, best first."""
        query = read_query(request, ShowPlaceOnLeaderboard.Query)
        club = club_of(request, club_id)
        view = view_of(query, club)
        person = standings.person_of_player(player_id)
        board = boards.around(view, person, neighbours=query.neighbours)
        if board is None:
            raise Problem("not_found", "The player is not on this board.")
        return Response(ShowPlaceOnLeaderboard.Output(**shown(view, board)))


class ListFigures(PublicOperation):
    """What each figure of a board means, and what it is divided by."""

    class Output(Shown, frozen=True):
        """The figures; `sort` is the key that sorts a board by it, null where none does."""

        items: list[Meaning]

    def get(self, request: Request) -> Response:
        """All of them."""
        return Response(ListFigures.Output(items=list(meanings.FIGURES)))


def view_of(query: BoardQuery, club: Club) -> View:
    """The board that a query means. Raises UnknownSort, Problem ``not_found``."""
    season = None
    if query.season is not None:
        season = Season.objects.filter(club=club, id=query.season).first()
        if season is None:
            raise Problem("not_found", "The club has no such season.")
    return View(
        club=club,
        season=season,
        ruleset=query.ruleset or ALL_RULESETS,
        sort=query.sort,
        order=query.order,
        min_games=query.min_games,
        min_hands=query.min_hands,
        as_of=_moment(query.as_of, club),
        known_at=_moment(query.known_at, club),
    )


def _moment(text: str | None, club: Club) -> datetime | None:
    """A moment, or the end of a day in the club's zone. Raises Problem ``invalid_input``."""
    if text is None:
        return None
    try:
        if len(text) == len("2026-11-30"):
            end = periods.days(club.time_zone, first=None, last=date.fromisoformat(text)).to_ms
            return moment(end) - timedelta(microseconds=1)
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Problem("invalid_input", f"{text!r} is no moment: {error}.") from error


def shown(view: View, board: Board) -> dict[str, Any]:
    """What every answer with lines of a board has in common."""
    names = names_of({line.row.player_id for line in board.lines})
    return {
        "items": [
            BoardLine(
                place=line.place,
                player=line.row.player_id,
                name=names.get(line.row.player_id, ""),
                figures=figures_of(
                    line.row, season_id=view.season_id, ruleset=view.ruleset, tier=line.tier
                ),
            )
            for line in board.lines
        ],
        "as_of": view.as_of,
        "known_at": view.known_at,
        "position": board.position,
    }


_SIGNER = "paipu.leaderboard"


def _identity(view: View) -> str:
    """What the pages of one board have in common, and those of another board have not."""
    parts = [
        *(view.club.pk, view.season_id, view.ruleset, view.sort, view.order),
        *(view.min_games, view.min_hands, view.as_of, view.known_at),
    ]
    return hashlib.sha256(repr([str(part) for part in parts]).encode()).hexdigest()[:16]


def _cursor_of(end: BoardCursor, view: View) -> str:
    """Where a page of a board ended, as a text that nobody else can make."""
    key = [_identity(view), end.value, str(end.player_id), end.place, end.rows]
    return signing.dumps(key, salt=_SIGNER)


def _board_cursor(cursor: str, view: View) -> BoardCursor:
    """Where a page of a board ended. Raises Problem ``invalid_input``."""
    try:
        board, value, player, place, rows = signing.loads(cursor, salt=_SIGNER)
    except (signing.BadSignature, ValueError) as error:
        raise Problem(
            "invalid_input",
            "This is not a cursor that a page before gave: use the value of its `next` unchanged.",
        ) from error
    if board != _identity(view):
        raise Problem(
            "invalid_input",
            "The cursor is of another board: send the query of the page before with it.",
        )
    return BoardCursor(value, UUID(player), place, rows)


class ShowPlayer(Operation):
    """A player: points, tier and hands, in each season and ruleset and together."""

    scope = Scope.CLUB_READ
    right = Right.SEE

    class Output(PlayerShown, frozen=True):
        """The player, its figures (none before the first settled hand), and its latest tiers.

        `person` is who its results count for: the player, or whom the record was merged into. The
        figures are the person's.
        """

        person: UUID
        place: Annotated[
            int | None,
            msgspec.Meta(description="By points, on the club's board of all time and rulesets."),
        ]
        figures: list[Figures]
        tier_steps: list[TierStep]

    def get(self, request: Request, player_id: UUID) -> Response:
        """The player."""
        player = player_of(request, player_id)
        person = standings.person_of_player(player_id)
        ladder = ladder_of(player.club_id)
        overall = standings.standing_of_player(person)
        return Response(
            ShowPlayer.Output(
                **msgspec.structs.asdict(player_shown(player)),
                person=person,
                place=None if overall is None else standings.place_of(overall),
                figures=[
                    figures_of(
                        standing,
                        season_id=standing.season_id,
                        ruleset=standing.ruleset,
                        tier=_tier(ladder, standing.tier),
                    )
                    for standing in standings.standings_of_player(person)
                ],
                tier_steps=_steps(person, ladder),
            )
        )


def _steps(person: UUID, ladder: Ladder) -> list[TierStep]:
    return [
        TierStep(
            season=_season(step.season_id),
            from_tier=ladder.numbered(min(step.from_tier, len(ladder.tiers))),
            to_tier=ladder.numbered(min(step.to_tier, len(ladder.tiers))),
            ladder_score=step.ladder_score,
            game=step.game_id,
            hand=step.hand,
            entry=step.entry,
            at=moment(step.ended_at_ms),
        )
        for step in standings.tier_changes_of_player(person)
    ]


def _season(season_id: UUID) -> UUID | None:
    return None if season_id == ALL_TIME else season_id


def _tier(ladder: Ladder, tier: int | None) -> Tier | None:
    """The tier, while a ladder that was shortened just now is not climbed anew its highest."""
    return None if tier is None else ladder.numbered(min(tier, len(ladder.tiers)))
