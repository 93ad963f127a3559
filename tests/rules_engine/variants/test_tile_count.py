"""In every game a winner with a tile too many or too few is refused, seven pairs included."""

from pathlib import Path

import msgspec
import pytest

from rules_engine import registry
from rules_engine.cases import Case, read_cases
from rules_engine.errors import Violation
from rules_engine.facts import HandFacts, WinFacts
from rules_engine.ruleset import make_options
from rules_engine.score import HandScore
from rules_engine.tiles import NAMES, count, kind_of, parse, write

CODES = {
    "hefei": "not_winning_shape",
    "huaiyuan": "not_a_win",
    "jiangxi": "not_a_win",
    "qingdao": "shape",
    "ruian": "not_a_win",
}


def scored(case: Case, facts: HandFacts) -> HandScore | Violation:
    """What the case's own ruleset and options say of other facts."""
    ruleset = registry.get(case.slug)
    return ruleset.score(facts, make_options(ruleset.options, case.options))


def wins(case: Case, seat: int, facts: HandFacts) -> bool:
    """Whether the seat is paid as a winner; of several claimants one may be refused alone."""
    answer = scored(case, facts)
    return isinstance(answer, HandScore) and any(each.seat == seat for each in answer.wins)


def spelled(text: str) -> set[str]:
    """The kinds in a compact text, each by its full name."""
    return {name for name in NAMES if count(parse(text), kind_of(name))}


CASES = [
    case
    for slug in CODES
    for case in read_cases((Path(__file__).parent / slug / "cases.json").read_bytes())
]
WON = [
    case for case in CASES if case.facts.wins and wins(case, case.facts.wins[0].seat, case.facts)
]


@pytest.mark.parametrize("concealed", ["22334455667788m", "223344556677m", "233445566778m"])
@pytest.mark.parametrize("slug", ["hefei", "jiangxi", "qingdao"])
def test_pairs_of_another_number_are_no_seven_pairs(slug: str, concealed: str):
    ruleset = registry.get(slug)
    win = WinFacts(seat=1, by="zimo", tile="8m", concealed=concealed)
    wild = "7z" if slug == "jiangxi" else None
    facts = HandFacts(dealer=0, result="hu", wild=wild, wins=(win,))
    options = {"mode": "dian_pao"} if slug == "qingdao" else {}
    answer = ruleset.score(facts, make_options(ruleset.options, options))
    assert isinstance(answer, Violation)
    assert answer.code == CODES[slug]


@pytest.mark.parametrize("case", WON, ids=lambda case: case.id)
def test_no_winner_of_a_golden_case_wins_with_a_tile_more_or_less(case: Case):
    first = case.facts.wins[0]
    held = parse(first.concealed)
    others = [write(held + parse(name)) for name in NAMES]
    others += [write(held - parse(name)) for name in spelled(first.concealed)]
    for concealed in others:
        win = msgspec.structs.replace(first, concealed=concealed)
        facts = msgspec.structs.replace(case.facts, wins=(win, *case.facts.wins[1:]))
        assert not wins(case, first.seat, facts), concealed
