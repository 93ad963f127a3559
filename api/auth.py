"""Who is asking, and whether they may: tokens, memberships, rights.

A club, game or player of a club that one is no member of does not exist for that person: 404, so
that no answer tells whether an id is in use. A member who lacks the right gets 403.
"""

from __future__ import annotations

import re
from hmac import compare_digest
from typing import Any, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Model, QuerySet
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from knox.models import AuthToken
from knox.settings import CONSTANTS
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from api.errors import Problem
from records.clubs import Right, rights_of
from records.games import GameAccess, find_game
from records.models import Account, Club, Membership, Player, Role
from records.prepared import Statement, fetch_rows
from replays.visibility import EVERYTHING, PUBLIC, Viewer, viewer_of
from rules_engine.fold import Game

Row = TypeVar("Row", bound=Model)

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


def account_of(request: Request) -> Account:
    """Who is signed in; the framework has refused everybody else before."""
    account = request.user
    assert isinstance(account, Account)
    return account


def membership_in(request: Request, club_id: UUID, right: Right) -> Membership:
    """Their membership, with the club. Raises Problem ``not_found``, ``permission_denied``."""
    membership = (
        Membership.objects.filter(account=account_of(request), club_id=club_id)
        .select_related("club")
        .first()
    )
    if membership is None:
        raise Problem("not_found", "There is no such club among yours.")
    require(Role(membership.role), right)
    return membership


def club_of(request: Request, club_id: UUID, right: Right) -> Club:
    """The club, if the caller holds this right there."""
    return membership_in(request, club_id, right).club


def of_a_club(
    request: Request, rows: QuerySet[Row], row_id: UUID, right: Right
) -> tuple[Row, Membership]:
    """What belongs to a club, and the caller's membership there.

    The rows have a ``club_id``. Raises Problem ``not_found``, ``permission_denied``.
    """
    row = rows.filter(pk=row_id).first()
    club_id = UUID(int=0) if row is None else getattr(row, "club_id")  # noqa: B009 - any model's
    mine = Membership.objects.filter(account=account_of(request), club_id=club_id)
    member = mine.select_related("club").first()
    if row is None or member is None:
        name = rows.model._meta.verbose_name
        raise Problem("not_found", f"There is no such {name} in your clubs.")
    require(Role(member.role), right)
    return row, member


def require(role: Role, right: Right) -> None:
    """Raise Problem ``permission_denied`` unless the role has the right."""
    if right not in rights_of(role):
        raise Problem(
            "permission_denied",
            f"Your role in this club is {role.value}, which does not have the right {right.value}.",
            facts={"role": role.value, "right": right.value},
        )


def game_of(request: Request, game_id: UUID, right: Right) -> GameAccess:
    """The game, if the caller holds this right in its club. Raises Problem."""
    access = find_game(game_id=game_id, account_id=account_of(request).pk)
    if access is None or access.role is None:
        raise Problem("not_found", "There is no such game in your clubs.")
    require(access.role, right)
    return access


def viewer_in(request: Request, access: GameAccess, game: Game) -> Viewer:
    """What the caller may see of a live hand of this game."""
    if Right.RECORD in rights_of(access.role):
        return EVERYTHING
    if game.table is None:
        return PUBLIC
    own = Player.objects.filter(account=account_of(request), club_id=access.club)
    ids = {str(player) for player in own.values_list("id", flat=True)}
    return viewer_of(game, recorder=False, own_players=ids)
