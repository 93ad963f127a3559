"""What a variant is: identity, options, items, rules and the two things it can do, play and score.

A variant's folder exposes one ``RULESET`` (and, once it has older versions, ``PAST``). Nothing else
in the project knows any variant by name; ``registry`` finds them.
"""

import tomllib
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from rules_engine.errors import Violation
from rules_engine.events import Catalogue, Event, OptionValue, catalogue
from rules_engine.facts import HandFacts
from rules_engine.gangs import COMMON_KINDS, GangTold, no_gangs
from rules_engine.refusals import Refusal, refusals_of
from rules_engine.score import HandExplanation, Item, Scored
from rules_engine.sheet_forms import OwnSheet, plain_sheet
from rules_engine.table import Sign, no_signs

if TYPE_CHECKING:
    from rules_engine.play import Play


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of a variant's options: flat, typed, with a default each.

    A field is annotated with ``Meta`` (range, description) whose ``extra`` names the rule ids it
    changes under ``rules`` and a Chinese description under ``zh``. A table of numbers is a frozen
    Struct.
    """

    @classmethod
    def complete(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """What was given, with the defaults that depend on it filled in."""
        return given

    def objection(self) -> Violation | None:
        """What is wrong with the options taken together, although each alone is allowed."""
        return None


class Rule(msgspec.Struct, frozen=True):
    """One numbered rule as a person reads it. ``provenance``: seed, public or house, as a text."""

    id: str
    zh: str
    en: str
    provenance: str


class Names(msgspec.Struct, frozen=True):
    """What a ruleset is called, and the region it is from, in Chinese and English."""

    zh: str
    en: str
    region: str
    region_zh: str


class PresetName(msgspec.Struct, frozen=True):
    """What a preset is called."""

    id: str
    zh: str
    en: str


class Chapter(msgspec.Struct, frozen=True):
    """Rules on one subject: from the rule ``first`` up to the next chapter's."""

    first: str
    zh: str
    en: str


class RulePage(msgspec.Struct, frozen=True):
    """A variant's ``rules.toml``: the rules and the names of presets by id, and the chapters."""

    rules: Mapping[str, Rule]
    preset_names: Mapping[str, PresetName]
    chapters: tuple[Chapter, ...]


COMMON_PAYMENTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "hu": ("胡牌", "win"),
        "an_gang": ("暗杠", "concealed gang"),
        "ming_gang": ("明杠", "claimed gang"),
        "bu_gang": ("补杠", "added gang"),
    }
)
"""What payments are called in Chinese and in English, by the id on their lines."""


class Ruleset(msgspec.Struct, frozen=True, kw_only=True):
    """A published ruleset. It is never edited: a rule fix is a new version beside the old."""

    slug: str
    version: int
    names: Names
    package: str
    """The folder's import path, where ``rules.toml`` lies."""
    options: type[Options]
    items: tuple[Item[Any], ...]
    play: Callable[[Any], "Play"]
    """The options to the rules of play under them."""
    score: Callable[[HandFacts, Any], Scored]
    explain: Callable[[HandFacts, Any], HandExplanation | Violation]
    gangs: Callable[[HandFacts, Any], tuple[GangTold, ...]] = no_gangs
    """The gangs of a legal hand: what each was paid, or why nothing was."""
    gang_kinds: frozenset[str] = COMMON_KINDS
    """The kinds of melds that are gangs."""
    events: tuple[type[Event], ...] = ()
    presets: Mapping[str, Mapping[str, OptionValue]] = {}
    value_names: Mapping[str, Mapping[str, tuple[str, str]]] = {}
    """What the values of an option that is a list are called in Chinese and in English."""
    payments: Mapping[str, tuple[str, str]] = {}
    """The names (Chinese, English) of payments that are neither common nor items."""
    sentences: Mapping[str, tuple[str, str]] = {}
    """The variant's own events in words (``sentences.SENTENCES`` has the common ones)."""
    signs: Callable[[Any], tuple[Sign, ...]] = no_signs
    """What of the variant's own state of a hand is to be seen on the table."""
    sheet: Callable[[Any], OwnSheet] = plain_sheet
    """What of the variant's own a hand is written down with (``sheets`` has the whole)."""
    rule_prefix: str = ""
    ladder_start_option: str | None = None
    """The option that holds a new player's ladder score, where the variant has one."""

    @property
    def catalogue(self) -> Catalogue:
        """The event types of this ruleset."""
        return catalogue(self.events)

    def name_of(self, payment: str) -> tuple[str, str] | None:
        """What a payment's id, or an item's, is called in Chinese and in English."""
        name = self.payments.get(payment) or COMMON_PAYMENTS.get(payment)
        if name is not None:
            return name
        return next(((item.zh, item.en) for item in self.items if item.id == payment), None)

    @property
    def rules(self) -> Mapping[str, Rule]:
        """The numbered rules by id, in the order of the rule page."""
        return read_page(self.package).rules

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """The chapters of the rule page; a variant may have none."""
        return read_page(self.package).chapters

    @property
    def refusals(self) -> Mapping[str, Refusal]:
        """What the refusals of this ruleset are called, by code."""
        return refusals_of(self.package)

    @property
    def preset_names(self) -> Mapping[str, PresetName]:
        """The names of the presets by id; one that has none is called by its id."""
        names = read_page(self.package).preset_names
        return {name: names.get(name) or PresetName(name, name, name) for name in self.presets}


