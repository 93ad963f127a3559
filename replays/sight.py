"""How somebody looks at a game: as whom, and how much of it they know by now.

What follows from it is decided in ``visibility``; here is looked up who they are.
"""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

import msgspec

from records import reader
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
    """A game as far as somebody knows of it, and what they see of its live hand."""

    sight: Sight
    game: Game
    viewer: Viewer


def look(
    *,
    game_id: UUID,
    club_id: UUID,
    account_id: UUID | None,
    may_record: bool,
    may_rule: bool,
    using: str = reader.READER,
) -> Known:
    """The game as it is now; to a spectator, as it was the club's delay ago.

    Raises UnknownGame.
    """
    game = reader.game_at(game_id, using=using)
    own_players: frozenset[str] = frozenset()
    if not may_record and account_id is not None:
        own = Player.objects.filter(account=account_id, club=club_id).values_list("id", flat=True)
        own_players = frozenset(map(str, own))
    viewer = viewer_of(game, recorder=may_record, own_players=own_players)
    delay_s = 0
    if not may_record:
        club = Club.objects.only("spectator_delay_s").get(pk=club_id)
        delay_s = delay_s_of(viewer, may_rule=may_rule, spectator_delay_s=club.spectator_delay_s)
    sight = Sight(game_id, may_record, own_players, delay_s)
    if delay_s:
        (last,) = reader.last_seqs([(game_id, 0, delay_s)], using=using)
        game = reader.game_at(game_id, last, using=using)
    return Known(sight, game, sight.viewer(game))
