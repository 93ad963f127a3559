"""The figures of a player's page, and who does how against whom.

All are counted from the results in force in a `Selection` and from the ledger's payments; what each
means and what it is divided by is in README.md, "figures of a player".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connection

from replays.selections import COUNTS, Selection

CURVE_POINTS: Final = 200
BIGGEST: Final = 10
PLACES: Final = 4


class CurvePoint(msgspec.Struct, frozen=True, kw_only=True):
    """The points after a game: that of the game itself, and all up to it."""

    game_id: UUID
    ended_at_ms: int
    points: int
    total: int


class GameResult(msgspec.Struct, frozen=True, kw_only=True):
    """A game of a player: the points made in it, and the place among all who played a hand."""

    game_id: UUID
    ended_at_ms: int
    hands: int
    points: int
    place: int


class HandResult(msgspec.Struct, frozen=True, kw_only=True):
    """A hand of a player, as far as streaks look at it."""

    won: bool
    dealt_in: bool


class Streaks(msgspec.Struct, frozen=True, kw_only=True):
    """The longest rows and the present ones, in hands and in games."""

    hands_won: int
    hands_won_now: int
    games_won: int
    games_won_now: int
    hands_without_deal_in: int
    hands_without_deal_in_now: int


class ItemFigures(msgspec.Struct, frozen=True, kw_only=True):
    """An item in a player's winning hands.

    ``times`` in how many, ``share`` of the wins under that ruleset, ``average_points`` what the
    item added, ``average_total`` what those hands were worth.
    """

    ruleset: str
    item: str
    times: int
    share: float
    average_points: float
    average_total: float


class BigHand(msgspec.Struct, frozen=True, kw_only=True):
    """A winning hand, its worth and where it was played."""

    game_id: UUID
    hand: int
    ruleset: str
    ended_at_ms: int
    total: int


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """One person beside another, over what they played together.

    ``net`` is what `one` received from `other` less what it paid. ``ahead``, ``level``: in how many
    of the games `one` had more points, or as many.
    """

    one: UUID
    other: UUID
    games: int
    hands: int
    ahead: int
    level: int
    net: int


def games_of(selection: Selection) -> list[GameResult]:
    """A person's games in the order in which they ended, with the place in each."""
    return [
        GameResult(game_id=game_id, ended_at_ms=ended, hands=hands, points=int(points), place=place)
        for game_id, ended, hands, points, place in _rows(_GAMES, selection)
    ]


def tables_of(selection: Selection, games: Collection[UUID]) -> dict[UUID, list[tuple[UUID, int]]]:
    """Everybody who played in these games, with the points made in each, the most first."""
    tables: dict[UUID, dict[UUID, int]] = {game: {} for game in games}
    for game, player, points in _rows(_TABLES, selection, games=list(games)):
        person, gained = selection.persons.get(player, player), tables[game]
        gained[person] = gained.get(person, 0) + int(points)
    return {
        game: sorted(gained.items(), key=lambda each: (-each[1], each[0]))
        for game, gained in tables.items()
    }


def hands_of(selection: Selection) -> list[HandResult]:
    """A person's hands in the order of play."""
    return [HandResult(won=won, dealt_in=dealt_in) for won, dealt_in in _rows(_HANDS, selection)]


def curve_of(games: Sequence[GameResult], most: int = CURVE_POINTS) -> list[CurvePoint]:
    """The points over time, a point a game; of more games than ``most`` every few are shown.

    What is shown is exact, and the first and the last game are always among it. Pure.
    """
    points, total = [], 0
    for game in games:
        total += game.points
        points.append(
            CurvePoint(
                game_id=game.game_id,
                ended_at_ms=game.ended_at_ms,
                points=game.points,
                total=total,
            )
        )
    if len(points) <= most:
        return points
    return [points[round(number * (len(points) - 1) / (most - 1))] for number in range(most)]


def places_of(games: Iterable[GameResult]) -> list[int]:
    """How many games ended on each place, the first place first, four at least. Pure."""
    places = [0] * PLACES
    for game in games:
        if game.hands:
            places += [0] * (game.place - len(places))
            places[game.place - 1] += 1
    return places


