"""The tables of webhooks: who is told what, what was told, and every attempt at it."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now


class Webhook(models.Model):
    """A receiver of a club's events.

    ``secret_number`` names the secret that signs (``signing``); ``old_secrets`` are those that sign
    beside it (a list of ``signing.OldSecret``). What stands in an order (``happenings.Order``) up
    to its ``after_…`` is from before it was made and is not sent to it.

    It is disabled while ``disabled_at`` is set, for the reason ``disabled_for``. ``failing_since``
    is the first failure since the last success. Nothing is sent before ``not_before``, because the
    receiver asked for it.
    """

    class Reason(models.TextChoices):
        """Why a webhook is disabled."""

        BY_HAND = "by_hand", "By hand"
        GONE = "gone", "The receiver answered 410 Gone"
        FAILING = "failing", "It failed for days"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey("records.Club", on_delete=models.CASCADE, related_name="webhooks")
    url = models.TextField()
    types = ArrayField(models.TextField())
    description = models.TextField(default="", blank=True)
    created_by = models.ForeignKey(
        "records.Account", on_delete=models.SET_NULL, null=True, related_name="webhooks"
    )
    created_at = models.DateTimeField(db_default=Now())
    after_settlement = models.BigIntegerField(default=0)
    after_milestone = models.BigIntegerField(default=0)
    after_tier_change = models.BigIntegerField(default=0)
    secret_number = models.IntegerField(default=1)
    old_secrets = models.JSONField(default=list)
    disabled_at = models.DateTimeField(null=True)
    disabled_for = models.TextField(choices=Reason.choices, default="", blank=True)
    failing_since = models.DateTimeField(null=True)
    not_before = models.DateTimeField(null=True)

    class Meta:
        db_table = "webhook"
        indexes = [models.Index(fields=["club", "created_at", "id"], name="webhook_of_club")]

    def __str__(self) -> str:
        return f"webhook {self.id}"


class WebhookEvent(models.Model):
    """Something that happened in a club with a webhook for it. The id is sent as ``webhook-id``.

    The id follows from what happened (``following.event_id``), so that one event can never have
    two. ``payload`` is the body byte for byte as every attempt sends it.
    """

    id = models.UUIDField(primary_key=True)
    club_id = models.UUIDField()
    type = models.TextField()
    payload = models.TextField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "webhook_event"
        indexes = [models.Index(fields=["club_id", "created_at"], name="webhook_event_of_club")]

    def __str__(self) -> str:
        return f"{self.type} {self.id}"


class WebhookDelivery(models.Model):
    """One event on its way to one webhook.

    It waits until ``due_at``; null: nothing more is done about it. While a worker sends it,
    ``lease`` is that worker's and ``leased_until`` = ``due_at``: a worker that dies leaves it due
    again. ``failures`` counts the attempts that failed since it was made or replayed.
    """

    class State(models.TextChoices):
        """What has become of it."""

        WAITING = "waiting", "Waiting"
        DELIVERED = "delivered", "Delivered"
        FAILED = "failed", "Failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.ForeignKey(WebhookEvent, on_delete=models.CASCADE, related_name="deliveries")
    state = models.TextField(choices=State.choices, default=State.WAITING)
    failures = models.IntegerField(default=0)
    due_at = models.DateTimeField(null=True, db_default=Now())
    lease = models.UUIDField(null=True)
    leased_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "webhook_delivery"
        verbose_name = "delivery"
        constraints = [
            models.UniqueConstraint(fields=["webhook", "event"], name="webhook_delivery_once"),
        ]
        indexes = [
            models.Index(
                fields=["webhook", "due_at"],
                condition=models.Q(due_at__isnull=False),
                name="webhook_delivery_due",
            ),
            models.Index(
                fields=["leased_until"],
                condition=models.Q(leased_until__isnull=False),
                name="webhook_delivery_leased",
            ),
            models.Index(
                fields=["webhook", "created_at", "id"], name="webhook_delivery_of_webhook"
            ),
        ]

    def __str__(self) -> str:
        return f"delivery {self.id}: {self.state}"


class WebhookAttempt(models.Model):
    """One request that was made for a delivery, and what came of it (``sending.Outcome``)."""

    delivery = models.ForeignKey(WebhookDelivery, on_delete=models.CASCADE, related_name="attempts")
    begun_at = models.DateTimeField()
    duration_ms = models.IntegerField()
    status = models.SmallIntegerField(null=True)
    error = models.TextField(default="", blank=True)
    answer = models.TextField(default="", blank=True)

    class Meta:
        db_table = "webhook_attempt"

    def __str__(self) -> str:
        return f"{self.begun_at}: {self.status or self.error}"


class WebhookCursor(models.Model):
    """How far each order was followed: one row, moved in the transaction of the events.

    ``boards_position`` is how far the boards had come when tiers were last compared.
    """

    id = models.SmallIntegerField(primary_key=True, default=1)
    ledger_position = models.BigIntegerField(default=0)
    boards_position = models.BigIntegerField(default=0)
    milestones_position = models.BigIntegerField(default=0)
    tier_changes_position = models.BigIntegerField(default=0)

    class Meta:
        db_table = "webhook_cursor"
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="one_webhook_cursor")]

    def __str__(self) -> str:
        return f"told up to settlement {self.ledger_position}"


class ToldClub(models.Model):
    """The definitions that a club's tiers were last compared under."""

    club_id = models.UUIDField(primary_key=True)
    fingerprint = models.TextField()

    class Meta:
        db_table = "webhook_told_club"

    def __str__(self) -> str:
        return f"tiers of {self.club_id}"


class ToldTier(models.Model):
    """The tier that a player was last known to have, in a season or for all time."""

    pk: Any = models.CompositePrimaryKey("club_id", "season_id", "player_id")
    club_id = models.UUIDField()
    season_id = models.UUIDField()
    player_id = models.UUIDField()
    tier = models.SmallIntegerField()

    class Meta:
        db_table = "webhook_told_tier"

    def __str__(self) -> str:
        return f"{self.player_id}: tier {self.tier}"


class ToldTierChange(models.Model):
    """A change of a player's tier, and its place in the order in which they were found.

    ``data`` is a ``catalogue.TierChanged``, kept because the ladder may be another one tomorrow.
    """

    position = models.BigIntegerField(primary_key=True)
    club_id = models.UUIDField()
    found_at = models.DateTimeField(db_default=Now())
    data = models.JSONField()

    class Meta:
        db_table = "told_tier_change"
        indexes = [models.Index(fields=["club_id", "position"], name="told_tier_change_of_club")]

    def __str__(self) -> str:
        return f"{self.position}: a tier in {self.club_id}"
