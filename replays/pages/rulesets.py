"""The pages of the rulesets. Only who has signed in needs a database."""

from typing import Any, Final

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from records.clubs import Right, rights_of
from records.models import Account, Club, Membership, Preset
from replays import ruleset_page
from replays.pages.languages import OTHER, language_of
from rules_engine import registry
from rules_engine.errors import Violation
from rules_engine.option_rows import choose_options
from rules_engine.ruleset import Options, Ruleset

RESERVED: Final = frozenset({"lang", "version", "preset"})
"""What an address of a ruleset says besides options."""


@require_safe
def rulesets(request: HttpRequest) -> HttpResponse:
    """The rulesets there are."""
    return render(request, "replays/rulesets.html", {"rulesets": cards(language_of(request))})


@require_safe
def ruleset(request: HttpRequest, slug: str) -> HttpResponseBase:
    """One ruleset: items, options and rules, under a preset and options of one's choice."""
    found = _found(slug, request.GET.get("version", ""))
    preset = request.GET.get("preset", "")
    if preset and preset not in found.presets:
        raise Http404(f"{found.names.en} has no preset {preset!r}.")
    given = {name: text for name, text in request.GET.dict().items() if name not in RESERVED}
    needed = ruleset_page.changes(found, preset, given)
    if needed != given:
        # A form sends every field; the address keeps what says something.
        return redirect(f"{request.path}?{_query(request, **needed)}")
    language = language_of(request)
    chosen = choose_options(found, preset=preset, given=given)
    refusal = chosen if isinstance(chosen, Violation) else None
    if isinstance(chosen, Violation):
        chosen = choose_options(found, preset=preset, given={})
    assert isinstance(chosen, Options), chosen
    own_clubs = _own_clubs(request)
    options = ruleset_page.option_lines(found, chosen, language)
    prices = ruleset_page.priced_by(found, chosen)
    context = {
        "ruleset": found,
        "name": _name(found, language),
        "other_name": _name(found, OTHER[language]),
        "versions": [
            (number, _query(request, version=str(number)))
            for number in sorted(registry.rulesets()[slug])
        ],
        "is_latest": found is registry.get(slug),
        "region": _region(found, language),
        "presets": [
            (
                getattr(name, language),
                _query(request, preset=name.id),
                # An address without a preset shows the one that changes nothing.
                name.id == preset or not (preset or found.presets[name.id]),
            )
            for name in found.preset_names.values()
        ],
        "preset": preset,
        "plain_query": _query(request),
        "own_choices": given,
        "items": ruleset_page.item_lines(found, chosen, language),
        "options": options,
        "changed_options": [line for line in options if line.changed],
        "groups": ruleset_page.option_groups(found, options, prices, language),
        "chapters": ruleset_page.chapter_lines(found, options, language),
        "own_clubs": own_clubs,
        "own_presets": _own_presets(own_clubs, found),
        "whole_options": msgspec.json.encode(chosen).decode(),
        "refusal": refusal,
        "refusal_allowed": ruleset_page.refusal_text(refusal, language) if refusal else "",
    }
    return render(request, "replays/ruleset.html", context, status=400 if refusal else 200)


def _own_clubs(request: HttpRequest) -> list[Club]:
    """The clubs that the reader may keep presets for; the database is asked for nobody else's."""
    if not isinstance(request.user, Account):
        return []
    mine = Membership.objects.filter(account=request.user).select_related("club")
    return [
        each.club for each in mine.order_by("club__name") if Right.KEEP_CLUB in rights_of(each.role)
    ]


def _own_presets(clubs: list[Club], found: Ruleset) -> list[Preset]:
    """Those clubs' presets of the ruleset, to which the options on the page can be given."""
    if not clubs:
        return []
    presets = Preset.objects.filter(club__in=clubs, ruleset=found.slug).select_related("club")
    return list(presets.order_by("name", "club__name"))


def _found(slug: str, version: str) -> Ruleset:
    """The ruleset at this address. Raises Http404."""
    try:
        return registry.get(slug, int(version) if version else None)
    except (registry.UnknownRuleset, ValueError) as error:
        raise Http404(str(error)) from error


def _query(request: HttpRequest, **changes: str) -> str:
    """The query of an address that keeps language and version and sets these besides."""
    names = ("lang", "version", "preset") if "preset" not in changes else ("lang", "version")
    kept = {name: request.GET[name] for name in names if request.GET.get(name)}
    return urlencode({**kept, **changes})


def _name(found: Ruleset, language: str) -> str:
    name: str = getattr(found.names, language)
    return name


def _region(found: Ruleset, language: str) -> str:
    return found.names.region_zh if language == "zh" else found.names.region


def cards(language: str) -> list[dict[str, Any]]:
    """The rulesets as a list shows them."""
    return [
        {
            "slug": each.slug,
            "name": _name(each, language),
            "other_name": _name(each, OTHER[language]),
            "region": _region(each, language),
            "mark": each.names.zh[0],
            "rules": len(each.rules),
            "items": len(each.items),
            "presets": len(each.presets),
        }
        for each in registry.latest()
    ]
