"""Seasons: days in the club's time zone that never overlap, opened, closed and frozen."""

import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import pytest
from django.db import connections
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from records.clubs import TimeZoneFixed, UnknownTimeZone, change_club, create_club
from records.models import Account, Club, Season, SettlementCursor
from records.seasons import (
    Change,
    SeasonDates,
    SeasonHasGames,
    SeasonNameTaken,
    SeasonNotBegun,
    SeasonOverlaps,
    SeasonState,
    change_season,
    close_season,
    create_season,
    delete_season,
    open_season,
    reopen_season,
    season_of,
    span_ms,
    state_of,
    tend_seasons,
)
from tests.support.at_once import at_once, wait_until_blocked
from tests.support.databases import Database
from tests.support.settled import Books

numbers = itertools.count(1)
DAY = timedelta(days=1)


def a_season(starts_on: str, ends_on: str, **fields: Any) -> Season:
    """A season that is nowhere in a database."""
    return Season(
        name=f"{starts_on} {ends_on}",
        starts_on=date.fromisoformat(starts_on),
        ends_on=date.fromisoformat(ends_on),
        **fields,
    )


def at(text: str) -> int:
    """A time as milliseconds since 1970 UTC."""
    return int(datetime.fromisoformat(text).timestamp() * 1000)


@pytest.mark.parametrize(
    ("zone", "first", "last", "begins", "ends"),
    [
        ("UTC", "2026-01-01", "2026-03-31", "2026-01-01T00:00+00:00", "2026-04-01T00:00+00:00"),
        (
            "Asia/Shanghai",
            "2026-01-01",
            "2026-01-01",
            "2026-01-01T00:00+08:00",
            "2026-01-02T00:00+08:00",
        ),
        # Summer time begins in between: the season is an hour shorter than its days.
        (
            "Europe/Berlin",
            "2026-03-29",
            "2026-03-29",
            "2026-03-29T00:00+01:00",
            "2026-03-30T00:00+02:00",
        ),
        # The clocks skip midnight: the day begins at one o'clock.
        (
            "America/Havana",
            "2024-03-10",
            "2024-03-10",
            "2024-03-10T01:00-04:00",
            "2024-03-11T00:00-04:00",
        ),
        # The clocks are put back from one o'clock to midnight: the day begins at its first one.
        (
            "America/Havana",
            "2024-11-03",
            "2024-11-03",
            "2024-11-03T00:00-04:00",
            "2024-11-04T00:00-05:00",
        ),
        # A day that Samoa never had is no time at all.
        (
            "Pacific/Apia",
            "2011-12-30",
            "2011-12-30",
            "2011-12-31T00:00+14:00",
            "2011-12-31T00:00+14:00",
        ),
    ],
)
def test_the_days_of_a_season_are_those_of_the_clubs_clocks(
    zone: str, first: str, last: str, begins: str, ends: str
) -> None:
    assert span_ms(a_season(first, last), zone) == (at(begins), at(ends))


@given(
    st.sampled_from(sorted(available_timezones())),
    st.dates(date(1990, 1, 1), date(2100, 1, 1)),
    st.integers(0, 400),
)
def test_seasons_that_follow_each_other_leave_no_moment_out_in_any_time_zone(
    zone: str, first: date, days: int
) -> None:
    last = first + timedelta(days=days)
    season = Season(starts_on=first, ends_on=last)
    following = Season(starts_on=last + DAY, ends_on=last + DAY)
    begins, ends = span_ms(season, zone)
    assert span_ms(following, zone)[0] == ends
    clock = ZoneInfo(zone)
    assert datetime.fromtimestamp((begins - 1) / 1000, clock).date() < first
    assert datetime.fromtimestamp(begins / 1000, clock).date() >= first
    inside = [begins, ends - 1] if begins < ends else []
    for moment in inside:
        found = season_of([following, season], time_zone=zone, started_at_ms=moment)
        assert found is season
    assert season_of([season], time_zone=zone, started_at_ms=ends) is None


def a_club(time_zone: str = "Asia/Shanghai") -> Club:
    """A new club."""
    number = next(numbers)
    owner = Account.objects.create(username=f"owner-{number}")
    slug = f"season-club-{number}"
    return create_club(owner=owner, name=slug, slug=slug, time_zone=time_zone)


def planned(club: Club, starts_on: str, ends_on: str, **fields: Any) -> Season:
    """A season of the club."""
    return create_season(
        club=club,
        name=fields.pop("name", f"from {starts_on}"),
        starts_on=date.fromisoformat(starts_on),
        ends_on=date.fromisoformat(ends_on),
        **fields,
    )


