"""Ratings: who is the stronger player, beside who has more points."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import club_of
from api.errors import Problem
from api.operation import Cursor, Operation, PageQuery, Shown, read_query
from api.pagination import decode_cursor, encode_cursor
from api.scopes import Scope
from api.v1.periods import Moment
from api.v1.players import player_of
from api.v1.shapes import moment, names_of
from records.clubs import Right
from records.models import Club
from replays import ratings_board
from replays.ratings import Skill
from replays.ratings_board import PROVISIONAL_GAMES, RatingCursor

Mu = Annotated[float, msgspec.Meta(description="The mean of what is believed of the skill.")]
Sigma = Annotated[float, msgspec.Meta(description="The standard deviation around it.")]
Ordinal = Annotated[float, msgspec.Meta(description="mu - 3 sigma; boards are ordered by it.")]

BigInt = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


class RatingLine(Shown, frozen=True):
    """A player on the board. Equals share a place, and the next places are left out."""

    place: int
    player: UUID
    name: str
    mu: Mu
    sigma: Sigma
    ordinal: Ordinal
    games: int
    provisional: Annotated[
        bool, msgspec.Meta(description=f"Fewer than {PROVISIONAL_GAMES} games: it says little yet.")
    ]


class SkillShown(Shown, frozen=True):
    """What is believed of a player."""

    mu: Mu
    sigma: Sigma
    ordinal: Ordinal


class RatedGameShown(Shown, frozen=True):
    """What a game did to a player's rating. Place 1 had the most points in the game."""

    game: UUID
    started_at: datetime
    place: int
    points: int
    before: SkillShown
    after: SkillShown
    algorithm: str
    library_version: str


class RatingQuery(PageQuery, frozen=True):
    """A page, and two clocks: games played up to `as_of`, corrections known up to `known_at`."""

    as_of: Moment | None = None
    known_at: Moment | None = None


class ListRatings(Operation):
    """A club's players by rating, the highest first.

    Only of clubs that keep ratings. The figures are OpenSkill's (Plackett-Luce): each game is a
    match of all who sat in it, ranked by their points in the game.
    """

    scope = Scope.CLUB_READ
    right = Right.SEE

    class Query(RatingQuery, frozen=True):
        """Which players: those with at least so many games."""

        min_games: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0

    class Output(Shown, frozen=True):
        """One page of the board. While `due`, some games are still to be rated anew."""

        items: list[RatingLine]
        next: Cursor | None
        due: bool

    refusals = ("not_rated",)

    def get(self, request: Request, club_id: UUID) -> Response:
        """One page of it."""
        query = read_query(request, ListRatings.Query)
        club = rated_club(club_of(request, club_id))
        board = ratings_board.board(
            club,
            min_games=query.min_games,
            after=None if query.cursor is None else _board_cursor(query.cursor),
            limit=query.limit,
            as_of=query.as_of,
            known_at=query.known_at,
        )
        names = names_of({row.person_id for row in board.rows})
        return Response(
            ListRatings.Output(
                items=[
                    RatingLine(
                        place=row.place,
                        player=row.person_id,
                        name=names.get(row.person_id, ""),
                        mu=row.skill.mu,
                        sigma=row.skill.sigma,
                        ordinal=row.skill.ordinal,
                        games=row.games,
                        provisional=row.provisional,
                    )
                    for row in board.rows
                ],
                next=None
                if board.next is None
                else encode_cursor(msgspec.structs.astuple(board.next)),
                due=board.due,
            )
        )


class ListPlayerRatings(Operation):
    """What each game did to a player's rating, the latest game first.

    A player whose record was merged into another's is shown as that person.
    """

    scope = Scope.CLUB_READ
    right = Right.SEE

    Query = RatingQuery

    class Output(Shown, frozen=True):
        """One page of rated games."""

        items: list[RatedGameShown]
        next: Cursor | None

    refusals = ("not_rated",)

    def get(self, request: Request, player_id: UUID) -> Response:
        """One page of them."""
        query = read_query(request, RatingQuery)
        player = player_of(request, player_id)
        found = ratings_board.history(
            rated_club(player.club),
            player.pk,
            before=None if query.cursor is None else _game_cursor(query.cursor),
            limit=query.limit + 1,
            as_of=query.as_of,
            known_at=query.known_at,
        )
        shown = found[: query.limit]
        return Response(
            ListPlayerRatings.Output(
                items=[
                    RatedGameShown(
                        game=game.game_id,
                        started_at=moment(game.started_at_ms),
                        place=game.place,
                        points=game.points,
                        before=_skill_shown(game.before),
                        after=_skill_shown(game.after),
                        algorithm=game.algorithm,
                        library_version=game.library_version,
                    )
                    for game in shown
                ],
                next=encode_cursor([shown[-1].started_at_ms, shown[-1].game_id])
                if len(found) > query.limit
                else None,
            )
        )


def rated_club(club: Club) -> Club:
    """The club, if it keeps ratings. Raises Problem ``not_rated``."""
    if not club.rated:
        raise Problem(
            "not_rated",
            "This club keeps no ratings; an owner can switch them on in its settings.",
            facts={"club": str(club.pk)},
        )
    return club


def _skill_shown(skill: Skill) -> SkillShown:
    return SkillShown(mu=skill.mu, sigma=skill.sigma, ordinal=skill.ordinal)


def _board_cursor(cursor: str) -> RatingCursor:
    ordinal, person_id, place, rows = decode_cursor(cursor, length=4)
    parts = {"ordinal": ordinal, "person_id": person_id, "place": place, "rows": rows}
    end: RatingCursor = _cursor_of(RatingCursor, parts)
    return end


def _game_cursor(cursor: str) -> tuple[int, UUID]:
    end: tuple[int, UUID] = _cursor_of(tuple[BigInt, UUID], decode_cursor(cursor, length=2))
    return end


def _cursor_of(form: Any, key: Any) -> Any:
    """A cursor's parts as values. Raises Problem ``invalid_input``."""
    try:
        return msgspec.convert(key, form)
    except msgspec.ValidationError as error:
        raise Problem("invalid_input", "This is not a cursor that a page before gave.") from error
