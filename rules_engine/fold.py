"""The fold: a game is its events, applied one after the other.

``apply`` is the whole engine seen from outside. It takes a game and an event, checks that the event
may happen now, and gives the next game, or raises ``IllegalEvent``. It is pure: the same events
give the same game on every machine and in every year, under the ruleset version the first event
names.

Reading order: ``events`` (what can happen), ``table`` (what a live hand looks like), ``game`` and
this file (what happens around the hands), ``play`` and ``claims`` (a hand), then a variant's
folder.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from rules_engine import registry
from rules_engine.errors import IllegalEvent, Violation, illegal
from rules_engine.events import (
    Event,
    GameEnded,
    GameStarted,
    HandEnded,
    HandResult,
    HandStarted,
    PlayerLeft,
    PlayerSeated,
    Rewind,
    WallRevealed,
)
from rules_engine.game import Game, HandRecord
from rules_engine.rewinds import Numbered, check_rewind, effective
from rules_engine.ruleset import bind_play, dump_options, make_options
from rules_engine.rulings import RULINGS, scorable_facts
from rules_engine.table import SEATS
from rules_engine.tiles import write
from rules_engine.walls import Committed

__all__ = [
    "Game",
    "HandRecord",
    "Numbered",
    "apply",
    "check_rewind",
    "closing",
    "effective",
    "makes_room",
    "replay",
    "rewound",
]


def apply(game: Game | None, event: Event, seq: int) -> Game:
    """The game after the event. Raises IllegalEvent, whose violation carries the seq."""
    try:
        if game is None:
            return start(event, seq)
        if seq != game.seq + 1:
            raise illegal(
                "wrong_seq", "Events are numbered without gaps.", expected=game.seq + 1, actual=seq
            )
        handler = handler_of(type(event))
        if handler is not None:
            return handler(game, event, seq)
        if game.table is not None:
            return replace(game, table=game.play.step(game.table, event, seq), seq=seq)
        if game.ended:
            raise illegal("game_ended", "The game has ended.", actual=event.type)
        return between_hands(game, event, seq)
    except IllegalEvent as error:
        raise IllegalEvent(replace(error.violation, seq=seq)) from error.__cause__


def start(event: Event, seq: int) -> Game:
    """A game from its first event."""
    if not isinstance(event, GameStarted) or seq != 1:
        raise illegal(
            "game_not_started", "The first event of a game is game_started.", actual=event.type
        )
    try:
        ruleset = registry.get(event.ruleset, event.ruleset_version)
    except registry.UnknownRuleset as error:
        raise illegal("unknown_ruleset", str(error), actual=event.ruleset) from error
    options = make_options(ruleset.options, event.options)
    if isinstance(options, Violation):
        raise IllegalEvent(options)
    whole = dump_options(options)
    if event.options != whole:
        raise illegal(
            "options_not_whole",
            "The first event writes out every option.",
            expected=sorted(whole),
            actual=sorted(event.options),
        )
    play = bind_play(ruleset, options)
    violation = play.refuse_roster(event)
    if violation is not None:
        raise IllegalEvent(violation)
    return Game(
        ruleset=ruleset,
        options=options,
        play=play,
        players=event.players,
        substitutes=event.substitutes,
        stake=event.stake,
        seq=1,
        floor=1,
        hand=0,
        dealer=play.first_dealer(),
        streak=play.first_streak(),
        memory=play.memory(),
        people=(*event.players, *event.substitutes),
    )


def expect_between_hands(game: Game, event: Event) -> None:
    """Refuse what belongs between hands while one is live or after the game."""
    if game.table is not None:
        raise illegal(
            "hand_not_over",
            f"Hand {game.hand} is still being played.",
            expected="hand_ended",
            actual=event.type,
        )
    if game.ended:
        raise illegal("game_ended", "The game has ended.", actual=event.type)


def makes_room(game: Game) -> int | None:
    """The seat whose player has to make room for one who waits before the next hand."""
    seat = game.play.leaving(game.memory)
    if seat is None or game.last is None or game.players[seat] != game.last.players[seat]:
        return None
    return seat


def expect_hand(game: Game, event: HandStarted | HandResult) -> None:
    """Refuse a hand out of sequence, with a wrong dealer or streak, or with an empty seat."""
    expect_between_hands(game, event)
    if None in game.players:
        raise illegal(
            "seat_empty", "A seat is empty.", expected="player_seated", actual=list(game.players)
        )
    leaving = makes_room(game)
    if leaving is not None:
        raise game.play.stop(
            "substitute_due",
            f"The player of seat {leaving} first makes room for one who waits.",
            expected={"type": "player_left", "seat": leaving, "player": game.players[leaving]},
            actual=event.type,
        )
    if event.hand != game.hand + 1:
        raise game.play.stop(
            "wrong_hand",
            f"The next hand is number {game.hand + 1}.",
            expected=game.hand + 1,
            actual=event.hand,
        )
    if game.dealer is not None and event.dealer != game.dealer:
        raise game.play.stop(
            "wrong_dealer",
            f"Seat {game.dealer} deals this hand.",
            expected=game.dealer,
            actual=event.dealer,
        )
    if event.streak != game.streak:
        raise game.play.stop(
            "wrong_streak",
            f"The dealer's streak is {game.streak}.",
            expected=game.streak,
            actual=event.streak,
        )


def on_game_started(game: Game, event: GameStarted, seq: int) -> Game:
    """A game starts once."""
    raise illegal("game_already_started", "The game has already started.", actual=event.type)


def on_hand_started(game: Game, event: HandStarted, seq: int) -> Game:
    """A hand is dealt."""
    expect_hand(game, event)
    table = replace(game.play.deal(event, game.memory), seq=seq)
    game = replace(game, last=None, between=())
    return replace(game, table=table, hand=event.hand, seq=seq, playing=game.players)


def on_hand_ended(game: Game, event: HandEnded, seq: int) -> Game:
    """The live hand is over."""
    table = game.table
    if table is None:
        raise illegal("no_hand", "No hand is being played.", actual=event.type)
    game.play.end(table, event.reason)
    violation = game.play.refuse_end(table, event)
    if violation is not None:
        raise IllegalEvent(violation)
    settled = game.play.abandoned if event.reason == "abandoned" else game.play.facts
    facts = settled(table, seq)
    game = replace(game, memory=game.play.remember(game.memory, table))
    committed = None
    if table.commitment is not None:
        dealt = tuple(write(tiles) for tiles in table.dealt)
        turned = (table.indicator_place, table.indicator)
        committed = Committed(
            table.commitment, table.dealer, dealt, table.draws, turned, table.dice
        )
    return close_hand(
        game,
        HandRecord(game.hand, game.playing, facts, seq, table.dealer, table.streak, committed),
    )


def on_hand_result(game: Game, event: HandResult, seq: int) -> Game:
    """A whole hand recorded as its result."""
    expect_hand(game, event)
    facts = scorable_facts(game, event, seq)
    violation = game.play.refuse_result(game.memory, facts)
    if violation is not None:
        raise IllegalEvent(violation)
    game = replace(game, hand=event.hand)
    return close_hand(
        game, HandRecord(event.hand, game.players, facts, seq, event.dealer, event.streak)
    )


def close_hand(game: Game, record: HandRecord) -> Game:
    """The game after a hand: its record, and the next dealer, streak and memory."""
    dealer, streak, memory = game.play.rotate(
        game.memory, record.facts, record.dealer, record.streak
    )
    return replace(
        game,
        table=None,
        last=replace(record, memory=game.memory),
        dealer=dealer,
        streak=streak,
        memory=memory,
        seq=record.seq,
        floor=record.seq,
        playing=(),
        between=(),
    )


def on_player_left(game: Game, event: PlayerLeft, seq: int) -> Game:
    """A player leaves, between hands or during one."""
    if game.ended:
        raise illegal("game_ended", "The game has ended.", actual=event.type)
    if game.players[event.seat] != event.player:
        raise illegal(
            "wrong_player",
            f"Seat {event.seat} is not taken by this player.",
            expected=game.players[event.seat],
            actual=event.player,
        )
    players = tuple(
        None if seat == event.seat else player for seat, player in enumerate(game.players)
    )
    if game.substitutes:
        game = replace(game, substitutes=(*game.substitutes, event.player))
    if game.table is None:
        return replace(between_hands(game, event, seq), players=players)
    table = game.play.player_left(game.table, event.seat)
    return replace(game, players=players, table=table, seq=seq)


def between_hands(game: Game, event: Event, seq: int) -> Game:
    """What an event between hands does to the deal of the next one."""
    dealer, streak, memory = game.play.next_deal(game.memory, event, game.dealer, game.streak)
    game = replace(game, between=(*game.between, event))
    return replace(game, dealer=dealer, streak=streak, memory=memory, seq=seq)


def on_player_seated(game: Game, event: PlayerSeated, seq: int) -> Game:
    """A player takes an empty seat."""
    expect_between_hands(game, event)
    if game.players[event.seat] is not None:
        raise illegal(
            "seat_taken",
            f"Seat {event.seat} is taken.",
            expected=[seat for seat in SEATS if game.players[seat] is None],
            actual=event.seat,
        )
    if event.player in game.players:
        raise game.play.stop("player_twice", "Nobody can sit twice.", actual=event.player)
    violation = game.play.refuse_seated(game.substitutes, event.player)
    if violation is not None:
        raise IllegalEvent(violation)
    players = tuple(
        event.player if seat == event.seat else player for seat, player in enumerate(game.players)
    )
    waiting = tuple(player for player in game.substitutes if player != event.player)
    people = game.people if event.player in game.people else (*game.people, event.player)
    return replace(game, players=players, substitutes=waiting, people=people, seq=seq)


def on_game_ended(game: Game, event: GameEnded, seq: int) -> Game:
    """No more hands."""
    expect_between_hands(game, event)
    return replace(game, ended=True, seq=seq)


def on_wall_revealed(game: Game, event: WallRevealed, seq: int) -> Game:
    """The wall of the hand just ended, checked against its commitment, the deal and every draw."""
    expect_between_hands(game, event)
    record = game.last
    if record is None or record.committed is None or record.hand != event.hand:
        raise illegal(
            "no_commitment",
            f"Hand {event.hand} is not the hand just ended with a committed wall.",
            actual=event.hand,
        )
    violation = game.play.refuse_wall(record.committed, event)
    if violation is not None:
        raise IllegalEvent(violation)
    return replace(game, last=replace(record, committed=None), seq=seq)


def on_rewind(game: Game, event: Rewind, seq: int) -> Game:
    """A rewind cannot be applied to a game alone, since the game to return to lies in the log."""
    raise illegal("rewind_needs_log", "A rewind is applied by replaying the log.", actual=event.to)


HANDLERS: Mapping[type[Event], Callable[[Game, Any, int], Game]] = {
    GameStarted: on_game_started,
    HandStarted: on_hand_started,
    HandEnded: on_hand_ended,
    HandResult: on_hand_result,
    PlayerLeft: on_player_left,
    PlayerSeated: on_player_seated,
    GameEnded: on_game_ended,
    WallRevealed: on_wall_revealed,
    Rewind: on_rewind,
    **RULINGS,
}
"""What happens to the game rather than to the hand; everything else is the hand's."""


