"""Hands played tile by tile, for tests that state one thing each."""

from typing import Any

from rules_engine.facts import HandFacts
from rules_engine.score import HandScore
from rules_engine.tiles import KIND, ONE, count, full_set, names, parse, write
from tests.rules_engine.log import Log

DIAO = "123456m789p1113s"
"""Four sets and the bao 3s: any tile wins."""
KEPT = "7z8888m9999m8888p9999p8888s9999s2s3333s"
"""Tiles dealt to nobody unless a hand names them, so that tests can draw them."""
ROUND = "1+9m 1-9m 2+9m 2-9m 3+8m 3-8m"
"""The other seats draw and throw away."""


def dealt(
    hand: str,
    last: str,
    others: dict[int, str] | None = None,
    *,
    keep: str = "",
    rolled: tuple[int, ...] = (2, 3),
    indicator: str = "2s",
    **options: Any,
) -> Log:
    """Seat 0 deals and holds ``hand``; the hands not given make nothing. 3s is bao by default."""
    hands = {0: hand, **(others or {})}
    left = full_set(range(34))
    for text in hands.values():
        left -= parse(text)
    wanted = [KIND[name] for name in names(KEPT + keep)]
    kept = sum(ONE[kind] * min(count(left, kind), wanted.count(kind)) for kind in set(wanted))
    log = Log("jiangxi", **options)
    return log.deal(hands, last=last, keep=write(kept), dice=rolled, indicator=indicator)


def facts(log: Log) -> HandFacts:
    """The facts of the hand just ended."""
    last = log.game.last
    assert last is not None
    assert last.facts is not None
    return last.facts


def score(log: Log) -> HandScore:
    """What the hand just ended is worth."""
    answer = log.game.ruleset.score(facts(log), log.game.options)
    assert isinstance(answer, HandScore), answer
    return answer


def items(log: Log, winner: int = 0) -> dict[str, int]:
    """The items of one of the winners of the hand just ended, by id."""
    return {line.id: line.points for line in score(log).wins[winner].items}
