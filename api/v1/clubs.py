"""Clubs and their members."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import account_of, club_of, membership_in, memberships_of
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
from api.v1.shapes import ClubShown, MemberShown, Name, club_shown, member_shown
from records.clubs import Right, change_club, create_club, end_membership, people_of, set_member
from records.models import Role

Slug = Annotated[
    str,
    msgspec.Meta(
        pattern="^[a-z0-9]+(-[a-z0-9]+)*$",
        max_length=50,
        description="A short name for addresses.",
        examples=["bamboo"],
    ),
]
DELAY_MAX_S = 86_400


class ListClubs(Operation):
    """The clubs you are a member of."""

    scope = Scope.CLUB_READ

    Query = PageQuery

    class Output(Shown, frozen=True):
        """One page of clubs."""

        items: list[ClubShown]
        next: Cursor | None

    def get(self, request: Request) -> Response:
        """One page of them, those joined first before the others."""
        query = read_query(request, PageQuery)
        return page(
            memberships_of(request),
            query,
            order=("id",),
            show=lambda member: club_shown(member.club, member.role),
        )


class CreateClub(Operation):
    """Found a club; you become its owner."""

    scope = Scope.ACCOUNT_WRITE

    class Input(Struct, frozen=True):
        """The new club."""

        name: Name
        slug: Slug
        time_zone: Annotated[str, msgspec.Meta(max_length=64)] = "Asia/Shanghai"

    Output = ClubShown
    status = 201
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("slug_taken", "unknown_time_zone")

    @idempotent
    def post(self, request: Request) -> Response:
        """Make the club and its first membership."""
        given = read_body(request, CreateClub.Input)
        club = create_club(
            owner=account_of(request),
            name=given.name,
            slug=given.slug,
            time_zone=given.time_zone,
        )
        return Response(club_shown(club, Role.OWNER), status=self.status)


class ShowClub(Operation):
    """A club you are a member of."""

    scope = Scope.CLUB_READ
    right = Right.SEE

    Output = ClubShown

    def get(self, request: Request, club_id: UUID) -> Response:
        """The club."""
        membership = membership_in(request, club_id)
        return Response(club_shown(membership.club, membership.role))


class ChangeClub(Operation):
    """Change a club: its name, time zone, rating, and who sees its games and when. Owners only.

    The time zone says when a season's days begin, so it stays while any season is closed. Who
    neither records, rules nor plays sees a game as it was `spectator_delay_s` seconds ago. With
    `public_games` everybody may look at the pages of its games, as a viewer does.
    """

    scope = Scope.CLUB_ADMIN
    right = Right.KEEP_CLUB

    class Input(Struct, frozen=True):
        """What is to change; what is left out stays."""

        name: Name | None = None
        time_zone: Annotated[str, msgspec.Meta(max_length=64)] | None = None
        rated: bool | None = None
        spectator_delay_s: Annotated[int, msgspec.Meta(ge=0, le=DELAY_MAX_S)] | None = None
        public_games: bool | None = None

    Output = ClubShown
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "unknown_time_zone", "time_zone_fixed")

    @idempotent
    def patch(self, request: Request, club_id: UUID) -> Response:
        """Write the change."""
        member = membership_in(request, club_id)
        given = read_body(request, ChangeClub.Input)
        club = change_club(
            club=member.club,
            name=given.name,
            time_zone=given.time_zone,
            rated=given.rated,
            spectator_delay_s=given.spectator_delay_s,
            public_games=given.public_games,
        )
        return Response(club_shown(club, member.role))


class LeaveClub(Operation):
    """Leave a club.

    The record of whoever you play as stays, and takes no seat until you join again. The last owner
    has to make another one first.
    """

    scope = Scope.ACCOUNT_WRITE
    right = Right.SEE

    status = 204
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("last_owner",)

    @idempotent
    def delete(self, request: Request, club_id: UUID) -> Response:
        """End your membership."""
        end_membership(membership_in(request, club_id))
        return Response(status=self.status)


class ListMembers(Operation):
    """The members of a club."""

    scope = Scope.CLUB_READ
    right = Right.SEE

    Query = PageQuery

    class Output(Shown, frozen=True):
        """One page of members."""

        items: list[MemberShown]
        next: Cursor | None

    def get(self, request: Request, club_id: UUID) -> Response:
        """One page of them, those who joined first before the others."""
        query = read_query(request, PageQuery)
        club = club_of(request, club_id)
        return page(
            people_of(club).select_related("account"), query, order=("id",), show=member_shown
        )


class SetMember(Operation):
    """Add a member to a club, or change a member's role.

    Owners only. Owners may do everything; referees decide disputes; recorders start games and write
    events; players and viewers read.
    """

    scope = Scope.CLUB_ADMIN
    right = Right.KEEP_MEMBERS

    class Input(Struct, frozen=True):
        """Who, and as what."""

        username: Annotated[str, msgspec.Meta(min_length=1, max_length=150)]
        role: Role

    Output = MemberShown
    status = 201
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "unknown_account", "last_owner")

    @idempotent
    def post(self, request: Request, club_id: UUID) -> Response:
        """Write the membership."""
        club = club_of(request, club_id)
        given = read_body(request, SetMember.Input)
        member = set_member(club=club, username=given.username, role=given.role)
        return Response(member_shown(member), status=self.status)


class RemoveMember(Operation):
    """Remove a member from a club. Owners only.

    The record of whoever they play as stays, and takes no seat until they join again.
    """

    scope = Scope.CLUB_ADMIN
    right = Right.KEEP_MEMBERS

    status = 204
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "last_owner")

    @idempotent
    def delete(self, request: Request, club_id: UUID, account_id: UUID) -> Response:
        """End the membership."""
        club = club_of(request, club_id)
        member = people_of(club).select_related("account").filter(account=account_id).first()
        if member is None:
            raise Problem("not_found", "There is no such member of this club.")
        end_membership(member)
        return Response(status=self.status)
