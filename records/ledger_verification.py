"""Whether the ledger is what the log comes to: every seal settled, every payment as the rules say.

Everything is derived again from the events (`rules_engine.history`) and the engine, by another way
than settling takes, and held against the rows. Works beside ``verification``, which asks the same
of the log itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final
from uuid import UUID

import msgspec
from django.db import connection

from records import reader
from records.ledger import Payment, Settled, settlements_of_game
from records.verification import Finding
from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import CLUB
from rules_engine.facts import HandFacts
from rules_engine.fold import Game
from rules_engine.history import EntryHistory, HandHistory, History, history

WRITER: Final = "default"
"""The alias the ledger is settled through, so that nothing just settled seems to be missing."""

Line = tuple[UUID, UUID, int, str, str, str, int]
"""A payment as both sides say it: payer, payee, points, kind, item, rule, seq."""


class LedgerReport(msgspec.Struct, frozen=True):
    """What became of one game: how many settlements were read, and what is wrong first."""

    game_id: UUID
    settlements: int
    finding: Finding | None


def verify_ledger_of(game_id: UUID) -> LedgerReport:
    """Derive a game's ledger again and compare. Raises UnknownGame.

    Kinds of findings: rules (the log itself cannot be replayed), unsettled, settlement (a row that
    is not what was sealed), payment, sum.
    """
    reader.head(game_id, using=WRITER)
    settled = settlements_of_game(game_id)
    finding = next(_findings(game_id, settled), None)
    return LedgerReport(game_id=game_id, settlements=len(settled), finding=finding)


def _findings(game_id: UUID, settled: Sequence[Settled]) -> Iterator[Finding]:
    """What is wrong with a game's ledger, in the order in which it was settled."""
    try:
        past = history(reader.numbered_events(game_id, using=WRITER))
    except IllegalEvent as error:
        yield Finding("rules", error.violation.message, game_id, error.violation.seq or None)
        return
    expected = _expected(past)
    for row in settled:
        sealed = expected.get(row.seq)
        if sealed is None or (sealed.hand, sealed.entry) != (row.hand, row.entry):
            yield _wrong("settlement", row, "settles an event that seals no such thing")
        else:
            yield from _compare(row, sealed, past.game)
    yield from _unsettled(game_id, settled)
    yield from _mismatched(game_id, settled)
    yield from _sums(game_id, settled)


class _Sealed(msgspec.Struct, frozen=True, kw_only=True):
    """What an event sealed: a hand with its facts, or an entry with its payments."""

    seq: int
    hand: int
    entry: int
    result: str
    accounts: tuple[str | None, ...] = ()
    facts: HandFacts | None = None
    entered: EntryHistory | None = None


def _expected(past: History) -> Mapping[int, _Sealed]:
    """Every sealing event of a log by its seq."""
    sealed = [each for hand in past.hands for each in _of_hand(hand)]
    sealed += [each for entry in past.entries for each in _of_entry(entry)]
    return {each.seq: each for each in sealed}


def _of_hand(hand: HandHistory) -> Iterator[_Sealed]:
    for revision in hand.revisions:
        nothing = "voided" if revision.kind == "voided" else "abandoned"
        yield _Sealed(
            seq=revision.seq,
            hand=hand.hand,
            entry=0,
            result=nothing if revision.facts is None else revision.facts.result,
            accounts=hand.record.players,
            facts=revision.facts,
        )


def _of_entry(entry: EntryHistory) -> Iterator[_Sealed]:
    yield _Sealed(seq=entry.seq, hand=entry.hand, entry=entry.seq, result=entry.kind, entered=entry)
    if entry.cancelled is not None:
        yield _Sealed(
            seq=entry.cancelled.seq, hand=entry.hand, entry=entry.seq, result="penalty_cancelled"
        )


