"""宝吊头, 偷机, 飞宝, 接宝, 四个宝: what the bao do while a hand is played."""

import pytest

from rules_engine.moves import moves
from rules_engine.table import NOTHING
from rules_engine.view import view
from tests.rules_engine.log import Log
from tests.rules_engine.variants.jiangxi.play_log import DIAO, ROUND, dealt, facts, items, score


def state(log: Log, seat: int = 0) -> str:
    """The seat's state in the words of JX-65."""
    extra = log.table.extra
    if not extra.diao >> seat & 1:
        assert not extra.stealing >> seat & 1
        return "none"
    return "stealing" if extra.stealing >> seat & 1 else "diao"


# --- the state machine of JX-65 -------------------------------------------------------------------


def test_the_deal_can_make_the_state():
    log = dealt(DIAO + "7z", "7z", {2: "234567m234p5553s"})
    assert (state(log), state(log, 1), state(log, 2)) == ("diao", "none", "diao")


def test_a_declined_win_is_stealing():
    assert state(dealt(DIAO + "7z", "7z").play("0-7z")) == "stealing"
    log = dealt(DIAO + "7z", "7z").let_go(0, "draw").play("0-7z")
    assert state(log) == "stealing"


def test_a_discard_can_make_the_state():
    log = dealt("123456m78p1113s77z", "7z")
    assert state(log) == "none"
    log.play("0-7z " + ROUND + " 0+9p 0-7z")
    assert state(log) == "diao"


def test_flying_the_lone_bao_ends_it():
    log = dealt(DIAO + "7z", "7z").play("0-3s")
    assert state(log) == "none"
    log.play(ROUND + " 0+3s")
    assert state(log) == "none"
    log.play("0-7z")
    assert state(log) == "diao"


def test_a_broken_hand_ends_it():
    log = dealt(DIAO + "7z", "7z").play("0-7z " + ROUND + " 0+9p 0-1m")
    assert state(log) == "none"


def test_a_claim_makes_the_state_and_does_not_steal():
    hand = "123456m78p1113s77z"
    log = dealt(hand, "7z", {3: "336m6999p69s5566z"}).play("0-7z 1+9m 1-9m 2+9m 2-9m 3+8m 3-9p")
    log.chi(0, "789p", "9p", 3).play("0-7z")
    assert state(log) == "diao"


def test_a_claim_keeps_stealing():
    hand = "123456m678p1113s7z"
    log = dealt(hand, "7z", {3: "336m399p69s55667z"}).play("0-7z 1+9m 1-9m 2+9m 2-9m 3+8m 3-9p")
    assert state(log) == "stealing"
    log.chi(0, "789p", "9p", 3)
    log.play("0-6p")
    assert state(log) == "stealing"


def test_a_gang_can_keep_the_state_and_then_steals():
    log = dealt("123456m789p1111s3s", "1s").gang(0, "1s")
    assert state(log) == "diao"
    log.play("0^8m")
    assert state(log) == "stealing"
    log.hu(0, "8m").end("hu")
    assert facts(log).wins[0].flags == ("gang_kai", "tou_ji")
    assert items(log) == {"bao_diao_tou": 4, "gang_kai": 4, "tou_ji": 8}


def test_a_gang_on_a_discard_does_not_steal():
    others = {3: "336m369p69s5566z1s"}
    log = dealt("123456m78p1113s77z", "7z", others)
    log.play("0-7z 1+9m 1-9m 2+9m 2-9m 3+8m 3-8m 0+9p 0-7z 1+9m 1-9m 2+8m 2-8m 3+8s 3-1s")
    assert state(log) == "diao"
    log.gang(0, "1s", "ming_gang", 3).play("0^4z")
    assert state(log) == "diao"
    log.hu(0, "4z").end("hu")
    assert items(log) == {"bao_diao_tou": 4, "gang_kai": 4}


def test_letting_a_robbery_go_is_no_stealing():
    log = dealt("2258m5555p58s334z9m", "9m", {1: DIAO})
    log.gang(0, "5p").play("0^8m 0-8m")
    assert state(log, 1) == "diao"


