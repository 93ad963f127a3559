"""The tables of the ledger. `sql/ledger.sql`, `sql/rulings.sql` define the append-only ones."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now


class Settlement(models.Model):
    """What one sealed thing came to, at one revision. Points are in units of the stake.

    ``entry`` 0: the hand itself, players by seat. Else an entry beside the hands, by the seq of its
    event; then ``hand`` is the hand it concerns, 0 for the game as a whole, and ``players`` are the
    accounts it names: players, and the club's own id for its pot.
    """

    pk = models.CompositePrimaryKey("game_id", "hand", "entry", "revision")
    game_id = models.UUIDField()
    hand = models.IntegerField()
    entry = models.IntegerField(default=0)
    revision = models.SmallIntegerField()
    position = models.BigIntegerField()
    seal_position = models.BigIntegerField()
    seq = models.IntegerField()
    club_id = models.UUIDField()
    ruleset = models.TextField()
    ruleset_version = models.IntegerField()
    engine = models.TextField()
    result = models.TextField()
    players = ArrayField(models.UUIDField())
    points = ArrayField(models.BigIntegerField())
    stake = models.IntegerField()
    ladder_start = models.IntegerField()
    dealer = models.SmallIntegerField(null=True)
    streak = models.IntegerField(null=True)
    next_dealer = models.SmallIntegerField(null=True)
    next_streak = models.IntegerField(null=True)
    facts = models.JSONField(null=True)
    score = models.JSONField()
    started_at_ms = models.BigIntegerField()
    ended_at_ms = models.BigIntegerField()
    settled_at = models.DateTimeField()

    class Meta:
        managed = False
        db_table = "settlement"

    def __str__(self) -> str:
        return f"{self.game_id} hand {self.hand} entry {self.entry} revision {self.revision}"


class Transfer(models.Model):
    """One payment of a settlement: payer to payee, always above 0. Seats are null in an entry.

    ``position``, ``club_id`` and ``ended_at_ms`` are the settlement's.
    """

    pk = models.CompositePrimaryKey("game_id", "hand", "entry", "revision", "line")
    game_id = models.UUIDField()
    hand = models.IntegerField()
    entry = models.IntegerField(default=0)
    revision = models.SmallIntegerField()
    line = models.SmallIntegerField()
    payer = models.UUIDField()
    payee = models.UUIDField()
    payer_seat = models.SmallIntegerField(null=True)
    payee_seat = models.SmallIntegerField(null=True)
    points = models.IntegerField()
    kind = models.TextField()
    item = models.TextField()
    rule = models.TextField()
    seq = models.IntegerField()
    reverses = models.SmallIntegerField(null=True)
    position = models.BigIntegerField()
    club_id = models.UUIDField()
    ended_at_ms = models.BigIntegerField()

    class Meta:
        managed = False
        db_table = "transfer"

    def __str__(self) -> str:
        return f"{self.payer} pays {self.payee} {self.points} for {self.item}"


class SettlementCursor(models.Model):
    """How far the journal has been settled: one row, moved in the transaction that settles."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    seal_position = models.BigIntegerField(default=0)
    position = models.BigIntegerField(default=0)

    class Meta:
        db_table = "settlement_cursor"
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="one_row")]

    def __str__(self) -> str:
        return f"settled up to seal {self.seal_position}"


class SettlementFailure(models.Model):
    """A sealed hand or entry that could not be settled, until a later attempt succeeds."""

    seal_position = models.BigIntegerField(primary_key=True)
    game_id = models.UUIDField()
    hand = models.IntegerField()
    entry = models.IntegerField(default=0, db_default=0)
    seq = models.IntegerField()
    code = models.CharField(max_length=100)
    message = models.TextField()
    attempts = models.IntegerField(default=1)
    first_failed_at = models.DateTimeField(db_default=Now())
    retry_at = models.DateTimeField()

    class Meta:
        db_table = "settlement_failure"
        indexes = [models.Index(fields=["retry_at"], name="settlement_failure_by_retry")]

    def __str__(self) -> str:
        return f"{self.game_id} hand {self.hand}: {self.code}"
