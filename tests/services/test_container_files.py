"""The container files, checked without a container engine: by their own linters and our eyes."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.support.source import PROJECT, source_files, text_of

DOCKER = Path("docker")
TOOLS = Path(sys.executable).parent


def _check(tool: str, *arguments: str) -> None:
    program = shutil.which(tool, path=f"{TOOLS}{os.pathsep}{os.environ['PATH']}")
    if program is None:
        pytest.skip(f"{tool} has no package for this platform")
    done = subprocess.run(
        [program, *arguments], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_compose_file_keeps_to_the_compose_specification() -> None:
    _check("check-jsonschema", "--builtin-schema", "vendor.compose-spec", "docker/compose.yaml")


def test_the_dockerfile_has_no_fault_that_hadolint_knows() -> None:
    _check("hadolint", "docker/Dockerfile")


def test_the_shell_scripts_have_no_fault_that_shellcheck_knows() -> None:
    scripts = [
        str(path)
        for path in source_files()
        if text_of(path).startswith(("#!/bin/sh", "#!/usr/bin/env bash", "#!/bin/bash"))
    ]
    assert "docker/install.sh" in scripts
    _check("shellcheck", *scripts)


def test_every_script_is_executable() -> None:
    closed = [
        str(path)
        for path in source_files()
        if text_of(path).startswith("#!") and not os.access(PROJECT / path, os.X_OK)
    ]
    assert not closed


def test_everything_the_dockerfile_copies_is_there_and_nothing_runs_as_root() -> None:
    dockerfile = text_of(DOCKER / "Dockerfile")
    for line in re.findall(r"^COPY (?!--from)(.+)$", dockerfile, flags=re.MULTILINE):
        *sources, _target = line.split()
        for source in sources:
            assert (PROJECT / source).exists(), source
    last_stage = dockerfile.rsplit("\nFROM ", 1)[1]
    assert re.search(r"^USER [1-9]\d*$", last_stage, flags=re.MULTILINE)


def test_the_image_holds_every_package_of_the_service() -> None:
    dockerfile = text_of(DOCKER / "Dockerfile")
    for package in ("rules_engine", "records", "replays", "api"):
        assert f"COPY {package} {package}\n" in dockerfile


def test_compose_starts_each_part_with_a_word_that_the_start_script_knows() -> None:
    services = yaml.safe_load(text_of(DOCKER / "compose.yaml"))["services"]
    known = set(re.findall(r"^(\w+)\)$", text_of(DOCKER / "start.sh"), flags=re.MULTILINE))
    ours = {name: service for name, service in services.items() if "command" in service}
    assert set(ours) == {"migrate", "web", "worker", "beat"}
    for name, service in ours.items():
        assert service["command"] == [name]
        assert name in known


def test_every_secret_of_the_compose_file_has_a_line_in_the_example() -> None:
    compose, example = text_of(DOCKER / "compose.yaml"), text_of(DOCKER / "example.env")
    wanted = set(re.findall(r"\$\{(\w+):\?", compose))
    offered = set(re.findall(r"^(\w+)=", example, flags=re.MULTILINE))
    assert wanted
    assert wanted <= offered
