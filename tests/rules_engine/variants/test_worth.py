"""What the rule page says an item is worth is what the golden cases pay for it."""

import re

import pytest

from rules_engine import registry
from rules_engine.option_rows import BY_RULE, choose_options, worth_by_item
from rules_engine.ruleset import Options, Ruleset, make_options
from rules_engine.score import NOT_COUNTED, HandScore, Worth
from tests.rules_engine.variants.test_refusals import cases

RULESETS = pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda each: each.slug)


def under(ruleset: Ruleset, preset: str) -> dict[str, Worth]:
    """What every item is worth under a preset."""
    options = choose_options(ruleset, preset=preset, given={})
    assert isinstance(options, Options)
    return dict(worth_by_item(ruleset, options))


@RULESETS
def test_every_item_has_a_worth_in_both_languages_under_every_preset(ruleset: Ruleset) -> None:
    for preset in ruleset.presets:
        for item_id, worth in under(ruleset, preset).items():
            assert worth != BY_RULE, item_id
            assert worth.zh, item_id
            assert worth.en, item_id
            assert worth.en.isascii() or "×" in worth.en


@RULESETS
def test_the_golden_cases_pay_what_an_item_is_worth(ruleset: Ruleset) -> None:
    """Where it is a number, each line is a multiple of it; what is not counted has no line."""
    compared = 0
    for case in cases(ruleset.slug).values():
        options = make_options(ruleset.options, case.options)
        assert isinstance(options, Options)
        worths = worth_by_item(ruleset, options)
        score = ruleset.score(case.facts, options)
        for win in score.wins if isinstance(score, HandScore) else ():
            for line in win.items:
                worth = worths[line.id]
                assert worth != NOT_COUNTED, (case.id, line)
                figure = re.fullmatch(r"([\d,]+)( \w+)?", worth.en)
                if figure is not None:
                    price = int(figure[1].replace(",", ""))
                    assert line.points % price == 0, (case.id, line, worth)
                    compared += 1
    assert compared > 50


def test_an_item_is_worth_what_the_chosen_options_make_of_it() -> None:
    hefei, qingdao, ruian = (registry.get(slug) for slug in ("hefei", "qingdao", "ruian"))
    assert under(hefei, "plain")["base"] == Worth("10", "10")
    assert under(hefei, "bao_ting")["base"] == Worth("12", "12")
    assert under(hefei, "plain")["gang_kai"] == Worth("×2", "×2")
    assert under(qingdao, "ping_hu")["qing_yi_se"] == NOT_COUNTED
    assert under(qingdao, "quan_dai_jiang")["qing_yi_se"] == Worth("2", "2")
    assert under(ruian, "standard")["an_gang_yao"] == Worth("32 胡", "32 hu")
    assert under(ruian, "flat")["an_gang_yao"] == NOT_COUNTED
    assert under(ruian, "flat")["di"] == Worth("1 底", "1 unit")


@RULESETS
def test_every_preset_has_a_name_of_its_own_in_both_languages(ruleset: Ruleset) -> None:
    names = ruleset.preset_names
    assert list(names) == list(ruleset.presets)
    assert len({name.zh for name in names.values()}) == len(names)
    assert len({name.en for name in names.values()}) == len(names)
    for name in names.values():
        assert not name.zh.isascii(), name
        assert "_" not in name.en
    assert ruleset.names.region_zh


@RULESETS
def test_chapters_hold_all_rules_in_their_order_under_names_of_their_own(ruleset: Ruleset) -> None:
    firsts = [chapter.first for chapter in ruleset.chapters]
    order = list(ruleset.rules)
    assert firsts[0] == order[0]
    assert firsts == sorted(firsts, key=order.index)
    for language in ("zh", "en"):
        names = [getattr(chapter, language) for chapter in ruleset.chapters]
        assert len(set(names)) == len(names)
        assert all(name.isascii() == (language == "en") for name in names)
