"""Games that come from outside: found again when they come a second time, and their people."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.db import connection, transaction

from records.append import Receipt, append_events, create_game
from records.drain import wait_for_lock
from records.models import Club, Player
from records.players import PlayerNameTaken, add_player
from rules_engine.events import GameStarted

_FIND = """
    SELECT r.game_id, r.last_seq FROM receipt r JOIN game g ON g.id = r.game_id
    WHERE g.club_id = %s AND r.command_id = %s
"""


def open_import(
    *,
    club_id: UUID,
    started: GameStarted,
    command_id: str,
    title: str,
    occurred_at_ms: int | None,
    actor: str | None = None,
) -> UUID:
    """The game that this command opened in the club before, or a new one with its first event.

    Two imports of one game at the same time wait for each other, so that they find one game.
    Raises IllegalEvent, and what ``append_events`` raises.
    """
    with transaction.atomic():
        wait_for_lock(f"import {club_id} {command_id}")
        with connection.cursor() as cursor:
            cursor.execute(_FIND, [club_id, command_id])
            row = cursor.fetchone()
        game_id = row[0] if row else create_game(club_id=club_id, title=title)
        assert isinstance(game_id, UUID)
        receipt: Receipt = append_events(
            game_id=game_id,
            expected_seq=0,
            events=[started],
            command_id=command_id,
            actor=actor,
            occurred_at_ms=None if occurred_at_ms is None else [occurred_at_ms],
        )
        assert receipt.first_seq == 1, receipt
    return game_id


def seat_people(*, club: Club, names: Mapping[str, str]) -> dict[str, str]:
    """For each person of an import (an id, and a name) the id of the club's player.

    A person with the id of one of the club's players is that player; else the player of that name,
    who is added where the club has none.
    """
    ids = [value for value in names if _is_id(value)]
    known = {str(value) for value in club.players.filter(id__in=ids).values_list("id", flat=True)}
    strangers = {person: name for person, name in names.items() if person not in known}
    wanted = club.players.filter(name__in=strangers.values())
    named = {name: str(value) for name, value in wanted.values_list("name", "id")}
    # In one order, or two imports that add the same people would each wait for the other.
    for name in sorted(set(strangers.values()) - named.keys()):
        named[name] = str(_new_player(club, name).id)
    return {person: person if person in known else named[names[person]] for person in names}


def _new_player(club: Club, name: str) -> Player:
    """A player of this name, whom the club has not had so far."""
    try:
        return add_player(club=club, name=name)
    except PlayerNameTaken:
        # Another import added it meanwhile, and has committed or we would still be waiting
        # (test_an_import_ends_with_its_last_game_whoever_records_it).
        return club.players.get(name=name)


def _is_id(text: str) -> bool:
    """Whether a text can be the id of a player at all."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
