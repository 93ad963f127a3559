"""The effective facts of a game from its raw log: what of each hand stands, and who said so.

The log keeps all that was recorded and every ruling on it. ``history`` reads it once and gives,
hand by hand, what was recorded, each ruling that made something else of it and what is in force
now; and the entries beside the hands. The ledger says the same
(``test_the_ledger_agrees_with_the_history``).
"""

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from rules_engine.errors import Violation, illegal
from rules_engine.events import (
    Adjusted,
    Due,
    Entry,
    Event,
    HandCorrected,
    HandVoided,
    PenaltyCancelled,
    Ruling,
    stated,
)
from rules_engine.facts import HandFacts
from rules_engine.fold import apply, effective
from rules_engine.game import Game, HandRecord
from rules_engine.rewinds import Numbered
from rules_engine.rulings import next_deal
from rules_engine.table import Table


class Revision(msgspec.Struct, frozen=True):
    """What a hand came to by the event ``seq``: its end, or a ruling, which has a reason.

    ``facts`` is None for a hand that was abandoned or voided.
    """

    seq: int
    kind: Literal["recorded", "corrected", "voided"]
    facts: HandFacts | None
    reason: str = ""
    dispute: str | None = None


class Flag(msgspec.Struct, frozen=True):
    """What the rulings on the hands before would have changed for a hand, which stands as played.

    ``dealer`` and ``streak`` are what they would have been, a dealer drawn by lot being None.
    ``objection`` is what the hand's facts say of the hands before and is not so any more.
    """

    dealer: int | None
    streak: int
    objection: Violation | None = None


class HandHistory(msgspec.Struct, frozen=True):
    """One hand: ``record`` as it was played; the last of ``revisions`` is in force."""

    hand: int
    record: HandRecord
    revisions: tuple[Revision, ...]
    flag: Flag | None = None

    @property
    def facts(self) -> HandFacts | None:
        """The facts in force; None for a hand that pays nothing, abandoned or voided."""
        return self.revisions[-1].facts

    @property
    def voided(self) -> bool:
        """Whether a ruling says that it counts for nothing."""
        return self.revisions[-1].kind == "voided"

    @property
    def dealer(self) -> int:
        """The dealer as the facts in force have it."""
        return self.record.dealer if self.facts is None else self.facts.dealer

    @property
    def streak(self) -> int:
        """The dealer's streak as the facts in force have it."""
        return self.record.streak if self.facts is None else self.facts.streak


class EntryHistory(msgspec.Struct, frozen=True):
    """Payments beside the hands, made by the event ``seq``. ``hand`` 0: they concern the game.

    ``cancelled`` is the ruling that took them back, if one did.
    """

    seq: int
    kind: Literal["adjusted", "penalty"]
    hand: int
    transfers: tuple[Due, ...]
    reason: str
    dispute: str | None
    cancelled: Revision | None = None


class History(msgspec.Struct, frozen=True):
    """The hands that have ended, from 1, the entries in their order, and the game as it is now."""

    hands: tuple[HandHistory, ...]
    entries: tuple[EntryHistory, ...]
    game: Game


class _Played(msgspec.Struct):
    """A hand as it was played, with what its end found: the live table, if there was one."""

    record: HandRecord
    table: Table | None
    revisions: list[Revision]
    between: list[Event]
    """What happened to the next deal after it."""


def history(events: Iterable[Numbered]) -> History:
    """What a raw log comes to. Raises IllegalEvent at the first event that may not happen."""
    game: Game | None = None
    hands: list[_Played] = []
    entries: dict[int, EntryHistory] = {}
    for seq, event in effective(events):
        before = None if game is None else replace(game, seq=seq - 1)
        game = apply(before, event, seq)
        if isinstance(event, Ruling):
            _rule(event, seq, hands, entries)
        elif before is not None:
            _play(before, game, hands)
    if game is None:
        raise illegal("game_not_started", "A game without events is no game.")
    flags = _flags(game, hands)
    return History(
        tuple(
            HandHistory(each.record.hand, each.record, tuple(each.revisions), flag)
            for each, flag in zip(hands, flags, strict=True)
        ),
        tuple(entries.values()),
        game,
    )


def _play(before: Game, game: Game, hands: list[_Played]) -> None:
    """Note a hand that has just ended, and what has just happened to the next deal."""
    if game.hands_ended > len(hands):
        assert game.last is not None
        first = Revision(game.last.seq, "recorded", game.last.facts)
        hands.append(_Played(game.last, before.table, [first], []))
    elif len(game.between) > len(before.between) and hands:
        hands[-1].between.append(game.between[-1])


def _rule(event: Ruling, seq: int, hands: list[_Played], entries: dict[int, EntryHistory]) -> None:
    """Note a ruling under the hand or the entry it is about."""
    if isinstance(event, HandCorrected | HandVoided):
        corrected = isinstance(event, HandCorrected)
        facts = stated(event.facts, seq) if isinstance(event, HandCorrected) else None
        kind: Literal["corrected", "voided"] = "corrected" if corrected else "voided"
        revision = Revision(seq, kind, facts, event.reason, event.dispute)
        hands[event.hand - 1].revisions.append(revision)
    elif isinstance(event, PenaltyCancelled):
        cancelled = Revision(seq, "voided", None, event.reason, event.dispute)
        entries[event.penalty] = replace(entries[event.penalty], cancelled=cancelled)
    else:
        assert isinstance(event, Entry), "the other rulings pay beside the hands"
        kind_of_entry: Literal["adjusted", "penalty"] = (
            "adjusted" if isinstance(event, Adjusted) else "penalty"
        )
        entries[seq] = EntryHistory(
            seq, kind_of_entry, event.hand or 0, event.transfers, event.reason, event.dispute
        )


def _flags(game: Game, hands: list[_Played]) -> list[Flag | None]:
    """What each hand would have been dealt, had the facts now in force been known in time.

    The memory is taken along from hand to hand; dealer and streak are asked of each hand from the
    one before it as that stands, since it was dealt as it was.
    """
    if all(len(each.revisions) == 1 for each in hands):
        return [None] * len(hands)
    play = game.play
    due: tuple[int | None, int, Any] | None = None
    flags: list[Flag | None] = []
    for each in hands:
        facts = each.revisions[-1].facts
        record = each.record
        if due is not None:
            memory = due[2] if each.table is None else play.remember(due[2], each.table)
            flags.append(_flag(play.refuse_result(memory, facts) if facts else None, due, record))
            record = replace(record, memory=memory)
        else:
            flags.append(None)
        due = next_deal(play, record, facts)
        for event in each.between:
            due = play.next_deal(due[2], event, due[0], due[1])
    return flags


def _flag(
    objection: Violation | None, due: tuple[int | None, int, Any], record: HandRecord
) -> Flag | None:
    """The flag of a hand, None where it would have been dealt as it was."""
    dealer, streak, _ = due
    if objection is None and dealer in (None, record.dealer) and streak == record.streak:
        return None
    return Flag(dealer, streak, objection)
