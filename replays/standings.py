"""Reading standings: boards by points, a player's figures, and steps of the ladder."""

from __future__ import annotations

from uuid import UUID

import msgspec
from django.db import connection
from django.db.models import Q

from replays.models import ALL_RULESETS, ALL_TIME, Result, Standing, TierChange
from replays.places import players_above
from rules_engine.ladders import DEFAULT_LADDER, Tier

MAX_LIMIT = 500


class BoardCursor(msgspec.Struct, frozen=True):
    """Where a page of a board ended: its last row, that row's place, and the rows so far.

    Plain values, so that a caller can write it into a link. With them every page costs the same,
    however far down the board it is.
    """

    points: int
    player_id: UUID
    place: int
    rows: int


class BoardRow(msgspec.Struct, frozen=True):
    """A player on a board. Equals share a place, and the places behind them are left out."""

    place: int
    standing: Standing
    tier: Tier


class Board(msgspec.Struct, frozen=True):
    """One page of a board; `next` is None on the last."""

    rows: tuple[BoardRow, ...]
    next: BoardCursor | None


def leaderboard(
    *,
    club_id: UUID,
    ruleset: str = ALL_RULESETS,
    after: BoardCursor | None = None,
    limit: int = 50,
) -> Board:
    """The players of a club by points, highest first; `limit` rows a page."""
    if not 1 <= limit <= MAX_LIMIT:
        raise ValueError(f"limit is {limit}; it must lie between 1 and {MAX_LIMIT}")
    standings = Standing.objects.filter(club_id=club_id, season_id=ALL_TIME, ruleset=ruleset)
    if after is not None:
        same = Q(points=after.points, player_id__lt=after.player_id)
        standings = standings.filter(Q(points__lte=after.points), Q(points__lt=after.points) | same)
    found = list(standings.order_by("-points", "-player_id")[: limit + 1])
    rows: list[BoardRow] = []
    last = after
    for number, standing in enumerate(found[:limit], (after.rows if after else 0) + 1):
        place = last.place if last and last.points == standing.points else number
        rows.append(BoardRow(place, standing, tier_numbered(standing.tier)))
        last = BoardCursor(standing.points, standing.player_id, place, number)
    return Board(tuple(rows), last if len(found) > limit else None)


def place_of(standing: Standing) -> int:
    """A player's place on the board of this standing."""
    return 1 + players_above(
        club_id=standing.club_id,
        season_id=standing.season_id,
        ruleset=standing.ruleset,
        points=standing.points,
    )


def standings_of_player(player_id: UUID) -> list[Standing]:
    """A player's figures: under all rulesets together first, then ruleset by ruleset."""
    return list(
        Standing.objects.filter(player_id=player_id, season_id=ALL_TIME).order_by("ruleset")
    )


def standing_of_player(player_id: UUID, ruleset: str = ALL_RULESETS) -> Standing | None:
    """A player's figures under one ruleset or all together; None before the first settled hand."""
    return Standing.objects.filter(player_id=player_id, season_id=ALL_TIME, ruleset=ruleset).first()


def tier_changes_of_player(player_id: UUID, ruleset: str = ALL_RULESETS) -> list[TierChange]:
    """A player's steps on the ladder, the latest first."""
    changes = TierChange.objects.filter(player_id=player_id, season_id=ALL_TIME, ruleset=ruleset)
    return list(changes.order_by("-ended_at_ms", "-game_id", "-hand", "-entry"))


def results_of_player(
    player_id: UUID, *, before: int | None = None, limit: int = 50
) -> list[Result]:
    """A player's hands as they stand, latest first; `before` is a position to go on at."""
    results = Result.objects.filter(person_id=player_id, until_position=None, entry=0)
    if before is not None:
        results = results.filter(position__lt=before)
    return list(results.order_by("-position")[:limit])


def tier_numbered(tier: int) -> Tier:
    """The tier of the default ladder with this number, counted from 1."""
    return DEFAULT_LADDER.numbered(tier)


def lag() -> int:
    """How many settlements the read side has not taken in yet."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce((SELECT position FROM settlement_cursor), 0)"
            " - coalesce((SELECT position FROM projection_cursor), 0)"
        )
        row = cursor.fetchone()
    assert row is not None
    return int(row[0])
