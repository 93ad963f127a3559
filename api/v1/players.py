"""The players of a club."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import club_of, membership_in
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
from api.v1.shapes import Name, PlayerShown, player_shown
from records.clubs import Right
from records.models import Player
from records.players import add_player, change_player


class ListPlayers(Operation):
    """The players of a club.

    A guest is a player without an account. Who has left takes no seat in a new game.
    """

    scope = Scope.CLUB_READ
    right = Right.SEE

    class Query(PageQuery, frozen=True):
        """Which players."""

        guest: (
            Annotated[bool, msgspec.Meta(description="Only guests, or only players with accounts.")]
            | None
        ) = None
        left: (
            Annotated[bool, msgspec.Meta(description="Only who has left, or only who has not.")]
            | None
        ) = None

    class Output(Shown, frozen=True):
        """One page of players."""

        items: list[PlayerShown]
        next: Cursor | None

    def get(self, request: Request, club_id: UUID) -> Response:
        """One page of them, those added first before the others."""
        query = read_query(request, ListPlayers.Query)
        players = club_of(request, club_id).players.all()
        if query.guest is not None:
            players = players.filter(account__isnull=query.guest)
        if query.left is not None:
            players = players.filter(left_at__isnull=not query.left)
        return page(players, query, order=("created_at", "id"), show=player_shown)


class AddPlayer(Operation):
    """Add a player to a club.

    A player need not have an account. With one, which must be a member's, that member sees the
    player's own tiles while a hand is live.
    """

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_PLAYERS

    class Input(Struct, frozen=True):
        """The new player."""

        name: Name
        username: Annotated[str, msgspec.Meta(min_length=1, max_length=150)] | None = None

    Output = PlayerShown
    status = 201
    reads = (IDEMPOTENCY_KEY,)
    refusals = (
        "permission_denied",
        "not_a_member",
        "player_name_taken",
        "account_plays_already",
    )

    @idempotent
    def post(self, request: Request, club_id: UUID) -> Response:
        """Write the player."""
        club = club_of(request, club_id)
        given = read_body(request, AddPlayer.Input)
        player = add_player(club=club, name=given.name, username=given.username)
        return Response(player_shown(player), status=self.status)


class ChangePlayer(Operation):
    """Give a player another name, or say that they have left or play again.

    Records name players by id, so every game shows the new name from then on. Who has left keeps
    the record, and takes no seat in a new game.
    """

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_PLAYERS

    class Input(Struct, frozen=True):
        """What is to change."""

        name: Name | None = None
        left: bool | None = None

    Output = PlayerShown
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "player_name_taken")

    @idempotent
    def patch(self, request: Request, player_id: UUID) -> Response:
        """Write the change."""
        player = player_of(request, player_id)
        given = read_body(request, ChangePlayer.Input)
        return Response(
            player_shown(change_player(player=player, name=given.name, left=given.left))
        )


def player_of(request: Request, player_id: UUID) -> Player:
    """The player, if the caller holds the right needed in the player's club. Raises Problem."""
    player = Player.objects.filter(pk=player_id).first()
    if player is None:
        raise Problem("not_found", "There is no such player in your clubs.")
    try:
        membership_in(request, player.club_id)
    except Problem as refusal:
        if refusal.code == "not_found":
            raise Problem("not_found", "There is no such player in your clubs.") from refusal
        raise
    return player
