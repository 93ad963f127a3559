"""Settling: each seal of the journal becomes one settlement with its payments.

`settle_sealed` may be called by any number of processes, as often as they like: the cursor moves in
the transaction that posts the rows, under a lock. What is posted is composed in `posting`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

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

EventKey = tuple[UUID, int]
"""Game and seq."""
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
        return _post([_sealed(row) for row in rows], cursor)


def _settle_batch(batch: int) -> int:
    """One transaction's worth: the next seals, then what was set aside and is due again."""
    cursor = _cursor()
    seals = [
        _sealed(seal)
        for seal in reader.journal_after(cursor.seal_position, limit=batch, using=WRITER)
    ]
    due = SettlementFailure.objects.filter(retry_at__lte=timezone.now()).order_by("retry_at")
    retries = [_sealed(row) for row in due[: batch - len(seals)]]
    if seals:
        assert seals[0].position == cursor.seal_position + 1, (seals[0], cursor.seal_position)
        cursor.seal_position = seals[-1].position
    _post([*seals, *retries], cursor)
    return len(seals) + len(retries)


def _cursor() -> SettlementCursor:
    cursor, _ = SettlementCursor.objects.get_or_create(id=1)
    return cursor


def _sealed(row: Any) -> Sealed:
    """From a row of the journal or of the failures."""
    position = row.seal_position if isinstance(row, SettlementFailure) else row.position
    return Sealed(position=position, game_id=row.game_id, hand=row.hand, seq=row.seq)


def _post(seals: Sequence[Sealed], cursor: SettlementCursor) -> int:
    """Settle these seals, insert what came out, move the cursor; answer how many were settled.

    In the order of the journal, so that of two seals of one hand the later one stands.
    """
    if not seals:
        return 0
    settings = _settings(seals)
    in_force = _in_force(seals)
    begun_at = _next_moment(cursor)
    postings: list[Posting] = []
    for seal in sorted(seals, key=lambda seal: seal.position):
        thing = seal.game_id, seal.hand, seal.entry
        done = len(postings)
        place = Place(cursor.position + done + 1, begun_at + timedelta(microseconds=done))
        posting = _attempt(seal, settings, in_force.get(thing, InForce()), place)
        if posting is not None:
            postings.append(posting)
            in_force[thing] = in_force_after(posting)
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


def _attempt(
    seal: Sealed, settings: Mapping[EventKey, Setting], in_force: InForce, place: Place
) -> Posting | None:
    """The posting of one seal, or None after setting it aside."""
    try:
        return compose(
            seal=seal,
            game=reader.game_at(seal.game_id, seal.seq, using=WRITER),
            setting=settings[seal.game_id, seal.seq],
            in_force=in_force,
            place=place,
        )
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


def _set_aside(seal: Sealed, code: str, message: str) -> None:
    """Record why a hand is not settled; each further failure doubles the wait before the next."""
    now = timezone.now()
    failure, is_new = SettlementFailure.objects.get_or_create(
        seal_position=seal.position,
        defaults={
            "game_id": seal.game_id,
            "hand": seal.hand,
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


def _in_force(seals: Sequence[Sealed]) -> dict[Thing, InForce]:
    """What counts at present for the things these seals are about, where they were settled."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT game_id, hand, entry, max(revision) FROM settlement"
            " JOIN (SELECT DISTINCT * FROM unnest(%s::uuid[], %s::int[], %s::int[])"
            "       AS k(game_id, hand, entry)) AS k"
            " USING (game_id, hand, entry) GROUP BY game_id, hand, entry",
            [
                [seal.game_id for seal in seals],
                [seal.hand for seal in seals],
                [seal.entry for seal in seals],
            ],
        )
        keys: list[ledger.Key] = cursor.fetchall()
    payments = ledger.payments_of(keys)
    return {
        (game_id, hand, entry): InForce(
            revision,
            tuple(
                payment
                for payment in payments[game_id, hand, entry, revision]
                if payment.reverses is None
            ),
        )
        for game_id, hand, entry, revision in keys
    }


def _settings(seals: Sequence[Sealed]) -> dict[EventKey, Setting]:
    """The club of each seal's game, when that began, and when the seal's event happened."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT e.game_id, e.seq, g.club_id, start.occurred_at_ms, e.occurred_at_ms"
            " FROM unnest(%s::uuid[], %s::int[]) AS k(game_id, seq)"
            " JOIN event e USING (game_id, seq) JOIN game g ON g.id = e.game_id"
            " JOIN event start ON start.game_id = e.game_id AND start.seq = 1",
            [[seal.game_id for seal in seals], [seal.seq for seal in seals]],
        )
        return {
            (game_id, seq): Setting(
                club_id=club_id, started_at_ms=started_at_ms, ended_at_ms=ended_at_ms
            )
            for game_id, seq, club_id, started_at_ms, ended_at_ms in cursor.fetchall()
        }
