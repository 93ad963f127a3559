"""What somebody else says a hand came to, held against what it comes to here.

A platform that keeps scores of its own states them beside the hand. Where they differ the hand is
refused, so that nobody finds out weeks later that two programs read a rule differently.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec

from rules_engine.errors import illegal
from rules_engine.facts import Seat
from rules_engine.game import Game
from rules_engine.score import HandScore, WinScore

SCORE_DIFFERS: Final = "score_differs"
Points = Annotated[int, msgspec.Meta(ge=-1_000_000_000, le=1_000_000_000)]


class ExpectedWin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one winner's hand is said to be worth: ``total``, and the ids of all its ``items``."""

    seat: Seat
    total: Points | None = None
    items: Annotated[tuple[str, ...], msgspec.Meta(max_length=100)] | None = None


class Expectation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a hand is said to come to; what is left out is not compared.

    ``points`` by seat are everything won and lost in the hand, gangs too, in units of the stake.
    ``wins`` names every winner.
    """

    points: Annotated[tuple[Points, ...], msgspec.Meta(min_length=4, max_length=4)] | None = None
    wins: Annotated[tuple[ExpectedWin, ...], msgspec.Meta(max_length=3)] | None = None


def read_expectation(given: Any) -> Expectation:
    """An expectation as a client sent it. Raises IllegalEvent."""
    try:
        return msgspec.convert(given, Expectation)
    except msgspec.ValidationError as error:
        raise illegal(
            "invalid_expectation", f"This is not what a hand can be said to come to: {error}."
        ) from error


def insist_on(expectation: Expectation, game: Game) -> None:
    """Refuse the hand that the game's last event ended unless it comes to what is expected.

    Raises IllegalEvent ``score_differs``, or ``no_score_here`` where no hand has just ended.
    """
    if game.last is None or game.last.seq != game.seq:
        raise illegal(
            "no_score_here", "Only with the event that ends a hand a score can be expected."
        )
    facts = game.last.facts
    score = HandScore((), ()) if facts is None else game.ruleset.score(facts, game.options)
    assert isinstance(score, HandScore), score  # The engine has just accepted these facts.
    stated, found = in_order(expectation), as_stated(score, expectation)
    if stated != found:
        raise illegal(
            SCORE_DIFFERS,
            f"The score of hand {game.last.hand} is not the one that was expected.",
            expected=msgspec.to_builtins(found),
            actual=msgspec.to_builtins(stated),
            hand=game.last.hand,
        )


def in_order(expectation: Expectation) -> Expectation:
    """The same, winners by seat and items by id."""
    if expectation.wins is None:
        return expectation
    wins = sorted(expectation.wins, key=lambda win: win.seat)
    return Expectation(
        points=expectation.points,
        wins=tuple(
            ExpectedWin(win.seat, win.total, None if win.items is None else by_id(win.items))
            for win in wins
        ),
    )


def as_stated(score: HandScore, expectation: Expectation) -> Expectation:
    """What the hand comes to, in as much as the expectation says anything of it."""
    stated = {win.seat: win for win in expectation.wins or ()}
    return Expectation(
        points=None if expectation.points is None else score.total_points,
        wins=None
        if expectation.wins is None
        else tuple(
            win_as_stated(win, stated.get(win.seat))
            for win in sorted(score.wins, key=lambda win: win.seat)
        ),
    )


def win_as_stated(win: WinScore, stated: ExpectedWin | None) -> ExpectedWin:
    """What one winner's hand is worth; all of it where that winner was not expected."""
    total = win.total if stated is None or stated.total is not None else None
    items = by_id([line.id for line in win.items])
    return ExpectedWin(
        win.seat, total, items if stated is None or stated.items is not None else None
    )


def by_id(items: Sequence[str]) -> tuple[str, ...]:
    """Items in one order."""
    return tuple(sorted(items))
