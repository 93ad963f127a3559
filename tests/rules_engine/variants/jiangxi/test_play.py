"""How the bao game is played: the indicator, the wall, claims, wins, robbing, passing, dealers."""

import pytest

from rules_engine.events import Chi, Gang, HandEnded, Hu, Pass, Peng
from rules_engine.moves import Due, moves
from rules_engine.ruleset import bind_play
from rules_engine.table import Taken
from rules_engine.tiles import KIND, NAMES, count
from rules_engine.variants.jiangxi.options import JiangxiOptions
from tests.rules_engine.log import Log, fill, win
from tests.rules_engine.variants.jiangxi.play_log import ROUND, dealt, facts, items

DEALER = "2589m369p58s12347z"
"""A dealer's hand that makes nothing and can spare its 7z."""
WAITS_5P = "123456m46p678s11z"
BAO_WAITS_5P = "123456m4p3678s11z"
"""The bao has to replace 6p, so a discarded 5p is no win."""


# --- indicator and wall ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("indicator", "wild", "cycle"),
    [
        ("2s", "3s", "two"),
        ("9m", "1m", "two"),
        ("1z", "2z", "two"),
        ("4z", "1z", "two"),
        ("7z", "6z", "two"),
        ("6z", "5z", "two"),
        ("5z", "7z", "two"),
        ("4z", "7z", "seven"),
        ("5z", "1z", "seven"),
    ],
)
def test_the_tile_after_the_indicator_is_bao(indicator: str, wild: str, cycle: str):
    log = Log("jiangxi", honour_cycle=cycle)
    hand = "33588m3588p44466s"
    log.deal({0: hand}, last="4s", keep=indicator, dice=(2, 3), indicator=indicator)
    assert NAMES[log.table.wild] == wild


def test_the_indicator_is_out_of_play():
    log = dealt(DEALER, "9m", keep="222s")
    assert log.table.remaining == 82
    assert log.table.indicator_place == 126
    assert count(log.table.unseen, KIND["2s"]) == 3


def test_the_fourth_tile_of_the_indicators_kind_cannot_be_drawn():
    log = dealt(DEALER, "9m", {1: "114m258p47s2s1122z"}, keep="222s")
    log.play("0-7z 1+2s 1-2s 2+2s 2-2s")
    violation = log.refusal("3+2s")
    assert (violation.code, violation.rule) == ("indicator_out_of_play", "JX-14")


def test_one_die_where_the_club_rolls_one():
    log = dealt(DEALER, "9m", rolled=(4,), dice=1)
    assert log.table.indicator_place == 128


def test_a_flower_is_no_indicator():
    log = Log("jiangxi")
    hands = fill(log.game, {0: DEALER}, 0, "")
    body = {"hand": 1, "dealer": 0, "dealt": hands, "last": "9m", "dice": (1, 1)}
    assert log.code(log.make("hand_started", **body, indicator="1f")) == "bad_indicator"


def test_draws_pass_over_the_indicator_from_both_ends():
    play = bind_play(dealt(DEALER, "9m").game.ruleset, JiangxiOptions())
    draws = [Taken(True, 0)] * 3 + [Taken(False, 0)] * 2
    assert list(play.places(draws, length=136, turned=134)) == [135, 133, 132, 53, 54]
    assert list(play.places(draws, length=136, turned=53)) == [135, 134, 133, 54, 55]


def test_the_last_discard_is_good_for_a_win_only():
    log = dealt(DEALER, "9m", {3: "225m147p58s33445z"}, keep="2m").play("0-7z").draw_out(1, "2m")
    log.play("2+2m 2-2m")
    peng = Peng(seat=3, tiles="222m", tile="2m", from_=2)
    violation = log.refusal(peng)
    assert (violation.code, violation.rule) == ("last_tile_claim", "JX-34")
    assert log.actions() == []
    assert moves(log.game).due == Due(type="hand_ended", reason="huang_zhuang")
    log.end("huang_zhuang")
    assert facts(log).result == "huang_zhuang"
    assert (log.game.dealer, log.game.streak) == (0, 2)


