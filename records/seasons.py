"""Seasons: spans of days in a club's own time zone that a board can be kept for.

A game belongs to the season in which it began, whether or not anybody opened it in time; opening
says that it has begun, closing freezes it. Closing takes the lock that settling takes and writes
down how far the ledger had come. A hand settled for the first time after that, one still in flight
as well, does not count in the season; what a ruling does later to a hand that counts, does.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

import msgspec
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from records import settlement
from records.clubs import hold
from records.drain import wait_for_lock
from records.errors import RecordsError
from records.models import Club, Season, Settlement, SettlementCursor

State = Literal["planned", "open", "closed"]
FIRST_DAY: Final = date(1990, 1, 1)
LAST_DAY: Final = date(2199, 12, 31)


class SeasonDates(RecordsError):
    """Days that cannot be a season's."""

    code = "season_dates"

    def __init__(self, *, starts_on: date, ends_on: date) -> None:
        super().__init__(
            f"A season ends on the day it starts or later, between {FIRST_DAY} and {LAST_DAY}; "
            f"{starts_on} to {ends_on} is no such span.",
            starts_on=starts_on.isoformat(),
            ends_on=ends_on.isoformat(),
        )


class SeasonOverlaps(RecordsError):
    """A day of the season is another season's."""

    code = "season_overlaps"

    def __init__(self, other: Season) -> None:
        super().__init__(
            f"The season {other.name!r} has days of it: {other.starts_on} to {other.ends_on}.",
            season=str(other.pk),
            name=other.name,
            starts_on=other.starts_on.isoformat(),
            ends_on=other.ends_on.isoformat(),
        )


class SeasonNameTaken(RecordsError):
    """The club has a season of this name."""

    code = "season_name_taken"

    def __init__(self, name: str) -> None:
        super().__init__(f"The club has a season {name!r} already.", name=name)


class SeasonState(RecordsError):
    """What was asked cannot be done to a season in this state."""

    code = "season_state"

    def __init__(self, season: Season, *, expected: tuple[State, ...], hint: str) -> None:
        super().__init__(
            f"The season {season.name!r} is {state_of(season)}: {hint}.",
            expected=list(expected),
            actual=state_of(season),
        )


class SeasonNotBegun(RecordsError):
    """A season opens when its first day begins."""

    code = "season_not_begun"

    def __init__(self, season: Season, begins: datetime) -> None:
        super().__init__(
            f"The season {season.name!r} begins on {season.starts_on}: change its first day to "
            "open it earlier.",
            begins_at=begins.isoformat(),
        )


class SeasonHasGames(RecordsError):
    """A season in which something counted is not deleted."""

    code = "season_has_games"

    def __init__(self, season: Season) -> None:
        super().__init__(
            f"Games count in the season {season.name!r}: change its days, or leave it.",
            season=str(season.pk),
        )


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be changed of a season; what is not set stays. ``closes_after_h`` may be None."""

    name: str | msgspec.UnsetType = msgspec.UNSET
    starts_on: date | msgspec.UnsetType = msgspec.UNSET
    ends_on: date | msgspec.UnsetType = msgspec.UNSET
    closes_after_h: int | msgspec.UnsetType | None = msgspec.UNSET


def state_of(season: Season) -> State:
    """Planned until it is opened, then open until it is closed."""
    if season.closed_at is not None:
        return "closed"
    return "planned" if season.opened_at is None else "open"


def span_ms(season: Season, time_zone: str) -> tuple[int, int]:
    """When the season's days begin and when they are over, in milliseconds since 1970 UTC.

    The first moment belongs to it, the last one does not. A day begins at its first midnight where
    the clocks are put back over it, and where midnight is skipped at the moment it is skipped.
    """
    after = season.ends_on + timedelta(days=1)
    return _begin_ms(season.starts_on, time_zone), _begin_ms(after, time_zone)


def _begin_ms(day: date, time_zone: str) -> int:
    return int(datetime.combine(day, time.min, ZoneInfo(time_zone)).timestamp() * 1000)


def season_of(seasons: Iterable[Season], *, time_zone: str, started_at_ms: int) -> Season | None:
    """Which of a club's seasons a game that began at this moment belongs to."""
    for season in seasons:
        from_ms, before_ms = span_ms(season, time_zone)
        if from_ms <= started_at_ms < before_ms:
            return season
    return None


def season_at(club: Club, moment: datetime | None = None) -> Season | None:
    """The season that a moment (None: now) lies in, else the last that had begun by then."""
    at_ms = int((moment or timezone.now()).timestamp() * 1000)
    seasons = list(club.seasons.order_by("starts_on"))
    found = season_of(seasons, time_zone=club.time_zone, started_at_ms=at_ms)
    if found is not None:
        return found
    begun = [season for season in seasons if span_ms(season, club.time_zone)[0] <= at_ms]
    return begun[-1] if begun else None


def closes_at(season: Season, time_zone: str) -> datetime | None:
    """When the schedule closes the season, or None where it is closed by hand."""
    if season.closes_after_h is None:
        return None
    return _moment(span_ms(season, time_zone)[1]) + timedelta(hours=season.closes_after_h)


