"""The scorekeeper's page of one game, and what a phone needs to record its hands.

The pages only show. What is recorded goes through the API (``static/replays/record``), and the
state of the table comes as JSON, so that a phone can keep it while it has no connection.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Final, ParamSpec
from uuid import UUID

import msgspec
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.templatetags.static import static
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from records import reader
from records.clubs import Right, rights_of
from records.errors import UnknownGame
from records.models import Account, Club, Membership
from replays.pages.languages import language_of
from replays.pages.record_players import players_of
from replays.pages.record_words import RECORD_WORDS, script_words
from replays.recording import Desk, desk_of, moment_of

P = ParamSpec("P")

FILES: Final = (
    *("paipu.css", "record/record.css", "theme.js", "tile.svg", "tiles.svg", "js/api.js"),
    *("record/start.js", "record/main.js", "record/draft.js", "record/draw.js", "record/queue.js"),
    *("record/store.js", "record/preview.js", "record/tiles.js", "record/steps.js"),
    *("record/forms.js", "record/people.js", "record/stopped.js", "record/taps.js"),
    *("record/told.js", "record/put.js", "record/ruling.js"),
)
"""What the pages are made of besides themselves: the phone keeps it."""
WORKER_POLICY: Final = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"


class Table(msgspec.Struct, frozen=True):
    """A game, its club, and what the one who looks at it may do there."""

    id: UUID
    club: Club
    rights: frozenset[Right]


Page = Callable[Concatenate[HttpRequest, Table, P], HttpResponseBase]


def recorder_page(view: Page[P]) -> Callable[..., HttpResponseBase]:
    """Let a view get the game of the ``game_id`` in its address, for who records in its club.

    Who has not signed in is asked to. Raises Http404 for everybody else.
    """

    @require_safe
    @ensure_csrf_cookie
    @wraps(view)
    def page(
        request: HttpRequest, game_id: UUID, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        return view(request, _table(request, game_id), *args, **kwargs)

    return page


def _table(request: HttpRequest, game_id: UUID) -> Table:
    try:
        about = reader.about(game_id)
    except UnknownGame as error:
        raise Http404 from error
    assert isinstance(request.user, Account)
    mine = Membership.objects.filter(account=request.user, club_id=about.club)
    member = mine.select_related("club").first()
    rights = rights_of(member.role) if member is not None else frozenset()
    if member is None or Right.RECORD not in rights:
        raise Http404
    return Table(game_id, member.club, rights)


@recorder_page
def table(request: HttpRequest, at: Table) -> HttpResponseBase:
    """The scorekeeper's page of one game."""
    language = language_of(request)
    desk = desk_of(at.id, may_rule=Right.RULE in at.rights)
    context = {
        "w": RECORD_WORDS[language],
        "at": at,
        "desk": desk,
        "title": desk.title or getattr(desk.names, language),
        "state": msgspec.to_builtins(desk, str_keys=True),
        "club_players": players_of(at.club),
        "script_words": script_words(language),
    }
    return render(request, "replays/record_game.html", context)


@recorder_page
def state(request: HttpRequest, at: Table) -> HttpResponseBase:
    """The table as it stands now, as JSON."""
    del request
    desk: Desk = desk_of(at.id, may_rule=Right.RULE in at.rights)
    response = HttpResponse(msgspec.json.encode(desk), content_type="application/json")
    response.headers["Cache-Control"] = "private, no-store"
    return response


@recorder_page
def steps(request: HttpRequest, at: Table) -> HttpResponseBase:
    """What may happen next in a hand that is recorded tile by tile, as JSON."""
    moment = moment_of(at.id, language_of(request))
    response = HttpResponse(msgspec.json.encode(moment), content_type="application/json")
    response.headers["Cache-Control"] = "private, no-store"
    return response


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The script that keeps the scorekeeper's pages on the phone.

    Pages name their files by content where the service is in production, modules name each other
    without: both names are kept.
    """
    plain = [f"{static('replays/').rstrip('/')}/{name}" for name in FILES]
    files = sorted({*plain, *(static(f"replays/{name}") for name in FILES)})
    response = render(
        request, "replays/record_worker.js", {"files": files}, content_type="text/javascript"
    )
    response.headers["Service-Worker-Allowed"] = "/record"
    # A worker loads under the policy of its own script, and fetches what the pages ask for.
    response.headers["Content-Security-Policy"] = WORKER_POLICY
    response.headers["Cache-Control"] = "no-cache"
    return response
