"""Signing up, in and out."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec
from django.contrib.auth import authenticate
from django.utils import timezone
from knox.models import AuthToken
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import account_of
from api.errors import Problem
from api.idempotency import idempotent
from api.operation import IDEMPOTENCY_KEY, Operation, PublicOperation, Shown, Struct, read_body
from api.removal import remove_person
from api.scopes import Scope
from api.v1.shapes import (
    AccountShown,
    ClubShown,
    PlayerShown,
    account_shown,
    club_shown,
    player_shown,
)
from records.models import Account
from records.people import create_account

Username = Annotated[
    str,
    msgspec.Meta(
        min_length=1, max_length=150, description="Letters, digits and @ . + - _", examples=["lin"]
    ),
]
Password = Annotated[str, msgspec.Meta(min_length=1, max_length=128)]


class SignUp(PublicOperation):
    """Make an account.

    The password must have 8 characters or more, and not be a common one.
    """

    class Input(Struct, frozen=True):
        """Who signs up."""

        username: Username
        password: Password

    Output = AccountShown
    status = 201
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("username_taken", "invalid_username", "weak_password")

    @idempotent
    def post(self, request: Request) -> Response:
        """Make the account."""
        given = read_body(request, SignUp.Input)
        account = create_account(username=given.username, password=given.password)
        return Response(account_shown(account), status=self.status)


class SignIn(PublicOperation):
    """Get a token.

    Send it as `Authorization: Bearer <token>`. It is shown this once, stored hashed, and expires.
    Signing in again gives one more token, so this write takes no Idempotency-Key: its answer could
    only be repeated if tokens were stored. Ten failures for one name from one address lock it for a
    quarter of an hour.
    """

    class Input(Struct, frozen=True):
        """Who signs in."""

        username: Username
        password: Password

    class Output(Shown, frozen=True):
        """The token, and until when it is valid."""

        token: str
        expires_at: datetime
        account: AccountShown

    refusals = ("authentication_failed", "locked_out")

    def post(self, request: Request) -> Response:
        """Check the password and make a token."""
        given = read_body(request, SignIn.Input)
        account = _signed_in(request, username=given.username, password=given.password)
        if account is None:
            raise Problem(
                "authentication_failed",
                "There is no account with this username and password.",
                headers={"WWW-Authenticate": "Bearer"},
            )
        AuthToken.objects.filter(user=account, expiry__lt=timezone.now()).delete()
        stored, token = AuthToken.objects.create(user=account)
        return Response(
            SignIn.Output(token=token, expires_at=stored.expiry, account=account_shown(account))
        )


class SignOut(Operation):
    """Make the token of this request invalid.

    Needs no Idempotency-Key: a second try is refused with 401, because the token is gone.
    """

    scope = None

    status = 204

    def post(self, request: Request) -> Response:
        """Delete the token."""
        request.auth.delete()
        return Response(status=self.status)


class ShowMe(Operation):
    """Who you are: your account, your clubs with your role in each, and whom you play as.

    The players are those of all clubs, also of those you have left.
    """

    scope = Scope.ACCOUNT_READ

    class Output(AccountShown, frozen=True):
        """You."""

        clubs: list[ClubShown]
        players: list[PlayerShown]

    def get(self, request: Request) -> Response:
        """The account of the token."""
        account = account_of(request)
        memberships = account.memberships.select_related("club").order_by("id")
        return Response(
            ShowMe.Output(
                id=account.id,
                username=account.username,
                clubs=[club_shown(member.club, member.role) for member in memberships],
                players=[
                    player_shown(player) for player in account.players.order_by("created_at", "id")
                ],
            )
        )


class RemoveMe(Operation):
    """Remove your account for good.

    Your name, contact, sign-in and memberships go; what you played stays, under ids that lead to
    nobody, so that the others' games and points stand. The last owner of a club with other members
    has to make another one first. Needs no Idempotency-Key: a second try is refused with 401.
    """

    scope = Scope.ACCOUNT_WRITE

    class Input(Struct, frozen=True):
        """Your password once more."""

        password: Password

    status = 204
    refusals = ("wrong_password", "locked_out", "last_owner")

    def post(self, request: Request) -> Response:
        """Check the password and remove the account."""
        given = read_body(request, RemoveMe.Input)
        username = account_of(request).username
        if _signed_in(request, username=username, password=given.password) is None:
            raise Problem("wrong_password", "This is not the password of your account.")
        remove_person(account_of(request))
        return Response(status=self.status)


def _signed_in(request: Request, *, username: str, password: str) -> Account | None:
    """The account of these credentials, or None, which is counted as a failed sign-in."""
    # The counter of failures looks at Django's own request.
    django_request = request._request  # noqa: SLF001
    account = authenticate(django_request, username=username, password=password)
    return account if isinstance(account, Account) else None
