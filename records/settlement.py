"""Settling: each seal of the journal becomes one settlement with its payments.

`settle_sealed` may be called by any number of processes, as often as they like: the cursor moves in
the transaction that posts the rows, under a lock. What is posted is composed in `posting`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
import structlog
from django.db import Error as DatabaseError
from django.db import connection, transaction
from django.utils import timezone

from records import ledger, reader
from records.drain import drain, try_lock
from records.errors import RecordsError
from records.models.ledger import Settlement, SettlementCursor, SettlementFailure, Transfer
from records.posting import (
    InForce,
    Place,
    Posting,
    Sealed,
    Setting,
    Unsettled,
    compose,
    in_force_after,
)

LOCK: Final = "settle_sealed"
WRITER: Final = "default"
"""The alias that everything here is read and written through: the cursor's transaction."""
FIRST_RETRY: Final = timedelta(minutes=1)
LAST_RETRY: Final = timedelta(days=1)

Thing = tuple[UUID, int, int]
"""Game, hand and entry: what is settled, at one revision after the other."""

logger = structlog.get_logger(__name__)


def settle_sealed(batch: int = 200) -> int:
    """Settle every hand the journal holds, `batch` seals a transaction; answer how many seals.

    A hand that cannot be settled is set aside with its reason and tried again later, so that it
    holds up no other. Returns at once when another process is settling.
    """
    return drain(LOCK, lambda: _settle_batch(batch))


def retry_failures(limit: int = 1000) -> int:
    """Try every hand that was set aside again, due or not; answer how many could be settled now."""
    with transaction.atomic(durable=True):
        if not try_lock(LOCK):
            return 0
        cursor = _cursor()
        rows = SettlementFailure.objects.order_by("seal_position")[:limit]
        return _post([row.seal_position for row in rows], cursor)


def _settle_batch(batch: int) -> int:
    """One transaction's worth: the next seals, then what was set aside and is due again."""
    cursor = _cursor()
    seals = [
        seal.position
        for seal in reader.journal_after(cursor.seal_position, limit=batch, using=WRITER)
    ]
    due = SettlementFailure.objects.filter(retry_at__lte=timezone.now()).order_by("retry_at")
    retries = [row.seal_position for row in due[: batch - len(seals)]]
    if seals:
        assert seals[0] == cursor.seal_position + 1, (seals[0], cursor.seal_position)
        cursor.seal_position = seals[-1]
    _post([*seals, *retries], cursor)
    return len(seals) + len(retries)


def _cursor() -> SettlementCursor:
    cursor, _ = SettlementCursor.objects.get_or_create(id=1)
    return cursor


class Due(msgspec.Struct, frozen=True):
    """A seal to settle. `end_seq` is the event at which the thing stood as it is to be settled.

    For a hand that is its end, whatever ruling was sealed; for an entry the ruling itself.
    `setting` is None where an event is missing from the log.
    """

    seal: Sealed
    setting: Setting | None
    end_seq: int

    @property
    def thing(self) -> Thing:
        """What it is about."""
        return self.seal.game_id, self.seal.hand, self.seal.entry


def _post(positions: Sequence[int], cursor: SettlementCursor) -> int:
    """Settle these seals, insert what came out, move the cursor; answer how many were settled.

    In the order of the journal, so that of two seals of one hand the later one stands.
    """
    if not positions:
        return 0
    dues = _dues(positions)
    in_force = _in_force({due.thing for due in dues})
    begun_at = _next_moment(cursor)
    postings: list[Posting] = []
    for due in dues:
        done = len(postings)
        place = Place(cursor.position + done + 1, begun_at + timedelta(microseconds=done))
        posting = _attempt(due, in_force.get(due.thing, InForce()), place)
        if posting is not None:
            postings.append(posting)
            in_force[due.thing] = in_force_after(posting)
    Settlement.objects.bulk_create([posting.settlement for posting in postings])
    Transfer.objects.bulk_create([line for posting in postings for line in posting.transfers])
    _forget_failures([posting.settlement for posting in postings])
    cursor.position += len(postings)
    cursor.save()
    return len(postings)


def _next_moment(cursor: SettlementCursor) -> datetime:
    """Now, but after the last settlement, whatever became of the clock: `settled_at` only grows.

    Called under the lock (test_settled_at_grows_with_the_position_even_when_the_clock_goes_back).
    """
    with connection.cursor() as query:
        query.execute(
            "SELECT greatest(clock_timestamp(), max(settled_at) + interval '1 microsecond')"
            " FROM settlement WHERE position = %s",
            [cursor.position],
        )
        moment: datetime = query.fetchone()[0]
    return moment


def _attempt(due: Due, in_force: InForce, place: Place) -> Posting | None:
    """The posting of one seal, or None after setting it aside."""
    seal = due.seal
    try:
        return _posting(due, in_force, place)
    except DatabaseError:
        raise  # The database's trouble is not the hand's: the whole batch is tried again.
    except (Unsettled, RecordsError) as reason:
        _set_aside(seal, reason.code, reason.message)
    except Exception as error:
        # A fault of the engine in one hand must not stop all the others
        # (test_a_hand_that_cannot_be_scored_does_not_hold_up_the_others).
        logger.exception("hand_not_settled", game_id=str(seal.game_id), hand=seal.hand)
        _set_aside(seal, "engine_failed", f"{type(error).__name__}: {error}")
    return None


