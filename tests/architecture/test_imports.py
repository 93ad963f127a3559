"""Imports point one way: the contracts stand in pyproject.toml, import-linter holds them."""

import pytest
from importlinter.cli import lint_imports

from tests.support.source import PROJECT


def test_every_import_contract_is_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PROJECT)
    exit_code = lint_imports(no_cache=True)
    assert exit_code == 0, capsys.readouterr().out
