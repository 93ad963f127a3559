"""Finds the rulesets: every folder under ``variants/`` and every entry point of ``paipu.rulesets``.

A ruleset shipped as a package of its own registers an entry point whose value is the module (or
package) that exposes ``RULESET``. Nothing is registered by hand and nothing is imported by name.
"""

import pkgutil
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType

from rules_engine import variants
from rules_engine.ruleset import Ruleset

GROUP = "paipu.rulesets"


class UnknownRuleset(LookupError):
    """No ruleset of that slug or version is installed; the message lists what is."""


def modules() -> Iterator[ModuleType]:
    """The modules that expose a ``RULESET``: our own variants first, then entry points by name."""
    for found in sorted(pkgutil.iter_modules(variants.__path__), key=lambda module: module.name):
        yield import_module(f"{variants.__name__}.{found.name}")
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        yield point.load()


@lru_cache(maxsize=1)
def rulesets() -> Mapping[str, Mapping[int, Ruleset]]:
    """Every installed ruleset: slug to version to ruleset."""
    found: dict[str, dict[int, Ruleset]] = {}
    for module in modules():
        for ruleset in (*getattr(module, "PAST", ()), module.RULESET):
            found.setdefault(ruleset.slug, {})[ruleset.version] = ruleset
    return found


def get(slug: str, version: int | None = None) -> Ruleset:
    """A ruleset by slug; without a version the latest. Raises UnknownRuleset."""
    versions = rulesets().get(slug)
    if versions is None:
        raise UnknownRuleset(f"There is no ruleset {slug!r}; installed: {', '.join(rulesets())}.")
    if version is None:
        return versions[max(versions)]
    if version not in versions:
        known = ", ".join(str(number) for number in versions)
        raise UnknownRuleset(f"Ruleset {slug!r} has no version {version}; installed: {known}.")
    return versions[version]


def latest() -> tuple[Ruleset, ...]:
    """The latest version of every ruleset, by slug."""
    return tuple(versions[max(versions)] for _, versions in sorted(rulesets().items()))
