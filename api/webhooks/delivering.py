"""Sending what is due, by any number of workers at once, at least once each.

A worker claims deliveries by a lease that ends by itself, so what a dead worker had claimed is sent
by another. It notes what came of each only while it still holds the lease. Requests are made in
threads that touch no database. Nothing is promised about the order.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID, uuid4

import msgspec
import structlog
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from api.webhooks.addresses import Resolve, resolve_name
from api.webhooks.models import Webhook, WebhookAttempt, WebhookDelivery
from api.webhooks.sending import Outcome, Parcel, send
from api.webhooks.signing import old_secrets_good

BUDGET_S: Final = 5.0
"""How long one task goes on claiming: short, so that settling is not kept waiting."""
LOOK_AGAIN_S: Final = 0.5
"""How long it waits for an answer before it looks whether more has come due."""
LEASE_S: Final = 45
"""Longer than any request takes (`sending`), so that a lease ends only when its worker has died."""
SLOTS: Final = 16
"""How many requests one worker makes at once."""
SLOTS_OF_WEBHOOK: Final = 4
"""A receiver that has so many of them under way is sent no more until it has answered one."""
RETRY_S: Final = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""How long after each failure it is tried again, as Standard Webhooks suggests. Then it failed."""
JITTER: Final = 0.1
"""The waits are made longer at random by up to this part of them."""
DISABLED_AFTER: Final = timedelta(days=3)
"""A receiver that failed for so long, without one success, is sent nothing more."""

State = WebhookDelivery.State
logger = structlog.get_logger(__name__)


class Claim(msgspec.Struct, frozen=True):
    """A delivery that this worker is to send."""

    delivery_id: UUID
    webhook_id: UUID
    parcel: Parcel
    begun_at: datetime


# Healthy receivers first. Two claims at one moment may both think that there is room: no harm done.
_CLAIM: Final = """
    WITH others AS (
      SELECT count(DISTINCT lease) AS n FROM webhook_delivery
      WHERE leased_until > now() AND lease <> %(me)s
    ), ready AS (
      SELECT w.id FROM webhook w CROSS JOIN LATERAL (
        SELECT due_at FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.due_at <= now()
        ORDER BY due_at LIMIT 1
      ) AS first
      WHERE w.disabled_at IS NULL AND coalesce(w.not_before <= now(), true)
        AND (SELECT n FROM others) < %(workers)s AND w.id <> ALL(%(busy)s)
      ORDER BY w.failing_since IS NOT NULL, first.due_at LIMIT %(slots)s
    ), taken AS (
      SELECT due.id FROM ready CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_delivery d WHERE d.webhook_id = ready.id AND d.due_at <= now()
        ORDER BY d.due_at LIMIT %(of_webhook)s FOR UPDATE SKIP LOCKED
      ) AS due LIMIT %(slots)s
    ), claimed AS (
      UPDATE webhook_delivery d
      SET lease = %(me)s, leased_until = now() + %(lease)s, due_at = now() + %(lease)s
      FROM taken WHERE d.id = taken.id
      RETURNING d.id, d.webhook_id, d.event_id
    )
    SELECT c.id, c.webhook_id, w.url, w.secret_number, w.old_secrets, e.id, e.payload
    FROM claimed c JOIN webhook w ON w.id = c.webhook_id JOIN webhook_event e ON e.id = c.event_id
"""


def deliver(*, resolve: Resolve = resolve_name, budget_s: float = BUDGET_S) -> int:
    """Send what is due, until nothing is or for a while; answer how many requests were made."""
    me = uuid4()
    stop_at = time.monotonic() + budget_s
    under_way: dict[Future[Outcome], Claim] = {}
    done = 0
    with ThreadPoolExecutor(SLOTS, thread_name_prefix="webhooks") as pool:
        while True:
            if len(under_way) < SLOTS and time.monotonic() < stop_at:
                for claim in claim_due(me, SLOTS - len(under_way), busy=_busy(under_way)):
                    under_way[pool.submit(send, claim.parcel, resolve=resolve)] = claim
            if not under_way:
                return done
            ended = wait(under_way, LOOK_AGAIN_S, FIRST_COMPLETED).done
            if ended:
                note([(under_way.pop(future), future.result()) for future in ended], me)
                done += len(ended)


def _busy(under_way: Mapping[Future[Outcome], Claim]) -> list[UUID]:
    """The webhooks that have as many requests under way as they may."""
    counts = Counter(claim.webhook_id for claim in under_way.values())
    return [webhook for webhook, count in counts.items() if count >= SLOTS_OF_WEBHOOK]


def claim_due(me: UUID, slots: int, *, busy: Sequence[UUID] = ()) -> list[Claim]:
    """Take up to ``slots`` deliveries that are due, none for a ``busy`` webhook, for worker ``me``.

    None while as many other workers are sending as may (PAIPU_WEBHOOK_WORKERS).
    """
    now = timezone.now()
    facts = {
        "me": me,
        "slots": slots,
        "of_webhook": SLOTS_OF_WEBHOOK,
        "lease": timedelta(seconds=LEASE_S),
        "workers": settings.WEBHOOK_WORKERS,
        "busy": list(busy),
    }
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(_CLAIM, facts)
        return [_claim(now, *row) for row in cursor.fetchall()]


