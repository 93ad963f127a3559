"""From a settlement to what it was for each player, and the rows that keep it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final
from uuid import UUID

import msgspec
from django.db import connection

from records.ledger import Settled
from rules_engine import registry
from rules_engine.gangs import COMMON_KINDS

Thing = tuple[UUID, int, int]
"""Game, hand and entry: what is settled, at one revision after the other."""


class ResultRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `models.Result`, its columns in the order in which they are written."""

    game_id: UUID
    hand: int
    entry: int
    revision: int
    player_id: UUID
    person_id: UUID
    seat: int | None
    club_id: UUID
    ruleset: str
    position: int
    until_position: int | None
    first_position: int
    ladder_start: int
    points: int
    gang_points: int
    won: str
    total: int | None
    dealt_in: bool
    gangs: int
    started_at_ms: int
    ended_at_ms: int
    played_at_ms: int


COLUMNS: Final = ResultRow.__struct_fields__


def results_of(
    settled: Settled,
    *,
    first_position: int,
    until_position: int | None = None,
    persons: Mapping[UUID, UUID],
) -> list[ResultRow]:
    """The results of one settlement. Pure.

    None for a hand that was abandoned or voided, an entry that was cancelled, and the club's pot.
    `persons` says who counts for another; the others count for themselves.
    """
    if settled.entry == 0 and settled.facts is None:
        return []
    if settled.result == "penalty_cancelled":
        return []
    worth, winners, dealt_in, gangs = _of_seats(settled)
    return [
        ResultRow(
            game_id=settled.game_id,
            hand=settled.hand,
            entry=settled.entry,
            revision=settled.revision,
            player_id=player,
            person_id=persons.get(player, player),
            seat=seat if settled.entry == 0 else None,
            club_id=settled.club_id,
            ruleset=settled.ruleset,
            position=settled.position,
            until_position=until_position,
            first_position=first_position,
            ladder_start=settled.ladder_start,
            points=settled.points[seat],
            gang_points=_gang_points(settled, player),
            won=winners.get(seat, ""),
            total=worth.get(seat),
            dealt_in=seat in dealt_in,
            gangs=gangs.get(seat, 0),
            started_at_ms=settled.started_at_ms,
            ended_at_ms=settled.ended_at_ms,
            played_at_ms=settled.ended_at_ms if settled.entry == 0 else settled.started_at_ms,
        )
        for seat, player in enumerate(settled.players)
        if player != settled.club_id
    ]


def _of_seats(
    settled: Settled,
) -> tuple[dict[int, int], dict[int, str], set[int | None], dict[int, int]]:
    """By seat: what a win was worth, how it was won; who dealt in; how many gangs were declared."""
    if settled.facts is None:
        return {}, {}, set(), {}
    worth = {win.seat: win.total for win in settled.wins}
    kinds = gang_kinds(settled.ruleset, settled.ruleset_version)
    winners = [win for win in settled.facts.wins if win.seat in worth]
    melds = {holding.seat: holding.melds for holding in settled.facts.table}
    melds.update((win.seat, win.melds) for win in settled.facts.wins)
    return (
        worth,
        {win.seat: win.by for win in winners},
        {win.from_ for win in winners},
        {seat: sum(meld.kind in kinds for meld in declared) for seat, declared in melds.items()},
    )


@lru_cache(maxsize=64)
def gang_kinds(slug: str, version: int) -> frozenset[str]:
    """The melds that count as gangs; of a ruleset that is not installed any more, the common."""
    try:
        return registry.get(slug, version).gang_kinds
    except registry.UnknownRuleset:
        return COMMON_KINDS


def _gang_points(settled: Settled, player: UUID) -> int:
    gang = [payment for payment in settled.own_payments if payment.kind == "gang"]
    received = sum(payment.points for payment in gang if payment.payee == player)
    return received - sum(payment.points for payment in gang if payment.payer == player)


def keep_results(settled: Sequence[Settled], persons: Mapping[UUID, UUID]) -> None:
    """Write the results of settlements that come next; what they take the place of ends there."""
    revised = [hand for hand in settled if hand.revision > 1]
    first_positions = _first_positions(revised)
    until: dict[tuple[Thing, int], int] = {
        (_thing(hand), hand.revision - 1): hand.position for hand in revised
    }
    _end(revised)
    _insert(
        result
        for hand in settled
        for result in results_of(
            hand,
            first_position=first_positions.get(_thing(hand), hand.position),
            until_position=until.get((_thing(hand), hand.revision)),
            persons=persons,
        )
    )


def _thing(settled: Settled) -> Thing:
    return settled.game_id, settled.hand, settled.entry


def _first_positions(revised: Sequence[Settled]) -> dict[Thing, int]:
    if not revised:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT s.game_id, s.hand, s.entry, s.position FROM settlement s"
            " JOIN (SELECT DISTINCT * FROM unnest(%s::uuid[], %s::int[], %s::int[]) AS"
            "   k(game_id, hand, entry)) AS k USING (game_id, hand, entry) WHERE s.revision = 1",
            [list(column) for column in zip(*map(_thing, revised), strict=True)],
        )
        return {(game_id, hand, entry): at for game_id, hand, entry, at in cursor.fetchall()}


def _end(revised: Sequence[Settled]) -> None:
    """What the batches before kept of these hands and entries is not in force any more."""
    if not revised:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE result r SET until_position = k.position"
            " FROM unnest(%s::uuid[], %s::int[], %s::int[], %s::int[], %s::bigint[])"
            "   AS k(game_id, hand, entry, revision, position)"
            " WHERE (r.game_id, r.hand, r.entry, r.revision)"
            "   = (k.game_id, k.hand, k.entry, k.revision)",
            [
                [hand.game_id for hand in revised],
                [hand.hand for hand in revised],
                [hand.entry for hand in revised],
                [hand.revision - 1 for hand in revised],
                [hand.position for hand in revised],
            ],
        )


def _insert(results: Iterable[ResultRow]) -> None:
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY result ({', '.join(COLUMNS)}) FROM STDIN") as copy,
    ):
        for result in results:
            copy.write_row(msgspec.structs.astuple(result))
