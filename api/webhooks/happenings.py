"""What happened, as events and deliveries: each exactly once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final, Protocol
from uuid import UUID, uuid5

import msgspec

from api.operation import Shown
from api.webhooks.catalogue import payload_of
from api.webhooks.models import Webhook, WebhookDelivery, WebhookEvent

_NAMESPACE: Final = UUID("6f1d3a52-5a0e-4f0b-8a51-9d0c1f3c7e10")


class Order(StrEnum):
    """What runs from 1 without gaps, so that a number says how far somebody was told.

    A webhook is told what comes behind its ``after_…`` of each.
    """

    SETTLEMENT = "settlement"
    MILESTONE = "milestone"
    TIER_CHANGE = "tier_change"


class Happening(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened in a club. ``name`` is its own among all of its type.

    ``position`` is its place in its order; what is made for one webhook alone has none.
    """

    type: str
    club_id: UUID
    name: str
    at: datetime
    data: Shown
    order: Order = Order.SETTLEMENT
    position: int = 0


class Placed(Protocol):
    """A row with a place in an order."""

    @property
    def position(self) -> int:
        """The place, from 1."""


def reached_by(rows: Sequence[Placed], *, upto: int, limit: int) -> int:
    """How far an order was read by these rows, of which there may be more than the ``limit``."""
    return rows[-1].position if len(rows) == limit else upto


class Audience:
    """The webhooks of all clubs, disabled ones too: events are kept for when they are enabled."""

    def __init__(self, webhooks: Iterable[Webhook]) -> None:
        found: defaultdict[UUID, list[Webhook]] = defaultdict(list)
        for webhook in webhooks:
            found[webhook.club_id].append(webhook)
        self._webhooks: Mapping[UUID, Sequence[Webhook]] = found

    @property
    def clubs(self) -> list[UUID]:
        """The clubs that have any."""
        return sorted(self._webhooks)

    def clubs_for(self, *kinds: str) -> list[UUID]:
        """The clubs that have one for any of these types of events."""
        return [
            club
            for club in self.clubs
            if any(kind in webhook.types for webhook in self._webhooks[club] for kind in kinds)
        ]

    def of(self, happening: Happening) -> list[Webhook]:
        """Those that are for it."""
        return [
            webhook
            for webhook in self._webhooks.get(happening.club_id, ())
            if happening.type in webhook.types
            and happening.position > getattr(webhook, f"after_{happening.order}")
        ]


def tell(happenings: Iterable[Happening], audience: Audience) -> int:
    """Write an event for each that somebody wants, and its deliveries; answer how many events."""
    events: list[WebhookEvent] = []
    deliveries: list[WebhookDelivery] = []
    for happening in happenings:
        webhooks = audience.of(happening)
        if not webhooks:
            continue
        event = event_of(happening)
        events.append(event)
        deliveries += [
            WebhookDelivery(webhook=webhook, event=event)
            for webhook in webhooks
            if webhook.disabled_at is None
        ]
    WebhookEvent.objects.bulk_create(events, ignore_conflicts=True)
    deliver_to(deliveries)
    return len(events)


def deliver_to(deliveries: Sequence[WebhookDelivery]) -> None:
    """Write those that are not there yet, except to webhooks that were deleted meanwhile."""
    webhooks = Webhook.objects.filter(pk__in={each.webhook_id for each in deliveries})
    # Held, so that none is deleted before its deliveries are written.
    held = set(webhooks.order_by("id").select_for_update(no_key=True).values_list("id", flat=True))
    WebhookDelivery.objects.bulk_create(
        [each for each in deliveries if each.webhook_id in held], ignore_conflicts=True
    )


def event_of(happening: Happening) -> WebhookEvent:
    """The event, not saved. Its id follows from what happened, so it has no other."""
    return WebhookEvent(
        id=uuid5(_NAMESPACE, f"{happening.type}/{happening.name}"),
        club_id=happening.club_id,
        type=happening.type,
        payload=payload_of(happening.type, happening.at, happening.data),
    )
