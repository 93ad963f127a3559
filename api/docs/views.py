"""The pages of the documentation. They need no database."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from api.docs.contents import PAGES, page_of, source_of
from api.docs.event_pages import events_page
from api.docs.generated import parts
from api.docs.rendering import Rendered, render_markdown
from replays.pages.languages import language_of
from rules_engine import registry

ORIGINAL = "en"
"""The language whose headings give the anchors."""


class Step(NamedTuple):
    """A page of the contents: its address, its title, and whether the reader is in it."""

    address: str
    title: str
    current: bool


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """What there is to read."""
    return _show(request, _page("index", language_of(request)), current="")


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """One page."""
    if page_of(slug) is None:
        raise Http404(f"There is no page {slug!r}.")
    return _show(request, _page(slug, language_of(request)), current=slug)


@require_safe
def events(request: HttpRequest, slug: str) -> HttpResponse:
    """The events of one ruleset."""
    try:
        ruleset = registry.get(slug)
    except registry.UnknownRuleset as error:
        raise Http404(str(error)) from error
    rendered = _events(ruleset.slug, language_of(request))
    return _show(request, rendered, current="events", within=True)


@lru_cache(maxsize=64)
def _page(slug: str, language: str) -> Rendered:
    like = None if language == ORIGINAL else _page(slug, ORIGINAL).headings
    return render_markdown(source_of(slug, language), parts(language), like=like)


@lru_cache(maxsize=64)
def _events(slug: str, language: str) -> Rendered:
    like = None if language == ORIGINAL else _events(slug, ORIGINAL).headings
    return render_markdown(events_page(registry.get(slug), language), {}, like=like)


def _show(
    request: HttpRequest, rendered: Rendered, *, current: str, within: bool = False
) -> HttpResponse:
    """A page among the others; ``within``: it is one below the page of the contents it is in."""
    chinese = language_of(request) == "zh"
    steps = [Step(reverse("guide:index"), "总览" if chinese else "Overview", not current)]
    steps += [
        Step(
            reverse("guide:page", args=[each.slug]),
            each.title(language_of(request)),
            each.slug == current,
        )
        for each in PAGES
    ]
    here = next(place for place, step in enumerate(steps) if step.current)
    before = here if within else here - 1
    context = {
        "steps": steps,
        "before": steps[before] if before >= 0 else None,
        "after": steps[here + 1] if here + 1 < len(steps) else None,
        "page": rendered,
        "page_title": rendered.title if current else "",
        "chinese": chinese,
    }
    return render(request, "docs/page.html", context)
