"""Keeping a club: members, seasons, rulesets and exports, settings.

The pages show; whatever their forms change goes through the REST API.
"""

from __future__ import annotations

from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec
from django.db.models import Case, When
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from records.clubs import Right, people_of
from records.invitations import state_of as invitation_state
from records.models import Club, Player, Preset, Role, Season
from records.presets import latest_version
from records.seasons import closes_at, state_of
from replays import ruleset_page
from replays.pages.desk import roles_shown, show_desk
from replays.pages.joining import time_zones
from replays.pages.languages import language_of
from replays.pages.membership import Here, club_page
from replays.pages.naming import ruleset_title
from replays.pages.paging import chosen_player, paged, searched
from rules_engine import registry
from rules_engine.option_rows import option_rows
from rules_engine.ruleset import Options, make_options

PAGE: Final = 50
"""Members, invitations and seasons of one page."""
NAMES_OFFERED: Final = 300
"""How many names of players a field offers; any other may be typed."""
FORMATS: Final = ("csv", "xlsx", "json", "ndjson")


@club_page
def members(request: HttpRequest, here: Here) -> HttpResponse:
    """Who is in the club and as what, owners first, and those who are invited.

    With ``guest`` in the address, an invitation for that guest is prepared.
    """
    may_keep = Right.KEEP_MEMBERS in here.rights
    people = people_of(here.club)
    text = request.GET.get("q", "").strip()
    owners_first = Case(When(role=Role.OWNER, then=0), default=1)
    found = people.filter(searched(text, "account__username")).select_related("account")
    context: dict[str, Any] = {
        "members": paged(request, found.order_by(owners_first, "id"), size=PAGE),
        "q": text,
        "roles": roles_shown(request),
        "may_keep": may_keep,
        "is_only_owner": is_only_owner(here),
    }
    if may_keep:
        made = here.club.invitations.select_related("player", "accepted_by")
        latest = paged(request, made.order_by("-created_at", "id"), size=PAGE, name="invitations")
        context["invitations"] = latest
        context["invited"] = [(each, invitation_state(each)) for each in latest]
        context["guest"] = chosen_player(request, here, "guest", guest=True)
    return show_desk(request, here, "members", context)


def is_only_owner(here: Here) -> bool:
    """Whether the club would be without an owner if the reader were none."""
    if here.role != Role.OWNER:
        return False
    owners = people_of(here.club).filter(role=Role.OWNER, account__is_active=True)
    return not owners.exclude(account=here.account).exists()


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
    pages = paged(request, here.club.seasons.order_by("-starts_on", "id"), size=PAGE)
    context = {"pages": pages, "seasons": [_season(each, here.club) for each in pages]}
    return show_desk(request, here, "seasons", context)


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
    asked = request.GET.dict()
    whose = asked.pop("whose", "").strip()
    player = here.club.players.filter(name=whose.replace("\x00", "")).first() if whose else None
    if "kind" in asked and (player or not whose):
        return redirect(_file_address(here.club, asked, player))
    language = language_of(request)
    names = here.club.players.order_by("name").values_list("name", flat=True)
    context = {
        "seasons": here.club.seasons.order_by("-starts_on", "id")[:PAGE],
        "rulesets": [(each.slug, getattr(each.names, language)) for each in registry.latest()],
        "names": names[:NAMES_OFFERED],
        "formats": FORMATS,
        # A name that nobody has is told beside the field of the file that was asked for.
        "unknown": {asked.get("kind", ""): whose},
    }
    answer = show_desk(request, here, "exports", context)
    answer.status_code = 400 if whose else 200
    return answer


EXPORTS: Final = ("standings", "games", "logs")


def _file_address(club: Club, asked: dict[str, str], player: Player | None) -> str:
    """The API's address of a file, without the choices that were left empty."""
    choices = {name: text for name, text in asked.items() if text and name not in {"kind", "lang"}}
    kind = asked["kind"]
    if kind == "statement" and player is not None:
        path = f"players/{player.pk}/exports/statement"
    else:
        path = f"clubs/{club.pk}/exports/{kind if kind in EXPORTS else EXPORTS[0]}"
        choices |= {} if player is None else {"player": str(player.pk)}
    return f"/api/v1/{path}?{urlencode(choices)}"


@club_page
def settings(request: HttpRequest, here: Here) -> HttpResponse:
    """The club's name, time zone, rating, and who sees its games and when."""
    closed = here.club.seasons.exclude(closed_at=None).exists()
    return show_desk(request, here, "settings", {"zones": time_zones(), "is_zone_fixed": closed})
