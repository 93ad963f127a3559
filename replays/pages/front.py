"""The first page: what paipu is, in a minute, shown on a hand that somebody won."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from records.played import games_begun
from replays.models import Result
from replays.pages.languages import language_of
from replays.pages.rulesets import cards
from replays.viewer.access import clubs_to_watch, watch
from replays.viewer.panel import hand_panel
from replays.viewer.telling import Teller

GAMES_LOOKED_AT: Final = 12
"""The games played last in clubs that show theirs to all, among which a hand is looked for."""

HANDS_TRIED: Final = 3
"""A hand may be behind the delay of its club; then the next is tried, and this many at most."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What paipu is, in a minute."""
    language = language_of(request)
    context = {"rulesets": cards(language), "shown": shown_hand(language)}
    return render(request, "replays/home.html", context)


@require_safe
def icon(request: HttpRequest) -> HttpResponseRedirect:
    """Where browsers look for a site's icon on pages that name none, as those of operators."""
    return redirect(static("replays/tile.svg"))


def shown_hand(language: str) -> dict[str, Any] | None:
    """The hand of the greatest worth in the last games that everybody may watch, and why.

    It is looked up as somebody who is not signed in, whoever asks. None: there is no such hand.
    """
    everybody = AnonymousUser()
    for game_id, hand in _won_hands(everybody):
        watched = watch(game_id, everybody)
        if watched is None:
            continue
        ruleset = watched.game.ruleset
        panel = hand_panel(watched, hand, Teller(ruleset, language, watched.names))
        if panel is not None and panel.winners:
            return {
                "game": game_id,
                "ruleset": ruleset,
                "ruleset_name": getattr(ruleset.names, language),
                "hand": hand,
                "win": panel.winners[0],
                "seats": panel.seats,
            }
    return None


def _won_hands(everybody: AnonymousUser) -> Iterator[tuple[UUID, int]]:
    clubs = [club.pk for club in clubs_to_watch(everybody)]
    games = [game.id for game in games_begun(clubs, limit=GAMES_LOOKED_AT)]
    won = Result.objects.filter(game_id__in=games, until_position=None, total__isnull=False)
    best = won.order_by("-total", "-ended_at_ms", "game_id", "hand")
    yield from best.values_list("game_id", "hand")[:HANDS_TRIED]
