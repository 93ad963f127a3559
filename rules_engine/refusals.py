"""What refusals are called in both languages, by code.

A refusal's message is an English sentence about the case at hand. Its title says in either language
what is wrong in general, so that a program can show a person something whatever it understands of
the facts. Shared rules have theirs in ``refusals.toml`` here, a variant in its own folder's.
"""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

import msgspec


class Refusal(msgspec.Struct, frozen=True):
    """What a code of a refusal stands for, in Chinese and in English."""

    zh: str
    en: str


@lru_cache(maxsize=64)
def refusals_of(package: str) -> Mapping[str, Refusal]:
    """The titles of the refusals that a variant gives, the shared ones among them.

    ``package`` is the variant's folder. One that has no ``refusals.toml`` names none of its own.
    """
    return {**_read("rules_engine"), **_read(package)}


def _read(package: str) -> dict[str, Refusal]:
    page = files(package).joinpath("refusals.toml")
    if not page.is_file():
        return {}
    written = tomllib.loads(page.read_text(encoding="utf-8"))
    titles = msgspec.convert(written, dict[str, tuple[str, str]])
    return {code: Refusal(zh, en) for code, (zh, en) in titles.items()}