pytestmark = pytest.mark.usefixtures("log")


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("2026-02-01", "2026-02-01"),
        ("2026-02-28", "2026-03-31"),
        ("2025-12-01", "2026-02-01"),
        ("2025-12-01", "2027-01-01"),
        ("2026-02-10", "2026-02-11"),
    ],
)
def test_a_season_with_a_day_of_another_is_refused_and_names_it(first: str, last: str) -> None:
    club = a_club()
    planned(club, "2026-02-01", "2026-02-28", name="Winter")
    with pytest.raises(SeasonOverlaps, match=r"'Winter'.*2026-02-01 to 2026-02-28"):
        planned(club, first, last)
    assert club.seasons.count() == 1


def test_seasons_may_touch_and_other_clubs_have_their_own() -> None:
    club = a_club()
    planned(club, "2026-02-01", "2026-02-28", name="Winter")
    planned(club, "2026-03-01", "2026-03-31")
    planned(club, "2026-01-31", "2026-01-31")
    planned(a_club(), "2026-02-01", "2026-02-28", name="Winter")
    assert club.seasons.count() == 3


@pytest.mark.parametrize(
    ("first", "last"),
    [("2026-02-02", "2026-02-01"), ("1989-12-31", "2026-01-01"), ("2026-01-01", "2200-01-01")],
)
def test_days_that_cannot_be_a_season_are_refused(first: str, last: str) -> None:
    with pytest.raises(SeasonDates, match=f"{first} to {last}"):
        planned(a_club(), first, last)


def test_a_name_is_one_season_of_a_club() -> None:
    club = a_club()
    planned(club, "2026-02-01", "2026-02-28", name="Winter")
    other = planned(club, "2027-02-01", "2027-02-28", name="Next winter")
    with pytest.raises(SeasonNameTaken):
        planned(club, "2028-02-01", "2028-02-28", name="Winter")
    with pytest.raises(SeasonNameTaken):
        change_season(season=other, change=Change(name="Winter"))


def test_two_seasons_made_at_once_do_not_overlap() -> None:
    for _ in range(3):
        club = a_club()
        calls = [
            lambda club=club, number=number: planned(
                club, "2026-02-01", f"2026-02-{10 + number}", name=f"Season {number}"
            )
            for number in range(4)
        ]
        outcomes = at_once(*calls)
        assert sum(isinstance(outcome, Season) for outcome in outcomes) == 1
        assert sum(isinstance(outcome, SeasonOverlaps) for outcome in outcomes) == 3
        assert club.seasons.count() == 1


def test_a_season_may_be_moved_within_its_own_days_and_not_onto_anothers() -> None:
    club = a_club()
    winter = planned(club, "2026-02-01", "2026-02-28")
    planned(club, "2026-03-01", "2026-03-31")
    change_season(season=winter, change=Change(starts_on=date(2026, 2, 10)))
    with pytest.raises(SeasonOverlaps):
        change_season(season=winter, change=Change(ends_on=date(2026, 3, 1)))
    winter.refresh_from_db()
    assert (winter.starts_on, winter.ends_on) == (date(2026, 2, 10), date(2026, 2, 28))


def test_a_season_is_opened_closed_and_reopened_in_that_order() -> None:
    season = planned(a_club(), "2026-02-01", "2026-02-28")
    for refused in (close_season, reopen_season):
        with pytest.raises(SeasonState, match="is planned"):
            refused(season)
    assert state_of(open_season(season)) == "open"
    for refused in (open_season, reopen_season):
        with pytest.raises(SeasonState, match="is open"):
            refused(season)
    assert state_of(close_season(season)) == "closed"
    for refused in (open_season, close_season):
        with pytest.raises(SeasonState, match="is closed"):
            refused(season)
    assert state_of(reopen_season(season)) == "open"
    assert state_of(close_season(season)) == "closed"


def test_a_season_is_not_opened_before_its_first_day() -> None:
    tomorrow = timezone.now().date() + 2 * DAY
    season = planned(a_club(), tomorrow.isoformat(), tomorrow.isoformat())
    with pytest.raises(SeasonNotBegun):
        open_season(season)


def test_a_season_moved_into_the_future_is_planned_again() -> None:
    season = open_season(planned(a_club(), "2026-02-01", "2026-02-28"))
    later = Change(starts_on=date(2100, 1, 1), ends_on=date(2100, 2, 1))
    assert state_of(change_season(season=season, change=later)) == "planned"


def test_of_a_closed_season_only_the_name_may_change() -> None:
    season = close_season(open_season(planned(a_club(), "2026-02-01", "2026-02-28")))
    with pytest.raises(SeasonState, match="reopen it"):
        change_season(season=season, change=Change(ends_on=date(2026, 2, 27)))
    with pytest.raises(SeasonState, match="reopen it"):
        change_season(season=season, change=Change(closes_after_h=None))
    assert change_season(season=season, change=Change(name="Old")).name == "Old"


