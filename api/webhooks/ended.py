"""From the order of milestones to what is told of games that ended."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

import structlog

from api.v1.shapes import moment
from api.webhooks.catalogue import GameOver, TotalTold
from api.webhooks.happenings import Happening
from records import ledger, reader
from records.append import WRITER
from records.errors import RecordsError
from records.happenings import ended_again, milestones_in
from records.models import Milestone
from rules_engine import events
from rules_engine.registry import UnknownRuleset

logger = structlog.get_logger(__name__)


def ended_games(
    clubs: Collection[UUID], *, after: int, upto: int, limit: int
) -> tuple[list[Happening], int]:
    """What to tell of the games of these clubs that ended, and how far that goes.

    A milestone that is the end of a game has its place once the hands are settled.
    """
    if not clubs:
        return [], upto
    milestones = milestones_in(clubs, after=after, upto=upto, limit=limit)
    told = [tell_of_milestone(each) for each in milestones if each.seq > 1]
    reached = milestones[-1].position if len(milestones) == limit else upto
    return [each for each in told if each is not None], reached


def tell_of_milestone(end: Milestone) -> Happening | None:
    """What to tell of the end of a game; None where it was taken back or cannot be read."""
    try:
        return None if ended_again(end) else tell_of_end(end.game_id, end.seq, end.club_id)
    except (RecordsError, UnknownRuleset):
        # One game that cannot be read must not keep all others from being told of
        # (test_a_game_that_cannot_be_read_holds_up_no_other).
        logger.exception("end_of_game_not_told", game=str(end.game_id))
        return None


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
            totals=_totals(settled),
            ended_at=ended_at,
            link=f"/api/v1/games/{game_id}/settlement",
        ),
    )


def _totals(settled: list[ledger.Settled]) -> tuple[TotalTold, ...]:
    """The sums of all hands and entries, the first players first; who never played has none."""
    points: dict[UUID, int] = {}
    for each in settled:
        for player, change in zip(each.players, each.points, strict=True):
            points[player] = points.get(player, 0) + change
    return tuple(TotalTold(player=player, points=total) for player, total in points.items())
