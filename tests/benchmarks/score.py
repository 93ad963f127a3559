"""Section "score": from the facts of a hand to its score, on one core without any database."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import islice
from random import Random
from statistics import median, quantiles
from typing import Any, Final

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig
from mahjong.tile import TilesConverter

from rules_engine import registry
from rules_engine.ruleset import Ruleset
from rules_engine.score import HandScore
from tests.benchmarks.dealing import DEALERS, winning_hands
from tests.benchmarks.games import forget
from tests.benchmarks.report import ITSELF, Line
from tests.rules_engine.hands import complete_hand
from tests.rules_engine.test_outside_oracles import written

HANDS_SCORED = 2_000
BLOCK = 100
WILDS_AIM = 20.0
RIICHI: Final = "mahjong"
OFFICIAL: Final = "PyMahjongGB"
PEERS: Final = (RIICHI, OFFICIAL)


@dataclass(frozen=True)
class Subject:
    """Something that scores hands, and how hands for it are dealt."""

    score: Callable[[Any], object]
    deal: Callable[[Random, int], Sequence[Any]]


@dataclass(frozen=True)
class Timed:
    """What the hands of one subject took in one pass, in microseconds."""

    each_us: Sequence[float]

    @property
    def median(self) -> float:
        """Of half of the hands."""
        return median(self.each_us)

    @property
    def p99(self) -> float:
        """Of all but one in a hundred."""
        return quantiles(self.each_us, n=100)[98]

    @property
    def rate(self) -> float:
        """Hands per second."""
        return 1e6 * len(self.each_us) / sum(self.each_us)


Pass = Mapping[str, Timed]
"""By name of the subject."""


def scoring(
    *, repeats: int, told: Callable[[str], None], noted: Callable[[str], None]
) -> list[Line]:
    """The hands of every variant, with each number of wilds, beside what peers take for their own.

    No hand is scored twice, and the engine has forgotten all before each pass.
    """
    peers = {RIICHI: Subject(_riichi_value, _riichi_hands)}
    official = _official()
    if official is None:
        noted(f"without {OFFICIAL}: it is not installed (needs a C++ compiler)")
    else:
        peers[OFFICIAL] = official
    lines = []
    beside: list[Pass] = []
    chance = Random(41)
    for ruleset in registry.latest():
        if ruleset.slug not in DEALERS:
            noted(f"without {ruleset.names.en}: there are no random hands of it")
            continue
        told(f"score: {ruleset.names.en}")
        subjects = peers | _subjects(ruleset)
        passes = [_in_turn(subjects, chance) for _ in range(repeats)]
        beside += passes
        lines += _lines(ruleset, passes)
    return [_peer_line(name, beside) for name in peers] + lines


def _in_turn(subjects: Mapping[str, Subject], chance: Random) -> Pass:
    """One pass. The subjects take turns by blocks of hands, so that all see the same machine."""
    hands = {name: subject.deal(chance, HANDS_SCORED) for name, subject in subjects.items()}
    found: dict[str, list[float]] = {name: [] for name in subjects}
    forget()
    for start in range(0, HANDS_SCORED, BLOCK):
        for name, subject in subjects.items():
            for hand in hands[name][start : start + BLOCK]:
                before = time.thread_time_ns()
                subject.score(hand)
                found[name].append((time.thread_time_ns() - before) / 1000)
    return {name: Timed(each_us) for name, each_us in found.items()}


# --- the subjects ---------------------------------------------------------------------------------


def _name(ruleset: Ruleset, wilds: int) -> str:
    """How a variant with so many wilds in hand is called."""
    number = {0: "no wilds", 1: "1 wild"}.get(wilds, f"{wilds} wilds")
    return f"{ruleset.names.en}, {number}"


def _alone(ruleset: Ruleset) -> str:
    """How a variant is called of which the winner's hand alone is told, without wilds."""
    return f"{_name(ruleset, 0)}, winner alone"


def _subjects(ruleset: Ruleset) -> dict[str, Subject]:
    """A variant without wilds and with each number of them."""
    dealer = DEALERS[ruleset.slug]
    subjects = {
        _name(ruleset, wilds): _variant(ruleset, wilds) for wilds in range(dealer.most_wilds + 1)
    }
    if dealer.settles_others:
        subjects[_alone(ruleset)] = _variant(ruleset, 0, alone=True)
    return subjects