@lru_cache(maxsize=1024)
def handler_of(cls: type[Event]) -> Callable[[Game, Any, int], Game] | None:
    """The handler of an event type, or of the common type a variant has given more fields."""
    return next((HANDLERS[base] for base in cls.__mro__ if base in HANDLERS), None)


def replay(events: Iterable[Numbered], game: Game | None = None) -> Game:
    """The game after a raw log, from the beginning or from ``game``.

    The game's seq is that of the last raw event, a rewind included. Raises IllegalEvent at the
    first event that may not happen.
    """
    raw = list(events)
    for seq, event in effective(raw):
        if game is not None:
            game = replace(game, seq=seq - 1)
        game = apply(game, event, seq)
    if game is None:
        raise illegal("game_not_started", "A game without events is no game.")
    return replace(game, seq=raw[-1][0]) if raw else game


def rewound(raw: Iterable[Numbered], base: Game | None) -> Game:
    """The game after a raw log that ends with a rewind, from ``base``.

    Raises IllegalEvent where a ruling that stays rests on what the rewind would take back.
    """
    events = list(raw)
    try:
        return replay(events, base)
    except IllegalEvent as error:
        seq, why = error.violation.seq, error.violation.message
        raise IllegalEvent(
            Violation(
                code="rewind_undoes_ruling",
                message=f"The ruling at seq {seq} stays, and would not be possible: {why}",
                seq=events[-1][0],
                actual=seq,
            )
        ) from error


def closing(game: Game) -> HandEnded | None:
    """The end of the hand, when nobody has anything left to decide; the service writes it."""
    if game.table is None:
        return None
    outcome = game.play.outcome(game.table)
    return HandEnded(reason=outcome) if outcome else None
