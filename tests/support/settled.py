"""Settled hands written straight into the ledger, for tests of what reads it."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Max

from records.ids import uuid7
from records.models import Settlement, SettlementCursor, Transfer


@dataclass
class Books:
    """A club whose settlements a test writes by hand, each in the form `settle_sealed` gives it."""

    club_id: UUID = field(default_factory=uuid4)
    players: tuple[UUID, ...] = field(
        default_factory=lambda: tuple(sorted(uuid4() for _ in range(4)))
    )
    ladder_start: int = 0

    def settle(
        self,
        *payments: tuple[int, int, int],
        game_id: UUID | None = None,
        hand: int = 1,
        winner: int | None = None,
        by: str = "zimo",
        from_seat: int | None = None,
        total: int = 10,
        gangs: dict[int, int] | None = None,
        result: str = "hu",
        ruleset: str = "fake",
        started_at_ms: int = 1_700_000_000_000,
        ended_at_ms: int | None = None,
    ) -> Settlement:
        """Write a hand with these payments (payer's seat, payee's seat, points).

        A hand that is there already gets its next revision, with the reversals that belong to it.
        """
        game_id = game_id or uuid7()
        before = (
            Settlement.objects.filter(game_id=game_id, hand=hand, entry=0)
            .order_by("-revision")
            .first()
        )
        position = (Settlement.objects.aggregate(last=Max("position"))["last"] or 0) + 1
        points = [0, 0, 0, 0]
        for payer, payee, amount in payments:
            points[payer] -= amount
            points[payee] += amount
        settlement = Settlement(
            game_id=game_id,
            hand=hand,
            revision=before.revision + 1 if before else 1,
            position=position,
            seal_position=position,
            seq=hand + 1,
            club_id=self.club_id,
            ruleset=ruleset,
            ruleset_version=1,
            engine="test",
            result=result,
            players=list(self.players),
            points=points,
            stake=1,
            ladder_start=self.ladder_start,
            dealer=0,
            streak=1,
            next_dealer=0,
            next_streak=1,
            facts=_facts(result, winner, by, from_seat, gangs or {}),
            score=_score(winner, total),
            started_at_ms=before.started_at_ms if before else started_at_ms,
            ended_at_ms=before.ended_at_ms
            if before
            else ended_at_ms or 1_700_000_000_000 + position,
            settled_at=datetime(2026, 11, 30, tzinfo=UTC) + timedelta(seconds=position),
        )
        _write(settlement, self._lines(settlement, before, payments))
        return settlement

    def penalize(self, hand: Settlement, payer: int, points: int, *, cancel: int = 0) -> Settlement:
        """Write a penalty that a player (by seat) pays to the club's pot, after a hand of a game.

        `cancel` is the `entry` of a penalty that is taken back instead.
        """
        position = (Settlement.objects.aggregate(last=Max("position"))["last"] or 0) + 1
        accounts = [self.players[payer], self.club_id]
        settlement = Settlement(
            game_id=hand.game_id,
            hand=hand.hand,
            entry=cancel or 1_000 + position,
            revision=2 if cancel else 1,
            position=position,
            seal_position=position,
            seq=1_000 + position,
            club_id=self.club_id,
            ruleset=hand.ruleset,
            ruleset_version=1,
            engine="test",
            result="penalty_cancelled" if cancel else "penalty",
            players=accounts,
            points=[0, 0] if cancel else [-points, points],
            stake=1,
            ladder_start=self.ladder_start,
            score={"wins": [], "details": {}},
            started_at_ms=hand.started_at_ms,
            ended_at_ms=hand.ended_at_ms + 5,
            settled_at=datetime(2026, 11, 30, tzinfo=UTC) + timedelta(seconds=position),
        )
        payer_id, payee_id = reversed(accounts) if cancel else accounts
        line = Transfer(
            game_id=settlement.game_id,
            hand=settlement.hand,
            entry=settlement.entry,
            revision=settlement.revision,
            line=1,
            payer=payer_id,
            payee=payee_id,
            points=points,
            kind="penalty",
            item="penalty",
            rule="T-2",
            seq=settlement.entry,
            reverses=1 if cancel else None,
            position=position,
            club_id=self.club_id,
            ended_at_ms=settlement.ended_at_ms,
        )
        _write(settlement, [line])
        return settlement

    def _lines(
        self,
        settlement: Settlement,
        before: Settlement | None,
        payments: tuple[tuple[int, int, int], ...],
    ) -> list[Transfer]:
        lines: list[tuple[int | None, int | None, int, int | None]] = []
        if before is not None:
            lines += [
                (line.payee_seat, line.payer_seat, line.points, line.line)
                for line in Transfer.objects.filter(
                    game_id=before.game_id,
                    hand=before.hand,
                    entry=0,
                    revision=before.revision,
                    reverses=None,
                ).order_by("line")
            ]
        lines += [(*payment, None) for payment in payments]
        return [
            Transfer(
                game_id=settlement.game_id,
                hand=settlement.hand,
                revision=settlement.revision,
                line=number,
                payer=self.players[payer or 0],
                payee=self.players[payee or 0],
                payer_seat=payer,
                payee_seat=payee,
                points=points,
                kind="hu",
                item="base",
                rule="T-1",
                seq=settlement.seq,
                reverses=reverses,
                position=settlement.position,
                club_id=settlement.club_id,
                ended_at_ms=settlement.ended_at_ms,
            )
            for number, (payer, payee, points, reverses) in enumerate(lines, 1)
        ]


def _write(settlement: Settlement, lines: list[Transfer]) -> None:
    at = settlement.position
    with transaction.atomic():
        settlement.save(force_insert=True)
        Transfer.objects.bulk_create(lines)
        SettlementCursor.objects.update_or_create(
            id=1, defaults={"position": at, "seal_position": at}
        )


def _facts(
    result: str, winner: int | None, by: str, from_seat: int | None, gangs: dict[int, int]
) -> dict[str, Any] | None:
    if result == "abandoned":
        return None
    melds = {seat: [{"kind": "an_gang", "tiles": "1111m"}] * count for seat, count in gangs.items()}
    wins = []
    if winner is not None:
        win: dict[str, Any] = {
            "seat": winner,
            "by": by,
            "tile": "5p",
            "concealed": "34p",
            "from": from_seat,
        }
        wins.append({**win, "melds": melds.pop(winner, [])})
    table = [{"seat": seat, "melds": declared} for seat, declared in melds.items()]
    return {"dealer": 0, "result": result, "streak": 1, "wins": wins, "table": table}


def _score(winner: int | None, total: int) -> dict[str, Any]:
    win: dict[str, Any] = {
        "seat": winner,
        "items": [],
        "total": total,
        "reading": [],
        "formula": [],
    }
    return {"wins": [] if winner is None else [win], "details": {}}
