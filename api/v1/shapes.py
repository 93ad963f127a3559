"""The JSON forms that more than one operation answers with, and how they are made."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec

from api.operation import Shown
from records.chain import StoredEvent, export
from records.games import GameRow
from records.heads import restore
from records.models import Account, Club, Membership, Player, Role
from replays.visibility import Viewer, open_items, show_event
from rules_engine.events import Catalogue

Name = Annotated[
    str, msgspec.Meta(min_length=1, max_length=60, pattern=r"^\S(.*\S)?$", description="A name.")
]
EventBody = Annotated[
    dict[str, Any],
    msgspec.Meta(
        extra_json_schema={"required": ["type"], "properties": {"type": {"type": "string"}}},
        description="The event as it was recorded; a hidden item is null in its place.",
    ),
]


class AccountShown(Shown, frozen=True):
    """An account."""

    id: UUID
    username: str


class ClubShown(Shown, frozen=True):
    """A club, and the role that you have in it.

    ``spectator_delay_s``: how many seconds late who neither records, rules nor plays sees a game.
    ``public_games``: whether everybody may look at the pages of its games.
    """

    id: UUID
    name: str
    slug: str
    time_zone: str
    rated: bool
    spectator_delay_s: int
    public_games: bool
    created_at: datetime
    role: Role


class MemberShown(Shown, frozen=True):
    """A member of a club."""

    account: AccountShown
    role: Role
    since: datetime


class PlayerShown(Shown, frozen=True):
    """A player. ``account`` is who signs in as this player; without one the player is a guest.

    ``left_at``: since when the player takes no seat in a new game.
    """

    id: UUID
    club: UUID
    name: str
    account: UUID | None
    created_at: datetime
    left_at: datetime | None


class SeatShown(Shown, frozen=True):
    """Who sits on a seat."""

    seat: int
    player: UUID
    name: str


class GameShown(Shown, frozen=True):
    """A game as lists show it. ``seats`` are those of its first hand."""

    id: UUID
    club: UUID
    title: str
    created_at: datetime
    ruleset: str
    ruleset_version: int
    seats: list[SeatShown]
    stake: int


class Opened(Shown, frozen=True):
    """What opens one commitment: SHA-256(salt || canonical value)."""

    salt: str
    value: Any


class Proof(Shown, frozen=True):
    """What the event's hash was made from, for who wants to verify the chain."""

    version: int
    occurred_at_ms: int
    public: dict[str, Any]
    commitments: dict[str, str]
    openings: dict[str, Opened]
    prev: str


class EventShown(Shown, frozen=True):
    """An event of the log. ``hidden`` names the secret items you may not see yet."""

    seq: int
    event: EventBody
    occurred_at: datetime
    recorded_at: datetime
    hash: str
    hidden: list[str]
    proof: Proof | None = None


def account_shown(account: Account) -> AccountShown:
    """An account."""
    return AccountShown(id=account.id, username=account.username)


def club_shown(club: Club, role: str) -> ClubShown:
    """A club as a member with this role sees it."""
    return ClubShown(
        id=club.id,
        name=club.name,
        slug=club.slug,
        time_zone=club.time_zone,
        rated=club.rated,
        spectator_delay_s=club.spectator_delay_s,
        public_games=club.public_games,
        created_at=club.created_at,
        role=Role(role),
    )


def member_shown(member: Membership) -> MemberShown:
    """A member, its account loaded."""
    return MemberShown(
        account=account_shown(member.account), role=Role(member.role), since=member.created_at
    )


def player_shown(player: Player) -> PlayerShown:
    """A player."""
    return PlayerShown(
        id=player.id,
        club=player.club_id,
        name=player.name,
        account=player.account_id,
        created_at=player.created_at,
        left_at=player.left_at,
    )


def names_of(players: set[UUID]) -> dict[UUID, str]:
    """Players' names by id, in one query."""
    return dict(Player.objects.filter(id__in=players).values_list("id", "name"))


def games_shown(rows: list[GameRow]) -> list[GameShown]:
    """Games with the names of who sits where."""
    names = names_of({UUID(player) for row in rows for player in row.players})
    return [
        GameShown(
            id=row.id,
            club=row.club,
            title=row.title,
            created_at=row.created_at,
            ruleset=row.ruleset,
            ruleset_version=row.ruleset_version,
            seats=[
                SeatShown(seat=seat, player=UUID(player), name=names.get(UUID(player), ""))
                for seat, player in enumerate(row.players)
            ],
            stake=row.stake,
        )
        for row in rows
    ]


def event_shown(
    stored: StoredEvent, types: Catalogue, viewer: Viewer, *, proof: bool = False
) -> EventShown:
    """A stored event as this viewer sees it."""
    event = restore(stored, types)
    body, hidden = show_event(event, viewer)
    return EventShown(
        seq=stored.seq,
        event=body,
        occurred_at=moment(stored.occurred_at_ms),
        recorded_at=moment(stored.recorded_at_ms),
        hash=stored.hash.hex(),
        hidden=hidden,
        proof=_proof(stored, open_items(event, viewer)) if proof else None,
    )


def _proof(stored: StoredEvent, visible: frozenset[str]) -> Proof:
    exported = export(stored, visible=visible)
    return Proof(
        version=exported.version,
        occurred_at_ms=exported.occurred_at_ms,
        public=exported.public,
        commitments=exported.commitments,
        openings={
            name: Opened(salt=opening.salt.hex(), value=opening.value)
            for name, opening in exported.openings.items()
        },
        prev=exported.prev.hex(),
    )


def moment(milliseconds: int) -> datetime:
    """Milliseconds since 1970 UTC as a time."""
    return datetime.fromtimestamp(milliseconds / 1000, tz=UTC)
