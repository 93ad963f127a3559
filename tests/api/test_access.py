"""Who may do what: every operation, asked by every kind of caller, against what it declares.

The operations are read from the URL configuration, and what has to happen from their ``scope`` and
``right`` and the table of rights. A new one without a declaration, or on something that the club of
everything does not have, fails until somebody has thought about it. Every write is taken back, so
that each caller finds the club as it was.
"""

from __future__ import annotations

from contextlib import nullcontext
from copy import deepcopy
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.response import Response

from api.auth import Bearer, SessionCookie
from api.models import Token
from api.operation import Operation, PublicOperation, resource
from api.scopes import ALL_SCOPES, OF_ONE_CLUB, Scope
from api.tokens import make_token, revoke_token
from records.clubs import rights_of, set_member
from records.models import Account, Role
from tests.support.everything import ClubOfEverything, account_of
from tests.support.operations import OPERATIONS, Asked, insist_on_a_rule, taken_back
from tests.support.people import ClubHouse, Person

DENIALS = {
    "not_authenticated",
    "authentication_failed",
    "csrf_failed",
    "missing_scope",
    "permission_denied",
    "not_found",
}
"""Codes of who may not. Any other answer, also that something else is wrong, lets them in."""
OF_ANYBODY = DENIALS - {"not_found", "csrf_failed"}
"""Codes that an operation for anybody can never give."""


class Toy(Operation):
    """An operation that nobody has thought about."""

    def get(self, request: Any, **_: Any) -> Response:
        """Tell a secret."""
        del request
        return Response({"secret": 1})


def test_an_operation_without_a_rule_fails_this_test_and_answers_nobody(
    house: ClubHouse, rf: Any
) -> None:
    with pytest.raises(AssertionError, match="Toy declares no scope"):
        insist_on_a_rule("toys", Toy)
    request = rf.get("/toys", headers=house.owner.headers)
    assert resource(Toy)(request).status_code == 403


def test_an_operation_on_something_of_a_club_has_to_name_a_right() -> None:
    class Scoped(Toy):
        scope = Scope.CLUB_READ

    insist_on_a_rule("toys", Scoped)
    with pytest.raises(AssertionError, match="without a right"):
        insist_on_a_rule("clubs/<uuid:club_id>/toys", Scoped)


class Caller(NamedTuple):
    """Somebody who asks. ``role`` is theirs in the club, None where they are nothing there."""

    person: Person
    role: Role | None
    scopes: frozenset[Scope] = frozenset(ALL_SCOPES)
    unknown: str = ""
    """The code that they get because it is not known who asks."""
    way: type[Any] = Bearer
    csrf: bool = True
    about: Scope | None = None
    """Only operations that need this scope can tell something about them."""


OF_A_CLUB = frozenset(OF_ONE_CLUB)
EVERYTHING = frozenset(ALL_SCOPES)


