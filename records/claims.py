"""Claims: a member says that a guest's record is theirs, and the club decides."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from records.clubs import hold
from records.errors import RecordsError
from records.models import Account, Claim, Membership, Player, Role
from records.players import require_guest, require_no_player, take_over


class ClaimOpenAlready(RecordsError):
    """The member has claimed this record already."""

    code = "claim_open_already"

    def __init__(self, player: Player) -> None:
        super().__init__(
            f"You have claimed the record of {player.name!r} already; the club has not decided.",
            player=str(player.pk),
        )


class ClaimDecided(RecordsError):
    """The claim was decided before."""

    code = "claim_decided"

    def __init__(self, *, accepted: bool) -> None:
        word = "accepted" if accepted else "refused"
        super().__init__(f"The claim was {word} already.", accepted=accepted)


class OwnClaim(RecordsError):
    """Somebody else has to decide a member's own claim."""

    code = "own_claim"

    def __init__(self) -> None:
        super().__init__(
            "Your own claim is for somebody else to decide: an owner, a referee or a recorder."
        )


def claim_player(*, player: Player, account: Account) -> Claim:
    """Say that a guest's record is this member's.

    Raises NotAGuest, AccountPlaysAlready, ClaimOpenAlready.
    """
    require_guest(player)
    require_no_player(club_id=player.club_id, account=account)
    try:
        with transaction.atomic():
            return Claim.objects.create(player=player, account=account)
    except IntegrityError as error:
        raise ClaimOpenAlready(player) from error


def decide_claim(*, claim: Claim, by: Membership, accepted: bool) -> Claim:
    """Accept a claim, which refuses all others on the record, or refuse it.

    Raises ClaimDecided, OwnClaim, NotAGuest, AccountPlaysAlready.
    """
    if claim.account_id == by.account_id and by.role != Role.OWNER:
        raise OwnClaim
    with transaction.atomic():
        hold(by.club_id)
        claim.refresh_from_db()
        if claim.accepted is not None:
            raise ClaimDecided(accepted=claim.accepted)
        now = timezone.now()
        if accepted:
            take_over(player=claim.player, account=claim.account)
            others = claim.player.claims.filter(accepted=None).exclude(pk=claim.pk)
            others.update(accepted=False, decided_at=now, decided_by=by.account_id)
        claim.accepted, claim.decided_at, claim.decided_by = accepted, now, by.account
        claim.save(update_fields=["accepted", "decided_at", "decided_by"])
    return claim
