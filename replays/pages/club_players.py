"""Who plays in a club: guests and members, claims on guests' records, records of one person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from django.db.models import Case, F, When
from django.http import HttpRequest, HttpResponse
from django.utils.http import urlencode

from records.clubs import Right
from records.errors import RecordsError
from records.merges import person_of, preview
from records.models import Claim, Player
from replays.pages.asking import players_named
from replays.pages.desk import show_desk
from replays.pages.membership import Here, club_page
from replays.pages.paging import chosen_player, paged, searched

PAGE: Final = 50
CLAIMS: Final = 10
"""How many claims stand above the list of players."""


class PlayerRow(msgspec.Struct, frozen=True, kw_only=True):
    """A player as the list shows them, to this reader.

    ``counts_for`` is the name of the person a merged record counts for; ``chosen`` the query that
    chooses this player as the one for whom the record to be merged will count.
    """

    player: Player
    counts_for: str | None
    is_mine: bool
    may_claim: bool
    chosen: str


@club_page
def players(request: HttpRequest, here: Here) -> HttpResponse:
    """The players, who waits for a decision, and which records count for one person.

    With ``absorbed`` in the address the reader chooses into whom that record is to be merged; with
    ``into`` as well, it shows what merging those two would bring together.
    """
    may_keep = Right.KEEP_PLAYERS in here.rights
    text = request.GET.get("q", "").strip()
    known = here.club.players.filter(searched(text, "name", "account__username"))
    mine_first = Case(When(account=here.account, then=0), default=1)
    left_last = F("left_at").asc(nulls_first=True)
    ordered = known.select_related("account").order_by(mine_first, left_last, "name", "id")
    pages = paged(request, ordered, size=PAGE)
    absorbed, into = (chosen_player(request, here, name) for name in ("absorbed", "into"))
    context: dict[str, Any] = {
        "pages": pages,
        "players": _rows(here, pages, absorbed if may_keep else None),
        "q": text,
        "claims": _claims(request, here, may_keep=may_keep),
        "merges": paged(
            request,
            here.club.merges.filter(undone_at=None)
            .select_related("absorbed", "into")
            .order_by("-created_at", "id"),
            size=PAGE,
            name="merged",
        ),
        "may_keep": may_keep,
        "may_invite": Right.KEEP_MEMBERS in here.rights,
    }
    if may_keep and absorbed is not None:
        context |= {"absorbed": absorbed, "kept": [("absorbed", absorbed.pk)]}
        context["all_query"] = urlencode({"absorbed": str(absorbed.pk)})
        context |= _asked_merge(absorbed, into)
    return show_desk(request, here, "players", context)


def _claims(request: HttpRequest, here: Here, *, may_keep: bool) -> Any:
    """The claims that wait for a decision; who decides none sees only their own."""
    waiting = Claim.objects.filter(player__club=here.club, accepted=None)
    if not may_keep:
        waiting = waiting.filter(account=here.account)
    ordered = waiting.select_related("player", "account").order_by("created_at", "id")
    return paged(request, ordered, size=CLAIMS, name="claims")


def _rows(here: Here, found: Iterable[Player], absorbed: Player | None) -> list[PlayerRow]:
    found = list(found)
    persons = person_of(here.club.pk)
    names = players_named({persons[each.pk] for each in found if each.pk in persons})
    plays = here.club.players.filter(account=here.account).exists()
    return [
        PlayerRow(
            player=player,
            counts_for=names.get(persons[player.pk]) if player.pk in persons else None,
            is_mine=player.account_id == here.account.pk,
            may_claim=not plays and player.account_id is None and player.pk not in persons,
            chosen=""
            if absorbed is None or player == absorbed or player.pk in persons
            else urlencode({"absorbed": str(absorbed.pk), "into": str(player.pk)}),
        )
        for player in found
    ]


def _asked_merge(absorbed: Player, into: Player | None) -> dict[str, Any]:
    """What the merge of the address comes to, or why it cannot be."""
    if into is None:
        return {}
    try:
        found = preview(absorbed=absorbed, into=into)
    except RecordsError as refusal:
        return {"into": into, "merge_refused": refusal}
    return {"into": into, "merge": found, "both": [found.absorbed, found.into]}
