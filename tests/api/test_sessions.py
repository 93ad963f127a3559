"""Signing in with a browser's cookie; passwords; ending every sign-in."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.test import Client

from api.models import Session
from api.removal import remove_person
from api.scopes import Scope
from api.tokens import make_token
from records.models import Account
from tests.support.people import Person, unused_name
from tests.support.problems import refused

PASSWORD = "nine gates and a wall"
OTHER = "thirteen orphans at once"


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def credentials(stranger: Person) -> dict[str, str]:
    """Those of somebody who has just signed up."""
    given = {"username": unused_name(), "password": PASSWORD}
    assert stranger.post("accounts", given).status_code == 201
    return given


class Browser(Person):
    """A browser, which keeps cookies and is checked for its CSRF token."""

    def __init__(self) -> None:
        super().__init__()
        self.client = Client(enforce_csrf_checks=True, raise_request_exception=False)

    def look(self) -> Any:
        """The session; its CSRF token goes with every write from then on."""
        session = self.get("session").json()
        self.headers["x-csrftoken"] = session["csrf_token"]
        return session["account"]

    def sign_in(self, credentials: dict[str, str]) -> Any:
        """The answer to signing in, as a page of ours does it."""
        self.look()
        answer = self.post("session", credentials)
        if answer.status_code == 200:
            self.headers["x-csrftoken"] = answer.json()["csrf_token"]
        return answer


def test_a_browser_signs_in_reads_writes_and_signs_out(credentials: dict[str, str]) -> None:
    browser = Browser()
    assert browser.look() is None
    refused(browser.get("me"), 401, "not_authenticated")
    answer = browser.sign_in(credentials)
    assert answer.json()["account"]["username"] == credentials["username"]
    cookie = answer.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert browser.get("me").json()["username"] == credentials["username"]
    assert browser.post("clubs", {"name": "C", "slug": unused_name()}).status_code == 201
    assert browser.delete("session").status_code == 204
    assert browser.look() is None
    refused(browser.get("me"), 401, "not_authenticated")


def test_a_write_with_the_cookie_alone_is_refused(credentials: dict[str, str]) -> None:
    browser = Browser()
    browser.sign_in(credentials)
    del browser.headers["x-csrftoken"]
    assert browser.get("me").status_code == 200
    for answer in (
        browser.post("clubs", {"name": "C", "slug": unused_name()}),
        browser.delete("session"),
    ):
        assert refused(answer, 403, "csrf_failed") == {"header": "X-CSRFToken"}


def test_nobody_is_signed_in_by_another_site(credentials: dict[str, str]) -> None:
    browser = Browser()
    refused(browser.post("session", credentials), 403, "csrf_failed")
    assert browser.look() is None


def test_a_session_begins_with_another_key_and_csrf_token(credentials: dict[str, str]) -> None:
    browser = Browser()
    planted = browser.client.session.session_key
    browser.look()
    before = browser.headers["x-csrftoken"]
    browser.sign_in(credentials)
    assert browser.client.cookies["sessionid"].value != planted
    assert browser.headers["x-csrftoken"] != before


@pytest.mark.parametrize("wrong", [{"password": OTHER}, {"username": "somebody else"}])
def test_a_wrong_name_and_a_wrong_password_are_refused_alike(
    credentials: dict[str, str], wrong: dict[str, str]
) -> None:
    answer = Browser().sign_in({**credentials, **wrong})
    refused(answer, 401, "authentication_failed")
    assert answer.json()["detail"] == "There is no account with this username and password."
    assert "sessionid" not in answer.cookies


def test_failures_with_token_and_cookie_are_counted_together(credentials: dict[str, str]) -> None:
    browser, wrong = Browser(), {**credentials, "password": OTHER}
    for number in range(10):
        sent = browser.sign_in if number % 2 else lambda given: Person().post("sign-in", given)
        answer = sent(wrong)
    refused(answer, 429, "locked_out")
    refused(browser.sign_in(credentials), 429, "locked_out")
    refused(Person().post("sign-in", credentials), 429, "locked_out")


def test_failures_are_counted_by_the_address_behind_our_proxies(
    credentials: dict[str, str], settings: Any
) -> None:
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": 1}
    wrong = {**credentials, "password": OTHER}
    Person().post("sign-in", wrong, x_forwarded_for="198.51.100.7, 203.0.113.9")
    attempt = AccessAttempt.objects.get(username=credentials["username"])
    assert attempt.ip_address == "203.0.113.9"


def signed_in(credentials: dict[str, str]) -> Person:
    """Somebody with a token from signing in."""
    return Person(token=Person().post("sign-in", credentials).json()["token"])


def test_another_password_ends_every_sign_in_but_this_one(credentials: dict[str, str]) -> None:
    here, there, phone = Browser(), Browser(), signed_in(credentials)
    for browser in (here, there):
        browser.sign_in(credentials)
    account = Account.objects.get(username=credentials["username"])
    scopes = [Scope.ACCOUNT_READ]
    _, secret = make_token(account=account, name="p", scopes=scopes, clubs=[], days=1)
    program = Person(token=secret)
    body = {"password": PASSWORD, "new_password": OTHER}
    assert here.post("me/password", body).status_code == 204
    assert here.get("me").status_code == 200
    assert program.get("me").status_code == 200
    refused(there.get("me"), 401, "not_authenticated")
    refused(phone.get("me"), 401, "authentication_failed")
    refused(Person().post("sign-in", credentials), 401, "authentication_failed")
    assert Browser().sign_in({**credentials, "password": OTHER}).status_code == 200


def test_a_password_is_changed_once_for_one_key(credentials: dict[str, str]) -> None:
    here = Browser()
    here.sign_in(credentials)
    body = {"password": PASSWORD, "new_password": OTHER}
    answers = [here.post("me/password", body, key="k") for _ in range(2)]
    assert [(answer.status_code, answer.content) for answer in answers] == [(204, b"")] * 2
    assert answers[1]["Idempotent-Replayed"] == "true"
    refused(here.post("me/password", body), 403, "wrong_password")


@pytest.mark.parametrize(
    ("given", "status", "code"),
    [
        ({"password": OTHER, "new_password": OTHER}, 403, "wrong_password"),
        ({"password": PASSWORD, "new_password": "12345678"}, 422, "weak_password"),
    ],
)
def test_a_password_is_not_changed_to_a_weak_one_or_by_somebody_else(
    credentials: dict[str, str], given: dict[str, str], status: int, code: str
) -> None:
    person = signed_in(credentials)
    refused(person.post("me/password", given), status, code)
    assert person.get("me").status_code == 200
    assert signed_in(credentials).get("me").status_code == 200


def test_guesses_at_the_present_password_are_counted_as_failed_sign_ins(
    credentials: dict[str, str],
) -> None:
    person = signed_in(credentials)
    guess = {"password": OTHER, "new_password": OTHER}
    answers = [person.post("me/password", guess) for _ in range(10)]
    refused(answers[0], 403, "wrong_password")
    refused(answers[-1], 429, "locked_out")


def test_signing_out_everywhere_ends_sessions_and_sign_in_tokens(
    credentials: dict[str, str],
) -> None:
    browser, phone, laptop = Browser(), signed_in(credentials), signed_in(credentials)
    browser.sign_in(credentials)
    assert phone.post("sign-out/everywhere").status_code == 204
    for person in (phone, laptop):
        refused(person.get("me"), 401, "authentication_failed")
    refused(browser.get("me"), 401, "not_authenticated")


def devices(person: Person) -> list[tuple[str, bool]]:
    """Where somebody is signed in, as they are shown it: the device, and whether it asks."""
    return [(each["device"], each["this"]) for each in person.get("sessions").json()["items"]]


def test_a_person_sees_where_they_are_signed_in_and_ends_one_of_them(
    credentials: dict[str, str],
) -> None:
    here, there, stranger = Browser(), Browser(), Browser()
    here.headers["user-agent"], there.headers["user-agent"] = "Firefox", "Chrome " * 99
    for browser in (there, here):
        browser.sign_in(credentials)
    assert devices(here) == [("Firefox", True), (("Chrome " * 99)[:200], False)]
    assert devices(signed_in(credentials)) == [
        ("Firefox", False),
        (("Chrome " * 99)[:200], False),
    ]
    assert here.client.session.session_key not in here.get("sessions").content.decode()
    other = here.get("sessions").json()["items"][1]["id"]
    others = {"username": unused_name(), "password": PASSWORD}
    stranger.post("accounts", others)
    stranger.sign_in(others)
    refused(stranger.delete(f"sessions/{other}"), 404, "not_found")
    assert here.delete(f"sessions/{other}").status_code == 204
    refused(there.get("me"), 401, "not_authenticated")
    assert devices(here) == [("Firefox", True)]
    refused(here.delete(f"sessions/{other}"), 404, "not_found")


def test_a_session_remembers_to_the_hour_when_it_was_used(credentials: dict[str, str]) -> None:
    browser = Browser()
    browser.sign_in(credentials)
    session = Session.objects.get(session_key=browser.client.session.session_key)
    browser.get("me")
    again = Session.objects.get(pk=session.pk)
    assert again.last_seen_at == session.last_seen_at
    long_ago = session.last_seen_at - timedelta(hours=2)
    Session.objects.filter(pk=session.pk).update(last_seen_at=long_ago)
    browser.get("me")
    session.refresh_from_db()
    assert session.last_seen_at > again.last_seen_at


def test_signing_out_elsewhere_keeps_the_sign_in_that_asks(credentials: dict[str, str]) -> None:
    here, there, phone = Browser(), Browser(), signed_in(credentials)
    for browser in (here, there):
        browser.sign_in(credentials)
    assert here.post("sign-out/elsewhere").status_code == 204
    assert here.get("me").status_code == 200
    refused(there.get("me"), 401, "not_authenticated")
    refused(phone.get("me"), 401, "authentication_failed")
    phone, laptop = signed_in(credentials), signed_in(credentials)
    assert phone.post("sign-out/elsewhere").status_code == 204
    assert phone.get("me").status_code == 200
    refused(laptop.get("me"), 401, "authentication_failed")
    refused(here.get("me"), 401, "not_authenticated")


def test_a_person_who_is_removed_is_signed_out(credentials: dict[str, str]) -> None:
    browser = Browser()
    browser.sign_in(credentials)
    account = Account.objects.get(username=credentials["username"])
    assert Session.objects.filter(account_id=account.pk).count() == 1
    remove_person(account)
    assert not Session.objects.filter(account_id=account.pk).exists()
    refused(browser.get("me"), 401, "not_authenticated")
