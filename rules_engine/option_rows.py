"""A variant's options as rows a person reads, and what an item is worth under them.

Everything follows from the options class: names, ranges, defaults, and the rules an option changes.
An item and its prices find each other through the rule both name, so no table joins them by hand.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from rules_engine.errors import Violation
from rules_engine.events import OptionValue
from rules_engine.ruleset import Options, Ruleset, make_options, options_schema
from rules_engine.score import Item, Worth, amount, factor_of

BETWEEN: Final = "."
"""Between an option that is a table of numbers and the name of one of them."""
FACTOR_WORDS: Final = frozenset({"factor", "mult", "multiplier", "times"})
"""Words in the name of an option whose number multiplies instead of being added."""

BY_RULE: Final = Worth("见规则", "see the rule")
"""What is said of an item that neither its variant nor one option prices."""


class ValueName(msgspec.Struct, frozen=True):
    """What one value of a list is called."""

    zh: str
    en: str


class OptionRow(msgspec.Struct, frozen=True, kw_only=True):
    """One value a club may change, with what it is by default and what was chosen.

    ``allowed`` is its JSON Schema without the texts, ``value_names`` what the values of a list are
    called. A member of a table of numbers is named ``values.qi_dui``.
    """

    name: str
    zh: str
    en: str
    rules: tuple[str, ...]
    allowed: dict[str, Any]
    default: Any
    chosen: Any
    value_names: Mapping[str, ValueName] = {}

    @property
    def multiplies(self) -> bool:
        """Whether its number is a factor."""
        return not FACTOR_WORDS.isdisjoint(words_of(self.name))

    @property
    def is_number(self) -> bool:
        """Whether its value is one whole number."""
        return isinstance(self.chosen, int) and not isinstance(self.chosen, bool)


class Price(msgspec.Struct, frozen=True):
    """An option that says what an item is worth, and its number: points, or a factor."""

    option: str
    number: int
    multiplies: bool


def words_of(name: str) -> list[str]:
    """The words of an option's name."""
    return name.replace(BETWEEN, "_").split("_")


def option_rows(ruleset: Ruleset, options: Options) -> tuple[OptionRow, ...]:
    """Every option in the order of the rule page, tables of numbers taken apart."""
    schema = options_schema(ruleset.options)
    parts: Mapping[str, Any] = schema.get("$defs", {})
    default = msgspec.to_builtins(ruleset.options())
    chosen = msgspec.to_builtins(options)
    names = value_names_of(ruleset)
    rows: list[OptionRow] = []
    for name, allowed in schema["properties"].items():
        table = table_of(allowed, parts)
        if table is None:
            row = _row(name, allowed, default[name], chosen[name])
            rows.append(replace(row, value_names=names.get(name, {})))
            continue
        rows += [
            _row(f"{name}{BETWEEN}{each}", within, default[name][each], chosen[name][each])
            for each, within in table["properties"].items()
        ]
    return tuple(rows)


def value_names_of(ruleset: Ruleset) -> dict[str, dict[str, ValueName]]:
    """What the values of lists are called, by option and by the value as a text."""
    return {
        option: {value: ValueName(zh, en) for value, (zh, en) in names.items()}
        for option, names in ruleset.value_names.items()
    }


def table_of(allowed: Mapping[str, Any], parts: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The schema of the table an option is, or None for a plain value."""
    references = [allowed, *allowed.get("allOf", ()), *allowed.get("anyOf", ())]
    for reference in references:
        if "$ref" in reference:
            table: Mapping[str, Any] = parts[reference["$ref"].rpartition("/")[2]]
            return table if "properties" in table else None
    return None


def _row(name: str, allowed: Mapping[str, Any], default: Any, chosen: Any) -> OptionRow:
    texts = ("description", "zh", "rules", "default")
    return OptionRow(
        name=name,
        zh=allowed.get("zh", ""),
        en=allowed.get("description", ""),
        rules=tuple(allowed.get("rules", ())),
        allowed={key: value for key, value in allowed.items() if key not in texts},
        default=default,
        chosen=chosen,
    )


def prices_of(ruleset: Ruleset, item: Item[Any], rows: tuple[OptionRow, ...]) -> tuple[Price, ...]:
    """What the options say an item is worth; nothing where its rule fixes it.

    Of the numbers that change the item's rule those count that bear the item's name. Where none
    does and no other item rests on the rule, those count that name the rule first.
    """
    about = [row for row in rows if row.is_number and item.rule in row.rules]
    chosen = [row for row in about if _bears(row.name, item.id)]
    if not chosen and [each.id for each in ruleset.items if each.rule == item.rule] == [item.id]:
        chosen = [row for row in about if row.rules[0] == item.rule]
    return tuple(Price(row.name, row.chosen, row.multiplies) for row in chosen)


def worth_by_item(ruleset: Ruleset, options: Options) -> Mapping[str, Worth]:
    """What each item is worth under these options, as its variant says it, else as they do."""
    rows = option_rows(ruleset, options)
    return {
        item.id: item.worth(options) if item.worth else _priced(prices_of(ruleset, item, rows))
        for item in ruleset.items
    }


def _priced(prices: tuple[Price, ...]) -> Worth:
    """What one option says; of several none says it alone."""
    if len(prices) != 1:
        return BY_RULE
    return factor_of(prices[0].number) if prices[0].multiplies else amount(prices[0].number)


def _bears(option: str, item: str) -> bool:
    """Whether the words of the item's id stand together in the option's name."""
    return f"_{item}_" in f"_{'_'.join(words_of(option))}_"


def choose_options(
    ruleset: Ruleset, *, preset: str = "", given: Mapping[str, str]
) -> Options | Violation:
    """The options of a preset (``""``: none) under these choices, each written as a text.

    A list is written with commas. Raises KeyError for a preset that does not exist.
    """
    chosen: dict[str, Any] = dict(ruleset.presets[preset]) if preset else {}
    rows = {row.name: row for row in option_rows(ruleset, ruleset.options())}
    for name, text in given.items():
        value = _value_of(rows[name], text) if name in rows else text
        table, _, member = name.partition(BETWEEN)
        if member and name in rows:
            chosen[table] = {**_as_dict(chosen.get(table, {})), member: value}
        else:
            chosen[name] = value
    return make_options(ruleset.options, chosen)


def _as_dict(table: OptionValue | Mapping[str, Any]) -> dict[str, Any]:
    written: dict[str, Any] = msgspec.to_builtins(table)
    return written


def _value_of(row: OptionRow, text: str) -> Any:
    """The value a text stands for; a text that stands for none is left to be refused."""
    if isinstance(row.default, str):
        return text
    if isinstance(row.default, list | tuple):
        text = f"[{text}]"
    try:
        return msgspec.json.decode(text.strip())
    except msgspec.DecodeError:
        return text
