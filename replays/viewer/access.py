"""Who looks at a game on a page, and what they may see of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec

from records import reader
from records.clubs import Right, rights_of
from records.errors import UnknownGame
from records.models import Account, Club, Membership, Player
from replays.sight import look
from replays.visibility import Viewer
from rules_engine.fold import Game


class Watched(msgspec.Struct, frozen=True):
    """A game that somebody may look at: as far as they know of it, and as whom they look.

    ``game`` is as far as they know of it; ``names`` are those of all who have sat in it, by player
    id.
    """

    id: UUID
    about: reader.About
    club: Club
    is_member: bool
    game: Game
    viewer: Viewer
    names: dict[str, str]


def watch(game_id: UUID, account: Any) -> Watched | None:
    """The game, as far as the account (or who is not signed in) may look at it; None: not at all.

    Members look with the rights of their role, as through the API; everybody else as a viewer, at
    games of clubs that show theirs to all.
    """
    try:
        about = reader.about(game_id)
    except UnknownGame:
        return None
    club = Club.objects.get(pk=about.club)
    role = _role(account, about.club)
    rights = rights_of(role)
    if Right.SEE not in rights and not club.public_games:
        return None
    known = look(
        game_id=game_id,
        club_id=about.club,
        account_id=None if role is None else account.pk,
        may_record=Right.RECORD in rights,
        may_rule=Right.RULE in rights,
    )
    people = [UUID(player) for player in known.game.people]
    names = dict(Player.objects.filter(id__in=people).values_list("id", "name"))
    return Watched(
        id=game_id,
        about=about,
        club=club,
        is_member=role is not None,
        game=known.game,
        viewer=known.viewer,
        names={str(player): name for player, name in names.items()},
    )


def clubs_to_watch(account: Any) -> list[Club]:
    """The clubs whose games may be looked at: the account's own, then those open to everybody."""
    own = (
        []
        if not isinstance(account, Account)
        else list(Club.objects.filter(memberships__account=account).order_by("name"))
    )
    taken = {club.pk for club in own}
    return own + [
        club
        for club in Club.objects.filter(public_games=True).order_by("name")
        if club.pk not in taken
    ]


def _role(account: Any, club_id: UUID) -> str | None:
    if not isinstance(account, Account):
        return None
    mine = Membership.objects.filter(account=account, club_id=club_id)
    return mine.values_list("role", flat=True).first()
