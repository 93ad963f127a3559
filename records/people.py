"""Accounts: signing up, and going for good."""

from __future__ import annotations

import secrets
from typing import Final
from uuid import UUID

import msgspec
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from records.clubs import drop_membership, hold, people_of, require_another_owner
from records.errors import RecordsError
from records.invitations import revoke_all
from records.machines import end_machine
from records.merges import players_of
from records.models import Account, Claim, Membership, Player

GONE: Final = "gone-"
"""What the name of a person who has gone begins with."""


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
    _check_password(password, account)
    account.set_password(password)
    try:
        with transaction.atomic():
            account.save(force_insert=True)
    except IntegrityError as error:
        raise UsernameTaken(username) from error
    return account


def change_password(*, account: Account, password: str) -> None:
    """Give somebody another password. Raises WeakPassword."""
    _check_password(password, account)
    account.set_password(password)
    account.save(update_fields=["password"])


def _check_password(password: str, account: Account) -> None:
    """Raises WeakPassword."""
    try:
        validate_password(password, account)
    except ValidationError as error:
        raise WeakPassword(error.messages) from error


class Removed(msgspec.Struct, frozen=True, kw_only=True):
    """Whom a removal was about: what they were called, and the ids that stay in every record."""

    account: UUID
    username: str
    players: tuple[UUID, ...]


def remove_account(account: Account) -> Removed:
    """Let a person go for good: name, contact and sign-in are wiped, and what they played stays.

    Their players, with the guests' records that count for them, get a neutral name and no account;
    the log and the ledger, which know ids only, are not touched. Raises LastOwner where a club with
    other members would be left without an owner. An account that was removed stays as it is.
    """
    with transaction.atomic():
        memberships = Membership.objects.filter(account=account)
        of_clubs = memberships.order_by("club_id").values_list("club_id", flat=True)
        clubs = [hold(club_id) for club_id in of_clubs]
        account = Account.objects.select_for_update(no_key=True).get(pk=account.pk)
        for club in clubs:
            _end(club.memberships.get(account=account))
        players = _make_nameless(account)
        Claim.objects.filter(account=account, accepted=None).delete()
        removed = Removed(account=account.pk, username=account.username, players=players)
        _wipe(account)
    return removed


def _end(member: Membership) -> None:
    """Raises LastOwner, though not for the last person: then the club ends with them."""
    if people_of(member.club).exclude(pk=member.pk).exists():
        require_another_owner(member)
    else:
        revoke_all(club=member.club, at=timezone.now())
        for machine in member.club.machines.filter(is_active=True):
            end_machine(machine)
    drop_membership(member)


def _make_nameless(account: Account) -> tuple[UUID, ...]:
    """Take name and account from the records that are the person's; their ids."""
    own = list(Player.objects.filter(account=account))
    players = tuple(record for player in own for record in players_of(player))
    for player in Player.objects.filter(pk__in=players):
        player.name = _gone_name()
        player.account = None
        player.left_at = player.left_at or timezone.now()
        player.save()
    return players


def _wipe(account: Account) -> None:
    account.username = _gone_name()
    account.first_name = account.last_name = account.email = ""
    account.set_unusable_password()
    account.last_login = None
    account.is_active = account.is_staff = account.is_superuser = False
    account.removed_at = account.removed_at or timezone.now()
    account.save()
    account.groups.clear()
    account.user_permissions.clear()


def _gone_name() -> str:
    """A name that nobody has and nobody can take beforehand."""
    return GONE + secrets.token_hex(6)
