"""The golden cases of Huaiyuan mahjong: items in order, totals, payments, reasons of refusals."""

from pathlib import Path

import pytest

from rules_engine import registry
from rules_engine.cases import Case, mismatches, read_cases
from rules_engine.errors import Violation
from rules_engine.ruleset import make_options

RULESET = registry.get("huaiyuan")
CASES = read_cases(Path(__file__).with_name("cases.json").read_bytes())
ITEM_IDS = [item.id for item in RULESET.items]


def test_all_94_golden_cases_are_here():
    assert len({case.id for case in CASES}) == len(CASES) == 94


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_answer_is_the_golden_one(case: Case):
    assert mismatches(case, RULESET) == ()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_explanation_agrees_with_the_score(case: Case):
    options = make_options(RULESET.options, case.options)
    scored = RULESET.score(case.facts, options)
    explained = RULESET.explain(case.facts, options)
    if isinstance(scored, Violation):
        assert explained == scored
        assert scored.rule in RULESET.rules
        return
    assert explained.transfers == scored.transfers
    for transfer in scored.transfers:
        assert transfer.rule in RULESET.rules
    for win, why in zip(scored.wins, explained.wins, strict=True):
        assert (win.seat, win.total, win.reading) == (why.seat, why.total, why.reading)
        assert [(item.id, item.points) for item in win.items] == [
            (item.id, item.points) for item in why.given
        ]
        assert sorted(each.id for each in (*why.given, *why.not_given)) == sorted(ITEM_IDS)
        assert why.formula[-1].points == why.total
        assert why.formula[0].points == sum(item.points for item in why.given)
        assert all(each.zh and each.en and each.rule in RULESET.rules for each in why.given)
        assert all(each.zh and each.en and each.rule in RULESET.rules for each in why.not_given)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_hand_waited_for_the_tile_it_won_on_unless_that_was_wild(case: Case):
    explained = RULESET.explain(case.facts, make_options(RULESET.options, case.options))
    if not isinstance(explained, Violation):
        for win, why in zip(case.wins, explained.wins, strict=True):
            wild = win.tile == case.wild and "ting" in win.flags and "dui_bao" not in win.flags
            assert why.waits
            assert win.tile in why.waits or wild
