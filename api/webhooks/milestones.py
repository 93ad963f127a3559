"""From the order of milestones to what is told of games that began or ended."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

import structlog

from api.v1.shapes import moment
from api.webhooks.catalogue import GameBegun, GameOver, TotalTold
from api.webhooks.happenings import Happening, Order, reached_by
from records import ledger, reader
from records.append import WRITER
from records.chain import StoredEvent
from records.errors import RecordsError
from records.happenings import ended_again, milestones_in
from records.models import Milestone
from rules_engine import events
from rules_engine.registry import UnknownRuleset

logger = structlog.get_logger(__name__)


def begun_and_ended_in(
    clubs: Collection[UUID], *, after: int, upto: int, limit: int
) -> tuple[list[Happening], int]:
    """What to tell of the games of these clubs, and how far that goes.

    A milestone that is the end of a game has its place once the hands are settled.
    """
    milestones = milestones_in(clubs, after=after, upto=upto, limit=limit)
    told = [tell_of_milestone(each) for each in milestones]
    reached = reached_by(milestones, upto=upto, limit=limit)
    return [each for each in told if each is not None], reached


def tell_of_milestone(milestone: Milestone) -> Happening | None:
    """What to tell of it; None where an end was taken back, or the game cannot be read."""
    try:
        if milestone.seq == 1:
            return _begun(milestone)
        return None if ended_again(milestone) else _ended(milestone)
    except (RecordsError, UnknownRuleset):
        # One game that cannot be read must not keep all others from being told of
        # (test_a_game_that_cannot_be_read_holds_up_no_other).
        logger.exception("milestone_not_told", game=str(milestone.game_id), seq=milestone.seq)
        return None


def _begun(milestone: Milestone) -> Happening:
    (stored,) = reader.events_of(milestone.game_id, to_seq=1, using=WRITER)
    started_at = moment(stored.occurred_at_ms)
    return Happening(
        type="game.started",
        club_id=milestone.club_id,
        name=str(milestone.game_id),
        at=started_at,
        data=GameBegun(
            club=milestone.club_id,
            game=milestone.game_id,
            ruleset=stored.public["ruleset"],
            ruleset_version=stored.public["ruleset_version"],
            stake=stored.public.get("stake", 1),
            people=people_in(stored),
            started_at=started_at,
            link=f"/api/v1/games/{milestone.game_id}",
        ),
        order=Order.MILESTONE,
        position=milestone.position,
    )


def people_in(started: StoredEvent) -> tuple[UUID, ...]:
    """Everybody who may sit in a game: its first event names them, and nothing changes that."""
    return tuple(map(UUID, (*started.public["players"], *started.public.get("substitutes", ()))))


def _ended(milestone: Milestone) -> Happening | None:
    """The last end of the game, or None where it was taken back."""
    game_id, seq = milestone.game_id, milestone.seq
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
        club_id=milestone.club_id,
        name=f"{game_id}/{seq}",
        at=ended_at,
        data=GameOver(
            club=milestone.club_id,
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
        order=Order.MILESTONE,
        position=milestone.position,
    )


def _totals(settled: list[ledger.Settled]) -> tuple[TotalTold, ...]:
    """The sums of all hands and entries, the first players first; who never played has none."""
    points: dict[UUID, int] = {}
    for each in settled:
        for player, change in zip(each.players, each.points, strict=True):
            points[player] = points.get(player, 0) + change
    return tuple(TotalTold(player=player, points=total) for player, total in points.items())
