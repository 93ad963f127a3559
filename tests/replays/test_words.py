"""The words of the pages."""

import re
from pathlib import Path

import replays
from records.models import Role
from replays.pages.desk import DESKS
from replays.pages.games import SCRIPT_WORDS
from replays.words import WORDS

FOLDER = Path(replays.__file__).parent
NAMED_BY_DATA = {
    # Results of hands and entries, ways of winning, and what a revision came from.
    *("hu", "huang_zhuang", "abandoned", "voided", "adjusted", "penalty", "penalty_cancelled"),
    *("zimo", "dianpao", "qiang_gang", "recorded", "hand_corrected", "hand_voided", "pending"),
}


def used() -> set[str]:
    """Every word that a template, a page or a script names."""
    templates = "".join(path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.html"))
    code = "".join(path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.py"))
    return {
        *re.findall(r"\bt\.(\w+)", templates),
        *re.findall(r'WORDS\[[\w.]+\]\["(\w+)"', code),
        *re.findall(r":t\.(\w+)", templates),
        *SCRIPT_WORDS,
        *NAMED_BY_DATA,
        *("yes", "no"),
        *(desk.word for desk in DESKS.values()),
        *(f"role_{role.value}{may}" for role in Role for may in ("", "_may")),
    }


def test_every_word_is_there_in_both_languages() -> None:
    assert WORDS["zh"].keys() == WORDS["en"].keys()
    assert all(text.strip() for words in WORDS.values() for text in words.values())


def test_every_word_that_is_used_is_there_and_none_is_there_for_nothing() -> None:
    assert used() == WORDS["en"].keys()


def test_chinese_words_are_chinese() -> None:
    latin = {"list_comma", "colon", "other_language"}
    for name, text in WORDS["zh"].items():
        assert re.search(r"[一-鿿]", text) or name in latin, name


def test_scripts_name_only_words_that_they_are_given() -> None:
    scripts = "".join(path.read_text() for path in (FOLDER / "static").rglob("*.js"))
    assert set(re.findall(r"\bwords\.(\w+)", scripts)) <= set(SCRIPT_WORDS)
