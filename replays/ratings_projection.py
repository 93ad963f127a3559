"""Keeping the ratings of clubs that want them: games that changed are rated anew, with all later.

A rating depends on every rating before it, so a change in one game changes what the later games of
its club did. `advance_ratings` notes from which game on a club is due, takes back what the games
from there on did, and rates them in their order. It follows the results, in the transaction and
under the lock of whoever advances them; made anew from nothing it gives the same floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.db import connection
from django.db.models import Model

from replays.rating_models import RatedClub, RatedGame, Rating, RatingCursor
from replays.ratings import ALGORITHM, LIBRARY_VERSION, Match, Moment, RatedMatch, Skill, rate

MODELS: Final[tuple[type[Model], ...]] = (RatingCursor, RatedClub, RatedGame, Rating)
"""What is kept here, all of it made anew by `advance_ratings` from empty tables."""
BEFORE_ALL: Final[Moment] = (-(2**63), UUID(int=0))
GAMES_AT_ONCE: Final = 2_000
"""Games rated in one transaction, one or two seconds of work. Only where more are due at once can a
board be seen while it is made anew; it says so (`due`)."""


def advance_ratings(games: int = GAMES_AT_ONCE) -> int:
    """Look which clubs are rated, and by what; then `rate_due`."""
    _note_definitions()
    return rate_due(games)


def rate_due(games: int = GAMES_AT_ONCE) -> int:
    """Rate what is due, up to `games` games of one club; answer how many games it worked off.

    To be called in a transaction under the lock of the projections, once the results are up to
    date; 0 says that nothing is due.
    """
    _note_changed_games()
    club = RatedClub.objects.filter(due_from_game__isnull=False).order_by("club_id").first()
    if club is None:
        return 0
    assert club.due_from_ms is not None
    assert club.due_from_game is not None
    due: Moment = (club.due_from_ms, club.due_from_game)
    matches = matches_of(club.club_id, due, games + 1)
    _take_back(club.club_id, due)
    _rate(club.club_id, matches[:games])
    later = matches[games].moment if len(matches) > games else (None, None)
    club.due_from_ms, club.due_from_game = later
    club.save(update_fields=["due_from_ms", "due_from_game"])
    # A game that is due and was taken away leaves no match, and work was done all the same.
    return max(1, len(matches[:games]))


_FINGERPRINTS: Final = """
    SELECT c.id, md5(concat_ws('|', %s::text, %s::text,
      (SELECT string_agg(concat_ws(' ', p.player_id, p.person_id), ',' ORDER BY p.player_id)
         FROM counted_person p WHERE p.club_id = c.id)))
    FROM records_club c WHERE c.rated
"""


def _note_definitions() -> None:
    """Forget clubs that are not rated any more; let all be due where the definitions changed."""
    with connection.cursor() as cursor:
        cursor.execute(_FINGERPRINTS, [ALGORITHM, LIBRARY_VERSION])
        present: dict[UUID, str] = dict(cursor.fetchall())
    kept = dict(RatedClub.objects.values_list("club_id", "fingerprint"))
    for club_id in sorted(kept.keys() - present.keys()):
        for model in (RatedGame, Rating, RatedClub):
            model.objects.filter(club_id=club_id).delete()
    for club_id, fingerprint in sorted(present.items()):
        if kept.get(club_id) != fingerprint:
            due_from_ms, due_from_game = BEFORE_ALL
            RatedClub.objects.update_or_create(
                club_id=club_id,
                defaults={
                    "fingerprint": fingerprint,
                    "due_from_ms": due_from_ms,
                    "due_from_game": due_from_game,
                },
            )


# A game counts as changed when a result of it came into force or went out of it.
_NOTE_CHANGED: Final = """
    WITH upto AS (SELECT coalesce(max(position), 0) AS position FROM projection_cursor),
    changed AS (
      SELECT DISTINCT ON (club_id) club_id, started_at_ms, game_id
      FROM (SELECT club_id, started_at_ms, game_id FROM result WHERE position > %(after)s
            UNION ALL
            SELECT club_id, started_at_ms, game_id FROM result WHERE until_position > %(after)s
           ) AS moved
      WHERE club_id IN (SELECT club_id FROM rated_club)
      ORDER BY club_id, started_at_ms, game_id
    ), noted AS (
      UPDATE rated_club SET due_from_ms = changed.started_at_ms, due_from_game = changed.game_id
      FROM changed
      WHERE rated_club.club_id = changed.club_id
        AND (due_from_game IS NULL
             OR (changed.started_at_ms, changed.game_id) < (due_from_ms, due_from_game))
    )
    SELECT position FROM upto
"""


def _note_changed_games() -> None:
    cursor_row, _ = RatingCursor.objects.get_or_create(id=1)
    with connection.cursor() as cursor:
        cursor.execute(_NOTE_CHANGED, {"after": cursor_row.position})
        (upto,) = cursor.fetchone()
    if upto != cursor_row.position:
        cursor_row.position = upto
        cursor_row.save(update_fields=["position"])


_GAMES: Final = """
    SELECT DISTINCT started_at_ms, game_id FROM result
    WHERE club_id = %(club)s AND until_position IS NULL AND entry = 0
      AND started_at_ms >= %(from_ms)s
      AND (started_at_ms, game_id) >= (%(from_ms)s, %(from_game)s)
    ORDER BY started_at_ms, game_id LIMIT %(limit)s
