"""From a sealed hand or entry to the rows of the ledger. Pure: reads no table, no clock."""

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
from rules_engine.events import (
    CLUB,
    Entry,
    Event,
    HandCorrected,
    HandVoided,
    Penalty,
    PenaltyCancelled,
    stated,
)
from rules_engine.facts import HandFacts
from rules_engine.game import Game, HandRecord
from rules_engine.rulings import next_deal
from rules_engine.score import HandScore


class Sealed(msgspec.Struct, frozen=True, kw_only=True):
    """A place in the journal: the event `seq` sealed hand `hand` of a game, or an entry.

    `entry` is 0 for the hand itself, else the seq of the event that made the entry.
    """

    position: int
    game_id: UUID
    hand: int
    entry: int
    seq: int


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """What the engine cannot know of a sealed thing: whose game it is, when it began and ended."""

    club_id: UUID
    started_at_ms: int
    ended_at_ms: int


class Place(msgspec.Struct, frozen=True):
    """The next place in the order of settlements, and its moment."""

    position: int
    settled_at: datetime


class InForce(msgspec.Struct, frozen=True):
    """The revision of a thing that counts at present, with the payments it posted itself."""

    revision: int = 0
    payments: tuple[Payment, ...] = ()


class Posting(msgspec.Struct, frozen=True):
    """One settlement with its payments, ready to insert."""

    settlement: Settlement
    transfers: tuple[Transfer, ...]


class Unsettled(Exception):
    """Why a thing cannot be settled: a stable `code` and a message a person can act on."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class _Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a sealed thing came to: its accounts, and the payments among them."""

    result: str
    players: tuple[UUID, ...]
    payments: list[dict[str, Any]]
    facts: HandFacts | None = None
    score: HandScore = HandScore(wins=(), transfers=())
    dealer: int | None = None
    streak: int | None = None
    next_dealer: int | None = None
    next_streak: int | None = None


def compose(
    *,
    seal: Sealed,
    event: Event,
    game: Game,
    setting: Setting,
    in_force: InForce,
    place: Place,
) -> Posting:
    """The settlement of a sealed thing and its payments, reversals of what is in force first.

    `event` is the sealed one. `game` is the game right after the hand ended, or for an entry right
    after the event. Raises Unsettled.
    """
    if seal.entry:
        outcome = _entry_outcome(event, setting, in_force)
    else:
        outcome = _hand_outcome(seal, event, game)
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
        result=outcome.result,
        players=list(outcome.players),
        points=_points(outcome),
        stake=game.stake,
        ladder_start=_ladder_start(game),
        dealer=outcome.dealer,
        streak=outcome.streak,
        next_dealer=outcome.next_dealer,
        next_streak=outcome.next_streak,
        facts=msgspec.to_builtins(outcome.facts),
        score={
            "wins": msgspec.to_builtins(outcome.score.wins),
            "details": msgspec.to_builtins(outcome.score.facts),
        },
        started_at_ms=setting.started_at_ms,
        ended_at_ms=setting.ended_at_ms,
        settled_at=place.settled_at,
    )
    return Posting(settlement, _transfers(settlement, outcome, in_force.payments))


def _points(outcome: _Outcome) -> list[int]:
    """What each account gains by the payments, in the order of the accounts."""
    points = dict.fromkeys(outcome.players, 0)
    for payment in outcome.payments:
        points[payment["payer"]] -= payment["points"]
        points[payment["payee"]] += payment["points"]
    assert sum(points.values()) == 0, points
    return list(points.values())


def _hand_outcome(seal: Sealed, event: Event, game: Game) -> _Outcome:
    """What a hand is worth as it was recorded, or as a ruling says."""
    record = game.last
    if record is None or record.hand != seal.hand:
        raise Unsettled("hand_not_ended", f"Hand {seal.hand} did not end at seq {game.seq}.")
    facts = record.facts
    if isinstance(event, HandVoided):
        facts = None
    elif isinstance(event, HandCorrected):
        facts = stated(event.facts, seal.seq)
    result = "voided" if isinstance(event, HandVoided) else "abandoned"
    score = _score(game, facts)
    players = _players(record)
    next_dealer, next_streak, _ = next_deal(game.play, record, facts)
    return _Outcome(
        result=result if facts is None else facts.result,
        players=players,
        payments=[
            {
                "payer": players[transfer.payer],
                "payee": players[transfer.payee],
                "payer_seat": transfer.payer,
                "payee_seat": transfer.payee,
                "points": transfer.points,
                "kind": transfer.kind,
                "item": transfer.item,
                "rule": transfer.rule,
                "seq": transfer.seq or seal.seq,
            }
            for transfer in score.transfers
        ],
        facts=facts,
        score=score,
        dealer=record.dealer if facts is None else facts.dealer,
        streak=record.streak if facts is None else facts.streak,
        next_dealer=next_dealer,
        next_streak=next_streak,
    )


def _entry_outcome(event: Event, setting: Setting, in_force: InForce) -> _Outcome:
    """What payments beside the hands come to, or that they were taken back."""
    if isinstance(event, PenaltyCancelled):
        if not in_force.revision:
            raise Unsettled(
                "penalty_not_settled", f"The penalty at seq {event.penalty} is not settled yet."
            )
        parties = (side for paid in in_force.payments for side in (paid.payer, paid.payee))
        return _Outcome(
            result="penalty_cancelled", players=tuple(dict.fromkeys(parties)), payments=[]
        )
    assert isinstance(event, Entry), event
    kind = "penalty" if isinstance(event, Penalty) else "adjustment"
    payments: list[dict[str, Any]] = [
        {
            "payer": _account(due.payer, setting.club_id),
            "payee": _account(due.payee, setting.club_id),
            "points": due.points,
            "kind": kind,
            "item": kind,
            "rule": "",
        }
        for due in event.transfers
    ]
    accounts = (payment[side] for payment in payments for side in ("payer", "payee"))
    return _Outcome(result=event.type, players=tuple(dict.fromkeys(accounts)), payments=payments)


def _account(name: str, club_id: UUID) -> UUID:
    """The account an entry names: a player's id, or the club's for its pot. Raises Unsettled."""
    if name == CLUB:
        return club_id
    try:
        return UUID(name)
    except ValueError:
        raise Unsettled(
            "player_not_an_id", f"Players are named by their ids, not {name!r}."
        ) from None


def _score(game: Game, facts: HandFacts | None) -> HandScore:
    """The engine's answer; a hand without facts is worth nothing to anybody."""
    if facts is None:
        return HandScore(wins=(), transfers=())
    score = game.ruleset.score(facts, game.options)
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
    settlement: Settlement, outcome: _Outcome, cancelled: Sequence[Payment]
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
    fields += [{"seq": settlement.seq, **payment} for payment in outcome.payments]
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
