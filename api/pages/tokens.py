"""The tokens of a club."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from api.models import Token
from api.scopes import MEANINGS, OF_ONE_CLUB, Scope
from api.tokens import MAX_DAYS
from api.v1.tokens import club_tokens, token_shown
from replays.pages.desk import roles_shown, show_desk
from replays.pages.languages import language_of
from replays.pages.membership import Here, club_page

LATEST = 100
"""How many of the latest tokens are shown."""


@club_page
def tokens(request: HttpRequest, here: Here) -> HttpResponse:
    """Tokens for programs that act for the club: what each is good for, when it was last used."""
    context = {
        "tokens": token_rows(club_tokens(here.club)),
        "scopes": scopes_shown(OF_ONE_CLUB, language_of(request)),
        "roles": roles_shown(request),
        "most_days": MAX_DAYS,
        "path": f"/api/v1/clubs/{here.club.pk}/tokens",
    }
    return show_desk(request, here, "tokens", context)


def token_rows(tokens: QuerySet[Token]) -> list[Any]:
    """The latest of these as lists show them, those that are good first."""
    found = tokens.select_related("account").prefetch_related("account__memberships")
    rows = [token_shown(each) for each in found.order_by("-created_at", "id")[:LATEST]]
    return sorted(rows, key=lambda row: row.state != "active")


def scopes_shown(scopes: Iterable[Scope], language: str) -> list[tuple[str, str]]:
    """Each scope and what it is good for."""
    return [(scope.value, getattr(MEANINGS[scope], language)) for scope in scopes]
