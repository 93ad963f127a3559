"""The lines of a Rui'an score are what its table of items says of the reading chosen."""

from pathlib import Path

import pytest

from rules_engine.cases import Case, read_cases
from rules_engine.ruleset import make_options
from rules_engine.variants.ruian.hands import Read
from rules_engine.variants.ruian.items import ITEMS
from rules_engine.variants.ruian.legality import read_hand
from rules_engine.variants.ruian.options import RuianOptions

CASES = read_cases(Path(__file__).with_name("cases.json").read_bytes())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_lines_are_what_the_table_of_items_says(case: Case):
    read = read_hand(case.facts, make_options(RuianOptions, case.options))
    if isinstance(read, Read):
        for item in ITEMS:
            listed = read.chosen.line(item.id)
            if listed:
                assert item.points(read.chosen.win) == listed
