"""The scorekeeper: starting a game at a table, or going on with one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from records import reader
from records.clubs import Right, rights_of
from records.models import Account, Club, Membership, Player
from replays.pages.languages import language_of
from replays.pages.record_players import newest_games, players_of
from replays.pages.record_words import RECORD_WORDS, script_words
from rules_engine import registry
from rules_engine.errors import Violation
from rules_engine.events import OptionValue
from rules_engine.ruleset import Ruleset, bind_play, make_options

GAMES_SHOWN: Final = 4


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
    listed = newest_games(clubs)
    context = {
        "w": RECORD_WORDS[language],
        "rows": _going_on(listed, clubs, language),
        "choices": {
            "clubs": [_club_choice(club, listed) for club in clubs],
            "rulesets": [_ruleset_choice(each, language) for each in registry.latest()],
        },
        "script_words": script_words(language),
        "has_clubs": bool(clubs),
        "several_clubs": len(clubs) > 1,
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
    return {
        "id": str(club.pk),
        "name": club.name,
        "players": players_of(club, games),
        "presets": [
            {
                "ruleset": each.ruleset,
                "name": each.name,
                "waiting": _waiting(registry.get(each.ruleset, each.ruleset_version), each.options),
            }
            for each in club.presets.order_by("name")
        ],
        "ruleset": games[0].ruleset if games else "",
    }


def _ruleset_choice(ruleset: Ruleset, language: str) -> dict[str, Any]:
    return {
        "slug": ruleset.slug,
        "name": getattr(ruleset.names, language),
        "waiting": _waiting(ruleset, {}),
        "presets": [
            {
                "id": each.id,
                "name": getattr(each, language),
                "waiting": _waiting(ruleset, ruleset.presets[each.id]),
            }
            for each in ruleset.preset_names.values()
        ],
    }


def _waiting(ruleset: Ruleset, given: Mapping[str, OptionValue]) -> int:
    """How many players wait for a seat under these options.

    None where the options are no longer allowed, which starting the game will say.
    """
    options = make_options(ruleset.options, given)
    return 0 if isinstance(options, Violation) else bind_play(ruleset, options).substitutes
