"""The catalogue of rulesets: names, options, items, rules."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from api.errors import Problem, rules_quoted
from api.operation import PublicOperation, Shown, Struct, read_query
from rules_engine import registry
from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import OptionValue
from rules_engine.option_rows import (
    Price,
    ValueName,
    option_rows,
    prices_of,
    value_names_of,
    worth_by_item,
)
from rules_engine.ruleset import (
    Names,
    Options,
    PresetName,
    Rule,
    Ruleset,
    dump_options,
    make_options,
    options_schema,
)
from rules_engine.score import Worth
from rules_engine.sheets import Sheet, sheet_of


class RulesetShown(Shown, frozen=True):
    """A ruleset as the list shows it: the latest version, and which there are."""

    slug: str
    version: int
    versions: list[int]
    names: Names


class ItemShown(Shown, frozen=True):
    """One line a score can have, and the rule that says what it is worth.

    `worth` is what it is worth under the options asked for, as a rule page says it; `prices` are
    the options that say it in numbers, none where the rule itself fixes it.
    """

    id: str
    zh: str
    en: str
    rule: str
    rule_zh: str
    rule_en: str
    worth: Worth
    prices: list[Price]


class AtVersion(Struct, frozen=True):
    """Which version of the ruleset; without it, the latest."""

    version: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None


class UnderOptions(AtVersion, frozen=True):
    """Which version, and under which preset and options its items are priced."""

    preset: (
        Annotated[
            str,
            msgspec.Meta(
                min_length=1, max_length=64, description="A preset; without it, the defaults."
            ),
        ]
        | None
    ) = None
    options: (
        Annotated[
            str,
            msgspec.Meta(
                max_length=4000,
                description='Options that override it, as a JSON object: `{"cap": 300}`.',
            ),
        ]
        | None
    ) = None


def shown(ruleset: Ruleset) -> RulesetShown:
    """A ruleset as the list shows it."""
    return RulesetShown(
        slug=ruleset.slug,
        version=ruleset.version,
        versions=sorted(registry.rulesets()[ruleset.slug]),
        names=ruleset.names,
    )


def ruleset_at(slug: str, version: int | None) -> Ruleset:
    """The ruleset at this address. Raises Problem ``not_found``."""
    try:
        return registry.get(slug, version)
    except registry.UnknownRuleset as error:
        raise Problem("not_found", str(error)) from error


def options_of(ruleset: Ruleset, query: UnderOptions) -> Options:
    """The options asked for.

    Raises Problem ``not_found`` for a preset, ``invalid_input`` for what is no JSON object,
    IllegalEvent for options that cannot be.
    """
    preset = query.preset
    if preset is not None and preset not in ruleset.presets:
        known = ", ".join(ruleset.presets)
        raise Problem("not_found", f"There is no preset {preset!r}; there are: {known}.")
    try:
        given = msgspec.json.decode(query.options or "{}", type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise Problem("invalid_input", f"The options are no JSON object: {error}.") from error
    base = ruleset.presets[preset] if preset is not None else {}
    options = make_options(ruleset.options, {**base, **given})
    if isinstance(options, Violation):
        raise IllegalEvent(options)
    return options


class ListRulesets(PublicOperation):
    """The rulesets that games can be played under."""

    class Output(Shown, frozen=True):
        """All of them."""

        items: list[RulesetShown]

    def get(self, request: Request) -> Response:
        """All of them."""
        return Response(
            ListRulesets.Output(items=[shown(ruleset) for ruleset in registry.latest()])
        )


class ShowRuleset(PublicOperation):
    """A ruleset: its items, presets and numbered rules in Chinese and English.

    `provenance` says where a rule comes from: the seed document, another public description, or a
    choice of the house. `value_names` are what the values of options are called that are chosen
    from a list, by option and value. `sheet` is what a hand is written down with as a result under
    the options asked for: tiles, ways of winning, melds, and flags with what each can be.
    """

    Query = UnderOptions
    refusals = ("not_found", "invalid_input", "illegal_event")

    class Output(RulesetShown, frozen=True):
        """The ruleset."""

        defaults: dict[str, OptionValue]
        presets: dict[str, dict[str, OptionValue]]
        preset_names: dict[str, PresetName]
        value_names: dict[str, dict[str, ValueName]]
        items: list[ItemShown]
        sheet: Sheet
        rules: list[Rule]
        events: list[str]

    def get(self, request: Request, slug: str) -> Response:
        """The ruleset."""
        query = read_query(request, UnderOptions)
        ruleset = ruleset_at(slug, query.version)
        rules = ruleset.rules
        with rules_quoted(ruleset):
            options = options_of(ruleset, query)
        rows, worths = option_rows(ruleset, options), worth_by_item(ruleset, options)
        return Response(
            ShowRuleset.Output(
                **msgspec.structs.asdict(shown(ruleset)),
                defaults=dump_options(ruleset.options()),
                presets={name: dict(preset) for name, preset in ruleset.presets.items()},
                preset_names=dict(ruleset.preset_names),
                value_names=value_names_of(ruleset),
                items=[
                    ItemShown(
                        id=item.id,
                        zh=item.zh,
                        en=item.en,
                        rule=item.rule,
                        rule_zh=rules[item.rule].zh,
                        rule_en=rules[item.rule].en,
                        worth=worths[item.id],
                        prices=list(prices_of(ruleset, item, rows)),
                    )
                    for item in ruleset.items
                ],
                sheet=sheet_of(ruleset, options),
                rules=list(rules.values()),
                events=sorted(ruleset.catalogue.types),
            )
        )


class ShowOptions(PublicOperation):
    """The options of a ruleset as a JSON Schema: what a club may change, in which range."""

    Query = AtVersion
    Output = dict[str, Any]

    def get(self, request: Request, slug: str) -> Response:
        """The schema."""
        ruleset = ruleset_at(slug, read_query(request, AtVersion).version)
        return Response(options_schema(ruleset.options))
