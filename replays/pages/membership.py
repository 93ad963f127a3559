"""Whose pages a club's are: those of its members. Everybody else finds nothing at the address."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec
from uuid import UUID

import msgspec
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe

from records.clubs import Right, rights_of
from records.merges import person_of
from records.models import Account, Club, Membership, Player

P = ParamSpec("P")


class Here(msgspec.Struct, frozen=True, kw_only=True):
    """A club as one of its members looks at it; `player` is the one whose page it is, if it is."""

    club: Club
    role: str
    account: Account
    player: Player | None = None

    @property
    def rights(self) -> frozenset[Right]:
        """What the member may do here. The API decides anyway."""
        return rights_of(self.role)

    def own_persons(self) -> list[UUID]:
        """For whom the member's own records of the club count, the oldest first."""
        mine = Player.objects.filter(club=self.club, account=self.account)
        records = mine.order_by("created_at").values_list("id", flat=True)
        persons = person_of(self.club.pk)
        return list(dict.fromkeys(persons.get(record, record) for record in records))


ClubView = Callable[Concatenate[HttpRequest, Here, P], HttpResponseBase]


def club_page(view: ClubView[P]) -> Callable[..., HttpResponseBase]:
    """Let a view get the club of the `slug` in its address, as its member sees it.

    Who has not signed in is asked to. Raises Http404 for everybody else.
    """

    @require_safe
    @wraps(view)
    def page(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        return view(request, _here(request, club__slug=slug), *args, **kwargs)

    return page


def player_page(view: ClubView[P]) -> Callable[..., HttpResponseBase]:
    """Let a view get the player of the `player_id` in its address, as a member sees it.

    Who has not signed in is asked to. Raises Http404 for everybody else.
    """

    @require_safe
    @wraps(view)
    def page(request: HttpRequest, player_id: UUID, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        player = Player.objects.filter(id=player_id).first()
        if player is None:
            raise Http404
        here = _here(request, club_id=player.club_id)
        return view(request, msgspec.structs.replace(here, player=player), *args, **kwargs)

    return page


def _here(request: HttpRequest, **club: Any) -> Here:
    assert isinstance(request.user, Account), "who has signed in has an account"
    mine = Membership.objects.filter(account=request.user, **club)
    member = mine.select_related("club").first()
    if member is None or Right.SEE not in rights_of(member.role):
        raise Http404
    return Here(club=member.club, role=member.role, account=request.user)
