"""What is refused outside the REST framework: a problem for programs, a page for people.

Pages that a mistake of ours or a silent database brings about ask the database nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template import loader
from django.views import defaults

from api.errors import PROBLEMS, Problem, answer, problem_of
from replays.pages.languages import language_of
from replays.words import LANGUAGES, WORDS


def locked_out(
    request: HttpRequest, _response: HttpResponse | None, _credentials: dict[str, Any] | None
) -> HttpResponse:
    """AXES_LOCKOUT_CALLABLE: what a sign-in gets after too many failed ones."""
    wait_s = round(settings.AXES_COOLOFF_TIME.total_seconds())
    if not _is_api(request):
        page = render(request, "replays/locked_out.html", status=429)
        page.headers["Retry-After"] = str(wait_s)
        return page
    return answer(
        Problem(
            "locked_out",
            f"Too many failed sign-ins for this account. Try again in {wait_s // 60} minutes.",
            headers={"Retry-After": str(wait_s)},
        )
    )


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def handler400(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own refusals before any view, such as a bad Host."""
    if _is_api(request):
        return answer(problem_of(exception))
    if isinstance(exception, RequestDataTooBig):
        return render(request, "413.html", status=413)
    return defaults.bad_request(request, exception)


def handler403(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A refusal outside the REST framework."""
    if _is_api(request):
        return answer(problem_of(exception))
    return defaults.permission_denied(request, exception)


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    """An address that no route knows."""
    if _is_api(request):
        return answer(Problem("not_found", f"There is nothing at {request.path}."))
    return defaults.page_not_found(request, exception)


def handler500(request: HttpRequest) -> HttpResponse:
    """What broke outside the REST framework; Django has logged it. The page asks no database."""
    problem = Problem("internal_error", "Something went wrong on our side; it is logged.")
    if isinstance(error := sys.exception(), OperationalError | InterfaceError):
        problem = problem_of(error)
    if _is_api(request):
        return answer(problem)
    status = PROBLEMS[problem.family].status
    context = {
        "language": LANGUAGES[language_of(request)],
        "t": WORDS[language_of(request)],
        "unreachable": status == HTTPStatus.SERVICE_UNAVAILABLE,
        "here": request.get_full_path(),
    }
    page = loader.render_to_string("500.html", context)
    return HttpResponse(page, status=status, headers=problem.headers)


def told_where_nothing_is_taken(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: a page that takes no such method says so in words, where Django says nothing."""

    def answer_in_words(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if response.status_code != 405 or _is_api(request):
            return response
        page = render(request, "405.html", status=405)
        page.headers["Allow"] = response.headers["Allow"]
        return page

    return answer_in_words
