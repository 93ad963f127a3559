"""The tables of the read side. All follow from the ledger: `manage.py rebuild` proves it.

Two layers. A `Result` is what one settlement was for one player. All others are counted from the
results (`projections`): standings, places, steps of the ladder.
"""

import uuid
from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Cast, NullIf

# This module is where Django looks for models.
from replays.rating_models import RatedClub, RatedGame, Rating, RatingCursor  # noqa: F401

ALL_TIME: Final = uuid.UUID(int=0)
"""The `season_id` of what counts every game, in a season or not."""
ALL_RULESETS: Final = ""
"""The `ruleset` of what counts every ruleset of its club together."""
SCORES: Final = 2**44
"""More than any score on a ladder: a tier times this plus the score puts tiers first."""


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


class CountedClub(models.Model):
    """What a club's counts rest on, as it was when they were made.

    `fingerprint` is of the rows that say so (`definitions`): when it differs, what changed is
    counted again. `ladder_start` null: the ruleset's option. `thresholds` are those of the second
    tier and up.
    """

    club_id = models.UUIDField(primary_key=True)
    fingerprint = models.TextField()
    ladder_start = models.BigIntegerField(null=True)
    thresholds = ArrayField(models.BigIntegerField())
    demotion = models.BooleanField()
    scope = models.TextField()

    class Meta:
        db_table = "counted_club"

    def __str__(self) -> str:
        return f"counts of {self.club_id}"


class CountedSeason(models.Model):
    """A span that a club's games are counted in: a season, or `ALL_TIME`.

    A game belongs to it when it began in [from_ms, before_ms). A hand first settled after
    `closed_position` does not count in it; a ruling does, whenever it is made.
    """

    pk = models.CompositePrimaryKey("club_id", "season_id")
    club_id = models.UUIDField()
    season_id = models.UUIDField()
    from_ms = models.BigIntegerField()
    before_ms = models.BigIntegerField()
    closed_position = models.BigIntegerField(null=True)

    class Meta:
        db_table = "counted_season"

    def __str__(self) -> str:
        return f"counts of season {self.season_id}"


class CountedPerson(models.Model):
    """A player whose results count for another, the person at the end of the merges."""

    player_id = models.UUIDField(primary_key=True)
    club_id = models.UUIDField()
    person_id = models.UUIDField()

    class Meta:
        db_table = "counted_person"
        indexes = [models.Index(fields=["club_id"], name="counted_person_of_club")]

    def __str__(self) -> str:
        return f"{self.player_id} counts for {self.person_id}"


