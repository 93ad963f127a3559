"""Every refusal that the rules can give has a name in Chinese and in English."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules_engine import registry
from rules_engine.refusals import refusals_of
from rules_engine.ruleset import Ruleset, bind_play
from tests.support.source import PROJECT, python_files, tree_of

REFUSING = {"Violation", "illegal", "no", "stop", "_no", "_wrong_payer"}
"""The functions that make a refusal; its code is their first argument."""


def strings(node: ast.expr | None) -> Iterator[str]:
    """The texts that an expression can be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from strings(node.body)
        yield from strings(node.orelse)


def codes_in(folder: Path) -> set[str]:
    """The codes of the refusals that are written out in the modules right in a folder."""
    found: set[str] = set()
    for path in python_files():
        if path.parent != folder:
            continue
        for node in ast.walk(tree_of(path)):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
            given = {keyword.arg: keyword.value for keyword in node.keywords}
            if name in REFUSING:
                first = node.args[0] if node.args else None
                found.update(strings(given.get("code", first)))
    return found


def test_every_refusal_of_the_shared_rules_has_a_name_in_both_languages() -> None:
    codes = codes_in(Path("rules_engine"))
    assert len(codes) > 50, "the refusals are no longer found"
    assert not codes - refusals_of("rules_engine").keys()


@pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda ruleset: ruleset.slug)
def test_every_refusal_of_a_variant_has_a_name_in_both_languages(ruleset: Ruleset) -> None:
    folder = Path(*ruleset.package.split("."))
    assert (PROJECT / folder).is_dir()
    codes = codes_in(folder) | bind_play(ruleset, ruleset.options()).rules.keys()
    assert not codes - ruleset.refusals.keys()
    for refusal in ruleset.refusals.values():
        assert refusal.zh
        assert refusal.en


@pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda ruleset: ruleset.slug)
def test_a_variant_names_no_refusal_that_the_shared_rules_name(ruleset: Ruleset) -> None:
    own = {
        code
        for code, refusal in ruleset.refusals.items()
        if refusals_of("rules_engine").get(code) != refusal
    }
    assert not own & refusals_of("rules_engine").keys()


def test_a_package_that_names_no_refusals_has_the_shared_ones() -> None:
    assert refusals_of("rules_engine.variants") == refusals_of("rules_engine")
