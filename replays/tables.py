"""The tables that can be exported: a board, a statement, the games of a club with their results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import connection

from records.models import Club
from replays import boards, statements
from replays.board_rows import Row, View
from replays.exports import Cell, Column, Table
from replays.periods import EPOCH, NEVER_MS, Period
from replays.selections import COUNTS, Selection
from replays.statements import Subject

BOARD_PAGE: Final = 500
GAMES_PAGE: Final = 200

STANDINGS: Final = (
    Column("place", "integer"),
    Column("player", width=38),
    Column("name"),
    *(Column(name, "integer") for name in ("points", "games", "hands")),
    Column("points_per_hand", "number"),
    *(Column(name, "integer") for name in ("wins", "zimo_wins", "deal_ins")),
    *(Column(name, "number") for name in ("win_rate", "zimo_rate", "deal_in_rate", "average_win")),
    *(Column(name, "integer") for name in ("best_total", "gangs", "gang_points")),
    *(Column(name, "integer") for name in ("adjusted_points", "ladder_score", "tier")),
    Column("tier_zh"),
    Column("tier_en"),
)
STATEMENT: Final = (
    Column("played_at", "time"),
    Column("booked_at", "time"),
    Column("game", width=38),
    *(Column(name, "integer") for name in ("hand", "entry", "revision", "line")),
    Column("counterpart", width=38),
    Column("counterpart_name"),
    Column("points", "integer"),
    Column("balance", "integer"),
    Column("kind"),
    Column("item"),
    Column("item_zh"),
    Column("item_en"),
    Column("rule"),
    Column("seq", "integer"),
    Column("moment", width=50),
    Column("reverses", "yes"),
    Column("reversed_in", "integer"),
)
GAMES: Final = (
    Column("started_at", "time"),
    Column("ended_at", "time"),
    Column("game", width=38),
    Column("title"),
    Column("ruleset"),
    Column("player", width=38),
    Column("name"),
    *(Column(name, "integer") for name in ("seat", "hands", "points", "place")),
)


def standings_table(view: View) -> Table:
    """A board from its first line to its last. Raises NoTiersHere as the rows are read."""
    names = _names(view.club)

    def rows() -> Iterator[tuple[Cell, ...]]:
        after = None
        while True:
            page = boards.board(view, after=after, limit=BOARD_PAGE)
            for line in page.lines:
                figures = [
                    getattr(line.row, column.name)
                    for column in STANDINGS
                    if column.name in Row.__struct_fields__
                ]
                tier = line.tier
                words = (None, None) if tier is None else (tier.zh, tier.en)
                player = line.row.player_id
                yield (line.place, str(player), names.get(player, ""), *figures, *words)
            after = page.next
            if after is None:
                return

    return Table(title="standings", columns=STANDINGS, rows=rows(), time_zone=view.club.time_zone)


def statement_table(club: Club, subject: Subject, period: Period, *, known_position: int) -> Table:
    """A statement from its first line to its last; the pot has no id as a counterpart."""
    names = _names(club)

    def rows() -> Iterator[tuple[Cell, ...]]:
        opening = statements.opening_balance(subject, period, known_position=known_position)
        for line in statements.lines_of(
            subject, period, known_position=known_position, opening=opening
        ):
            other = line.counterpart
            yield (
                moment(line.ended_at_ms),
                line.booked_at,
                str(line.game_id),
                line.hand,
                line.entry,
                line.revision,
                line.line,
                None if other == club.pk else str(other),
                names.get(other, ""),
                line.points,
                line.balance,
                line.kind,
                line.item,
                line.item_zh,
                line.item_en,
                line.rule,
                line.seq,
                line.moment,
                line.reverses,
                line.reversed_in,
            )

    return Table(title="statement", columns=STATEMENT, rows=rows(), time_zone=club.time_zone)


def games_table(club: Club, selection: Selection) -> Table:
    """The games of a club in the order in which they began, a row for each player of each."""
    names = _names(club)

    def rows() -> Iterator[tuple[Cell, ...]]:
        after: tuple[int, UUID] = (-NEVER_MS, UUID(int=0))
        while page := _games_after(selection, after):
            for started, game, title, ruleset, player, ended, seat, hands, points, place in page:
                person = selection.persons.get(player, player)
                yield (
                    moment(started),
                    moment(ended),
                    str(game),
                    title,
                    ruleset,
                    str(person),
                    names.get(person, ""),
                    seat,
                    hands,
                    int(points),
                    place if hands else None,
                )
            after = (page[-1][0], page[-1][1])

    return Table(title="games", columns=GAMES, rows=rows(), time_zone=club.time_zone)


def moment(milliseconds: int) -> datetime:
    """Milliseconds since 1970 UTC as a time."""
    return (EPOCH + timedelta(milliseconds=milliseconds)).astimezone(UTC)


def _names(club: Club) -> Mapping[UUID, str]:
    """The names of a club's players, and its own for the pot."""
    return {**dict(club.players.values_list("id", "name")), club.pk: club.name}


def _games_after(selection: Selection, after: tuple[int, UUID]) -> list[tuple[Any, ...]]:
    """The rows of the next games behind ``after``, which is when a game began, and its id."""
    with connection.cursor() as cursor:
        cursor.execute(
            _GAMES,
            {
                **selection.parameters,
                "after_ms": after[0],
                "after_id": after[1],
                "limit": GAMES_PAGE,
            },
        )
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


_GAMES: Final = f"""
    WITH page AS (
      SELECT DISTINCT r.started_at_ms, r.game_id FROM result r
      WHERE r.club_id = %(club)s AND {COUNTS}
        AND (r.started_at_ms, r.game_id) > (%(after_ms)s, %(after_id)s)
      ORDER BY r.started_at_ms, r.game_id LIMIT %(limit)s
    ), totals AS (
      SELECT page.started_at_ms, r.game_id, r.ruleset, r.player_id,
             max(r.ended_at_ms) AS ended_at_ms, min(r.seat) AS seat,
             count(*) FILTER (WHERE r.entry = 0) AS hands, sum(r.points) AS points
      FROM page JOIN result r USING (game_id) WHERE {COUNTS}
      GROUP BY page.started_at_ms, r.game_id, r.ruleset, r.player_id
    )
    SELECT started_at_ms, game_id, g.title, ruleset, player_id,
           max(ended_at_ms) OVER (PARTITION BY game_id), seat, hands, points,
           rank() OVER (PARTITION BY game_id, hands > 0 ORDER BY points DESC)
    FROM totals JOIN game g ON g.id = totals.game_id
    ORDER BY started_at_ms, game_id, 10, seat, player_id
"""  # noqa: S608 - the condition is a text of ours