def _compare(row: Settled, sealed: _Sealed, game: Game) -> Iterator[Finding]:
    """A settlement beside what its event sealed, and its own payments beside the engine's."""
    if row.result != sealed.result:
        yield _wrong("settlement", row, f"says {row.result}, the log {sealed.result}")
        return
    if (row.ruleset, row.ruleset_version) != (game.ruleset.slug, game.ruleset.version):
        yield _wrong("settlement", row, "is of another ruleset than the game")
        return
    if sealed.accounts and tuple(str(player) for player in row.players) != sealed.accounts:
        yield _wrong("settlement", row, "names other players than sat at the table")
        return
    if row.facts != sealed.facts:
        yield _wrong("settlement", row, "rests on other facts than the log's")
        return
    lines = _lines(row, sealed, game)
    if isinstance(lines, Violation):
        yield _wrong("settlement", row, f"settles what the rules refuse: {lines.message}")
        return
    for posted, due in zip_longest((_line(paid) for paid in row.own_payments), lines):
        if posted != due:
            yield _wrong("payment", row, f"has the payment {_said(posted)}, due is {_said(due)}")
            return
    yield from _points(row, lines)


def _lines(row: Settled, sealed: _Sealed, game: Game) -> list[Line] | Violation:
    """The payments that are due."""
    if sealed.entered is not None:
        kind = "penalty" if sealed.entered.kind == "penalty" else "adjustment"
        accounts = {CLUB: row.club_id}
        return [
            (
                accounts.get(due.payer) or UUID(due.payer),
                accounts.get(due.payee) or UUID(due.payee),
                due.points,
                kind,
                kind,
                "",
                sealed.seq,
            )
            for due in sealed.entered.transfers
        ]
    if sealed.facts is None:
        return []
    score = game.ruleset.score(sealed.facts, game.options)
    if isinstance(score, Violation):
        return score
    return [
        (
            row.players[transfer.payer],
            row.players[transfer.payee],
            transfer.points,
            transfer.kind,
            transfer.item,
            transfer.rule,
            transfer.seq or sealed.seq,
        )
        for transfer in score.transfers
    ]


def _points(row: Settled, lines: Sequence[Line]) -> Iterator[Finding]:
    """The points a settlement states beside those its payments come to."""
    gained: defaultdict[UUID, int] = defaultdict(int)
    for payer, payee, points, *_ in lines:
        gained[payer] -= points
        gained[payee] += points
    for account, stated in zip(row.players, row.points, strict=True):
        if gained[account] != stated:
            yield _wrong("sum", row, f"gives {account} {stated} points, paid are {gained[account]}")
            return


def _line(paid: Payment) -> Line:
    return (paid.payer, paid.payee, paid.points, paid.kind, paid.item, paid.rule, paid.seq)


def _said(line: Line | None) -> str:
    """A payment in words."""
    if line is None:
        return "none"
    payer, payee, points, kind, item, rule, seq = line
    return f"{points} from {payer} to {payee} ({kind} {item} {rule}, seq {seq})"


def _unsettled(game_id: UUID, settled: Sequence[Settled]) -> Iterator[Finding]:
    """Seals that settling has passed and that are neither settled nor noted as a failure.

    A failure is dropped once a later seal of the same hand is settled, and stands for it then.
    """
    with connection.cursor() as cursor:
        cursor.execute(_UNSETTLED, {"game": game_id})
        for position, hand, seq in cursor.fetchall():
            yield Finding(
                "unsettled",
                f"seal {position} of hand {hand} has neither a settlement nor a failure",
                game_id,
                seq,
            )
    sealed = {row.seal_position for row in settled}
    with connection.cursor() as cursor:
        cursor.execute(_SEALED, [list(sealed)])
        known = {(position, game, seq) for position, game, seq in cursor.fetchall()}
    for row in settled:
        if (row.seal_position, game_id, row.seq) not in known:
            yield _wrong("settlement", row, f"is not what the journal has at {row.seal_position}")


