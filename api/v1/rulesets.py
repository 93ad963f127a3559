"""The catalogue of rulesets: names, options, items, rules."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from api.errors import Problem
from api.operation import PublicOperation, Shown, Struct, read_query
from rules_engine import registry
from rules_engine.events import OptionValue
from rules_engine.option_rows import Price, choose_options, option_rows, prices_of
from rules_engine.ruleset import Names, Options, Rule, Ruleset, dump_options, options_schema


class RulesetShown(Shown, frozen=True):
    """A ruleset as the list shows it: the latest version, and which there are."""

    slug: str
    version: int
    versions: list[int]
    names: Names


class ItemShown(Shown, frozen=True):
    """One line a score can have, and the rule that says what it is worth.

    `prices` are the options that say it in numbers, under the preset asked for; there are none
    where the rule itself fixes it.
    """

    id: str
    zh: str
    en: str
    rule: str
    rule_zh: str
    rule_en: str
    prices: list[Price]


class AtVersion(Struct, frozen=True):
    """Which version of the ruleset; without it, the latest."""

    version: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None


class UnderPreset(AtVersion, frozen=True):
    """Which version, and under which preset its items are priced; without it, the defaults."""

    preset: Annotated[str, msgspec.Meta(min_length=1, max_length=64)] | None = None


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


def options_of(ruleset: Ruleset, preset: str | None) -> Options:
    """The options of a preset, which are always valid. Raises Problem ``not_found``."""
    if preset is not None and preset not in ruleset.presets:
        known = ", ".join(ruleset.presets)
        raise Problem("not_found", f"There is no preset {preset!r}; there are: {known}.")
    options = choose_options(ruleset, preset=preset or "", given={})
    assert isinstance(options, Options), options
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
    choice of the house.
    """

    Query = UnderPreset

    class Output(RulesetShown, frozen=True):
        """The ruleset."""

        defaults: dict[str, OptionValue]
        presets: dict[str, dict[str, OptionValue]]
        items: list[ItemShown]
        rules: list[Rule]
        events: list[str]

    def get(self, request: Request, slug: str) -> Response:
        """The ruleset."""
        query = read_query(request, UnderPreset)
        ruleset = ruleset_at(slug, query.version)
        rules = ruleset.rules
        rows = option_rows(ruleset, options_of(ruleset, query.preset))
        return Response(
            ShowRuleset.Output(
                **msgspec.structs.asdict(shown(ruleset)),
                defaults=dump_options(ruleset.options()),
                presets={name: dict(preset) for name, preset in ruleset.presets.items()},
                items=[
                    ItemShown(
                        id=item.id,
                        zh=item.zh,
                        en=item.en,
                        rule=item.rule,
                        rule_zh=rules[item.rule].zh,
                        rule_en=rules[item.rule].en,
                        prices=list(prices_of(ruleset, item, rows)),
                    )
                    for item in ruleset.items
                ],
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
