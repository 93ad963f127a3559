"""Two records of one person in one club."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from api.access import account_of, club_of, of_a_club
from api.errors import Problem
from api.idempotency import idempotent
from api.operation import (
    IDEMPOTENCY_KEY,
    Cursor,
    Operation,
    PageQuery,
    Shown,
    Struct,
    read_body,
    read_query,
)
from api.pagination import page
from api.scopes import Scope
from api.v1.shapes import PlayerShown, player_shown
from records.clubs import Right
from records.merges import Preview, merge, preview, undo_merge
from records.models import Club, Merge, Player


class MergeShown(Shown, frozen=True):
    """A merge: what `absorbed` played counts for `into`, unless it was undone."""

    id: UUID
    club: UUID
    absorbed: PlayerShown
    into: PlayerShown
    created_at: datetime
    created_by: UUID | None
    undone_at: datetime | None


def merge_shown(made: Merge) -> MergeShown:
    """A merge, its players loaded."""
    return MergeShown(
        id=made.id,
        club=made.club_id,
        absorbed=player_shown(made.absorbed),
        into=player_shown(made.into),
        created_at=made.created_at,
        created_by=made.created_by_id,
        undone_at=made.undone_at,
    )


def _player(club: Club, player_id: UUID) -> Player:
    player = club.players.filter(pk=player_id).first()
    if player is None:
        raise Problem("not_found", f"There is no player {player_id} in this club.")
    return player


class ListMerges(Operation):
    """The merges of a club, the newest first, those that were undone too."""

    scope = Scope.CLUB_READ
    right = Right.SEE

    Query = PageQuery

    class Output(Shown, frozen=True):
        """One page of merges."""

        items: list[MergeShown]
        next: Cursor | None

    def get(self, request: Request, club_id: UUID) -> Response:
        """One page of them."""
        query = read_query(request, PageQuery)
        club = club_of(request, club_id)
        return page(
            club.merges.select_related("absorbed", "into"),
            query,
            order=("-created_at", "id"),
            show=merge_shown,
        )


class PreviewMerge(Operation):
    """What a merge would bring together, or why it cannot be."""

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_PLAYERS

    class Query(Struct, frozen=True):
        """Which two players."""

        absorbed: UUID
        into: UUID

    Output = Preview
    refusals = ("permission_denied", "cannot_merge", "sat_at_one_table")

    def get(self, request: Request, club_id: UUID) -> Response:
        """Games, hands and points of each."""
        club = club_of(request, club_id)
        query = read_query(request, PreviewMerge.Query)
        found = preview(absorbed=_player(club, query.absorbed), into=_player(club, query.into))
        return Response(found)


class MergePlayers(Operation):
    """Let what one player played count for another, because they are one person.

    The log and the ledger stay as they are, and the merge can be undone. Two who ever sat at one
    hand are two persons; so are two with an account each.
    """

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_PLAYERS

    class Input(Struct, frozen=True):
        """Whose record counts for whom."""

        absorbed: UUID
        into: UUID

    Output = MergeShown
    status = 201
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "cannot_merge", "sat_at_one_table")

    @idempotent
    def post(self, request: Request, club_id: UUID) -> Response:
        """Write the merge."""
        club = club_of(request, club_id)
        given = read_body(request, MergePlayers.Input)
        made = merge(
            absorbed=_player(club, given.absorbed),
            into=_player(club, given.into),
            by=account_of(request),
        )
        return Response(merge_shown(made), status=self.status)


class UndoMerge(Operation):
    """Let both records count for themselves again."""

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_PLAYERS

    Output = MergeShown
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "merge_undone")

    @idempotent
    def post(self, request: Request, merge_id: UUID) -> Response:
        """Undo it."""
        made, _ = of_a_club(request, Merge.objects.all(), merge_id)
        return Response(merge_shown(undo_merge(made)))
