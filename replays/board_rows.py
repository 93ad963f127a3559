"""Which rows a board has and where they come from: the standings, or the results of a past moment.

A board as it stands now is read from `standing`, each page off an index. A board with `as_of` (what
was played by then) or `known_at` (what was known by then) is counted from the results, by the same
definitions; tests hold both equal. What is read from a `Source` is the same for either.
"""
# ruff: noqa: S608 - every text that is put into a statement is one of ours

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, Literal
from uuid import UUID

import msgspec
from django.db import connection

from records.errors import RecordsError
from records.ladders import ladder_of
from records.models import Club, Season
from replays.models import ALL_RULESETS, ALL_TIME
from replays.past_boards import PAST
from replays.places import players_above, players_on
from replays.selections import Selection, select
from rules_engine.ladders import Ladder, Tier

Order = Literal["asc", "desc"]
Value = int | float | None

SORTS: Final = MappingProxyType(
    {
        "points": "points",
        "points_per_hand": "points_per_hand",
        "win_rate": "win_rate",
        "zimo_rate": "zimo_rate",
        "deal_in_rate": "deal_in_rate",
        "average_win": "average_win",
        "best": "best_total",
        "gangs": "gangs",
        "tier": "rung",
        "hands": "hands",
        "games": "games",
    }
)
"""What a board can be sorted by, and the column that holds it."""


class UnknownSort(RecordsError):
    """There is no figure of this name to sort by."""

    code = "unknown_sort"

    def __init__(self, sort: str) -> None:
        super().__init__(
            f"A board cannot be sorted by {sort!r}: sort by one of {', '.join(SORTS)}.",
            expected=list(SORTS),
            actual=sort,
        )


class NoTiersHere(RecordsError):
    """The club's tiers come from seasons, and the board is of all time."""

    code = "no_tiers_here"

    def __init__(self) -> None:
        super().__init__(
            "The club's tiers are those of a season: name the season to sort by tier.",
            sort="tier",
            scope="season",
        )


class View(msgspec.Struct, frozen=True, kw_only=True):
    """Which board is meant. Raises UnknownSort.

    `season` None is all time, `ruleset` empty all rulesets together. Only players with at least
    `min_games` and `min_hands` are on it. `as_of`: games played up to this moment, itself included;
    `known_at`: corrections known up to it.
    """

    club: Club
    season: Season | None = None
    ruleset: str = ALL_RULESETS
    sort: str = "points"
    order: Order = "desc"
    min_games: int = 0
    min_hands: int = 0
    as_of: datetime | None = None
    known_at: datetime | None = None

    def __post_init__(self) -> None:
        if self.sort not in SORTS:
            raise UnknownSort(self.sort)

    @property
    def is_live(self) -> bool:
        """Whether it is the board as it stands now."""
        return self.as_of is None and self.known_at is None

    @property
    def season_id(self) -> UUID:
        """The season, or `ALL_TIME`."""
        return ALL_TIME if self.season is None else self.season.pk


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A player's figures on a board; those of `models.Standing`. `tier` is null where none is."""

    player_id: UUID
    games: int
    hands: int
    entries: int
    points: int
    gang_points: int
    adjusted_points: int
    wins: int
    zimo_wins: int
    win_total: int
    deal_ins: int
    gangs: int
    best_total: int | None
    best_game_id: UUID | None
    best_hand: int | None
    points_per_hand: float | None
    win_rate: float | None
    zimo_rate: float | None
    deal_in_rate: float | None
    average_win: float | None
    ladder_score: int | None
    tier: int | None
    rung: int | None


