"""Clubs and who may do what in them."""

import uuid

from django.db import models

from records.models.people import Account


class Role(models.TextChoices):
    """What a member is to a club; ``records.clubs.RIGHTS`` says what each may do."""

    OWNER = "owner", "Owner"
    REFEREE = "referee", "Referee"
    RECORDER = "recorder", "Recorder"
    PLAYER = "player", "Player"
    VIEWER = "viewer", "Viewer"


class Club(models.Model):
    """A club: the people, players and games that belong together."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80)
    slug = models.SlugField(max_length=50, unique=True)
    time_zone = models.CharField(max_length=64, default="Asia/Shanghai")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """One account's role in one club."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="memberships")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "club"], name="membership_once_per_club"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.role} {self.club_id}"
