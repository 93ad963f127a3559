"""The client that a maintained generator makes from the service's document, and a live server."""

import importlib
import os
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest
from drf_spectacular.generators import SchemaGenerator

from tests.support.databases import Database, fresh_database
from tests.support.web import running_web


@pytest.fixture(scope="session")
def paipu_client(tmp_path_factory: Any) -> Iterator[ModuleType]:
    """The package ``paipu_client``, made in a folder of its own and on the path for the session."""
    folder: Path = tmp_path_factory.mktemp("client")
    document = folder / "openapi.json"
    document.write_bytes(msgspec.json.encode(SchemaGenerator().get_schema(public=True)))
    programs = Path(sys.executable).parent
    made = subprocess.run(
        [
            *(programs / "openapi-python-client", "generate", "--meta", "none"),
            *("--path", document, "--output-path", folder / "paipu_client"),
            *("--config", Path(__file__).with_name("generator.yaml"), "--fail-on-warning"),
        ],
        env={**os.environ, "PATH": f"{programs}:{os.environ.get('PATH', '')}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module("paipu_client")
    finally:
        sys.path.remove(str(folder))


@pytest.fixture(scope="session")
def every_module(paipu_client: ModuleType) -> list[str]:
    """The names of all modules of the generated client."""
    return [
        module.name
        for module in pkgutil.walk_packages(paipu_client.__path__, f"{paipu_client.__name__}.")
    ]


@pytest.fixture(scope="session")
def program(paipu_client: ModuleType) -> ModuleType:
    """The program written against the generated client."""
    del paipu_client
    return importlib.import_module("tests.client.program")


@pytest.fixture(scope="module")
def server(postgres_server: Any, django_db_blocker: Any) -> Iterator[str]:
    """The address of a live server on a database that Django here uses too."""
    with django_db_blocker.unblock(), fresh_database(postgres_server) as database:
        yield from _serve(database)


def _serve(database: Database) -> Iterator[str]:
    with running_web(database) as address:
        yield address
