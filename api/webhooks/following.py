"""From what happened to events and deliveries, each exactly once, whatever the workers do.

Settlements, milestones of games and changes of tiers are followed in their own orders. How far they
were followed is written in the transaction that writes the events, under a lock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol
from uuid import UUID

from api.webhooks.catalogue import TypeName
from api.webhooks.hands import hands_and_rulings_in
from api.webhooks.happenings import Audience, Happening, tell
from api.webhooks.milestones import begun_and_ended_in
from api.webhooks.models import Webhook, WebhookCursor
from api.webhooks.tiers import find_tier_changes, last_tier_change, tier_changes_in
from records.drain import drain
from records.happenings import place_now
from records.ledger import last_position

LOCK: Final = "follow_for_webhooks"


class Read(Protocol):
    """What is to tell of these clubs behind a place, and how far that goes: ``upto`` or less."""

    def __call__(
        self, clubs: Sequence[UUID], *, after: int, upto: int, limit: int
    ) -> tuple[list[Happening], int]:
        """Read at most ``limit`` rows."""


class Followed(NamedTuple):
    """An order, the field of the cursor that says how far it was followed, and what it tells."""

    field: str
    types: tuple[TypeName, ...]
    last: Callable[[], int]
    read: Read


FOLLOWED: Final = (
    Followed(
        "ledger_position",
        ("hand.settled", "hand.resettled", "ruling.made"),
        last_position,
        hands_and_rulings_in,
    ),
    Followed(
        "milestones_position",
        ("game.started", "game.ended"),
        lambda: place_now().milestone,
        begun_and_ended_in,
    ),
    Followed("tier_changes_position", ("tier.changed",), last_tier_change, tier_changes_in),
)


def follow(batch: int = 200) -> None:
    """Make events of what has happened, ``batch`` places of each order a transaction.

    Returns at once when another process is doing it.
    """
    drain(LOCK, lambda: _follow_batch(batch))


def _follow_batch(batch: int) -> int:
    """One transaction's worth; how many places are left."""
    audience = Audience(Webhook.objects.order_by("id"))
    cursor, _ = WebhookCursor.objects.get_or_create(id=1)
    find_tier_changes()
    moved: dict[str, int] = {}
    left = 0
    for order in FOLLOWED:
        upto, clubs = order.last(), audience.clubs_for(*order.types)
        happenings: list[Happening] = []
        reached = upto
        if clubs:
            after = getattr(cursor, order.field)
            happenings, reached = order.read(clubs, after=after, upto=upto, limit=batch)
        tell(happenings, audience)
        moved[order.field] = reached
        left += upto - reached
    # Only where they differ, so that a bell that rings for nothing writes nothing.
    WebhookCursor.objects.exclude(**moved).update(**moved)
    return left
