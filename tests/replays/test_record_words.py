"""The words of the scorekeeper's pages."""

import re
from pathlib import Path

import replays
from replays.pages.record_words import RECORD_WORDS

FOLDER = Path(replays.__file__).parent
BY_DATA = {"zimo", "dianpao", "qiang_gang"}


def used() -> set[str]:
    """Every word that a template or a script of the pages names."""
    templates = "".join(
        path.read_text(encoding="utf-8") for path in FOLDER.rglob("templates/replays/record*.html")
    )
    scripts = "".join(
        path.read_text(encoding="utf-8") for path in FOLDER.rglob("static/replays/record/*.js")
    )
    return {*re.findall(r"\bw\.(\w+)", templates), *re.findall(r"\bsay\.(\w+)", scripts)}


def test_every_word_is_there_in_both_languages() -> None:
    assert RECORD_WORDS["zh"].keys() == RECORD_WORDS["en"].keys()
    assert all(text.strip() for words in RECORD_WORDS.values() for text in words.values())
    for name, text in RECORD_WORDS["zh"].items():
        assert text.count("{}") == RECORD_WORDS["en"][name].count("{}"), name


def test_every_word_that_is_used_is_there_and_none_is_there_for_nothing() -> None:
    words = {name for name in RECORD_WORDS["en"] if not name.startswith("lack_")}
    named = {name for name in used() if not name.startswith("lack_")}
    assert named - {"tiles"} == words - BY_DATA