def _claim(
    now: datetime,
    delivery_id: UUID,
    webhook_id: UUID,
    url: str,
    secret_number: int,
    old_secrets: str,
    event_id: UUID,
    payload: str,
) -> Claim:
    still_good = old_secrets_good(msgspec.json.decode(old_secrets), now)
    numbers = (secret_number, *(old.number for old in still_good))
    parcel = Parcel(
        url=url, webhook_id=webhook_id, numbers=numbers, event_id=event_id, payload=payload
    )
    return Claim(delivery_id, webhook_id, parcel, now)


def note(ended: Sequence[tuple[Claim, Outcome]], me: UUID) -> None:
    """Write down what came of requests, and what follows from it for deliveries and webhooks.

    Passed over are those whose lease ended and that another worker has, or that were deleted.
    """
    outcomes = {claim.delivery_id: (claim, outcome) for claim, outcome in ended}
    with transaction.atomic(durable=True):
        ours = WebhookDelivery.objects.filter(pk__in=outcomes, lease=me).order_by("pk")
        deliveries = list(ours.select_for_update())
        WebhookAttempt.objects.bulk_create(
            _attempt(*outcomes[delivery.pk]) for delivery in deliveries
        )
        for delivery in deliveries:
            _note_on_delivery(delivery, outcomes[delivery.pk][1])
        WebhookDelivery.objects.bulk_update(deliveries, _NOTED)
        webhooks = Webhook.objects.filter(pk__in={each.webhook_id for each in deliveries})
        for webhook in webhooks.order_by("pk").select_for_update():
            _note_on_webhook(
                webhook,
                [outcomes[each.pk][1] for each in deliveries if each.webhook_id == webhook.pk],
            )


_NOTED: Final = ("state", "failures", "due_at", "lease", "leased_until")


def _attempt(claim: Claim, outcome: Outcome) -> WebhookAttempt:
    return WebhookAttempt(
        delivery_id=claim.delivery_id,
        begun_at=claim.begun_at,
        duration_ms=outcome.duration_ms,
        status=outcome.status,
        error=outcome.error,
        answer=outcome.answer,
    )


def _note_on_delivery(delivery: WebhookDelivery, outcome: Outcome) -> None:
    delivery.lease = delivery.leased_until = delivery.due_at = None
    if outcome.is_success:
        delivery.state = State.DELIVERED
        return
    wait_s = _wait_s(delivery.failures, outcome)
    delivery.failures += 1
    delivery.state = State.FAILED if wait_s is None else State.WAITING
    if wait_s is not None:
        delivery.due_at = timezone.now() + timedelta(seconds=wait_s)


def _wait_s(failures_before: int, outcome: Outcome) -> float | None:
    """Seconds until the next attempt; None: there is none, for there were enough."""
    if failures_before >= len(RETRY_S):
        return None
    wait_s = RETRY_S[failures_before] * (1 + random.uniform(0, JITTER))  # noqa: S311 - no secret
    return max(wait_s, outcome.retry_after_s or 0) if _asks_to_wait(outcome) else wait_s


def _asks_to_wait(outcome: Outcome) -> bool:
    return outcome.status in (429, 503)


def _note_on_webhook(webhook: Webhook, outcomes: Sequence[Outcome]) -> None:
    before = (webhook.failing_since, webhook.not_before, webhook.disabled_at)
    for outcome in outcomes:
        _weigh(webhook, outcome, timezone.now())
    if before != (webhook.failing_since, webhook.not_before, webhook.disabled_at):
        webhook.save()


def _weigh(webhook: Webhook, outcome: Outcome, now: datetime) -> None:
    """What one outcome says about the receiver."""
    if outcome.is_success:
        webhook.failing_since = webhook.not_before = None
        return
    webhook.failing_since = webhook.failing_since or now
    if _asks_to_wait(outcome) and outcome.retry_after_s:
        webhook.not_before = now + timedelta(seconds=outcome.retry_after_s)
    if outcome.status == 410:
        disable(webhook, Webhook.Reason.GONE)
    elif now - webhook.failing_since > DISABLED_AFTER:
        disable(webhook, Webhook.Reason.FAILING)


def disable(webhook: Webhook, reason: Webhook.Reason) -> None:
    """Send nothing more to it; what waits stays. Not saved. The first reason stands."""
    if webhook.disabled_at is None:
        webhook.disabled_at, webhook.disabled_for = timezone.now(), reason
        logger.info("webhook_disabled", webhook=str(webhook.pk), reason=reason.value)


_OLDEST: Final = """
    SELECT extract(epoch FROM now() - min(first.due_at)) FROM webhook w CROSS JOIN LATERAL (
      SELECT due_at FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.due_at <= now()
      ORDER BY due_at LIMIT 1
    ) AS first
    WHERE w.disabled_at IS NULL AND coalesce(w.not_before <= now(), true)
"""


def age_of_oldest_due_s() -> float | None:
    """Seconds since the oldest delivery that a worker could send now was due, None without one."""
    with connection.cursor() as cursor:
        cursor.execute(_OLDEST)
        row = cursor.fetchone()
    return None if row is None or row[0] is None else float(row[0])
