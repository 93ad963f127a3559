"""The tables of the HTTP layer: who may come in, writes that were done, files on their way.

Nothing here is the only place where something is known once it has been done.
"""

import uuid
from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone
from django.utils.module_loading import import_string

# This module is where Django looks for models.
from api.webhooks.models import (  # noqa: F401
    ToldClub,
    ToldTier,
    ToldTierChange,
    Webhook,
    WebhookAttempt,
    WebhookCursor,
    WebhookDelivery,
    WebhookEvent,
)


class TokenKind(models.TextChoices):
    """How a token came to be."""

    SIGN_IN = "sign_in", "Sign-in"
    PERSONAL = "personal", "Personal"
    CLUB = "club", "Club"


class Token(models.Model):
    """What stands in for a password: the bearer acts as ``account``, within scopes and clubs.

    ``digest`` is the SHA-256 of the token, which is 32 random bytes and is kept nowhere; ``prefix``
    is how its bearer knows it again. Without ``clubs`` it is good for all clubs of its account. A
    club's token acts as a machine of the club (``records.machines``). ``last_used_at`` is written
    at most once an hour.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=10, choices=TokenKind.choices)
    account = models.ForeignKey("records.Account", models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100, default="")
    digest = models.BinaryField(max_length=32, unique=True)
    prefix = models.CharField(max_length=20)
    scopes = ArrayField(models.CharField(max_length=40))
    clubs = ArrayField(models.UUIDField(), default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(
        "records.Account", models.SET_NULL, null=True, related_name="tokens_made"
    )
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["account", "created_at", "id"], name="token_of_account")]

    def __str__(self) -> str:
        return f"{self.kind} token {self.prefix}…"


class Session(AbstractBaseSession):
    """A browser's session (``api.sessions``). ``account_id`` is None for nobody's.

    ``handle`` is what it is called where it is shown, for its key would let others in; ``device``
    the browser's own words; ``last_seen_at`` is written at most once an hour.
    """

    account_id = models.UUIDField(null=True, db_index=True)
    handle = models.UUIDField(unique=True)
    device = models.CharField(max_length=200, default="")
    last_seen_at = models.DateTimeField(default=timezone.now)

    @classmethod
    def get_session_store_class(cls) -> Any:
        """The store that reads it; needed late, because it reads this module."""
        return import_string(f"{settings.SESSION_ENGINE}.SessionStore")


class DoneRequest(models.Model):
    """A write that succeeded, with the answer it got, so that a retry does nothing more.

    Appends do not use it: their key is the command id in the log's own receipts.

    ``caller`` is an account's id, or ``anonymous`` for a sign-up. ``fingerprint`` is keyed with the
    service's secret, since a body may hold a password. ``body`` is the answer byte for byte.
    """

    caller = models.CharField(max_length=40)
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    headers = models.JSONField(default=dict)
    body = models.TextField(default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["caller", "key"], name="request_done_once"),
        ]

    def __str__(self) -> str:
        return f"{self.caller} {self.key}"


class Import(models.Model):
    """A file of games that was uploaded, or is being uploaded until ``received_at``.

    ``key`` is the sender's own, ``sha256`` that of the lines as they are when unpacked. It is over
    (``ended_at``) when no game of it waits any more, or when it was cancelled.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey("records.Club", on_delete=models.CASCADE, related_name="imports")
    created_by = models.ForeignKey(
        "records.Account", on_delete=models.SET_NULL, null=True, related_name="imports"
    )
    key = models.CharField(max_length=255)
    sha256 = models.BinaryField(max_length=32, null=True)
    size_bytes = models.BigIntegerField(default=0)
    lines = models.IntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    received_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    cancelled = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "key"], name="import_once_per_key"),
        ]
        indexes = [models.Index(fields=["club", "created_at", "id"], name="import_of_club")]

    def __str__(self) -> str:
        return f"import {self.id}"


class ImportedGame(models.Model):
    """One game of a file: waiting for a worker, or recorded as far as it was legal.

    ``events`` are those of it that the log has now.
    """

    class State(models.TextChoices):
        """What became of it."""

        WAITING = "waiting", "Waiting"
        RECORDED = "recorded", "Recorded"
        REFUSED = "refused", "Refused"
        CANCELLED = "cancelled", "Cancelled"

    file = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="games")
    name = models.CharField(max_length=100)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    events = models.IntegerField(default=0)
    game_id = models.UUIDField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["file", "name"], name="imported_game_once"),
        ]
        indexes = [
            models.Index(
                fields=["id"], condition=models.Q(state="waiting"), name="imported_game_waiting"
            ),
            models.Index(fields=["file", "state"], name="imported_game_by_state"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.state}"


class ImportPart(models.Model):
    """Some lines of one game, in order, until it is recorded. ``numbers``: theirs in the file."""

    game = models.ForeignKey(ImportedGame, on_delete=models.CASCADE, related_name="parts")
    numbers = ArrayField(models.IntegerField())
    body = models.BinaryField()

    def __str__(self) -> str:
        return f"lines {self.numbers[0]} to {self.numbers[-1]}"


class ImportFault(models.Model):
    """A line that was refused, and why. Later lines of the same game were not tried."""

    file = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="faults")
    line = models.IntegerField()
    game = models.CharField(max_length=100, default="")
    seq = models.IntegerField(null=True)
    code = models.CharField(max_length=100)
    rule = models.CharField(max_length=20, default="")
    message = models.TextField()
    facts = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["file", "line"], name="import_fault_once_per_line"),
        ]

    def __str__(self) -> str:
        return f"line {self.line}: {self.code}"
