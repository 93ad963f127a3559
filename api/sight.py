"""A game as far as the caller may know of it: which of its events, and what of a live hand.

What follows from who somebody is, is decided in ``replays.visibility``; here is who they are.
"""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

import msgspec
from rest_framework.request import Request

from api.access import account_of, viewer_in
from records import reader
from records.append import WRITER
from records.clubs import Right, rights_of
from records.games import GameAccess
from records.models import Club, Player
from replays.visibility import Viewer, delay_s_of, viewer_of
from rules_engine.fold import Game


class Sight(msgspec.Struct, frozen=True):
    """Which game somebody looks at, and as whom: its recorder, or who plays as ``own_players``.

    They know what happened when it is ``delay_s`` seconds old.
    """

    game_id: UUID
    recorder: bool
    own_players: frozenset[str]
    delay_s: int

    def viewer(self, game: Game) -> Viewer:
        """What they see of the game's live hand."""
        return viewer_of(game, recorder=self.recorder, own_players=self.own_players)


class Known(NamedTuple):
    """A game as it is known to somebody, and what they see of its live hand."""

    game: Game
    viewer: Viewer


def known_game(request: Request, access: GameAccess) -> Known:
    """The game as it is now; to a spectator, as it was the club's delay ago."""
    game = reader.game_at(access.id, using=WRITER)
    sight = sight_of(request, access, game)
    if sight.delay_s:
        (last,) = reader.last_seqs([(access.id, 0, sight.delay_s)], using=WRITER)
        game = reader.game_at(access.id, last, using=WRITER)
    return Known(game, sight.viewer(game))


def sight_of(request: Request, access: GameAccess, game: Game) -> Sight:
    """How the caller looks at a game, which has come to this state."""
    if viewer_in(request, access, game).recorder:
        return Sight(access.id, recorder=True, own_players=frozenset(), delay_s=0)
    own = Player.objects.filter(account=account_of(request), club=access.club)
    own_players = frozenset(str(player) for player in own.values_list("id", flat=True))
    (spectator_delay_s,) = Club.objects.filter(pk=access.club).values_list(
        "spectator_delay_s", flat=True
    )
    delay_s = delay_s_of(
        viewer_of(game, recorder=False, own_players=own_players),
        may_rule=Right.RULE in rights_of(access.role),
        spectator_delay_s=spectator_delay_s,
    )
    return Sight(access.id, recorder=False, own_players=own_players, delay_s=delay_s)
