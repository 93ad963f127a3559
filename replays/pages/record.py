"""The scorekeeper: starting a game at a table, and what a phone needs to record its hands.

The pages only show. What is recorded goes through the API (``static/replays/record``), and the
state of the table comes as JSON, so that a phone can keep it while it has no connection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec
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
from records.models import Account, Club, Membership, Player
from replays.pages.languages import language_of
from replays.pages.record_words import RECORD_WORDS
from replays.recording import Desk, desk_of, moment_of
from replays.viewer.tiles import tile_name
from rules_engine import registry
from rules_engine.tiles import NAMES

P = ParamSpec("P")

GAMES_SHOWN: Final = 5
GAMES_LOOKED_AT: Final = 30
"""So many of the newest games say who plays often and which of them can be gone on with."""
FILES: Final = (
    *("paipu.css", "record/record.css", "theme.js", "tile.svg", "tiles.svg", "js/api.js"),
    *("record/start.js", "record/main.js", "record/draft.js", "record/draw.js", "record/queue.js"),
    *("record/store.js", "record/preview.js", "record/tiles.js", "record/steps.js"),
)
"""What the pages are made of besides themselves: the phone keeps it."""


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


@require_safe
@ensure_csrf_cookie
def start(request: HttpRequest) -> HttpResponseBase:
    """Start a game, or go on with one."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    assert isinstance(request.user, Account)
    language = language_of(request)
    mine = Membership.objects.filter(account=request.user).select_related("club")
    members = [each for each in mine.order_by("club__name") if Right.RECORD in rights_of(each.role)]
    clubs = [each.club for each in members]
    listed = reader.games_in([club.pk for club in clubs], limit=GAMES_LOOKED_AT)
    context = {
        "w": RECORD_WORDS[language],
        "rows": _going_on(listed, clubs, language),
        "choices": {
            "clubs": [_club_choice(club, listed) for club in clubs],
            "rulesets": [_ruleset_choice(each.slug, language) for each in registry.latest()],
        },
        "script_words": _script_words(language),
        "has_clubs": bool(clubs),
    }
    return render(request, "replays/record.html", context)


def _going_on(
    listed: Iterable[reader.Listed], clubs: Iterable[Club], language: str
) -> list[dict[str, Any]]:
    """The newest games that have not ended."""
    names = {club.pk: club.name for club in clubs}
    rows: list[dict[str, Any]] = []
    for each in listed:
        game = reader.game_at(each.id)
        if game.ended:
            continue
        title = each.title or getattr(game.ruleset.names, language)
        people = [UUID(player) for player in game.players if player is not None]
        seated = dict(Player.objects.filter(id__in=people).values_list("id", "name"))
        rows.append(
            {
                "id": each.id,
                "title": title,
                "club": names[each.club],
                "hands": game.hands_ended,
                "players": [seated.get(person, "") for person in people],
            }
        )
        if len(rows) == GAMES_SHOWN:
            break
    return rows


def _club_choice(club: Club, listed: Iterable[reader.Listed]) -> dict[str, Any]:
    """A club to play in: its players, who played last before the others, and its presets."""
    games = [each for each in listed if each.club == club.pk]
    latest: dict[str, int] = {}
    for place, game in enumerate(games):
        for player in game.players:
            latest.setdefault(str(player), place)
    players = club.players.filter(left_at=None).order_by("name")
    ordered = sorted(players, key=lambda player: latest.get(str(player.pk), len(games)))
    return {
        "id": str(club.pk),
        "name": club.name,
        "players": [{"id": str(each.pk), "name": each.name} for each in ordered],
        "presets": [
            {"ruleset": each.ruleset, "name": each.name} for each in club.presets.order_by("name")
        ],
        "ruleset": games[0].ruleset if games else "",
    }


def _ruleset_choice(slug: str, language: str) -> dict[str, Any]:
    ruleset = registry.get(slug)
    return {
        "slug": slug,
        "name": getattr(ruleset.names, language),
        "presets": [
            {"id": each.id, "name": getattr(each, language)}
            for each in ruleset.preset_names.values()
        ],
    }


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
        "state": msgspec.to_builtins(desk),
        "script_words": _script_words(language),
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
    response.headers["Cache-Control"] = "no-cache"
    return response


def _script_words(language: str) -> dict[str, Any]:
    tiles = {name: tile_name(name, language) for name in NAMES}
    return {**RECORD_WORDS[language], "tiles": tiles}
