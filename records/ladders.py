"""A club's ladder: what one may be, its versions, and which is in force.

A change is a new version beside the old ones, so that a board as it was known on some day can be
shown with the ladder of that day. The version in force is the last one. A version without tiers
says "the default ladder again".
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from records.clubs import hold
from records.errors import RecordsError
from records.models import Account, Club
from records.models import Ladder as LadderVersion
from rules_engine.ladders import DEFAULT_LADDER, Ladder, Tier

TIERS_MIN: Final = 2
TIERS_MAX: Final = 50
NAME_MAX: Final = 20
"""Characters in a tier's name."""
POINTS_MAX: Final = 1_000_000_000
"""Thresholds and the start lie between this below zero and this above, in units of the stake."""

DEFAULT_NAME: Final = ""
"""The name of a version that says "the default ladder again"."""


class InvalidLadder(RecordsError):
    """A ladder that nobody could climb. Names the tier, counted from 1, and what was expected."""

    code = "invalid_ladder"

    def __init__(
        self, message: str, *, tier: int | None, field: str, expected: object, actual: object
    ) -> None:
        super().__init__(message, tier=tier, field=field, expected=expected, actual=actual)


def number_tiers(tiers: Sequence[tuple[str, str, int | None]]) -> tuple[Tier, ...]:
    """Tiers numbered from 1, given from the lowest as name in Chinese, in English, threshold."""
    return tuple(Tier(number, *given) for number, given in enumerate(tiers, 1))


def check_ladder(ladder: Ladder) -> None:
    """Refuse a ladder that a club may not have. Raises InvalidLadder for the first thing wrong."""
    if not TIERS_MIN <= len(ladder.tiers) <= TIERS_MAX:
        raise InvalidLadder(
            f"A ladder has {TIERS_MIN} to {TIERS_MAX} tiers; this one has {len(ladder.tiers)}.",
            tier=None,
            field="tiers",
            expected={"from": TIERS_MIN, "to": TIERS_MAX},
            actual=len(ladder.tiers),
        )
    if ladder.start is None or abs(ladder.start) > POINTS_MAX:
        raise InvalidLadder(
            f"A ladder starts at a score from {-POINTS_MAX} to {POINTS_MAX}, not {ladder.start}.",
            tier=None,
            field="start",
            expected={"from": -POINTS_MAX, "to": POINTS_MAX},
            actual=ladder.start,
        )
    for language in ("zh", "en"):
        _check_names(ladder.tiers, language)
    _check_thresholds(ladder.tiers)


def _check_names(tiers: Sequence[Tier], language: str) -> None:
    numbers: dict[str, int] = {}
    for tier in tiers:
        name: str = getattr(tier, language)
        if not 1 <= len(name) <= NAME_MAX or name != name.strip() or not name.isprintable():
            raise InvalidLadder(
                f"Tier {tier.tier} needs a name ({language}) of 1 to {NAME_MAX} printable "
                "characters without spaces around it.",
                tier=tier.tier,
                field=language,
                expected={"min_length": 1, "max_length": NAME_MAX},
                actual=name,
            )
        other = numbers.setdefault(name.casefold(), tier.tier)
        if other != tier.tier:
            raise InvalidLadder(
                f"Tier {tier.tier} has the name {name!r} ({language}), which is that of tier "
                f"{other}: give each tier a name of its own.",
                tier=tier.tier,
                field=language,
                expected=f"a name that tier {other} does not have",
                actual=name,
            )


def _check_thresholds(tiers: Sequence[Tier]) -> None:
    lowest, *higher = tiers
    if lowest.from_points is not None:
        raise InvalidLadder(
            "Tier 1 is the lowest and has no threshold: everybody reaches it. Give null.",
            tier=1,
            field="from_points",
            expected=None,
            actual=lowest.from_points,
        )
    least = -POINTS_MAX
    for tier in higher:
        if tier.from_points is None or not least <= tier.from_points <= POINTS_MAX:
            raise InvalidLadder(
                f"Tier {tier.tier} begins at {tier.from_points} points; thresholds rise from tier "
                f"to tier, so it has to lie between {least} and {POINTS_MAX}.",
                tier=tier.tier,
                field="from_points",
                expected={"from": least, "to": POINTS_MAX},
                actual=tier.from_points,
            )
        least = tier.from_points + 1


def set_ladder(*, club: Club, name: str, ladder: Ladder, by: Account) -> LadderVersion:
    """Put a ladder in force as the next version; the one in force already is no new version.

    Raises InvalidLadder.
    """
    check_ladder(ladder)
    assert ladder.start is not None, "check_ladder refuses it"
    return _add_version(
        LadderVersion(
            club=club,
            name=name,
            tiers=[
                {"zh": tier.zh, "en": tier.en, "from_points": tier.from_points}
                for tier in ladder.tiers
            ],
            start=ladder.start,
            demotion=ladder.demotion,
            scope=ladder.scope,
            created_by=by,
        )
    )


def set_default_ladder(*, club: Club, by: Account) -> LadderVersion:
    """Go back to the default ladder, as a version of its own: the club's versions stay."""
    return _add_version(LadderVersion(club=club, name=DEFAULT_NAME, tiers=[], created_by=by))


def _add_version(new: LadderVersion) -> LadderVersion:
    with transaction.atomic():
        # Two changes at one moment get two numbers
        # (test_two_ladders_set_at_one_moment_are_two_versions).
        hold(new.club_id)
        last = version_in_force(new.club_id)
        if last is not None and _content(last) == _content(new):
            return last
        new.version = last.version + 1 if last is not None else 1
        new.save(force_insert=True)
    return new


def _content(version: LadderVersion) -> tuple[str, Ladder]:
    return version.name, ladder_from(version)


def ladder_from(version: LadderVersion | None) -> Ladder:
    """What a version says; the default ladder when there is none or it says so."""
    if version is None or not version.tiers:
        return DEFAULT_LADDER
    return Ladder(
        tiers=number_tiers([(row["zh"], row["en"], row["from_points"]) for row in version.tiers]),
        start=version.start,
        demotion=version.demotion,
        scope="season" if version.scope == LadderVersion.Scope.SEASON else "for_ever",
    )


def version_in_force(club_id: UUID, known_at: datetime | None = None) -> LadderVersion | None:
    """A club's last version, or the last one made by `known_at`; None: it never made one."""
    versions = LadderVersion.objects.filter(club_id=club_id)
    if known_at is not None:
        versions = versions.filter(created_at__lte=known_at)
    return versions.order_by("-version").first()


def ladder_of(club_id: UUID, known_at: datetime | None = None) -> Ladder:
    """The ladder a club's players climb, now or as it was at `known_at`: a value, never None.

    The default ladder has `start` None: the option `ladder_start` of the ruleset decides.
    """
    return ladder_from(version_in_force(club_id, known_at))
