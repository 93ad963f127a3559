"""Section "fold": whole games of every variant, folded on one core without any database."""

from __future__ import annotations

import functools
import operator
import time
from collections.abc import Callable, Sequence
from random import Random

import msgspec

from api.simulation.games import CALM, simulate
from rules_engine import registry
from rules_engine.events import Event
from rules_engine.fold import Game, apply
from rules_engine.ruleset import Ruleset
from tests.benchmarks.games import HANDS, SEEDS, forget
from tests.benchmarks.report import ITSELF, Line

AIM_PER_S = 60_000
GAMES = 8
"""Of each variant: 3,000 to 8,000 events."""


def fold(*, repeats: int, told: Callable[[str], None]) -> list[Line]:
    """Games folded with every legality check, against decoding the same events from JSON.

    The engine has forgotten every hand before each pass.
    """
    lines = []
    for ruleset in registry.latest():
        lines += _fold_of(ruleset, passes=2 * repeats + 1, told=told)
    return lines


def _fold_of(ruleset: Ruleset, *, passes: int, told: Callable[[str], None]) -> list[Line]:
    """The lines of one variant, under its default options."""
    told(f"fold: simulating {ruleset.names.en}")
    logs = [_log(ruleset, seed) for seed in SEEDS[:GAMES]]
    union = msgspec.json.Decoder(_union(ruleset))
    texts = [[msgspec.json.encode(event) for event in log] for log in logs]
    events = sum(len(log) for log in logs)
    told(f"fold: {events} events of {ruleset.names.en}")
    folds, decodes, ratios = [], [], []
    for _ in range(passes):
        decode_s = _seconds(lambda: [[union.decode(text) for text in game] for game in texts])
        forget()
        fold_s = _seconds(lambda: [_fold(log) for log in logs])
        again_s = _seconds(lambda: [[union.decode(text) for text in game] for game in texts])
        folds.append(events / fold_s)
        decodes.append(events / decode_s)
        ratios.append((decode_s + again_s) / 2 / fold_s)
    load = f"{events:,} events"
    decoding = f"msgspec decoding, {ruleset.names.en}"
    name = f"apply, {ruleset.names.en}"
    return [
        Line("fold", decoding, load, ITSELF, (1.0,), tuple(decodes), "events/s"),
        Line("fold", name, load, "msgspec decoding", tuple(ratios), tuple(folds), "events/s"),
        Line(
            section="fold",
            name=name,
            load=load,
            against=f"{AIM_PER_S:,} events/s",
            ratios=tuple(rate / AIM_PER_S for rate in folds),
            rates=tuple(folds),
            unit="events/s",
            at_least=1.0,
        ),
    ]


def _log(ruleset: Ruleset, seed: int) -> tuple[Event, ...]:
    """A game of the simulator."""
    played = simulate(
        ruleset, options=ruleset.options(), hands=HANDS, rng=Random(seed), habits=CALM
    )
    return tuple(event for _, event in played)


def _union(ruleset: Ruleset) -> object:
    """Any event of the variant."""
    return functools.reduce(operator.or_, ruleset.catalogue.types.values())


def _fold(log: Sequence[Event]) -> Game:
    game: Game | None = None
    for seq, event in enumerate(log, 1):
        game = apply(game, event, seq)
    assert game is not None
    return game


def _seconds(work: Callable[[], object]) -> float:
    before = time.thread_time()
    work()
    return time.thread_time() - before
