"""Who may see what of a game: the one place that decides, for events, states, actions and streams.

While a hand is live, its secret items (dealt and drawn tiles, and whatever follows from them) are
shown to the game's recorder, to a seat its own, and to nobody else; when the hand has ended they
are shown to everybody who may see the game. What is not known to be open is hidden.

A club may keep spectators behind: who neither records, rules nor plays then knows a game as it was
some time ago, and nothing that was recorded since.

A hand has ended when its last event lies at or below the game's ``floor``, the seq of the last hand
that ended: behind it no rewind reaches, so what was shown never becomes secret again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from rules_engine.events import Event, split
from rules_engine.fold import Game
from rules_engine.moves import Due, moves, moves_of

OPEN_TABLE_FIELDS = frozenset(
    {
        "hand",
        "dealer",
        "streak",
        "phase",
        "turn",
        "source",
        "remaining",
        "wild",
        "indicator",
        "dice",
        "offer",
        "wins",
    }
)
"""What every viewer may see of a live hand. A field that is not named here is hidden."""
OPEN_SEAT_FIELDS = frozenset({"melds", "pond", "flowers", "ting", "open"})
"""What every viewer may see of a seat in a live hand; a covered meld without its tiles."""


class Viewer(msgspec.Struct, frozen=True):
    """Somebody who looks at one game: its recorder, who sees all, or the player of ``seats``.

    Without either it is the public.
    """

    recorder: bool = False
    seats: frozenset[int] = frozenset()


PUBLIC = Viewer()
EVERYTHING = Viewer(recorder=True)


def viewer_of(game: Game, *, recorder: bool, own_players: Collection[str]) -> Viewer:
    """The viewer who records this game or not, and whose player ids are ``own_players``."""
    seated = game.playing or game.players
    return Viewer(
        recorder=recorder,
        seats=frozenset(seat for seat, player in enumerate(seated) if player in own_players),
    )


def delay_s_of(viewer: Viewer, *, may_rule: bool, spectator_delay_s: int) -> int:
    """How many seconds late the viewer learns what happens, in a club with this delay."""
    return 0 if viewer.recorder or viewer.seats or may_rule else spectator_delay_s


def sight(viewer: Viewer, *, seq: int, floor: int) -> Viewer:
    """What the viewer sees of things at ``seq``: everything once that hand has ended."""
    return EVERYTHING if seq <= floor else viewer


def open_items(event: Event, viewer: Viewer) -> frozenset[str]:
    """The names of the secret items of an event that the viewer may see."""
    _, secrets = split(event)
    return frozenset(
        name for name, item in secrets.items() if viewer.recorder or item.seat in viewer.seats
    )


def show_event(event: Event, viewer: Viewer) -> tuple[dict[str, Any], list[str]]:
    """The event as the viewer sees it, and the names of the items that are hidden.

    A hidden item is None in its place, so that the event keeps its form.
    """
    if viewer.recorder:
        return msgspec.to_builtins(event), []
    body, secrets = split(event)
    shown = open_items(event, viewer)
    if secrets:
        values = {name: item.value if name in shown else None for name, item in secrets.items()}
        type(event).put_secrets(body, values)
    return {"type": event.type, **body}, sorted(secrets.keys() - shown)


def show_state(state: Mapping[str, Any], viewer: Viewer) -> dict[str, Any]:
    """``rules_engine.view.view`` as the viewer sees it; every seat gets its number of tiles."""
    table = state["table"]
    if table is None:
        return dict(state)
    seats = [
        _show_seat(seat, own=viewer.recorder or number in viewer.seats)
        for number, seat in enumerate(table["seats"])
    ]
    if viewer.recorder:
        return {**state, "table": {**table, "seats": seats}}
    hidden = dict.fromkeys(table.keys() - OPEN_TABLE_FIELDS)
    shown = {name: table[name] for name in OPEN_TABLE_FIELDS & table.keys()}
    if table["turn"] in viewer.seats and table["phase"] == "act":
        # Before its replacement tile has come the tile drawn last may be another seat's.
        shown["drawn"] = table["drawn"]
    return {**state, "table": {**hidden, **shown, "seats": seats}}


def _show_seat(seat: Mapping[str, Any], *, own: bool) -> dict[str, Any]:
    count = sum(letter.isdigit() for letter in seat["concealed"])
    if own or seat["open"]:
        return {**seat, "concealed_count": count}
    hidden = dict.fromkeys(seat.keys() - OPEN_SEAT_FIELDS)
    shown = {name: seat[name] for name in OPEN_SEAT_FIELDS & seat.keys()}
    shown["melds"] = [
        {**meld, "tiles": None} if meld.get("covered") else meld for meld in seat["melds"]
    ]
    return {**hidden, **shown, "concealed_count": count}


def show_moves(game: Game, viewer: Viewer) -> tuple[Due | None, tuple[Event, ...]]:
    """What is due and which actions may be taken, as the viewer sees it.

    What others could do tells what they hold, and so does whether the game waits for them.
    """
    if viewer.recorder or game.table is None:
        possible = moves(game)
        return possible.due, possible.actions
    return None, moves_of(game, viewer.seats)
