"""Keeping a club: members, seasons, rulesets and exports, settings.

The pages show; whatever their forms change goes through the REST API.
"""

from __future__ import annotations

from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from records.clubs import Right, people_of
from records.invitations import state_of as invitation_state
from records.models import Club, Preset, Season
from records.presets import latest_version
from records.seasons import closes_at, state_of
from replays import ruleset_page
from replays.pages.asking import players_named
from replays.pages.desk import roles_shown, show_desk
from replays.pages.joining import time_zones
from replays.pages.languages import language_of
from replays.pages.membership import Here, club_page
from replays.pages.naming import ruleset_title
from rules_engine import registry
from rules_engine.option_rows import option_rows
from rules_engine.ruleset import Options, make_options

INVITATIONS: Final = 30
"""How many of the latest invitations are shown."""
FORMATS: Final = ("csv", "xlsx", "json", "ndjson")


@club_page
def members(request: HttpRequest, here: Here) -> HttpResponse:
    """Who is in the club and as what, and those who are invited."""
    may_keep = Right.KEEP_MEMBERS in here.rights
    context: dict[str, Any] = {
        "members": people_of(here.club).select_related("account").order_by("id"),
        "roles": roles_shown(request),
        "may_keep": may_keep,
    }
    if may_keep:
        made = here.club.invitations.select_related("player", "accepted_by")
        latest = made.order_by("-created_at", "id")[:INVITATIONS]
        context["invitations"] = [(each, invitation_state(each)) for each in latest]
        merged = here.club.merges.filter(undone_at=None).values("absorbed")
        guests = here.club.players.filter(account=None).exclude(pk__in=merged)
        context["guests"] = guests.order_by("name")
    return show_desk(request, here, "members", context)


class SeasonRow(msgspec.Struct, frozen=True):
    """A season, and what can be done to it now."""

    season: Season
    state: str
    closes_at: object
    may_delete: bool

    @property
    def is_closed(self) -> bool:
        """Whether only its name can be changed."""
        return self.state == "closed"


@club_page
def seasons(request: HttpRequest, here: Here) -> HttpResponse:
    """The seasons, the latest first."""
    rows = [_season(each, here.club) for each in here.club.seasons.order_by("-starts_on", "id")]
    return show_desk(request, here, "seasons", {"seasons": rows})


def _season(season: Season, club: Club) -> SeasonRow:
    state = state_of(season)
    closing = None if state == "closed" else closes_at(season, club.time_zone)
    return SeasonRow(
        season=season,
        state=state,
        closes_at=None if closing is None else closing.astimezone(ZoneInfo(club.time_zone)),
        may_delete=state != "closed",
    )


@club_page
def presets(request: HttpRequest, here: Here) -> HttpResponse:
    """The club's own presets; each leads to the rules under it."""
    language = language_of(request)
    rows = [_preset(each, language) for each in here.club.presets.order_by("ruleset", "name", "id")]
    context = {
        "presets": rows,
        "rulesets": [(each.slug, getattr(each.names, language)) for each in registry.latest()],
    }
    return show_desk(request, here, "presets", context)


def _preset(preset: Preset, language: str) -> dict[str, Any]:
    latest = latest_version(preset)
    return {
        "preset": preset,
        "ruleset": ruleset_title(preset.ruleset, language),
        "latest": latest,
        "is_outdated": latest > preset.ruleset_version,
        "changes": changed_options(preset, language),
        "rules": address_of_rules(preset),
    }


def address_of_rules(preset: Preset) -> str:
    """The page of the preset's ruleset with its options; empty where its version is not installed.

    Only what differs from the ruleset's own options is in the address.
    """
    options = _options_of(preset)
    if options is None:
        return ""
    ruleset = registry.get(preset.ruleset, preset.ruleset_version)
    rows = option_rows(ruleset, options)
    given = {row.name: ruleset_page.written(row.chosen) for row in rows}
    query = {"version": str(ruleset.version), **ruleset_page.changes(ruleset, "", given)}
    return f"{reverse('replays:ruleset', args=[ruleset.slug])}?{urlencode(query)}"


def changed_options(preset: Preset, language: str) -> list[tuple[str, str]]:
    """What differs from the ruleset's own options: text of the option, and its value."""
    options = _options_of(preset)
    if options is None:
        return []
    ruleset = registry.get(preset.ruleset, preset.ruleset_version)
    lines = ruleset_page.option_lines(ruleset, options, language)
    return [(line.text, _chosen(line)) for line in lines if line.changed]


def _chosen(line: ruleset_page.OptionLine) -> str:
    """The value as a person reads it."""
    named = [choice.text for choice in line.choices if choice.chosen]
    return named[0] if named else line.chosen


def _options_of(preset: Preset) -> Options | None:
    try:
        ruleset = registry.get(preset.ruleset, preset.ruleset_version)
    except registry.UnknownRuleset:
        return None
    options = make_options(ruleset.options, preset.options)
    return options if isinstance(options, Options) else None


@club_page
def exports(request: HttpRequest, here: Here) -> HttpResponseBase:
    """What can be taken out as a file; with ``kind`` in the address, the file."""
    if "kind" in request.GET:
        return redirect(_file_address(here.club, request.GET.dict()))
    language = language_of(request)
    players = here.club.players.order_by("name")
    context = {
        "seasons": here.club.seasons.order_by("-starts_on", "id"),
        "rulesets": [(each.slug, getattr(each.names, language)) for each in registry.latest()],
        "players": players_named(set(players.values_list("pk", flat=True))).items(),
        "formats": FORMATS,
    }
    return show_desk(request, here, "exports", context)


EXPORTS: Final = ("standings", "games", "logs")


def _file_address(club: Club, asked: dict[str, str]) -> str:
    """The API's address of a file, without the choices that were left empty."""
    choices = {name: text for name, text in asked.items() if text and name not in {"kind", "lang"}}
    kind = asked["kind"]
    if kind == "statement":
        path = f"players/{choices.pop('of', '')}/exports/statement"
    else:
        path = f"clubs/{club.pk}/exports/{kind if kind in EXPORTS else EXPORTS[0]}"
    return f"/api/v1/{path}?{urlencode(choices)}"


@club_page
def settings(request: HttpRequest, here: Here) -> HttpResponse:
    """The club's name, time zone, rating, and who sees its games and when."""
    closed = here.club.seasons.exclude(closed_at=None).exists()
    return show_desk(request, here, "settings", {"zones": time_zones(), "is_zone_fixed": closed})