def test_robbing_out_of_the_state_counts_and_so_does_the_stealing_before():
    log = dealt("2258m555p5889s334z", "9s", {1: DIAO}, keep="5p")
    log.play("0-9s 1+8m 1-8m 2+9m 2-9m 3+8m 3-8m 0+5p").gang(0, "5p")
    log.hu(1, "5p", source=0, by="qiang_gang").end("hu")
    assert facts(log).wins[0].flags == ("tou_ji", "rob:an_gang")
    assert items(log) == {"bao_diao_tou": 4, "qiang_gang": 4, "tou_ji": 8}


def test_stealing_lasts_and_pays_once():
    log = dealt(DIAO + "7z", "7z").play("0-7z " + ROUND + " 0+8p 0-8p")
    log.play("1+8s 1-8s 2+8s 2-8s 3+8m 3-8m 0+9s").hu(0, "9s").end("hu")
    assert items(log) == {"bao_diao_tou": 4, "tou_ji": 4}


def test_a_bao_drawn_while_stealing_that_leaves_none_replacing():
    log = dealt(DIAO + "7z", "7z").play("0-7z " + ROUND + " 0+3s").hu(0, "3s").end("hu")
    assert items(log) == {"bao_diao_tou": 4, "bao_diao_wu_bao": 28}


def test_a_bao_drawn_while_stealing_beside_one_that_replaces():
    log = dealt("123456m78p11133s7z", "7z").play("0-7z " + ROUND + " 0+3s").hu(0, "3s").end("hu")
    assert items(log) == {"bao_diao_tou": 4, "bao_diao_bao": 12}


# --- flying, catching, four -----------------------------------------------------------------------

DIAO_LESS = "2589m369p58s12347z"
THREE = {2: "225m147p33358s45z"}
"""Seat 2 holds three bao."""
FLIES = "2589m369p358s1247z"


def test_a_flown_bao_is_counted_even_if_nobody_takes_it():
    log = dealt(FLIES, "9m").play("0-3s 1+9m 1-9m 2+9m 2-9m 3+8m 3-8m")
    hand = dealt("123456m789p113s11z", "3s", keep="1s").play("0-3s " + ROUND + " 0+1s")
    hand.hu(0, "1s").end("hu")
    assert facts(hand).wins[0].flags == ("fei_bao:1",)
    assert "fei_bao" in items(hand)
    assert log.table.seats[0].pond[0].kind == log.table.wild


def test_catching_a_bao_takes_no_tile_and_is_paid_by_its_discarder():
    log = dealt(FLIES, "9m", THREE).play("0-3s")
    before = log.table.seats
    catch = log.make("jie_bao", seat=2, tile="3s", **{"from": 0})
    assert log.actions(2) == [catch]
    log.add(catch)
    assert log.table.seats == before
    assert log.actions(2) == []
    log.draw_out(0).end("huang_zhuang")
    assert facts(log).table[0].flags == ("jie_bao:0",)
    assert score(log).gang_points == (-24, 0, 24, 0)
    (paid,) = score(log).transfers
    assert (paid.kind, paid.seq) == ("side", 4), "the declaration, not the end of the hand"


def test_a_winner_is_paid_for_a_caught_bao_too():
    log = dealt(FLIES, "9m", {2: "123456m789p1333s"}).play("0-3s")
    log.own("jie_bao", seat=2, tile="3s", **{"from": 0}).play("1+9m 1-9m 2+1s").hu(2, "1s")
    log.end("hu")
    (win,) = facts(log).wins
    assert (win.flags, win.flag_seqs) == (("jie_bao:0",), (4,))
    assert score(log).gang_points == (-24, 0, 24, 0)
    assert {(each.item, each.seq) for each in score(log).transfers} == {("hu", 8), ("jie_bao", 4)}


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"seat": 2, "tile": "3s", "from": 0}, ""),
        ({"seat": 2, "tile": "3s", "from": 1}, "wrong_tile"),
        ({"seat": 2, "tile": "4s", "from": 0}, "wrong_tile"),
        ({"seat": 1, "tile": "3s", "from": 0}, "jie_bao_not_three"),
        ({"seat": 0, "tile": "3s", "from": 0}, "jie_bao_too_late"),
    ],
)
def test_who_may_catch_a_bao(fields: dict[str, object], code: str):
    log = dealt(FLIES, "9m", THREE).play("0-3s")
    event = log.make("jie_bao", **fields)
    if code:
        violation = log.refusal(event)
        assert violation.code == code
        assert violation.rule.startswith("JX-")
    else:
        log.add(event)
        assert log.table.extra.caught_by == 2