def test_a_season_in_which_a_hand_counted_is_not_deleted_and_another_is() -> None:
    club = a_club()
    Books(club_id=club.pk).settle((0, 1, 5))
    # The books' games begin at 2023-11-14 22:13 UTC, which in Shanghai is the next day.
    day_before = planned(club, "2023-11-14", "2023-11-14")
    day = planned(club, "2023-11-15", "2023-11-15")
    delete_season(day_before)
    with pytest.raises(SeasonHasGames):
        delete_season(day)
    assert list(club.seasons.all()) == [day]


def test_a_closed_season_notes_how_far_the_ledger_had_come() -> None:
    last = Books().settle((0, 1, 5))
    season = close_season(open_season(planned(a_club(), "2026-02-01", "2026-02-28")))
    assert season.closed_position == last.position
    assert reopen_season(season).closed_position is None


@contextmanager
def settling(log: Database) -> Iterator[Any]:
    """A settler in the middle of its batch, on a connection of its own."""
    with log.connect() as connection:
        connection.execute(
            "SELECT pg_advisory_xact_lock(hashtext('paipu'), hashtext('settle_sealed'))"
        )
        yield connection
        connection.commit()


def test_closing_waits_for_the_hands_that_are_being_settled(log: Database) -> None:
    Books().settle((0, 1, 5))
    season = open_season(planned(a_club(), "2026-02-01", "2026-02-28"))
    before = SettlementCursor.objects.get().position

    def close() -> None:
        close_season(season)
        connections.close_all()

    closing = threading.Thread(target=close)
    with settling(log) as settler:
        closing.start()
        wait_until_blocked(log)
        settler.execute("UPDATE settlement_cursor SET position = position + 3")
    closing.join()
    assert Season.objects.get(pk=season.pk).closed_position == before + 3


def test_the_schedule_opens_a_season_as_its_first_day_begins_and_closes_it_in_time() -> None:
    season = planned(a_club("America/Havana"), "2024-03-10", "2024-03-12", closes_after_h=5)
    begins = datetime(2024, 3, 10, 5, tzinfo=UTC)
    ends = datetime(2024, 3, 13, 4, tzinfo=UTC)
    for moment, state in (
        (begins - timedelta(milliseconds=1), "planned"),
        (begins, "open"),
        (ends, "open"),
        (ends + timedelta(hours=5, milliseconds=-1), "open"),
        (ends + timedelta(hours=5), "closed"),
    ):
        tend_seasons(moment)
        season.refresh_from_db()
        assert state_of(season) == state, moment


def test_the_schedule_catches_up_with_a_season_that_came_and_went() -> None:
    season = planned(a_club(), "2024-03-10", "2024-03-12")
    assert tend_seasons() >= 1
    season.refresh_from_db()
    assert state_of(season) == "closed"
    assert tend_seasons() == 0


def test_the_schedule_leaves_to_people_what_was_reopened_or_is_closed_by_hand() -> None:
    club = a_club()
    by_hand = planned(club, "2024-03-10", "2024-03-12", closes_after_h=None)
    reopened = planned(club, "2024-04-10", "2024-04-12")
    tend_seasons()
    reopened.refresh_from_db()
    reopen_season(reopened)
    tend_seasons()
    assert {state_of(season) for season in club.seasons.all()} == {"open"}
    close_season(by_hand)


def test_many_schedulers_at_once_close_a_season_once() -> None:
    season = planned(a_club(), "2024-03-10", "2024-03-12")
    assert sorted(at_once(*[tend_seasons] * 4)) == [0, 0, 0, 1]
    season.refresh_from_db()
    assert state_of(season) == "closed"


def test_a_time_zone_moves_the_borders_of_seasons_until_one_is_closed() -> None:
    club = a_club("UTC")
    with pytest.raises(UnknownTimeZone):
        change_club(club=club, time_zone="Mars/Olympus")
    season = open_season(planned(club, "2026-02-01", "2026-02-28", name="Winter"))
    club = change_club(club=club, time_zone="Asia/Tokyo")
    assert club.time_zone == "Asia/Tokyo"
    close_season(season)
    with pytest.raises(TimeZoneFixed, match="Winter"):
        change_club(club=club, time_zone="UTC")
    assert change_club(club=club, time_zone="Asia/Tokyo", name="Same", rated=True).rated
    reopen_season(season)
    assert change_club(club=club, time_zone="UTC").time_zone == "UTC"
