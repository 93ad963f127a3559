"""The clubs of whoever is signed in, and the front page of each."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from records import reader
from records.models import Account, Club, Membership
from records.seasons import season_at, state_of
from replays import boards
from replays.board_rows import View
from replays.pages.asking import in_zone, players_named
from replays.pages.figures_shown import row_shown
from replays.pages.games import ruleset_name
from replays.pages.languages import language_of
from replays.pages.membership import Here, club_page

LATEST: Final = 8
LEADERS: Final = 5


@require_safe
@login_required
def clubs(request: HttpRequest) -> HttpResponse:
    """The clubs that the reader is in."""
    assert isinstance(request.user, Account), "who has signed in has an account"
    mine = Membership.objects.filter(account=request.user).select_related("club")
    return render(request, "replays/clubs.html", {"members": mine.order_by("club__name")})


@club_page
def club(request: HttpRequest, here: Here) -> HttpResponseBase:
    """A club: who leads the season, and what was played last."""
    language = language_of(request)
    season = season_at(here.club)
    found = boards.board(View(club=here.club, season=season), limit=LEADERS)
    own = here.own_persons()
    games = reader.games_in([here.club.pk], limit=LATEST)
    people = {UUID(player) for game in games for player in game.players}
    names = players_named(people | {line.row.player_id for line in found.lines})
    shown: dict[str, Any] = {"own": set(own), "language": language}
    context = {
        "here": here,
        "own": own,
        "season": season,
        "state": None if season is None else state_of(season),
        "leaders": [row_shown(line, names, **shown) for line in found.lines],
        "games": [_game(game, here.club, names, language) for game in games],
    }
    return render(request, "replays/club.html", context)


def _game(game: reader.Listed, club: Club, names: dict[UUID, str], language: str) -> dict[str, Any]:
    kind = ruleset_name(game.ruleset, game.ruleset_version, language)
    return {
        "id": game.id,
        "title": game.title or kind,
        "kind": kind if game.title else "",
        "at": game.created_at,
        "at_shown": f"{in_zone(game.created_at, club):%Y-%m-%d %H:%M}",
        "players": [names.get(UUID(player), "") for player in game.players],
    }
