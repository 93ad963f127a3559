"""Clubs: who belongs to one, and what each role may do there. This is the only table of rights."""

from __future__ import annotations

import zoneinfo
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from records.errors import RecordsError
from records.models import Account, Claim, Club, Membership, Role


class Right(StrEnum):
    """One thing a member may be allowed to do in a club."""

    SEE = "see"
    """Read games, boards and lists; ``replays.visibility`` decides what is shown of a live hand."""
    RECORD = "record"
    """Start games and write events, and therefore see all of a live hand."""
    RULE = "rule"
    """Decide disputes."""
    KEEP_PLAYERS = "keep_players"
    """Add, rename and merge players, decide who takes over a guest's record."""
    KEEP_MEMBERS = "keep_members"
    """Invite, add and remove members and change their roles."""
    KEEP_CLUB = "keep_club"
    """Change the club's settings, seasons, presets and ladder."""


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

    def __init__(self, club: Club) -> None:
        super().__init__(
            f"The club {club.name!r} needs an owner: make somebody else an owner first.",
            club=str(club.pk),
        )


class TimeZoneFixed(RecordsError):
    """Another time zone would move the days of a season that is closed."""

    code = "time_zone_fixed"

    def __init__(self, *, seasons: list[str]) -> None:
        super().__init__(
            "The time zone says when a season's days begin, and a closed season must not move: "
            f"reopen {', '.join(seasons)} first.",
            seasons=seasons,
        )


def rights_of(role: str | None) -> frozenset[Right]:
    """What a member with this role may do; nothing for who is no member."""
    return RIGHTS[Role(role)] if role is not None else frozenset()


def hold(club_id: UUID) -> Club:
    """The club, its row held until the transaction ends.

    Whatever changes who belongs to a club, or its seasons, holds it first, so that of two changes
    at one moment the second sees the first (test_two_owners_cannot_each_demote_the_other,
    test_two_seasons_made_at_once_do_not_overlap).
    """
    return Club.objects.select_for_update(no_key=True).get(pk=club_id)


def people_of(club: Club) -> QuerySet[Membership]:
    """The memberships of people, without those of the club's machines."""
    return club.memberships.filter(account__machine_of=None)


def create_club(*, owner: Account, name: str, slug: str, time_zone: str) -> Club:
    """Found a club; ``owner`` becomes its first member. Raises SlugTaken, UnknownTimeZone."""
    _check_time_zone(time_zone)
    try:
        with transaction.atomic():
            club = Club.objects.create(name=name, slug=slug, time_zone=time_zone)
            Membership.objects.create(account=owner, club=club, role=Role.OWNER)
    except IntegrityError as error:
        raise SlugTaken(slug) from error
    return club


def change_club(
    *,
    club: Club,
    name: str | None = None,
    time_zone: str | None = None,
    rated: bool | None = None,
    spectator_delay_s: int | None = None,
    public_games: bool | None = None,
) -> Club:
    """Change what is given. Another time zone moves the borders of seasons, so none may be closed.

    Raises UnknownTimeZone, TimeZoneFixed.
    """
    with transaction.atomic():
        held = hold(club.pk)
        if name is not None:
            held.name = name
        if rated is not None:
            held.rated = rated
        if spectator_delay_s is not None:
            held.spectator_delay_s = spectator_delay_s
        if public_games is not None:
            held.public_games = public_games
        if time_zone is not None and time_zone != held.time_zone:
            _check_time_zone(time_zone)
            closed = held.seasons.exclude(closed_at=None).order_by("starts_on")
            if names := list(closed.values_list("name", flat=True)):
                raise TimeZoneFixed(seasons=names)
            held.time_zone = time_zone
        held.save()
    return held


def _check_time_zone(time_zone: str) -> None:
    if time_zone not in zoneinfo.available_timezones():
        raise UnknownTimeZone(time_zone)


def set_member(*, club: Club, username: str, role: Role) -> Membership:
    """Make somebody a member with this role, or change a member's role.

    Raises UnknownAccount, LastOwner.
    """
    people = Account.objects.filter(is_active=True, machine_of=None)
    account = people.filter(username=username).first()
    if account is None:
        raise UnknownAccount(username)
    with transaction.atomic():
        hold(club.pk)
        member = club.memberships.filter(account=account).first()
        if member is None:
            return join(club=club, account=account, role=role)
        if role != Role.OWNER:
            require_another_owner(member)
        member.role = role
        member.save()
    return member


def join(*, club: Club, account: Account, role: Role) -> Membership:
    """Make an account that is no member one; its player of earlier days may be seated again.

    The caller holds the club.
    """
    club.players.filter(account=account).update(left_at=None)
    return Membership.objects.create(club=club, account=account, role=role)


def end_membership(member: Membership) -> None:
    """Let a member go. Their player keeps its record and is not seated any more.

    Raises LastOwner, NotAMember for who has gone already.
    """
    with transaction.atomic():
        club = hold(member.club_id)
        present = club.memberships.filter(pk=member.pk).first()
        if present is None:
            raise NotAMember(member.account.username)
        require_another_owner(present)
        drop_membership(present)


def drop_membership(member: Membership) -> None:
    """Delete a membership with what hangs on it. The caller holds the club."""
    players = member.club.players.filter(account_id=member.account_id, left_at=None)
    players.update(left_at=timezone.now())
    Claim.objects.filter(
        account_id=member.account_id, player__club_id=member.club_id, accepted=None
    ).delete()
    member.delete()


def require_another_owner(member: Membership) -> None:
    """Refuse to go on without this member as an owner if there is no other. Raises LastOwner."""
    owners = people_of(member.club).filter(role=Role.OWNER, account__is_active=True)
    if member.role == Role.OWNER and not owners.exclude(pk=member.pk).exists():
        raise LastOwner(member.club)
