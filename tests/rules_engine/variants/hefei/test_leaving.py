"""Automatic seats, players who leave, tables that are dissolved, and who deals next."""

import pytest

from rules_engine.events import (
    HandEnded,
    Hu,
    Pass,
    PlayerLeft,
    PlayerSeated,
)
from rules_engine.fold import closing
from tests.rules_engine.log import Log, win
from tests.rules_engine.variants.hefei.tables import DEALER, READY, zone

# --- automatic seats ------------------------------------------------------------------------------


@pytest.mark.parametrize("cause", ["trustee", "offline", "timeout", "left"])
def test_an_automatic_seat_wins_whenever_it_can(cause: str) -> None:
    log = (
        Log().deal({0: DEALER, 1: READY}, last="8s").own("seat_auto", seat=1, on=True, cause=cause)
    )
    log.play("0-5m")
    assert log.actions() == [win(1, "5m", source=0)]
    violation = log.refusal(Pass(seat=1))
    assert (violation.code, violation.rule) == ("must_hu", "HF-36")
    log.hu(1, "5m", source=0)
    written = "trustee" if cause == "left" else cause
    assert log.table.extra.causes == ((1, written),)


def test_a_seat_that_comes_back_decides_for_itself() -> None:
    log = Log().deal({0: DEALER, 1: READY}, last="8s").own("seat_auto", seat=1, on=True)
    log.own("seat_auto", seat=1, on=False).play("0-5m")
    assert Pass(seat=1) in log.actions()
    log.hu(1, "5m", source=0)
    assert log.table.extra.causes == ((1, "player"),)


def test_an_automatic_seat_stays_automatic_in_the_next_hand() -> None:
    log = Log().own("seat_auto", seat=1, on=True).deal({0: DEALER, 1: READY}, last="8s")
    log.play("0-5m")
    assert log.code(Pass(seat=1)) == "must_hu"
    log.hu(1, "5m", source=0).end("hu")
    log.deal({1: DEALER, 2: READY}, last="8s", dealer=1)
    assert log.table.extra.automatic == 0b10
    log.own("seat_auto", seat=1, on=False)
    assert log.table.extra.automatic == 0


# --- leaving, dissolving, next dealer -------------------------------------------------------------


def test_a_hand_is_played_on_when_a_player_leaves_it_and_then_the_deal_is_free() -> None:
    log = Log().deal({0: DEALER, 1: READY}, last="8s").add(PlayerLeft(seat=1, player="bob"))
    log.own("seat_auto", seat=1, on=False)
    log.play("0-5m").hu(1, "5m", source=0).end("hu")
    assert (log.game.dealer, log.game.streak) == (None, 1)
    assert log.game.memory.auto == ("", "", "", ""), "the next player begins awake"
    log.add(PlayerSeated(seat=1, player="eve"))
    log.own("hand_result", hand=2, dealer=3, result="huang_zhuang")


def test_the_seat_of_a_player_who_left_wins_by_itself() -> None:
    log = Log().deal({0: DEALER, 1: READY}, last="8s").add(PlayerLeft(seat=1, player="bob"))
    log.play("0-5m")
    assert log.actions() == [win(1, "5m", source=0)]


def test_leaving_may_void_the_hand() -> None:
    log = Log(leave_mid_hand="void").deal({0: DEALER}, last="8s")
    log.add(PlayerLeft(seat=1, player="bob"))
    assert closing(log.game) == HandEnded(reason="abandoned")
    assert log.code(HandEnded(reason="huang_zhuang")) == "hand_not_over"
    log.end("abandoned")
    assert (log.game.dealer, log.game.streak) == (None, 1)
    assert log.game.last.facts is None


def test_leaving_does_not_take_a_win_away() -> None:
    hands = {0: DEALER, 1: READY, 2: "2346788m456p456s"}
    log = Log(leave_mid_hand="void").deal(hands, last="8s").play("0-5m").hu(1, "5m", source=0)
    log.add(PlayerLeft(seat=0, player="ann")).hu(2, "5m", source=0).end("hu")
    assert len(log.game.last.facts.wins) == 2
    assert log.game.dealer is None


