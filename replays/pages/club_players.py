"""Who plays in a club: guests and members, claims on guests' records, records of one person."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from records.clubs import Right
from records.errors import RecordsError
from records.merges import person_of, preview
from records.models import Claim, Player
from replays.pages.desk import show_desk
from replays.pages.membership import Here, club_page


@club_page
def players(request: HttpRequest, here: Here) -> HttpResponse:
    """The players, who waits for a decision, and which records count for one person.

    With ``absorbed`` and ``into`` in the address, what merging those two would bring together.
    """
    may_keep = Right.KEEP_PLAYERS in here.rights
    claims = Claim.objects.filter(player__club=here.club, accepted=None)
    if not may_keep:
        claims = claims.filter(account=here.account)
    rows = list(here.club.players.select_related("account").order_by("left_at", "name", "id"))
    persons = person_of(here.club.pk)
    names = {player.pk: player.name for player in rows}
    mine = {player.pk for player in rows if player.account_id == here.account.pk}
    context: dict[str, Any] = {
        "players": [
            {
                "player": player,
                "counts_for": names.get(persons[player.pk]) if player.pk in persons else None,
                "is_mine": player.pk in mine,
                "may_claim": not mine and player.account_id is None and player.pk not in persons,
            }
            for player in rows
        ],
        "claims": claims.select_related("player", "account").order_by("created_at", "id"),
        "merges": here.club.merges.filter(undone_at=None)
        .select_related("absorbed", "into")
        .order_by("-created_at", "id"),
        "may_keep": may_keep,
        "whole": [player for player in rows if player.pk not in persons],
    }
    if may_keep:
        context |= _asked_merge(request, {player.pk: player for player in rows})
    return show_desk(request, here, "players", context)


def _asked_merge(request: HttpRequest, players: dict[UUID, Player]) -> dict[str, Any]:
    """The two players of the address, and what their merge comes to or why it cannot be."""
    two = [_player(request.GET.get(name, ""), players) for name in ("absorbed", "into")]
    absorbed, into = two
    if absorbed is None or into is None:
        return {"absorbed": absorbed, "into": into}
    asked: dict[str, Any] = {"absorbed": absorbed, "into": into}
    try:
        found = preview(absorbed=absorbed, into=into)
    except RecordsError as refusal:
        return asked | {"merge_refused": refusal}
    return asked | {"merge": found, "both": [found.absorbed, found.into]}


def _player(text: str, players: dict[UUID, Player]) -> Player | None:
    try:
        return players.get(UUID(text))
    except ValueError:
        return None
