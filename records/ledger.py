"""Reading the ledger: settlements, payments, and how far settling is behind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection
from django.db.models import QuerySet

from records.models.ledger import Settlement, SettlementCursor, SettlementFailure
from rules_engine.facts import HandFacts
from rules_engine.score import WinScore

Key = tuple[UUID, int, int, int]
"""Game, hand, entry and revision."""


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """One payment as posted: `points` in units of the stake, `seq` the event that caused it.

    `reverses` is the line of the revision before which this one cancels, if it cancels one. In an
    entry beside the hands there are no seats; an account may be the club's, by the club's id.
    """

    line: int
    payer: UUID
    payee: UUID
    payer_seat: int | None
    payee_seat: int | None
    points: int
    kind: str
    item: str
    rule: str
    seq: int
    reverses: int | None


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """One revision of the settlement of a hand, or of an entry beside the hands.

    `entry` is 0 for a hand, else the seq of the `adjusted` or `penalty` event; `hand` is then the
    hand it concerns, 0 for the game as a whole. `players` and `points` go together, points in units
    of the stake: by seat for a hand, else the accounts concerned, of which one may be the club's
    pot, by the club's id. `facts` is None unless the hand was won or drawn. `details` holds figures
    only one variant has. `next_dealer` and `next_streak` are what the hand makes of the next one
    (a free next dealer is None); an entry has neither, nor `dealer` and `streak`.

    `position` counts the settlements of all games from 1 in the order in which they were made, and
    `settled_at` grows with it. `started_at_ms` is when the game began, `ended_at_ms` when the hand
    ended at the table, whatever a ruling made of it later, or when the entry was made.
    """

    game_id: UUID
    hand: int
    entry: int
    revision: int
    position: int
    seal_position: int
    seq: int
    club_id: UUID
    ruleset: str
    ruleset_version: int
    engine: str
    result: str
    players: tuple[UUID, ...]
    points: tuple[int, ...]
    stake: int
    ladder_start: int
    dealer: int | None
    streak: int | None
    next_dealer: int | None
    next_streak: int | None
    facts: HandFacts | None
    wins: tuple[WinScore, ...]
    details: dict[str, Any]
    started_at_ms: int
    ended_at_ms: int
    settled_at: datetime
    payments: tuple[Payment, ...]

    @property
    def own_payments(self) -> tuple[Payment, ...]:
        """The payments of this revision itself, without the reversals of the one before."""
        return tuple(payment for payment in self.payments if payment.reverses is None)


class Mismatch(msgspec.Struct, frozen=True):
    """A settlement whose payments are not what it states. There never is one."""

    game_id: UUID
    hand: int
    entry: int
    revision: int


class Failures(msgspec.Struct, frozen=True):
    """Sealed hands and entries that could not be settled: how many, and the oldest few."""

    count: int
    oldest: tuple[Failure, ...]


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """Why a sealed hand or entry could not be settled, and when it is tried again."""

    game_id: UUID
    hand: int
    entry: int
    code: str
    message: str
    attempts: int
    first_failed_at: datetime
    retry_at: datetime


def settled_after(position: int, limit: int, *, club_id: UUID | None = None) -> list[Settled]:
    """The next settlements after `position`, in order, `limit` at most: of all clubs, or of one."""
    rows = Settlement.objects.filter(position__gt=position).order_by("position")
    if club_id is not None:
        rows = rows.filter(club_id=club_id)
    return _with_payments(rows[:limit])


def settled_in(clubs: Collection[UUID], *, after: int, upto: int, limit: int) -> list[Settled]:
    """The next settlements of these clubs after `after` and up to `upto`, in order."""
    rows = Settlement.objects.filter(
        club_id__in=clubs, position__gt=after, position__lte=upto
    ).order_by("position")
    return _with_payments(rows[:limit])


def last_position() -> int:
    """The position of the last settlement. All up to it can be seen by whoever asks now."""
    cursor = SettlementCursor.objects.filter(id=1).first()
    return 0 if cursor is None else cursor.position


def settlement_of_game(game_id: UUID, *, upto: int | None = None) -> list[Settled]:
    """The hands and entries of a game as they stand: the last revision of each.

    With ``upto``: as they stood after that event, ``seq``, of the game.

    Hands come first, by number, then the entries in the order in which they were made.
    """
    rows = _upto(Settlement.objects.filter(game_id=game_id), upto)
    rows = rows.order_by("entry", "hand", "-revision").distinct("entry", "hand")
    return _with_payments(rows)


def settlements_of_game(game_id: UUID) -> list[Settled]:
    """Every revision of every hand and entry of a game, in the order in which they were made."""
    return _with_payments(Settlement.objects.filter(game_id=game_id).order_by("position"))


def revisions_of_hand(game_id: UUID, hand: int, *, upto: int | None = None) -> list[Settled]:
    """Every revision of a hand's settlement, the first one first; empty when not settled yet.

    With ``upto`` only those that followed from the game's events up to this seq.
    """
    rows = _upto(Settlement.objects.filter(game_id=game_id, hand=hand, entry=0), upto)
    return _with_payments(rows.order_by("revision"))


def _upto(rows: QuerySet[Settlement], seq: int | None) -> QuerySet[Settlement]:
    return rows if seq is None else rows.filter(seq__lte=seq)


def mismatches() -> list[Mismatch]:
    """Settlements whose payments do not add up, over the whole ledger."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT game_id, hand, entry, revision FROM ledger_mismatch")
        return [Mismatch(*row) for row in cursor.fetchall()]


