"""Leaderboards and players' figures."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import club_of
from api.errors import Problem
from api.operation import Cursor, Operation, PageQuery, Shown, read_query
from api.pagination import decode_cursor, encode_cursor
from api.v1.games import RulesetName
from api.v1.players import player_of
from api.v1.shapes import PlayerShown, names_of, player_shown
from records.clubs import Right
from replays import standings
from replays.models import ALL_RULESETS, Standing
from replays.standings import BoardCursor
from rules_engine.ladders import Tier


class Figures(Shown, frozen=True):
    """A player's figures under one ruleset, or under all of them (`ruleset` null).

    Points are in units of the stake. `ladder_score` is what the tier follows from.
    """

    ruleset: str | None
    points: int
    hands: int
    games: int
    wins: int
    zimo_wins: int
    deal_ins: int
    gangs: int
    best_total: int | None
    ladder_score: int
    tier: Tier


class BoardLine(Shown, frozen=True):
    """A player on a board. Equal points share a place, and the next places are left out."""

    place: int
    player: UUID
    name: str
    figures: Figures


class TierStep(Shown, frozen=True):
    """A step up or down the ladder, and the hand that caused it."""

    from_tier: Tier
    to_tier: Tier
    ladder_score: int
    game: UUID
    hand: int


def figures(standing: Standing) -> Figures:
    """What a standing says."""
    return Figures(
        ruleset=None if standing.ruleset == ALL_RULESETS else standing.ruleset,
        points=standing.points,
        hands=standing.hands,
        games=standing.games,
        wins=standing.wins,
        zimo_wins=standing.zimo_wins,
        deal_ins=standing.deal_ins,
        gangs=standing.gangs,
        best_total=standing.best_total,
        ladder_score=standing.ladder_score,
        tier=standings.tier_numbered(standing.tier),
    )


class ShowLeaderboard(Operation):
    """A club's players by points, the highest first."""

    class Query(PageQuery, frozen=True):
        """Under which ruleset; without it, under all of them together."""

        ruleset: RulesetName | None = None

    class Output(Shown, frozen=True):
        """One page of the board."""

        items: list[BoardLine]
        next: Cursor | None

    def get(self, request: Request, club_id: UUID) -> Response:
        """One page of it."""
        query = read_query(request, ShowLeaderboard.Query)
        club = club_of(request, club_id, Right.SEE)
        board = standings.leaderboard(
            club_id=club.pk,
            ruleset=query.ruleset or ALL_RULESETS,
            after=None if query.cursor is None else _board_cursor(query.cursor),
            limit=query.limit,
        )
        names = names_of({row.standing.player_id for row in board.rows})
        return Response(
            ShowLeaderboard.Output(
                items=[
                    BoardLine(
                        place=row.place,
                        player=row.standing.player_id,
                        name=names.get(row.standing.player_id, ""),
                        figures=figures(row.standing),
                    )
                    for row in board.rows
                ],
                next=None if board.next is None else _cursor_of(board.next),
            )
        )


def _cursor_of(end: BoardCursor) -> str:
    """Where a page of a board ended, as a text."""
    return encode_cursor([end.points, end.player_id, end.place, end.rows])


def _board_cursor(cursor: str) -> BoardCursor:
    """Where a page of a board ended. Raises Problem ``invalid_input``."""
    points, player_id, place, rows = decode_cursor(cursor, length=4)
    try:
        return msgspec.convert(
            {"points": points, "player_id": player_id, "place": place, "rows": rows}, BoardCursor
        )
    except msgspec.ValidationError as error:
        raise Problem("invalid_input", "This is not a cursor that a page before gave.") from error


class ShowPlayer(Operation):
    """A player: points, tier and hands, under all rulesets together and under each."""

    class Output(PlayerShown, frozen=True):
        """The player, its figures (none before the first settled hand), and its latest tiers."""

        place: Annotated[
            int | None, msgspec.Meta(description="On the club's board of all rulesets.")
        ]
        figures: list[Figures]
        tier_steps: list[TierStep]

    def get(self, request: Request, player_id: UUID) -> Response:
        """The player."""
        player = player_of(request, player_id, Right.SEE)
        known = standings.standings_of_player(player_id)
        overall = standings.standing_of_player(player_id)
        steps = standings.tier_changes_of_player(player_id)[:20]
        return Response(
            ShowPlayer.Output(
                **msgspec.structs.asdict(player_shown(player)),
                place=None if overall is None else standings.place_of(overall),
                figures=[figures(standing) for standing in known],
                tier_steps=[
                    TierStep(
                        from_tier=standings.tier_numbered(step.from_tier),
                        to_tier=standings.tier_numbered(step.to_tier),
                        ladder_score=step.ladder_score,
                        game=step.game_id,
                        hand=step.hand,
                    )
                    for step in steps
                ],
            )
        )
