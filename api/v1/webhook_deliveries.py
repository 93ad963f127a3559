"""Deliveries of webhooks: what was sent, what came of it, and sending it again."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import F, QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import of_a_club
from api.idempotency import idempotent
from api.operation import (
    IDEMPOTENCY_KEY,
    Cursor,
    Operation,
    PageQuery,
    Shown,
    Struct,
    read_body,
    read_query,
)
from api.pagination import page
from api.scopes import Scope
from api.v1.webhooks import ring, webhook_of
from api.webhooks.keeping import ping, replay, replay_since
from api.webhooks.models import WebhookAttempt, WebhookDelivery
from records.clubs import Right

State = Literal["waiting", "delivered", "failed"]


class AttemptShown(Shown, frozen=True):
    """One request and what came of it.

    `status` is the HTTP status of the answer, `answer` how it begins. Without an answer `error`
    says why: `timed_out`, `not_connected` (refused, or no valid certificate), `broken_answer`,
    `not_resolved`, or the address is one that nothing is sent to (`not_public`, `not_https`).
    """

    at: datetime
    duration_ms: int
    status: int | None
    error: str | None
    answer: str


class DeliveryShown(Shown, frozen=True):
    """An event on its way to a webhook. `event` is what is sent as `webhook-id`.

    After 10 failed attempts, over three and a half days, it has `failed`. `next_attempt_at` is null
    when there is none, and while one is under way. The first attempts come first; one during which
    our worker died is not among them.
    """

    id: UUID
    webhook: UUID
    event: UUID
    type: str
    state: State
    attempts: list[AttemptShown]
    next_attempt_at: datetime | None
    created_at: datetime


def _fields(delivery: WebhookDelivery) -> dict[str, Any]:
    return {
        "id": delivery.id,
        "webhook": delivery.webhook_id,
        "event": delivery.event_id,
        "type": delivery.event.type,
        "state": delivery.state,
        "attempts": [
            _attempt_shown(each)
            for each in sorted(delivery.attempts.all(), key=lambda attempt: attempt.pk)
        ],
        "next_attempt_at": delivery.due_at if delivery.lease is None else None,
        "created_at": delivery.created_at,
    }


def _attempt_shown(attempt: WebhookAttempt) -> AttemptShown:
    return AttemptShown(
        at=attempt.begun_at,
        duration_ms=attempt.duration_ms,
        status=attempt.status,
        error=attempt.error or None,
        answer=attempt.answer,
    )


def delivery_shown(delivery: WebhookDelivery) -> DeliveryShown:
    """A delivery with its attempts."""
    return DeliveryShown(**_fields(delivery))


def _deliveries() -> QuerySet[WebhookDelivery]:
    rows = WebhookDelivery.objects.select_related("event").prefetch_related("attempts")
    return rows.annotate(club_id=F("webhook__club_id"))


def delivery_of(request: Request, delivery_id: UUID) -> WebhookDelivery:
    """A delivery of a club that the caller keeps. Raises Problem."""
    delivery, _ = of_a_club(request, _deliveries(), delivery_id)
    return delivery


class ListDeliveries(Operation):
    """What was sent to a webhook and what waits, the newest first. Kept for 30 days."""

    scope = Scope.WEBHOOKS_WRITE
    right = Right.KEEP_CLUB

    class Query(PageQuery, frozen=True):
        """Which deliveries."""

        state: State | None = None
        type: Annotated[str, msgspec.Meta(max_length=50)] | None = None

    class Output(Shown, frozen=True):
        """One page of deliveries."""

        items: list[DeliveryShown]
        next: Cursor | None

    refusals = ("permission_denied",)

    def get(self, request: Request, webhook_id: UUID) -> Response:
        """One page of them."""
        query = read_query(request, ListDeliveries.Query)
        rows = _deliveries().filter(webhook=webhook_of(request, webhook_id))
        if query.state is not None:
            rows = rows.filter(state=query.state)
        if query.type is not None:
            rows = rows.filter(event__type=query.type)
        return page(rows, query, order=("-created_at", "-id"), show=delivery_shown)


class ShowDelivery(Operation):
    """A delivery with the body that is sent."""

    scope = Scope.WEBHOOKS_WRITE
    right = Right.KEEP_CLUB

    class Output(DeliveryShown, frozen=True):
        """The delivery. `payload` is the message; its bytes are sent as they were signed."""

        payload: dict[str, Any]

    refusals = ("permission_denied",)

    def get(self, request: Request, delivery_id: UUID) -> Response:
        """The delivery."""
        delivery = delivery_of(request, delivery_id)
        return Response(
            ShowDelivery.Output(
                **_fields(delivery), payload=msgspec.json.decode(delivery.event.payload)
            )
        )


class ReplayDelivery(Operation):
    """Send an event again now, under the same `webhook-id`, whatever came of it before."""

    scope = Scope.WEBHOOKS_WRITE
    right = Right.KEEP_CLUB

    Output = DeliveryShown
    status = 202
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "webhook_disabled")

    @idempotent
    def post(self, request: Request, delivery_id: UUID) -> Response:
        """Make it due."""
        delivery = replay(delivery_of(request, delivery_id))
        transaction.on_commit(ring)
        return Response(delivery_shown(delivery), status=self.status)


class PingWebhook(Operation):
    """Send a webhook a test event, `webhook.ping`. What comes of it is in the delivery."""

    scope = Scope.WEBHOOKS_WRITE
    right = Right.KEEP_CLUB

    Output = DeliveryShown
    status = 202
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "webhook_disabled")

    @idempotent
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Make the event."""
        delivery = ping(webhook_of(request, webhook_id))
        transaction.on_commit(ring)
        return Response(delivery_shown(delivery), status=self.status)


class ReplayDeliveries(Operation):
    """Send a webhook every event since a moment again, those that it missed included.

    Missed are those from while it was disabled, and those of types that it takes only now. With
    `failed_only`, those that were delivered are left out.
    """

    scope = Scope.WEBHOOKS_WRITE
    right = Right.KEEP_CLUB

    class Input(Struct, frozen=True):
        """Since when, by the time at which the event was made; and which."""

        since: Annotated[datetime, msgspec.Meta(tz=True)]
        failed_only: bool = False

    class Output(Shown, frozen=True):
        """How many deliveries that are; those that were waiting anyway are not counted."""

        deliveries: int

    status = 202
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "webhook_disabled")

    @idempotent
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Make them due."""
        webhook = webhook_of(request, webhook_id)
        given = read_body(request, ReplayDeliveries.Input)
        count = replay_since(webhook, given.since, failed_only=given.failed_only)
        transaction.on_commit(ring)
        return Response(ReplayDeliveries.Output(deliveries=count), status=self.status)
