"""What the pages have in common on which a club is kept: who sees which, and what they are called.

Those about tokens, webhooks and imports are of the API's own tables and so lie in ``api.pages``.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from records.clubs import Right
from records.models import Role
from replays.pages.languages import language_of
from replays.pages.membership import Here
from replays.words import WORDS


class Desk(NamedTuple):
    """A page for keeping a club: its address, its word, and the right without which it is not."""

    address: str
    word: str
    right: Right


DESKS: Final = {
    "members": Desk("replays:members", "members", Right.SEE),
    "players": Desk("replays:players", "players", Right.SEE),
    "seasons": Desk("replays:seasons", "seasons", Right.SEE),
    "presets": Desk("replays:presets", "presets", Right.SEE),
    "ladder": Desk("replays:ladder", "ladder", Right.SEE),
    "exports": Desk("replays:exports", "exports", Right.SEE),
    "imports": Desk("desk:imports", "imports", Right.RECORD),
    "tokens": Desk("desk:tokens", "tokens", Right.KEEP_CLUB),
    "webhooks": Desk("desk:webhooks", "webhooks", Right.KEEP_CLUB),
    "settings": Desk("replays:settings", "club_settings", Right.KEEP_CLUB),
}


def show_desk(
    request: HttpRequest,
    here: Here,
    page: str,
    context: dict[str, Any],
    *,
    template: str = "",
    heading: str = "",
) -> HttpResponse:
    """One of the pages with its context. Raises Http404 for who lacks its right."""
    words = WORDS[language_of(request)]
    if DESKS[page].right not in here.rights:
        raise Http404
    shown = {
        "here": here,
        "page": page,
        "heading": heading or words[DESKS[page].word],
        "desk": [
            (name, words[desk.word], reverse(desk.address, args=[here.club.slug]))
            for name, desk in DESKS.items()
            if desk.right in here.rights
        ],
        "may_keep": Right.KEEP_CLUB in here.rights,
    }
    # Every time on these pages is the club's, as its days and seasons are.
    with timezone.override(ZoneInfo(here.club.time_zone)):
        return render(request, template or f"replays/club_{page}.html", shown | context)


class RoleShown(NamedTuple):
    """A role, what it is called, and what it may do."""

    value: str
    name: str
    means: str


def roles_shown(request: HttpRequest) -> list[RoleShown]:
    """The roles that a member can have, from owner to viewer."""
    words = WORDS[language_of(request)]
    return [
        RoleShown(role.value, words[f"role_{role.value}"], words[f"role_{role.value}_may"])
        for role in Role
    ]
