"""Games of the simulator as a client would send them: what is appended and folded here."""

from __future__ import annotations

import functools
import gc
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import msgspec

from api.simulation.games import CALM, simulate
from rules_engine import registry
from rules_engine.events import Event, GameStarted
from rules_engine.fold import Game, apply, closing

SLUG = "hefei"
SEEDS = range(100, 148)
HANDS = 8
"""48 games of 8 hands, some 20,000 events, so that the same hand does not come round too soon."""

_NOT_OF_HANDS = {"rules_engine.registry", "rules_engine.ruleset", "rules_engine.events"}


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


@functools.lru_cache(maxsize=len(SEEDS) + 8)
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


def recordings(writer: int) -> Iterator[Recording]:
    """The games for one of eight writers, over and over, each writer beginning elsewhere."""
    first = writer * len(SEEDS) // 8
    for seed in itertools.cycle((*SEEDS[first:], *SEEDS[:first])):
        yield recording(seed=seed, hands=HANDS)


def forget() -> None:
    """Empty what the rules engine remembers of hands: a figure shall owe nothing to repetition.

    Which rulesets are installed, and how they are played, it may remember.
    """
    for found in gc.get_objects():
        if isinstance(found, functools._lru_cache_wrapper):
            module = found.__module__ or ""
            if module.startswith("rules_engine") and module not in _NOT_OF_HANDS:
                found.cache_clear()
