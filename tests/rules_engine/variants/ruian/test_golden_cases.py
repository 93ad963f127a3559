"""The golden cases of Rui'an mahjong: items, totals, payments, reasons of refusals."""

from pathlib import Path

import pytest

from rules_engine import registry
from rules_engine.cases import Case, mismatches, read_cases
from rules_engine.errors import Violation
from rules_engine.ruleset import make_options
from rules_engine.variants.ruian.hands import Read
from rules_engine.variants.ruian.items import ITEMS
from rules_engine.variants.ruian.legality import read_hand

RULESET = registry.get("ruian")
CASES = read_cases(Path(__file__).with_name("cases.json").read_bytes())
ITEM_IDS = [item.id for item in RULESET.items]


def test_all_96_golden_cases_are_here():
    assert len({case.id for case in CASES}) == len(CASES) == 96


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_answer_is_the_golden_one(case: Case):
    assert mismatches(case, RULESET) == ()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_lines_are_what_the_table_of_items_says(case: Case):
    read = read_hand(case.facts, make_options(RULESET.options, case.options))
    if isinstance(read, Read):
        for item in ITEMS:
            listed = read.chosen.line(item.id)
            if listed:
                assert item.points(read.chosen.win) == listed


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
        assert [item.id for item in win.items] == [
            item_id for item_id in ITEM_IDS if item_id in {item.id for item in win.items}
        ]
        assert sorted(each.id for each in (*why.given, *why.not_given)) == sorted(ITEM_IDS)
        assert why.formula[-1].points == why.total
        assert all(each.zh and each.en and each.rule in RULESET.rules for each in why.given)
        assert all(each.zh and each.en and each.rule in RULESET.rules for each in why.not_given)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_hand_waited_for_the_tile_it_won_on(case: Case):
    options = make_options(RULESET.options, case.options)
    explained = RULESET.explain(case.facts, options)
    if isinstance(explained, Violation):
        return
    for why in explained.wins:
        win = next(win for win in case.wins if win.seat == why.seat)
        bare = [item.id for item in why.given] == ["san_cai_shen"]
        assert (win.tile in why.waits) or bare
