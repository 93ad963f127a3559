"""Section "statement": a page of the statement of somebody with 100,000 payments, wherever."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Final
from uuid import UUID, uuid4

import psycopg
from django.db import connection

from replays import periods, statements
from replays.periods import Period
from replays.statements import Mark, Subject
from tests.benchmarks.report import Line
from tests.benchmarks.stage import Stage

HANDS: Final = 33_334
"""Each has three payments of one winner."""
PAGE: Final = 50
READS: Final = 100
FLAT_AT_MOST: Final = 2.0
"""What a page anywhere may take, in times of what the first one takes."""

# The winner of every hand is one player; the others are a hundred. The checks at commit hold here.
_HANDS: Final = """
    INSERT INTO settlement (game_id, hand, entry, revision, position, seal_position, seq, club_id,
      ruleset, ruleset_version, engine, result, players, points, stake, ladder_start, dealer,
      streak, next_dealer, next_streak, facts, score, started_at_ms, ended_at_ms, settled_at)
    SELECT md5('bench' || n / 16)::uuid, n %% 16 + 1, 0, 1, n, n, n, %(club)s, 'hefei', 1, 'bench',
      'hu', ARRAY[%(own)s::uuid, other(n, 0), other(n, 1), other(n, 2)], ARRAY[30, -10, -10, -10],
      1, 0, 0, 0, 0, 0, '{}', '{}', n * 60000, n * 60000, now() - (%(hands)s - n) * interval '1 ms'
    FROM generate_series(1, %(hands)s) AS n
"""
_PAYMENTS: Final = """
    INSERT INTO transfer (game_id, hand, entry, revision, line, position, club_id, ended_at_ms,
      payer, payee, payer_seat, payee_seat, points, kind, item, rule, seq)
    SELECT game_id, hand, 0, 1, line, position, club_id, ended_at_ms, players[line + 1],
      players[1], line, 0, 10, 'hu', 'hu', 'HF-68', seq
    FROM settlement CROSS JOIN generate_series(1, 3) AS line WHERE club_id = %(club)s
"""
_OTHER: Final = """
    CREATE FUNCTION other(n integer, seat integer) RETURNS uuid LANGUAGE sql IMMUTABLE
      RETURN md5('player' || (n * 7 + seat) % 100)::uuid
"""
_ONE: Final = "SELECT * FROM transfer WHERE game_id = %s AND hand = %s AND entry = 0 AND line = 1"
EVER: Final = Period()


def statement_pages(stage: Stage, *, repeats: int, told: Callable[[str], None]) -> list[Line]:
    """Pages at the beginning, in the middle and at the end, each between two rows by their key."""
    told("statement: making 100,000 payments")
    subject, known = _ledger(stage)
    marks = _marks(subject, known)
    lines: list[Line] = []
    for name, mark in marks.items():
        told(f"statement: {name}")
        pairs = [_medians(subject, mark, known, seed) for seed in range(repeats)]
        ratios = tuple(page_s / key_s for page_s, key_s in pairs)
        lines.append(
            Line(
                section="statement",
                name=f"{PAGE} lines, {name}",
                load=f"{3 * HANDS:,} payments",
                against="time of one row by its key",
                ratios=ratios,
                rates=tuple(1 / page_s for page_s, _ in pairs),
                unit="/s",
                at_most=FLAT_AT_MOST * lines[0].ratio if lines else None,
            )
        )
    return lines


def _ledger(stage: Stage) -> tuple[Subject, int]:
    """A ledger of one club, and whose statement is read."""
    club, own = uuid4(), uuid4()
    facts = {"club": club, "own": own, "hands": HANDS}
    with psycopg.connect(stage.url) as raw:
        raw.execute(_OTHER)
        raw.execute(_HANDS, facts)
        raw.execute(_PAYMENTS, facts)
    with psycopg.connect(stage.url, autocommit=True) as raw:
        raw.execute("VACUUM ANALYZE settlement, transfer")
    subject = statements.subject_of(club_id=club, account=own)
    known = periods.position_known_at(None)
    assert known == HANDS
    return subject, known


def _marks(subject: Subject, known: int) -> dict[str, Mark]:
    """Where the pages begin that are read."""
    found = {"at the beginning": statements.first_mark(EVER, 0)}
    for name, hand in (("in the middle", HANDS // 2), ("at the end", HANDS - PAGE)):
        found[name] = Mark(hand * 60_000, hand, 3, statements.PAYEE, 30 * hand)
    for mark in found.values():
        page = statements.page_of(subject, EVER, after=mark, known_position=known, limit=PAGE)
        assert len(page) == PAGE
        assert page[-1].balance == mark.balance + 10 * PAGE
    return found


def _medians(subject: Subject, mark: Mark, known: int, seed: int) -> tuple[float, float]:
    """Seconds of a page and of one row by its primary key, each in turn."""
    rng = Random(seed)
    taken, keyed = [], []
    with connection.cursor() as cursor:
        cursor.execute("SELECT game_id, hand FROM settlement WHERE club_id = %s", [subject.club_id])
        hands: list[tuple[UUID, int]] = cursor.fetchall()
    for _ in range(READS):
        before = time.perf_counter()
        statements.page_of(subject, EVER, after=mark, known_position=known, limit=PAGE)
        after = time.perf_counter()
        with connection.cursor() as cursor:
            cursor.execute(_ONE, rng.choice(hands))
            assert cursor.fetchone() is not None
        end = time.perf_counter()
        taken.append(after - before)
        keyed.append(end - after)
    return median(taken), median(keyed)
