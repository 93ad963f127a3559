"""A club's ladder, its versions, who would move on another, and a player's way on it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import account_of, club_of
from api.errors import Problem
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
from api.pagination import decode_cursor, encode_cursor, page
from api.scopes import Scope
from api.v1.games import RulesetName
from api.v1.periods import ClockQuery
from api.v1.players import player_of
from api.v1.shapes import Name, moment, names_of
from records.clubs import Right
from records.ladders import (
    check_ladder,
    ladder_from,
    number_tiers,
    set_default_ladder,
    set_ladder,
    version_in_force,
)
from records.models import Club, Season
from records.models import Ladder as LadderVersion
from replays.tiers_history import Mover, order_of, preview_ladder, tier_history
from rules_engine.ladders import Ladder, Rung, Tier

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
Whose = Annotated[
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
    scope: Whose = "for_ever"

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
    scope: Whose
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

    scope = Scope.CLUB_READ
    right = Right.SEE

    Output = LadderShown

    def get(self, request: Request, club_id: UUID) -> Response:
        """The one in force."""
        club = club_of(request, club_id)
        return Response(ladder_shown(version_in_force(club.pk)))


class SetLadder(Operation):
    """Give a club a ladder of its own, as the next version. Owners only.

    Every tier and its history follow within seconds. Earlier versions stay, and boards as they were
    known on a day show the ladder of that day. Preview first who would move.
    """

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_CLUB

    Input = LadderGiven
    Output = LadderShown
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "invalid_ladder")

    @idempotent
    def put(self, request: Request, club_id: UUID) -> Response:
        """Write the version, unless it is in force already."""
        club = club_of(request, club_id)
        given = read_body(request, LadderGiven)
        version = set_ladder(
            club=club, name=given.name, ladder=given.value(), by=account_of(request)
        )
        return Response(ladder_shown(version))


class DropLadder(Operation):
    """Go back to the default ladder. Owners only.

    That is a version too, so that what was in force before can still be told.
    """

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_CLUB

    Output = LadderShown
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied",)

    @idempotent
    def delete(self, request: Request, club_id: UUID) -> Response:
        """Write the version that says so, unless the default is in force already."""
        club = club_of(request, club_id)
        return Response(ladder_shown(set_default_ladder(club=club, by=account_of(request))))


class ListLadders(Operation):
    """Every version of a club's ladder, the latest first."""

    scope = Scope.CLUB_READ
    right = Right.SEE

    Query = PageQuery

    class Output(Shown, frozen=True):
        """One page of versions."""

        items: list[LadderShown]
        next: Cursor | None

    def get(self, request: Request, club_id: UUID) -> Response:
        """One page of them."""
        query = read_query(request, PageQuery)
        club = club_of(request, club_id)
        return page(club.ladders.all(), query, order=("-version",), show=ladder_shown)


class TierCount(Shown, frozen=True):
    """How many players stand on a tier."""

    tier: Tier
    players: int


class MoverShown(Shown, frozen=True):
    """A player whose tier would have another number; null: none of the points count there."""

    player: UUID
    name: str
    from_tier: Tier | None
    to_tier: Tier | None
    score_before: int | None
    score_after: int | None


class PreviewLadder(Operation):
    """Who would move on another ladder. Nothing is written. Owners only.

    Of everybody with a settled hand that counts: in the season that it is now, or the last, for a
    ladder climbed season by season.
    """

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_CLUB

    class Query(PageQuery, frozen=True):
        """A page of those who would move, and under which ruleset; without it, all together."""

        ruleset: RulesetName | None = None

    Input = LadderGiven

    class Output(Shown, frozen=True):
        """How many stand where before and after, and one page of who would move, highest first."""

        before: list[TierCount]
        after: list[TierCount]
        moving: int
        items: list[MoverShown]
        next: Cursor | None

    refusals = ("permission_denied", "invalid_ladder")

    def post(self, request: Request, club_id: UUID) -> Response:
        """One page of them."""
        query = read_query(request, PreviewLadder.Query)
        club = club_of(request, club_id)
        new = read_body(request, LadderGiven).value()
        check_ladder(new)
        preview = preview_ladder(club, new, ruleset=query.ruleset or "")
        after = None if query.cursor is None else _mover_cursor(query.cursor)
        later = [mover for mover in preview.movers if after is None or order_of(mover) > after]
        shown = later[: query.limit]
        names = names_of({mover.person_id for mover in shown})
        return Response(
            PreviewLadder.Output(
                before=_counts(preview.old, preview.players_before),
                after=_counts(new, preview.players_after),
                moving=len(preview.movers),
                items=[_mover_shown(mover, preview.old, new, names) for mover in shown],
                next=encode_cursor(order_of(shown[-1])) if len(later) > query.limit else None,
            )
        )


