"""Rules about the source itself. Each says what to do instead."""

import ast
import re
import sys
from pathlib import Path

import pytest

from tests.support.source import (
    PROJECT,
    functions_of,
    lines_that_are_not_data,
    python_files,
    source_files,
    text_of,
    tree_of,
)

FUNCTION_LINES_MAX = 70
FILE_LINES_MAX = 400
COLUMNS_MAX = 100

# What depends on the moment or the machine; in the rules it arrives as an event or an argument.
IMPURE_MODULES = {
    "asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "shutil",
    "socket", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip
IMPURE_NAMES = {"open", "input", "print", "exec", "eval", "id", "hash"}

# Written in pieces, so that this file does not name them itself.
REGISTRY_HOSTS = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("files", "pythonhosted", "org"),
        ("registry", "npmjs", "org"),
        ("registry", "yarnpkg", "com"),
        ("proxy", "golang", "org"),
        ("deb", "debian", "org"),
        ("docker", "io"),
        ("ghcr", "io"),
        ("quay", "io"),
    )
)
MACHINE_PATH = re.compile(r"(?<![\w.~$}/-])/(?:work|root|home|Users|workspace)/[\w.]")
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b")


def test_no_function_is_longer_than_a_screen() -> None:
    too_long = [
        f"{path}: {name} has {lines} lines"
        for path in python_files()
        for name, lines in functions_of(path)
        if lines > FUNCTION_LINES_MAX
    ]
    assert not too_long, f"Split these; at most {FUNCTION_LINES_MAX} lines: {too_long}"


def test_no_file_is_longer_than_a_chapter_tables_of_data_aside() -> None:
    too_long = {
        str(path): lines
        for path in python_files()
        if (lines := lines_that_are_not_data(path)) > FILE_LINES_MAX
    }
    assert not too_long, f"Split these by concept; at most {FILE_LINES_MAX} lines: {too_long}"


def test_no_line_is_wider_than_a_hundred_columns() -> None:
    code = {".py", ".sql", ".sh", ".toml", ".yaml", ".yml"}
    generated = {Path("tests/api/openapi.yaml")}
    # The rules as a person reads them: sentences, one to a line.
    prose = "rules.toml"
    too_wide = [
        f"{path}:{number}"
        for path in source_files()
        if path.suffix in code
        and path not in generated
        and path.name != prose
        and "migrations" not in path.parts
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if len(line) > COLUMNS_MAX
    ]
    assert not too_wide, f"Wrap these lines: {too_wide}"


def test_the_rules_know_no_clock_no_randomness_and_no_machine() -> None:
    impure = [
        f"{path}:{line} {name}"
        for path in python_files("rules_engine")
        for line, name in _imports_and_calls(path)
        if name.split(".")[0] in IMPURE_MODULES | IMPURE_NAMES
    ]
    assert not impure, f"Let these arrive as events or arguments: {impure}"


def test_the_rules_need_nothing_but_the_standard_library_and_msgspec() -> None:
    allowed = set(sys.stdlib_module_names) | {"msgspec", "rules_engine"}
    foreign = [
        f"{path}:{line} {name}"
        for path in python_files("rules_engine")
        for line, name in _imports(path)
        if name.split(".")[0] not in allowed
    ]
    assert not foreign, f"The rules engine may not depend on: {foreign}"


@pytest.mark.parametrize("host", REGISTRY_HOSTS)
def test_no_file_names_a_package_registry(host: str) -> None:
    naming = [
        str(path) for path in source_files() if re.search(rf"\b{re.escape(host)}\b", text_of(path))
    ]
    assert not naming, f"Installers know their registry; remove {host} from {naming}"


def test_no_file_names_a_path_of_one_machine() -> None:
    naming = [
        f"{path}:{number}"
        for path in source_files()
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if MACHINE_PATH.search(line)
    ]
    assert not naming, f"Use paths relative to the project: {naming}"


def test_nothing_is_left_unfinished_in_the_source() -> None:
    left = [
        f"{path}:{number}"
        for path in source_files()
        if path.suffix in {".py", ".sql", ".sh", ".toml", ".yaml", ".html", ".js", ".css", ".md"}
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if UNFINISHED.search(line)
    ]
    assert not left, f"Do these now, or file an issue: {left}"


def test_no_rows_are_read_through_a_cursor_that_the_garbage_collector_may_close() -> None:
    reading = [
        f"{path}:{node.lineno}"
        for folder in ("records", "replays", "api")
        for path in python_files(folder)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr in {"iterator", "chunked_cursor"}
    ]
    assert not reading, f"Read these by records.batches.in_batches: {reading}"


def test_every_test_module_is_one_that_pytest_collects() -> None:
    stray = [
        str(path)
        for path in python_files("tests")
        if not path.name.startswith("test_")
        and any(name.startswith("test_") for name, _ in functions_of(path))
    ]
    assert not stray, f"Rename these to test_*.py, or their tests never run: {stray}"


def test_the_papers_of_the_project_are_there() -> None:
    for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"):
        assert (PROJECT / name).is_file(), f"{name} is missing"


def _imports(path: Path) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append((node.lineno, node.module))
    return found


def _imports_and_calls(path: Path) -> list[tuple[int, str]]:
    calls = [
        (node.lineno, node.func.id)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    return _imports(path) + calls
