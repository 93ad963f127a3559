"""What counts rest on besides the ledger: seasons, merged records, and the ladder of each club.

They may change at any time, and then what was counted with them is counted again. So the read side
keeps them as it last counted with them. One query tells which clubs' have changed since; of those
only what differs is counted again. A club is asked about before a hand of it is counted, and all
are from time to time.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final
from uuid import UUID

import msgspec
from django.db import connection

from records.ladders import ladder_of
from records.merges import person_of
from records.models import Club, Season
from records.seasons import span_ms
from replays.counting import climb_again, count_persons_again, count_seasons_again
from replays.models import ALL_TIME, CountedClub, CountedPerson, CountedSeason

FOREVER_MS: Final = 2**62

_CHANGED: Final = """
    SELECT club_id, coalesce(present.fingerprint, '')
    FROM (SELECT unnest(%(clubs)s::uuid[]) AS club_id
          UNION SELECT club_id FROM counted_club WHERE %(clubs)s::uuid[] IS NULL) AS wanted
    LEFT JOIN counted_club kept USING (club_id)
    LEFT JOIN LATERAL (
      SELECT md5(concat_ws('|', c.time_zone,
        (SELECT string_agg(concat_ws(' ', s.id, s.starts_on, s.ends_on, s.closed_position), ','
                           ORDER BY s.id)
           FROM records_season s WHERE s.club_id = c.id),
        (SELECT string_agg(concat_ws(' ', m.absorbed_id, m.into_id), ',' ORDER BY m.absorbed_id)
           FROM records_merge m WHERE m.club_id = c.id AND m.undone_at IS NULL),
        (SELECT max(l.version) FROM records_ladder l WHERE l.club_id = c.id))) AS fingerprint
      FROM records_club c WHERE c.id = wanted.club_id
    ) AS present ON true
    WHERE coalesce(present.fingerprint, '') IS DISTINCT FROM kept.fingerprint
    ORDER BY club_id
"""


class Span(msgspec.Struct, frozen=True):
    """When a season's games begin, and the settlement after which new hands count no more."""

    from_ms: int
    before_ms: int
    closed_position: int | None


class Climb(msgspec.Struct, frozen=True):
    """A ladder as the database climbs it; see `models.CountedClub`."""

    ladder_start: int | None
    thresholds: tuple[int, ...]
    demotion: bool
    scope: str


class Definitions(msgspec.Struct, frozen=True):
    """What a club's counts rest on."""

    seasons: Mapping[UUID, Span]
    persons: Mapping[UUID, UUID]
    climb: Climb | None


def present_definitions(club_id: UUID) -> Definitions:
    """Those that hold now."""
    club = Club.objects.filter(id=club_id).first()
    seasons = {ALL_TIME: Span(-FOREVER_MS, FOREVER_MS, None)}
    for season in Season.objects.filter(club_id=club_id):
        assert club is not None, "a season has a club"
        seasons[season.pk] = Span(*span_ms(season, club.time_zone), season.closed_position)
    ladder = ladder_of(club_id)
    return Definitions(
        seasons,
        person_of(club_id),
        Climb(
            ladder.start,
            tuple(tier.from_points for tier in ladder.tiers if tier.from_points is not None),
            ladder.demotion,
            ladder.scope,
        ),
    )


def kept_definitions(club_id: UUID) -> Definitions:
    """Those that its counts were made with."""
    club = CountedClub.objects.filter(club_id=club_id).first()
    return Definitions(
        {
            row.season_id: Span(row.from_ms, row.before_ms, row.closed_position)
            for row in CountedSeason.objects.filter(club_id=club_id)
        },
        dict(CountedPerson.objects.filter(club_id=club_id).values_list("player_id", "person_id")),
        None
        if club is None
        else Climb(club.ladder_start, tuple(club.thresholds), club.demotion, club.scope),
    )


def freshen(clubs: Collection[UUID] | None) -> int:
    """Let the counts of these clubs rest on the definitions that hold now; how many did not.

    None: of all clubs that have any. That takes some time where clubs are many.
    """
    with connection.cursor() as cursor:
        cursor.execute(_CHANGED, {"clubs": None if clubs is None else list(clubs)})
        changed: list[tuple[UUID, str]] = cursor.fetchall()
    for club_id, fingerprint in changed:
        before, now = kept_definitions(club_id), present_definitions(club_id)
        _keep(club_id, fingerprint, before, now)
        _count_again(club_id, before, now)
    return len(changed)


def persons_among(clubs: set[UUID]) -> dict[UUID, UUID]:
    """Who counts for another in these clubs, as the counts have it."""
    rows = CountedPerson.objects.filter(club_id__in=clubs)
    return dict(rows.values_list("player_id", "person_id"))


def _keep(club_id: UUID, fingerprint: str, before: Definitions, now: Definitions) -> None:
    assert now.climb is not None, "every club has a ladder"
    CountedClub.objects.update_or_create(
        club_id=club_id,
        defaults={
            "fingerprint": fingerprint,
            **msgspec.structs.asdict(now.climb),
            "thresholds": list(now.climb.thresholds),
        },
    )
    if now.seasons != before.seasons:
        CountedSeason.objects.filter(club_id=club_id).delete()
        CountedSeason.objects.bulk_create(
            CountedSeason(club_id=club_id, season_id=season, **msgspec.structs.asdict(span))
            for season, span in now.seasons.items()
        )
    if now.persons != before.persons:
        CountedPerson.objects.filter(club_id=club_id).delete()
        CountedPerson.objects.bulk_create(
            CountedPerson(club_id=club_id, player_id=player, person_id=person)
            for player, person in now.persons.items()
        )


def _count_again(club_id: UUID, before: Definitions, now: Definitions) -> None:
    """Count anew what differs. A club that was never counted has no results yet."""
    if before.climb is None:
        return
    moved = {
        player
        for player in before.persons.keys() | now.persons.keys()
        if before.persons.get(player, player) != now.persons.get(player, player)
    }
    if moved:
        _move_results(moved, now.persons)
        persons = {before.persons.get(player, player) for player in moved}
        persons |= {now.persons.get(player, player) for player in moved}
        count_persons_again(club_id, sorted(persons))
    seasons = [
        season
        for season in before.seasons.keys() | now.seasons.keys()
        if before.seasons.get(season) != now.seasons.get(season)
    ]
    if seasons:
        count_seasons_again(club_id, sorted(seasons))
    if before.climb != now.climb:
        climb_again(club_id)


def _move_results(players: set[UUID], persons: Mapping[UUID, UUID]) -> None:
    """Let all results of these players, also those of the past, be those of their persons."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE result r SET person_id = k.person_id"
            " FROM unnest(%s::uuid[], %s::uuid[]) AS k(player_id, person_id)"
            " WHERE r.player_id = k.player_id",
            [list(players), [persons.get(player, player) for player in players]],
        )
