"""Section "boards": the top of a board and a place with its neighbours, however many play."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from statistics import median
from uuid import UUID

from django.db import connection

from records.models import Club
from replays.board_rows import View
from replays.boards import around, board
from replays.models import ALL_TIME, Standing
from replays.places import MOVE, players_above
from tests.benchmarks.report import Line

SIZES = (1_000, 100_000, 1_000_000)
READS = 200
FLAT_AT_MOST = 2.0
"""What a read may take with a million players, in times of what it takes with a thousand."""

# Points as of a normal distribution around zero, so that many share them: as clubs have them.
_PLAYERS = """
    INSERT INTO standing (club_id, season_id, ruleset, player_id, games, hands, entries, points,
      gang_points, adjusted_points, wins, zimo_wins, win_total, deal_ins, gangs, best_total,
      ladder_start, ladder_score, tier)
    SELECT %(club)s, %(season)s, '', md5(n::text || %(club)s::text)::uuid, hands / 8 + 1, hands, 0,
      points, 0, 0, hands / 4, hands / 9, hands * 3, hands / 5, n %% 50, n %% 88, 0, points, 1
    FROM (
      SELECT n, 8 + n %% 500 AS hands,
        ((random() + random() + random() + random() - 2) * 5000)::int AS points
      FROM generate_series(1, %(players)s) AS n
    ) AS player
"""
_COUNT = f"""
    WITH moved AS (
      SELECT club_id, season_id, ruleset, points, 1 AS moved FROM standing WHERE club_id = %s
    ) {MOVE}
"""
_KEYS = "SELECT player_id FROM standing WHERE club_id = %s ORDER BY player_id LIMIT 5000"


def boards(*, repeats: int, told: Callable[[str], None]) -> list[Line]:
    """Each read between two lookups by primary key, in clubs of a thousand players and more."""
    lines: list[Line] = []
    first: dict[str, float] = {}
    for size in SIZES:
        told(f"boards: a club of {size:,} players")
        view, players = _club_of(size)
        reads: dict[str, Callable[[UUID], object]] = {
            "top 100": lambda player, view=view: board(view, limit=100),
            "around(5)": lambda player, view=view: around(view, player),
        }
        for name, read in reads.items():
            told(f"boards: {name} of {size:,}")
            pairs = [_medians(view, players, read, seed) for seed in range(repeats)]
            ratios = tuple(read_s / key_s for read_s, key_s in pairs)
            first.setdefault(name, median(ratios))
            lines.append(
                Line(
                    section="boards",
                    name=name,
                    load=f"{size:,} players",
                    against="time of one row by its key",
                    ratios=ratios,
                    rates=tuple(1 / read_s for read_s, _ in pairs),
                    unit="/s",
                    at_most=FLAT_AT_MOST * first[name] if size > SIZES[0] else None,
                )
            )
    return lines


def _club_of(size: int) -> tuple[View, list[UUID]]:
    """A club with that many players on its board, and some of them."""
    club = Club.objects.create(name="Bench", slug=f"bench-{size}")
    with connection.cursor() as cursor:
        cursor.execute(_PLAYERS, {"club": club.pk, "season": ALL_TIME, "players": size})
        cursor.execute(_COUNT, [club.pk])
        cursor.execute("ANALYZE standing")
        cursor.execute("ANALYZE place_count")
        cursor.execute(_KEYS, [club.pk])
        players: list[UUID] = [row[0] for row in cursor.fetchall()]
    _insist_on_places(club, Random(size).sample(players, 5))
    return View(club=club), players


def _insist_on_places(club: Club, players: list[UUID]) -> None:
    """What is measured has to be right: a place is one more than the players above."""
    everybody = Standing.objects.filter(club_id=club.pk)
    for player in players:
        points = everybody.get(player_id=player).points
        above = players_above(club_id=club.pk, season_id=ALL_TIME, ruleset="", points=[points])
        assert above == {points: everybody.filter(points__gt=points).count()}


def _medians(
    view: View, players: list[UUID], read: Callable[[UUID], object], seed: int
) -> tuple[float, float]:
    """Seconds of a read and of one row by its primary key, each in turn."""
    rng = Random(seed)
    taken, keyed = [], []
    for _ in range(READS):
        player = rng.choice(players)
        before = time.perf_counter()
        read(player)
        after = time.perf_counter()
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT * FROM standing WHERE club_id = %s AND season_id = %s AND ruleset = %s"
                " AND player_id = %s",
                [view.club.pk, ALL_TIME, "", player],
            )
            assert cursor.fetchone() is not None
        end = time.perf_counter()
        taken.append(after - before)
        keyed.append(end - after)
    return median(taken), median(keyed)
