"""What there is to be reached, read from a ruleset itself and from a variant's own source."""

import ast
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from pathlib import Path

from rules_engine.ruleset import Ruleset

REFUSERS = frozenset({"stop", "illegal", "Violation", "_no", "no"})


def sources_of(package: str) -> Iterator[ast.AST]:
    """The source of every module of a variant."""
    folder = Path(str(import_module(package).__file__)).parent
    for path in sorted(folder.glob("*.py")):
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


@lru_cache(maxsize=16)
def reasons_of(package: str) -> frozenset[str]:
    """The codes of refusals that are written in a variant's own source."""
    codes = set()
    for node in sources_of(package):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in REFUSERS:
            named = [each.value for each in node.keywords if each.arg == "code"]
            codes.update(
                each.value
                for each in (*node.args[:1], *named)
                if isinstance(each, ast.Constant)
                and isinstance(each.value, str)
                and each.value.isidentifier()
            )
    return frozenset(codes)


@lru_cache(maxsize=16)
def flags_of(package: str) -> frozenset[str]:
    """Words that may be flags: those of a variant's module of flags, or of its whole source."""
    folder = Path(str(import_module(package).__file__)).parent
    module = folder / "flags.py"
    told = (
        ast.walk(ast.parse(module.read_text("utf-8"))) if module.exists() else sources_of(package)
    )
    return frozenset(
        node.value
        for node in told
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and "_" in node.value
        and node.value.isidentifier()
    )


def own_events(ruleset: Ruleset) -> list[str]:
    """The types of events a ruleset adds to the common ones, or has a form of its own of."""
    catalogue = ruleset.catalogue.types
    return sorted(name for name, cls in catalogue.items() if cls in ruleset.events)
