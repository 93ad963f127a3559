"""May they? The one place where scopes, clubs and rights are checked.

Each operation says as data what it needs (``Operation.scope`` and ``Operation.right``). The scope
is checked before the operation runs (``MayAsk``). The right is checked where the operation asks for
what it works on: a handler gets a club, a game or a player only through the functions here.

A club, game or player of a club that one is no member of, or that the token is not good for, does
not exist for that person: 404, so that no answer tells whether an id is in use. A member who lacks
the right, or whose token lacks the scope, gets 403. Who is not signed in gets 401, but where an
operation is ``open_to_all`` and what it is asked for is public (``watched_game``).
"""

from __future__ import annotations

from typing import Any, Final, TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from api.auth import SCHEME
from api.errors import Problem
from api.scopes import Scope
from api.tokens import Grant
from records.append import WRITER
from records.clubs import Right, rights_of
from records.games import GameAccess, find_game
from records.models import Account, Club, Membership, Role
from replays.sight import Known, look

Row = TypeVar("Row", bound=Model)
NOBODY: Final = UUID(int=0)
"""The account of who is not signed in."""


class MayAsk(IsAuthenticated):
    """Somebody who is signed in, for an operation that says what it needs; or is open to all."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether the operation may run; one that declares no scope never may.

        Raises Problem ``missing_scope``.
        """
        operation = view.asked()
        if not super().has_permission(request, view):
            return operation is not None and operation.open_to_all
        if operation is None:  # The address has no such method, which is said next.
            return True
        if not hasattr(operation, "scope"):
            return False
        if operation.scope is not None:
            require_scope(request, operation.scope)
        return True


def account_of(request: Request) -> Account:
    """Who is signed in; the framework has refused everybody else before."""
    account = request.user
    assert isinstance(account, Account)
    return account


def grant_of(request: Request) -> Grant:
    """What the caller's token is good for, or their session."""
    grant = request.auth
    assert isinstance(grant, Grant)
    return grant


def require_scope(request: Request, scope: Scope) -> None:
    """Raise Problem ``missing_scope`` unless the caller's token has the scope."""
    has = grant_of(request).scopes
    if scope not in has:
        raise Problem(
            "missing_scope",
            f"This token does not have the scope {scope.value}: make one that has.",
            facts={"expected": scope.value, "actual": sorted(has)},
            headers={
                "WWW-Authenticate": f'{SCHEME} error="insufficient_scope", scope="{scope.value}"'
            },
        )


def memberships_of(request: Request) -> QuerySet[Membership]:
    """The caller's memberships, in the clubs that their token is good for, with the clubs."""
    mine = Membership.objects.filter(account=account_of(request)).select_related("club")
    clubs = grant_of(request).clubs
    return mine if clubs is None else mine.filter(club__in=clubs)


def needed_right(request: Request) -> Right:
    """The right that the operation of this request declares."""
    operation = request.parser_context["view"].asked()
    right: Right | None = operation.right
    assert right is not None, f"{operation.__name__} works on a club and declares no right"
    return right


def membership_in(request: Request, club_id: UUID) -> Membership:
    """Their membership, with the club. Raises Problem ``not_found``, ``permission_denied``."""
    membership = memberships_of(request).filter(club=club_id).first()
    if membership is None:
        raise Problem("not_found", "There is no such club among yours.")
    require(Role(membership.role), needed_right(request))
    return membership


def club_of(request: Request, club_id: UUID) -> Club:
    """The club, if the caller holds there the right that the operation needs. Raises Problem."""
    return membership_in(request, club_id).club


def of_a_club(request: Request, rows: QuerySet[Row], row_id: UUID) -> tuple[Row, Membership]:
    """What belongs to a club, and the caller's membership there.

    The rows have a ``club_id``. Raises Problem ``not_found``, ``permission_denied``.
    """
    row = rows.filter(pk=row_id).first()
    club_id = UUID(int=0) if row is None else getattr(row, "club_id")  # noqa: B009 - any model's
    member = memberships_of(request).filter(club=club_id).first()
    if row is None or member is None:
        name = rows.model._meta.verbose_name
        raise Problem("not_found", f"There is no such {name} in your clubs.")
    require(Role(member.role), needed_right(request))
    return row, member


def game_of(request: Request, game_id: UUID, right: Right | None = None) -> GameAccess:
    """The game, if the caller holds the right in its club: the operation's, unless one is given.

    Raises Problem ``not_found``, ``permission_denied``.
    """
    access = find_game(game_id=game_id, account_id=account_of(request).pk)
    if access is None or not is_member(request, access):
        raise Problem("not_found", "There is no such game in your clubs.")
    assert access.role is not None
    require(access.role, right or needed_right(request))
    return access


def watched_game(request: Request, game_id: UUID) -> Known:
    """The game as far as the caller knows of it: as a member by their role, else as anybody does.

    Everybody may watch the games of a club that shows them to all, whatever they are signed in as.
    Raises NotAuthenticated, Problem ``not_found``, ``permission_denied``.
    """
    signed_in = isinstance(request.user, Account)
    access = find_game(game_id=game_id, account_id=account_of(request).pk if signed_in else NOBODY)
    if signed_in and access is not None and is_member(request, access):
        return known_game(request, game_of(request, game_id))
    if access is not None and Club.objects.filter(pk=access.club, public_games=True).exists():
        return look(
            game_id=game_id,
            club_id=access.club,
            account_id=None,
            may_record=False,
            may_rule=False,
            using=WRITER,
        )
    if signed_in:
        raise Problem("not_found", "There is no such game in your clubs.")
    raise NotAuthenticated


def is_member(request: Request, access: GameAccess) -> bool:
    """Whether the caller is a member of the game's club, and their token is good for it."""
    clubs = grant_of(request).clubs
    return access.role is not None and (clubs is None or access.club in clubs)


def require(role: Role, right: Right) -> None:
    """Raise Problem ``permission_denied`` unless the role has the right."""
    if right not in rights_of(role):
        raise Problem(
            "permission_denied",
            f"Your role in this club is {role.value}, which does not have the right {right.value}.",
            facts={"role": role.value, "right": right.value},
        )


def known_game(request: Request, access: GameAccess) -> Known:
    """The game as far as the caller knows of it: all of a live hand, who may record it now."""
    return known_in(request, access.club, access.role, game_id=access.id)


def known_in(
    request: Request, club_id: UUID, role: Role | None, *, game_id: UUID, using: str = WRITER
) -> Known:
    """A game of a club in which the caller has this role, as far as they know of it."""
    rights = rights_of(role)
    return look(
        game_id=game_id,
        club_id=club_id,
        account_id=account_of(request).pk,
        may_record=Right.RECORD in rights and Scope.GAMES_RECORD in grant_of(request).scopes,
        may_rule=Right.RULE in rights,
        using=using,
    )