def test_a_gang_needs_a_replacement_tile():
    log = dealt(DEALER, "9m", {2: "4444m36p69s55667z"}, reserve=40).play("0-7z").draw_out(41)
    log.play("2+8s")
    violation = log.refusal(Gang(seat=2, kind="an_gang", tile="4m"))
    assert (violation.code, violation.rule) == ("no_replacement_tile", "JX-33")
    log.play("2-8s")
    assert moves(log.game).due == Due(type="hand_ended", reason="huang_zhuang")


def test_ordinary_draws_may_end_at_the_indicator():
    log = dealt(DEALER, "9m", draw_end="at_indicator").play("0-7z")
    ahead = 126 - 53
    assert log.game.play.drawable(log.table) == ahead
    assert log.game.play.replaceable(log.table) == 9
    log.draw_out(82 - ahead)
    assert moves(log.game).due == Due(type="hand_ended", reason="huang_zhuang")
    assert log.table.remaining == 9


def test_replacement_draws_then_use_the_tiles_behind_it_only():
    hand = "5555m9999p58s1234z"
    log = dealt(hand, "4z", draw_end="at_indicator", rolled=(1, 1))
    assert log.game.play.replaceable(log.table) == 3
    log.gang(0, "5m").play("0^7z").gang(0, "9p").play("0^8m")
    assert log.game.play.replaceable(log.table) == 1
    assert log.game.play.drawable(log.table) == 132 - 53


# --- claims ---------------------------------------------------------------------------------------


def test_a_discarded_bao_cannot_be_claimed():
    hand = "2589m369p358s1247z"
    others = {1: "114m258p12s11223z", 2: "225m147p3358s455z"}
    log = dealt(hand, "9m", others).play("0-3s")
    chi = Chi(seat=1, tiles="123s", tile="3s", from_=0)
    peng = Peng(seat=2, tiles="333s", tile="3s", from_=0)
    for claim in (chi, peng):
        violation = log.refusal(claim)
        assert (violation.code, violation.rule) == ("wild_not_claimable", "JX-46")
        assert claim not in log.actions()
    free = dealt(hand, "9m", others, claim_wild=True).play("0-3s")
    assert chi in free.actions()
    assert peng in free.actions()
    assert free.add(peng).table.seats[2].melds[0].tiles == "333s"


def test_a_gang_of_a_discarded_bao_is_refused_too():
    log = dealt("2589m369p358s1247z", "9m", {2: "225m147p33358s45z"}).play("0-3s")
    gang = Gang(seat=2, kind="ming_gang", tile="3s", from_=0)
    assert log.code(gang) == "wild_not_claimable"


def test_a_bao_of_the_own_hand_is_itself_in_a_meld():
    chi = Chi(seat=1, tiles="456s", tile="4s", from_=0)
    log = dealt("2589m369p48s12347z", "7z", {1: "114m258p35s11227z"}, keep="4s").play("0-4s")
    assert log.code(chi) == "tile_not_held"
    log.chi(1, "345s", "4s", 0)
    assert log.table.seats[1].melds[0].tiles == "345s"


def test_four_bao_of_the_own_hand_may_be_a_gang():
    log = dealt("258m369p3333s1234z", "4z").gang(0, "3s").play("0^7z")
    assert log.table.seats[0].melds[0].kind == "an_gang"


def test_after_a_chi_or_peng_only_a_discard_is_possible():
    others = {1: "1111m46p258s1126z"}
    log = dealt("258m3569p58s12347z", "5p", others).play("0-5p").chi(1, "456p", "5p", 0)
    assert log.code(Gang(seat=1, kind="an_gang", tile="1m")) == "gang_after_claim"
    assert log.code(win(1, "2s")) == "hu_after_claim"
    assert {action.type for action in log.actions()} == {"discard"}
    log = dealt("258m369p58s112347z", "1z", others).play("0-1z").peng(1, "1z", 0)
    assert log.code(Gang(seat=1, kind="an_gang", tile="1m")) == "gang_after_claim"


