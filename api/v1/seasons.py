"""The seasons of a club."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import club_of, of_a_club
from api.idempotency import idempotent
from api.operation import (
    IDEMPOTENCY_KEY,
    Cursor,
    Operation,
    PageQuery,
    Shown,
    Struct,
    read_body,
    read_query,
)
from api.pagination import page
from api.scopes import Scope
from api.v1.shapes import Name, moment
from records import seasons
from records.clubs import Right
from records.models import Season

ClosesAfter = Annotated[
    int,
    msgspec.Meta(
        ge=0,
        le=24 * 90,
        description="Hours after the last day when it is closed by itself; null: only by hand.",
    ),
]


class SeasonShown(Shown, frozen=True):
    """A season: its days in the club's time zone, both included, and the moments they stand for.

    A game belongs to the season if it began at `begins_at` or later and before `ends_at`. A closed
    season changes by rulings only.
    """

    id: UUID
    club: UUID
    name: str
    starts_on: date
    ends_on: date
    begins_at: datetime
    ends_at: datetime
    state: Literal["planned", "open", "closed"]
    closes_after_h: int | None
    closes_at: datetime | None
    opened_at: datetime | None
    closed_at: datetime | None


def season_shown(season: Season, time_zone: str) -> SeasonShown:
    """A season of a club with this time zone."""
    from_ms, before_ms = seasons.span_ms(season, time_zone)
    return SeasonShown(
        id=season.id,
        club=season.club_id,
        name=season.name,
        starts_on=season.starts_on,
        ends_on=season.ends_on,
        begins_at=moment(from_ms),
        ends_at=moment(before_ms),
        state=seasons.state_of(season),
        closes_after_h=season.closes_after_h,
        closes_at=None if season.closed_at else seasons.closes_at(season, time_zone),
        opened_at=season.opened_at,
        closed_at=season.closed_at,
    )


class ListSeasons(Operation):
    """The seasons of a club, the latest first."""

    scope = Scope.CLUB_READ
    right = Right.SEE

    Query = PageQuery

    class Output(Shown, frozen=True):
        """One page of seasons."""

        items: list[SeasonShown]
        next: Cursor | None

    def get(self, request: Request, club_id: UUID) -> Response:
        """One page of them."""
        query = read_query(request, PageQuery)
        club = club_of(request, club_id)
        return page(
            club.seasons.all(),
            query,
            order=("-starts_on", "id"),
            show=lambda season: season_shown(season, club.time_zone),
        )


class CreateSeason(Operation):
    """Plan a season.

    Its days are the club's own and no other season's. It opens by itself when the first day begins.
    """

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_CLUB

    class Input(Struct, frozen=True):
        """The new season."""

        name: Name
        starts_on: date
        ends_on: date
        closes_after_h: ClosesAfter | None = 24

    Output = SeasonShown
    status = 201
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "season_dates", "season_overlaps", "season_name_taken")

    @idempotent
    def post(self, request: Request, club_id: UUID) -> Response:
        """Write the season."""
        club = club_of(request, club_id)
        given = read_body(request, CreateSeason.Input)
        season = seasons.create_season(
            club=club,
            name=given.name,
            starts_on=given.starts_on,
            ends_on=given.ends_on,
            closes_after_h=given.closes_after_h,
        )
        return Response(season_shown(season, club.time_zone), status=self.status)


class ShowSeason(Operation):
    """A season."""

    scope = Scope.CLUB_READ
    right = Right.SEE

    Output = SeasonShown

    def get(self, request: Request, season_id: UUID) -> Response:
        """The season."""
        season, member = of_a_club(request, Season.objects.all(), season_id)
        return Response(season_shown(season, member.club.time_zone))


class ChangeSeason(Operation):
    """Change a season; of a closed one only the name.

    Boards follow: what the new days leave out counts in it no more.
    """

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_CLUB

    class Input(Struct, frozen=True):
        """What is to change; what is left out stays."""

        name: Name | msgspec.UnsetType = msgspec.UNSET
        starts_on: date | msgspec.UnsetType = msgspec.UNSET
        ends_on: date | msgspec.UnsetType = msgspec.UNSET
        closes_after_h: ClosesAfter | msgspec.UnsetType | None = msgspec.UNSET

    Output = SeasonShown
    reads = (IDEMPOTENCY_KEY,)
    refusals = (
        "permission_denied",
        "season_dates",
        "season_overlaps",
        "season_name_taken",
        "season_state",
    )

    @idempotent
    def patch(self, request: Request, season_id: UUID) -> Response:
        """Write the change."""
        season, member = of_a_club(request, Season.objects.all(), season_id)
        given = read_body(request, ChangeSeason.Input)
        change = seasons.Change(**msgspec.structs.asdict(given))
        changed = seasons.change_season(season=season, change=change)
        return Response(season_shown(changed, member.club.time_zone))


class DeleteSeason(Operation):
    """Delete a season in which no hand counted."""

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_CLUB

    status = 204
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "season_has_games")

    @idempotent
    def delete(self, request: Request, season_id: UUID) -> Response:
        """Delete it."""
        season, _ = of_a_club(request, Season.objects.all(), season_id)
        seasons.delete_season(season)
        return Response(status=self.status)


def _step(request: Request, season_id: UUID, step: Callable[[Season], Season]) -> Response:
    """Move a season from one state to the next."""
    season, member = of_a_club(request, Season.objects.all(), season_id)
    return Response(season_shown(step(season), member.club.time_zone))


class OpenSeason(Operation):
    """Say that a season has begun, where nobody waits for the schedule to say it."""

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_CLUB

    Output = SeasonShown
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "season_state", "season_not_begun")

    @idempotent
    def post(self, request: Request, season_id: UUID) -> Response:
        """Open it."""
        return _step(request, season_id, seasons.open_season)


class CloseSeason(Operation):
    """Freeze an open season.

    A hand that is not settled by now counts in it no more; what a ruling changes later in a hand
    that counts, does.
    """

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_CLUB

    Output = SeasonShown
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "season_state")

    @idempotent
    def post(self, request: Request, season_id: UUID) -> Response:
        """Close it."""
        return _step(request, season_id, seasons.close_season)


class ReopenSeason(Operation):
    """Let a closed season count again what was settled meanwhile, until it is closed by hand."""

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_CLUB

    Output = SeasonShown
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "season_state")

    @idempotent
    def post(self, request: Request, season_id: UUID) -> Response:
        """Reopen it."""
        return _step(request, season_id, seasons.reopen_season)
