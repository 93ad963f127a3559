"""Section "jump": the state at any seq of a long game, against reading one row by its key."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from statistics import median
from uuid import UUID, uuid4

from django.db import connections

from records import reader
from records.append import append_events, create_game
from tests.benchmarks.games import forget, recording
from tests.benchmarks.report import Line

HANDS = 24
JUMPS = 300
AIM = 10.0
_ROW = (
    "SELECT seq, type, public::text, secret::text, hash FROM event WHERE game_id = %s AND seq = %s"
)


def jumps(*, repeats: int, told: Callable[[str], None]) -> list[Line]:
    """Random seqs of one long game, each between two single rows read."""
    told("jump: recording a long game")
    game_id, last_seq = _long_game()
    rng = Random(5)
    lines = []
    for load, first, last in (
        ("any seq", 1, last_seq),
        ("first hand", 1, last_seq // HANDS),
        ("last hand", last_seq - last_seq // HANDS, last_seq),
    ):
        told(f"jump: {load}")
        ratios, rates = [], []
        for _ in range(repeats):
            forget()
            seqs = [rng.randint(first, last) for _ in range(JUMPS)]
            jump_s, row_s = _medians(game_id, seqs)
            ratios.append(jump_s / row_s)
            rates.append(1 / jump_s)
        lines.append(
            Line(
                section="jump",
                name=f"game_at, {HANDS} hands, {last_seq} events",
                load=load,
                against="time of one row",
                ratios=tuple(ratios),
                rates=tuple(rates),
                unit="/s",
                at_most=AIM,
            )
        )
    return lines


def _long_game() -> tuple[UUID, int]:
    played = recording(seed=21, hands=HANDS)
    game_id, seq = create_game(club_id=uuid4()), 0
    for start in range(0, len(played.sent), 50):
        seq = append_events(
            game_id=game_id,
            expected_seq=seq,
            events=played.sent[start : start + 50],
            command_id=f"record-{start}",
        ).last_seq
    return game_id, seq


def _medians(game_id: UUID, seqs: list[int]) -> tuple[float, float]:
    """Seconds of a jump and of a row."""
    jumped, read = [], []
    for seq in seqs:
        before = time.perf_counter()
        game = reader.game_at(game_id, seq)
        after = time.perf_counter()
        with connections[reader.READER].cursor() as cursor:
            cursor.execute(_ROW, [game_id, seq])
            row = cursor.fetchone()
        end = time.perf_counter()
        assert row is not None
        assert game.seq == row[0] == seq
        jumped.append(after - before)
        read.append(end - after)
    return median(jumped), median(read)
