"""The players of a club: who sits at its tables, with an account or as a guest without one."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from records.clubs import NotAMember, hold
from records.errors import RecordsError
from records.merges import person_of
from records.models import Account, Club, Player


class PlayerNameTaken(RecordsError):
    """The club has a player of this name already."""

    code = "player_name_taken"

    def __init__(self, name: str) -> None:
        super().__init__(f"The club has a player {name!r} already.", name=name)


class AccountPlaysAlready(RecordsError):
    """The account is another player of this club."""

    code = "account_plays_already"

    def __init__(self, *, username: str, player: Player) -> None:
        super().__init__(
            f"{username!r} is another player of this club already: {player.name!r}. If both records"
            " are of one person, ask the club to merge them.",
            username=username,
            player=str(player.pk),
        )


class NotAGuest(RecordsError):
    """A record that nobody can take over: it is an account's, or it counts for another player."""

    code = "not_a_guest"

    def __init__(self, player: Player, reason: str) -> None:
        super().__init__(f"{player.name!r} is no guest: {reason}.", player=str(player.pk))


class PlayerLeft(RecordsError):
    """A player who has left the club takes no seat in a new game."""

    code = "player_left"

    def __init__(self, players: Iterable[Player]) -> None:
        gone = sorted(players, key=lambda player: player.name)
        super().__init__(
            f"No longer in the club: {', '.join(player.name for player in gone)}. Whoever plays "
            "again joins again, or is marked as not left.",
            players=[str(player.pk) for player in gone],
        )


class UnknownPlayer(RecordsError):
    """An id that is no player of the club."""

    code = "unknown_player"

    def __init__(self, unknown: Iterable[UUID]) -> None:
        ids = sorted(str(player) for player in unknown)
        super().__init__(f"The club has no such player: {', '.join(ids)}.", players=ids)


class OnePersonTwice(RecordsError):
    """Two records that count as one person cannot sit at one table."""

    code = "one_person_twice"

    def __init__(self, *, player: UUID, other: UUID) -> None:
        super().__init__(
            "Two of these players are one person, since their records were merged.",
            players=[str(player), str(other)],
        )


def add_player(*, club: Club, name: str, username: str | None = None) -> Player:
    """Add somebody who sits at the club's tables, with the account that is theirs if they have one.

    The account has to be a member's, who else could not read the games. Raises NotAMember,
    PlayerNameTaken, AccountPlaysAlready.
    """
    account = None
    if username is not None:
        members = Account.objects.filter(memberships__club=club, machine_of=None)
        account = members.filter(username=username).first()
        if account is None:
            raise NotAMember(username)
        require_no_player(club_id=club.pk, account=account)
    player = Player(club=club, name=name, account=account)
    _save(player)
    return player


def change_player(*, player: Player, name: str | None = None, left: bool | None = None) -> Player:
    """Give a player another name, or say that they have left or play again.

    The log, which never had the name, stays. Raises PlayerNameTaken.
    """
    with transaction.atomic():
        # What else changes a player holds the club too, so that neither writes back what the other
        # has changed (test_a_guest_who_is_renamed_while_a_claim_is_accepted_has_both).
        hold(player.club_id)
        player.refresh_from_db()
        if name is not None:
            player.name = name
        if left is not None and left != (player.left_at is not None):
            player.left_at = timezone.now() if left else None
        _save(player)
    return player


def take_over(*, player: Player, account: Account) -> Player:
    """Give a guest's record to the account of the person who made it.

    The caller holds the club. Raises NotAGuest, AccountPlaysAlready.
    """
    player.refresh_from_db()
    require_guest(player)
    require_no_player(club_id=player.club_id, account=account)
    player.account = account
    _save(player)
    return player


def require_guest(player: Player) -> None:
    """Raise NotAGuest unless the record may be taken over."""
    if player.account_id is not None:
        raise NotAGuest(player, "the record is an account's already")
    into = player.merges.filter(undone_at=None).select_related("into").first()
    if into is not None:
        raise NotAGuest(player, f"what they played counts for {into.into.name!r}")


def require_no_player(*, club_id: UUID, account: Account) -> None:
    """Raise AccountPlaysAlready if the account is a player of the club."""
    other = Player.objects.filter(club_id=club_id, account=account).first()
    if other is not None:
        raise AccountPlaysAlready(username=account.username, player=other)


def require_seatable(*, club_id: UUID, players: Iterable[UUID]) -> None:
    """Refuse a roster that cannot begin a game.

    Raises UnknownPlayer, PlayerLeft, OnePersonTwice. A player who is named twice is the rules' to
    refuse.
    """
    ids = set(players)
    found = list(Player.objects.filter(club_id=club_id, id__in=ids))
    if unknown := ids - {player.pk for player in found}:
        raise UnknownPlayer(unknown)
    if gone := [player for player in found if player.left_at is not None]:
        raise PlayerLeft(gone)
    persons = person_of(club_id)
    seated: dict[UUID, UUID] = {}
    for player in sorted(ids):
        person = persons.get(player, player)
        if person in seated:
            raise OnePersonTwice(player=seated[person], other=player)
        seated[person] = player


def _save(player: Player) -> None:
    """Write the row; say which of the two unique constraints it breaks, if it breaks one."""
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError as error:
        if "player_account_once_per_club" in str(error) and player.account is not None:
            # The check before was made while another request gave the account its player.
            require_no_player(club_id=player.club_id, account=player.account)
        raise PlayerNameTaken(player.name) from error
