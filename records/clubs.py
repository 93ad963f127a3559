"""Clubs: who belongs to one, and what each role may do there. This is the only table of rights."""

from __future__ import annotations

import zoneinfo
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from django.db import IntegrityError, transaction

from records.errors import RecordsError
from records.models import Account, Club, Membership, Player, Role


class Right(StrEnum):
    """One thing a member may be allowed to do in a club."""

    SEE = "see"
    """Read games, boards and lists; ``replays.visibility`` decides what is shown of a live hand."""
    RECORD = "record"
    """Start games and write events, and therefore see all of a live hand."""
    RULE = "rule"
    """Decide disputes."""
    KEEP_PLAYERS = "keep_players"
    """Add and rename players."""
    KEEP_MEMBERS = "keep_members"
    """Add members and change their roles."""


RIGHTS: Mapping[Role, frozenset[Right]] = MappingProxyType(
    {
        Role.OWNER: frozenset(Right),
        Role.REFEREE: frozenset({Right.SEE, Right.RULE, Right.KEEP_PLAYERS}),
        Role.RECORDER: frozenset({Right.SEE, Right.RECORD, Right.KEEP_PLAYERS}),
        Role.PLAYER: frozenset({Right.SEE}),
        Role.VIEWER: frozenset({Right.SEE}),
    }
)


class SlugTaken(RecordsError):
    """Another club has this slug."""

    code = "slug_taken"

    def __init__(self, slug: str) -> None:
        super().__init__(f"Another club has the slug {slug!r}.", slug=slug)


class UnknownTimeZone(RecordsError):
    """A name that the time zone database does not have."""

    code = "unknown_time_zone"

    def __init__(self, time_zone: str) -> None:
        super().__init__(
            f"There is no time zone {time_zone!r}; give one such as Asia/Shanghai.",
            expected="a name of the IANA time zone database",
            actual=time_zone,
        )


class UnknownAccount(RecordsError):
    """Nobody signs in with this username."""

    code = "unknown_account"

    def __init__(self, username: str) -> None:
        super().__init__(f"There is no account {username!r}.", username=username)


class NotAMember(RecordsError):
    """Somebody who would have to belong to the club first."""

    code = "not_a_member"

    def __init__(self, username: str) -> None:
        super().__init__(
            f"{username!r} is no member of this club: make them one first.", username=username
        )


class LastOwner(RecordsError):
    """The change would leave the club without an owner."""

    code = "last_owner"

    def __init__(self) -> None:
        super().__init__("A club needs an owner: make somebody else an owner first.")


class PlayerNameTaken(RecordsError):
    """The club has a player of this name already."""

    code = "player_name_taken"

    def __init__(self, name: str) -> None:
        super().__init__(f"The club has a player {name!r} already.", name=name)


class AccountPlaysAlready(RecordsError):
    """The account is another player of this club."""

    code = "account_plays_already"

    def __init__(self, username: str) -> None:
        super().__init__(f"{username!r} is another player of this club already.", username=username)


def rights_of(role: str | None) -> frozenset[Right]:
    """What a member with this role may do; nothing for who is no member."""
    return RIGHTS[Role(role)] if role is not None else frozenset()


def create_club(*, owner: Account, name: str, slug: str, time_zone: str) -> Club:
    """Found a club; ``owner`` becomes its first member. Raises SlugTaken, UnknownTimeZone."""
    if time_zone not in zoneinfo.available_timezones():
        raise UnknownTimeZone(time_zone)
    try:
        with transaction.atomic():
            club = Club.objects.create(name=name, slug=slug, time_zone=time_zone)
            Membership.objects.create(account=owner, club=club, role=Role.OWNER)
    except IntegrityError as error:
        raise SlugTaken(slug) from error
    return club


def set_member(*, club: Club, username: str, role: Role) -> Membership:
    """Make somebody a member with this role, or change a member's role.

    Raises UnknownAccount, LastOwner.
    """
    account = Account.objects.filter(username=username, is_active=True).first()
    if account is None:
        raise UnknownAccount(username)
    with transaction.atomic():
        # The club's row is held, so that two owners cannot each demote the other at one moment.
        Club.objects.select_for_update().get(pk=club.pk)
        owners = club.memberships.filter(role=Role.OWNER).exclude(account=account)
        member = club.memberships.filter(account=account).first()
        demoted = member is not None and member.role == Role.OWNER and role != Role.OWNER
        if demoted and not owners.exists():
            raise LastOwner
        membership, _ = Membership.objects.update_or_create(
            club=club, account=account, defaults={"role": role}
        )
    return membership


def add_player(*, club: Club, name: str, username: str | None = None) -> Player:
    """Add somebody who sits at the club's tables, with the account that is theirs if they have one.

    The account has to be a member's, who else could not read the games. Raises NotAMember,
    PlayerNameTaken, AccountPlaysAlready.
    """
    account = None
    if username is not None:
        account = Account.objects.filter(username=username, memberships__club=club).first()
        if account is None:
            raise NotAMember(username)
    with transaction.atomic():
        player = Player(club=club, name=name, account=account)
        _save_player(player)
    return player


def rename_player(*, player: Player, name: str) -> Player:
    """Give a player another name; the log, which never had the old one, stays. PlayerNameTaken."""
    player.name = name
    with transaction.atomic():
        _save_player(player)
    return player


def _save_player(player: Player) -> None:
    """Write the row; say which of the two unique constraints it breaks, if it breaks one."""
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError as error:
        if "player_account_once_per_club" in str(error) and player.account is not None:
            raise AccountPlaysAlready(player.account.username) from error
        raise PlayerNameTaken(player.name) from error
