"""The list of games, and its rows as other pages show them too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from records.models import Account, Membership
from replays.pages.asking import in_zone
from replays.pages.languages import language_of
from replays.pages.naming import ruleset_title
from replays.played import Played, games_played, live_first
from replays.viewer.access import clubs_to_watch
from rules_engine import registry

PAGE: Final = 30
CLUBS_OFFERED: Final = 12
"""Clubs that the list offers to be narrowed to; any other can be named in the address."""


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """The games that the reader may look at, those played last first.

    ``?club=``, ``?ruleset=`` leave out all others; ``?before=`` and ``?after=`` a game begin a
    page where another one ended.
    """
    clubs = clubs_to_watch(request.user)
    club = _chosen(request, "club", {each.slug: each for each in clubs})
    rulesets = {each.slug: each for each in registry.latest()}
    ruleset = _chosen(request, "ruleset", rulesets)
    before, after = (_game_id(request.GET.get(name, "")) for name in ("before", "after"))
    found = games_played(
        request.user,
        clubs if club is None else [club],
        limit=PAGE + 1,
        ruleset=None if ruleset is None else ruleset.slug,
        before=before,
        after=after,
    )
    # The one more than a page tells whether there is another; going back it is the first.
    more, shown = len(found) > PAGE, found[-PAGE:] if after else found[:PAGE]
    chosen = {
        "club": None if club is None else club.slug,
        "ruleset": None if ruleset is None else ruleset.slug,
    }
    language = language_of(request)
    offered = clubs[:CLUBS_OFFERED]
    context = {
        "games": game_rows(request.user, live_first(shown), language, name_club=club is None),
        "filtered": any(chosen.values()),
        "by_club": _links("club", [(each.slug, each.name) for each in offered], chosen),
        "by_ruleset": _links(
            "ruleset", [(slug, ruleset_title(slug, language)) for slug in rulesets], chosen
        ),
        "older": _query({**chosen, "before": shown[-1].id}) if shown and (more or after) else "",
        "newer": _query({**chosen, "after": shown[0].id})
        if shown and (before or (after and more))
        else "",
    }
    return render(request, "replays/games.html", context)


def game_rows(
    account: Any, games: Sequence[Played], language: str, *, name_club: bool = True
) -> list[dict[str, Any]]:
    """The games as ``replays/_games.html`` writes them."""
    own: set[UUID] = set()
    if isinstance(account, Account):
        own = set(Membership.objects.filter(account=account).values_list("club_id", flat=True))
    return [_row(game, language, own, name_club=name_club) for game in games]


def _row(game: Played, language: str, own: set[UUID], *, name_club: bool) -> dict[str, Any]:
    kind = ruleset_title(game.ruleset, language)
    return {
        "id": game.id,
        "title": game.title or kind,
        "kind": "" if kind in (game.title or kind) else kind,
        "club": game.club if name_club else None,
        "is_member": game.club.pk in own,
        "at": game.began_at,
        "at_shown": f"{in_zone(game.began_at, game.club):%Y-%m-%d %H:%M}",
        "state": game.state,
        "hands": game.hands,
        "seats": game.seats,
    }


def _chosen(request: HttpRequest, name: str, offered: dict[str, Any]) -> Any:
    """What the address names of what is offered, or None. Raises Http404 for anything else."""
    asked = request.GET.get(name, "")
    if not asked:
        return None
    if asked not in offered:
        raise Http404
    return offered[asked]


def _game_id(text: str) -> UUID | None:
    """The id in an address. Raises Http404 for what is none."""
    try:
        return UUID(text) if text else None
    except ValueError as error:
        raise Http404 from error


def _links(
    name: str, offered: list[tuple[str, str]], chosen: dict[str, str | None]
) -> list[tuple[str, str, bool]]:
    """Each with its address and whether it is chosen; none where there is no choice."""
    if len(offered) < 2:
        return []
    return [
        (shown, _query({**chosen, name: value}), chosen[name] == value)
        for value, shown in [(None, ""), *offered]
    ]


def _query(values: dict[str, Any]) -> str:
    return "?" + urlencode({name: value for name, value in values.items() if value is not None})
