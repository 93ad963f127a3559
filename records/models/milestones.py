"""When games begin and end, in one order for whoever follows a club."""

from typing import Any

from django.db import models
from django.db.models.functions import Now


class QueuedMilestone(models.Model):
    """A game that began (``seq`` 1) or ended, without a place in the order yet.

    It is written in the transaction that starts the game, or by the append that ends it.
    """

    pk: Any = models.CompositePrimaryKey("game_id", "seq")
    game_id = models.UUIDField()
    seq = models.IntegerField()

    class Meta:
        db_table = "milestone_queue"

    def __str__(self) -> str:
        return f"{self.game_id} at {self.seq} waits"


class Milestone(models.Model):
    """A game that began (``seq`` 1), or ended and is settled, and its place in the order.

    ``position`` runs from 1 without gaps; ``occurred_at_ms`` is when it was at the table. An end
    may be taken back by a rewind; the game is told to have ended again then, with another seq.
    """

    position = models.BigIntegerField(primary_key=True)
    game_id = models.UUIDField()
    seq = models.IntegerField()
    club_id = models.UUIDField()
    occurred_at_ms = models.BigIntegerField()
    placed_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "milestone"
        indexes = [
            models.Index(fields=["club_id", "position"], name="milestone_of_club"),
            models.Index(
                fields=["club_id", "occurred_at_ms", "game_id"],
                condition=models.Q(seq=1),
                name="game_by_beginning",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.position}: {self.game_id} at {self.seq}"
