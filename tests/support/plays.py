"""Hands played by the simulator's bots, as a client would send them."""

from __future__ import annotations

from random import Random
from typing import Any
from uuid import UUID

import msgspec

from api.simulation.bots import RANDOM
from api.simulation.games import CALM, Table
from records import reader
from rules_engine.events import GameStarted, HandEnded


def played_hand(game_id: str, *, seed: int) -> list[dict[str, Any]]:
    """The events of the first hand of a game that is at seq 1, `hand_ended` the last of them."""
    ((_, started),) = reader.numbered_events(UUID(game_id), to_seq=1)
    assert isinstance(started, GameStarted)
    table = Table(started, styles=(RANDOM,) * 4, habits=CALM, rng=Random(seed))
    events = []
    for seq, event in table.events(1):
        if seq > 1:
            events.append(msgspec.json.decode(msgspec.json.encode(event)))
        if isinstance(event, HandEnded):
            break
    return events