def _mismatched(game_id: UUID, settled: Sequence[Settled]) -> Iterator[Finding]:
    """What the database itself finds: payments, reversals and copies (view `ledger_mismatch`)."""
    rows = {(row.hand, row.entry, row.revision): row for row in settled}
    with connection.cursor() as cursor:
        cursor.execute(_MISMATCHED, [game_id])
        for hand, entry, revision, accounts, lines, copies in cursor.fetchall():
            what = "states other points than it pays to" if accounts else "reverses wrongly"
            named = accounts or lines or copies or "the revision before is missing"
            if copies and not (accounts or lines):
                what = "has payments of another time, club or position: lines"
            row = rows.get((hand, entry, revision))
            if row is not None:
                yield _wrong("payment", row, f"{what} {named}")


def _sums(game_id: UUID, settled: Sequence[Settled]) -> Iterator[Finding]:
    """What every payment of a game leaves each account beside what its settlements in force say."""
    paid: defaultdict[UUID, int] = defaultdict(int)
    stated: defaultdict[UUID, int] = defaultdict(int)
    in_force = {(row.hand, row.entry): row for row in settled}
    for row in settled:
        for payment in row.payments:
            paid[payment.payer] -= payment.points
            paid[payment.payee] += payment.points
    for row in in_force.values():
        for account, points in zip(row.players, row.points, strict=True):
            stated[account] += points
    for account in sorted(paid.keys() | stated.keys()):
        if paid[account] != stated[account]:
            message = f"{account} was paid {paid[account]} points, in force are {stated[account]}"
            yield Finding("sum", message, game_id)
            return


def _wrong(kind: str, row: Settled, message: str) -> Finding:
    """A finding on one row, which it names."""
    entry = f", entry {row.entry}" if row.entry else ""
    name = f"settlement {row.position} (hand {row.hand}{entry}, revision {row.revision})"
    return Finding(kind, f"{name} {message}", row.game_id, row.seq)


def verify_whole_ledger() -> Finding | None:
    """What concerns no single game: positions without gaps, and clubs whose points sum to zero."""
    with connection.cursor() as cursor:
        cursor.execute(_GAPS)
        gap = cursor.fetchone()
        if gap is not None:
            return Finding("settlement", f"no settlement has position {gap[0]}")
        cursor.execute(_CLUBS)
        off = cursor.fetchone()
    if off is None:
        return None
    return Finding("sum", f"the points of club {off[0]} sum to {off[1]} and not to 0")


_UNSETTLED: Final = """
    SELECT j.position, j.hand, j.seq FROM journal j
    JOIN event e ON e.game_id = j.game_id AND e.seq = j.seq
    CROSS JOIN LATERAL (
      SELECT CASE WHEN e.type IN ('adjusted', 'penalty') THEN e.seq
                  WHEN e.type = 'penalty_cancelled' THEN (e.public -> 'penalty')::int
                  ELSE 0 END AS entry
    ) AS thing
    WHERE j.game_id = %(game)s
      AND j.position <= (SELECT coalesce(max(seal_position), 0) FROM settlement_cursor)
      AND NOT EXISTS (SELECT FROM settlement_failure f WHERE f.seal_position = j.position)
      AND NOT EXISTS (
        SELECT FROM settlement s WHERE s.game_id = j.game_id AND s.hand = j.hand
          AND s.entry = thing.entry AND s.seal_position >= j.position)
    ORDER BY j.position
"""
_SEALED: Final = "SELECT position, game_id, seq FROM journal WHERE position = ANY (%s)"
_MISMATCHED: Final = """
    SELECT hand, entry, revision, accounts, lines, copies FROM ledger_mismatch
    WHERE game_id = %s ORDER BY hand, entry, revision
"""
_GAPS: Final = """
    SELECT position - 1 FROM (
      SELECT position, lag(position, 1, 0::bigint) OVER (ORDER BY position) AS before
      FROM settlement
    ) AS pair WHERE before <> position - 1 ORDER BY position LIMIT 1
"""
_CLUBS: Final = """
    SELECT club_id, sum(gained) FROM settlement CROSS JOIN unnest(points) AS gained
    GROUP BY club_id HAVING sum(gained) <> 0 ORDER BY club_id LIMIT 1
"""
