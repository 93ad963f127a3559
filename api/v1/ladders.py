"""A club's ladder and its versions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import account_of, club_of
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
from api.v1.shapes import Name
from records.clubs import Right
from records.ladders import (
    ladder_from,
    number_tiers,
    set_default_ladder,
    set_ladder,
    version_in_force,
)
from records.models import Ladder as LadderVersion
from rules_engine.ladders import Ladder, Tier

Threshold = Annotated[
    int | None,
    msgspec.Meta(description="The least score that reaches the tier; null for the lowest alone."),
]
Start = Annotated[
    int | None,
    msgspec.Meta(description="The score a player begins with; null: what the ruleset's option is."),
]
Demotion = Annotated[
    bool, msgspec.Meta(description="Whether a tier is lost again when the score falls below it.")
]
Scope = Annotated[
    Literal["season", "for_ever"],
    msgspec.Meta(description="Whose points make the tier: those of a season, or all."),
]


class TierGiven(Struct, frozen=True):
    """A tier, as an owner writes it."""

    zh: str
    en: str
    from_points: Threshold


class LadderGiven(Struct, frozen=True):
    """A ladder, its tiers from the lowest: at least 2, with rising thresholds and unique names."""

    name: Name
    tiers: list[TierGiven]
    start: int = 0
    demotion: Demotion = True
    scope: Scope = "for_ever"

    def value(self) -> Ladder:
        """The ladder, its tiers numbered; not checked yet."""
        return Ladder(
            tiers=number_tiers([(tier.zh, tier.en, tier.from_points) for tier in self.tiers]),
            start=self.start,
            demotion=self.demotion,
            scope=self.scope,
        )


class LadderShown(Shown, frozen=True):
    """A ladder. ``version`` is null while the club has made none; ``default``: it is not its own.

    The default ladder has no name, and starts where the options of the ruleset say.
    """

    version: int | None
    default: bool
    name: str | None
    tiers: tuple[Tier, ...]
    start: Start
    demotion: Demotion
    scope: Scope
    created_at: datetime | None
    created_by: UUID | None


def ladder_shown(version: LadderVersion | None) -> LadderShown:
    """A version, or what is in force where there is none."""
    ladder = ladder_from(version)
    return LadderShown(
        version=version.version if version else None,
        default=version is None or not version.tiers,
        name=version.name or None if version else None,
        tiers=ladder.tiers,
        start=ladder.start,
        demotion=ladder.demotion,
        scope=ladder.scope,
        created_at=version.created_at if version else None,
        created_by=version.created_by_id if version else None,
    )


class ShowLadder(Operation):
    """The ladder that a club's players climb: its own, or the default one."""

    Output = LadderShown

    def get(self, request: Request, club_id: UUID) -> Response:
        """The one in force."""
        club = club_of(request, club_id, Right.SEE)
        return Response(ladder_shown(version_in_force(club.pk)))


class SetLadder(Operation):
    """Give a club a ladder of its own, as the next version. Owners only.

    Every tier and its history follow within seconds. Earlier versions stay, and boards as they were
    known on a day show the ladder of that day. Preview first who would move.
    """

    Input = LadderGiven
    Output = LadderShown
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "invalid_ladder")

    @idempotent
    def put(self, request: Request, club_id: UUID) -> Response:
        """Write the version, unless it is in force already."""
        club = club_of(request, club_id, Right.KEEP_CLUB)
        given = read_body(request, LadderGiven)
        version = set_ladder(
            club=club, name=given.name, ladder=given.value(), by=account_of(request)
        )
        return Response(ladder_shown(version))


class DropLadder(Operation):
    """Go back to the default ladder. Owners only.

    That is a version too, so that what was in force before can still be told.
    """

    Output = LadderShown
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied",)

    @idempotent
    def delete(self, request: Request, club_id: UUID) -> Response:
        """Write the version that says so, unless the default is in force already."""
        club = club_of(request, club_id, Right.KEEP_CLUB)
        return Response(ladder_shown(set_default_ladder(club=club, by=account_of(request))))


class ListLadders(Operation):
    """Every version of a club's ladder, the latest first."""

    Query = PageQuery

    class Output(Shown, frozen=True):
        """One page of versions."""

        items: list[LadderShown]
        next: Cursor | None

    def get(self, request: Request, club_id: UUID) -> Response:
        """One page of them."""
        query = read_query(request, PageQuery)
        club = club_of(request, club_id, Right.SEE)
        return Response(
            page(
                club.ladders.all(),
                order=("-version",),
                cursor=query.cursor,
                limit=query.limit,
                show=ladder_shown,
            )
        )
