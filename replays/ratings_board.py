"""Reading ratings: a club's board, and what each game did to a player's rating.

As they stand they are read from the tables; as they stood at a moment, or as they were known then,
every game is rated anew, which costs time in proportion to the club's games.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from django.db import connection
from django.db.models import Q

from records.merges import person_of
from records.models import Club
from replays.rating_models import RatedClub, RatedGame, Rating
from replays.ratings import ALGORITHM, LIBRARY_VERSION, RatedMatch, Skill, rate
from replays.ratings_projection import grouped
from replays.selections import COUNTS, select

PROVISIONAL_GAMES: Final = 10
"""A rating of fewer games says little yet."""


class RatingCursor(msgspec.Struct, frozen=True):
    """Where a page of the board ended: its last row, that row's place, and the rows so far."""

    ordinal: float
    person_id: UUID
    place: int
    rows: int


class RatingRow(msgspec.Struct, frozen=True, kw_only=True):
    """A person on the board. Equals share a place, and the places behind them are left out."""

    place: int
    person_id: UUID
    skill: Skill
    games: int

    @property
    def provisional(self) -> bool:
        """Whether the rating rests on few games."""
        return self.games < PROVISIONAL_GAMES


class RatingBoard(msgspec.Struct, frozen=True):
    """One page; `next` is None on the last. While `due`, some games are still to be rated anew."""

    rows: tuple[RatingRow, ...]
    next: RatingCursor | None
    due: bool


class GameRating(msgspec.Struct, frozen=True, kw_only=True):
    """What a game did to a person's rating; by which algorithm and library."""

    game_id: UUID
    started_at_ms: int
    place: int
    points: int
    before: Skill
    after: Skill
    algorithm: str
    library_version: str


def board(
    club: Club,
    *,
    min_games: int = 0,
    after: RatingCursor | None = None,
    limit: int = 50,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> RatingBoard:
    """A club's people by ordinal, the highest first, of those with at least `min_games` games."""
    if as_of is None and known_at is None:
        due = RatedClub.objects.filter(club_id=club.pk, due_from_game=None)
        found = _present(club.pk, min_games, after, limit + 1)
        return _page(found, after, limit, due=not due.exists())
    people: dict[UUID, Skill] = {}
    games: dict[UUID, int] = {}
    for match in _rated(club, people, as_of, known_at):
        for outcome in match.outcomes:
            games[outcome.person_id] = games.get(outcome.person_id, 0) + 1
    ordered = sorted(
        (-skill.ordinal, person) for person, skill in people.items() if games[person] >= min_games
    )
    if after is not None:
        ordered = [key for key in ordered if key > (-after.ordinal, after.person_id)]
    page = [(person, people[person], games[person]) for _, person in ordered[: limit + 1]]
    return _page(page, after, limit, due=False)


def history(
    club: Club,
    player_id: UUID,
    *,
    before: tuple[int, UUID] | None = None,
    limit: int = 50,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> list[GameRating]:
    """A person's rated games, the latest first; `before` is the start and id of a game."""
    person = person_of(club.pk, known_at).get(player_id, player_id)
    if as_of is None and known_at is None:
        rows = RatedGame.objects.filter(club_id=club.pk, person_id=person)
        if before is not None:
            same = Q(started_at_ms=before[0], game_id__lt=before[1])
            rows = rows.filter(Q(started_at_ms__lt=before[0]) | same)
        return [_game_rating(row) for row in rows.order_by("-started_at_ms", "-game_id")[:limit]]
    games = [
        GameRating(
            game_id=rated.match.game_id,
            started_at_ms=rated.match.started_at_ms,
            place=outcome.place,
            points=outcome.points,
            before=outcome.before,
            after=outcome.after,
            algorithm=ALGORITHM,
            library_version=LIBRARY_VERSION,
        )
        for rated in _rated(club, {}, as_of, known_at)
        for outcome in rated.outcomes
        if outcome.person_id == person and (before is None or rated.match.moment < before)
    ]
    return games[::-1][:limit]


def _game_rating(row: RatedGame) -> GameRating:
    return GameRating(
        game_id=row.game_id,
        started_at_ms=row.started_at_ms,
        place=row.place,
        points=row.points,
        before=Skill(row.mu_before, row.sigma_before),
        after=Skill(row.mu_after, row.sigma_after),
        algorithm=row.algorithm,
        library_version=row.library_version,
    )


def _present(
    club_id: UUID, min_games: int, after: RatingCursor | None, limit: int
) -> list[tuple[UUID, Skill, int]]:
    rows = Rating.objects.filter(club_id=club_id, games__gte=min_games)
    if after is not None:
        same = Q(ordinal=after.ordinal, person_id__gt=after.person_id)
        rows = rows.filter(Q(ordinal__lte=after.ordinal), Q(ordinal__lt=after.ordinal) | same)
    return [
        (row.person_id, Skill(row.mu, row.sigma), row.games)
        for row in rows.order_by("-ordinal", "person_id")[:limit]
    ]


def _page(
    found: list[tuple[UUID, Skill, int]], after: RatingCursor | None, limit: int, *, due: bool
) -> RatingBoard:
    rows: list[RatingRow] = []
    last = after
    for number, (person, skill, games) in enumerate(
        found[:limit], (after.rows if after else 0) + 1
    ):
        place = last.place if last and last.ordinal == skill.ordinal else number
        rows.append(RatingRow(place=place, person_id=person, skill=skill, games=games))
        last = RatingCursor(skill.ordinal, person, place, number)
    return RatingBoard(tuple(rows), last if len(found) > limit else None, due)


_PLAYED: Final = f"""
    SELECT r.started_at_ms, r.game_id, r.player_id, sum(r.points)::bigint, bool_or(r.entry = 0)
    FROM result r WHERE r.club_id = %(club)s AND {COUNTS}
    GROUP BY 1, 2, 3 ORDER BY 1, 2
"""  # noqa: S608 - fragments of our own


def _rated(
    club: Club, people: dict[UUID, Skill], as_of: datetime | None, known_at: datetime | None
) -> list[RatedMatch]:
    """Every match of a club as it was at a moment, rated; `people` is filled with the outcome."""
    selection = select(club, as_of=as_of, known_at=known_at)
    sums: dict[tuple[int, UUID, UUID], int] = {}
    seated: set[tuple[int, UUID, UUID]] = set()
    with connection.cursor() as cursor:
        cursor.execute(_PLAYED, selection.parameters)
        for started_at_ms, game_id, player, points, sat in cursor.fetchall():
            key = (started_at_ms, game_id, selection.persons.get(player, player))
            sums[key] = sums.get(key, 0) + points
            if sat:
                seated.add(key)
    played = [(*key, points) for key, points in sums.items() if key in seated]
    return list(rate(grouped(played), people))
