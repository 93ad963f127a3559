"""People: accounts that sign in, and the players the log knows by an opaque id.

Names live here and nowhere in the log, so a person can be renamed or removed while every record
and the chain of hashes stand.
"""

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower


class Account(AbstractUser):
    """Someone who signs in. Its id is opaque, so that it can be named where a person may not be.

    ``removed_at``: the person has gone; name and contact were wiped, the id stays. ``machine_of``:
    the club that it acts for, if it is no person (``records.machines``).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    removed_at = models.DateTimeField(null=True, blank=True)
    machine_of = models.ForeignKey(
        "records.Club", on_delete=models.CASCADE, null=True, blank=True, related_name="machines"
    )

    class Meta(AbstractUser.Meta):
        constraints = [
            # Two usernames that differ only in the case of letters would be one person to a reader.
            models.UniqueConstraint(Lower("username"), name="username_once_in_any_case"),
        ]


class Player(models.Model):
    """Someone who sits at a club's tables. ``id`` is all that the log ever says of them.

    ``account`` is who may see this player's own tiles while a hand is live; a club may keep players
    who never sign in: guests. ``left_at``: not seated any more, the record stays.
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
    left_at = models.DateTimeField(null=True, blank=True)

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


class Claim(models.Model):
    """A member's word that a guest's record is theirs, until the club accepts or refuses it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="claims")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="claims")
    created_at = models.DateTimeField(auto_now_add=True)
    accepted = models.BooleanField(null=True)
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(
        Account, on_delete=models.SET_NULL, null=True, related_name="claims_decided"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "account"],
                condition=models.Q(accepted__isnull=True),
                name="claim_open_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} claims {self.player_id}"


class Merge(models.Model):
    """Two records of one person: what ``absorbed`` played counts for ``into``. The log stays.

    Nothing is moved, so a merge can be undone. ``into`` may itself be absorbed later.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey("records.Club", on_delete=models.CASCADE, related_name="merges")
    absorbed = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="merges")
    into = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="absorbs")
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(
        Account, on_delete=models.SET_NULL, null=True, related_name="merges_made"
    )
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["absorbed"],
                condition=models.Q(undone_at__isnull=True),
                name="merged_into_one",
            ),
            models.CheckConstraint(
                condition=~models.Q(absorbed=models.F("into")), name="merged_into_another"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.absorbed_id} is {self.into_id}"
