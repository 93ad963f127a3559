"""The golden cases of every variant: items, totals, payments, reasons of refusals, explanations."""

from pathlib import Path

import pytest

from rules_engine import registry
from rules_engine.cases import Case, mismatches, read_cases
from rules_engine.errors import Violation
from rules_engine.ruleset import Options, Ruleset, make_options
from rules_engine.score import HandExplanation, HandScore, Scored, WinExplanation

COUNTS = {"hefei": 130, "huaiyuan": 94, "jiangxi": 105, "qingdao": 114, "ruian": 96}
FILES = {
    slug: read_cases((Path(__file__).parent / slug / "cases.json").read_bytes()) for slug in COUNTS
}
CASES = [case for cases in FILES.values() for case in cases]
ITEMS_ADD_UP = {"hefei", "jiangxi", "qingdao"}
"""Where items add up to the total; elsewhere they are fan, or of several kinds."""
every_variant = pytest.mark.parametrize("slug", COUNTS)
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


def answers(case: Case) -> tuple[Ruleset, Scored, HandExplanation | Violation]:
    """The ruleset of a case, its score and its explanation."""
    ruleset = registry.get(case.slug)
    options = make_options(ruleset.options, case.options)
    assert isinstance(options, Options)
    return ruleset, ruleset.score(case.facts, options), ruleset.explain(case.facts, options)


@every_variant
def test_all_cases_are_here(slug: str) -> None:
    assert len({case.id for case in FILES[slug]}) == len(FILES[slug]) == COUNTS[slug]


@every_case
def test_the_answer_is_the_golden_one(case: Case) -> None:
    assert mismatches(case, registry.get(case.slug)) == ()


@every_variant
def test_every_rule_named_is_on_the_rule_page(slug: str) -> None:
    named = set()
    for case in FILES[slug]:
        _, scored, _ = answers(case)
        if isinstance(scored, Violation):
            named |= {scored.rule}
        else:
            named |= {transfer.rule for transfer in scored.transfers}
            named |= {item.rule for win in scored.wins for item in win.items}
    assert named <= set(registry.get(slug).rules)


@every_variant
def test_items_stand_in_the_order_of_the_table(slug: str) -> None:
    table = [item.id for item in registry.get(slug).items]
    for case in FILES[slug]:
        _, scored, _ = answers(case)
        for win in scored.wins if isinstance(scored, HandScore) else ():
            places = [table.index(item.id) for item in win.items]
            assert places == sorted(places), case.id


@every_case
def test_the_explanation_agrees_with_the_score(case: Case) -> None:
    ruleset, scored, explained = answers(case)
    if isinstance(scored, Violation):
        assert explained == scored
        return
    assert isinstance(explained, HandExplanation)
    assert explained.transfers == scored.transfers
    for win, why in zip(scored.wins, explained.wins, strict=True):
        assert (win.seat, win.total, win.reading) == (why.seat, why.total, why.reading)
        assert [(item.id, item.points) for item in win.items] == [
            (item.id, item.points) for item in why.given
        ]
        told = (*why.given, *why.not_given)
        assert sorted(each.id for each in told) == sorted(item.id for item in ruleset.items)
        assert why.formula[-1].points == why.total
        if case.slug in ITEMS_ADD_UP:
            assert why.total == sum(item.points for item in why.given)
        if case.slug == "huaiyuan":
            assert why.formula[0].points == sum(item.points for item in why.given)
        assert all(each.zh and each.en and each.rule in ruleset.rules for each in told)
        for item in why.given:
            written = item.worth.en, item.worth.zh
            assert all(f"{item.points:,}" in text or not item.points for text in written)


@every_variant
def test_the_hand_waited_for_the_tile_it_won_on(slug: str) -> None:
    for case in FILES[slug]:
        _, _, explained = answers(case)
        for why in explained.wins if isinstance(explained, HandExplanation) else ():
            win = next(win for win in case.wins if win.seat == why.seat)
            # Only in Huaiyuan does a drawn wild of a declared hand stand for one of its waits.
            stands_for_a_wait = (
                slug == "huaiyuan"
                and win.tile == case.wild
                and "ting" in win.flags
                and "dui_bao" not in win.flags
                and bool(why.waits)
            )
            waited = (
                win.tile in why.waits or stands_for_a_wait or (slug == "ruian" and laid_down(why))
            )
            assert waited, case.id


def laid_down(why: WinExplanation) -> bool:
    """Three wilds laid down win without a complete hand, and so without a wait."""
    return [item.id for item in why.given] == ["san_cai_shen"]
