"""The tables of the log, for reading. ``sql/log.sql`` defines them; ``append.py`` and others write.

The models are not managed: the DDL says things that Django cannot (partitions, triggers, grants).
Nothing here can be saved twice: the database refuses UPDATE and DELETE.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now


class Game(models.Model):
    """A game: whose it is and when it began. What happens in it are its events."""

    id = models.UUIDField(primary_key=True)
    club_id = models.UUIDField()
    created_by = models.UUIDField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    title = models.TextField(default="", db_default="")

    class Meta:
        managed = False
        db_table = "game"

    def __str__(self) -> str:
        return f"{self.id} {self.title}".rstrip()


class Event(models.Model):
    """One event as it was written. ``records.reader`` gives it as a ``chain.StoredEvent``."""

    pk = models.CompositePrimaryKey("game_id", "seq")
    game_id = models.UUIDField()
    seq = models.IntegerField()
    type = models.TextField()
    version = models.SmallIntegerField()
    occurred_at_ms = models.BigIntegerField()
    public = models.JSONField()
    secret = models.JSONField(null=True)
    salt = models.BinaryField(null=True)
    prev = models.BinaryField()
    hash = models.BinaryField()
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        managed = False
        db_table = "event"

    def __str__(self) -> str:
        return f"{self.game_id} {self.seq} {self.type}"


class Receipt(models.Model):
    """What one command wrote: kept for ever, so that a retry gets the same answer."""

    pk = models.CompositePrimaryKey("game_id", "command_id")
    game_id = models.UUIDField()
    command_id = models.TextField()
    fingerprint = models.BinaryField()
    first_seq = models.IntegerField()
    last_seq = models.IntegerField()
    hash = models.BinaryField()
    actor = models.TextField(null=True)
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        managed = False
        db_table = "receipt"

    def __str__(self) -> str:
        return f"{self.game_id} {self.first_seq}..{self.last_seq} {self.command_id}"


class HandSnapshot(models.Model):
    """The state after the last event of a hand: derived, may be dropped at any time."""

    pk = models.CompositePrimaryKey("game_id", "seq", "format")
    game_id = models.UUIDField()
    seq = models.IntegerField()
    format = models.SmallIntegerField()
    hash = models.BinaryField()
    state = models.BinaryField()
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        managed = False
        db_table = "hand_snapshot"

    def __str__(self) -> str:
        return f"{self.game_id} at {self.seq}"


class QueuedSeal(models.Model):
    """A seal without a place in the journal yet."""

    id = models.BigAutoField(primary_key=True)
    game_id = models.UUIDField()
    hand = models.IntegerField()
    seq = models.IntegerField()
    hash = models.BinaryField()
    queued_at = models.DateTimeField(db_default=Now())

    class Meta:
        managed = False
        db_table = "seal_queue"

    def __str__(self) -> str:
        return f"{self.game_id} hand {self.hand} waits"


class Seal(models.Model):
    """A row of the journal: a seal and its place in the one global order, from 1 without gaps.

    ``tile`` is the root over the `merkle.TILE` leaves up to it, where they are one tile.
    """

    position = models.BigIntegerField(primary_key=True)
    game_id = models.UUIDField()
    hand = models.IntegerField()
    seq = models.IntegerField()
    hash = models.BinaryField()
    leaf = models.BinaryField()
    tile = models.BinaryField(null=True)
    sealed_at = models.DateTimeField(db_default=Now())

    class Meta:
        managed = False
        db_table = "journal"

    def __str__(self) -> str:
        return f"{self.position}: {self.game_id} hand {self.hand}"


class Checkpoint(models.Model):
    """A signed head of the tree over the journal."""

    size = models.BigIntegerField(primary_key=True)
    root = models.BinaryField()
    tree = ArrayField(models.BinaryField())
    note = models.TextField()
    signed_at = models.DateTimeField(db_default=Now())

    class Meta:
        managed = False
        db_table = "checkpoint"

    def __str__(self) -> str:
        return f"checkpoint of {self.size} seals"
