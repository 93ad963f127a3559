"""Who looks at a game on a page, and what they may see of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec

from records import reader
from records.clubs import Right, rights_of
from records.errors import UnknownGame
from records.models import Account, Club, Membership, Player
from replays.visibility import EVERYTHING, PUBLIC, Viewer, viewer_of
from rules_engine.fold import Game


class Watched(msgspec.Struct, frozen=True):
    """A game that somebody may look at: as it is now, and as whom they look.

    ``names`` are those of all who have sat in it, by player id.
    """

    id: UUID
    about: reader.About
    club: str
    game: Game
    viewer: Viewer
    names: dict[str, str]


def watch(game_id: UUID, account: Any) -> Watched | None:
    """The game, as far as the account (or who is not signed in) may look at it; None: not at all.

    Members look with the rights of their role, as through the API.
    """
    try:
        about = reader.about(game_id)
        game = reader.game_at(game_id)
    except UnknownGame:
        return None
    club = Club.objects.get(pk=about.club)
    role = _role(account, about.club)
    if Right.SEE not in rights_of(role):
        return None
    people = [UUID(player) for player in game.people]
    names = dict(Player.objects.filter(id__in=people).values_list("id", "name"))
    return Watched(
        id=game_id,
        about=about,
        club=club.name,
        game=game,
        viewer=_viewer(account, role, about.club, game),
        names={str(player): name for player, name in names.items()},
    )


def _role(account: Any, club_id: UUID) -> str | None:
    if not isinstance(account, Account):
        return None
    mine = Membership.objects.filter(account=account, club_id=club_id)
    return mine.values_list("role", flat=True).first()


def _viewer(account: Any, role: str | None, club_id: UUID, game: Game) -> Viewer:
    if Right.RECORD in rights_of(role):
        return EVERYTHING
    if role is None or game.table is None:
        return PUBLIC
    own = Player.objects.filter(account=account, club_id=club_id).values_list("id", flat=True)
    return viewer_of(game, recorder=False, own_players={str(player) for player in own})
