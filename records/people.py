"""Accounts: what a person can do about their own sign-in."""

from __future__ import annotations

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from records.errors import RecordsError
from records.models import Account


class UsernameTaken(RecordsError):
    """Somebody else has this username."""

    code = "username_taken"

    def __init__(self, username: str) -> None:
        super().__init__(f"The username {username!r} is taken.", username=username)


class WeakPassword(RecordsError):
    """The password would be guessed too soon."""

    code = "weak_password"

    def __init__(self, reasons: list[str]) -> None:
        super().__init__(" ".join(reasons), reasons=reasons)


class InvalidUsername(RecordsError):
    """The username has characters that a username cannot have."""

    code = "invalid_username"

    def __init__(self, username: str, reasons: list[str]) -> None:
        super().__init__(" ".join(reasons), username=username, reasons=reasons)


def create_account(*, username: str, password: str) -> Account:
    """Sign somebody up. Raises UsernameTaken, InvalidUsername, WeakPassword."""
    account = Account(username=Account.normalize_username(username))
    try:
        account.clean_fields(exclude={"password"})
    except ValidationError as error:
        raise InvalidUsername(username, error.messages) from error
    try:
        validate_password(password, account)
    except ValidationError as error:
        raise WeakPassword(error.messages) from error
    account.set_password(password)
    try:
        with transaction.atomic():
            account.save(force_insert=True)
    except IntegrityError as error:
        raise UsernameTaken(username) from error
    return account
