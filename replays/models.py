"""The tables of the read side. All follow from the ledger: `projections.rebuild` proves it."""

from django.db import models


class ProjectionCursor(models.Model):
    """How far the ledger has been read: one row, moved in the transaction that writes the rest."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    position = models.BigIntegerField(default=0)

    class Meta:
        db_table = "projection_cursor"
        constraints = [
            models.CheckConstraint(condition=models.Q(id=1), name="one_projection_cursor")
        ]

    def __str__(self) -> str:
        return f"read up to settlement {self.position}"


class SeatResult(models.Model):
    """What one hand was for one seat, as it stands now. Points are in units of the stake.

    `won` is how the seat won (`zimo`, `dianpao`, `qiang_gang`) or empty, `total` what the winning
    hand was worth to an ordinary payer, `dealt_in` whether somebody won on this seat's tile,
    `gangs` how many gangs it had declared, `gang_points` what was settled apart from the wins. An
    abandoned hand has no row.
    """

    pk = models.CompositePrimaryKey("game_id", "hand", "seat")
    game_id = models.UUIDField()
    hand = models.IntegerField()
    seat = models.SmallIntegerField()
    position = models.BigIntegerField()
    club_id = models.UUIDField()
    ruleset = models.TextField()
    player_id = models.UUIDField()
    ladder_start = models.IntegerField()
    points = models.IntegerField()
    gang_points = models.IntegerField()
    won = models.TextField(default="")
    total = models.IntegerField(null=True)
    dealt_in = models.BooleanField()
    gangs = models.SmallIntegerField()
    ended_at_ms = models.BigIntegerField()

    class Meta:
        db_table = "seat_result"
        indexes = [
            models.Index("player_id", models.F("position").desc(), name="seat_result_by_player"),
            models.Index(
                "club_id",
                "player_id",
                models.F("total").desc(),
                condition=models.Q(total__isnull=False),
                name="seat_result_by_total",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.points} in hand {self.hand} of {self.game_id}"


class Standing(models.Model):
    """A player's figures in a club under one ruleset, or under all of them (`ruleset` empty).

    `hands` and `games` count what the player took part in, without abandoned hands; `wins` are
    hands won, `zimo_wins` those by self-draw, `deal_ins` hands in which somebody won on the
    player's tile.
    `ladder_score` is `ladder_start` plus `points`; `tier` is its place on the default ladder.
    `best_total` is the greatest worth of a winning hand, and `best_game_id`, `best_hand` where.
    """

    pk = models.CompositePrimaryKey("club_id", "ruleset", "player_id")
    club_id = models.UUIDField()
    ruleset = models.TextField()
    player_id = models.UUIDField()
    games = models.IntegerField(default=0)
    hands = models.IntegerField(default=0)
    points = models.BigIntegerField(default=0)
    wins = models.IntegerField(default=0)
    zimo_wins = models.IntegerField(default=0)
    deal_ins = models.IntegerField(default=0)
    gangs = models.IntegerField(default=0)
    best_total = models.IntegerField(null=True)
    best_game_id = models.UUIDField(null=True)
    best_hand = models.IntegerField(null=True)
    ladder_start = models.IntegerField()
    ladder_score = models.BigIntegerField()
    tier = models.SmallIntegerField()

    class Meta:
        db_table = "standing"
        indexes = [
            models.Index(
                "club_id",
                "ruleset",
                models.F("points").desc(),
                "player_id",
                name="standing_by_points",
            ),
            models.Index(fields=["player_id"], name="standing_by_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.points} points, tier {self.tier}"


class TierChange(models.Model):
    """A step up or down the ladder, with the settled hand that caused it."""

    pk = models.CompositePrimaryKey("club_id", "ruleset", "player_id", "position")
    club_id = models.UUIDField()
    ruleset = models.TextField()
    player_id = models.UUIDField()
    position = models.BigIntegerField()
    game_id = models.UUIDField()
    hand = models.IntegerField()
    revision = models.SmallIntegerField()
    from_tier = models.SmallIntegerField()
    to_tier = models.SmallIntegerField()
    ladder_score = models.BigIntegerField()
    ended_at_ms = models.BigIntegerField()

    class Meta:
        db_table = "tier_change"
        indexes = [
            models.Index("player_id", models.F("position").desc(), name="tier_change_by_player")
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: tier {self.from_tier} to {self.to_tier}"
