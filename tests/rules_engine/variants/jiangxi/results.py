"""Facts and answers in few words, for tests that state one thing each."""

from typing import Any

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts, Holding, Meld, WinFacts
from rules_engine.ruleset import make_options
from rules_engine.score import HandExplanation, HandScore
from rules_engine.variants.jiangxi.explain import explain
from rules_engine.variants.jiangxi.options import JiangxiOptions
from rules_engine.variants.jiangxi.score import score

PLAIN = "123456m345p67s11z"
"""Wins on 5s and 8s, a plain hand without bao when 9p is bao."""


def options(**given: Any) -> JiangxiOptions:
    """The options with these overrides."""
    made = make_options(JiangxiOptions, given)
    assert isinstance(made, JiangxiOptions), made
    return made


def meld(text: str) -> Meld:
    """A meld such as ``"an_gang 5555p"`` or ``"peng 555p 3"``, claimed from seat 3."""
    kind, tiles, *source = text.split()
    return Meld(kind=kind, tiles=tiles, from_=int(source[0]) if source else None)


def win(concealed: str = PLAIN, tile: str = "8s", **given: Any) -> WinFacts:
    """A win, by zimo of seat 2 unless a payer is given."""
    given.setdefault("seat", 2)
    given.setdefault("by", "zimo" if given.get("from_") is None else "dianpao")
    given["flags"] = tuple(given.pop("flags", "").split())
    given["melds"] = tuple(meld(text) for text in given.pop("melds", ()))
    return WinFacts(concealed=concealed, tile=tile, **given)


def hand(*wins: WinFacts, dealer: int = 0, wild: str | None = "9p", **given: Any) -> HandFacts:
    """A hand with these winners."""
    given.setdefault("result", "hu" if wins else "huang_zhuang")
    return HandFacts(dealer=dealer, wild=wild, wins=wins, **given)


def holding(seat: int, *melds: str, flags: str = "", **given: Any) -> Holding:
    """A seat that did not win."""
    made = tuple(meld(text) for text in melds)
    return Holding(seat=seat, melds=made, flags=tuple(flags.split()), **given)


def scored(facts: HandFacts, **given: Any) -> HandScore:
    """The score of a hand under these options."""
    answer = score(facts, options(**given))
    assert isinstance(answer, HandScore), answer
    return answer


def items(facts: HandFacts, **given: Any) -> dict[str, int]:
    """The items of the first winner by id."""
    return {line.id: line.points for line in scored(facts, **given).wins[0].items}


def refused(facts: HandFacts, **given: Any) -> Violation:
    """Why a hand may not be recorded."""
    answer = score(facts, options(**given))
    assert isinstance(answer, Violation), answer
    assert explain(facts, options(**given)) == answer
    return answer


def explained(facts: HandFacts, **given: Any) -> HandExplanation:
    """The explanation of a hand under these options."""
    answer = explain(facts, options(**given))
    assert isinstance(answer, HandExplanation), answer
    return answer
