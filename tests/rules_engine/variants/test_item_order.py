"""The items of a score stand in the order of the variant's table, whatever order a case lists."""

from pathlib import Path

import pytest

from rules_engine import registry
from rules_engine.cases import read_cases
from rules_engine.ruleset import Options, make_options
from rules_engine.score import HandScore

VARIANTS = Path(__file__).parent


@pytest.mark.parametrize("slug", sorted(registry.rulesets()))
def test_items_stand_in_the_order_of_the_table(slug: str) -> None:
    ruleset = registry.get(slug)
    table = [item.id for item in ruleset.items]
    out_of_order = []
    for case in read_cases((VARIANTS / slug / "cases.json").read_bytes()):
        options = make_options(ruleset.options, case.options)
        assert isinstance(options, Options)
        scored = ruleset.score(case.facts, options)
        if isinstance(scored, HandScore):
            places = [[table.index(item.id) for item in win.items] for win in scored.wins]
            out_of_order += [case.id for order in places if order != sorted(order)]
    assert not out_of_order