def create_season(
    *, club: Club, name: str, starts_on: date, ends_on: date, closes_after_h: int | None = 24
) -> Season:
    """Plan a season. Raises SeasonDates, SeasonOverlaps, SeasonNameTaken."""
    season = Season(
        club=club, name=name, starts_on=starts_on, ends_on=ends_on, closes_after_h=closes_after_h
    )
    with transaction.atomic():
        hold(club.pk)
        _check(season)
        season.save(force_insert=True)
    return season


def change_season(*, season: Season, change: Change) -> Season:
    """Change what is set in ``change``; of a closed season only the name.

    An open season that is moved to begin later is planned again. Raises SeasonState, and as
    ``create_season`` does.
    """
    changes = msgspec.structs.asdict(change).items()
    given = {name: value for name, value in changes if value is not msgspec.UNSET}
    with transaction.atomic():
        club = _hold(season)
        if given.keys() - {"name"}:
            _require(season, "planned", "open", hint="reopen it before you change its days")
        for name, value in given.items():
            setattr(season, name, value)
        _check(season)
        if _moment(span_ms(season, club.time_zone)[0]) > timezone.now():
            season.opened_at = None if season.closed_at is None else season.opened_at
        season.save()
    return season


def delete_season(season: Season) -> None:
    """Delete a season in which nothing counted. Raises SeasonHasGames."""
    with transaction.atomic():
        club = _hold(season)
        from_ms, before_ms = span_ms(season, club.time_zone)
        counted = Settlement.objects.filter(
            club_id=club.pk, started_at_ms__gte=from_ms, started_at_ms__lt=before_ms
        )
        if counted.exists():
            raise SeasonHasGames(season)
        season.delete()


def open_season(season: Season) -> Season:
    """Say that a planned season has begun. Raises SeasonState, SeasonNotBegun."""
    with transaction.atomic():
        club = _hold(season)
        _require(season, "planned", hint="it was opened before")
        begins = _moment(span_ms(season, club.time_zone)[0])
        if timezone.now() < begins:
            raise SeasonNotBegun(season, begins)
        _open(season)
    return season


def close_season(season: Season) -> Season:
    """Freeze an open season, early if one likes. Raises SeasonState."""
    with transaction.atomic():
        _hold(season)
        _require(season, "open", hint="only an open season can be closed")
        _close(season)
    return season


def reopen_season(season: Season) -> Season:
    """Let a closed season count again what was settled meanwhile, until it is closed by hand.

    Raises SeasonState.
    """
    with transaction.atomic():
        _hold(season)
        _require(season, "closed", hint="only a closed season can be reopened")
        season.closed_at = season.closed_position = None
        # The schedule would close it again within the minute.
        season.closes_after_h = None
        season.save()
    return season


def tend_seasons(now: datetime | None = None) -> int:
    """Open the seasons that have begun and close those that are over; say how many changed.

    Any number of processes may call it, as often as they like.
    """
    now = now or timezone.now()
    due = Season.objects.filter(
        Q(opened_at=None) | Q(closes_after_h__isnull=False),
        closed_at=None,
        # The day begins somewhere up to 14 hours before it does in UTC.
        starts_on__lte=(now + timedelta(days=1)).date(),
    )
    return sum(_tend(season, now) for season in due.order_by("starts_on", "id"))


def _tend(season: Season, now: datetime) -> bool:
    with transaction.atomic():
        club = hold(season.club_id)
        present = Season.objects.filter(pk=season.pk, closed_at=None).first()
        if present is None:
            return False
        changed = False
        if present.opened_at is None and now >= _moment(span_ms(present, club.time_zone)[0]):
            _open(present)
            changed = True
        ends = closes_at(present, club.time_zone)
        if present.opened_at is not None and ends is not None and now >= ends:
            _close(present)
            changed = True
        return changed


def _open(season: Season) -> None:
    season.opened_at = timezone.now()
    season.save(update_fields=["opened_at"])


def _close(season: Season) -> None:
    # Whoever settles now comes to an end first, so the position is that of whole batches
    # (test_closing_waits_for_the_hands_that_are_being_settled).
    wait_for_lock(settlement.LOCK)
    cursor = SettlementCursor.objects.filter(id=1).first()
    season.closed_position = 0 if cursor is None else cursor.position
    season.closed_at = timezone.now()
    season.save(update_fields=["closed_at", "closed_position"])


def _hold(season: Season) -> Club:
    """The season's club, held, and the season as it is now."""
    club = hold(season.club_id)
    season.refresh_from_db()
    return club


def _require(season: Season, *states: State, hint: str) -> None:
    if state_of(season) not in states:
        raise SeasonState(season, expected=states, hint=hint)


def _check(season: Season) -> None:
    """Raises SeasonDates, SeasonOverlaps, SeasonNameTaken. The caller holds the club."""
    if not FIRST_DAY <= season.starts_on <= season.ends_on <= LAST_DAY:
        raise SeasonDates(starts_on=season.starts_on, ends_on=season.ends_on)
    others = Season.objects.filter(club_id=season.club_id).exclude(pk=season.pk)
    if others.filter(name=season.name).exists():
        raise SeasonNameTaken(season.name)
    overlap = others.filter(starts_on__lte=season.ends_on, ends_on__gte=season.starts_on)
    if (other := overlap.order_by("starts_on").first()) is not None:
        raise SeasonOverlaps(other)


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, tz=UTC)
