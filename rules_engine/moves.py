"""What may happen next: the legal actions of a moment, and what is due if nobody acts."""

from collections.abc import Collection

import msgspec

from rules_engine.errors import IllegalEvent
from rules_engine.events import Event
from rules_engine.fold import Game, makes_room


class Due(msgspec.Struct, frozen=True, omit_defaults=True):
    """What happens next unless a seat acts.

    A draw, the end of the hand, the next hand, or a change of players.
    """

    type: str
    seat: int | None = None
    source: str | None = None
    reason: str | None = None
    hand: int | None = None
    dealer: int | None = None
    streak: int | None = None


class Moves(msgspec.Struct, frozen=True):
    """What may happen next: ``due`` by itself, ``actions`` by choice of a seat."""

    due: Due | None
    actions: tuple[Event, ...]


def moves(game: Game) -> Moves:
    """The legal actions of this moment, each as the event that records it, and what is due."""
    table = game.table
    if game.ended:
        return Moves(None, ())
    if table is None:
        if None in game.players:
            return Moves(Due(type="player_seated", seat=game.players.index(None)), ())
        leaving = makes_room(game)
        if leaving is not None:
            return Moves(Due(type="player_left", seat=leaving), ())
        return Moves(
            Due(type="hand_started", hand=game.hand + 1, dealer=game.dealer, streak=game.streak), ()
        )
    play = game.play
    actions = tuple(play.actions(table))
    outcome = play.outcome(table)
    if outcome:
        return Moves(Due(type="hand_ended", reason=outcome), actions)
    try:
        play.insist_on_wins(table)
    except IllegalEvent:
        return Moves(None, actions)
    own = play.due_event(table)
    if own is not None:
        return Moves(Due(type=own[0], seat=own[1]), actions)
    draw = play.due_draw(table)
    if draw is not None:
        return Moves(Due(type="draw", seat=draw[0], source=draw[1]), actions)
    if table.wins or play.exhausted(table):
        reason = "hu" if table.wins else "huang_zhuang"
        return Moves(Due(type="hand_ended", reason=reason), actions)
    return Moves(None, actions)


def moves_of(game: Game, seats: Collection[int]) -> tuple[Event, ...]:
    """What these seats may do in a live hand, as far as each can know.

    What another holds may forbid it: a win that others have to take, a claim that comes before
    theirs. To leave such a choice away would tell what the other holds.
    """
    table = game.table
    if table is None:
        return ()
    return tuple(
        action
        for seat in sorted(seats)
        for action in game.play.actions(game.play.seen_from(table, seat))
        if getattr(action, "seat", None) == seat
    )
