"""Sessions: signing in with a browser's cookie, and where one is signed in.

The cookie is HttpOnly and SameSite=Lax, and every write with it needs the CSRF token, signing in
included. Pages of the service's own use the same cookie.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.contrib.auth import login, logout
from django.db.models import QuerySet
from django.middleware.csrf import get_token
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import account_of
from api.auth import SessionCookie
from api.errors import Problem
from api.idempotency import idempotent
from api.models import Session
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
from api.sessions import handle_of
from api.v1.accounts import Password, Username, known, session_key_of
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


class BrowserShown(Shown, frozen=True):
    """A browser in which you are signed in.

    `device` is what it calls itself; `last_seen_at` is no finer than an hour; `this`: it asks.
    """

    id: UUID
    device: str
    last_seen_at: datetime
    expires_at: datetime
    this: bool


def open_sessions(account: Account) -> QuerySet[Session]:
    """The sessions of an account that are still good."""
    return Session.objects.filter(account_id=account.pk, expire_date__gt=timezone.now())


def browser_shown(session: Session, this: UUID | None) -> BrowserShown:
    """A session as lists show it; ``this`` is the handle of the one that asks."""
    return BrowserShown(
        id=session.handle,
        device=session.device,
        last_seen_at=session.last_seen_at,
        expires_at=session.expire_date,
        this=session.handle == this,
    )


class ListSessions(Operation):
    """The browsers in which you are signed in, the last used first.

    Programs that signed in are among the tokens (`GET tokens`).
    """

    scope = Scope.ACCOUNT_READ
    Query = PageQuery

    class Output(Shown, frozen=True):
        """One page of them."""

        items: list[BrowserShown]
        next: Cursor | None

    def get(self, request: Request) -> Response:
        """One page of them."""
        query = read_query(request, PageQuery)
        key = session_key_of(request)
        this = None if key is None else handle_of(key)
        return page(
            open_sessions(account_of(request)),
            query,
            order=("-last_seen_at", "handle"),
            show=lambda session: browser_shown(session, this),
        )


class EndOtherSession(Operation):
    """Sign out of one of your browsers."""

    scope = Scope.ACCOUNT_WRITE
    status = 204
    reads = (IDEMPOTENCY_KEY,)

    @idempotent
    def delete(self, request: Request, session_id: UUID) -> Response:
        """End its session."""
        ended, _ = open_sessions(account_of(request)).filter(handle=session_id).delete()
        if not ended:
            raise Problem("not_found", "You are not signed in with such a browser.")
        return Response(status=self.status)