"""
# A span of the index by club and start: joined to the games one by one, it took minutes.
_MATCHES: Final = """
    SELECT started_at_ms, game_id, person_id, sum(points)::bigint FROM result
    WHERE club_id = %(club)s AND until_position IS NULL
      AND started_at_ms BETWEEN %(from_ms)s AND %(to_ms)s
      AND (started_at_ms, game_id) >= (%(from_ms)s, %(from_game)s)
      AND (started_at_ms, game_id) <= (%(to_ms)s, %(to_game)s)
    GROUP BY 1, 2, 3 HAVING bool_or(entry = 0)
    ORDER BY 1, 2
"""


def matches_of(club_id: UUID, first: Moment, limit: int) -> list[Match]:
    """A club's games from `first` on as they stand, in their order, at most `limit`.

    In a match are those who sat in a hand that is in force, with all their points of the game.
    """
    facts: dict[str, Any] = {
        "club": club_id,
        "from_ms": first[0],
        "from_game": first[1],
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(_GAMES, facts)
        games: list[Moment] = cursor.fetchall()
        if not games:
            return []
        to_ms, to_game = games[-1]
        cursor.execute(_MATCHES, {**facts, "to_ms": to_ms, "to_game": to_game})
        return grouped(cursor.fetchall())


def grouped(rows: Sequence[tuple[int, UUID, UUID, int]]) -> list[Match]:
    """Matches from rows of (started_at_ms, game, person, points) that are in the order of games."""
    matches: dict[Moment, dict[UUID, int]] = {}
    for started_at_ms, game_id, person_id, points in rows:
        matches.setdefault((started_at_ms, game_id), {})[person_id] = points
    return [Match(*moment, points) for moment, points in matches.items()]


_TAKE_BACK: Final = """
    WITH taken AS (
      DELETE FROM rated_game
      WHERE club_id = %(club)s AND (started_at_ms, game_id) >= (%(from_ms)s, %(from_game)s)
      RETURNING person_id
    ), fewer AS (
      SELECT person_id, count(*) AS games FROM taken GROUP BY person_id
    ), forgotten AS (
      DELETE FROM rating USING fewer
      WHERE rating.club_id = %(club)s AND rating.person_id = fewer.person_id
        AND rating.games = fewer.games
    )
    UPDATE rating
    SET mu = last.mu_after, sigma = last.sigma_after, games = rating.games - fewer.games,
        ordinal = last.mu_after - 3 * last.sigma_after
    FROM fewer CROSS JOIN LATERAL (
      SELECT mu_after, sigma_after FROM rated_game g
      WHERE g.club_id = %(club)s AND g.person_id = fewer.person_id
        AND (started_at_ms, game_id) < (%(from_ms)s, %(from_game)s)
      ORDER BY started_at_ms DESC, game_id DESC LIMIT 1
    ) AS last
    WHERE rating.club_id = %(club)s AND rating.person_id = fewer.person_id
"""


def _take_back(club_id: UUID, first: Moment) -> None:
    """Let ratings be what they were before this game."""
    with connection.cursor() as cursor:
        cursor.execute(_TAKE_BACK, {"club": club_id, "from_ms": first[0], "from_game": first[1]})


def _rate(club_id: UUID, matches: Sequence[Match]) -> None:
    people = {person for match in matches for person in match.points}
    rows = Rating.objects.filter(club_id=club_id, person_id__in=people)
    games = {row.person_id: row.games for row in rows}
    skills = {row.person_id: Skill(row.mu, row.sigma) for row in rows}
    rated = list(rate(matches, skills))
    for each in rated:
        for outcome in each.outcomes:
            games[outcome.person_id] = games.get(outcome.person_id, 0) + 1
    RatedGame.objects.bulk_create(
        (row for each in rated for row in _rows_of(club_id, each)), batch_size=1_000
    )
    Rating.objects.bulk_create(
        [
            Rating(
                club_id=club_id,
                person_id=person,
                mu=skill.mu,
                sigma=skill.sigma,
                ordinal=skill.ordinal,
                games=games[person],
            )
            for person, skill in sorted(skills.items())
        ],
        update_conflicts=True,
        unique_fields=["club_id", "person_id"],
        update_fields=["mu", "sigma", "ordinal", "games"],
        batch_size=1_000,
    )


def _rows_of(club_id: UUID, rated: RatedMatch) -> list[RatedGame]:
    return [
        RatedGame(
            club_id=club_id,
            started_at_ms=rated.match.started_at_ms,
            game_id=rated.match.game_id,
            person_id=outcome.person_id,
            place=outcome.place,
            points=outcome.points,
            mu_before=outcome.before.mu,
            sigma_before=outcome.before.sigma,
            mu_after=outcome.after.mu,
            sigma_after=outcome.after.sigma,
            algorithm=ALGORITHM,
            library_version=LIBRARY_VERSION,
        )
        for outcome in rated.outcomes
    ]