def test_the_fourth_tile_may_wait_for_a_later_draw():
    others = {1: "1111m46p258s1126z"}
    log = dealt("258m3569p58s12347z", "5p", others).play("0-5p").chi(1, "456p", "5p", 0)
    log.play("1-2s 2+9m 2-9m 3+8m 3-8m 0+9p 0-9p 1+9s").gang(1, "1m").play("1^6z")
    assert log.table.seats[1].melds[1].kind == "an_gang"


# --- wins -----------------------------------------------------------------------------------------


def test_the_dealt_win_is_a_tian_hu():
    log = dealt("123456m789p11123s", "9p").hu(0, "9p").end("hu")
    assert facts(log).wins[0].flags == ("tian_hu",)
    assert items(log) == {"tian_hu": 16}
    assert (log.game.dealer, log.game.streak) == (0, 2)


def test_a_win_after_a_gang_of_the_deal_is_no_tian_hu():
    log = dealt("5555m78p11456s111z", "1z").gang(0, "5m").play("0^9p").hu(0, "9p").end("hu")
    assert facts(log).wins[0].flags == ("gang_kai",)
    assert "gang_kai" in items(log)


def test_the_dealers_first_discard_is_a_di_hu_also_for_a_hand_with_bao():
    for hand in (WAITS_5P, BAO_WAITS_5P):
        log = dealt("2589m3569p58s1234z", "5p", {2: hand}).play("0-5p").hu(2, "5p", source=0)
        assert facts(log.end("hu")).wins[0].flags == ("di_hu",)
        assert items(log) == {"di_hu": 16}


def test_after_a_gang_of_the_dealer_it_is_no_di_hu():
    log = (
        dealt("5555m3569p58s2356z", "5p", {2: "123789m46p678s11z"}).gang(0, "5m").play("0^8m 0-5p")
    )
    log.hu(2, "5p", source=0).end("hu")
    assert facts(log).wins[0].flags == ()


def second_discard(hand: str, **options: object) -> Log:
    """Seat 3 discards 5p in its first turn; seat 2 holds ``hand``."""
    log = dealt(DEALER, "9m", {2: hand}, keep="555p", **options)
    return log.play("0-7z 1+9m 1-9m 2+9s 2-9s 3+5p 3-5p")


def test_a_hand_whose_bao_replaces_does_not_win_on_a_discard():
    log = second_discard(BAO_WAITS_5P)
    violation = log.refusal(win(2, "5p", source=3))
    assert (violation.code, violation.rule) == ("wild_needs_self_draw", "JX-50")
    assert win(2, "5p", source=3) not in log.actions()
    assert win(2, "5p", source=3) in second_discard(BAO_WAITS_5P, discard_win="all").actions()


def test_a_hand_without_bao_wins_on_a_discard_unless_the_club_says_no():
    assert win(2, "5p", source=3) in second_discard(WAITS_5P).actions()
    log = second_discard(WAITS_5P, discard_win="di_hu_only")
    assert log.code(win(2, "5p", source=3)) == "discard_win_off"
    assert win(2, "5p", source=3) not in log.actions()


def test_tiles_that_make_nothing_do_not_win():
    assert second_discard("225m147p58s33445z").code(win(2, "5p", source=3)) == "not_a_win"


def test_one_discard_has_one_winner():
    log = dealt(DEALER, "9m", {1: "789m46p456999s22z", 2: WAITS_5P}, keep="5p")
    log.play("0-7z 1+9m 1-9m 2+9s 2-9s 3+5p 3-5p").hu(1, "5p", source=3)
    violation = log.refusal(win(2, "5p", source=3))
    assert (violation.code, violation.rule) == ("one_winner_per_discard", "JX-48")
    assert moves(log.game).due == Due(type="hand_ended", reason="hu")


# --- passing --------------------------------------------------------------------------------------


def test_who_lets_a_win_go_is_locked_until_the_own_draw():
    log = second_discard(WAITS_5P).play("0+5p 0-5p")
    violation = log.refusal(win(2, "5p", source=0))
    assert (violation.code, violation.rule) == ("pass_hu_locked", "JX-52")
    assert log.actions(2) == []
    log.play("1+8m 1-8m 2+9m 2-9m 3+8s 3-8s 0+5p 0-5p")
    assert win(2, "5p", source=0) in log.actions(2)


