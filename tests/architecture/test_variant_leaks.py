"""A variant is one folder: no other file of the project knows that it exists."""

import re
from pathlib import Path

from rules_engine import registry
from tests.support.source import source_files, text_of

VARIANTS = Path("rules_engine") / "variants"


def test_no_file_outside_its_folder_tests_and_prose_names_a_variant() -> None:
    slugs = sorted(registry.rulesets())
    assert slugs, "the registry found no variant at all"
    named = re.compile(rf"(?<![a-z])(?:{'|'.join(map(re.escape, slugs))})(?![a-z])", re.IGNORECASE)
    leaks = [
        f"{path}:{number}"
        for path in source_files()
        if not _may_name_variants(path)
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if named.search(line)
    ]
    assert not leaks, f"Ask the registry, or move this into the variant's folder: {leaks}"


def test_no_variant_names_another() -> None:
    slugs = sorted(registry.rulesets())
    leaks = [
        f"{path} names {other}"
        for path in source_files()
        if path.suffix == ".py" and path.parts[:2] == VARIANTS.parts and len(path.parts) > 3
        for other in slugs
        if other != path.parts[2] and re.search(rf"(?<![a-z]){other}(?![a-z])", text_of(path))
    ]
    assert not leaks, f"What two variants share belongs beside them, unnamed: {leaks}"


def test_every_folder_of_variants_is_found_and_has_the_same_inner_names() -> None:
    folders = {
        path.parts[2]
        for path in source_files()
        if path.parts[:2] == VARIANTS.parts and len(path.parts) > 3
    }
    assert folders == set(registry.rulesets())
    for folder in folders:
        names = {
            path.name for path in source_files() if path.parts[:3] == (*VARIANTS.parts, folder)
        }
        missing = {"__init__.py", "options.py", "play.py", "score.py", "rules.toml"} - names
        assert not missing, f"{folder} lacks {missing}"


RECORDED = Path("api") / "examples.json"
"""What was asked and answered in a story: prose of a kind."""


def _may_name_variants(path: Path) -> bool:
    prose = path.suffix == ".md" or path == RECORDED
    return prose or path.parts[:2] == VARIANTS.parts or path.parts[0] == "tests"
