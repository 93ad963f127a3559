"""Files of games that a club was sent, and how far each is."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.db.models import Case, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from api.bulk.receiving import progress_of_each
from api.errors import PROBLEMS
from api.languages import chinese_detail
from api.models import Import, ImportedGame, ImportFault
from api.v1.imports import import_shown
from replays.pages.desk import show_desk
from replays.pages.languages import language_of
from replays.pages.membership import Here, club_page
from replays.pages.paging import paged
from rules_engine import registry

PAGE: Final = 30
ROWS: Final = 50
"""Refused lines, and games, of one page."""


@club_page
def imports(request: HttpRequest, here: Here) -> HttpResponse:
    """A form for a file, and the files there were, the latest first."""
    files = Import.objects.filter(club=here.club).order_by("-created_at", "-id")
    pages = paged(request, files, size=PAGE)
    progress = progress_of_each([file.pk for file in pages])
    shown = [import_shown(file, progress[file.pk]) for file in pages]
    return show_desk(request, here, "imports", {"pages": pages, "imports": shown})


@club_page
def one_import(request: HttpRequest, here: Here, import_id: UUID) -> HttpResponse:
    """How far a file is, its games, and the lines of it that were refused."""
    file = get_object_or_404(Import, pk=import_id, club=here.club)
    shown = import_shown(file)
    count = shown.progress.games
    refused_first = Case(When(state=ImportedGame.State.REFUSED, then=0), default=1)
    language = language_of(request)
    faults = paged(request, file.faults.order_by("line"), size=ROWS)
    context = {
        "file": shown,
        "is_going_on": shown.state in ("working", "receiving"),
        "most": max(1, count),
        # A file that has ended fills the bar, one without a single game as well.
        "worked": count - shown.progress.waiting if shown.state != "ended" else max(1, count),
        "faults": faults,
        "refused": [(fault, reason_of(fault) if language == "zh" else "") for fault in faults],
        "games": paged(request, file.games.order_by(refused_first, "id"), size=ROWS, name="games"),
    }
    return show_desk(request, here, "imports", context, template="replays/club_import.html")


def reason_of(fault: ImportFault) -> str:
    """Why a line was refused, in Chinese as far as facts tell it; its message is English."""
    facts = {**fault.facts, "rule": fault.rule or None}
    title = "这一行不是对局的记录" if fault.code == "bad_line" else ""
    if fault.code in PROBLEMS:
        title = PROBLEMS[fault.code].title_zh
    for ruleset in registry.latest():
        if fault.code in ruleset.refusals:
            title = title or ruleset.refusals[fault.code].zh
        if fault.rule in ruleset.rules:
            facts["rule_zh"] = ruleset.rules[fault.rule].zh
    return chinese_detail(title, facts) if title else ""
