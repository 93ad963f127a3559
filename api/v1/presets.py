"""A club's own presets: options of a ruleset under a name."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import club_of, of_a_club
from api.errors import rules_quoted
from api.idempotency import idempotent
from api.operation import (
    IDEMPOTENCY_KEY,
    Cursor,
    Operation,
    PageQuery,
    Shown,
    Struct,
    read_body,
    read_query,
)
from api.pagination import page
from api.scopes import Scope
from api.v1.games import RulesetName, find_ruleset
from api.v1.shapes import Name
from records.clubs import Right
from records.models import Preset
from records.presets import change_preset, create_preset, latest_version
from rules_engine.events import OptionValue

Version = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]


class PresetShown(Shown, frozen=True):
    """A preset: every option, for one version of its ruleset.

    `outdated`: the ruleset has a newer version. Games under the preset are played by the version
    it is for, until somebody changes that.
    """

    id: UUID
    club: UUID
    ruleset: str
    ruleset_version: int
    latest_version: int
    outdated: bool
    name: str
    options: dict[str, OptionValue]
    created_at: datetime


def preset_shown(preset: Preset) -> PresetShown:
    """A preset."""
    latest = latest_version(preset)
    return PresetShown(
        id=preset.id,
        club=preset.club_id,
        ruleset=preset.ruleset,
        ruleset_version=preset.ruleset_version,
        latest_version=latest,
        outdated=latest > preset.ruleset_version,
        name=preset.name,
        options=preset.options,
        created_at=preset.created_at,
    )


class ListPresets(Operation):
    """The presets of a club, by ruleset and name."""

    scope = Scope.CLUB_READ
    right = Right.SEE

    class Query(PageQuery, frozen=True):
        """Which presets."""

        ruleset: RulesetName | None = None

    class Output(Shown, frozen=True):
        """One page of presets."""

        items: list[PresetShown]
        next: Cursor | None

    def get(self, request: Request, club_id: UUID) -> Response:
        """One page of them."""
        query = read_query(request, ListPresets.Query)
        presets = club_of(request, club_id).presets.all()
        if query.ruleset is not None:
            presets = presets.filter(ruleset=query.ruleset)
        return page(presets, query, order=("ruleset", "name", "id"), show=preset_shown)


class CreatePreset(Operation):
    """Keep options of a ruleset under a name.

    What is not given is as the ruleset has it by default. A name that a preset of the ruleset has
    cannot be taken. A game is started under the preset by its name.
    """

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_CLUB

    class Input(Struct, frozen=True):
        """The new preset."""

        ruleset: RulesetName
        name: Name
        options: dict[str, OptionValue]
        ruleset_version: Version | None = None

    Output = PresetShown
    status = 201
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "unknown_ruleset", "illegal_event", "preset_name_taken")

    @idempotent
    def post(self, request: Request, club_id: UUID) -> Response:
        """Write the preset."""
        club = club_of(request, club_id)
        given = read_body(request, CreatePreset.Input)
        ruleset = find_ruleset(given.ruleset, given.ruleset_version)
        with rules_quoted(ruleset):
            preset = create_preset(
                club=club, ruleset=ruleset, name=given.name, options=given.options
            )
        return Response(preset_shown(preset), status=self.status)


class ShowPreset(Operation):
    """A preset."""

    scope = Scope.CLUB_READ
    right = Right.SEE

    Output = PresetShown

    def get(self, request: Request, preset_id: UUID) -> Response:
        """The preset."""
        preset, _ = of_a_club(request, Preset.objects.all(), preset_id)
        return Response(preset_shown(preset))


class ChangePreset(Operation):
    """Change a preset: its name, single options, the version of the ruleset it is for.

    Games that were started under it keep the options they were started with.
    """

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_CLUB

    class Input(Struct, frozen=True):
        """What is to change; options that are left out stay."""

        name: Name | None = None
        options: dict[str, OptionValue] = {}
        ruleset_version: Version | None = None

    Output = PresetShown
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "unknown_ruleset", "illegal_event", "preset_name_taken")

    @idempotent
    def patch(self, request: Request, preset_id: UUID) -> Response:
        """Write the change."""
        preset, _ = of_a_club(request, Preset.objects.all(), preset_id)
        given = read_body(request, ChangePreset.Input)
        version = given.ruleset_version or preset.ruleset_version
        ruleset = find_ruleset(preset.ruleset, version)
        with rules_quoted(ruleset):
            changed = change_preset(
                preset=preset, name=given.name, ruleset=ruleset, options=given.options
            )
        return Response(preset_shown(changed))


class DeletePreset(Operation):
    """Delete a preset. Games that were started under it stay as they are."""

    scope = Scope.CLUB_WRITE
    right = Right.KEEP_CLUB

    status = 204
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied",)

    @idempotent
    def delete(self, request: Request, preset_id: UUID) -> Response:
        """Delete it."""
        preset, _ = of_a_club(request, Preset.objects.all(), preset_id)
        preset.delete()
        return Response(status=self.status)
