"""What may happen next."""

from rules_engine.events import GameEnded, HandEnded, Pass, PlayerLeft
from rules_engine.fold import closing
from rules_engine.moves import Due, Moves, moves, moves_of
from tests.rules_engine.log import Log, win


def test_between_hands_the_next_hand_is_due() -> None:
    log = Log()
    assert moves(log.game) == Moves(Due(type="hand_started", hand=1, streak=1), ())
    log.own("hand_result", hand=1, dealer=3, result="huang_zhuang")
    assert moves(log.game).due == Due(type="hand_started", hand=2, dealer=3, streak=2)


def test_an_empty_seat_is_due_first() -> None:
    log = Log().add(PlayerLeft(seat=2, player="cid"))
    assert moves(log.game) == Moves(Due(type="player_seated", seat=2), ())


def test_nothing_is_due_after_the_game() -> None:
    assert moves(Log().add(GameEnded()).game) == Moves(None, ())


def test_while_a_seat_must_act_nothing_is_due() -> None:
    possible = moves(Log().deal({}, last="2m").game)
    assert possible.due is None
    assert {action.type for action in possible.actions} == {"discard"}
    assert len(possible.actions) == len(set(possible.actions))


DEALER = "55m2345678p24578s"
READY = "2346788m345p345s"
"""Waits for 5m and 8m."""


def test_after_a_discard_a_draw_is_due_and_a_win_is_offered() -> None:
    log = Log().deal({0: DEALER, 2: READY}, last="8s", keep="5m").play("0-2s")
    assert moves(log.game) == Moves(Due(type="draw", seat=1, source="head"), ())
    log.play("1+5m 1-5m")
    possible = moves(log.game)
    assert possible.due == Due(type="draw", seat=2, source="head")
    assert possible.actions == (win(2, "5m", source=1), Pass(seat=2))


def test_the_end_of_a_won_hand_is_due_while_others_may_still_win() -> None:
    hands = {0: DEALER, 1: READY, 2: "2346788m456p456s"}
    log = Log().deal(hands, last="8s").play("0-5m")
    one, two = win(1, "5m", source=0), win(2, "5m", source=0)
    assert log.actions() == [one, Pass(seat=1), two, Pass(seat=2)]
    log.add(one)
    possible = moves(log.game)
    assert possible.due == Due(type="hand_ended", reason="hu")
    assert possible.actions == (two, Pass(seat=2))
    log.let_go(2)
    assert moves(log.game) == Moves(Due(type="hand_ended", reason="hu"), ())


def test_a_seat_is_told_of_its_own_moves_alone() -> None:
    hands = {0: DEALER, 1: READY, 2: "2346788m456p456s"}
    log = Log().deal(hands, last="8s").play("0-5m")
    assert moves_of(log.game, {0}) == ()
    assert moves_of(log.game, {2}) == (win(2, "5m", source=0), Pass(seat=2))
    assert moves_of(log.game, {2, 1}) == (
        *(win(1, "5m", source=0), Pass(seat=1)),
        *(win(2, "5m", source=0), Pass(seat=2)),
    )


def test_between_hands_no_seat_has_a_move() -> None:
    assert moves_of(Log().game, {0, 1, 2, 3}) == ()


def test_a_win_that_must_be_taken_leaves_nothing_due() -> None:
    log = Log(pass_rule="must_hu").deal({0: DEALER, 1: READY}, last="8s").play("0-5m")
    assert moves(log.game) == Moves(None, (win(1, "5m", source=0),))


def zone(**options: object) -> Log:
    """The last tile of the wall is drawn, and completes the hand of seat 3."""
    log = Log(**options).deal({0: DEALER, 3: READY}, last="8s", keep="5m258p").play("0-2s")
    return log.draw_out(4, spare="5m258p").play("0+2p 1+5p 2+8p 3+5m")


def test_a_last_tile_that_may_be_let_go_leaves_the_end_due() -> None:
    log = zone(hai_lao_must_hu=False)
    due = Due(type="hand_ended", reason="huang_zhuang")
    assert moves(log.game) == Moves(due, (win(3, "5m"), Pass(seat=3, on="draw")))
    assert closing(log.game) is None
    log.let_go(3, "draw")
    assert moves(log.game) == Moves(due, ())
    assert closing(log.game) == HandEnded(reason="huang_zhuang")


def test_a_last_tile_that_must_be_taken_leaves_nothing_due() -> None:
    log = zone()
    assert moves(log.game) == Moves(None, (win(3, "5m"),))
    violation = log.refusal(HandEnded(reason="huang_zhuang"))
    assert (violation.code, violation.rule) == ("must_hu", "HF-21")


def test_a_hand_that_is_over_leaves_its_end_due() -> None:
    log = zone().hu(3, "5m")
    assert moves(log.game) == Moves(Due(type="hand_ended", reason="hu"), ())
