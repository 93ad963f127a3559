"""Games of the simulator as a client would send them: what is appended, folded and scored here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

import msgspec

from api.simulation.games import CALM, simulate
from rules_engine import registry
from rules_engine.events import Event, GameStarted
from rules_engine.fold import Game, apply, closing

SLUG = "hefei"


@dataclass(frozen=True)
class Recording:
    """One whole game.

    ``log`` is every event; ``sent`` those a client sends, which are all but the ends of hands that
    the service adds by itself; ``bodies`` the latter as JSON.
    """

    log: tuple[Event, ...]
    sent: tuple[Event, ...]
    bodies: tuple[bytes, ...]

    @property
    def started(self) -> GameStarted:
        """Its first event."""
        first = self.log[0]
        assert isinstance(first, GameStarted)
        return first


@lru_cache(maxsize=8)
def recording(*, seed: int, hands: int) -> Recording:
    """The game of this seed."""
    ruleset = registry.get(SLUG)
    played = simulate(
        ruleset, options=ruleset.options(), hands=hands, rng=Random(seed), habits=CALM
    )
    log = tuple(event for _, event in played)
    sent: list[Event] = []
    game: Game | None = None
    for seq, event in enumerate(log, 1):
        if game is None or closing(game) is None:
            sent.append(event)
        game = apply(game, event, seq)
    return Recording(
        log=log, sent=tuple(sent), bodies=tuple(msgspec.json.encode(event) for event in sent)
    )
