"""A game between two hands as bytes, so that no append and no seek replays more than one hand.

A snapshot is derived: dropping it changes no answer. It names ruleset, version and options, and is
only valid for the engine that wrote it (``FORMAT``); a reader ignores others.
"""

from typing import Any, Final

import msgspec
from msgspec.structs import replace

from rules_engine import registry
from rules_engine.game import Game, HandRecord, KeptPenalty
from rules_engine.ruleset import bind_play

FORMAT: Final = 2


class Snapshot(msgspec.Struct, frozen=True):
    """What ``dump`` writes."""

    format: int
    ruleset: str
    ruleset_version: int
    options: dict[str, Any]
    players: tuple[str | None, ...]
    substitutes: tuple[str, ...]
    stake: int
    seq: int
    floor: int
    hand: int
    dealer: int | None
    streak: int
    memory: msgspec.Raw
    last: HandRecord | None
    ended: bool
    people: tuple[str, ...]
    voided: tuple[int, ...]
    penalties: tuple[KeptPenalty, ...]
    between: tuple[dict[str, Any], ...]


def dump(game: Game) -> bytes:
    """The game as JSON bytes. Raises ValueError while a hand is live."""
    if game.table is not None:
        raise ValueError("a game is dumped between hands")
    return msgspec.json.encode(
        Snapshot(
            format=FORMAT,
            ruleset=game.ruleset.slug,
            ruleset_version=game.ruleset.version,
            options=msgspec.structs.asdict(game.options),
            players=game.players,
            substitutes=game.substitutes,
            stake=game.stake,
            seq=game.seq,
            floor=game.floor,
            hand=game.hand,
            dealer=game.dealer,
            streak=game.streak,
            memory=msgspec.Raw(msgspec.json.encode(game.memory)),
            last=game.last,
            ended=game.ended,
            people=game.people,
            voided=game.voided,
            penalties=game.penalties,
            between=tuple(msgspec.to_builtins(event) for event in game.between),
        )
    )


def load(data: bytes) -> Game:
    """The game a dump holds. Raises msgspec.ValidationError for a dump of another format."""
    snapshot = msgspec.json.decode(data, type=Snapshot)
    if snapshot.format != FORMAT:
        raise msgspec.ValidationError(f"snapshot format {snapshot.format}, expected {FORMAT}")
    ruleset = registry.get(snapshot.ruleset, snapshot.ruleset_version)
    options = msgspec.convert(snapshot.options, ruleset.options)
    play = bind_play(ruleset, options)
    last = snapshot.last
    if last is not None:
        last = replace(last, memory=msgspec.convert(last.memory, play.memory_type))
    return Game(
        ruleset=ruleset,
        options=options,
        play=play,
        players=snapshot.players,
        substitutes=snapshot.substitutes,
        stake=snapshot.stake,
        seq=snapshot.seq,
        floor=snapshot.floor,
        hand=snapshot.hand,
        dealer=snapshot.dealer,
        streak=snapshot.streak,
        memory=msgspec.json.decode(snapshot.memory, type=play.memory_type),
        last=last,
        ended=snapshot.ended,
        people=snapshot.people,
        voided=snapshot.voided,
        penalties=snapshot.penalties,
        between=tuple(ruleset.catalogue.decode(body) for body in snapshot.between),
    )
