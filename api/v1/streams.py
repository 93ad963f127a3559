"""Following what happens, by server-sent events."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from django.http import HttpResponseBase
from rest_framework.request import Request

from api.access import game_of, known_game
from api.errors import Problem
from api.live.games import EventStreamed, game_source
from api.live.operation import Followed, StreamOperation
from api.scopes import Scope
from records.clubs import Right

_SEQ = re.compile(r"[0-9]{1,9}")


class FollowGame(StreamOperation):
    """The events of a game as they are recorded.

    Without Last-Event-ID the stream begins with the game's first event. A message `event` has the
    event's seq as id. What you may not see of a live hand is null, and comes in `opened` of the
    message that ends the hand. A message `end` says that the game has ended and all was sent: close
    then, and do not connect again. Asked anew behind the end the answer is 204.
    """

    scope = Scope.GAMES_READ
    right = Right.SEE
    Message = EventStreamed

    def get(self, request: Request, game_id: UUID) -> HttpResponseBase:
        """The stream."""
        return self.answer(request, game_id=game_id)

    def follow(self, request: Request, last_event_id: str | None, **ids: Any) -> Followed:
        """The game, after the seq given."""
        game_id: UUID = ids["game_id"]
        cursor = read_seq(last_event_id)
        sight, game, _ = known_game(request, game_of(request, game_id))
        over = game.ended and cursor >= game.seq
        return Followed(game_source(), sight, cursor, str(cursor), over)


def read_seq(last_event_id: str | None) -> int:
    """The seq that a client has come to; 0 for none. Raises Problem ``invalid_input``."""
    if last_event_id is None:
        return 0
    if not _SEQ.fullmatch(last_event_id):
        raise Problem(
            "invalid_input",
            "The last event id of a game is the seq of an event.",
            facts={"expected": "a number", "actual": last_event_id[:100]},
        )
    return int(last_event_id)
