"""States between hands, kept so that neither an append nor a seek replays more than one hand.

Derived: dropping every row changes no answer (test_dropping_every_snapshot_changes_no_answer). The
append writes one when a hand ends; ``keep`` and ``rebuild`` write those that are missing. A reader
uses those of the engine's present format only (``reader.nearest_snapshot``).
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.db import connections

from records import reader
from records.heads import Head, follow
from rules_engine.fold import Game
from rules_engine.snapshot import FORMAT, dump

_KEEP: Final = """
    INSERT INTO hand_snapshot (game_id, seq, hash, format, state)
    SELECT game_id, seq, hash, %s, %s FROM event WHERE game_id = %s AND seq = %s
    ON CONFLICT DO NOTHING
"""


def keep(game_id: UUID, game: Game, *, using: str) -> bool:
    """Write the snapshot of a state between hands where it is missing; whether it was."""
    with connections[using].cursor() as cursor:
        cursor.execute(_KEEP, [FORMAT, dump(game), game_id, game.seq])
        written: int = cursor.rowcount
    return written > 0


def rebuild(game_id: UUID, *, using: str) -> int:
    """Write every snapshot of a game that is missing; how many there were. Raises ReplayRefused."""
    head, made = Head(), 0
    for stored in reader.events_of(game_id, using=using):
        head = follow(head, stored)
        if head.game is not None and head.base is head.game:
            made += keep(game_id, head.game, using=using)
    return made
