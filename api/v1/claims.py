"""Claims on guests' records."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db.models import F
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import account_of, membership_in, of_a_club
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
from api.v1.players import player_of
from api.v1.shapes import AccountShown, PlayerShown, account_shown, player_shown
from records.claims import claim_player, decide_claim
from records.clubs import Right, rights_of
from records.models import Claim


class ClaimShown(Shown, frozen=True):
    """A claim; `accepted` is null until the club has decided."""

    id: UUID
    player: PlayerShown
    account: AccountShown
    created_at: datetime
    accepted: bool | None
    decided_at: datetime | None
    decided_by: UUID | None


def claim_shown(claim: Claim) -> ClaimShown:
    """A claim, its player and account loaded."""
    return ClaimShown(
        id=claim.id,
        player=player_shown(claim.player),
        account=account_shown(claim.account),
        created_at=claim.created_at,
        accepted=claim.accepted,
        decided_at=claim.decided_at,
        decided_by=claim.decided_by_id,
    )


class ClaimPlayer(Operation):
    """Say that the record of a guest of your club is yours.

    An owner, referee or recorder decides.
    """

    scope = Scope.ACCOUNT_WRITE
    right = Right.SEE

    Output = ClaimShown
    status = 201
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("not_a_guest", "account_plays_already", "claim_open_already")

    @idempotent
    def post(self, request: Request, player_id: UUID) -> Response:
        """Write the claim."""
        player = player_of(request, player_id)
        claim = claim_player(player=player, account=account_of(request))
        return Response(claim_shown(claim), status=self.status)


class ListClaims(Operation):
    """The claims of a club that wait for a decision, the oldest first.

    Who may not decide sees their own.
    """

    scope = Scope.CLUB_READ
    right = Right.SEE

    Query = PageQuery

    class Output(Shown, frozen=True):
        """One page of claims."""

        items: list[ClaimShown]
        next: Cursor | None

    def get(self, request: Request, club_id: UUID) -> Response:
        """One page of them."""
        query = read_query(request, PageQuery)
        member = membership_in(request, club_id)
        claims = Claim.objects.filter(player__club_id=club_id, accepted=None)
        if Right.KEEP_PLAYERS not in rights_of(member.role):
            claims = claims.filter(account=member.account_id)
        return page(
            claims.select_related("player", "account"),
            query,
            order=("created_at", "id"),
            show=claim_shown,
        )


class DecideClaim(Operation):
    """Accept a claim, which gives the guest's record to the account, or refuse it.

    Accepting one refuses the others on the same record. Only an owner may decide their own.
    """

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_PLAYERS

    class Input(Struct, frozen=True):
        """The decision."""

        accepted: bool

    Output = ClaimShown
    reads = (IDEMPOTENCY_KEY,)
    refusals = (
        "permission_denied",
        "own_claim",
        "claim_decided",
        "not_a_guest",
        "account_plays_already",
    )

    @idempotent
    def post(self, request: Request, claim_id: UUID) -> Response:
        """Write the decision."""
        claims = Claim.objects.annotate(club_id=F("player__club_id"))
        claim, member = of_a_club(request, claims, claim_id)
        given = read_body(request, DecideClaim.Input)
        decided = decide_claim(claim=claim, by=member, accepted=given.accepted)
        return Response(claim_shown(decided))
