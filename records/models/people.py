"""People: accounts that sign in, and the players the log knows by an opaque id.

Names live here and nowhere in the log, so a person can be renamed or removed while every record
and the chain of hashes stand.
"""

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower


class Account(AbstractUser):
    """Someone who signs in. Its id is opaque, so that it can be named where a person may not be."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)

    class Meta(AbstractUser.Meta):
        constraints = [
            # Two usernames that differ only in the case of letters would be one person to a reader.
            models.UniqueConstraint(Lower("username"), name="username_once_in_any_case"),
        ]


class Player(models.Model):
    """Someone who sits at a club's tables. ``id`` is all that the log ever says of them.

    ``account`` is who may see this player's own tiles while a hand is live; a club may keep players
    who never sign in.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey("records.Club", on_delete=models.PROTECT, related_name="players")
    name = models.CharField(max_length=60)
    account = models.ForeignKey(
        Account,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="players",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="player_name_once_per_club"),
            models.UniqueConstraint(
                fields=["club", "account"], name="player_account_once_per_club"
            ),
        ]
        indexes = [models.Index(fields=["club", "created_at", "id"], name="player_of_club")]

    def __str__(self) -> str:
        return self.name
