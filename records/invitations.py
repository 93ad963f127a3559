"""Invitations: a link that makes whoever follows it a member of a club, once.

The secret in the link is shown to its maker and nobody else; the database holds its hash.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final, Literal, NamedTuple

from django.db import transaction
from django.utils import timezone

from records.clubs import hold, join
from records.errors import RecordsError
from records.models import Account, Club, Invitation, Membership, Player, Role
from records.players import require_guest, take_over

State = Literal["open", "used", "revoked", "expired"]
SECRET_BYTES: Final = 24
PREFIX: Final = "join_"
"""So that a secret that leaks into a file is recognised as one."""


class UnknownInvitation(RecordsError):
    """No invitation has this secret."""

    code = "unknown_invitation"

    def __init__(self) -> None:
        super().__init__("There is no such invitation: copy the whole link.")


class InvitationOver(RecordsError):
    """The invitation was used or revoked, or it has expired."""

    code = "invitation_over"

    def __init__(self, invitation: Invitation) -> None:
        state = state_of(invitation)
        message = {
            "used": "The invitation was used already: each makes one member.",
            "revoked": "The club has taken the invitation back.",
            "expired": f"The invitation was good until {invitation.expires_at:%Y-%m-%d %H:%M} UTC.",
        }[state]
        super().__init__(f"{message} Ask the club for a new one.", state=state)


class AlreadyAMember(RecordsError):
    """An invitation does not change a member's role."""

    code = "already_a_member"

    def __init__(self, member: Membership) -> None:
        super().__init__(
            f"You are a member of {member.club.name!r} already. An owner can change your role, "
            "and a guest's record that is yours can be claimed.",
            club=str(member.club_id),
            role=member.role,
        )


class Issued(NamedTuple):
    """A new invitation with its secret, which cannot be had again."""

    invitation: Invitation
    secret: str


def state_of(invitation: Invitation) -> State:
    """Whether it still makes a member, or why not."""
    if invitation.accepted_at is not None:
        return "used"
    if invitation.revoked_at is not None:
        return "revoked"
    return "expired" if invitation.expires_at <= timezone.now() else "open"


def invite(
    *, club: Club, role: Role, by: Account, days: int, player: Player | None = None
) -> Issued:
    """Make an invitation that is good for ``days``, perhaps for one guest. Raises NotAGuest."""
    if player is not None:
        require_guest(player)
    secret = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
    invitation = Invitation.objects.create(
        club=club,
        role=role,
        player=player,
        secret_hash=_hash(secret),
        created_by=by,
        expires_at=timezone.now() + timedelta(days=days),
    )
    return Issued(invitation, secret)


def find_invitation(secret: str) -> Invitation:
    """The invitation of this secret, with its club and guest, in whatever state.

    Raises UnknownInvitation.
    """
    found = Invitation.objects.filter(secret_hash=_hash(secret)).select_related("club", "player")
    invitation = found.first()
    if invitation is None:
        raise UnknownInvitation
    return invitation


def accept_invitation(*, secret: str, account: Account) -> Membership:
    """Make the account a member, and the guest's record theirs if it is meant for one.

    Raises UnknownInvitation, InvitationOver, AlreadyAMember, NotAGuest, AccountPlaysAlready.
    """
    with transaction.atomic():
        # Of two who follow the link at once the second waits here, then finds it used
        # (test_of_many_who_accept_an_invitation_at_once_one_becomes_a_member).
        club = hold(find_invitation(secret).club_id)
        invitation = find_invitation(secret)
        if state_of(invitation) != "open":
            raise InvitationOver(invitation)
        member = club.memberships.filter(account=account).select_related("club").first()
        if member is not None:
            raise AlreadyAMember(member)
        if invitation.player is not None:
            take_over(player=invitation.player, account=account)
        invitation.accepted_by, invitation.accepted_at = account, timezone.now()
        invitation.save(update_fields=["accepted_by", "accepted_at"])
        return join(club=club, account=account, role=Role(invitation.role))


def revoke_invitation(invitation: Invitation) -> Invitation:
    """Take an invitation back; again is no error. Raises InvitationOver for one that was used."""
    with transaction.atomic():
        hold(invitation.club_id)
        invitation.refresh_from_db()
        if invitation.accepted_at is not None:
            raise InvitationOver(invitation)
        if invitation.revoked_at is None:
            invitation.revoked_at = timezone.now()
            invitation.save(update_fields=["revoked_at"])
    return invitation


def revoke_all(*, club: Club, at: datetime) -> None:
    """Take back whatever a club that has no members any more has given out."""
    open_ones = club.invitations.filter(accepted_at=None, revoked_at=None)
    open_ones.update(revoked_at=at)


def _hash(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
