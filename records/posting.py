"""From a sealed hand to the rows of the ledger. Pure: reads no table, no clock."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from records.ledger import Payment
from records.models.ledger import Settlement, Transfer
from rules_engine import VERSION
from rules_engine.errors import Violation
from rules_engine.fold import Game, HandRecord
from rules_engine.score import HandScore, points_by_seat


class Sealed(msgspec.Struct, frozen=True, kw_only=True):
    """A place in the journal: the event `seq` of a game sealed hand `hand`."""

    position: int
    game_id: UUID
    hand: int
    entry: int = 0
    seq: int


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """What the engine cannot know of a sealed hand: whose game it is, when it began and ended."""

    club_id: UUID
    started_at_ms: int
    ended_at_ms: int


class Place(msgspec.Struct, frozen=True):
    """The next place in the order of settlements, and its moment."""

    position: int
    settled_at: datetime


class InForce(msgspec.Struct, frozen=True):
    """The revision of a hand that counts at present, with the payments it posted itself."""

    revision: int = 0
    payments: tuple[Payment, ...] = ()


class Posting(msgspec.Struct, frozen=True):
    """One settlement with its payments, ready to insert."""

    settlement: Settlement
    transfers: tuple[Transfer, ...]


class Unsettled(Exception):
    """Why a hand cannot be settled: a stable `code` and a message a person can act on."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def compose(
    *, seal: Sealed, game: Game, setting: Setting, in_force: InForce, place: Place
) -> Posting:
    """The settlement of a sealed hand and its payments, reversals of what is in force first.

    `game` is the game right after the event that sealed the hand. Raises Unsettled.
    """
    record = game.last
    if record is None or record.hand != seal.hand:
        raise Unsettled("hand_not_ended", f"Hand {seal.hand} did not end at seq {seal.seq}.")
    score = _score(game, record)
    players = _players(record)
    points = points_by_seat(score.transfers)
    assert sum(points) == 0, (seal, points)
    settlement = Settlement(
        game_id=seal.game_id,
        hand=seal.hand,
        entry=seal.entry,
        revision=in_force.revision + 1,
        position=place.position,
        seal_position=seal.position,
        seq=seal.seq,
        club_id=setting.club_id,
        ruleset=game.ruleset.slug,
        ruleset_version=game.ruleset.version,
        engine=VERSION,
        result=record.facts.result if record.facts else "abandoned",
        players=list(players),
        points=list(points),
        stake=game.stake,
        ladder_start=_ladder_start(game),
        dealer=record.dealer,
        streak=record.streak,
        next_dealer=game.dealer,
        next_streak=game.streak,
        facts=msgspec.to_builtins(record.facts),
        score={
            "wins": msgspec.to_builtins(score.wins),
            "details": msgspec.to_builtins(score.facts),
        },
        started_at_ms=setting.started_at_ms,
        ended_at_ms=setting.ended_at_ms,
        settled_at=place.settled_at,
    )
    return Posting(settlement, _transfers(settlement, score, in_force.payments))


def _score(game: Game, record: HandRecord) -> HandScore:
    """The engine's answer; an abandoned hand is worth nothing to anybody."""
    if record.facts is None:
        return HandScore(wins=(), transfers=())
    score = game.ruleset.score(record.facts, game.options)
    if isinstance(score, Violation):
        raise Unsettled(score.code, score.message)
    return score


def _players(record: HandRecord) -> tuple[UUID, ...]:
    """The player of each seat. Raises Unsettled when one is missing or is not a player's id."""
    try:
        players = tuple(UUID(player) for player in record.players if player is not None)
    except ValueError:
        raise Unsettled(
            "player_not_an_id", f"Players are named by their ids, not {record.players}."
        ) from None
    if len(set(players)) != len(record.players):
        raise Unsettled(
            "seat_empty", f"Hand {record.hand} had not a player of its own on each seat."
        )
    return players


def _ladder_start(game: Game) -> int:
    """The ladder score a new player starts from under this game's options."""
    option = game.ruleset.ladder_start_option
    return int(getattr(game.options, option)) if option else 0


def _transfers(
    settlement: Settlement, score: HandScore, cancelled: Sequence[Payment]
) -> tuple[Transfer, ...]:
    """The lines of a settlement: the payments of the last revision turned round, then the new."""
    fields: list[dict[str, Any]] = [
        {
            **msgspec.structs.asdict(payment),
            "payer": payment.payee,
            "payee": payment.payer,
            "payer_seat": payment.payee_seat,
            "payee_seat": payment.payer_seat,
            "reverses": payment.line,
        }
        for payment in cancelled
    ]
    fields += [
        {
            "payer": settlement.players[transfer.payer],
            "payee": settlement.players[transfer.payee],
            "payer_seat": transfer.payer,
            "payee_seat": transfer.payee,
            "points": transfer.points,
            "kind": transfer.kind,
            "item": transfer.item,
            "rule": transfer.rule,
            "seq": transfer.seq or settlement.seq,
        }
        for transfer in score.transfers
    ]
    shared = {name: getattr(settlement, name) for name in _SHARED}
    return tuple(
        Transfer(**{**line, **shared, "line": number}) for number, line in enumerate(fields, 1)
    )


_SHARED = ("game_id", "hand", "entry", "revision", "position", "club_id", "ended_at_ms")
"""What a payment says as its settlement does."""


def in_force_after(posting: Posting) -> InForce:
    """What counts once this posting is made."""
    own = [line for line in posting.transfers if line.reverses is None]
    return InForce(
        posting.settlement.revision,
        tuple(msgspec.convert(line, Payment, from_attributes=True) for line in own),
    )