def test_a_bao_is_caught_at_once_and_once():
    log = dealt(FLIES, "9m", THREE).play("0-3s")
    catch = log.make("jie_bao", seat=2, tile="3s", **{"from": 0})
    log.add(catch)
    assert log.code(catch) == "jie_bao_declared"
    log.play("1+9m")
    assert log.code(catch) == "jie_bao_too_late"
    log.play("1-9m")
    assert log.code(catch) == "jie_bao_too_late"


def test_no_bao_is_caught_after_the_win_on_it():
    others = {**THREE, 1: "123456m12p678s11z"}
    log = dealt("258m369p358s1247z3p", "3p", others, indicator="2s").play("0-3p")
    log.hu(1, "3p", source=0)
    assert log.code(log.make("jie_bao", seat=2, tile="3p", **{"from": 0})) == "jie_bao_too_late"


def test_a_club_may_have_no_jie_bao():
    log = dealt(FLIES, "9m", THREE, jie_bao=0).play("0-3s")
    assert log.actions(2) == []
    assert log.code(log.make("jie_bao", seat=2, tile="3s", **{"from": 0})) == "jie_bao_off"


def test_a_bao_thrown_last_may_still_be_caught_before_the_hand_ends():
    log = dealt(DIAO_LESS, "9m", THREE).play("0-7z").draw_out(1, spare="3s")
    seat = moves(log.game).due.seat
    log.play(f"{seat}+3s {seat}-3s")
    if seat != 2:
        assert [each.type for each in log.actions()] == ["jie_bao"]
    log.end("huang_zhuang")


def test_four_bao_drawn_are_paid_whoever_wins():
    log = dealt(DIAO_LESS, "9m", THREE).play("0-7z 1+9m 1-9m 2+3s 2-2m").draw_out(0)
    log.end("huang_zhuang")
    assert facts(log).table[0].flags == ("si_bao",)
    assert score(log).gang_points == (-40, -40, 120, -40)
    assert {each.seq for each in score(log).transfers} == {6}, "the draw of the fourth bao"


def test_four_bao_dealt_rest_on_the_deal():
    log = dealt(DIAO_LESS, "9m", {2: "225m147p33335s45z"}).play("0-7z")
    log.draw_out(0).end("huang_zhuang")
    assert facts(log).table[0].flags == ("si_bao",)
    assert {each.seq for each in score(log).transfers} == {2}


def test_a_flag_without_an_event_of_its_own_names_none():
    log = dealt("123456m789p3333s7z", "7z").play("0-3s " + ROUND + " 0+7z").hu(0, "7z").end("hu")
    (win,) = facts(log).wins
    assert win.flags == ("tou_ji", "fei_bao:1", "si_bao")
    assert win.flag_seqs == (0, 0, 2)
    assert facts(dealt("123456m789p113s11z", "3s").hu(0, "3s").end("hu")).wins[0].flag_seqs == ()


def test_flown_bao_count_among_the_four():
    log = dealt(DIAO_LESS, "9m", THREE).play("0-7z 1+9m 1-9m 2+3s 2-3s").draw_out(0)
    log.end("huang_zhuang")
    assert facts(log).table[0].flags == ("si_bao",)


def test_the_state_is_shown_to_those_who_may_see_everything():
    table = view(dealt(DIAO + "7z", "7z").game)["table"]
    assert table["variant"]["diao"] == 1
    assert table["variant"]["caught_by"] == NOTHING
    assert table["wild"] == "3s"
