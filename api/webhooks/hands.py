"""From settlements to what is told of them: hands settled, settled again, and rulings."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any
from uuid import UUID

from api.v1.shapes import moment
from api.webhooks.catalogue import HandResettled, HandSettled, PaymentTold, RulingMade, WinTold
from api.webhooks.happenings import Happening, reached_by
from records.ledger import Settled, settled_in
from records.models import Settlement
from records.rulings import kinds_of_rulings

Key = tuple[UUID, int, int]
"""Game, hand, revision."""


def hands_and_rulings_in(
    clubs: Collection[UUID], *, after: int, upto: int, limit: int
) -> tuple[list[Happening], int]:
    """What to tell of the settlements of these clubs, and how far that goes."""
    settled = settled_in(clubs, after=after, upto=upto, limit=limit)
    return list(hands_and_rulings(settled)), reached_by(settled, upto=upto, limit=limit)


def hands_and_rulings(settled: Sequence[Settled]) -> Iterator[Happening]:
    """What is told of these settlements, in their order."""
    rulings = kinds_of_rulings([(each.game_id, each.seq) for each in settled])
    before = _points_before(settled)
    for each in settled:
        if each.entry == 0:
            yield _hand(each, before.get((each.game_id, each.hand, each.revision)))
        ruling = rulings.get((each.game_id, each.seq))
        if ruling is not None:
            yield _ruling(each, ruling)


def _hand(settled: Settled, points_before: tuple[int, ...] | None) -> Happening:
    told = _hand_told(settled)
    data = (
        HandSettled(**told)
        if points_before is None
        else HandResettled(**told, points_before=points_before)
    )
    return Happening(
        type="hand.settled" if points_before is None else "hand.resettled",
        club_id=settled.club_id,
        name=f"{settled.game_id}/{settled.hand}/{settled.revision}",
        at=settled.settled_at,
        data=data,
        position=settled.position,
    )


def _hand_told(settled: Settled) -> dict[str, Any]:
    return {
        "club": settled.club_id,
        "game": settled.game_id,
        "hand": settled.hand,
        "revision": settled.revision,
        "seq": settled.seq,
        "ruleset": settled.ruleset,
        "ruleset_version": settled.ruleset_version,
        "stake": settled.stake,
        "result": settled.result,
        "dealer": settled.dealer,
        "streak": settled.streak,
        "players": settled.players,
        "points": settled.points,
        "wins": tuple(
            WinTold(seat=win.seat, total=win.total, items=tuple(item.id for item in win.items))
            for win in settled.wins
        ),
        "payments": tuple(
            PaymentTold(
                payer=payment.payer,
                payee=payment.payee,
                points=payment.points,
                kind=payment.kind,
                item=payment.item,
                rule=payment.rule,
            )
            for payment in settled.own_payments
        ),
        "ended_at": moment(settled.ended_at_ms),
        "settled_at": settled.settled_at,
        "link": f"/api/v1/games/{settled.game_id}/hands/{settled.hand}",
    }


def _ruling(settled: Settled, kind: str) -> Happening:
    return Happening(
        type="ruling.made",
        club_id=settled.club_id,
        name=f"{settled.game_id}/{settled.seq}",
        at=settled.settled_at,
        data=RulingMade(
            club=settled.club_id,
            game=settled.game_id,
            seq=settled.seq,
            ruling=kind,
            hand=settled.hand,
            entry=settled.entry,
            revision=settled.revision,
            players=settled.players,
            points=settled.points,
            settled_at=settled.settled_at,
            link=f"/api/v1/games/{settled.game_id}/rulings",
        ),
        position=settled.position,
    )


def _points_before(settled: Sequence[Settled]) -> dict[Key, tuple[int, ...]]:
    """By each settlement of a hand that is not its first: the points of the one before."""
    later = [each for each in settled if each.entry == 0 and each.revision > 1]
    if not later:
        return {}
    rows = Settlement.objects.filter(
        game_id__in={each.game_id for each in later}, entry=0, hand__in={e.hand for e in later}
    )
    points = {
        (row.game_id, row.hand, row.revision + 1): tuple(row.points)
        for row in rows.only("game_id", "hand", "revision", "points")
    }
    return {key: points[key] for each in later if (key := (each.game_id, each.hand, each.revision))}
