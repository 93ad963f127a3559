"""The client made from the document compiles, and a program written against it alone works."""

import ast
import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from drf_spectacular.generators import SchemaGenerator

from records.journal import seal_pending
from records.settlement import settle_sealed
from replays.projections import advance_projections

PROGRAM = Path(__file__).with_name("program.py")
ALLOWED = {"httpx", "paipu_client"}


def settle() -> None:
    """Do now what the workers do within seconds."""
    seal_pending()
    settle_sealed()
    advance_projections()


def test_every_operation_is_a_function_of_the_client_and_every_module_imports(
    every_module: list[str],
) -> None:
    for name in every_module:
        importlib.import_module(name)
    functions = {name.rpartition(".")[2].replace("_", "") for name in every_module}
    document: Any = SchemaGenerator().get_schema(public=True)
    for methods in document["paths"].values():
        for operation in methods.values():
            assert operation["operationId"].lower() in functions


def test_the_program_imports_nothing_but_the_client() -> None:
    tree = ast.parse(PROGRAM.read_text(encoding="utf-8"))
    modules = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert modules <= ALLOWED | set(sys.stdlib_module_names)


def test_the_program_does_what_the_readme_does(program: ModuleType, server: str) -> None:
    assert program.story(server, settle) == {
        "previewed": [-12, -10, 32, -10],
        "last_seq": 2,
        "points": {"Lin": -12, "Mei": -10, "Tao": 32, "Yun": -10},
        "first_item": "base",
        "best": "Tao",
        "intact": True,
    }
