"""Robbing a gang (JX-49, JX-58): who may, who pays, and what becomes of the gang."""

from rules_engine.moves import Due, moves
from tests.rules_engine.log import Log, win
from tests.rules_engine.variants.jiangxi.play_log import dealt, facts, items, score

WAITS_5P = "123456m46p678s11z"
BAO_WAITS_5P = "123456m4p3678s11z"
"""The bao has to replace 6p, so a discarded 5p is no win."""


def added_gang(**options: object) -> Log:
    """Seat 3 takes a peng of 5p, draws the fourth, and seat 2 comes to wait for it."""
    others = {2: "123456m4p678s112z", 3: "336m55p69s556677z"}
    log = dealt("2589m3569p58s1234z", "9m", others, keep="55p6p", **options)
    log.play("0-5p").peng(3, "5p", 0).play("3-3m 0+8m 0-8m 1+8m 1-8m 2+6p 2-2z 3+5p")
    return log


def test_an_added_gang_can_be_robbed_and_stays_a_peng():
    log = added_gang().gang(3, "5p", "bu_gang")
    assert win(2, "5p", source=3, by="qiang_gang") in log.actions(2)
    log.hu(2, "5p", source=3, by="qiang_gang").end("hu")
    assert facts(log).wins[0].flags == ()
    assert [meld.kind for meld in facts(log).table[0].melds] == ["peng"]
    assert items(log) == {"ping_hu": 2, "qiang_gang": 2}
    assert score(log).total_points == (0, 0, 12, -12)


def discarded_fourth(hand: str) -> Log:
    """Seat 3 makes a gang with the 5p that the dealer discards; seat 2 holds ``hand``."""
    others = {2: hand, 3: "336m555p69s55667z"}
    log = dealt("2589m3569p58s1234z", "9m", others)
    log.play("0-9m 1+8m 1-8m 2+9m 2-9m 3+8s 3-8s 0+8m 0-5p")
    return log.gang(3, "5p", "ming_gang", 0)


def test_who_let_the_discard_go_may_not_rob_the_gang_made_with_it():
    log = discarded_fourth(WAITS_5P)
    violation = log.refusal(win(2, "5p", source=3, by="qiang_gang"))
    assert (violation.code, violation.rule) == ("pass_hu_locked", "JX-52")
    assert log.actions(2) == []


def test_a_gang_on_a_discard_can_be_robbed_and_its_owner_pays():
    log = discarded_fourth(BAO_WAITS_5P)
    log.hu(2, "5p", source=3, by="qiang_gang").end("hu")
    assert facts(log).wins[0].flags == ("rob:ming_gang",)
    assert facts(log).table == ()
    assert score(log).total_points == (0, 0, 12, -12)


QUAD = "2899m5555p589s344z"
ROBBERS = {1: "123789m3s111222z", 3: "234567m46p111s55z"}


def test_a_concealed_gang_can_be_robbed_by_everybody_who_can_in_turn_order():
    log = dealt(QUAD, "4z", ROBBERS).gang(0, "5p")
    log.hu(3, "5p", source=0, by="qiang_gang").hu(1, "5p", source=0, by="qiang_gang").end("hu")
    assert [each.seat for each in facts(log).wins] == [1, 3]
    assert facts(log).wins[0].flags == ("rob:an_gang",)
    assert items(log) == {"bao_diao_tou": 4, "qiang_gang": 4}
    assert items(log, 1) == {"ping_hu": 2, "qiang_gang": 2}
    assert score(log).hand_points == (-36, 24, 0, 12)
    assert log.game.dealer == 1


def test_one_gang_may_have_one_winner_where_the_club_says_so():
    log = dealt(QUAD, "4z", ROBBERS, rob_winners="first").gang(0, "5p")
    log.hu(1, "5p", source=0, by="qiang_gang")
    assert log.code(win(3, "5p", source=0, by="qiang_gang")) == "one_winner_per_gang"
    assert log.actions() == []


def test_a_club_may_forbid_robbing_concealed_gangs():
    log = dealt(QUAD, "4z", {3: ROBBERS[3]}, rob_kinds="bu_gang")
    log.gang(0, "5p")
    violation = log.refusal(win(3, "5p", source=0, by="qiang_gang"))
    assert (violation.code, violation.rule) == ("rob_not_allowed", "JX-58")
    assert moves(log.game).due == Due(type="draw", seat=0, source="tail")


def test_a_gang_that_is_not_robbed_stands_and_is_paid():
    log = dealt(QUAD, "4z", {3: ROBBERS[3]}).gang(0, "5p")
    log.let_go(3, "gang").play("0^8m 0-9s").draw_out(0).end("huang_zhuang")
    assert score(log).gang_points == (9, -3, -3, -3)
    assert score(log).transfers[0].seq == facts(log).table[0].melds[0].seq > 0
