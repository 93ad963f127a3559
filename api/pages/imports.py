"""Files of games that a club was sent, and how far each is."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from api.models import Import
from api.v1.imports import import_shown
from replays.pages.desk import show_desk
from replays.pages.membership import Here, club_page

LATEST: Final = 30
FAULTS: Final = 50


@club_page
def imports(request: HttpRequest, here: Here) -> HttpResponse:
    """A form for a file, and the latest files."""
    latest = Import.objects.filter(club=here.club).order_by("-created_at", "-id")[:LATEST]
    return show_desk(request, here, "imports", {"imports": [import_shown(each) for each in latest]})


@club_page
def one_import(request: HttpRequest, here: Here, import_id: UUID) -> HttpResponse:
    """How far a file is, and the lines of it that were refused."""
    file = get_object_or_404(Import, pk=import_id, club=here.club)
    faults = Paginator(file.faults.order_by("line"), FAULTS)
    shown = import_shown(file)
    games = shown.progress.games
    context = {
        "file": shown,
        "most": max(1, games),
        # A file that has ended fills the bar, one without a single game as well.
        "worked": games - shown.progress.waiting if shown.state != "ended" else max(1, games),
        "faults": faults.get_page(request.GET.get("page")),
    }
    return show_desk(request, here, "imports", context, template="replays/club_import.html")
