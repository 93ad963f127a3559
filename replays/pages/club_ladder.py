"""The editor of a club's ladder: tiers, thresholds, and the versions there were."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse

from records.ladders import ladder_from, version_in_force
from records.models import Ladder as LadderVersion
from replays.pages.asking import in_zone
from replays.pages.desk import show_desk
from replays.pages.languages import language_of
from replays.pages.membership import Here, club_page
from rules_engine import registry
from rules_engine.ladders import DEFAULT_LADDER


@club_page
def ladder(request: HttpRequest, here: Here) -> HttpResponse:
    """The ladder in force, in a form for who may change it; with ``version``, an earlier one.

    ``version=default`` lays the default ladder in the form.
    """
    versions = list(here.club.ladders.select_related("created_by").order_by("-version"))
    in_force = version_in_force(here.club.pk)
    asked = request.GET.get("version", "")
    shown = next((each for each in versions if str(each.version) == asked), in_force)
    value = DEFAULT_LADDER if asked == "default" else ladder_from(shown)
    language = language_of(request)
    context = {
        "ladder": value,
        "name": "" if asked == "default" or shown is None else shown.name,
        "is_default": value == DEFAULT_LADDER,
        "is_other": asked == "default" or shown != in_force,
        "versions": [_version(each, here) for each in versions],
        "in_force": in_force,
        "rulesets": [(each.slug, getattr(each.names, language)) for each in registry.latest()],
    }
    return show_desk(request, here, "ladder", context)


def _version(version: LadderVersion, here: Here) -> dict[str, Any]:
    return {
        "version": version,
        "tiers": len(version.tiers),
        "at": f"{in_zone(version.created_at, here.club):%Y-%m-%d %H:%M}",
    }
