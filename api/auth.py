"""Who is asking. Whether they may is decided in ``api.access``."""

from __future__ import annotations

import re
from hmac import compare_digest
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from knox.models import AuthToken
from knox.settings import CONSTANTS
from rest_framework.exceptions import AuthenticationFailed

from records.models import Account
from records.prepared import Statement, fetch_rows

_TOKEN = re.compile(r"[\x21-\x7e]{16,200}")
# In the order in which the models declare them: that is how from_db reads a row.
_TOKEN_FIELDS = ("digest", "token_key", "user_id")
_ACCOUNT_FIELDS = ("username", "is_active", "id")
_FIND = Statement(
    name=b"find_token",
    text=b"""
        SELECT t.digest, t.token_key, t.expiry < now(), a.username, a.is_active, a.id
        FROM knox_authtoken t JOIN records_account a ON a.id = t.user_id
        WHERE t.token_key = $1::text
    """,
)


class Bearer(TokenAuthentication):  # type: ignore[misc] # knox carries no types
    """``Authorization: Bearer <token>``: tokens that expire, stored hashed."""

    def authenticate_credentials(self, token: bytes) -> tuple[Account, AuthToken]:
        """The account and its token. Raises AuthenticationFailed.

        One query written out, for this runs in every request and building it by the ORM took two
        fifths of the time of an append. Expired tokens are refused here and removed at sign-in.
        """
        given = token.decode("latin-1")
        if not _TOKEN.fullmatch(given):
            raise AuthenticationFailed("This is not a token that the service gave.")
        key = given[: CONSTANTS.TOKEN_KEY_LENGTH].encode()
        for row in fetch_rows(_FIND, [key], using=DEFAULT_DB_ALIAS):
            digest, token_key, expired, username, active, account_id = row
            if not compare_digest(hash_token(given), digest or ""):
                continue
            if expired == "t":
                raise AuthenticationFailed("The token has expired; sign in again.")
            if active != "t":
                raise AuthenticationFailed("The account is closed.")
            user_id = UUID(account_id)
            account = Account.from_db(None, _ACCOUNT_FIELDS, (username, True, user_id))
            return account, AuthToken.from_db(None, _TOKEN_FIELDS, (digest, token_key, user_id))
        raise AuthenticationFailed("There is no such token; sign in again.")


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
            "description": "A token from POST /api/v1/sign-in.",
        }