def _posting(due: Due, in_force: InForce, place: Place) -> Posting:
    """The posting of one seal. Raises Unsettled, RecordsError, and what the engine may."""
    seal = due.seal
    if due.setting is None:
        raise Unsettled("event_missing", f"An event that seq {seal.seq} rests on is missing.")
    game = reader.game_at(seal.game_id, due.end_seq, using=WRITER)
    return compose(
        seal=seal,
        event=reader.event_at(seal.game_id, seal.seq, game.ruleset.catalogue, using=WRITER),
        game=game,
        setting=due.setting,
        in_force=in_force,
        place=place,
    )


def _set_aside(seal: Sealed, code: str, message: str) -> None:
    """Record why a hand is not settled; each further failure doubles the wait before the next."""
    now = timezone.now()
    failure, is_new = SettlementFailure.objects.get_or_create(
        seal_position=seal.position,
        defaults={
            "game_id": seal.game_id,
            "hand": seal.hand,
            "entry": seal.entry,
            "seq": seal.seq,
            "code": code,
            "message": message,
            "retry_at": now + FIRST_RETRY,
        },
    )
    if not is_new:
        doubled = FIRST_RETRY * 2 ** min(failure.attempts, 16)
        failure.attempts += 1
        failure.code, failure.message = code, message
        failure.retry_at = now + min(doubled, LAST_RETRY)
        failure.save()


def _forget_failures(settled: Sequence[Settlement]) -> None:
    """Drop the failures of these hands: their own, and those of earlier seals they supersede."""
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM settlement_failure f"
            " USING unnest(%s::uuid[], %s::int[], %s::int[], %s::bigint[])"
            "   AS k(game_id, hand, entry, position)"
            " WHERE (f.game_id, f.hand, f.entry) = (k.game_id, k.hand, k.entry)"
            "   AND f.seal_position <= k.position",
            [
                [row.game_id for row in settled],
                [row.hand for row in settled],
                [row.entry for row in settled],
                [row.seal_position for row in settled],
            ],
        )


def _in_force(things: Collection[Thing]) -> dict[Thing, InForce]:
    """What counts at present for these things, where they were settled before."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT game_id, hand, entry, max(revision) FROM settlement"
            " JOIN unnest(%s::uuid[], %s::int[], %s::int[]) AS k(game_id, hand, entry)"
            " USING (game_id, hand, entry) GROUP BY game_id, hand, entry",
            [list(column) for column in zip(*things, strict=True)],
        )
        keys: list[ledger.Key] = cursor.fetchall()
    payments = ledger.payments_of(keys)
    return {
        key[:3]: InForce(key[3], tuple(paid for paid in payments[key] if paid.reverses is None))
        for key in keys
    }


# A ruling on a hand is sealed behind the hand's end, so the first seal of a hand is its end.
_DUES = """
    SELECT j.position, j.game_id, j.hand, j.seq, kind.entry, ended.seq, g.club_id,
           start.occurred_at_ms, ended.occurred_at_ms
    FROM journal j
    LEFT JOIN game g ON g.id = j.game_id
    LEFT JOIN event e ON e.game_id = j.game_id AND e.seq = j.seq
    LEFT JOIN event start ON start.game_id = j.game_id AND start.seq = 1
    CROSS JOIN LATERAL (
      SELECT CASE WHEN e.type IN ('adjusted', 'penalty') THEN e.seq
                  WHEN e.type = 'penalty_cancelled' THEN (e.public -> 'penalty')::int
                  ELSE 0 END AS entry
    ) AS kind
    LEFT JOIN event ended ON ended.game_id = j.game_id AND ended.seq = CASE
      WHEN kind.entry > 0 THEN j.seq
      ELSE (SELECT min(seq) FROM journal first WHERE first.game_id = j.game_id
              AND first.hand = j.hand) END
    WHERE j.position = ANY(%s) ORDER BY j.position
"""


def _dues(positions: Sequence[int]) -> list[Due]:
    """The seals at these positions of the journal, in its order."""
    with connection.cursor() as cursor:
        cursor.execute(_DUES, [list(positions)])
        return [_due(*row) for row in cursor.fetchall()]


def _due(
    position: int, game_id: UUID, hand: int, seq: int, entry: int, end_seq: int, *said: Any
) -> Due:
    """From a row of `_DUES`, whose last columns are those of the setting."""
    names = ("club_id", "started_at_ms", "ended_at_ms")
    seal = Sealed(position=position, game_id=game_id, hand=hand, entry=entry, seq=seq)
    return Due(
        seal,
        None if None in said else Setting(**dict(zip(names, said, strict=True))),
        end_seq,
    )
