"""From the queue of ended games to what is told of them."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db import connection

from api.v1.shapes import moment
from api.webhooks.catalogue import GameOver, TotalTold
from api.webhooks.happenings import Happening
from records import ledger, reader
from records.append import WRITER
from records.models import EndedGame
from records.models import Game as GameRow
from rules_engine import events
from rules_engine.game import Game

# A game whose hands are still on the way through queue, journal and settling is left for later.
_READY = """
    SELECT g.game_id, max(g.seq) FROM ended_game g
    WHERE NOT EXISTS (SELECT FROM seal_queue q WHERE q.game_id = g.game_id)
      AND NOT EXISTS (
        SELECT FROM journal j WHERE j.game_id = g.game_id
          AND j.position > coalesce((SELECT seal_position FROM settlement_cursor), 0))
    GROUP BY g.game_id ORDER BY min(g.recorded_at), g.game_id LIMIT %s
"""


def take_ended_games(clubs: Collection[UUID], limit: int) -> tuple[int, list[Happening]]:
    """Take games whose hands are settled off the queue: how many, and what to tell these clubs.

    Called in a transaction, under the lock of whoever tells.
    """
    with connection.cursor() as cursor:
        cursor.execute(_READY, [limit])
        ready: list[tuple[UUID, int]] = cursor.fetchall()
    club_of = dict(
        GameRow.objects.filter(
            pk__in=[game_id for game_id, _ in ready], club_id__in=clubs
        ).values_list("pk", "club_id")
    )
    told = [
        tell_of_end(game_id, seq, club_of[game_id]) for game_id, seq in ready if game_id in club_of
    ]
    for game_id, seq in ready:
        # A later end of the same game may have come meanwhile; it has a turn of its own.
        EndedGame.objects.filter(game_id=game_id, seq__lte=seq).delete()
    return len(ready), [each for each in told if each is not None]


def tell_of_end(game_id: UUID, seq: int, club_id: UUID) -> Happening | None:
    """What to tell of the last end of a game, or None where it was taken back."""
    game = reader.game_at(game_id, using=WRITER)
    if not game.ended:
        return None
    stored = next(reader.events_of(game_id, from_seq=seq, to_seq=seq, using=WRITER))
    event = reader.event_at(game_id, seq, game.ruleset.catalogue, using=WRITER)
    assert isinstance(event, events.GameEnded), event
    ended_at = moment(stored.occurred_at_ms)
    settled = ledger.settlement_of_game(game_id)
    return Happening(
        type="game.ended",
        club_id=club_id,
        name=f"{game_id}/{seq}",
        at=ended_at,
        data=GameOver(
            club=club_id,
            game=game_id,
            seq=seq,
            reason=event.reason,
            ruleset=game.ruleset.slug,
            ruleset_version=game.ruleset.version,
            stake=game.stake,
            hands=game.hands_ended,
            unsettled_hands=game.hands_ended - sum(each.entry == 0 for each in settled),
            totals=_totals(settled, game),
            ended_at=ended_at,
            link=f"/api/v1/games/{game_id}/settlement",
        ),
    )


def _totals(settled: list[ledger.Settled], game: Game) -> tuple[TotalTold, ...]:
    """The sums of all hands and entries, the first players first; who never played has none."""
    points: dict[UUID, int] = {}
    for each in settled:
        for player, change in zip(each.players, each.points, strict=True):
            points[player] = points.get(player, 0) + change
    return tuple(TotalTold(player=player, points=total) for player, total in points.items())
