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

from api.auth import account_of
from api.errors import Problem
from api.idempotency import idempotent
from api.operation import IDEMPOTENCY_KEY, Operation, PublicOperation, Shown, Struct, read_body
from api.v1.shapes import AccountShown, account_shown
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
        # The counter of failures looks at Django's own request.
        django_request = request._request  # noqa: SLF001
        account = authenticate(django_request, username=given.username, password=given.password)
        if not isinstance(account, Account):
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

    status = 204

    def post(self, request: Request) -> Response:
        """Delete the token."""
        request.auth.delete()
        return Response(status=self.status)


class ShowMe(Operation):
    """Who you are signed in as."""

    Output = AccountShown

    def get(self, request: Request) -> Response:
        """The account of the token."""
        return Response(account_shown(account_of(request)))
