"""Giving the beginnings and ends of games their places in one order.

As with seals, nobody who writes waits for a global order: a milestone is queued with the event, and
gets its place from one process at a time, so that none appears behind a reader's cursor. The end of
a game gets its place when its hands are settled, as far as they could be.
"""

from __future__ import annotations

from typing import Final

from django.db import connection

from records.drain import drain

LOCK: Final = "place_milestones"
_PLACE: Final = """
    WITH ready AS (
      SELECT q.game_id, q.seq, game.club_id, event.occurred_at_ms FROM milestone_queue q
      JOIN game ON game.id = q.game_id
      -- A game that was opened and has no event yet waits for its first.
      JOIN event ON event.game_id = q.game_id AND event.seq = q.seq
      WHERE q.seq = 1 OR (
        NOT EXISTS (SELECT FROM seal_queue s WHERE s.game_id = q.game_id)
        AND NOT EXISTS (
          SELECT FROM journal j WHERE j.game_id = q.game_id
            AND j.position > coalesce((SELECT seal_position FROM settlement_cursor), 0)))
      ORDER BY q.seq = 1 DESC, q.game_id LIMIT %s
    ), taken AS (
      DELETE FROM milestone_queue q USING ready
      WHERE (q.game_id, q.seq) = (ready.game_id, ready.seq)
    )
    INSERT INTO milestone (position, game_id, seq, club_id, occurred_at_ms)
    SELECT (SELECT coalesce(max(position), 0) FROM milestone)
           + row_number() OVER (ORDER BY ready.seq = 1 DESC, ready.game_id),
           ready.game_id, ready.seq, ready.club_id, ready.occurred_at_ms
    FROM ready
"""


def place_milestones(batch: int = 500) -> int:
    """Give a place to every milestone that is ready; answer how many.

    Returns at once when another process is doing it.
    """
    return drain(LOCK, lambda: _place(batch))


def _place(batch: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_PLACE, [batch])
        return int(cursor.rowcount)
