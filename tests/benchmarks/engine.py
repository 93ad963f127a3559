"""Sections "fold" and "score": the rules engine on one core, without any database."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random
from statistics import median, quantiles
from typing import Any

import msgspec
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig
from mahjong.tile import TilesConverter

from rules_engine import registry
from rules_engine.events import Event
from rules_engine.facts import HandFacts
from rules_engine.fold import Game, apply
from rules_engine.ruleset import dump_options
from rules_engine.score import HandScore
from tests.benchmarks.games import HANDS, SEEDS, SLUG, forget, recording
from tests.benchmarks.report import ITSELF, Line
from tests.rules_engine.hands import complete_hand
from tests.rules_engine.variants.hefei.hands import random_case

FOLD_AIM_PER_S = 100_000
SCORE_AIM_US = 73.0
HANDS_SCORED = 2_000


def fold(*, repeats: int, told: Callable[[str], None]) -> list[Line]:
    """Whole games folded with every legality check, against decoding the same events from JSON.

    The engine has forgotten every hand before each pass.
    """
    told("fold: simulating games")
    logs = [recording(seed=seed, hands=HANDS).log for seed in SEEDS[:16]]
    ruleset = registry.get(SLUG)
    union = msgspec.json.Decoder(_union([type(event) for log in logs for event in log]))
    texts = [[msgspec.json.encode(event) for event in log] for log in logs]
    events = sum(len(log) for log in logs)
    told(f"fold: {events} events of {ruleset.slug}")
    folds, decodes, ratios = [], [], []
    for _ in range(2 * repeats + 1):
        decode_s = _seconds(lambda: [[union.decode(text) for text in game] for game in texts])
        forget()
        fold_s = _seconds(lambda: [_fold(log) for log in logs])
        again_s = _seconds(lambda: [[union.decode(text) for text in game] for game in texts])
        folds.append(events / fold_s)
        decodes.append(events / decode_s)
        ratios.append((decode_s + again_s) / 2 / fold_s)
    return [
        Line("fold", "msgspec decoding", "one core", ITSELF, (1.0,), tuple(decodes), "events/s"),
        Line(
            "fold", "apply", "one core", "msgspec decoding", tuple(ratios), tuple(folds), "events/s"
        ),
        Line(
            section="fold",
            name="apply",
            load="one core",
            against=f"{FOLD_AIM_PER_S:,} events/s",
            ratios=tuple(rate / FOLD_AIM_PER_S for rate in folds),
            rates=tuple(folds),
            unit="events/s",
            at_least=1.0,
        ),
    ]


def _union(types: Sequence[type[Event]]) -> object:
    first, *others = dict.fromkeys(types)
    union: Any = first
    for each in others:
        union = union | each
    return union


def _fold(log: Sequence[Event]) -> Game:
    game: Game | None = None
    for seq, event in enumerate(log, 1):
        game = apply(game, event, seq)
    assert game is not None
    return game


def _seconds(work: Callable[[], object]) -> float:
    before = time.perf_counter()
    work()
    return time.perf_counter() - before


def scoring(*, repeats: int, told: Callable[[str], None]) -> list[Line]:
    """From the facts of a hand to its score, beside what `mahjong` takes for a hand of its own.

    No hand is scored twice, so nothing that is remembered of a hand can help either.
    """
    ruleset = registry.get(SLUG)
    options = ruleset.options()
    written = dump_options(options)
    chance = Random(41)
    ours, theirs, ratios, aims, tails = [], [], [], [], []
    for repeat in range(repeats):
        told(f"score: dealing {HANDS_SCORED:,} hands, {repeat + 1} of {repeats}")
        facts = [
            msgspec.convert(random_case(chance, written), HandFacts) for _ in range(HANDS_SCORED)
        ]
        riichi = [_riichi_hand(chance) for _ in range(HANDS_SCORED)]
        told("score: scoring")
        own_us = _each_us(lambda hand: _scored(ruleset.score(hand, options)), facts)
        other_us = _each_us(_riichi_value, riichi)
        ours.append(median(own_us))
        theirs.append(median(other_us))
        tails.append(quantiles(own_us, n=100)[98])
        ratios.append(ours[-1] / theirs[-1])
        aims.append(ours[-1] / SCORE_AIM_US)
    rates = tuple(1e6 / each for each in ours)
    name = f"Hefei hand, median {median(ours):.1f} us, p99 {median(tails):.0f} us"
    peer = f"mahjong, median {median(theirs):.1f} us"
    load = f"{HANDS_SCORED:,} hands"
    their_rates = tuple(1e6 / each for each in theirs)
    return [
        Line("score", peer, load, ITSELF, (1.0,), their_rates, "hands/s"),
        Line(
            "score", name, load, "time of mahjong's", tuple(ratios), rates, "hands/s", at_most=1.0
        ),
        Line(
            "score",
            name,
            load,
            f"{SCORE_AIM_US:g} us",
            tuple(aims),
            rates,
            "hands/s",
            at_most=1.0,
        ),
    ]


def _scored(answer: object) -> None:
    assert isinstance(answer, HandScore), answer


def _riichi_hand(chance: Random) -> tuple[list[int], int]:
    """A closed winning hand of four sets and a pair, and its winning tile, in its own notation."""
    kinds = complete_hand(chance, 4)
    counts = [kinds.count(kind) for kind in range(34)]
    tiles = TilesConverter.to_136_array(counts)
    return tiles, chance.choice(tiles)


def _riichi_value(hand: tuple[list[int], int]) -> None:
    value = HandCalculator().estimate_hand_value(
        hand[0], hand[1], config=HandConfig(is_tsumo=True, is_riichi=True)
    )
    assert value.error is None, value


def _each_us(work: Callable[[Any], object], values: Sequence[Any]) -> list[float]:
    times = []
    for value in values:
        before = time.perf_counter_ns()
        work(value)
        times.append((time.perf_counter_ns() - before) / 1000)
    return times
