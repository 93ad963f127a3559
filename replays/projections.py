"""What the read side keeps follows from the ledger, by one pass in the order of `position`.

Each batch of settlements becomes results (`results`), and the results that came into force and went
out of it are counted (`counting`), under the definitions that hold (`definitions`). It can be
brought up to date hand by hand, or made anew (`rebuild`), with the same outcome.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from records.drain import drain
from records.ledger import settled_after
from replays.counting import OF_BATCH, count
from replays.definitions import freshen, persons_among
from replays.models import ProjectionCursor
from replays.ratings_projection import advance_ratings, rate_due
from replays.results import keep_results

LOCK: Final = "advance_projections"


def advance_projections(batch: int = 500) -> int:
    """Bring everything up to date; answer how many settlements were taken in.

    Returns at once when another process is doing it.
    """
    taken = take_in(batch)
    drain(LOCK, lambda: freshen(None))
    drain(LOCK, advance_ratings)
    return taken


def take_in(batch: int = 500) -> int:
    """Take in every settlement not taken in yet, `batch` a transaction; answer how many.

    It costs the same however many clubs there are: definitions are looked at of those concerned
    (test_a_hand_is_taken_in_without_a_look_at_other_clubs).
    """
    taken = drain(LOCK, lambda: advance_batch(batch))
    drain(LOCK, rate_due)
    return taken


def advance_batch(batch: int, *, club_id: UUID | None = None, upto: int | None = None) -> int:
    """Take in the next settlements, in a transaction under the lock; answer how many.

    Only those of one club, if given, and none behind position `upto`.
    """
    cursor, _ = ProjectionCursor.objects.get_or_create(id=1)
    settled = [
        hand
        for hand in settled_after(cursor.position, batch, club_id=club_id)
        if upto is None or hand.position <= upto
    ]
    if not settled:
        return 0
    clubs = {hand.club_id for hand in settled}
    freshen(clubs)
    is_next = settled[0].position == cursor.position + 1
    assert is_next or club_id is not None, (settled[0].position, cursor.position)
    keep_results(settled, persons_among(clubs))
    count(OF_BATCH, after=cursor.position, upto=settled[-1].position)
    cursor.position = settled[-1].position
    cursor.save()
    return len(settled)
