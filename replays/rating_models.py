"""The tables of the ratings. `ratings_projection` fills them from the results."""

from django.db import models


class RatingCursor(models.Model):
    """How far the results have been looked through for games to rate: a settlement's position."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    position = models.BigIntegerField(default=0)

    class Meta:
        db_table = "rating_cursor"
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="one_rating_cursor")]

    def __str__(self) -> str:
        return f"games looked at up to settlement {self.position}"


class RatedClub(models.Model):
    """A club that keeps ratings, and from which of its games on they are due to be made anew.

    `due_from_ms` and `due_from_game` are null when every game is rated. `fingerprint` is of what
    the ratings rest on beside the games: the algorithm, the library's version, who counts for whom.
    """

    club_id = models.UUIDField(primary_key=True)
    fingerprint = models.TextField()
    due_from_ms = models.BigIntegerField(null=True)
    due_from_game = models.UUIDField(null=True)

    class Meta:
        db_table = "rated_club"

    def __str__(self) -> str:
        return f"ratings of {self.club_id}"


class RatedGame(models.Model):
    """What one game did to one person's rating. Place 1 had the most points in the game."""

    pk = models.CompositePrimaryKey("club_id", "started_at_ms", "game_id", "person_id")
    club_id = models.UUIDField()
    started_at_ms = models.BigIntegerField()
    game_id = models.UUIDField()
    person_id = models.UUIDField()
    place = models.SmallIntegerField()
    points = models.BigIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu_after = models.FloatField()
    sigma_after = models.FloatField()
    algorithm = models.TextField()
    library_version = models.TextField()

    class Meta:
        db_table = "rated_game"
        indexes = [
            models.Index(
                fields=["club_id", "person_id", "started_at_ms", "game_id"],
                name="rated_game_of_person",
            )
        ]

    def __str__(self) -> str:
        return f"{self.person_id}: place {self.place} in {self.game_id}"


class Rating(models.Model):
    """A person's rating in a club after `games` rated games; `ordinal` is mu - 3 sigma."""

    pk = models.CompositePrimaryKey("club_id", "person_id")
    club_id = models.UUIDField()
    person_id = models.UUIDField()
    mu = models.FloatField()
    sigma = models.FloatField()
    ordinal = models.FloatField()
    games = models.IntegerField()

    class Meta:
        db_table = "rating"
        indexes = [
            models.Index(
                "club_id", models.F("ordinal").desc(), "person_id", name="rating_by_ordinal"
            )
        ]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.ordinal:.2f}"
