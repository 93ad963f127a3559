"""What the page of a ruleset shows, from the same data the engine runs on. Pure."""

import re
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
    prices_of,
    worth_by_item,
)
from rules_engine.ruleset import Chapter, Options, Rule, Ruleset
from rules_engine.score import NOT_COUNTED

PRICES: Final = "prices"
"""The group of the options that say what items are worth."""
SOURCES: Final = {
    "seed": ("原始文本", "source document"),
    "public": ("公开资料", "public description"),
    "house": ("本站约定", "our default"),
    "technical": ("记录所需", "needed by the record"),
    "derived": ("推得", "follows from the others"),
}
"""What the words in which a rule says where it comes from mean, in Chinese and English."""
SOURCE_WORD: Final = re.compile(rf"\b(?:{'|'.join(SOURCES)})\b")
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
    chosen_text: str
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


class OptionGroup(msgspec.Struct, frozen=True):
    """Options on one subject; ``changes`` of them are not at their defaults."""

    id: str
    title: str
    options: tuple[OptionLine, ...]
    changes: int


class RuleLine(msgspec.Struct, frozen=True):
    """A numbered rule in both languages, and the options that change it: name and text."""

    id: str
    text: str
    other_text: str
    source: str
    options: tuple[tuple[str, str], ...]


class ChapterLines(msgspec.Struct, frozen=True):
    """A chapter of the rules."""

    id: str
    title: str
    rules: tuple[RuleLine, ...]


def chapter_lines(ruleset: Ruleset, options: list[OptionLine], language: str) -> list[ChapterLines]:
    """The rules in the order of the rule page, by chapter."""
    other = OTHER[language]
    lines: dict[str, list[RuleLine]] = {}
    for rule in ruleset.rules.values():
        changed_by = [(each.name, each.text) for each in options if rule.id in each.rules]
        lines.setdefault(chapter_of(ruleset, rule.id).first, []).append(
            RuleLine(
                id=rule.id,
                text=_text(rule, language),
                other_text=_text(rule, other),
                source=source_text(rule.provenance, language),
                options=tuple(changed_by),
            )
        )
    titles = {each.first: getattr(each, language) for each in ruleset.chapters}
    return [
        ChapterLines(f"chapter-{first}", titles.get(first, ""), tuple(rules))
        for first, rules in lines.items()
    ]


def chapter_of(ruleset: Ruleset, rule: str) -> Chapter:
    """The chapter that a rule (``""``: none) is in; one without a name where there is none."""
    order = list(ruleset.rules)
    place = order.index(rule) if rule else -1
    before = [each for each in ruleset.chapters if order.index(each.first) <= place]
    return before[-1] if before else Chapter(order[0], "", "")


def source_text(provenance: str, language: str) -> str:
    """Where a rule comes from: in Chinese the kinds of its sources, in English as it is written."""
    if language == "zh":
        kinds = dict.fromkeys(SOURCE_WORD.findall(provenance))
        return "、".join(SOURCES[kind][0] for kind in kinds)
    return SOURCE_WORD.sub(lambda kind: SOURCES[kind[0]][1], provenance)


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


def option_groups(
    ruleset: Ruleset, options: list[OptionLine], prices: frozenset[str], language: str
) -> list[OptionGroup]:
    """The options by subject: the prices of items, then by the chapter of their first rule."""
    groups: dict[str, list[OptionLine]] = {PRICES: []}
    titles = {PRICES: WORDS[language]["group_prices"]}
    for line in options:
        group = PRICES
        if line.name not in prices:
            chapter = chapter_of(ruleset, next(iter(line.rules), ""))
            group = chapter.first
            titles[group] = getattr(chapter, language) or WORDS[language]["rules"]
        groups.setdefault(group, []).append(line)
    order = [PRICES, *(name for name in ruleset.rules if name in groups)]
    return [
        OptionGroup(
            id=f"options-{name}",
            title=titles[name],
            options=tuple(groups[name]),
            changes=sum(line.changed for line in groups[name]),
        )
        for name in order
        if groups[name]
    ]


def priced_by(ruleset: Ruleset, options: Options) -> frozenset[str]:
    """The names of the options that say what an item is worth."""
    rows = option_rows(ruleset, options)
    return frozenset(
        price.option for item in ruleset.items for price in prices_of(ruleset, item, rows)
    )


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
        chosen_text=value_text(row, row.chosen, language),
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
