"""Rulings: what a referee decides about hands that have ended, and beside the hands.

A ruling never touches the live hand. Of hands that came later nothing changes either, they stand as
played; only while no later hand has begun, the next dealer, streak and memory follow from the facts
as they are now. What a variant remembers from hand to hand is not held against corrected facts:
when it is the hand before that was recorded wrongly, it is the memory that is wrong.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from rules_engine.errors import IllegalEvent, Violation, illegal
from rules_engine.events import (
    CLUB,
    Adjusted,
    Entry,
    Event,
    HandCorrected,
    HandResult,
    HandVoided,
    Penalty,
    PenaltyCancelled,
    StatedFacts,
    stated,
)
from rules_engine.facts import HandFacts, names_events
from rules_engine.game import Game, HandRecord, KeptPenalty
from rules_engine.play import Play


def sealed_hand(game: Game, event: Event) -> int:
    """The hand that a sealing event is about, 0 for the game as a whole.

    ``game`` is the game right after the event.
    """
    if isinstance(event, PenaltyCancelled):
        return next(kept.hand for kept in game.penalties if kept.seq == event.penalty)
    if isinstance(event, Entry):
        return event.hand or 0
    return int(getattr(event, "hand", game.hand))


def scorable_facts(game: Game, told: HandResult | StatedFacts, seq: int) -> HandFacts:
    """What is told of a hand by the event ``seq``. Raises IllegalEvent if it cannot be scored."""
    if any(map(names_events, told.wins)) or any(map(names_events, told.table)):
        raise illegal("invalid_event", "In a recorded result no seq is given.")
    facts = stated(told, seq)
    scored = game.ruleset.score(facts, game.options)
    if isinstance(scored, Violation):
        raise IllegalEvent(scored)
    return facts


def next_deal(
    play: Play, record: HandRecord, facts: HandFacts | None
) -> tuple[int | None, int, Any]:
    """Dealer, streak and memory of the next hand, had this one had these facts (None: none)."""
    if facts is None:
        return play.rotate(record.memory, None, record.dealer, record.streak)
    return play.rotate(record.memory, facts, facts.dealer, facts.streak)


def expect_ended(game: Game, hand: int) -> None:
    """Refuse a ruling on a hand that has not ended."""
    ended = game.hands_ended
    if 1 <= hand <= ended:
        return
    live = game.table is not None and hand == game.hand
    raise illegal(
        "hand_not_ended",
        f"Hand {hand} is still being played: rewind it instead."
        if live
        else f"The game has no ended hand {hand}.",
        expected={"from": 1, "to": ended},
        actual=hand,
    )


def on_hand_corrected(game: Game, event: HandCorrected, seq: int) -> Game:
    """Other facts, which the ruleset must be able to score. A voided hand counts again."""
    expect_ended(game, event.hand)
    facts = scorable_facts(game, event.facts, seq)
    voided = tuple(hand for hand in game.voided if hand != event.hand)
    return settle_anew(replace(game, voided=voided, seq=seq), event.hand, facts)


def on_hand_voided(game: Game, event: HandVoided, seq: int) -> Game:
    """A hand counts for nothing, once."""
    expect_ended(game, event.hand)
    if event.hand in game.voided:
        raise illegal(
            "hand_voided_already", f"Hand {event.hand} is voided already.", actual=event.hand
        )
    voided = tuple(sorted((*game.voided, event.hand)))
    return settle_anew(replace(game, voided=voided, seq=seq), event.hand, None)


def settle_anew(game: Game, hand: int, facts: HandFacts | None) -> Game:
    """The game with the next deal as it follows from these facts, if the hand is the last begun."""
    record = game.last
    if record is None or record.hand != hand:
        return game
    dealer, streak, memory = next_deal(game.play, record, facts)
    for event in game.between:
        dealer, streak, memory = game.play.next_deal(memory, event, dealer, streak)
    return replace(
        game, last=replace(record, facts=facts), dealer=dealer, streak=streak, memory=memory
    )


def check_entry(game: Game, event: Entry) -> None:
    """Refuse payments between anybody but two people of the game, or one of them and the club."""
    if event.hand is not None:
        expect_ended(game, event.hand)
    for index, due in enumerate(event.transfers):
        for account in (due.payer, due.payee):
            if account != CLUB and account not in game.people:
                raise illegal(
                    "not_in_game",
                    f"{account!r} has no part in this game.",
                    expected=[*game.people, CLUB],
                    actual=account,
                    transfer=index,
                )
        if due.payer == due.payee:
            raise illegal(
                "pays_itself", "Nobody pays themselves.", actual=due.payer, transfer=index
            )


def on_adjusted(game: Game, event: Adjusted, seq: int) -> Game:
    """Payments beside the hands."""
    check_entry(game, event)
    return replace(game, seq=seq)


def on_penalty(game: Game, event: Penalty, seq: int) -> Game:
    """Payments beside the hands that can be cancelled."""
    check_entry(game, event)
    return replace(game, penalties=(*game.penalties, KeptPenalty(seq, event.hand or 0)), seq=seq)


def on_penalty_cancelled(game: Game, event: PenaltyCancelled, seq: int) -> Game:
    """A penalty is taken back, once."""
    open_penalties = [kept.seq for kept in game.penalties if not kept.cancelled]
    if event.penalty not in open_penalties:
        known = any(kept.seq == event.penalty for kept in game.penalties)
        raise illegal(
            "penalty_cancelled_already" if known else "no_penalty",
            f"The penalty at seq {event.penalty} is cancelled already."
            if known
            else f"The event at seq {event.penalty} is no penalty.",
            expected=open_penalties,
            actual=event.penalty,
        )
    penalties = tuple(
        replace(kept, cancelled=True) if kept.seq == event.penalty else kept
        for kept in game.penalties
    )
    return replace(game, penalties=penalties, seq=seq)


RULINGS: Mapping[type[Event], Callable[[Game, Any, int], Game]] = {
    HandCorrected: on_hand_corrected,
    HandVoided: on_hand_voided,
    Adjusted: on_adjusted,
    Penalty: on_penalty,
    PenaltyCancelled: on_penalty_cancelled,
}
"""The handlers of rulings, part of the fold's."""