@lru_cache(maxsize=64)
def read_page(package: str) -> RulePage:
    """Read a variant's ``rules.toml``."""
    text = files(package).joinpath("rules.toml").read_text(encoding="utf-8")
    page = tomllib.loads(text)
    rules = msgspec.convert(page["rule"], list[Rule])
    names = msgspec.convert(page.get("preset", []), list[PresetName])
    return RulePage(
        rules={rule.id: rule for rule in rules},
        preset_names={name.id: name for name in names},
        chapters=tuple(msgspec.convert(page.get("chapter", []), list[Chapter])),
    )


def bind_play(ruleset: Ruleset, options: Options) -> "Play":
    """The rules of play of a ruleset under these options; the same object for the same options."""
    return _bound(ruleset.play, options)


@lru_cache(maxsize=1024)
def _bound(play: Callable[[Any], "Play"], options: Options) -> "Play":
    """``bind_play`` by what it depends on."""
    return play(options)


def dump_options(options: Options) -> dict[str, OptionValue]:
    """Every option with its value, as the first event of a game writes them (lists, no tuples)."""
    written: dict[str, OptionValue] = msgspec.json.decode(msgspec.json.encode(options))
    return written


def options_schema(cls: type[Options]) -> dict[str, Any]:
    """JSON Schema of a variant's options, with default, range, rules and both descriptions each."""
    _, components = msgspec.json.schema_components((cls,), ref_template="#/$defs/{name}")
    schema: dict[str, Any] = components.pop(cls.__name__)
    if components:
        schema["$defs"] = components
    for field in msgspec.structs.fields(cls):
        metadata = getattr(field.type, "__metadata__", ())
        for meta in metadata:
            schema["properties"][field.name].update(meta.extra or {})
    return schema


def make_options(cls: type[Options], given: Mapping[str, Any]) -> Options | Violation:
    """The options with these overrides, or the first thing that is wrong with them.

    The violation names the option, its rules, what was given and what is allowed.
    """
    known = cls.__struct_fields__
    for name, value in given.items():
        if name not in known:
            return Violation(
                code="unknown_option",
                message=f"There is no option {name!r}.",
                expected=sorted(known),
                actual=name,
            )
        try:
            msgspec.convert({name: value}, cls)
        except msgspec.ValidationError as error:
            allowed = options_schema(cls)["properties"][name]
            rules = allowed.get("rules", [])
            return Violation(
                code="invalid_option",
                message=f"Option {name} cannot be {value!r}: {error}",
                rule=rules[0] if rules else "",
                expected={k: v for k, v in allowed.items() if k not in ("description", "zh")},
                actual=value,
                facts={"option": name},
            )
    options = msgspec.convert(dict(cls.complete(given)), cls)
    return options.objection() or options
