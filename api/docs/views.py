"""The pages of the documentation. They need no database."""

from __future__ import annotations

from functools import lru_cache

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from api.docs.contents import PAGES, page_of, source_of
from api.docs.generated import events_page, parts
from api.docs.rendering import Rendered, render_markdown
from replays.pages.languages import language_of
from rules_engine import registry


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """What there is to read."""
    return _answer(request, "", "index")


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """One page."""
    if page_of(slug) is None:
        raise Http404(f"There is no page {slug!r}.")
    return _answer(request, slug, slug)


@require_safe
def events(request: HttpRequest, slug: str) -> HttpResponse:
    """The events of one ruleset."""
    try:
        ruleset = registry.get(slug)
    except registry.UnknownRuleset as error:
        raise Http404(str(error)) from error
    language = language_of(request)
    rendered = render_markdown(events_page(ruleset, language), {})
    return _show(request, rendered, current="events", told="en" if language == "en" else "mixed")


def _answer(request: HttpRequest, current: str, name: str) -> HttpResponse:
    language = language_of(request)
    text, told = source_of(name, language)
    rendered = _rendered(text, language)
    return _show(request, rendered, current=current, told=told)


@lru_cache(maxsize=64)
def _rendered(text: str, language: str) -> Rendered:
    return render_markdown(text, parts(language))


def _show(request: HttpRequest, rendered: Rendered, *, current: str, told: str) -> HttpResponse:
    language = language_of(request)
    titles = {page.slug: page.title(language) for page in PAGES}
    context = {
        "pages": list(titles.items()),
        "current": current,
        "page": rendered,
        "page_title": titles.get(current, ""),
        "only_english": language == "zh" and told == "en",
        "chinese": language == "zh",
    }
    return render(request, "docs/page.html", context)
