"""What the read side keeps: each seat's result of each hand, standings, and steps of the ladder.

Everything follows from the ledger by one pass in the order of `position`, so it can be brought up
to date hand by hand (`advance_projections`) or made anew (`rebuild`), with the same outcome. A hand
that is settled again takes the place of its earlier result: what that added is taken off first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction

from records.drain import drain, wait_for_lock
from records.ledger import Settled, settled_after
from replays.models import ProjectionCursor, SeatResult, Standing, TierChange
from rules_engine.ladders import tier_of

LOCK: Final = "advance_projections"
ALL_RULESETS: Final = ""
"""The `ruleset` of a standing that counts every ruleset of its club together."""

SeatKey = tuple[UUID, int, int]
StandingKey = tuple[UUID, str, UUID]


def advance_projections(batch: int = 500) -> int:
    """Take in every settlement not taken in yet, `batch` a transaction; answer how many.

    Returns at once when another process is doing it.
    """
    return drain(LOCK, lambda: _advance_batch(batch))


def rebuild(batch: int = 500) -> int:
    """Make everything anew in one transaction; answer how many settlements were taken in.

    Readers see what was there before until it commits, and hands may be settled meanwhile.
    """
    done = 0
    with transaction.atomic(durable=True):
        wait_for_lock(LOCK)
        with connection.cursor() as cursor:
            # Not TRUNCATE: readers would have to wait for it, and see nothing until it commits.
            cursor.execute("DELETE FROM projection_cursor")
            cursor.execute("DELETE FROM seat_result")
            cursor.execute("DELETE FROM standing")
            cursor.execute("DELETE FROM tier_change")
        while count := _advance_batch(batch):
            done += count
    return done


def _advance_batch(batch: int) -> int:
    cursor, _ = ProjectionCursor.objects.get_or_create(id=1)
    settled = settled_after(cursor.position, batch)
    if not settled:
        return 0
    assert settled[0].position == cursor.position + 1, (settled[0].position, cursor.position)
    work = Work(settled)
    for hand in settled:
        work.take_in(hand)
    work.write()
    cursor.position = settled[-1].position
    cursor.save()
    return len(settled)


def seat_results(hand: Settled) -> list[SeatResult]:
    """The four results of a settled hand; none when it was abandoned. Pure."""
    if hand.facts is None:
        return []
    worth = {win.seat: win.total for win in hand.wins}
    winners = {win.seat: win for win in hand.facts.wins if win.seat in worth}
    melds = {holding.seat: holding.melds for holding in hand.facts.table}
    melds.update((win.seat, win.melds) for win in hand.facts.wins)
    return [
        SeatResult(
            game_id=hand.game_id,
            hand=hand.hand,
            seat=seat,
            position=hand.position,
            club_id=hand.club_id,
            ruleset=hand.ruleset,
            player_id=player,
            ladder_start=hand.ladder_start,
            points=hand.points[seat],
            gang_points=_points_apart_from_wins(hand, seat),
            won=winners[seat].by if seat in winners else "",
            total=worth.get(seat),
            dealt_in=any(win.from_ == seat for win in winners.values()),
            gangs=sum(meld.kind.endswith("_gang") for meld in melds.get(seat, ())),
            ended_at_ms=hand.ended_at_ms,
        )
        for seat, player in enumerate(hand.players)
    ]


def _points_apart_from_wins(hand: Settled, seat: int) -> int:
    apart = [payment for payment in hand.own_payments if payment.kind != "hu"]
    received = sum(payment.points for payment in apart if payment.payee_seat == seat)
    return received - sum(payment.points for payment in apart if payment.payer_seat == seat)


class Work:
    """The rows that some settlements touch, read once, changed in memory, written once."""

    def __init__(self, settled: Sequence[Settled]) -> None:
        results = SeatResult.objects.filter(game_id__in={hand.game_id for hand in settled})
        self.results: dict[SeatKey, SeatResult] = {_seat_key(row): row for row in results}
        self.hands_of = Counter((row.game_id, row.player_id) for row in self.results.values())
        players = {player for hand in settled for player in hand.players}
        players |= {row.player_id for row in self.results.values()}
        standings = Standing.objects.filter(
            club_id__in={hand.club_id for hand in settled}, player_id__in=players
        )
        self.standings: dict[StandingKey, Standing] = {_standing_key(row): row for row in standings}
        self.written: dict[SeatKey, SeatResult] = {}
        self.removed: set[SeatKey] = set()
        self.touched: set[StandingKey] = set()
        self.best_lost: set[StandingKey] = set()
        self.tier_changes: list[TierChange] = []

    def take_in(self, hand: Settled) -> None:
        """Put the results of a hand in the place of what it had before, if anything."""
        if hand.entry:
            return
        touched: set[StandingKey] = set()
        for seat in range(4):
            key = (hand.game_id, hand.hand, seat)
            before = self.results.pop(key, None)
            if before is not None:
                self.written.pop(key, None)
                self.removed.add(key)
                touched.update(self._count(before, -1))
        for result in seat_results(hand):
            key = _seat_key(result)
            self.results[key] = self.written[key] = result
            touched.update(self._count(result, 1))
        for standing_key in sorted(touched):
            self._climb(self.standings[standing_key], hand)
        self.touched |= touched

    def _count(self, result: SeatResult, sign: int) -> list[StandingKey]:
        """Add a result to its player's standings, or with `sign` -1 take it off."""
        together = (result.game_id, result.player_id)
        self.hands_of[together] += sign
        is_a_game = self.hands_of[together] == (1 if sign > 0 else 0)
        keys = [
            (result.club_id, ruleset, result.player_id)
            for ruleset in (result.ruleset, ALL_RULESETS)
        ]
        for key in keys:
            standing = self.standings.setdefault(key, _new_standing(key, result.ladder_start))
            standing.games += sign * is_a_game
            standing.hands += sign
            standing.points += sign * result.points
            standing.wins += sign * bool(result.won)
            standing.zimo_wins += sign * (result.won == "zimo")
            standing.deal_ins += sign * result.dealt_in
            standing.gangs += sign * result.gangs
            if sign > 0 and (result.total or 0) > (standing.best_total or 0):
                _set_best(standing, result)
            if sign < 0 and _is_best(standing, result):
                self.best_lost.add(key)
        return keys

    def _climb(self, standing: Standing, hand: Settled) -> None:
        """Bring the ladder up to date, and note a step up or down with the hand that caused it."""
        before = standing.tier
        standing.ladder_score = standing.ladder_start + standing.points
        standing.tier = tier_of(standing.ladder_score).tier
        if standing.tier != before:
            self.tier_changes.append(
                TierChange(
                    club_id=standing.club_id,
                    ruleset=standing.ruleset,
                    player_id=standing.player_id,
                    position=hand.position,
                    game_id=hand.game_id,
                    hand=hand.hand,
                    revision=hand.revision,
                    from_tier=before,
                    to_tier=standing.tier,
                    ladder_score=standing.ladder_score,
                    ended_at_ms=hand.ended_at_ms,
                )
            )

    def write(self) -> None:
        """Write every row that changed."""
        _delete_results(self.removed)
        _upsert(SeatResult, self.written.values(), ("game_id", "hand", "seat"))
        for key in self.best_lost:
            _find_best(self.standings[key])
        changed = [self.standings[key] for key in self.touched]
        _upsert(Standing, changed, ("club_id", "ruleset", "player_id"))
        TierChange.objects.bulk_create(self.tier_changes)


