"""Sessions: signing in with a browser's cookie.

The cookie is HttpOnly and SameSite=Lax, and every write with it needs the CSRF token, signing in
included. Pages of the service's own use the same cookie.
"""

from __future__ import annotations

from django.contrib.auth import login, logout
from django.middleware.csrf import get_token
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import SessionCookie
from api.operation import Operation, PublicOperation, Shown, Struct, read_body
from api.v1.accounts import Password, Username, known
from api.v1.shapes import AccountShown, account_shown
from records.models import Account


class SessionShown(Shown, frozen=True):
    """Who is signed in with this browser, and what to send as X-CSRFToken with a write."""

    account: AccountShown | None
    csrf_token: str


def session_shown(request: Request) -> SessionShown:
    """The session of this browser."""
    account = request.user
    return SessionShown(
        account=account_shown(account) if isinstance(account, Account) else None,
        csrf_token=get_token(request._request),  # noqa: SLF001 - Django's own request
    )


class ShowSession(PublicOperation):
    """Who is signed in with this browser.

    Ask it first: it gives the CSRF token that every write with the cookie needs.
    """

    authentication_classes = (SessionCookie,)
    Output = SessionShown

    def get(self, request: Request) -> Response:
        """The session."""
        return Response(session_shown(request))


class StartSession(PublicOperation):
    """Sign in with this browser.

    Needs the CSRF token of `GET session` as X-CSRFToken, and gives another one. Takes no
    Idempotency-Key: signing in again is what a repetition would do. Failures are counted together
    with those of `POST sign-in`.
    """

    class Input(Struct, frozen=True):
        """Who signs in."""

        username: Username
        password: Password

    Output = SessionShown
    refusals = ("authentication_failed", "csrf_failed", "locked_out")

    def post(self, request: Request) -> Response:
        """Check the password and begin a session."""
        SessionCookie().enforce_csrf(request)
        given = read_body(request, StartSession.Input)
        account = known(request, username=given.username, password=given.password)
        login(request._request, account)  # noqa: SLF001 - Django's own request
        request.user = account
        return Response(session_shown(request))


class EndSession(Operation):
    """Sign out of this browser.

    Needs no Idempotency-Key: a second try is refused with 401, because the session is gone.
    """

    scope = None
    authentication_classes = (SessionCookie,)
    status = 204
    refusals = ("csrf_failed",)

    def delete(self, request: Request) -> Response:
        """End the session."""
        logout(request._request)  # noqa: SLF001 - Django's own request
        return Response(status=self.status)
