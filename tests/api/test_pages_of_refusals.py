"""What is refused is told to people on a page in their language, and to programs as a problem."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import (
    BadRequest,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path
from django.views.decorators.http import require_safe

from api import urls as service
from replays.words import WORDS
from tests.support.problems import refused

BROKEN = {
    "too-big": RequestDataTooBig("too big"),
    "suspicious": SuspiciousOperation("odd"),
    "bad": BadRequest("odd"),
    "denied": PermissionDenied(),
    "missing": Http404(),
    "mistake": ZeroDivisionError(),
    "database": OperationalError("no connection"),
}
TOLD = {
    "too-big": (413, "too_large"),
    "suspicious": (400, "bad_request"),
    "bad": (400, "bad_request"),
    "denied": (403, "forbidden"),
    "missing": (404, "not_found"),
    "mistake": (500, "our_mistake"),
    "database": (503, "unreachable"),
    "shown": (405, "only_shown"),
}
TO_PROGRAMS = {
    "too-big": (413, "payload_too_large"),
    "suspicious": (400, "bad_request"),
    "bad": (400, "bad_request"),
    "denied": (403, "permission_denied"),
    "missing": (404, "not_found"),
    "mistake": (500, "internal_error"),
    "database": (503, "database_unavailable"),
}
LANGUAGES = pytest.mark.parametrize(("tag", "language"), [("zh-Hans", "zh"), ("en", "en")])


def broken(request: HttpRequest, kind: str) -> HttpResponse:
    raise BROKEN[kind]


@require_safe
def shown(request: HttpRequest) -> HttpResponse:
    return HttpResponse("shown")


urlpatterns = [
    path("broken/shown", shown),
    path("broken/<kind>", broken),
    path("api/broken/<kind>", broken),
    path("", include(service)),
]
handler400, handler403 = service.handler400, service.handler403
handler404, handler500 = service.handler404, service.handler500


@pytest.fixture
def visitor(settings: Any) -> Client:
    """A browser of nobody's, on the service with broken pages beside its own."""
    settings.ROOT_URLCONF = __name__
    settings.DEBUG = False
    return Client(raise_request_exception=False)


@LANGUAGES
@pytest.mark.parametrize("kind", TOLD)
def test_a_person_is_told_in_their_language_on_a_page_that_leads_back(
    visitor: Client, kind: str, tag: str, language: str
) -> None:
    status, name = TOLD[kind]
    answer = visitor.post(f"/broken/{kind}", headers={"Accept-Language": tag})
    page = answer.content.decode()
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert f'<html lang="{tag}"' in page
    assert re.search(rf"<h1>\s*{WORDS[language][name]}\s*</h1>", page)
    assert WORDS[language][f"{name}_text"] in page
    assert f'<a href="/">{WORDS[language]["to_home"]}</a>' in page


@pytest.mark.parametrize("kind", TO_PROGRAMS)
def test_a_program_gets_a_problem(visitor: Client, kind: str) -> None:
    refused(visitor.post(f"/api/broken/{kind}"), *TO_PROGRAMS[kind])


@pytest.mark.parametrize("address", ["/broken/database", "/api/broken/database"])
def test_who_comes_while_the_database_is_silent_is_told_when_to_come_again(
    visitor: Client, address: str
) -> None:
    assert int(visitor.get(address).headers["Retry-After"]) > 0


def test_a_page_that_only_shows_says_what_it_takes(visitor: Client) -> None:
    assert visitor.put("/broken/shown").headers["Allow"] == "GET, HEAD"
    assert visitor.get("/broken/shown").content == b"shown"


@pytest.mark.parametrize("kind", ["mistake", "database"])
def test_the_page_of_a_mistake_does_not_ask_who_looks(
    visitor: Client, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(_: AnonymousUser) -> bool:
        raise AssertionError("the database was asked")

    monkeypatch.setattr(AnonymousUser, "is_authenticated", property(asked))
    assert visitor.get(f"/broken/{kind}").status_code == TOLD[kind][0]


@LANGUAGES
def test_a_form_without_its_token_is_told_to_be_loaded_again(tag: str, language: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post("/sign-in", headers={"Accept-Language": tag})
    assert answer.status_code == 403
    assert WORDS[language]["expired_text"] in answer.content.decode()


@LANGUAGES
def test_a_host_that_is_not_ours_is_refused_on_a_page(
    settings: Any, tag: str, language: str
) -> None:
    settings.ALLOWED_HOSTS = ["paipu.example"]
    answer = Client().get("/", headers={"Host": "evil.example", "Accept-Language": tag})
    assert answer.status_code == 400
    assert WORDS[language]["bad_request_text"] in answer.content.decode()
