"""Presets: options of a ruleset that a club plays with, under a name of its own.

A preset holds every option, written out, for one version of its ruleset. It is never carried to a
newer version by itself, where the same numbers may mean something else: it is called outdated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from records.errors import RecordsError
from records.models import Club, Preset
from rules_engine import registry
from rules_engine.errors import IllegalEvent, Violation, illegal
from rules_engine.ruleset import Options, Ruleset, dump_options, make_options


class PresetNameTaken(RecordsError):
    """The ruleset or the club has a preset of this name for the ruleset."""

    code = "preset_name_taken"

    def __init__(self, *, name: str, ruleset: str, owner: str) -> None:
        super().__init__(
            f"{owner} has a preset {name!r} for {ruleset} already.", name=name, ruleset=ruleset
        )


class PresetOfAnotherVersion(RecordsError):
    """A game cannot take its options from a preset for another version of the ruleset."""

    code = "preset_of_another_version"

    def __init__(self, *, name: str, ruleset: str, pinned: int, asked: int) -> None:
        super().__init__(
            f"The preset {name!r} is for version {pinned} of {ruleset}, the game is to be played "
            f"under version {asked}. Leave the version out, or bring the preset up to date.",
            preset=name,
            expected=pinned,
            actual=asked,
        )


def create_preset(*, club: Club, ruleset: Ruleset, name: str, options: Mapping[str, Any]) -> Preset:
    """Keep options under a name; what is not given is as the ruleset has it.

    Raises PresetNameTaken, and IllegalEvent with the option, its rule, what was given and what is
    allowed.
    """
    preset = Preset(
        club=club,
        ruleset=ruleset.slug,
        ruleset_version=ruleset.version,
        name=name,
        options=dump_options(_checked(ruleset, options)),
    )
    _save(preset)
    return preset


def change_preset(
    *,
    preset: Preset,
    name: str | None = None,
    ruleset: Ruleset | None = None,
    options: Mapping[str, Any] | None = None,
) -> Preset:
    """Change what is given: the name, options one by one, the version of the ruleset.

    With ``ruleset``, another version of the preset's own, every option is checked under that
    version. Raises as ``create_preset`` does.
    """
    if ruleset is None:
        ruleset = registry.get(preset.ruleset, preset.ruleset_version)
    assert ruleset.slug == preset.ruleset, (ruleset.slug, preset.ruleset)
    with transaction.atomic():
        # Of two who change an option each at one moment the second changes what the first wrote
        # (test_two_options_of_a_preset_changed_at_one_moment_are_both_changed).
        held = Preset.objects.select_for_update().get(pk=preset.pk)
        held.name = held.name if name is None else name
        held.options = dump_options(_checked(ruleset, {**held.options, **(options or {})}))
        held.ruleset_version = ruleset.version
        _save(held)
    return held


def latest_version(preset: Preset) -> int:
    """The newest version of the preset's ruleset that is installed; its own if none is."""
    versions: Iterable[int] = registry.rulesets().get(preset.ruleset, {})
    return max(preset.ruleset_version, *versions)


def version_of_preset(*, club_id: UUID, ruleset: str, name: str | None) -> int | None:
    """The version that a club's own preset is for, or None where the club has none of this name."""
    preset = Preset.objects.filter(club_id=club_id, ruleset=ruleset, name=name).first()
    return None if preset is None else preset.ruleset_version


def options_under(
    *, club_id: UUID, ruleset: Ruleset, preset: str | None, changes: Mapping[str, Any]
) -> Options:
    """The options of a preset, the ruleset's or the club's, with these changes.

    Raises PresetOfAnotherVersion, and IllegalEvent for an option or a preset that does not exist.
    """
    if preset is None:
        return _checked(ruleset, changes)
    if preset in ruleset.presets:
        return _checked(ruleset, {**ruleset.presets[preset], **changes})
    own = Preset.objects.filter(club_id=club_id, ruleset=ruleset.slug)
    chosen = own.filter(name=preset).first()
    if chosen is None:
        raise illegal(
            "unknown_preset",
            f"Neither the ruleset nor the club has a preset {preset!r}.",
            expected=sorted({*ruleset.presets, *own.values_list("name", flat=True)}),
            actual=preset,
        )
    if chosen.ruleset_version != ruleset.version:
        raise PresetOfAnotherVersion(
            name=preset,
            ruleset=ruleset.slug,
            pinned=chosen.ruleset_version,
            asked=ruleset.version,
        )
    return _checked(ruleset, {**chosen.options, **changes})


def _checked(ruleset: Ruleset, given: Mapping[str, Any]) -> Options:
    """Raises IllegalEvent."""
    options = make_options(ruleset.options, given)
    if isinstance(options, Violation):
        raise IllegalEvent(options)
    return options


def _save(preset: Preset) -> None:
    """Write the row. Raises PresetNameTaken, also for a name that the ruleset itself uses."""
    versions = registry.rulesets().get(preset.ruleset, {})
    if any(preset.name in ruleset.presets for ruleset in versions.values()):
        raise PresetNameTaken(name=preset.name, ruleset=preset.ruleset, owner="The ruleset")
    try:
        with transaction.atomic():
            preset.save()
    except IntegrityError as error:
        raise PresetNameTaken(name=preset.name, ruleset=preset.ruleset, owner="The club") from error
