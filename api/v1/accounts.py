"""Accounts: signing up, in and out with a token, another password, going for good."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec
from django.contrib.auth import authenticate, update_session_auth_hash
from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import account_of, grant_of, memberships_of
from api.auth import SCHEME, Bearer
from api.errors import Problem
from api.idempotency import idempotent, was_done
from api.operation import IDEMPOTENCY_KEY, Operation, PublicOperation, Shown, Struct, read_body
from api.removal import remove_person
from api.scopes import Scope
from api.tokens import SESSION, revoke_token, sign_in, sign_out_everywhere
from api.v1.shapes import (
    AccountShown,
    ClubShown,
    PlayerShown,
    account_shown,
    club_shown,
    player_shown,
)
from records.models import Account
from records.people import change_password, create_account

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
    """Get a token that is good for everything you may do.

    Send it as `Authorization: Bearer <token>`. It is shown this once, stored hashed, and expires. A
    program is better served by a token of its own (`POST tokens`) with the scopes that it needs.
    It takes no Idempotency-Key, because the token is not stored and a repeated answer could not
    show it. Ten failures for one name from one address lock it for a quarter of an hour.
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
        account = known(request, username=given.username, password=given.password)
        token, secret = sign_in(account)
        return Response(
            SignIn.Output(token=secret, expires_at=token.expires_at, account=account_shown(account))
        )


class SignOut(Operation):
    """Make the token of this request invalid, whichever it is.

    Needs no Idempotency-Key: a second try is refused with 401, because the token is gone.
    """

    scope = None
    authentication_classes = (Bearer,)

    status = 204

    def post(self, request: Request) -> Response:
        """Take the token back."""
        revoke_token(account_of(request).tokens.get(pk=str(grant_of(request).token)))
        return Response(status=self.status)


class SignOutEverywhere(Operation):
    """End every sign-in of yours: all sessions, and all tokens that came from signing in.

    Tokens that you made stay; `DELETE tokens` takes those back. It ends the sign-in that asks for
    it too, so that a second try with that is refused with 401.
    """

    scope = Scope.ACCOUNT_WRITE

    status = 204
    reads = (IDEMPOTENCY_KEY,)

    @idempotent
    def post(self, request: Request) -> Response:
        """End them."""
        sign_out_everywhere(account_of(request))
        return Response(status=self.status)


class SignOutElsewhere(Operation):
    """End every sign-in of yours but the one that asks: other browsers, and other programs.

    Tokens that you made stay; `DELETE tokens` takes those back.
    """

    scope = Scope.ACCOUNT_WRITE

    status = 204
    reads = (IDEMPOTENCY_KEY,)

    @idempotent
    def post(self, request: Request) -> Response:
        """End them."""
        sign_out_everywhere(
            account_of(request),
            but_session=session_key_of(request),
            but_token=grant_of(request).token,
        )
        return Response(status=self.status)


class ChangePassword(Operation):
    """Give yourself another password.

    It ends every sign-in of yours but the session that asks; tokens that you made stay. Wrong
    passwords count as failed sign-ins.
    """

    scope = Scope.ACCOUNT_WRITE

    class Input(Struct, frozen=True):
        """Your password, and the one it is to be."""

        password: Password
        new_password: Password

    status = 204
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("wrong_password", "locked_out", "weak_password")

    def post(self, request: Request) -> HttpResponse:
        """Check the password, unless this was done before, and write the other one."""
        given = read_body(request, ChangePassword.Input)
        # Outside the transaction of the write, which a refusal takes back: failures are counted.
        if not was_done(request):
            require_password(request, given.password)
        return self._write(request, given.new_password)

    @idempotent
    def _write(self, request: Request, password: str) -> Response:
        account = account_of(request)
        change_password(account=account, password=password)
        if grant_of(request) == SESSION:
            django_request = request._request  # noqa: SLF001 - sessions are Django's
            update_session_auth_hash(django_request, account)
        sign_out_everywhere(account, but_session=session_key_of(request))
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
        memberships = memberships_of(request).order_by("id")
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
        require_password(request, given.password)
        remove_person(account_of(request))
        return Response(status=self.status)


def session_key_of(request: Request) -> str | None:
    """The key of the session that asks; None where a token does."""
    if grant_of(request) != SESSION:
        return None
    return request._request.session.session_key  # noqa: SLF001 - sessions are Django's


def known(request: Request, *, username: str, password: str) -> Account:
    """The account of these credentials. Raises Problem ``authentication_failed``."""
    account = _signed_in(request, username=username, password=password)
    if account is None:
        raise Problem(
            "authentication_failed",
            "There is no account with this username and password.",
            headers={"WWW-Authenticate": SCHEME},
        )
    return account


def require_password(request: Request, password: str) -> None:
    """Let only the person go on whose account it is. Raises Problem ``wrong_password``."""
    username = account_of(request).username
    if _signed_in(request, username=username, password=password) is None:
        raise Problem("wrong_password", "This is not the password of your account.")


def _signed_in(request: Request, *, username: str, password: str) -> Account | None:
    """The account of these credentials, or None, which is counted as a failed sign-in."""
    # The counter of failures looks at Django's own request.
    django_request = request._request  # noqa: SLF001
    account = authenticate(django_request, username=username, password=password)
    return account if isinstance(account, Account) else None
