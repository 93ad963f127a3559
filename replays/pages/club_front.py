"""The clubs of whoever is signed in, and the front page of each."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from records.clubs import Right
from records.models import Account, Membership, Season
from records.seasons import season_at, state_of
from replays import boards
from replays.board_rows import View
from replays.boards import Line
from replays.pages.asking import players_named, today_in
from replays.pages.figures_shown import row_shown
from replays.pages.game_list import game_rows
from replays.pages.languages import language_of
from replays.pages.membership import Here, club_page
from replays.pages.players import tier_shown
from replays.played import games_played
from replays.tiers_history import tier_history

LATEST: Final = 10
LEADERS: Final = 10


@require_safe
@login_required
def clubs(request: HttpRequest) -> HttpResponse:
    """The clubs that the reader is in."""
    assert isinstance(request.user, Account), "who has signed in has an account"
    mine = Membership.objects.filter(account=request.user).select_related("club")
    return render(request, "replays/clubs.html", {"members": mine.order_by("club__name")})


@club_page
def club(request: HttpRequest, here: Here) -> HttpResponseBase:
    """A club: who leads the season, where the reader stands, what is and was played."""
    language = language_of(request)
    season = season_at(here.club)
    view = View(club=here.club, season=season)
    leaders = boards.board(view, limit=LEADERS).lines
    own = here.own_persons()
    mine = _mine(view, own)
    lines = list(leaders)
    if mine is not None and mine.row.player_id not in {line.row.player_id for line in leaders}:
        lines.append(mine)
    names = players_named({line.row.player_id for line in lines})
    shown: dict[str, Any] = {"own": set(own), "language": language}
    latest = games_played(here.account, [here.club], limit=LATEST)
    games = game_rows(here.account, latest, language, name_club=False)
    context = {
        "here": here,
        "own": own[0] if own else None,
        "may_keep": Right.KEEP_CLUB in here.rights,
        "season": None if season is None else _season(season, here),
        "rows": [row_shown(line, names, **shown) for line in lines],
        "mine": None if mine is None else row_shown(mine, names, **shown),
        "tier": _tier(here, season, own, language),
        "players": boards.size_of(view),
        "has_games": bool(games),
        "live": [game for game in games if game["state"] == "live"],
        "games": [game for game in games if game["state"] != "live"],
    }
    return render(request, "replays/club.html", context)


def _mine(view: View, own: list[UUID]) -> Line | None:
    """The reader's line of the board, if the reader is on it."""
    found = boards.around(view, own[0], neighbours=0) if own else None
    return None if found is None else found.lines[0]


def _tier(
    here: Here, season: Season | None, own: list[UUID], language: str
) -> dict[str, Any] | None:
    """The reader's tier, and how far it is to the next."""
    if not own:
        return None
    return tier_shown(tier_history(here.club, own[0], season=season), language)


def _season(season: Season, here: Here) -> dict[str, Any]:
    """A season with its state, and the days that are left of one that is under way."""
    today = today_in(here.club)
    return {
        "season": season,
        "state": state_of(season),
        "days_left": max(0, (season.ends_on - today).days + 1),
        "days": (season.ends_on - season.starts_on).days + 1,
        "days_gone": max(0, (today - season.starts_on).days),
        "is_last_day": season.ends_on == today,
    }