def _seat_key(row: SeatResult) -> SeatKey:
    return row.game_id, row.hand, row.seat


def _standing_key(row: Standing) -> StandingKey:
    return row.club_id, row.ruleset, row.player_id


def _new_standing(key: StandingKey, ladder_start: int) -> Standing:
    club_id, ruleset, player_id = key
    return Standing(
        club_id=club_id,
        ruleset=ruleset,
        player_id=player_id,
        ladder_start=ladder_start,
        ladder_score=ladder_start,
        tier=tier_of(ladder_start).tier,
    )


def _is_best(standing: Standing, result: SeatResult) -> bool:
    return (standing.best_game_id, standing.best_hand) == (result.game_id, result.hand)


def _set_best(standing: Standing, result: SeatResult | None) -> None:
    standing.best_total = result.total if result else None
    standing.best_game_id = result.game_id if result else None
    standing.best_hand = result.hand if result else None


def _find_best(standing: Standing) -> None:
    """Look up the greatest win, the first of equals, as counting hand by hand would have it."""
    wins = SeatResult.objects.filter(
        club_id=standing.club_id, player_id=standing.player_id, total__gt=0
    )
    if standing.ruleset != ALL_RULESETS:
        wins = wins.filter(ruleset=standing.ruleset)
    _set_best(standing, wins.order_by("-total", "position").first())


def _upsert(model: type[SeatResult | Standing], rows: Iterable[Any], key: Sequence[str]) -> None:
    """Insert the rows, or where their key exists put them in its place."""
    fields = [field.name for field in model._meta.concrete_fields if field.name not in key]
    model.objects.bulk_create(
        list(rows),
        update_conflicts=True,
        unique_fields=list(key),
        update_fields=fields,
    )


def _delete_results(keys: set[SeatKey]) -> None:
    if not keys:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM seat_result USING unnest(%s::uuid[], %s::int[], %s::int[])"
            " AS k(game_id, hand, seat) WHERE seat_result.game_id = k.game_id"
            " AND seat_result.hand = k.hand AND seat_result.seat = k.seat",
            [list(column) for column in zip(*keys, strict=True)],
        )
