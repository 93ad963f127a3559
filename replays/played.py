"""What a list of games shows of each, to whoever may look at it and no earlier than they may."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal
from uuid import UUID

import msgspec

from records import reader
from records.clubs import Right, rights_of
from records.models import Account, Club, Membership, Player
from records.played import Begun, Standing, games_begun, standings_of
from replays.visibility import Viewer, delay_s_of

State = Literal["live", "unfinished", "over"]
STILL_LIVE: Final = timedelta(hours=6)
"""A game that has not ended is live for so long after its last event; then it was left."""


class Seated(msgspec.Struct, frozen=True):
    """Who plays in a game, and the points they have in it so far."""

    player: UUID
    name: str
    points: int


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """A game in a list. ``began_at`` is when it was played, ``hands`` those settled so far.

    ``seats`` are the players of the first hand by seat, then who took a seat later.
    """

    id: UUID
    club: Club
    title: str
    ruleset: str
    ruleset_version: int
    began_at: datetime
    state: State
    hands: int
    seats: tuple[Seated, ...]


def games_played(
    account: Any,
    clubs: Sequence[Club],
    *,
    limit: int,
    ruleset: str | None = None,
    before: UUID | None = None,
    after: UUID | None = None,
) -> list[Played]:
    """The games of these clubs that were played last, as the account knows them.

    The clubs are ones whose games the account may look at. The newest come first, ``before`` a
    game: those played earlier, ``after`` it: the next ones played later.
    """
    begun = games_begun(
        [club.pk for club in clubs], limit=limit, ruleset=ruleset, before=before, after=after
    )
    by_id = {club.pk: club for club in clubs}
    delays_s = _delays_s(account, begun, by_id)
    asked = [(game.id, 0, delay_s) for game, delay_s in zip(begun, delays_s, strict=True)]
    known = dict(zip((game.id for game in begun), reader.last_seqs(asked), strict=True))
    standings = standings_of(known)
    people = {UUID(player) for game in begun for player in game.players}
    people |= {player for each in standings.values() for player in each.points}
    names = dict(Player.objects.filter(id__in=people).values_list("id", "name"))
    now = datetime.now(UTC)
    return [_played(game, by_id[game.club], standings[game.id], names, now) for game in begun]


def live_first(games: Sequence[Played]) -> list[Played]:
    """The same games, those that are being played before the others."""
    return sorted(games, key=lambda game: game.state != "live")


def _delays_s(account: Any, games: Sequence[Begun], clubs: dict[UUID, Club]) -> list[int]:
    """How late the account learns what happens in each game."""
    roles: dict[UUID, str] = {}
    own: set[str] = set()
    if isinstance(account, Account):
        mine = Membership.objects.filter(account=account, club__in=clubs)
        roles = dict(mine.values_list("club_id", "role"))
        records = Player.objects.filter(account=account, club__in=clubs)
        own = set(map(str, records.values_list("id", flat=True)))
    delays_s = []
    for game in games:
        rights = rights_of(roles.get(game.club))
        seats = frozenset(seat for seat, player in enumerate(game.players) if player in own)
        delays_s.append(
            delay_s_of(
                Viewer(recorder=Right.RECORD in rights, seats=seats),
                may_rule=Right.RULE in rights,
                spectator_delay_s=clubs[game.club].spectator_delay_s,
            )
        )
    return delays_s


def _played(
    game: Begun, club: Club, standing: Standing, names: dict[UUID, str], now: datetime
) -> Played:
    people = list(dict.fromkeys([*map(UUID, game.players), *standing.points]))
    state: State = "over"
    if not standing.ended:
        state = "live" if now - standing.recorded_at < STILL_LIVE else "unfinished"
    return Played(
        id=game.id,
        club=club,
        title=game.title,
        ruleset=game.ruleset,
        ruleset_version=game.ruleset_version,
        began_at=datetime.fromtimestamp(game.began_at_ms / 1000, UTC),
        state=state,
        hands=standing.hands,
        # The club's pot has points too, and is no player.
        seats=tuple(
            Seated(player, names[player], standing.points.get(player, 0))
            for player in people
            if player in names
        ),
    )
