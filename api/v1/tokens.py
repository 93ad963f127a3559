"""Tokens: of a person, for programs that act as them, and of a club, for those that act for it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from django.db.models import QuerySet
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import account_of, club_of, grant_of, memberships_of
from api.auth import Bearer
from api.errors import Problem
from api.idempotency import idempotent
from api.models import Token, TokenKind
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
from api.scopes import OF_ONE_CLUB, Scope
from api.tokens import (
    MAX_DAYS,
    make_club_token,
    make_token,
    require_within,
    revoke_token,
)
from records.clubs import Right
from records.models import Club, Role

TokenName = Annotated[
    str, msgspec.Meta(min_length=1, max_length=100, description="What it is for.")
]
Scopes = Annotated[list[Scope], msgspec.Meta(min_length=1, max_length=len(Scope))]
Days = Annotated[int, msgspec.Meta(ge=1, le=MAX_DAYS, description="Days until it expires.")]


class TokenShown(Shown, frozen=True):
    """A token, without its secret: `prefix` is how it begins.

    `clubs` are those that it is limited to, none where it is good for all of the account's.
    `account` is who acts: you, or a club's machine, with `role` in the club; the log names it.
    `last_used_at` is no finer than an hour.
    """

    id: UUID
    kind: TokenKind
    name: str
    prefix: str
    scopes: list[Scope]
    clubs: list[UUID]
    account: UUID
    role: Role | None
    state: Literal["active", "expired", "revoked"]
    created_at: datetime
    created_by: UUID | None
    expires_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


class TokenMade(TokenShown, frozen=True):
    """A new token. `token` is shown this once, and null in a repeated answer."""

    token: str | None


def token_shown(token: Token) -> TokenShown:
    """A token as lists show it."""
    state: Literal["active", "expired", "revoked"] = "active"
    if token.revoked_at is not None:
        state = "revoked"
    elif token.expires_at < timezone.now():
        state = "expired"
    known = set(Scope)
    of_club = token.kind == TokenKind.CLUB
    member = next(iter(token.account.memberships.all()), None) if of_club else None
    return TokenShown(
        id=token.id,
        kind=TokenKind(token.kind),
        name=token.name,
        prefix=token.prefix,
        scopes=[Scope(scope) for scope in token.scopes if scope in known],
        clubs=token.clubs,
        account=token.account_id,
        role=None if member is None else Role(member.role),
        state=state,
        created_at=token.created_at,
        created_by=token.created_by_id,
        expires_at=token.expires_at,
        last_used_at=token.last_used_at,
        revoked_at=token.revoked_at,
    )


def token_made(token: Token, secret: str) -> TokenMade:
    """A new token with its secret."""
    return TokenMade(**msgspec.structs.asdict(token_shown(token)), token=secret)


class TokenPage(Shown, frozen=True):
    """One page of tokens."""

    items: list[TokenShown]
    next: Cursor | None


def tokens_page(request: Request, tokens: QuerySet[Token]) -> Response:
    """One page of these tokens, the newest first."""
    query = read_query(request, PageQuery)
    return page(
        tokens.select_related("account").prefetch_related("account__memberships"),
        query,
        order=("-created_at", "id"),
        show=token_shown,
    )


def token_among(tokens: QuerySet[Token], token_id: UUID) -> Token:
    """The token of this id among these. Raises Problem ``not_found``."""
    token = tokens.filter(pk=token_id).select_related("account").first()
    if token is None:
        raise Problem("not_found", "There is no such token.")
    return token


def revoke_all(tokens: QuerySet[Token]) -> None:
    """Take back those of these tokens that are still good."""
    for token in tokens.filter(revoked_at=None).select_related("account"):
        revoke_token(token)


class ShowThisToken(Operation):
    """The token of this request: what it is good for, and as whom it acts."""

    scope = None
    authentication_classes = (Bearer,)
    Output = TokenShown

    def get(self, request: Request) -> Response:
        """The token."""
        mine = account_of(request).tokens.select_related("account")
        return Response(token_shown(mine.get(pk=str(grant_of(request).token))))


class ListTokens(Operation):
    """Your tokens, those of sign-ins included, the newest first."""

    scope = Scope.ACCOUNT_READ
    Query = PageQuery
    Output = TokenPage

    def get(self, request: Request) -> Response:
        """One page of them."""
        return tokens_page(request, account_of(request).tokens.all())


class CreateToken(Operation):
    """Make a token for a program that acts as you.

    It can be limited to scopes and to clubs, and expires. A token that is limited to clubs cannot
    have `account:read` and `account:write`, for an account is not of one club. With a token one
    makes no token that is good for more, or for longer; a sign-in makes any.
    """

    scope = Scope.ACCOUNT_WRITE

    class Input(Struct, frozen=True):
        """What the token is to be good for; without `clubs`, for all of yours."""

        name: TokenName
        scopes: Scopes
        clubs: Annotated[list[UUID], msgspec.Meta(max_length=50)] = []
        days: Days = 90

    Output = TokenMade
    status = 201
    shown_once = ("token",)
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("not_found", "beyond_your_token", "scope_of_account")

    @idempotent
    def post(self, request: Request) -> Response:
        """Make it."""
        given = read_body(request, CreateToken.Input)
        clubs = set(given.clubs)
        if clubs:
            _require_of_clubs(given.scopes)
            mine = memberships_of(request).filter(club__in=clubs)
            if mine.count() < len(clubs):
                raise Problem("not_found", "There is no such club among yours.")
        require_within(grant_of(request), scopes=given.scopes, clubs=clubs, days=given.days)
        made = make_token(
            account=account_of(request),
            name=given.name,
            scopes=given.scopes,
            clubs=clubs,
            days=given.days,
        )
        return Response(token_made(*made), status=self.status)


def _require_of_clubs(scopes: list[Scope]) -> None:
    """Raise Problem ``scope_of_account`` for what a token of clubs cannot have."""
    if others := sorted(set(scopes) - set(OF_ONE_CLUB)):
        raise Problem(
            "scope_of_account",
            f"A token that is limited to clubs cannot have {', '.join(others)}.",
            facts={"expected": sorted(OF_ONE_CLUB), "actual": others},
        )


class ShowToken(Operation):
    """One of your tokens."""

    scope = Scope.ACCOUNT_READ
    Output = TokenShown

    def get(self, request: Request, token_id: UUID) -> Response:
        """The token."""
        return Response(token_shown(token_among(account_of(request).tokens.all(), token_id)))


class RevokeToken(Operation):
    """Take one of your tokens back. It stays in the list, revoked; again changes nothing."""

    scope = Scope.ACCOUNT_WRITE
    Output = TokenShown
    reads = (IDEMPOTENCY_KEY,)

    @idempotent
    def delete(self, request: Request, token_id: UUID) -> Response:
        """Take it back."""
        token = token_among(account_of(request).tokens.all(), token_id)
        return Response(token_shown(revoke_token(token)))


class RevokeTokens(Operation):
    """Take back all tokens that you made, this one too.

    Those of sign-ins stay; `POST sign-out/everywhere` ends these.
    """

    scope = Scope.ACCOUNT_WRITE
    status = 204
    reads = (IDEMPOTENCY_KEY,)

    @idempotent
    def delete(self, request: Request) -> Response:
        """Take them back."""
        revoke_all(account_of(request).tokens.filter(kind=TokenKind.PERSONAL))
        return Response(status=self.status)


def club_tokens(club: Club) -> QuerySet[Token]:
    """The tokens of a club, whoever made them."""
    return Token.objects.filter(kind=TokenKind.CLUB, account__machine_of=club)


class ListClubTokens(Operation):
    """The tokens of a club, the newest first. Owners only."""

    scope = Scope.CLUB_ADMIN
    right = Right.KEEP_CLUB
    Query = PageQuery
    Output = TokenPage
    refusals = ("permission_denied",)

    def get(self, request: Request, club_id: UUID) -> Response:
        """One page of them."""
        return tokens_page(request, club_tokens(club_of(request, club_id)))


class CreateClubToken(Operation):
    """Make a token for a program that acts for the club. Owners only.

    It acts as a machine of the club, with a role there as a member has, and not as whoever made
    it: it stays when they go, and ends with the club. The log names the machine (`account`).
    """

    scope = Scope.CLUB_ADMIN
    right = Right.KEEP_CLUB

    class Input(Struct, frozen=True):
        """What the token is to be good for."""

        name: TokenName
        role: Role
        scopes: Scopes
        days: Days = 90

    Output = TokenMade
    status = 201
    shown_once = ("token",)
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "beyond_your_token", "scope_of_account")

    @idempotent
    def post(self, request: Request, club_id: UUID) -> Response:
        """Make it."""
        club = club_of(request, club_id)
        given = read_body(request, CreateClubToken.Input)
        _require_of_clubs(given.scopes)
        require_within(grant_of(request), scopes=given.scopes, clubs=[club.pk], days=given.days)
        made = make_club_token(
            club=club,
            by=account_of(request),
            name=given.name,
            scopes=given.scopes,
            role=given.role,
            days=given.days,
        )
        return Response(token_made(*made), status=self.status)


class ShowClubToken(Operation):
    """A token of a club. Owners only."""

    scope = Scope.CLUB_ADMIN
    right = Right.KEEP_CLUB
    Output = TokenShown
    refusals = ("permission_denied",)

    def get(self, request: Request, club_id: UUID, token_id: UUID) -> Response:
        """The token."""
        return Response(token_shown(token_among(club_tokens(club_of(request, club_id)), token_id)))


class RevokeClubToken(Operation):
    """Take a token of a club back. Owners only. It stays in the list; again changes nothing."""

    scope = Scope.CLUB_ADMIN
    right = Right.KEEP_CLUB
    Output = TokenShown
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied",)

    @idempotent
    def delete(self, request: Request, club_id: UUID, token_id: UUID) -> Response:
        """Take it back."""
        token = token_among(club_tokens(club_of(request, club_id)), token_id)
        return Response(token_shown(revoke_token(token)))


class RevokeClubTokens(Operation):
    """Take back all tokens of a club. Owners only."""

    scope = Scope.CLUB_ADMIN
    right = Right.KEEP_CLUB
    status = 204
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied",)

    @idempotent
    def delete(self, request: Request, club_id: UUID) -> Response:
        """Take them back."""
        revoke_all(club_tokens(club_of(request, club_id)))
        return Response(status=self.status)