def age_of_oldest_unsettled_hand_s() -> float:
    """Seconds since the oldest hand that is due was sealed; 0.0 when nothing is due.

    Counts hands on the way through queue and journal. Those that were tried and failed are counted
    by `settlement_failures`, so that one of them does not hide whether the others move.
    """
    with connection.cursor() as cursor:
        cursor.execute(_OLDEST)
        row = cursor.fetchone()
    return float(row[0]) if row and row[0] is not None else 0.0


def settlement_failures(limit: int = 20) -> Failures:
    """The sealed hands that could not be settled so far."""
    rows = SettlementFailure.objects.order_by("first_failed_at", "seal_position")
    return Failures(
        count=rows.count(),
        oldest=tuple(msgspec.convert(row, Failure, from_attributes=True) for row in rows[:limit]),
    )


# The journal is ordered by the time of sealing, so its first row behind the cursor is its oldest.
_OLDEST = """
    SELECT greatest(0, extract(epoch from clock_timestamp() - min(since))) FROM (
      SELECT min(queued_at) AS since FROM seal_queue
      UNION ALL
      (SELECT sealed_at FROM journal
        WHERE position > coalesce((SELECT seal_position FROM settlement_cursor), 0)
        ORDER BY position LIMIT 1)
    ) AS due
"""

_PAYMENTS = """
    SELECT t.game_id, t.hand, t.entry, t.revision, t.line, t.payer, t.payee, t.payer_seat,
           t.payee_seat, t.points, t.kind, t.item, t.rule, t.seq, t.reverses
    FROM transfer t
    JOIN unnest(%s::uuid[], %s::int[], %s::int[], %s::int[]) AS k(game_id, hand, entry, revision)
      USING (game_id, hand, entry, revision)
    ORDER BY t.game_id, t.hand, t.entry, t.revision, t.line
"""


def _with_payments(rows: Iterable[Settlement]) -> list[Settled]:
    settlements = list(rows)
    keys = [(row.game_id, row.hand, row.entry, row.revision) for row in settlements]
    payments = payments_of(keys)
    return [_settled(row, payments[key]) for row, key in zip(settlements, keys, strict=True)]


def payments_of(keys: Sequence[Key]) -> dict[Key, list[Payment]]:
    """The payments of these settlements by key, in the order of their lines."""
    found: defaultdict[Key, list[Payment]] = defaultdict(list)
    if not keys:
        return found
    with connection.cursor() as cursor:
        cursor.execute(_PAYMENTS, [list(column) for column in zip(*keys, strict=True)])
        for game_id, hand, entry, revision, *values in cursor.fetchall():
            payment = Payment(**dict(zip(Payment.__struct_fields__, values, strict=True)))
            found[game_id, hand, entry, revision].append(payment)
    return found


def _settled(row: Settlement, payments: Sequence[Payment]) -> Settled:
    return Settled(
        game_id=row.game_id,
        hand=row.hand,
        entry=row.entry,
        revision=row.revision,
        position=row.position,
        seal_position=row.seal_position,
        seq=row.seq,
        club_id=row.club_id,
        ruleset=row.ruleset,
        ruleset_version=row.ruleset_version,
        engine=row.engine,
        result=row.result,
        players=tuple(row.players),
        points=tuple(row.points),
        stake=row.stake,
        ladder_start=row.ladder_start,
        dealer=row.dealer,
        streak=row.streak,
        next_dealer=row.next_dealer,
        next_streak=row.next_streak,
        facts=None if row.facts is None else msgspec.convert(row.facts, HandFacts),
        wins=msgspec.convert(row.score["wins"], tuple[WinScore, ...]),
        details=row.score["details"],
        started_at_ms=row.started_at_ms,
        ended_at_ms=row.ended_at_ms,
        settled_at=row.settled_at,
        payments=tuple(payments),
    )