def streaks_of(games: Sequence[GameResult], hands: Sequence[HandResult]) -> Streaks:
    """The longest and the present rows of games and hands in the order of play. Pure."""
    hands_won, hands_won_now = _row(hand.won for hand in hands)
    games_won, games_won_now = _row(game.place == 1 for game in games if game.hands)
    careful, careful_now = _row(not hand.dealt_in for hand in hands)
    return Streaks(
        hands_won=hands_won,
        hands_won_now=hands_won_now,
        games_won=games_won,
        games_won_now=games_won_now,
        hands_without_deal_in=careful,
        hands_without_deal_in_now=careful_now,
    )


def _row(answers: Iterable[bool]) -> tuple[int, int]:
    """The longest run of yes, and the one at the end."""
    longest = now = 0
    for yes in answers:
        now = now + 1 if yes else 0
        longest = max(longest, now)
    return longest, now


def items_of(selection: Selection) -> list[ItemFigures]:
    """The items of a person's winning hands, the most frequent of each ruleset first."""
    return [
        ItemFigures(
            ruleset=ruleset,
            item=item,
            times=times,
            share=times / wins,
            average_points=float(points),
            average_total=float(total),
        )
        for ruleset, item, times, wins, points, total in _rows(_ITEMS, selection)
    ]


def biggest_of(selection: Selection) -> list[BigHand]:
    """A person's winning hands of the greatest worth; of equals those played first."""
    return [
        BigHand(game_id=game_id, hand=hand, ruleset=ruleset, ended_at_ms=ended, total=total)
        for game_id, hand, ruleset, ended, total in _rows(_BIGGEST, selection)
    ]


def pairs_of(selection: Selection, persons: Sequence[UUID]) -> list[Pair]:
    """Those who played together among these persons, each pair from both sides.

    With a person in the selection: that person beside each other one of its tables.
    """
    everybody = {**dict.fromkeys(persons), **dict.fromkeys(selection.persons)}
    people = [(record, selection.persons.get(record, record)) for record in everybody]
    if selection.person is None:
        people = [(record, person) for record, person in people if person in set(persons)]
    rows = _rows(
        _PAIRS,
        selection,
        focus=selection.person,
        players=[record for record, _ in people],
        persons=[person for _, person in people],
    )
    return [
        Pair(
            one=one,
            other=other,
            games=games,
            hands=hands,
            ahead=ahead,
            level=level,
            net=int(net),
        )
        for one, other, games, hands, ahead, level, net in rows
    ]


def most_active(selection: Selection, limit: int) -> list[UUID]:
    """The persons of a club with the most hands in a selection, by the number of hands."""
    hands: dict[UUID, int] = {}
    for player, count in _rows(_ACTIVE, selection):
        person = selection.persons.get(player, player)
        hands[person] = hands.get(person, 0) + count
    return sorted(hands, key=lambda person: (-hands[person], person))[:limit]


def _rows(query: str, selection: Selection, **more: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, {**selection.parameters, **more})
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


