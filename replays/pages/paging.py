"""Lists in pages, searched; and a player whom an address has chosen from one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import msgspec
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from records.models import Player
from replays.pages.membership import Here


class Paged(msgspec.Struct, frozen=True, kw_only=True):
    """One page of a list; ``before`` and ``after`` are queries, empty where there is no page."""

    rows: list[Any]
    first: int
    last: int
    count: int
    before: str
    after: str

    def __iter__(self) -> Iterator[Any]:
        return iter(self.rows)

    @property
    def is_part(self) -> bool:
        """Whether there are more rows than these."""
        return self.count > len(self.rows)


def paged(request: HttpRequest, rows: QuerySet[Any], *, size: int, name: str = "page") -> Paged:
    """The page that the address asks for by ``name``; what it asks for besides stays."""
    page = Paginator(rows, size).get_page(request.GET.get(name))

    def query(number: int) -> str:
        asked = request.GET.copy()
        asked[name] = str(number)
        return asked.urlencode()

    return Paged(
        rows=list(page.object_list),
        first=page.start_index(),
        last=page.end_index(),
        count=page.paginator.count,
        before=query(page.previous_page_number()) if page.has_previous() else "",
        after=query(page.next_page_number()) if page.has_next() else "",
    )


def chosen_player(
    request: HttpRequest, here: Here, name: str, *, guest: bool = False
) -> Player | None:
    """The player of the club whose id the address has under this name; perhaps only a guest."""
    try:
        players = here.club.players.filter(pk=UUID(request.GET.get(name, "")))
    except ValueError:
        return None
    return (players.filter(account=None) if guest else players).first()


def searched(text: str, *fields: str) -> Q:
    """The rows in which one of these fields has the text in it; every row for no text."""
    found = Q()
    # The database keeps no NUL, so nothing has one in it.
    for field in fields if text else ():
        found |= Q(**{f"{field}__icontains": text.replace("\x00", "")})
    return found