class Source:
    """The rows of a board, wherever they come from: `table` is SQL that gives their columns."""

    def __init__(
        self, view: View, table: str, parameters: dict[str, Any], ladder: Ladder, position: int
    ) -> None:
        self.view = view
        self.column = SORTS[view.sort]
        self.ladder = ladder
        self.position = position
        self._table = table
        self._parameters = {
            **parameters,
            "min_games": view.min_games,
            "min_hands": view.min_hands,
        }

    def value_of(self, row: Row) -> Value:
        """What a row is sorted by."""
        value: Value = getattr(row, self.column)
        return value

    def tier_of(self, row: Row) -> Tier | None:
        """The row's tier; of a ladder that was shortened just now, the highest it has left."""
        tiers = self.ladder.tiers
        return None if row.tier is None else tiers[min(row.tier, len(tiers)) - 1]

    def row_of(self, player_id: UUID) -> Row | None:
        """A player's row, if the player is on the board."""
        found = self._select("b.player_id = %(player)s", "", 1, player=player_id)
        return found[0] if found else None

    def rows(
        self, start: tuple[Value, UUID] | None, limit: int, *, upwards: bool = False
    ) -> list[Row]:
        """The rows after `start` (or before it, nearest first), those with the figure first.

        Two queries, so that each is one stretch of an index.
        """
        value, player_id = start or (None, None)
        facts = {"value": value, "player": player_id}
        is_descending = (self.view.order == "desc") is not upwards
        beyond, way = ("<", "DESC") if is_descending else (">", "ASC")
        with_figure = f"b.{self.column} IS NOT NULL"
        if value is not None:
            with_figure += f" AND (b.{self.column}, b.player_id) {beyond} (%(value)s, %(player)s)"
        without = f"b.{self.column} IS NULL"
        if start is not None and value is None:
            without += f" AND b.player_id {beyond} %(player)s"
        parts = [
            (with_figure, f"ORDER BY b.{self.column} {way}, b.player_id {way}"),
            (without, f"ORDER BY b.player_id {way}"),
        ]
        if upwards:
            parts.reverse()
        if start is not None and (value is None) is not upwards:
            parts = parts[1:]
        found: list[Row] = []
        for condition, order in parts:
            if len(found) < limit:
                found += self._select(condition, order, limit - len(found), **facts)
        return found

    def places(self, values: Sequence[Value]) -> dict[Value, int]:
        """The place that each of these figures has on the board."""
        view = self.view
        if self._is_counted and view.sort == "points" and view.order == "desc":
            points = [value for value in values if isinstance(value, int)]
            above = players_above(
                club_id=view.club.pk,
                season_id=view.season_id,
                ruleset=view.ruleset,
                points=sorted(set(points)),
            )
            return {value: 1 + players for value, players in above.items()}
        return {value: self._place(value) for value in set(values)}

    def size(self) -> int:
        """How many rows there are."""
        if self._is_counted:
            return players_on(
                club_id=self.view.club.pk,
                season_id=self.view.season_id,
                ruleset=self.view.ruleset,
            )
        return int(self._query(f"SELECT count(*) FROM {self._from()}")[0][0])

    @property
    def _is_counted(self) -> bool:
        """Whether it is a board whose players `place_count` has counted, all of them."""
        return self.view.is_live and not self.view.min_games and not self.view.min_hands

    def _place(self, value: Value) -> int:
        """One more than the players with a better figure; without one, than all who have it."""
        better = ">" if self.view.order == "desc" else "<"
        condition = (
            f"b.{self.column} IS NOT NULL"
            if value is None
            else f"b.{self.column} {better} %(value)s"
        )
        rows = self._query(f"SELECT count(*) FROM {self._from()} AND {condition}", value=value)
        return 1 + int(rows[0][0])

    def _select(self, condition: str, order: str, limit: int, **facts: Any) -> list[Row]:
        columns = ", ".join(f"b.{name}" for name in Row.__struct_fields__)
        rows = self._query(
            f"SELECT {columns} FROM {self._from()} AND {condition} {order} LIMIT {limit:d}", **facts
        )
        return [Row(**dict(zip(Row.__struct_fields__, row, strict=True))) for row in rows]

    def _from(self) -> str:
        filters = "".join(
            f" AND b.{column} >= %({name})s"
            for name, column in (("min_games", "games"), ("min_hands", "hands"))
            if self._parameters[name]
        )
        return f"({self._table}) AS b WHERE true{filters}"

    def _query(self, query: str, **facts: Any) -> list[tuple[Any, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(query, {**self._parameters, **facts})
            found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


def source_of(view: View) -> Source:
    """Where the rows of a board come from, and the ladder that its tiers are of."""
    ladder = ladder_of(view.club.pk, view.known_at)
    if view.sort == "tier" and ladder.scope == "season" and view.season is None:
        raise NoTiersHere
    if view.is_live:
        return _live(view, ladder)
    return _past(view, ladder)


_CLIMBED: Final = {"ladder_score", "tier", "rung"}
_OWN: Final = [name for name in Row.__struct_fields__ if name not in _CLIMBED]


def _live(view: View, ladder: Ladder) -> Source:
    """Read from the standings; the tiers of a ladder for ever are those of all time."""
    board = "club_id = %(club)s AND season_id = %(season)s AND ruleset = %(ruleset)s"
    table = f"SELECT {', '.join(Row.__struct_fields__)} FROM standing WHERE {board}"
    if view.season is not None and ladder.scope == "for_ever":
        table = f"""
            SELECT {", ".join(f"s.{name}" for name in _OWN)}, l.ladder_score, l.tier, l.rung
            FROM standing s LEFT JOIN standing l
              ON l.club_id = s.club_id AND l.season_id = '{ALL_TIME}' AND l.ruleset = s.ruleset
              AND l.player_id = s.player_id
            WHERE s.club_id = %(club)s AND s.season_id = %(season)s AND s.ruleset = %(ruleset)s
        """
    facts = {"club": view.club.pk, "season": view.season_id, "ruleset": view.ruleset}
    with connection.cursor() as cursor:
        # A club that has grown since statistics were gathered looks small enough to sort, and to
        # compile the query for; its index gives the order in any case.
        cursor.execute(
            "SELECT set_config('enable_sort', 'off', true), set_config('jit', 'off', true)"
        )
    return Source(view, table, facts, ladder, _position())


def _past(view: View, ladder: Ladder) -> Source:
    """Count the results that had been played and were known."""
    own, climbing = _selections(view, ladder)
    position = min(_position(), own.known_position)
    persons = list(own.persons.items())
    facts = {
        **own.parameters,
        **{f"climb_{name}": value for name, value in climbing.parameters.items()},
        "players": [player for player, _ in persons],
        "persons": [person for _, person in persons],
        "start": ladder.start,
        "thresholds": [tier.from_points for tier in ladder.tiers[1:]],
        "demotion": ladder.demotion,
        "climbs": ladder.scope == "for_ever" or view.season is not None,
    }
    return Source(view, PAST, facts, ladder, position)


def _selections(view: View, ladder: Ladder) -> tuple[Selection, Selection]:
    """The results of the board, and those that make its tiers."""
    of_club: dict[str, Any] = {
        "ruleset": view.ruleset,
        "as_of": view.as_of,
        "known_at": view.known_at,
    }
    own = select(view.club, season=view.season, **of_club)
    by_season = view.season is None or ladder.scope == "season"
    return own, own if by_season else select(view.club, **of_club)


def _position() -> int:
    """How far the read side has read the ledger."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(max(position), 0) FROM projection_cursor")
        return int(cursor.fetchone()[0])
