"""One's own account: clubs, how pages look, password, sign-ins, tokens, and going for good."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from api.models import TokenKind
from api.pages.devices import device_name
from api.pages.tokens import scopes_shown, token_rows
from api.scopes import ALL_SCOPES
from api.sessions import handle_of
from api.tokens import MAX_DAYS
from api.v1.sessions import browser_shown, open_sessions
from records.models import Account, Membership, Role
from replays.pages.languages import language_of

LATEST: Final = 50
"""How many of the sign-ins are shown, of browsers and of programs."""


@require_safe
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """The account of whoever is signed in."""
    assert isinstance(request.user, Account), "who has signed in has an account"
    mine = request.user
    now = timezone.now()
    programs = mine.tokens.filter(kind=TokenKind.SIGN_IN, revoked_at=None, expires_at__gt=now)
    clubs = list(_memberships(mine))
    context = {
        "browsers": _browsers(mine, request.session.session_key),
        "programs": programs.order_by("-created_at", "id")[:LATEST],
        "tokens": token_rows(mine.tokens.filter(kind=TokenKind.PERSONAL)),
        "scopes": scopes_shown(ALL_SCOPES, language_of(request)),
        "clubs": clubs,
        "needs_me": [each.club for each in clubs if _is_needed(each)],
        "players": mine.players.select_related("club").order_by("club__name", "name"),
        "most_days": MAX_DAYS,
        "path": "/api/v1/tokens",
    }
    return render(request, "replays/account.html", context)


def _browsers(mine: Account, session_key: str | None) -> list[dict[str, Any]]:
    """Where somebody is signed in, this browser first."""
    this: UUID | None = None if session_key is None else handle_of(session_key)
    sessions = open_sessions(mine).order_by("-last_seen_at", "handle")[:LATEST]
    shown = [browser_shown(session, this) for session in sessions]
    shown.sort(key=lambda browser: not browser.this)
    return [{"browser": each, "name": device_name(each.device)} for each in shown]


def _is_needed(member: Any) -> bool:
    """Whether the club's other members would be without an owner."""
    return member.role == Role.OWNER and member.has_others and not member.has_owner


def _memberships(mine: Account) -> QuerySet[Membership]:
    """Somebody's clubs, and of each whether there are other members, and another owner."""
    others = Membership.objects.filter(
        club=OuterRef("club"), account__machine_of=None, account__is_active=True
    ).exclude(account=mine)
    return (
        mine.memberships.select_related("club")
        .annotate(has_others=Exists(others), has_owner=Exists(others.filter(role=Role.OWNER)))
        .order_by("club__name")
    )
