"""The guide's page about generated clients: its command makes one, its sample records with it."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest
import yaml
from markdown_it import MarkdownIt

from api.docs.contents import source_of

LANGUAGES = ("en", "zh")


def block_of(kind: str, language: str) -> str:
    """The page's one block of this kind."""
    tokens = MarkdownIt().parse(source_of("clients", language))
    (block,) = [token.content for token in tokens if (token.type, token.info) == ("fence", kind)]
    return block


def test_the_settings_of_the_generator_are_those_that_the_tests_use() -> None:
    ours = yaml.safe_load(Path(__file__).with_name("generator.yaml").read_text())
    for language in LANGUAGES:
        theirs = yaml.safe_load(block_of("yaml", language))
        assert theirs["content_type_overrides"] == ours["content_type_overrides"]


def test_the_command_makes_a_client_from_the_services_own_document(
    server: str, tmp_path: Path
) -> None:
    (tmp_path / "generator.yaml").write_text(block_of("yaml", "en"))
    command = block_of("text", "en").replace("https://paipu.example", server).split()
    program = Path(sys.executable).with_name(command[0])
    made = subprocess.run(
        [program, *command[1:], "--meta", "none", "--output-path", tmp_path / "made"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    assert (tmp_path / "made" / "client.py").is_file()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sample_records_a_hand_and_tells_what_others_wrote_before(
    program: ModuleType, server: str, language: str
) -> None:
    sample: dict[str, Any] = {}
    exec(block_of("python", language), sample)
    client = program.sign_on(server, f"reader-{language}", "nine gates and a wall")
    game = program.Club(client, f"readers-{language}").start("hefei").game
    key = str(uuid4())
    assert sample["record_hand"](client, game, key) == 2
    assert sample["record_hand"](client, game, key) == 2
    (missed,) = sample["record_hand"](client, game, str(uuid4()))
    assert missed["event"]["type"] == "hand_result"
