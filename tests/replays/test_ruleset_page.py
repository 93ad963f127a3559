"""What the page of a ruleset shows: where rules come from, options by subject, rules by chapter."""

from __future__ import annotations

import pytest

from replays.ruleset_page import (
    chapter_lines,
    option_groups,
    option_lines,
    priced_by,
    source_text,
)
from rules_engine import registry
from tests.support.toy import toy_installed


@pytest.mark.parametrize(
    ("written", "chinese", "english"),
    [
        ("seed", "原始文本", "source document"),
        ("seed; value house", "原始文本、本站约定", "source document; value our default"),
        ("public P1, P2", "公开资料", "public description P1, P2"),
        (
            "house; tie-break technical",
            "本站约定、记录所需",
            "our default; tie-break needed by the record",
        ),
    ],
)
def test_where_a_rule_comes_from_is_told_in_the_readers_language(
    written: str, chinese: str, english: str
) -> None:
    assert source_text(written, "zh") == chinese
    assert source_text(written, "en") == english


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_rule_says_where_it_comes_from(language: str) -> None:
    for ruleset in registry.latest():
        for chapter in chapter_lines(ruleset, [], language):
            assert all(rule.source for rule in chapter.rules), ruleset.slug


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_option_is_in_one_group_the_prices_of_items_before_the_others(language: str) -> None:
    for ruleset in registry.latest():
        lines = option_lines(ruleset, ruleset.options(), language)
        prices = priced_by(ruleset, ruleset.options())
        first, *others = option_groups(ruleset, lines, prices, language)
        assert {line.name for line in first.options} == prices
        grouped = [line.name for group in (first, *others) for line in group.options]
        assert sorted(grouped) == sorted(line.name for line in lines)


def test_a_rule_names_the_options_that_change_it() -> None:
    hefei = registry.get("hefei")
    lines = option_lines(hefei, hefei.options(), "en")
    rules = {rule.id: rule for each in chapter_lines(hefei, lines, "en") for rule in each.rules}
    assert rules["HF-59"].options == (("points_qi_dui", "Points for seven pairs."),)
    assert rules["HF-1"].options == ()


def test_a_ruleset_without_chapters_has_its_rules_and_options_all_the_same() -> None:
    with toy_installed():
        toy = registry.get("toy")
        lines = option_lines(toy, toy.options(), "zh")
        (chapter,) = chapter_lines(toy, lines, "zh")
        assert [rule.id for rule in chapter.rules] == list(toy.rules)
        assert chapter.title == ""
        groups = option_groups(toy, lines, priced_by(toy, toy.options()), "zh")
        assert sum(len(group.options) for group in groups) == len(lines)
