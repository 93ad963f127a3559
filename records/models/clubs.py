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
    """A club: the people, players and games that belong together.

    ``rated`` says whether it keeps a rating beside points. ``spectator_delay_s`` is how many
    seconds late who neither records, rules nor plays learns what happens in its games.
    ``public_games``: the pages of its games are open to everybody, as a viewer sees them.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80)
    slug = models.SlugField(max_length=50, unique=True)
    time_zone = models.CharField(max_length=64, default="Asia/Shanghai")
    rated = models.BooleanField(default=False, db_default=False)
    spectator_delay_s = models.PositiveIntegerField(default=0, db_default=0)
    public_games = models.BooleanField(default=False, db_default=False)
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


class Invitation(models.Model):
    """A link that makes whoever follows it a member, once. Only the hash of its secret is kept.

    ``player`` is the guest whose record the new member takes over, if it is meant for one.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=10, choices=Role.choices)
    player = models.ForeignKey(
        "records.Player", on_delete=models.CASCADE, null=True, related_name="invitations"
    )
    secret_hash = models.BinaryField(max_length=32, unique=True)
    created_by = models.ForeignKey(
        Account, on_delete=models.SET_NULL, null=True, related_name="invitations_made"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_by = models.ForeignKey(
        Account, on_delete=models.SET_NULL, null=True, related_name="invitations_accepted"
    )
    accepted_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["club", "created_at", "id"], name="invitation_of_club")]

    def __str__(self) -> str:
        return f"{self.role} of {self.club_id}"


class Season(models.Model):
    """A span of days in the club's own time zone, both ends included.

    A game belongs to the season in which it began. ``closes_after_h`` is how many hours after the
    last day the schedule closes it by itself; null: it does not. ``closed_position`` is the
    settlement after which a hand settled for the first time counts no more: a closed season changes
    by rulings only.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=60)
    starts_on = models.DateField()
    ends_on = models.DateField()
    closes_after_h = models.PositiveSmallIntegerField(null=True, default=24, db_default=24)
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    closed_position = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="season_name_once_per_club"),
            models.CheckConstraint(
                condition=models.Q(starts_on__lte=models.F("ends_on")),
                name="season_ends_after_it_starts",
            ),
            models.CheckConstraint(
                condition=models.Q(closed_at__isnull=True, closed_position__isnull=True)
                | models.Q(closed_at__isnull=False, closed_position__isnull=False),
                name="season_closed_at_a_position",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Ladder(models.Model):
    """One version of a club's ladder; the last one is in force. Without any, the default is.

    ``tiers`` from the lowest: ``{"zh", "en", "from_points"}``; that of the lowest is null.
    ``start`` is the score a player begins with. Without ``demotion`` a tier once reached stays.
    ``scope`` says which points make a player's tier: those of the season, or all.
    """

    class Scope(models.TextChoices):
        """Which points a tier comes from."""

        SEASON = "season", "Season"
        FOR_EVER = "for_ever", "For ever"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="ladders")
    version = models.PositiveIntegerField()
    name = models.CharField(max_length=60)
    tiers = models.JSONField()
    start = models.IntegerField(default=0)
    demotion = models.BooleanField(default=True)
    scope = models.CharField(max_length=10, choices=Scope.choices, default=Scope.FOR_EVER)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(
        Account, on_delete=models.SET_NULL, null=True, related_name="ladders_made"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "version"], name="ladder_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


class Preset(models.Model):
    """Options of a ruleset that a club plays with under a name of its own, every option written."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="presets")
    ruleset = models.CharField(max_length=60)
    ruleset_version = models.PositiveIntegerField()
    name = models.CharField(max_length=60)
    options = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "ruleset", "name"], name="preset_name_once_per_ruleset"
            ),
        ]

    def __str__(self) -> str:
        return self.name
