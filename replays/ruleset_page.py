"""What the page of a ruleset shows, from the same data the engine runs on. Pure."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from replays.pages.languages import OTHER
from replays.words import WORDS
from rules_engine.errors import Violation
from rules_engine.option_rows import (
    OptionRow,
    choose_options,
    option_rows,
    worth_by_item,
)
from rules_engine.ruleset import Options, Rule, Ruleset
from rules_engine.score import NOT_COUNTED

FIGURE_MAX: Final = 8
"""Characters of a worth that is shown as a figure, such as ``500 hu``."""


class Choice(msgspec.Struct, frozen=True):
    """A value of a list, as the address writes it and as a person reads it."""

    value: str
    text: str
    chosen: bool


class OptionLine(msgspec.Struct, frozen=True):
    """An option: what it means, what it may be, what it is."""

    name: str
    text: str
    rules: tuple[str, ...]
    allowed: str
    default: str
    chosen: str
    changed: bool
    choices: tuple[Choice, ...]
    """Empty where a value is typed."""
    least: int | None
    most: int | None
    is_number: bool


class ItemLine(msgspec.Struct, frozen=True):
    """An item with what it is worth and the rule it rests on; ``counts``: it is worth anything."""

    id: str
    name: str
    other_name: str
    rule: str
    rule_text: str
    worth: str
    counts: bool
    is_number: bool
    """Whether the worth is a figure rather than a sentence."""


class RuleLine(msgspec.Struct, frozen=True):
    """A numbered rule in both languages."""

    id: str
    text: str
    other_text: str
    provenance: str


def rule_lines(ruleset: Ruleset, language: str) -> list[RuleLine]:
    """The rules in the order of the rule page."""
    other = OTHER[language]
    return [
        RuleLine(rule.id, _text(rule, language), _text(rule, other), rule.provenance)
        for rule in ruleset.rules.values()
    ]


def item_lines(ruleset: Ruleset, options: Options, language: str) -> list[ItemLine]:
    """The items with what they are worth under the options."""
    lines = []
    worths = worth_by_item(ruleset, options)
    for item in ruleset.items:
        worth = worths[item.id]
        text: str = getattr(worth, language)
        lines.append(
            ItemLine(
                id=item.id,
                name=getattr(item, language),
                other_name=getattr(item, OTHER[language]),
                rule=item.rule,
                rule_text=_text(ruleset.rules[item.rule], language),
                worth=text,
                counts=worth != NOT_COUNTED,
                is_number=len(text) <= FIGURE_MAX,
            )
        )
    return lines


def option_lines(ruleset: Ruleset, options: Options, language: str) -> list[OptionLine]:
    """The options, each with what it may be."""
    return [_option_line(row, language) for row in option_rows(ruleset, options)]


def changes(ruleset: Ruleset, preset: str, given: Mapping[str, str]) -> dict[str, str]:
    """Those of the choices that differ from the preset: what an address needs to say."""
    base = choose_options(ruleset, preset=preset, given={})
    if not isinstance(base, Options):
        return dict(given)
    values = {row.name: written(row.chosen) for row in option_rows(ruleset, base)}
    return {name: text for name, text in given.items() if values.get(name) != text}


def written(value: Any) -> str:
    """A value as an address writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ",".join(str(each) for each in value)
    return str(value)


def shown(value: Any, language: str) -> str:
    """A value as a person reads it."""
    if isinstance(value, bool):
        return WORDS[language]["yes" if value else "no"]
    if isinstance(value, list | tuple):
        return ", ".join(str(each) for each in value)
    return str(value)


def value_text(row: OptionRow, value: Any, language: str) -> str:
    """A value of an option as a person reads it, by its name where it has one."""
    name = row.value_names.get(str(value))
    return shown(value, language) if name is None else str(getattr(name, language))


def allowed_text(allowed: Mapping[str, Any], language: str) -> str:
    """What a JSON Schema allows, in a few words: the values, or a range."""
    if "enum" in allowed:
        return " · ".join(shown(each, language) for each in allowed["enum"])
    if allowed.get("type") == "boolean":
        return f"{shown(True, language)} · {shown(False, language)}"
    if allowed.get("type") == "array":
        range_ = allowed_text(allowed.get("items", {}), language)
        return f"{range_} × {allowed.get('minItems', 0)}–{allowed.get('maxItems', '')}"
    if "minimum" in allowed and "maximum" in allowed:
        return f"{allowed['minimum']:,} – {allowed['maximum']:,}"
    return str(allowed.get("type", ""))


def refusal_text(refusal: Violation, language: str) -> str:
    """What a refused choice might have been."""
    if isinstance(refusal.expected, dict):
        return allowed_text(refusal.expected, language)
    return shown(refusal.expected, language)


def _option_line(row: OptionRow, language: str) -> OptionLine:
    values = row.allowed.get("enum", ())
    if row.allowed.get("type") == "boolean":
        values = (True, False)
    return OptionLine(
        name=row.name,
        text=getattr(row, language) or row.name,
        rules=row.rules,
        allowed=allowed_text(row.allowed, language),
        default=value_text(row, row.default, language),
        chosen=written(row.chosen),
        changed=row.chosen != row.default,
        choices=tuple(
            Choice(written(value), value_text(row, value, language), value == row.chosen)
            for value in values
        ),
        least=row.allowed.get("minimum"),
        most=row.allowed.get("maximum"),
        is_number=row.is_number,
    )


def _text(rule: Rule, language: str) -> str:
    text: str = getattr(rule, language)
    return text.strip()
