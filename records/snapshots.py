"""States between hands, kept so that neither an append nor a seek replays more than one hand.

Derived: dropping every row changes no answer (test_dropping_every_snapshot_changes_no_answer). The
append writes one when a hand ends; ``rebuild`` writes those that are missing.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

import msgspec
from django.db import connections

from records.heads import Head
from rules_engine.fold import Game
from rules_engine.registry import UnknownRuleset
from rules_engine.snapshot import FORMAT, dump, load

# The hash must be the one the log has at that seq: a snapshot of anything else is no snapshot.
_NEAREST: Final = """
    SELECT snapshot.seq, snapshot.hash, snapshot.state
    FROM hand_snapshot AS snapshot JOIN event USING (game_id, seq, hash)
    WHERE snapshot.game_id = %s AND event.game_id = %s AND snapshot.seq <= %s
      AND snapshot.format = %s
    ORDER BY snapshot.seq DESC LIMIT 1
"""
_KEEP: Final = """
    INSERT INTO hand_snapshot (game_id, seq, hash, format, state)
    SELECT game_id, seq, hash, %s, %s FROM event WHERE game_id = %s AND seq = %s
    ON CONFLICT DO NOTHING
"""


def nearest(game_id: UUID, seq: int, *, using: str) -> Head | None:
    """The head at the last snapshot that is not behind ``seq``, or None where the log begins."""
    with connections[using].cursor() as cursor:
        cursor.execute(_NEAREST, [game_id, game_id, seq, FORMAT])
        row = cursor.fetchone()
    if row is None:
        return None
    try:
        game = load(bytes(row[2]))
    except (msgspec.MsgspecError, UnknownRuleset):
        # Whatever is wrong with a derived row, the log itself has the answer.
        return None
    return Head(seq=row[0], hash=bytes(row[1]), game=game, base=game)


def keep(game_id: UUID, game: Game, *, using: str) -> None:
    """Write the snapshot of a state between hands where it is missing."""
    with connections[using].cursor() as cursor:
        cursor.execute(_KEEP, [FORMAT, dump(game), game_id, game.seq])
