"""Reading what one player has: figures as they stand, hands, steps of the ladder, and the lag."""

from __future__ import annotations

from uuid import UUID

from django.db import connection

from replays.models import ALL_RULESETS, ALL_TIME, CountedPerson, Result, Standing, TierChange
from replays.places import players_above


def person_of_player(player_id: UUID) -> UUID:
    """Whom a player's results count for: the player, or whom the record was merged into."""
    merged = CountedPerson.objects.filter(player_id=player_id).first()
    return player_id if merged is None else merged.person_id


def place_of(standing: Standing) -> int:
    """A player's place by points on the board of this standing."""
    above = players_above(
        club_id=standing.club_id,
        season_id=standing.season_id,
        ruleset=standing.ruleset,
        points=[standing.points],
    )
    return 1 + above[standing.points]


def standings_of_player(player_id: UUID) -> list[Standing]:
    """A player's figures on every board: of all time first, all rulesets together first."""
    return list(Standing.objects.filter(player_id=player_id).order_by("season_id", "ruleset"))


def standing_of_player(
    player_id: UUID, ruleset: str = ALL_RULESETS, season_id: UUID = ALL_TIME
) -> Standing | None:
    """A player's figures on one board; None before the first settled hand."""
    found = Standing.objects.filter(player_id=player_id, season_id=season_id, ruleset=ruleset)
    return found.first()


def tier_changes_of_player(
    player_id: UUID, ruleset: str = ALL_RULESETS, limit: int = 20
) -> list[TierChange]:
    """A player's last steps on the ladder, the latest first in order of play."""
    changes = TierChange.objects.filter(player_id=player_id, ruleset=ruleset)
    return list(changes.order_by("-ended_at_ms", "-game_id", "-hand", "-entry")[:limit])


def results_of_player(
    player_id: UUID, *, before: int | None = None, limit: int = 50
) -> list[Result]:
    """A player's hands as they stand, latest first; `before` is a position to go on at."""
    results = Result.objects.filter(person_id=player_id, until_position=None, entry=0)
    if before is not None:
        results = results.filter(position__lt=before)
    return list(results.order_by("-position")[:limit])


def lag() -> int:
    """How many settlements the read side has not taken in yet."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce((SELECT position FROM settlement_cursor), 0)"
            " - coalesce((SELECT position FROM projection_cursor), 0)"
        )
        row = cursor.fetchone()
    return int(row[0])
