"""Signing up, in and out; tokens that expire; a lock against guessing."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from api.models import Token
from records.models import Account
from tests.support.people import ClubHouse, Person, unused_name
from tests.support.problems import refused

PASSWORD = "nine gates and a wall"


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def credentials() -> dict[str, str]:
    """A name that nobody has yet, and a good password."""
    return {"username": unused_name(), "password": PASSWORD}


@pytest.fixture
def lin(stranger: Person, credentials: dict[str, str]) -> Person:
    """Somebody who has signed up with these credentials and not signed in."""
    assert stranger.post("accounts", credentials).status_code == 201
    return stranger


def test_a_username_is_taken_whatever_the_case_of_its_letters(
    lin: Person, credentials: dict[str, str]
) -> None:
    name = credentials["username"]
    refused(lin.post("accounts", {**credentials, "username": name.upper()}), 409, "username_taken")
    assert Account.objects.filter(username__iexact=name).count() == 1


@pytest.mark.parametrize("password", ["short", "password1", "1234567890", "linlinlin"])
def test_a_password_that_would_be_guessed_is_refused(stranger: Person, password: str) -> None:
    answer = stranger.post("accounts", {"username": "linlin", "password": password})
    assert refused(answer, 422, "weak_password")["reasons"]
    assert not Account.objects.filter(username="linlin").exists()


@pytest.mark.parametrize("username", ["with space", "a/b", "\u200b"])
def test_a_username_with_other_characters_is_refused(stranger: Person, username: str) -> None:
    answer = stranger.post("accounts", {"username": username, "password": PASSWORD})
    refused(answer, 422, "invalid_username")


def test_a_password_is_never_stored_or_answered(
    stranger: Person, credentials: dict[str, str]
) -> None:
    answer = stranger.post("accounts", credentials)
    assert answer.json().keys() == {"id", "username"}
    assert PASSWORD not in Account.objects.get(pk=answer.json()["id"]).password


def test_signing_in_gives_a_token_that_is_stored_hashed(
    lin: Person, credentials: dict[str, str]
) -> None:
    answer = lin.post("sign-in", credentials).json()
    token = answer["token"]
    assert token.startswith("paipu_")
    stored = Token.objects.get(account=answer["account"]["id"])
    assert token.startswith(stored.prefix)
    assert token not in repr(Token.objects.filter(pk=stored.pk).values())
    lin.headers["authorization"] = f"Bearer {token}"
    assert lin.get("me").json() == {**answer["account"], "clubs": [], "players": []}


@pytest.mark.parametrize(
    "wrong", [{"password": "nine gates and a door"}, {"username": "somebody else"}]
)
def test_a_wrong_name_and_a_wrong_password_are_refused_alike(
    lin: Person, credentials: dict[str, str], wrong: dict[str, str]
) -> None:
    answer = lin.post("sign-in", {**credentials, **wrong})
    refused(answer, 401, "authentication_failed")
    assert answer["WWW-Authenticate"] == "Bearer"


def test_ten_wrong_passwords_lock_the_account_even_for_the_right_one(
    lin: Person, credentials: dict[str, str]
) -> None:
    wrong = {**credentials, "password": "a guess of no use"}
    codes = [lin.post("sign-in", wrong).json()["code"] for _ in range(10)]
    assert codes == ["authentication_failed"] * 9 + ["locked_out"]
    answer = lin.post("sign-in", credentials)
    refused(answer, 429, "locked_out")
    assert answer["Retry-After"] == "900"


def test_guessing_at_one_account_locks_no_other(lin: Person, credentials: dict[str, str]) -> None:
    for _ in range(11):
        lin.post("sign-in", {"username": "mei", "password": "a guess of no use"})
    assert lin.post("sign-in", credentials).status_code == 200


def test_signing_out_ends_this_token_and_no_other(lin: Person, credentials: dict[str, str]) -> None:
    tokens = [lin.post("sign-in", credentials).json()["token"] for _ in range(2)]
    lin.headers["authorization"] = f"Bearer {tokens[0]}"
    assert lin.post("sign-out").status_code == 204
    refused(lin.post("sign-out"), 401, "authentication_failed")
    refused(lin.get("me"), 401, "authentication_failed")
    lin.headers["authorization"] = f"Bearer {tokens[1]}"
    assert lin.get("me").status_code == 200


def test_a_token_that_has_expired_is_refused(house: ClubHouse) -> None:
    assert house.owner.get("me").status_code == 200
    past = timezone.now() - timedelta(seconds=1)
    Token.objects.filter(account=house.owner.account).update(expires_at=past)
    refused(house.owner.get("me"), 401, "authentication_failed")


def test_signing_in_removes_ones_expired_tokens(lin: Person, credentials: dict[str, str]) -> None:
    account = lin.post("sign-in", credentials).json()["account"]["id"]
    Token.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    lin.post("sign-in", credentials)
    assert Token.objects.filter(account=account).count() == 1


def test_the_token_of_an_account_that_was_closed_is_refused(house: ClubHouse) -> None:
    assert house.owner.account is not None
    Account.objects.filter(pk=house.owner.account.pk).update(is_active=False)
    refused(house.owner.get("me"), 401, "authentication_failed")


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer x", "Bearer a b", "Bearer " + "x" * 70, "Bearer \xff\xfe" * 9]
)
def test_what_is_no_token_is_refused(stranger: Person, header: str) -> None:
    refused(stranger.get("me", authorization=header), 401, "authentication_failed")


def test_another_way_of_signing_in_counts_as_none(stranger: Person) -> None:
    refused(stranger.get("me", authorization="Basic bGluOmxpbg=="), 401, "not_authenticated")
