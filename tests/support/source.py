"""The project's own files, as the architecture tests read them."""

import ast
import subprocess
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PACKAGES = ("rules_engine", "records", "replays", "api", "tests")
_NOT_SOURCE = {".git", ".venv", "var", "staticfiles", "node_modules", "__pycache__"}


@lru_cache(maxsize=1)
def source_files() -> tuple[Path, ...]:
    """Every file that is or would be committed, relative to the project's folder, sorted.

    Where there is no git (in an image), every file outside the folders that running makes.
    """
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        found = (path.relative_to(PROJECT) for path in PROJECT.rglob("*") if path.is_file())
        return tuple(sorted(p for p in found if not _NOT_SOURCE.intersection(p.parts)))
    names = (Path(name) for name in listed.stdout.splitlines())
    return tuple(sorted(name for name in names if (PROJECT / name).is_file()))


def python_files(*packages: str) -> tuple[Path, ...]:
    """The Python files of these packages, migrations excepted, which Django writes."""
    return tuple(
        path
        for path in source_files()
        if path.suffix == ".py"
        and path.parts[0] in (packages or PACKAGES)
        and "migrations" not in path.parts
    )


@lru_cache(maxsize=2000)
def text_of(path: Path) -> str:
    """The text of one file; empty for one that is no text."""
    try:
        return (PROJECT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


@lru_cache(maxsize=2000)
def tree_of(path: Path) -> ast.Module:
    """The parsed module."""
    return ast.parse(text_of(path), filename=str(path))


def functions_of(path: Path) -> Iterator[tuple[str, int]]:
    """Each function of a module with its number of lines, decorators and docstring left out."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first, last = node.lineno, node.end_lineno or node.lineno
            yield node.name, last - first + 1 - _docstring_lines(node)


def lines_that_are_not_data(path: Path) -> int:
    """The length of a module without its tables: the values assigned at its top level."""
    data = sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for node in tree_of(path).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
    )
    return len(text_of(path).splitlines()) - data


def _docstring_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    if ast.get_docstring(node, clean=False) is None:
        return 0
    first = node.body[0]
    return (first.end_lineno or first.lineno) - first.lineno + 1
