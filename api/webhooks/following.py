"""From what happened to events and deliveries, each exactly once, whatever the workers do.

Ledger, boards and milestones of games are followed in their own orders. How far they were followed
is written in the transaction that writes the events, under a lock.
"""

from __future__ import annotations

from typing import Final

from api.webhooks.ended import ended_games
from api.webhooks.hands import hands_and_rulings
from api.webhooks.happenings import Audience, tell
from api.webhooks.models import Webhook, WebhookCursor
from api.webhooks.tiers import TYPE as TIER_CHANGED
from api.webhooks.tiers import boards_position, changed_tiers
from records.drain import drain
from records.happenings import place_now
from records.ledger import Settled, last_position, settled_in

LOCK: Final = "follow_for_webhooks"


def follow(batch: int = 200) -> None:
    """Make events of what has happened, ``batch`` settlements and milestones a transaction.

    Returns at once when another process is doing it.
    """
    drain(LOCK, lambda: _follow_batch(batch))


def _follow_batch(batch: int) -> int:
    """One transaction's worth; more than 0 where there may be more."""
    audience = Audience(Webhook.objects.order_by("id"))
    cursor, _ = WebhookCursor.objects.get_or_create(id=1)
    settled, ledger_position = _settled(audience, cursor, batch)
    tell(hands_and_rulings(settled), audience)
    upto = boards_position()
    tiers = changed_tiers(audience.clubs_for(TIER_CHANGED), after=cursor.boards_position, upto=upto)
    tell(tiers, audience)
    last_milestone = place_now().milestone
    ended, milestones_position = ended_games(
        audience.clubs_for("game.ended"),
        after=cursor.milestones_position,
        upto=last_milestone,
        limit=batch,
    )
    tell(ended, audience)
    reached = (ledger_position, upto, milestones_position)
    if reached != (cursor.ledger_position, cursor.boards_position, cursor.milestones_position):
        cursor.ledger_position, cursor.boards_position, cursor.milestones_position = reached
        cursor.save()
    return len(settled) + len(tiers) + last_milestone - milestones_position


def _settled(audience: Audience, cursor: WebhookCursor, batch: int) -> tuple[list[Settled], int]:
    """The next settlements of clubs that have a webhook, and how far the ledger is followed then.

    Settlements get their positions one after the other, so nothing appears behind the last one.
    """
    upto = last_position()
    if not audience.clubs:
        return [], upto
    settled = settled_in(audience.clubs, after=cursor.ledger_position, upto=upto, limit=batch)
    return settled, settled[-1].position if len(settled) == batch else upto
