"""The lines of a Rui'an score are what its table of items says of the reading chosen."""

from pathlib import Path

import pytest

from rules_engine.cases import Case, read_cases
from rules_engine.facts import HandFacts, WinFacts
from rules_engine.ruleset import make_options
from rules_engine.score import HandScore
from rules_engine.variants.ruian.items import ITEMS
from rules_engine.variants.ruian.legality import read_hand
from rules_engine.variants.ruian.options import RuianOptions
from rules_engine.variants.ruian.score import score
from rules_engine.variants.ruian.weighing import Read

CASES = read_cases(Path(__file__).with_name("cases.json").read_bytes())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_lines_are_what_the_table_of_items_says(case: Case):
    read = read_hand(case.facts, make_options(RuianOptions, case.options))
    if isinstance(read, Read):
        for item in ITEMS:
            listed = read.chosen.line(item.id)
            if listed:
                assert item.points(read.chosen.win) == listed


@pytest.mark.parametrize(("low", "paid"), [(0, []), (500, [(0, 500), (2, 250), (3, 250)])])
def test_three_wilds_beside_nothing_of_value_pay_what_the_club_gives_them(
    low: int, paid: list[tuple[int, int]]
):
    bare = WinFacts(seat=1, by="zimo", tile="1m", concealed="47m258p36999s1234z67z")
    facts = HandFacts(dealer=0, result="hu", wild="9s", wins=(bare,))
    answer = score(facts, make_options(RuianOptions, {"san_cai_shen_bare_low": low}))
    assert isinstance(answer, HandScore), answer
    assert answer.wins[0].total == low
    assert [(each.payer, each.points) for each in answer.transfers] == paid
