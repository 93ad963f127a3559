"""What a change of rules would have changed: stored hands scored again, and nothing written.

A hand's facts in force are scored under another version of its ruleset, or under its own game's
options with some of them replaced, and held against the settlement in force. Dealers and streaks
stand as they were played; where the other rules would have made the next ones different, that is
told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection, transaction

from records import ledger, reader
from records.ledger import Settled
from rules_engine import registry
from rules_engine.errors import Violation
from rules_engine.game import Game
from rules_engine.history import history
from rules_engine.ruleset import Options, Ruleset, bind_play, dump_options, make_options
from rules_engine.score import HandScore, Transfer, WinScore, points_by_seat


class Other(msgspec.Struct, frozen=True):
    """The rules to try: a version (None: each game's own), and options put over each game's own."""

    slug: str
    version: int | None = None
    options: Mapping[str, Any] = {}


class Scope(msgspec.Struct, frozen=True):
    """Which hands: of one club (None: all), ended at or after a moment (None: ever)."""

    club_id: UUID | None = None
    since_ms: int | None = None


class PaymentChange(msgspec.Struct, frozen=True):
    """What one seat pays another for one item, now and under the other rules; 0 for no payment."""

    payer: int
    payee: int
    kind: str
    item: str
    before: int
    after: int


class NextDeal(msgspec.Struct, frozen=True):
    """The dealer (None: free) and the streak that a hand makes of the next one."""

    dealer: int | None
    streak: int


class HandChange(msgspec.Struct, frozen=True, kw_only=True):
    """A hand that would differ. Points are by seat in units of the stake.

    ``illegal`` says why the other rules would not have allowed it; then no points would have been
    paid. ``wins`` are the winners' totals. ``next_after`` is None where the next deal is the same.
    """

    game_id: UUID
    hand: int
    players: tuple[UUID, ...]
    points_before: tuple[int, ...]
    points_after: tuple[int, ...]
    wins_before: tuple[WinScore, ...]
    wins_after: tuple[WinScore, ...]
    payments: tuple[PaymentChange, ...]
    illegal: Violation | None
    next_before: NextDeal
    next_after: NextDeal | None


class GameImpact(msgspec.Struct, frozen=True):
    """One game: hands looked at, those that would differ, or why its options are not possible."""

    game_id: UUID
    club_id: UUID
    hands: int
    changes: tuple[HandChange, ...]
    refused: Violation | None = None


@contextmanager
def sandbox() -> Iterator[None]:
    """One moment of the database, in which nothing can be written."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def games_in(slug: str, scope: Scope) -> list[UUID]:
    """The games of a ruleset that have settled hands in this scope, the oldest first."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT game_id FROM settlement WHERE ruleset = %s"
            " AND (%s::uuid IS NULL OR club_id = %s)"
            " AND (%s::bigint IS NULL OR ended_at_ms >= %s) ORDER BY game_id",
            [slug, scope.club_id, scope.club_id, scope.since_ms, scope.since_ms],
        )
        return [row[0] for row in cursor.fetchall()]


def impact_on_game(game_id: UUID, other: Other, scope: Scope) -> GameImpact:
    """What of a game would differ. Raises UnknownRuleset for a version that is not installed."""
    settled = [
        hand
        for hand in ledger.settlement_of_game(game_id)
        if hand.facts is not None and (scope.since_ms is None or hand.ended_at_ms >= scope.since_ms)
    ]
    club_id = settled[0].club_id if settled else UUID(int=0)
    memories, game = _memories(game_id)
    found = options_under(game, other)
    if isinstance(found, Violation):
        return GameImpact(game_id, club_id, len(settled), (), found)
    ruleset, options = found
    changes = (_change(hand, ruleset, options, memories[hand.hand]) for hand in settled)
    return GameImpact(
        game_id, club_id, len(settled), tuple(change for change in changes if change is not None)
    )


def options_under(game: Game, other: Other) -> tuple[Ruleset, Options] | Violation:
    """The ruleset and options a game would have had. Options the version lacks are left out."""
    ruleset = registry.get(other.slug, other.version or game.ruleset.version)
    known = set(ruleset.options.__struct_fields__)
    given: dict[str, Any] = {
        name: value for name, value in dump_options(game.options).items() if name in known
    }
    for name, value in other.options.items():
        own = given.get(name)
        # A table of numbers is changed number by number.
        given[name] = {**own, **value} if isinstance(own, dict) else value
    options = make_options(ruleset.options, given)
    return options if isinstance(options, Violation) else (ruleset, options)


def _memories(game_id: UUID) -> tuple[dict[int, bytes], Game]:
    """What each hand's end found in the variant's memory, as JSON, and the game as it is now."""
    past = history(reader.numbered_events(game_id, using="default"))
    memories = {hand.hand: msgspec.json.encode(hand.record.memory) for hand in past.hands}
    return memories, past.game


def _change(hand: Settled, ruleset: Ruleset, options: Options, memory: bytes) -> HandChange | None:
    """How a hand would differ, or None where nothing would."""
    assert hand.facts is not None
    assert hand.next_streak is not None
    scored = ruleset.score(hand.facts, options)
    illegal = scored if isinstance(scored, Violation) else None
    score = HandScore(wins=(), transfers=()) if isinstance(scored, Violation) else scored
    payments = _payment_changes(hand, score.transfers)
    next_before = NextDeal(hand.next_dealer, hand.next_streak)
    next_after = _next_deal(hand, ruleset, options, memory)
    same = not illegal and not payments and hand.wins == score.wins
    if same and next_after == next_before:
        return None
    return HandChange(
        game_id=hand.game_id,
        hand=hand.hand,
        players=hand.players,
        points_before=hand.points,
        points_after=points_by_seat(score.transfers),
        wins_before=hand.wins,
        wins_after=score.wins,
        payments=payments,
        illegal=illegal,
        next_before=next_before,
        next_after=None if next_after == next_before else next_after,
    )


def _next_deal(hand: Settled, ruleset: Ruleset, options: Options, memory: bytes) -> NextDeal:
    """The next dealer and streak under these rules, after the hands before as they were played."""
    play = bind_play(ruleset, options)
    kept = msgspec.json.decode(memory, type=play.memory_type)
    assert hand.dealer is not None
    assert hand.streak is not None
    dealer, streak, _ = play.rotate(kept, hand.facts, hand.dealer, hand.streak)
    return NextDeal(dealer, streak)


def _payment_changes(hand: Settled, transfers: Sequence[Transfer]) -> tuple[PaymentChange, ...]:
    """The payments that would be others, in the order of seats."""
    before: Counter[tuple[int, int, str, str]] = Counter()
    after: Counter[tuple[int, int, str, str]] = Counter()
    for payment in hand.own_payments:
        assert payment.payer_seat is not None
        assert payment.payee_seat is not None
        key = (payment.payer_seat, payment.payee_seat, payment.kind, payment.item)
        before[key] += payment.points
    for transfer in transfers:
        key = (transfer.payer, transfer.payee, transfer.kind, transfer.item)
        after[key] += transfer.points
    return tuple(
        PaymentChange(*key, before[key], after[key])
        for key in sorted(before | after)
        if before[key] != after[key]
    )
