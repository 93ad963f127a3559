"""What a club may do with its webhooks and their deliveries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import uuid4

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from api.webhooks.catalogue import PING, WebhookPing
from api.webhooks.delivering import disable
from api.webhooks.following import LOCK
from api.webhooks.happenings import Happening, event_of
from api.webhooks.models import Webhook, WebhookDelivery, WebhookEvent
from api.webhooks.signing import OldSecret, old_secrets_good
from api.webhooks.tiers import find_tier_changes, last_tier_change
from records.clubs import hold
from records.drain import wait_for_lock
from records.errors import RecordsError
from records.happenings import place_now
from records.ledger import last_position
from records.models import Account, Club
from replays.periods import to_ms

WEBHOOKS_MAX: Final = 20
"""How many a club may have."""
FORGET_BATCH: Final = 1_000

State = WebhookDelivery.State

_MISSED: Final = """
    INSERT INTO webhook_delivery (id, webhook_id, event_id, state, failures)
    SELECT gen_random_uuid(), w.id, e.id, 'waiting', 0
    FROM webhook w JOIN webhook_event e ON e.club_id = w.club_id AND e.type = ANY(w.types)
    WHERE w.id = %(webhook)s AND e.created_at >= %(since)s
    ON CONFLICT (webhook_id, event_id) DO NOTHING
"""


class TooManyWebhooks(RecordsError):
    """The club has as many as it may."""

    code = "too_many_webhooks"

    def __init__(self) -> None:
        super().__init__(
            f"A club has at most {WEBHOOKS_MAX} webhooks: delete one first.", expected=WEBHOOKS_MAX
        )


class WebhookDisabled(RecordsError):
    """Nothing is sent to it until somebody enables it."""

    code = "webhook_disabled"

    def __init__(self, webhook: Webhook) -> None:
        super().__init__(
            "The webhook is disabled: enable it first.", disabled_for=webhook.disabled_for
        )


def create_webhook(
    *, club: Club, url: str, types: Sequence[str], description: str, by: Account | None
) -> Webhook:
    """Make one for what happens from now on. The URL was checked. Raises TooManyWebhooks."""
    with transaction.atomic():
        # Not while others are told, for they would then not tell this one what comes meanwhile
        # (test_a_webhook_that_is_made_while_others_are_told_misses_nothing).
        wait_for_lock(LOCK)
        find_tier_changes()
        hold(club.pk)
        if club.webhooks.count() >= WEBHOOKS_MAX:
            raise TooManyWebhooks
        return Webhook.objects.create(
            club=club,
            url=url,
            types=sorted(set(types)),
            description=description,
            created_by=by,
            after_settlement=last_position(),
            after_milestone=place_now().milestone,
            after_tier_change=last_tier_change(),
        )


def change_webhook(
    *,
    webhook: Webhook,
    url: str | None = None,
    types: Sequence[str] | None = None,
    description: str | None = None,
    enabled: bool | None = None,
) -> Webhook:
    """Change what is given. The URL was checked. One that is enabled again sends what waits."""
    with transaction.atomic():
        held = Webhook.objects.select_for_update().get(pk=webhook.pk)
        if url is not None and url != held.url:
            held.url, held.not_before, held.failing_since = url, None, None
        if types is not None:
            held.types = sorted(set(types))
        if description is not None:
            held.description = description
        if enabled is True and held.disabled_at is not None:
            held.disabled_at, held.disabled_for = None, ""
            held.failing_since = held.not_before = None
        if enabled is False:
            disable(held, Webhook.Reason.BY_HAND)
        held.save()
    return held


def rotate_secret(*, webhook: Webhook, overlap: timedelta) -> Webhook:
    """Give it another secret; those that are good now sign beside it for ``overlap`` at most."""
    with transaction.atomic():
        held = Webhook.objects.select_for_update().get(pk=webhook.pk)
        now = timezone.now()
        until_ms = to_ms(now + overlap)
        good = [*old_secrets_good(held.old_secrets, now), OldSecret(held.secret_number, until_ms)]
        held.old_secrets = [
            {"number": old.number, "until_ms": min(old.until_ms, until_ms)}
            for old in good
            if until_ms > to_ms(now)
        ]
        held.secret_number += 1
        held.save()
    return held


def ping(webhook: Webhook) -> WebhookDelivery:
    """Send it a test event. Raises WebhookDisabled."""
    _insist_on_enabled(webhook)
    event = event_of(
        Happening(
            type=PING,
            club_id=webhook.club_id,
            name=str(uuid4()),
            at=timezone.now(),
            data=WebhookPing(club=webhook.club_id, webhook=webhook.pk),
        )
    )
    with transaction.atomic():
        event.save(force_insert=True)
        return WebhookDelivery.objects.create(webhook=webhook, event=event)


def replay(delivery: WebhookDelivery) -> WebhookDelivery:
    """Send it again, now, under the same event id. Raises WebhookDisabled."""
    _insist_on_enabled(delivery.webhook)
    _make_due(WebhookDelivery.objects.filter(pk=delivery.pk))
    delivery.refresh_from_db()
    return delivery


def replay_since(webhook: Webhook, since: datetime, *, failed_only: bool) -> int:
    """Send the events since then that it should have got; answer how many.

    Those it never was sent, because it was disabled or took other types then, are among them.
    ``failed_only``: leave out what was delivered. Raises WebhookDisabled.
    """
    _insist_on_enabled(webhook)
    with transaction.atomic():
        Webhook.objects.select_for_update().get(pk=webhook.pk)
        again = WebhookDelivery.objects.filter(
            webhook=webhook, event__created_at__gte=since, event__type__in=webhook.types
        ).exclude(state=State.WAITING)
        count = _make_due(again.filter(state=State.FAILED) if failed_only else again)
        with connection.cursor() as cursor:
            cursor.execute(_MISSED, {"webhook": webhook.pk, "since": since})
            return count + int(cursor.rowcount)


def _make_due(deliveries: QuerySet[WebhookDelivery]) -> int:
    """Begin their attempts anew. A worker that is sending one has lost its lease."""
    return deliveries.update(
        state=State.WAITING, due_at=timezone.now(), failures=0, lease=None, leased_until=None
    )


def _insist_on_enabled(webhook: Webhook) -> None:
    if webhook.disabled_at is not None:
        raise WebhookDisabled(webhook)


def forget_old() -> int:
    """Drop events that are kept no longer (PAIPU_WEBHOOK_KEEP_DAYS), with all about them.

    What still waits for a webhook that is enabled stays. Answers how many events.
    """
    before = timezone.now() - timedelta(days=settings.WEBHOOK_KEEP_DAYS)
    waiting = WebhookDelivery.objects.filter(
        event=OuterRef("pk"), due_at__isnull=False, webhook__disabled_at=None
    )
    old = WebhookEvent.objects.filter(~Exists(waiting), created_at__lt=before)
    forgotten = 0
    while ids := list(old.values_list("id", flat=True)[:FORGET_BATCH]):
        WebhookEvent.objects.filter(pk__in=ids).delete()
        forgotten += len(ids)
    return forgotten