class Result(models.Model):
    """What one revision of a hand, or of an entry beside the hands, was for one player.

    It holds from settlement `position` until `until_position`, which is null while it is in force;
    `first_position` is that of the first revision. The club's pot has no results, and neither has a
    hand that was abandoned or voided.

    `person_id` is who it counts for: the player, or whom the player's record was merged into.
    Points are in units of the stake; `gang_points` those of them that gangs brought or cost. `won`
    is how the seat won (`zimo`, `dianpao`, `qiang_gang`) or empty, `total` what the winning hand
    was worth to an ordinary payer, `dealt_in` whether somebody won on this seat's tile, `gangs` how
    many gangs it had declared. An entry (`entry` > 0) has a null seat and points only.

    Order of play is (ended_at_ms, game_id, hand, entry). `played_at_ms` is what `as_of` asks for:
    when the hand ended; of an entry, when the game that it belongs to began.
    """

    pk = models.CompositePrimaryKey("game_id", "hand", "entry", "revision", "player_id")
    game_id = models.UUIDField()
    hand = models.IntegerField()
    entry = models.IntegerField()
    revision = models.SmallIntegerField()
    player_id = models.UUIDField()
    person_id = models.UUIDField()
    seat = models.SmallIntegerField(null=True)
    club_id = models.UUIDField()
    ruleset = models.TextField()
    position = models.BigIntegerField()
    until_position = models.BigIntegerField(null=True)
    first_position = models.BigIntegerField()
    ladder_start = models.IntegerField()
    points = models.BigIntegerField()
    gang_points = models.BigIntegerField()
    won = models.TextField(default="")
    total = models.BigIntegerField(null=True)
    dealt_in = models.BooleanField(default=False)
    gangs = models.SmallIntegerField(default=0)
    started_at_ms = models.BigIntegerField()
    ended_at_ms = models.BigIntegerField()
    played_at_ms = models.BigIntegerField()

    class Meta:
        db_table = "result"
        indexes = [
            models.Index(fields=["position"], name="result_by_position"),
            models.Index(
                fields=["until_position"],
                condition=models.Q(until_position__isnull=False),
                name="result_by_until_position",
            ),
            models.Index(
                fields=["person_id", "ended_at_ms", "game_id", "hand", "entry"],
                condition=models.Q(until_position__isnull=True),
                name="result_of_person",
            ),
            models.Index(
                "person_id",
                models.F("total").desc(),
                "ended_at_ms",
                "game_id",
                "hand",
                condition=models.Q(until_position__isnull=True, total__isnull=False),
                name="result_by_total",
            ),
            models.Index(fields=["player_id", "position"], name="result_of_player"),
            models.Index(fields=["club_id", "started_at_ms"], name="result_of_club"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.points} in hand {self.hand} of {self.game_id}"


def ratio(numerator: str, denominator: str) -> models.GeneratedField:
    """A figure that is one count over another; null where there is nothing to divide by."""
    return models.GeneratedField(
        expression=Cast(models.F(numerator), models.FloatField())
        / NullIf(Cast(models.F(denominator), models.FloatField()), models.Value(0.0)),
        output_field=models.FloatField(null=True),
        db_persist=True,
    )


def board_index(key: str) -> models.Index:
    """The index that a board sorted by `key` is read off, in either direction."""
    return models.Index(
        fields=["club_id", "season_id", "ruleset", key, "player_id"], name=f"standing_by_{key}"
    )


class Standing(models.Model):
    """A person's figures in a club: in one season or `ALL_TIME`, in one ruleset or all together.

    It exists while any result in force counts for it. What each figure means, and what it is
    divided by, is in `figures of the boards` of this package's README.

    `best_total` is the greatest worth of a winning hand, and `best_game_id`, `best_hand` where; of
    equals the first in order of play. `ladder_score`, `tier` (from 1) and `rung`, which sorts by
    both, are null where the club's ladder counts other points: those of a season, or all; so are
    `ladder_start` and `first_ended_at_ms`, those of the first result in order of play.
    """

    pk = models.CompositePrimaryKey("club_id", "season_id", "ruleset", "player_id")
    club_id = models.UUIDField()
    season_id = models.UUIDField()
    ruleset = models.TextField()
    player_id = models.UUIDField()
    games = models.IntegerField(default=0)
    hands = models.IntegerField(default=0)
    entries = models.IntegerField(default=0)
    points = models.BigIntegerField(default=0)
    gang_points = models.BigIntegerField(default=0)
    adjusted_points = models.BigIntegerField(default=0)
    wins = models.IntegerField(default=0)
    zimo_wins = models.IntegerField(default=0)
    win_total = models.BigIntegerField(default=0)
    deal_ins = models.IntegerField(default=0)
    gangs = models.IntegerField(default=0)
    best_total = models.BigIntegerField(null=True)
    best_game_id = models.UUIDField(null=True)
    best_hand = models.IntegerField(null=True)
    ladder_start = models.BigIntegerField(null=True)
    first_ended_at_ms = models.BigIntegerField(null=True)
    ladder_score = models.BigIntegerField(null=True)
    tier = models.SmallIntegerField(null=True)
    points_per_hand = ratio("points", "hands")
    win_rate = ratio("wins", "hands")
    zimo_rate = ratio("zimo_wins", "wins")
    deal_in_rate = ratio("deal_ins", "hands")
    average_win = ratio("win_total", "wins")
    rung = models.GeneratedField(
        expression=Cast(models.F("tier"), models.BigIntegerField()) * models.Value(SCORES)
        + models.F("ladder_score"),
        output_field=models.BigIntegerField(null=True),
        db_persist=True,
    )

    class Meta:
        db_table = "standing"
        indexes = [
            board_index("points"),
            board_index("points_per_hand"),
            board_index("win_rate"),
            board_index("zimo_rate"),
            board_index("deal_in_rate"),
            board_index("average_win"),
            board_index("best_total"),
            board_index("gangs"),
            board_index("rung"),
            board_index("hands"),
            board_index("games"),
            models.Index(fields=["player_id"], name="standing_by_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.points} points, tier {self.tier}"


class PlaceCount(models.Model):
    """How many players of a board have points that begin with `prefix`, at one level of a radix.

    With these a place is found in the same time among a thousand players and a million (`places`).
    """

    pk = models.CompositePrimaryKey("club_id", "season_id", "ruleset", "level", "prefix")
    club_id = models.UUIDField()
    season_id = models.UUIDField()
    ruleset = models.TextField()
    level = models.SmallIntegerField()
    prefix = models.BigIntegerField()
    players = models.IntegerField()

    class Meta:
        db_table = "place_count"
        indexes = [
            models.Index(
                fields=["club_id"], condition=models.Q(players=0), name="place_count_empty"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.players} players at {self.prefix}, level {self.level}"


class TierChange(models.Model):
    """A step up or down the ladder, and the result that caused it, in order of play.

    `position` and `revision` are that result's; `ladder_score` is the score it led to. The first
    step starts from the tier of the ladder's start.
    """

    pk = models.CompositePrimaryKey(
        "club_id", "season_id", "ruleset", "player_id", "ended_at_ms", "game_id", "hand", "entry"
    )
    club_id = models.UUIDField()
    season_id = models.UUIDField()
    ruleset = models.TextField()
    player_id = models.UUIDField()
    ended_at_ms = models.BigIntegerField()
    game_id = models.UUIDField()
    hand = models.IntegerField()
    entry = models.IntegerField()
    revision = models.SmallIntegerField()
    position = models.BigIntegerField()
    from_tier = models.SmallIntegerField()
    to_tier = models.SmallIntegerField()
    ladder_score = models.BigIntegerField()

    class Meta:
        db_table = "tier_change"
        indexes = [models.Index(fields=["player_id", "ended_at_ms"], name="tier_change_by_player")]

    def __str__(self) -> str:
        return f"{self.player_id}: tier {self.from_tier} to {self.to_tier}"
