"""Facts and answers in few words, for tests that state one thing each."""

from typing import Any

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts, Holding, Meld, WinFacts
from rules_engine.ruleset import make_options
from rules_engine.score import HandExplanation, HandScore
from rules_engine.variants.hefei.explain import explain
from rules_engine.variants.hefei.options import HefeiOptions
from rules_engine.variants.hefei.score import score

PLAIN = "23456788m34p678s"
"""Wins on 5p: eight of m and nothing else, so the base alone."""


def options(**given: Any) -> HefeiOptions:
    """The options with these overrides."""
    made = make_options(HefeiOptions, given)
    assert isinstance(made, HefeiOptions), made
    return made


def an_gang(*texts: str) -> tuple[Meld, ...]:
    """Concealed gangs, such as ``"5555p"``."""
    return tuple(Meld(kind="an_gang", tiles=text) for text in texts)


def win(concealed: str = PLAIN, tile: str = "5p", **given: Any) -> WinFacts:
    """A win, by zimo of seat 2 unless a payer is given."""
    given.setdefault("seat", 2)
    given.setdefault("by", "zimo" if given.get("from_") is None else "dianpao")
    given["flags"] = tuple(given.pop("flags", "").split())
    given["melds"] = an_gang(*given.pop("gangs", "").split()) or given.pop("melds", ())
    return WinFacts(concealed=concealed, tile=tile, **given)


def hand(*wins: WinFacts, dealer: int = 0, streak: int = 1, **given: Any) -> HandFacts:
    """A hand with these winners."""
    given.setdefault("result", "hu" if wins else "huang_zhuang")
    return HandFacts(dealer=dealer, streak=streak, wins=wins, **given)


def table(seat: int, *gangs: str) -> tuple[Holding, ...]:
    """The gangs of a seat that did not win."""
    return (Holding(seat=seat, melds=an_gang(*gangs)),)


def scored(*wins: WinFacts, dealer: int = 0, streak: int = 1, **given: Any) -> HandScore:
    """The score of a hand under these options."""
    answer = score(hand(*wins, dealer=dealer, streak=streak), options(**given))
    assert isinstance(answer, HandScore), answer
    return answer


def items(one: WinFacts, *, dealer: int = 0, streak: int = 1, **given: Any) -> dict[str, int]:
    """The items of a single winner by id."""
    answer = scored(one, dealer=dealer, streak=streak, **given)
    return {line.id: line.points for line in answer.wins[0].items}


def refused(facts: HandFacts, **given: Any) -> Violation:
    """Why a hand may not be recorded."""
    answer = score(facts, options(**given))
    assert isinstance(answer, Violation), answer
    assert explain(facts, options(**given)) == answer
    return answer


def explained(*wins: WinFacts, dealer: int = 0, streak: int = 1, **given: Any) -> HandExplanation:
    """The explanation of a hand under these options."""
    answer = explain(hand(*wins, dealer=dealer, streak=streak), options(**given))
    assert isinstance(answer, HandExplanation), answer
    return answer
