"""Who is asking: whoever sends a token, or whose browser has a session.

Whether they may is decided in ``api.access``.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import (
    BaseAuthentication,
    SessionAuthentication,
    get_authorization_header,
)
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from api.errors import Problem
from api.tokens import SESSION, Grant, find_token
from records.models import Account

SCHEME = "Bearer"
# In the order in which the model declares them: that is how from_db reads a row.
_ACCOUNT_FIELDS = ("username", "is_active", "id")


class Bearer(BaseAuthentication):
    """``Authorization: Bearer <token>``."""

    def authenticate(self, request: Request) -> tuple[Account, Grant] | None:
        """Whose token it is, and what it is good for; None where none was sent."""
        scheme, *rest = get_authorization_header(request).split() or [b""]
        if scheme.lower() != SCHEME.lower().encode():
            return None
        if len(rest) != 1:
            raise AuthenticationFailed("Send one token: Authorization: Bearer <token>.")
        return bearer_of(rest[0].decode("latin-1"))

    def authenticate_header(self, request: Request) -> str:
        """The challenge of a 401."""
        del request
        return SCHEME


def bearer_of(secret: str) -> tuple[Account, Grant]:
    """Whose token this is, and what it is good for. Raises AuthenticationFailed."""
    found = find_token(secret)
    if found is None:
        raise AuthenticationFailed("There is no such token; sign in again.")
    if found.state == "expired":
        raise AuthenticationFailed("The token has expired; sign in again.")
    if found.state == "revoked":
        raise AuthenticationFailed("The token was revoked.")
    if not found.active:
        raise AuthenticationFailed("The account is closed.")
    values = (found.username, True, found.account)
    return Account.from_db(None, _ACCOUNT_FIELDS, values), found.grant


class SessionCookie(SessionAuthentication):
    """The cookie of a browser that is signed in, with the CSRF token beside it on every write."""

    def authenticate(self, request: Request) -> tuple[Account, Grant] | None:
        """Who is signed in there, with everything that is theirs; None where nobody is."""
        signed_in = super().authenticate(request)
        return None if signed_in is None else (signed_in[0], SESSION)

    def enforce_csrf(self, request: Request) -> None:
        """Refuse a write that another site could have sent. Raises Problem ``csrf_failed``."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            raise Problem(
                "csrf_failed",
                "With a session, a write needs the header X-CSRFToken: `csrf_token` of GET "
                "/api/v1/session.",
                facts={"header": "X-CSRFToken"},
            ) from error


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the OpenAPI document names the scheme."""

    target_class = "api.auth.Bearer"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """An HTTP bearer token."""
        del auto_schema
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from POST /api/v1/sign-in, or one made with POST "
            "/api/v1/tokens or for a club. Each operation names the scope that it needs.",
        }


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the OpenAPI document names the cookie."""

    target_class = "api.auth.SessionCookie"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """The session's cookie."""
        del auto_schema
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "The cookie of POST /api/v1/session. A write needs X-CSRFToken too.",
        }
