"""Games recorded through the append, hand results one after the other."""

from __future__ import annotations

from itertools import count
from uuid import UUID, uuid4

from records import reader
from records.append import append_events, create_game
from rules_engine import registry
from rules_engine.events import (
    Adjusted,
    Due,
    Event,
    GameStarted,
    HandCorrected,
    HandResult,
    HandVoided,
    Penalty,
    PenaltyCancelled,
    Rewind,
    StatedFacts,
)
from rules_engine.facts import Meld, Result, WinFacts
from rules_engine.fold import Game, apply
from rules_engine.ruleset import dump_options

PLAIN_HAND = "23456788m34p678s"
"""Waits for 5p and is worth the least a win can be, 10."""


class RecordedGame:
    """A game whose hands a test records; it knows the dealer and the streak that are due."""

    def __init__(
        self, *, club_id: UUID | None = None, players: tuple[UUID, ...] | None = None
    ) -> None:
        ruleset = registry.get("hefei")
        self.club_id = club_id or uuid4()
        self.players = players or tuple(uuid4() for _ in range(4))
        self.id = create_game(club_id=self.club_id)
        self.game: Game | None = None
        self._commands = count(1)
        self.append(
            GameStarted(
                ruleset=ruleset.slug,
                ruleset_version=ruleset.version,
                options=dump_options(ruleset.options()),
                players=tuple(str(player) for player in self.players),
            )
        )

    @property
    def seq(self) -> int:
        return self.game.seq if self.game else 0

    def append(self, *events: Event) -> None:
        receipt = append_events(
            game_id=self.id,
            expected_seq=self.seq,
            events=events,
            command_id=str(next(self._commands)),
        )
        for event in events:
            if isinstance(event, Rewind):
                self.game = reader.game_at(self.id, self.seq + 1, using="default")
            else:
                self.game = apply(self.game, event, self.seq + 1)
        assert receipt.last_seq == self.seq

    def result(
        self, winner: int | None, *, from_seat: int | None = None, gang: bool = False
    ) -> HandResult:
        """The next hand: a self-draw of `winner`, a win on `from_seat`'s discard, or no win."""
        assert self.game is not None
        dealer = 0 if self.game.dealer is None else self.game.dealer
        told = stated_facts(
            winner, from_seat=from_seat, gang=gang, dealer=dealer, streak=self.game.streak
        )
        return HandResult(
            hand=self.game.hand + 1,
            dealer=told.dealer,
            streak=told.streak,
            result=told.result,
            wins=told.wins,
        )

    def play(self, winner: int | None, *, from_seat: int | None = None, gang: bool = False) -> None:
        """Record the next hand."""
        self.append(self.result(winner, from_seat=from_seat, gang=gang))

    def correct(self, hand: int, winner: int | None, *, gang: bool = False) -> int:
        """Rule that a hand dealt by seat 0 was a self-draw of `winner`, or no win; the seq."""
        told = stated_facts(winner, gang=gang)
        self.append(HandCorrected(hand=hand, facts=told, reason="misread"))
        return self.seq

    def void(self, hand: int) -> int:
        """Rule that a hand counts for nothing; the seq."""
        self.append(HandVoided(hand=hand, reason="dealt wrongly"))
        return self.seq

    def penalise(self, *transfers: tuple[str, str, int], hand: int | None = None) -> int:
        """A penalty of these payments (payer, payee, points); the seq."""
        dues = tuple(Due(*transfer) for transfer in transfers)
        self.append(Penalty(transfers=dues, reason="late", hand=hand))
        return self.seq

    def adjust(self, *transfers: tuple[str, str, int], hand: int | None = None) -> int:
        """An adjustment of these payments (payer, payee, points); the seq."""
        dues = tuple(Due(*transfer) for transfer in transfers)
        self.append(Adjusted(transfers=dues, reason="miscounted", hand=hand))
        return self.seq

    def cancel(self, penalty: int) -> int:
        """Take a penalty back; the seq."""
        self.append(PenaltyCancelled(penalty=penalty, reason="excused"))
        return self.seq


def stated_facts(
    winner: int | None,
    *,
    from_seat: int | None = None,
    gang: bool = False,
    dealer: int = 0,
    streak: int = 1,
) -> StatedFacts:
    """A self-draw of `winner`, a win on `from_seat`'s discard, or no win."""
    wins: tuple[WinFacts, ...] = ()
    if winner is not None:
        win = WinFacts(
            seat=winner,
            by="zimo" if from_seat is None else "dianpao",
            from_=from_seat,
            tile="5p",
            concealed="23456788m34p" if gang else PLAIN_HAND,
            melds=(Meld("an_gang", "2222s"),) if gang else (),
        )
        wins = (win,)
    result: Result = "hu" if wins else "huang_zhuang"
    return StatedFacts(dealer=dealer, streak=streak, result=result, wins=wins)
