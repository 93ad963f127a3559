"""What rulesets, items, gangs and kinds of payments are called."""

from collections.abc import Mapping
from typing import Final

from records.played import Begun
from replays.statements import ENTRIES, name_of_item
from rules_engine import registry

KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "hu": ("胡牌", "win"),
    "gang": ("杠", "gang"),
    "side": ("其他付分", "side payment"),
}
"""The names of the payments of a hand, by kind."""


def ruleset_title(slug: str, language: str) -> str:
    """The name of a ruleset; its slug where it is not installed any more."""
    try:
        name: str = getattr(registry.get(slug).names, language)
    except registry.UnknownRuleset:
        return slug
    return name


def game_title(game: Begun, language: str) -> str:
    """What a game is called: its title, else its ruleset."""
    return game.title or ruleset_title(game.ruleset, language)


def item_name(ruleset: str, item: str, language: str) -> str:
    """What an item is called under the newest version of a ruleset; else its id."""
    try:
        version = registry.get(ruleset).version
    except registry.UnknownRuleset:
        return item
    return name_of_item(ruleset, version, item, "hu")[0 if language == "zh" else 1]


def kind_name(kind: str, language: str) -> str:
    """What a kind of gang is called in the first ruleset that has it."""
    for ruleset in registry.latest():
        name = ruleset.name_of(kind)
        if name is not None:
            return name[0 if language == "zh" else 1]
    return kind


def payment_kind(kind: str, language: str) -> str:
    """What a kind of payment in a statement is called."""
    entry = ENTRIES.get(kind) or KINDS.get(kind) or (kind, kind)
    return entry[0 if language == "zh" else 1]
