"""The queue of games that have ended, for whoever has to tell others."""

from typing import Any

from django.db import models
from django.db.models.functions import Now


class EndedGame(models.Model):
    """A ``game_ended`` that nobody outside has been told of yet.

    The append that records the event puts it here in the same statement (``records.writing``);
    whoever tells deletes it in the transaction that does.
    """

    pk: Any = models.CompositePrimaryKey("game_id", "seq")
    game_id = models.UUIDField()
    seq = models.IntegerField()
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "ended_game"

    def __str__(self) -> str:
        return f"{self.game_id} ended at {self.seq}"
