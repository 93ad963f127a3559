"""May they? The one place where scopes, clubs and rights are checked.

Each operation says as data what it needs (``Operation.scope`` and ``Operation.right``). The scope
is checked before the operation runs (``MayAsk``). The right is checked where the operation asks for
what it works on: a handler gets a club, a game or a player only through the functions here.

A club, game or player of a club that one is no member of does not exist for that person: 404, so
that no answer tells whether an id is in use. A member who lacks the right gets 403.
"""

from __future__ import annotations

from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from api.errors import Problem
from records.clubs import Right, rights_of
from records.games import GameAccess, find_game
from records.models import Account, Club, Membership, Player, Role
from replays.visibility import EVERYTHING, PUBLIC, Viewer, viewer_of
from rules_engine.fold import Game

Row = TypeVar("Row", bound=Model)


class MayAsk(IsAuthenticated):
    """Somebody who is signed in, for an operation that says what it needs."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether the operation may run. One that declares no scope never may."""
        operation = view.asked()
        return super().has_permission(request, view) and (
            operation is None or hasattr(operation, "scope")
        )


def account_of(request: Request) -> Account:
    """Who is signed in; the framework has refused everybody else before."""
    account = request.user
    assert isinstance(account, Account)
    return account


def needed_right(request: Request) -> Right:
    """The right that the operation of this request declares."""
    operation = request.parser_context["view"].asked()
    right: Right | None = operation.right
    assert right is not None, f"{operation.__name__} works on a club and declares no right"
    return right


def membership_in(request: Request, club_id: UUID) -> Membership:
    """Their membership, with the club. Raises Problem ``not_found``, ``permission_denied``."""
    membership = (
        Membership.objects.filter(account=account_of(request), club_id=club_id)
        .select_related("club")
        .first()
    )
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
    mine = Membership.objects.filter(account=account_of(request), club_id=club_id)
    member = mine.select_related("club").first()
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
    if access is None or access.role is None:
        raise Problem("not_found", "There is no such game in your clubs.")
    require(access.role, right or needed_right(request))
    return access


def require(role: Role, right: Right) -> None:
    """Raise Problem ``permission_denied`` unless the role has the right."""
    if right not in rights_of(role):
        raise Problem(
            "permission_denied",
            f"Your role in this club is {role.value}, which does not have the right {right.value}.",
            facts={"role": role.value, "right": right.value},
        )


def viewer_in(request: Request, access: GameAccess, game: Game) -> Viewer:
    """What the caller may see of a live hand of this game."""
    if Right.RECORD in rights_of(access.role):
        return EVERYTHING
    if game.table is None:
        return PUBLIC
    own = Player.objects.filter(account=account_of(request), club_id=access.club)
    ids = {str(player) for player in own.values_list("id", flat=True)}
    return viewer_of(game, recorder=False, own_players=ids)