def _variant(ruleset: Ruleset, wilds: int, *, alone: bool = False) -> Subject:
    options = DEALERS[ruleset.slug].options(ruleset, wilds)

    def value(hand: Any) -> None:
        answer = ruleset.score(hand, options)
        assert isinstance(answer, HandScore), answer

    def deal(chance: Random, number: int) -> Sequence[Any]:
        hands = winning_hands(ruleset, options, chance, wilds=wilds, alone=alone)
        return list(islice(hands, number))

    return Subject(value, deal)


def _riichi_hands(chance: Random, number: int) -> Sequence[tuple[list[int], int]]:
    """Closed winning hands of four sets and a pair with the winning tile, as `mahjong` writes."""
    hands = []
    for _ in range(number):
        kinds = complete_hand(chance, 4)
        tiles = TilesConverter.to_136_array([kinds.count(kind) for kind in range(34)])
        hands.append((tiles, chance.choice(tiles)))
    return hands


def _riichi_value(hand: tuple[list[int], int]) -> None:
    value = HandCalculator().estimate_hand_value(
        hand[0], hand[1], config=HandConfig(is_tsumo=True, is_riichi=True)
    )
    assert value.error is None, value


def _official() -> Subject | None:
    """PyMahjongGB, which has to be compiled and so is not among the development packages."""
    try:
        library = import_module("MahjongGB")
    except ImportError:
        return None
    return Subject(partial(_official_value, library.MahjongFanCalculator), _official_hands)


def _official_hands(chance: Random, number: int) -> Sequence[tuple[tuple[str, ...], str]]:
    """The same kind of hands as PyMahjongGB writes them."""
    hands = []
    for _ in range(number):
        *held, tile = [written(kind) for kind in complete_hand(chance, 4)]
        hands.append((tuple(held), tile))
    return hands


def _official_value(value: Callable[..., object], hand: tuple[tuple[str, ...], str]) -> None:
    drawn, none = True, False
    assert value((), hand[0], hand[1], 0, drawn, none, none, none, 0, 0)


# --- the lines ------------------------------------------------------------------------------------


def _peer_line(name: str, passes: Sequence[Pass]) -> Line:
    """What a peer did all through the section."""
    timed = [each[name] for each in passes]
    return _line(name, timed, ITSELF, (1.0,))


def _lines(ruleset: Ruleset, passes: Sequence[Pass]) -> list[Line]:
    """A variant beside the peers, and its wilds beside its own hands without."""
    bare = _name(ruleset, 0)
    names = [name for name in passes[0] if name not in PEERS]
    lines = []
    for name in names:
        timed = [each[name] for each in passes]
        for peer in PEERS:
            if peer in passes[0]:
                ratios = tuple(each[name].median / each[peer].median for each in passes)
                aim = 1.0 if peer == RIICHI and name.startswith(bare) else None
                lines.append(_line(name, timed, f"time of {peer}'s", ratios, aim))
    most = DEALERS[ruleset.slug].most_wilds
    if most:
        name = _name(ruleset, most)
        timed = [each[name] for each in passes]
        ratios = tuple(each[name].median / each[bare].median for each in passes)
        lines.append(_line(name, timed, "median of no wilds", ratios, WILDS_AIM))
        ratios = tuple(each[name].p99 / each[bare].p99 for each in passes)
        lines.append(_line(name, timed, "p99 of no wilds", ratios, WILDS_AIM))
    return lines


def _line(
    name: str,
    timed: Sequence[Timed],
    against: str,
    ratios: tuple[float, ...],
    at_most: float | None = None,
) -> Line:
    """A comparison of medians unless ``against`` says otherwise, lower being better."""
    us, tail_us = median(each.median for each in timed), median(each.p99 for each in timed)
    return Line(
        section="score",
        name=f"{name}: median {us:.3g} us, p99 {tail_us:.3g} us",
        load=f"{HANDS_SCORED:,} hands",
        against=against,
        ratios=ratios,
        rates=tuple(each.rate for each in timed),
        unit="hands/s",
        at_most=at_most,
    )