def test_a_written_pass_locks_as_silence_does():
    log = second_discard(WAITS_5P).let_go(2).play("0+5p 0-5p")
    assert log.code(win(2, "5p", source=0)) == "pass_hu_locked"


def test_a_club_may_play_without_the_lock():
    log = second_discard(WAITS_5P, pass_hu_lock=False).let_go(2).play("0+5p 0-5p")
    assert win(2, "5p", source=0) in log.actions(2)


def test_an_own_draw_is_never_locked():
    log = second_discard(WAITS_5P).play("0+8m 0-8m 1+8m 1-8m 2+5p").hu(2, "5p")
    assert log.table.wins[0].by == "zimo"


PAIR = {2: "225m147p58s33445z"}


@pytest.mark.parametrize("barred", ["2m", ""])
def test_who_lets_a_peng_go_may_be_barred_from_it_until_the_own_draw(barred: str):
    log = dealt(DEALER, "9m", PAIR, keep="2m", pass_peng_lock=bool(barred))
    log.play("0-2m 1+8m")
    assert log.table.extra.no_peng[2] == barred
    log.play("1-8m 2+9s")
    assert log.table.extra.no_peng[2] == ""
    log.play("2-9s 3+2m 3-2m")
    assert Peng(seat=2, tiles="222m", tile="2m", from_=3) in log.actions(2)


def test_a_barred_peng_is_refused():
    log = dealt(DEALER, "9m", PAIR, keep="2m", pass_peng_lock=True).play("0-2m 1+2m 1-2m")
    violation = log.refusal(Peng(seat=2, tiles="222m", tile="2m", from_=1))
    assert (violation.code, violation.rule) == ("pass_peng_locked", "JX-52")
    assert log.actions(2) == []
    log.play("2+8s")
    assert log.table.extra.no_peng[2] == ""


def test_a_peng_that_is_taken_is_not_let_go():
    log = dealt(DEALER, "9m", PAIR, pass_peng_lock=True).play("0-2m").peng(2, "2m", 0)
    assert log.table.extra.no_peng[2] == ""


def test_letting_the_same_peng_go_twice_bars_it_once():
    log = dealt(DEALER, "9m", PAIR, keep="2m", pass_peng_lock=True).play("0-2m 1+2m 1-2m")
    assert log.play("2+8s 2-8s 3+9s").table.extra.no_peng == ("", "", "", "")


def test_nothing_can_be_passed_where_nothing_can_be_taken():
    log = dealt(DEALER, "9m").play("0-7z")
    assert log.code(Pass(seat=1)) == "nothing_to_pass"


def test_there_is_no_ting():
    log = dealt(DEALER, "9m")
    violation = log.refusal(log.make("ting", seat=0))
    assert (violation.code, violation.rule) == ("no_ting", "JX-70")


# --- dealers --------------------------------------------------------------------------------------


def test_the_winner_deals_next():
    log = second_discard(WAITS_5P).hu(2, "5p", source=3).end("hu")
    assert (log.game.dealer, log.game.streak) == (2, 1)


def test_or_the_deal_passes_on_unless_the_dealer_won():
    log = second_discard(WAITS_5P, next_dealer="rotate").hu(2, "5p", source=3).end("hu")
    assert (log.game.dealer, log.game.streak) == (1, 1)
    log = dealt("123456m789p11123s", "9p", next_dealer="rotate").hu(0, "9p").end("hu")
    assert (log.game.dealer, log.game.streak) == (0, 2)


def test_a_hand_given_up_is_dealt_again():
    log = dealt(DEALER, "9m").play("0-7z " + ROUND).add(HandEnded(reason="abandoned"))
    assert (log.game.dealer, log.game.streak) == (0, 1)


def test_a_win_is_declared_as_it_is():
    log = second_discard(WAITS_5P)
    assert log.code(Hu(seat=2, by="zimo", tile="5p")) == "no_such_win"