_OWN: Final = f"r.player_id = ANY (%(records)s::uuid[]) AND {COUNTS}"
# Payments beside the hands belong to their game's points; who never sat in it has no place.
_GAMES: Final = f"""
    WITH played AS (
      SELECT r.game_id, bool_or(r.entry = 0) AS sat FROM result r WHERE {_OWN} GROUP BY r.game_id
    ), totals AS (
      SELECT r.game_id, r.player_id = ANY (%(records)s::uuid[]) AS own, r.player_id,
             max(r.ended_at_ms) AS ended_at_ms, count(*) FILTER (WHERE r.entry = 0) AS hands,
             sum(r.points) AS points
      FROM played JOIN result r USING (game_id) WHERE {COUNTS} GROUP BY r.game_id, r.player_id
    ), ranked AS (
      SELECT *, rank() OVER (PARTITION BY game_id, hands > 0 ORDER BY points DESC) AS place
      FROM totals
    )
    SELECT game_id, max(ended_at_ms), sum(hands)::bigint, sum(points), min(place)
    FROM ranked WHERE own GROUP BY game_id ORDER BY 2, game_id
"""  # noqa: S608 - the conditions are texts of ours
_TABLES: Final = f"""
    SELECT r.game_id, r.player_id, sum(r.points) FROM result r
    WHERE r.game_id = ANY (%(games)s::uuid[]) AND {COUNTS} GROUP BY r.game_id, r.player_id
"""  # noqa: S608 - the conditions are texts of ours
_HANDS: Final = f"""
    SELECT r.won <> '', r.dealt_in FROM result r WHERE {_OWN} AND r.entry = 0
    ORDER BY r.ended_at_ms, r.game_id, r.hand
"""  # noqa: S608 - the conditions are texts of ours
_ITEMS: Final = f"""
    WITH wins AS (
      SELECT r.ruleset, r.total, win.value AS win
      FROM result r JOIN settlement s USING (game_id, hand, entry, revision)
      CROSS JOIN LATERAL jsonb_array_elements(s.score -> 'wins') AS win
      WHERE {_OWN} AND r.won <> '' AND (win.value ->> 'seat')::integer = r.seat
    ), won AS (SELECT ruleset, count(*) AS wins FROM wins GROUP BY ruleset)
    SELECT ruleset, item ->> 'id', count(*), won.wins, avg((item ->> 'points')::bigint),
           avg(total)
    FROM wins JOIN won USING (ruleset)
    CROSS JOIN LATERAL jsonb_array_elements(win -> 'items') AS item
    GROUP BY ruleset, item ->> 'id', won.wins ORDER BY ruleset, count(*) DESC, item ->> 'id'
"""  # noqa: S608 - the conditions are texts of ours
_BIGGEST: Final = f"""
    SELECT r.game_id, r.hand, r.ruleset, r.ended_at_ms, r.total FROM result r
    WHERE {_OWN} AND r.total IS NOT NULL
    ORDER BY r.total DESC, r.ended_at_ms, r.game_id, r.hand LIMIT {BIGGEST}
"""  # noqa: S608 - the conditions are texts of ours
_ACTIVE: Final = f"""
    SELECT r.player_id, count(*) FROM result r
    WHERE r.club_id = %(club)s AND r.entry = 0 AND {COUNTS} GROUP BY r.player_id
"""  # noqa: S608 - the conditions are texts of ours
_PAIRS: Final = f"""
    WITH who AS (
      SELECT * FROM unnest(%(players)s::uuid[], %(persons)s::uuid[]) AS who(player_id, person)
    ), seats AS (
      SELECT who.person, r.game_id, r.hand, r.entry, r.revision, r.points
      FROM result r JOIN who USING (player_id)
      WHERE r.club_id = %(club)s AND {COUNTS}
        AND (%(focus)s::uuid IS NULL OR r.game_id IN (
          SELECT game_id FROM result WHERE player_id = ANY (%(records)s::uuid[])))
    ), totals AS (
      SELECT person, game_id, sum(points) AS points FROM seats
      GROUP BY person, game_id HAVING bool_or(entry = 0)
    ), games AS (
      SELECT one.person AS one, two.person AS other, count(*) AS games,
             count(*) FILTER (WHERE one.points > two.points) AS ahead,
             count(*) FILTER (WHERE one.points = two.points) AS level
      FROM totals one JOIN totals two USING (game_id)
      WHERE one.person <> two.person AND (%(focus)s::uuid IS NULL OR one.person = %(focus)s)
      GROUP BY 1, 2
    ), hands AS (
      SELECT one.person AS one, two.person AS other, count(*) AS hands
      FROM seats one JOIN seats two USING (game_id, hand, entry)
      WHERE entry = 0 AND one.person <> two.person
        AND (%(focus)s::uuid IS NULL OR one.person = %(focus)s)
      GROUP BY 1, 2
    ), paid AS (
      SELECT payer.person AS payer, payee.person AS payee, sum(t.points) AS points
      FROM (SELECT DISTINCT game_id, hand, entry, revision FROM seats) AS counted
      JOIN transfer t USING (game_id, hand, entry, revision)
      JOIN who payer ON payer.player_id = t.payer JOIN who payee ON payee.player_id = t.payee
      WHERE t.reverses IS NULL GROUP BY 1, 2
    )
    SELECT one, other, games, coalesce(hands, 0), ahead, level,
           coalesce(got.points, 0) - coalesce(gave.points, 0)
    FROM games LEFT JOIN hands USING (one, other)
    LEFT JOIN paid got ON got.payee = one AND got.payer = other
    LEFT JOIN paid gave ON gave.payer = one AND gave.payee = other
    ORDER BY one, games DESC, other
"""  # noqa: S608 - the conditions are texts of ours
