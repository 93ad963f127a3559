"""Hands played by the simulator's bots, as a client would send them."""

from __future__ import annotations

from random import Random
from typing import Any
from uuid import UUID

import msgspec

from api.simulation.bots import RANDOM
from api.simulation.games import CALM, Table
from records import reader
from rules_engine.events import GameStarted


def played_hand(game_id: str, *, seed: int) -> list[dict[str, Any]]:
    """The events of the first hand of a game that is at seq 1, `hand_ended` the last of them."""
    events = played_hands(game_id, seed=seed, hands=1)
    ends = [place for place, event in enumerate(events) if event["type"] == "hand_ended"]
    return events[: ends[0] + 1]


def played_hands(game_id: str, *, seed: int, hands: int) -> list[dict[str, Any]]:
    """The events of so many hands of a game that is at seq 1, and of its end."""
    ((_, started),) = reader.numbered_events(UUID(game_id), to_seq=1)
    assert isinstance(started, GameStarted)
    table = Table(started, styles=(RANDOM,) * 4, habits=CALM, rng=Random(seed))
    whole = msgspec.json.encode([event for seq, event in table.events(hands) if seq > 1])
    events: list[dict[str, Any]] = msgspec.json.decode(whole)
    return events