def _counts(ladder: Ladder, players: tuple[int, ...]) -> list[TierCount]:
    return [
        TierCount(tier=tier, players=count)
        for tier, count in zip(ladder.tiers, players, strict=True)
    ]


def _mover_shown(mover: Mover, old: Ladder, new: Ladder, names: dict[UUID, str]) -> MoverShown:
    return MoverShown(
        player=mover.person_id,
        name=names.get(mover.person_id, ""),
        from_tier=old.numbered(mover.before.tier) if mover.before else None,
        to_tier=new.numbered(mover.after.tier) if mover.after else None,
        score_before=mover.before.score if mover.before else None,
        score_after=mover.after.score if mover.after else None,
    )


def _mover_cursor(cursor: str) -> tuple[int, int, UUID]:
    """The order of the last who was shown. Raises Problem ``invalid_input``."""
    try:
        return msgspec.convert(decode_cursor(cursor, length=3), tuple[int, int, UUID])
    except msgspec.ValidationError as error:
        raise Problem("invalid_input", "This is not a cursor that a page before gave.") from error


class StepShown(Shown, frozen=True):
    """A step up or down the ladder, and what caused it: a hand, or with `entry` a ruling beside it.

    `entry` is the seq of the ruling's event; then `hand` is the hand it concerns, or null.
    """

    from_tier: Tier
    to_tier: Tier
    score: int
    game: UUID
    hand: int | None
    entry: int | None
    ended_at: datetime


class ShowTiers(Operation):
    """A player's way up and down the ladder, the latest step first.

    A player whose record was merged into another's is shown as that person.
    """

    scope = Scope.CLUB_READ
    right = Right.SEE

    class Query(ClockQuery, frozen=True):
        """Whose points count: those under a ruleset, or all; of a season where that is the scope.

        Without `season`, the one at `as_of` or now. The ladder is the one in force at `known_at`.
        """

        ruleset: RulesetName | None = None
        season: UUID | None = None

    class Output(Shown, frozen=True):
        """Where the player stands, null before the first result, and every step there."""

        scope: Whose
        season: UUID | None
        demotion: Demotion
        score: int | None
        tier: Tier | None
        steps: list[StepShown]

    def get(self, request: Request, player_id: UUID) -> Response:
        """Climb it."""
        query = read_query(request, ShowTiers.Query)
        player = player_of(request, player_id)
        history = tier_history(
            player.club,
            player.pk,
            season=_season_of(player.club, query.season),
            ruleset=query.ruleset or "",
            as_of=query.as_of,
            known_at=query.known_at,
        )
        rung: Rung | None = history.rung
        return Response(
            ShowTiers.Output(
                scope=history.ladder.scope,
                season=history.season.pk if history.season else None,
                demotion=history.ladder.demotion,
                score=rung.score if rung else None,
                tier=history.ladder.numbered(rung.tier) if rung else None,
                steps=[
                    StepShown(
                        from_tier=step.from_tier,
                        to_tier=step.to_tier,
                        score=step.score,
                        game=step.game_id,
                        hand=step.hand or None,
                        entry=step.entry or None,
                        ended_at=moment(step.ended_at_ms),
                    )
                    for step in reversed(history.steps)
                ],
            )
        )


def _season_of(club: Club, season_id: UUID | None) -> Season | None:
    """A season of the club's. Raises Problem ``invalid_input``."""
    if season_id is None:
        return None
    season = club.seasons.filter(pk=season_id).first()
    if season is None:
        raise Problem(
            "invalid_input", "The club has no such season.", facts={"season": str(season_id)}
        )
    return season
