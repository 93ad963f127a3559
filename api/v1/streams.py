"""Following what happens, by server-sent events."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from django.http import HttpResponseBase
from rest_framework.request import Request

from api.access import account_of, membership_in, memberships_of, watched_game
from api.errors import Problem
from api.live.games import EventStreamed, GameStreamEnd, game_source
from api.live.imports import ImportStreamEnd, import_source, is_over, place_of
from api.live.messages import StreamBye
from api.live.news import Cursor, HandOver, Interest, news_source, read_cursor
from api.live.operation import Followed, StreamOperation
from api.scopes import Scope
from api.v1.imports import ImportShown, import_of, import_shown
from api.webhooks.catalogue import (
    GameBegun,
    GameOver,
    HandResettled,
    HandSettled,
    RulingMade,
    TierChanged,
)
from api.webhooks.tiers import last_tier_change
from records.clubs import Right, rights_of
from records.happenings import place_now
from records.models import Player
from replays.visibility import Viewer, delay_s_of

NEWS = {
    "game.started": GameBegun,
    "hand.ended": HandOver,
    "hand.settled": HandSettled,
    "hand.resettled": HandResettled,
    "ruling.made": RulingMade,
    "game.ended": GameOver,
    "tier.changed": TierChanged,
    "bye": StreamBye,
}
"""What streams of clubs tell. Their messages have a body around these, as webhooks do."""
_SEQ = re.compile(r"[0-9]{1,9}")


class FollowGame(StreamOperation):
    """The events of a game as they are recorded.

    Without Last-Event-ID the stream begins with the game's first event. A message `event` has the
    event's seq as id. What you may not see of a live hand is null, and comes in `opened` of the
    message that ends the hand. A message `end` says that the game has ended and all was sent: close
    then, and do not connect again. Asked anew behind the end the answer is 204. Games of a club
    with `public_games` can be followed without a token, as a spectator.
    """

    scope = Scope.GAMES_READ
    right = Right.SEE
    open_to_all = True
    messages = {"event": EventStreamed, "end": GameStreamEnd, "bye": StreamBye}
    may_be_over = True

    def get(self, request: Request, game_id: UUID) -> HttpResponseBase:
        """The stream."""
        return self.answer(request, game_id=game_id)

    def follow(self, request: Request, last_event_id: str | None, **ids: Any) -> Followed:
        """The game, after the seq given."""
        game_id: UUID = ids["game_id"]
        cursor = read_seq(last_event_id)
        sight, game, _ = watched_game(request, game_id)
        over = game.ended and cursor >= game.seq
        return Followed(game_source(), sight, cursor, str(cursor), over)


class FollowClub(StreamOperation):
    """What happens in a club: games, hands, settlements and rulings, and whose tier has changed.

    Messages are named as webhooks are and have the same body: `type`, `version`, `timestamp`, and
    in `data` what the kind of message has. Without Last-Event-ID the stream begins now. Who neither
    records nor rules is told as late as the club wants.
    """

    scope = Scope.CLUB_READ
    right = Right.SEE
    messages = NEWS

    def get(self, request: Request, club_id: UUID) -> HttpResponseBase:
        """The stream."""
        return self.answer(request, club_id=club_id)

    def follow(self, request: Request, last_event_id: str | None, **ids: Any) -> Followed:
        """The club, from the place given."""
        member = membership_in(request, ids["club_id"])
        rights = rights_of(member.role)
        delay_s = delay_s_of(
            Viewer(recorder=Right.RECORD in rights),
            may_rule=Right.RULE in rights,
            spectator_delay_s=member.club.spectator_delay_s,
        )
        interest = Interest(clubs=frozenset([member.club_id]), delay_s=delay_s)
        return news(interest, last_event_id)


class FollowMine(StreamOperation):
    """What happens in your games: those that you play in, and all of clubs where you record.

    Messages are those of the streams of clubs.
    """

    scope = Scope.GAMES_READ
    messages = NEWS

    def get(self, request: Request) -> HttpResponseBase:
        """The stream."""
        return self.answer(request)

    def follow(self, request: Request, last_event_id: str | None, **ids: Any) -> Followed:
        """Their games, from the place given."""
        del ids
        roles = dict(memberships_of(request).values_list("club_id", "role"))
        own = Player.objects.filter(account=account_of(request), club__in=roles)
        players = dict(own.values_list("id", "club_id"))
        interest = Interest(
            clubs=frozenset(
                club for club, role in roles.items() if Right.RECORD in rights_of(role)
            ),
            players=frozenset(players),
            player_clubs=frozenset(players.values()),
        )
        return news(interest, last_event_id)


def news(interest: Interest, last_event_id: str | None) -> Followed:
    """A stream of news from the place given, or from now on. Raises Problem ``invalid_input``."""
    cursor = (
        Cursor.at(place_now(delay_s=interest.delay_s), last_tier_change(delay_s=interest.delay_s))
        if last_event_id is None
        else read_cursor(last_event_id)
    )
    return Followed(news_source(), interest, cursor, cursor.text)


class FollowImport(StreamOperation):
    """How far a file of games is, each time that something has changed.

    A message `progress` is what the import's own address answers. A message `end` says that no more
    will come.
    """

    scope = Scope.IMPORTS_WRITE
    right = Right.RECORD
    messages = {"progress": ImportShown, "end": ImportStreamEnd, "bye": StreamBye}
    may_be_over = True

    def get(self, request: Request, import_id: UUID) -> HttpResponseBase:
        """The stream."""
        return self.answer(request, import_id=import_id)

    def follow(self, request: Request, last_event_id: str | None, **ids: Any) -> Followed:
        """The import, unless the last message was its last."""
        shown = import_shown(import_of(request, ids["import_id"]))
        place = last_event_id or ""
        over = is_over(shown) and place == place_of(shown)
        return Followed(import_source(), shown.id, place, place, over)


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