def callers(club: ClubOfEverything) -> dict[str, Caller]:
    """Every kind of caller, by what to call them."""
    owner, other = account_of(club.owner), ClubHouse()
    set_member(club=other.club, username=owner.username, role=Role.OWNER)

    def token(scopes: frozenset[Scope], *clubs: UUID) -> Person:
        _, secret = make_token(account=owner, name="t", scopes=scopes, clubs=clubs, days=1)
        return Person(owner, token=secret)

    expired, revoked = token(EVERYTHING), token(EVERYTHING)
    expired_key, revoked_key = (t.pk for t in owner.tokens.order_by("-created_at")[:2][::-1])
    past = timezone.now() - timedelta(seconds=1)
    Token.objects.filter(pk=expired_key).update(expires_at=past)
    revoke_token(Token.objects.get(pk=revoked_key))
    known = {
        "nobody": Caller(Person(), None, unknown="not_authenticated"),
        "an expired token": Caller(expired, Role.OWNER, unknown="authentication_failed"),
        "a revoked token": Caller(revoked, Role.OWNER, unknown="authentication_failed"),
        "the owner of another club": Caller(ClubHouse().owner, None),
        "a token of another club": Caller(token(OF_A_CLUB, other.club.pk), None, OF_A_CLUB),
        "a token of the club": Caller(token(OF_A_CLUB, club.club.pk), Role.OWNER, OF_A_CLUB),
        "a machine of another club": Caller(other.machine(Role.OWNER), None, OF_A_CLUB),
        "a session": Caller(in_a_browser(owner), Role.OWNER, way=SessionCookie),
        "another site": Caller(
            in_a_browser(owner, csrf=False), Role.OWNER, way=SessionCookie, csrf=False
        ),
    }
    for role in Role:
        known[f"a {role.value}"] = Caller(club.member(role), role)
    for role in (Role.OWNER, Role.RECORDER):
        known[f"a machine as {role.value}"] = Caller(club.machine(role), role, OF_A_CLUB)
    for scope in Scope:
        less, only = EVERYTHING - {scope}, frozenset({scope})
        known[f"all but {scope}"] = Caller(token(less), Role.OWNER, less, about=scope)
        known[f"only {scope}"] = Caller(token(only), Role.OWNER, only, about=scope)
    return known


def in_a_browser(account: Account, *, csrf: bool = True) -> Person:
    """Somebody whose browser is signed in, and sends the CSRF token or does not."""
    person = Person()
    person.account, person.client = account, Client(enforce_csrf_checks=True)
    person.client.force_login(account, backend="django.contrib.auth.backends.ModelBackend")
    if csrf:
        person.headers["x-csrftoken"] = person.get("session").json()["csrf_token"]
    return person


def denial(asked: Asked, caller: Caller) -> str | None:
    """The code that the caller has to be refused with, None where they are let in."""
    operation = asked.operation
    if issubclass(operation, PublicOperation):
        return None
    if caller.way not in operation.authentication_classes:
        return "not_authenticated"
    if caller.unknown:
        return caller.unknown
    if not caller.csrf and asked.method != "get":
        return "csrf_failed"
    if operation.scope is not None and operation.scope not in caller.scopes:
        return "missing_scope"
    if operation.right is None:
        return None
    if caller.role is None:
        return "not_found"
    return None if operation.right in rights_of(caller.role) else "permission_denied"


@pytest.fixture(scope="module")
def everybody(club: ClubOfEverything) -> dict[str, Caller]:
    return callers(club)


@pytest.mark.parametrize("asked", OPERATIONS)
def test_an_operation_lets_in_who_may_and_nobody_else(
    asked: Asked, club: ClubOfEverything, everybody: dict[str, Caller], settings: Any
) -> None:
    settings.ADDRESS_REQUESTS_PER_MINUTE = 0
    body = club.body(asked.operation.__name__)
    wrong = {}
    for name, caller in everybody.items():
        if caller.about not in (None, asked.operation.scope):
            continue
        headers = {"if_match": '"2"'} if asked.method == "post" else {}
        send, path = getattr(caller.person, asked.method), club.path(asked.route, caller.person)
        sent = (path,) if asked.method in BODILESS else (path, body)
        cookies = deepcopy(caller.person.client.cookies)
        with nullcontext() if asked.method == "get" else taken_back():
            answer = send(*sent, **headers)
        caller.person.client.cookies = cookies
        answer.close()
        expected = denial(asked, caller)
        if outcome(asked, answer) != expected:
            wrong[name] = (expected, answer.status_code, answer.content[:200])
    assert not wrong


BODILESS = ("get", "delete")


def outcome(asked: Asked, answer: Any) -> str | None:
    """The code of a refusal of who asks; None where they are let in, whatever else is wrong."""
    assert answer.status_code < 500, answer.content
    if answer.status_code < 400:
        return None
    code: str = answer.json()["code"]
    denials = OF_ANYBODY if issubclass(asked.operation, PublicOperation) else DENIALS
    return code if code in denials else None
