"""Starting games and finding them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection, transaction

from records.append import WRITER, Receipt, append_events, create_game
from records.models import Role
from records.players import require_seatable
from records.prepared import Statement, fetch_rows
from records.presets import options_under
from rules_engine import registry
from rules_engine.events import GameStarted
from rules_engine.ruleset import Ruleset, dump_options


class GameRow(msgspec.Struct, frozen=True):
    """A game as lists show it: its row, and what its first event says."""

    id: UUID
    club: UUID
    title: str
    created_by: UUID | None
    created_at: datetime
    ruleset: str
    ruleset_version: int
    players: tuple[str, ...]
    stake: int


class GameAccess(msgspec.Struct, frozen=True):
    """A game's club and ruleset, and the role one account has there (None: it is no member)."""

    id: UUID
    club: UUID
    ruleset: Ruleset
    role: Role | None


def start_game(
    *,
    club_id: UUID,
    created_by: UUID,
    ruleset: Ruleset,
    options: Mapping[str, Any],
    preset: str | None,
    players: Sequence[UUID],
    substitutes: Sequence[UUID],
    stake: int,
    title: str,
    command_id: str,
) -> tuple[UUID, Receipt]:
    """Create a game and append its first event, with every option written out.

    ``options`` override those of ``preset``, the ruleset's or the club's, which override the
    ruleset's defaults. Raises UnknownPlayer, PlayerLeft, OnePersonTwice, PresetOfAnotherVersion,
    and IllegalEvent for an option or a preset that does not exist.
    """
    require_seatable(club_id=club_id, players=(*players, *substitutes))
    people = [str(player) for player in (*players, *substitutes)]
    chosen = options_under(club_id=club_id, ruleset=ruleset, preset=preset, changes=options)
    event = GameStarted(
        ruleset=ruleset.slug,
        ruleset_version=ruleset.version,
        options=dump_options(chosen),
        players=tuple(people[:4]),
        substitutes=tuple(people[4:]),
        stake=stake,
    )
    with transaction.atomic():
        game_id = create_game(club_id=club_id, created_by=created_by, title=title)
        receipt = append_events(
            game_id=game_id,
            expected_seq=0,
            events=[event],
            command_id=command_id,
            actor=str(created_by),
        )
    return game_id, receipt


def find_game(*, game_id: UUID, account_id: UUID) -> GameAccess | None:
    """The game and this account's role in its club, or None where there is no such game."""
    try:
        club_id, slug, version = _fixed_facts(game_id)
    except _NoSuchGame:
        return None
    roles = fetch_rows(_ROLE, [club_id.bytes, account_id.bytes], using=WRITER)
    return GameAccess(
        id=game_id,
        club=club_id,
        ruleset=registry.get(slug, version),
        role=next((Role(role) for (role,) in roles if role is not None), None),
    )


class _NoSuchGame(Exception):
    """There is no game of this id, or it has no events yet."""


@lru_cache(maxsize=4096)
def _fixed_facts(game_id: UUID) -> tuple[UUID, str, int]:
    """A game's club, ruleset and version. Kept, because nothing can change them.

    Raises _NoSuchGame for a game that does not exist, which is not kept.
    """
    with connection.cursor() as cursor:
        cursor.execute(_FIXED, [game_id])
        row = cursor.fetchone()
    if row is None:
        raise _NoSuchGame
    club_id, slug, version = row
    return club_id, slug, version


_FIXED = """
    SELECT g.club_id, e.public ->> 'ruleset', (e.public -> 'ruleset_version')::int
    FROM game g JOIN event e ON e.game_id = g.id AND e.seq = 1 WHERE g.id = %s
"""
_ROLE = Statement(
    name=b"find_role",
    text=b"SELECT role FROM records_membership WHERE club_id = $1::uuid AND account_id = $2::uuid",
)


def list_games(
    *,
    account_id: UUID,
    limit: int,
    before: UUID | None = None,
    club_id: UUID | None = None,
    ruleset: str | None = None,
    player_id: UUID | None = None,
    clubs: Collection[UUID] | None = None,
) -> list[GameRow]:
    """The games of the account's clubs, the newest first, older than ``before`` if it is given.

    ``clubs`` leaves out those of others, ``club_id`` those of all but one.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            _LIST,
            {
                "account": account_id,
                "before": before,
                "club": club_id,
                "ruleset": ruleset,
                "player": None if player_id is None else str(player_id),
                "clubs": None if clubs is None else list(clubs),
                "limit": limit,
            },
        )
        return [_row(values) for values in cursor.fetchall()]


def read_game(game_id: UUID) -> GameRow:
    """One game that exists, as lists show it."""
    with connection.cursor() as cursor:
        cursor.execute(_ONE, {"game": game_id})
        return _row(cursor.fetchone())


def _row(values: Sequence[Any]) -> GameRow:
    # Django hands jsonb over as text.
    started: dict[str, Any] = msgspec.json.decode(values[5])
    return GameRow(
        id=values[0],
        club=values[1],
        title=values[2],
        created_by=values[3],
        created_at=values[4],
        ruleset=started["ruleset"],
        ruleset_version=started["ruleset_version"],
        players=tuple(started["players"]),
        stake=started.get("stake", 1),
    )


_ONE = """
    SELECT g.id, g.club_id, g.title, g.created_by, g.created_at, e.public FROM game g
    JOIN event e ON e.game_id = g.id AND e.seq = 1
    WHERE g.id = %(game)s
"""
_LIST = """
    SELECT g.id, g.club_id, g.title, g.created_by, g.created_at, e.public FROM game g
    JOIN event e ON e.game_id = g.id AND e.seq = 1
    WHERE g.club_id IN (SELECT club_id FROM records_membership WHERE account_id = %(account)s)
      AND (%(club)s::uuid IS NULL OR g.club_id = %(club)s)
      AND (%(clubs)s::uuid[] IS NULL OR g.club_id = ANY(%(clubs)s))
      AND (%(before)s::uuid IS NULL OR g.id < %(before)s)
      AND (%(ruleset)s::text IS NULL OR e.public ->> 'ruleset' = %(ruleset)s)
      AND (%(player)s::text IS NULL OR e.public -> 'players' ? %(player)s)
    ORDER BY g.id DESC LIMIT %(limit)s
"""