def test_leaving_in_the_zone_voids_the_hand_too() -> None:
    log = zone(keep="2258p", spare="2258p", leave_mid_hand="void").play("0+2p 1+2p 2+5p")
    log.add(PlayerLeft(seat=1, player="bob"))
    assert closing(log.game) == HandEnded(reason="abandoned")


def test_leaving_between_hands_opens_a_new_game() -> None:
    log = Log().own("seat_auto", seat=1, on=True)
    log.own("hand_result", hand=1, dealer=2, result="huang_zhuang")
    log.add(PlayerLeft(seat=1, player="bob"))
    assert (log.game.dealer, log.game.streak) == (None, 1)
    assert log.game.memory.auto == ("", "", "", "")


def test_dissolving_voids_the_hand_and_opens_a_new_game() -> None:
    log = Log().own("hand_result", hand=1, dealer=2, result="huang_zhuang")
    log.deal({}, last="2m", dealer=2).own("dismissed")
    assert closing(log.game) == HandEnded(reason="abandoned")
    log.end("abandoned")
    assert (log.game.dealer, log.game.streak) == (None, 1)
    log.own("hand_result", hand=3, dealer=1, result="huang_zhuang").own("dismissed")
    assert (log.game.dealer, log.game.streak) == (None, 1)


def test_a_won_hand_cannot_be_dissolved() -> None:
    hands = {0: DEALER, 1: READY, 2: "2346788m456p456s"}
    log = Log().deal(hands, last="8s").play("0-5m").hu(1, "5m", source=0)
    assert log.code(log.make("dismissed")) == "hand_over"


def test_readiness_is_noted_between_hands_only() -> None:
    log = Log().own("ready", seat=0).own("ready", seat=1, auto=True)
    log.deal({}, last="2m")
    assert log.code(log.make("ready", seat=0)) == "event_out_of_place"


def test_an_event_of_a_hand_has_no_place_between_hands() -> None:
    log = Log()
    assert log.code(log.make("ting", seat=0, discard="2m")) == "no_hand"


@pytest.mark.parametrize(
    ("dealer", "streak", "winners", "after"),
    [
        (1, 3, (1,), (1, 4)),
        (1, 3, (0,), (2, 1)),
        (3, 2, (1, 2), (0, 1)),
        (1, 3, (1, 3), (1, 4)),
        (3, 2, (), (3, 3)),
    ],
)
def test_the_next_dealer_and_streak_follow_the_rule(
    dealer: int, streak: int, winners: tuple[int, ...], after: tuple[int, int]
) -> None:
    log = Log()
    for hand in range(1, streak):
        log.own("hand_result", hand=hand, dealer=dealer, streak=hand, result="huang_zhuang")
    payer = next(seat for seat in range(4) if seat not in winners)
    hands = ["2346788m345p345s", "2346788m456p456s"]
    wins = [
        {"seat": seat, "by": "dianpao", "from": payer, "tile": "5m", "concealed": hand}
        for seat, hand in zip(winners, hands, strict=False)
    ]
    log.own(
        "hand_result",
        hand=streak,
        dealer=dealer,
        streak=streak,
        result="hu" if wins else "huang_zhuang",
        wins=wins,
    )
    assert (log.game.dealer, log.game.streak) == after


def test_a_game_may_have_a_number_of_hands_after_which_it_begins_anew() -> None:
    log = Log(hands_per_game=2)
    log.own("hand_result", hand=1, dealer=2, result="huang_zhuang")
    log.deal({}, last="2m", dealer=2).end("abandoned")
    assert log.game.memory.settled == 0, "a void hand opens a new game"
    log.own("hand_result", hand=3, dealer=1, result="huang_zhuang")
    assert (log.game.dealer, log.game.streak) == (1, 2)
    log.own("hand_result", hand=4, dealer=1, streak=2, result="huang_zhuang")
    assert (log.game.dealer, log.game.streak) == (None, 1)


def test_who_may_win_may_also_decide_otherwise() -> None:
    log = Log().deal({0: DEALER, 1: READY}, last="8s").play("0-5m")
    assert [type(action) for action in log.actions()] == [Hu, Pass]
