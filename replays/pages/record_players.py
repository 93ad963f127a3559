"""Who plays in a club, those first who sat at a table last."""

from collections.abc import Iterable, Sequence
from typing import Final

from records import reader
from records.models import Club

GAMES_LOOKED_AT: Final = 30
"""So many of the newest games say who plays often and which of them can be gone on with."""


def newest_games(clubs: Iterable[Club]) -> list[reader.Listed]:
    """The newest games of the clubs."""
    return reader.games_in([club.pk for club in clubs], limit=GAMES_LOOKED_AT)


def players_of(club: Club, listed: Sequence[reader.Listed] | None = None) -> list[dict[str, str]]:
    """The players of the club by id and name; ``listed``: its newest games, read if not given."""
    games = newest_games([club]) if listed is None else listed
    latest: dict[str, int] = {}
    for place, game in enumerate(games):
        for player in game.players:
            latest.setdefault(str(player), place)
    players = club.players.filter(left_at=None).order_by("name")
    ordered = sorted(players, key=lambda player: latest.get(str(player.pk), len(games)))
    return [{"id": str(each.pk), "name": each.name} for each in ordered]
