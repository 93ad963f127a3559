"""What a variant gets that answers only the questions it has to."""

from typing import Any

import pytest

from rules_engine.errors import Violation
from rules_engine.events import Draw, PlayerLeft
from rules_engine.facts import HandFacts, Meld
from rules_engine.play import Play
from rules_engine.readings import EVERY_KIND
from rules_engine.table import Seat, Table
from rules_engine.tiles import parse


class Silent(Play):
    """Nothing is answered."""

    tiles = EVERY_KIND


class Terse(Silent):
    """Everything wins, and the dealer stays."""

    def winning(self, table: Table, seat: int, kind: int, *, by: str) -> Violation | None:
        """Always."""
        return None

    def rotate(
        self, memory: Any, facts: HandFacts | None, dealer: int, streak: int
    ) -> tuple[int | None, int, Any]:
        """No change."""
        return dealer, streak, memory


TABLE = Table(
    hand=1,
    dealer=0,
    streak=1,
    seats=(Seat(parse("123m")), Seat(0), Seat(0), Seat(0)),
    unseen=parse("1z"),
    remaining=1,
    phase="act",
    turn=0,
    drawn=0,
    source="deal",
)


def test_what_wins_and_who_deals_next_every_variant_has_to_say() -> None:
    play = Silent(None)
    with pytest.raises(NotImplementedError):
        play.may_win(TABLE, 0)
    with pytest.raises(NotImplementedError):
        play.rotate(None, None, 0, 1)


def test_a_game_with_an_event_of_its_own_that_is_due_says_how_it_comes_about() -> None:
    play = Silent(None)
    assert play.due_event(TABLE) is None
    with pytest.raises(NotImplementedError):
        play.due_from(TABLE, (), lambda dice: (1,) * dice)
    with pytest.raises(NotImplementedError):
        play.due_form(TABLE)


def test_the_rest_has_the_answer_of_the_standard_game() -> None:
    play = Terse(None)
    assert play.may_win(TABLE, 0)
    assert play.flags(TABLE, 0, by="zimo") == ()
    assert play.flags_before(None) == ()
    assert list(play.bound_to_win(TABLE)) == []
    assert play.why_bound(TABLE, 0) == ""
    assert play.drawable(TABLE) == 1
    assert play.refuse_discard(TABLE, 0, 0, drawn=True) is None
    assert play.refuse_gang(TABLE, 0, 0, "an_gang") is None
    assert play.refuse_claim(TABLE, 0, Meld(kind="chi", tiles="123m")) is None
    assert play.refuse_result(None, HandFacts(dealer=0, result="huang_zhuang")) is None
    assert list(play.own_actions(TABLE, 0)) == []
    assert play.after_chance(TABLE) is TABLE
    assert play.after_pass(TABLE, 0) is TABLE
    assert play.player_left(TABLE, 0) is TABLE
    assert play.opening(TABLE, None) is TABLE
    assert (play.first_dealer(), play.first_streak(), play.dice) == (None, 1, 2)
    assert play.memory() is None
    assert play.remember("kept", TABLE) == "kept"
    assert play.holding(TABLE, 0) is None


def test_a_player_may_leave_between_hands_and_nothing_else_may_happen_there() -> None:
    play = Terse(None)
    left = PlayerLeft(seat=0, player="ann")
    assert play.next_deal("kept", left, 2, 3) == (2, 3, "kept")
    with pytest.raises(Exception, match="belongs to a hand"):
        play.next_deal(None, Draw(seat=0, tile="1m"), 2, 3)
