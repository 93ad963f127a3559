"""Invitations to a club: making, looking at, following and taking back."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
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
    PublicOperation,
    Shown,
    Struct,
    read_body,
    read_query,
)
from api.pagination import page
from api.scopes import Scope
from api.v1.shapes import ClubShown, club_shown
from records.clubs import Right
from records.invitations import (
    accept_invitation,
    find_invitation,
    invite,
    revoke_invitation,
    state_of,
)
from records.models import Invitation, Role

Secret = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


class InvitationShown(Shown, frozen=True):
    """An invitation, without its secret. `player` is the guest whose record it hands over."""

    id: UUID
    club: UUID
    role: Role
    player: UUID | None
    state: Literal["open", "used", "revoked", "expired"]
    created_by: UUID | None
    created_at: datetime
    expires_at: datetime
    accepted_by: UUID | None
    accepted_at: datetime | None


def invitation_shown(invitation: Invitation) -> InvitationShown:
    """An invitation."""
    return InvitationShown(
        id=invitation.id,
        club=invitation.club_id,
        role=Role(invitation.role),
        player=invitation.player_id,
        state=state_of(invitation),
        created_by=invitation.created_by_id,
        created_at=invitation.created_at,
        expires_at=invitation.expires_at,
        accepted_by=invitation.accepted_by_id,
        accepted_at=invitation.accepted_at,
    )


class ListInvitations(Operation):
    """The invitations of a club, the newest first. Owners only."""

    scope = Scope.CLUB_ADMIN
    right = Right.KEEP_MEMBERS

    Query = PageQuery

    class Output(Shown, frozen=True):
        """One page of invitations."""

        items: list[InvitationShown]
        next: Cursor | None

    refusals = ("permission_denied",)

    def get(self, request: Request, club_id: UUID) -> Response:
        """One page of them."""
        query = read_query(request, PageQuery)
        club = club_of(request, club_id)
        return page(
            club.invitations.all(), query, order=("-created_at", "id"), show=invitation_shown
        )


class CreateInvitation(Operation):
    """Make a link that makes whoever follows it a member, once. Owners only.

    Its secret is shown this once and stored hashed; it is null in a repeated answer.
    """

    scope = Scope.CLUB_ADMIN
    right = Right.KEEP_MEMBERS

    class Input(Struct, frozen=True):
        """As what, for how many days, and whether for one guest of the club."""

        role: Role
        days: Annotated[int, msgspec.Meta(ge=1, le=90)] = 7
        player: UUID | None = None

    class Output(InvitationShown, frozen=True):
        """The invitation and its secret."""

        secret: str | None

    status = 201
    shown_once = ("secret",)
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "not_a_guest")

    @idempotent
    def post(self, request: Request, club_id: UUID) -> Response:
        """Make the invitation."""
        club = club_of(request, club_id)
        given = read_body(request, CreateInvitation.Input)
        player = None
        if given.player is not None:
            player = club.players.filter(pk=given.player).first()
            if player is None:
                raise Problem("not_found", "There is no such player in this club.")
        invitation, secret = invite(
            club=club, role=given.role, by=account_of(request), days=given.days, player=player
        )
        shown = msgspec.structs.asdict(invitation_shown(invitation))
        return Response(CreateInvitation.Output(**shown, secret=secret), status=self.status)


class RevokeInvitation(Operation):
    """Take an invitation back that nobody has followed. Owners only."""

    scope = Scope.CLUB_ADMIN
    right = Right.KEEP_MEMBERS

    Output = InvitationShown
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "invitation_over")

    @idempotent
    def delete(self, request: Request, invitation_id: UUID) -> Response:
        """Take it back."""
        invitation, _ = of_a_club(request, Invitation.objects.all(), invitation_id)
        return Response(invitation_shown(revoke_invitation(invitation)))


class LookAtInvitation(PublicOperation):
    """What an invitation is to, for who has its secret; nobody needs to sign in.

    It writes nothing, and so takes no Idempotency-Key; the secret is sent in the body because
    addresses end up in logs.
    """

    class Input(Struct, frozen=True):
        """Which invitation."""

        secret: Secret

    class Output(Shown, frozen=True):
        """The club, the role, the guest's name if it is meant for one, and how long it is good."""

        club_name: str
        role: Role
        player_name: str | None
        state: Literal["open", "used", "revoked", "expired"]
        expires_at: datetime

    refusals = ("unknown_invitation",)

    def post(self, request: Request) -> Response:
        """Look it up."""
        invitation = find_invitation(read_body(request, LookAtInvitation.Input).secret)
        player = invitation.player
        return Response(
            LookAtInvitation.Output(
                club_name=invitation.club.name,
                role=Role(invitation.role),
                player_name=None if player is None else player.name,
                state=state_of(invitation),
                expires_at=invitation.expires_at,
            )
        )


class AcceptInvitation(Operation):
    """Become a member of the club that an invitation is to.

    If it is meant for a guest of the club, the guest's record is yours from then on.
    """

    scope = Scope.ACCOUNT_WRITE

    class Input(Struct, frozen=True):
        """Which invitation."""

        secret: Secret

    Output = ClubShown
    status = 201
    reads = (IDEMPOTENCY_KEY,)
    refusals = (
        "unknown_invitation",
        "invitation_over",
        "already_a_member",
        "not_a_guest",
        "account_plays_already",
    )

    @idempotent
    def post(self, request: Request) -> Response:
        """Join."""
        given = read_body(request, AcceptInvitation.Input)
        member = accept_invitation(secret=given.secret, account=account_of(request))
        return Response(club_shown(member.club, member.role), status=self.status)
