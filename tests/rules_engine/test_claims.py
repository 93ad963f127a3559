"""Chi, peng, gangs and wins, played by a variant that has every claim."""

import pytest

from rules_engine.events import Chi, Gang, HandEnded, Hu, Pass, Peng
from rules_engine.fold import closing
from rules_engine.moves import moves
from rules_engine.tiles import parse
from tests.rules_engine.log import Log, win
from tests.rules_engine.toy_table import dealt

pytestmark = pytest.mark.usefixtures("toy")

# --- chi, peng and gang ---------------------------------------------------------------------------

CHI = {1: "23m456p789s55667z"}


def test_the_next_seat_may_chi_and_then_discards() -> None:
    log = dealt(CHI).play("0-1m")
    assert Chi(seat=1, tiles="123m", tile="1m", from_=0) in log.actions(1)
    log.chi(1, "123m", "1m", 0)
    assert log.table.seats[0].pond[0].taken
    assert log.table.seats[1].melds[0].from_ == 0
    assert log.table.drawn < 0
    assert not any(isinstance(action, Gang | Hu) for action in log.actions())
    log.play("1-7z 2+9m")


def test_a_meld_may_be_written_in_any_order() -> None:
    log = dealt(CHI).play("0-1m").chi(1, "312m", "1m", 0)
    assert log.table.seats[1].melds[0].tiles == "123m"


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        (Chi(seat=2, tiles="123m", tile="1m", from_=0), "not_your_turn"),
        (Chi(seat=1, tiles="123m", tile="2m", from_=0), "wrong_tile"),
        (Chi(seat=1, tiles="123m", tile="1m", from_=3), "wrong_tile"),
        (Chi(seat=1, tiles="234m", tile="1m", from_=0), "bad_meld"),
        (Chi(seat=1, tiles="12m", tile="1m", from_=0), "bad_meld"),
        (Chi(seat=1, tiles="", tile="1m", from_=0), "bad_meld"),
        (Chi(seat=1, tiles="189m", tile="1m", from_=0), "bad_meld"),
        (Chi(seat=1, tiles="111m", tile="1m", from_=0), "bad_meld"),
        (Chi(seat=1, tiles="1m19s", tile="1m", from_=0), "bad_meld"),
        (Peng(seat=1, tiles="123m", tile="1m", from_=0), "bad_meld"),
        (Peng(seat=1, tiles="111m", tile="1m", from_=0), "tile_not_held"),
        (Peng(seat=0, tiles="111m", tile="1m", from_=0), "not_your_turn"),
        (Peng(seat=1, tiles="11111m", tile="1m", from_=0), "bad_tiles"),
        (Gang(seat=1, kind="ming_gang", tile="1m", from_=0), "gang_needs_four"),
        (Gang(seat=1, kind="ming_gang", tile="1m"), "wrong_tile"),
        (Gang(seat=1, kind="an_gang", tile="1m"), "not_your_turn"),
        (Gang(seat=1, kind="feng_gang", tile="1m"), "claim_forbidden"),
    ],
)
def test_a_claim_that_cannot_be_is_refused(claim: Chi, code: str) -> None:
    assert dealt(CHI).play("0-1m").code(claim) == code


def test_honours_make_no_run() -> None:
    log = dealt({1: "23m456p789s66677z"}).play("0-5z")
    assert log.code(Chi(seat=1, tiles="567z", tile="5z", from_=0)) == "bad_meld"
    assert log.actions(1) == []


def test_nothing_can_be_claimed_in_ones_own_turn() -> None:
    assert dealt().code(Peng(seat=1, tiles="111m", tile="1m", from_=0)) == "not_your_turn"


PENG = {2: "11m456p789s55667z"}


def test_any_seat_may_peng_and_the_turn_jumps() -> None:
    log = dealt(PENG).play("0-1m").peng(2, "1m", 0)
    assert log.table.turn == 2
    log.play("2-7z")
    assert log.code("0+9m") == "not_your_turn"
    log.play("3+9m")


def test_a_variant_may_refuse_a_claim_the_tiles_allow() -> None:
    hands = {3: "147m147p147s1234z", 0: "23m147p147s123456z"}
    for proud in (False, True):
        log = Log("toy", proud=proud).deal(hands, last="6z", dealer=0, keep="999p")
        log.play("0-6z 1+9p 1-9p 2+9p 2-9p 3+9p 3-1m")
        chi = Chi(seat=0, tiles="123m", tile="1m", from_=3)
        if proud:
            assert log.code(chi) == "too_proud"
        assert (chi in log.actions()) is not proud


def test_who_has_passed_may_not_claim() -> None:
    log = dealt({**CHI, 2: "11m456p789s22334z"}).play("0-1m").let_go(2)
    assert log.code(Peng(seat=2, tiles="111m", tile="1m", from_=0)) == "not_your_turn"
    assert log.actions(2) == []
    assert log.code(Pass(seat=2)) == "nothing_to_pass"
    log.chi(1, "123m", "1m", 0)


def test_who_has_nothing_to_let_go_cannot_pass() -> None:
    log = dealt(PENG).play("0-1m")
    assert log.refusal(Pass(seat=3)).code == "nothing_to_pass"
    assert log.refusal(Pass(seat=2, on="draw")).expected == "discard"


MING = {2: "111m456p789s5566z"}


def test_a_discard_may_be_ganged_and_is_replaced_from_the_tail() -> None:
    log = dealt(MING).play("0-1m")
    gang = Gang(seat=2, kind="ming_gang", tile="1m", from_=0)
    assert {gang, Peng(seat=2, tiles="111m", tile="1m", from_=0)} < set(log.actions(2))
    log.add(gang)
    assert log.table.phase == "replace"
    assert log.table.seats[0].pond[0].taken
    meld = log.table.seats[2].melds[0]
    assert (meld.kind, meld.tiles, meld.from_, meld.seq) == ("ming_gang", "1111m", 0, 4)
    assert log.code("2-5z") == "replacement_due"
    assert log.code("2+9m") == "wrong_source"
    assert log.code("3^9m") == "not_your_turn"
    assert moves(log.game).actions == ()
    log.play("2^9m 2-9m 3+9m")


def test_four_in_hand_are_a_concealed_gang() -> None:
    log = Log("toy").deal({0: "1111m147p147s1234z"}, last="4z")
    assert Gang(seat=0, kind="an_gang", tile="1m") in log.actions()
    assert log.code(Gang(seat=0, kind="an_gang", tile="4z")) == "gang_needs_four"
    assert log.code(Gang(seat=0, kind="an_gang", tile="1m", from_=1)) == "bad_meld"
    log.gang(0, "1m").play("0^9m 0-9m")
    assert log.table.seats[0].melds[0].kind == "an_gang"


def test_a_gang_needs_a_tile_drawn_in_this_turn() -> None:
    log = dealt({1: "23m5555p789s5566z"}).play("0-1m").chi(1, "123m", "1m", 0)
    assert log.code(Gang(seat=1, kind="an_gang", tile="5p")) == "gang_after_claim"


def bu_gang(**options: object) -> Log:
    """Seat 2 has added 1m to a peng; seat 3 waits for it."""
    log = dealt({**PENG, 3: "23m456p789p789s22z"}, keep="1m888m", **options)
    log.play("0-1m").peng(2, "1m", 0).play("2-7z 3+8m 3-8m 0+8m 0-8m 1+8m 1-8m 2+1m")
    assert Gang(seat=2, kind="bu_gang", tile="1m") in log.actions()
    return log.gang(2, "1m", "bu_gang")


def test_a_fourth_tile_may_be_added_to_a_peng_and_the_gang_be_robbed() -> None:
    log = bu_gang()
    assert log.table.phase == "offer"
    assert log.table.seats[2].melds[0].kind == "peng", "it stands only when nobody robs it"
    assert log.code(win(3, "1m", source=2)) == "no_such_win"
    robbing = win(3, "1m", source=2, by="qiang_gang")
    assert log.actions() == [robbing, Pass(seat=3, on="gang")]
    log.add(robbing)
    assert closing(log.game) == HandEnded(reason="hu")
    log.end("hu")
    facts = log.game.last.facts
    assert [meld.kind for holding in facts.table for meld in holding.melds] == ["peng"]
    assert facts.wins[0].by == "qiang_gang"


@pytest.mark.parametrize("written", [True, False])
def test_a_gang_that_nobody_robs_stands(written: bool) -> None:  # noqa: FBT001
    log = bu_gang()
    if written:
        log.let_go(3, "gang")
        assert log.actions() == []
    log.play("2^9m")
    meld = log.table.seats[2].melds[0]
    assert (meld.kind, meld.tiles, meld.from_) == ("bu_gang", "1111m", 0)
    assert log.table.source == "tail"


def test_a_gang_that_cannot_be_robbed_is_replaced_at_once() -> None:
    assert bu_gang(rob="none").table.phase == "replace"


def test_a_gang_is_added_to_a_peng_only() -> None:
    log = dealt({1: "1m234m567p789s123z"}).play("0-5z 1+9m")
    violation = log.refusal(Gang(seat=1, kind="bu_gang", tile="9m"))
    assert violation.code == "gang_needs_peng"


def test_a_discard_that_was_ganged_may_be_robbed_where_the_rules_say_so() -> None:
    hands = {**MING, 3: "23m456p789p789s22z"}
    log = dealt(hands, rob="all").play("0-1m").gang(2, "1m", "ming_gang", 0)
    assert log.table.phase == "offer"
    assert not log.table.seats[0].pond[0].taken
    assert log.actions(3) == [win(3, "1m", source=2, by="qiang_gang"), Pass(seat=3, on="gang")]
    log.play("2^9m")
    assert log.table.seats[0].pond[0].taken
    assert log.table.seats[2].concealed == parse("456p789s5566z9m")


def test_a_concealed_gang_may_be_robbed_where_the_rules_say_so() -> None:
    hands = {0: "1111m147p147s1234z", 3: "23m456p789p789s22z"}
    log = Log("toy", rob="all").deal(hands, last="4z").gang(0, "1m")
    log.add(win(3, "1m", source=0, by="qiang_gang")).end("hu")


# --- winning --------------------------------------------------------------------------------------

READY = "123m456p789s1122z"
TWO = {1: "123m456p789s1116z", 2: "234m567p234s6777z"}


def test_a_win_on_a_discard_closes_when_all_have_answered() -> None:
    log = Log("toy").deal({0: "147m147p147s23456z", **TWO}, last="6z").play("0-6z")
    assert moves(log.game).due is not None
    log.hu(1, "6z", source=0)
    assert closing(log.game) is None, "seat 2 may still win"
    assert log.code("1+9m") == "no_draw_due"
    log.hu(2, "6z", source=0)
    assert closing(log.game) == HandEnded(reason="hu")
    log.end("hu")
    assert [w.seat for w in log.game.last.facts.wins] == [1, 2]
    assert log.game.dealer == 1


def test_winners_are_listed_in_turn_order_from_the_discarder() -> None:
    hands = {0: "147m147p147s23456z", **TWO}
    log = Log("toy").deal(hands, last="6z").play("0-6z").hu(2, "6z", source=0)
    assert log.code(win(2, "6z", source=0)) == "no_such_win", "a seat wins once"
    log.hu(1, "6z", source=0).end("hu")
    assert [w.seat for w in log.game.last.facts.wins] == [1, 2]


def test_a_hand_may_end_while_a_second_winner_keeps_silent() -> None:
    hands = {0: "147m147p147s23456z", **TWO}
    log = Log("toy").deal(hands, last="6z").play("0-6z").hu(2, "6z", source=0)
    assert moves(log.game).due.reason == "hu"
    assert log.code(HandEnded(reason="huang_zhuang")) == "hand_not_over"
    assert log.code(HandEnded(reason="abandoned")) == "hand_not_over"
    log.end("hu")
    assert len(log.game.last.facts.wins) == 1


def test_where_one_wins_alone_the_first_to_declare_does() -> None:
    hands = {0: "147m147p147s23456z", **TWO}
    log = Log("toy", several_winners=False).deal(hands, last="6z").play("0-6z")
    assert {action.seat for action in log.actions() if isinstance(action, Hu)} == {1, 2}
    log.hu(2, "6z", source=0)
    assert closing(log.game) == HandEnded(reason="hu")
    assert log.code(win(1, "6z", source=0)) == "hand_over"


def test_nothing_is_claimed_once_somebody_has_won() -> None:
    hands = {0: "147m147p147s23456z", 1: TWO[1], 3: "369m258p258s3466z"}
    log = Log("toy").deal(hands, last="6z").play("0-6z").hu(1, "6z", source=0)
    assert log.code(Peng(seat=3, tiles="666z", tile="6z", from_=0)) == "not_your_turn"
    assert log.actions() == []


def test_a_dealt_win_is_a_zimo() -> None:
    log = Log("toy").deal({0: READY + "2z"}, last="2z")
    assert log.actions(0)[:2] == [win(0, "2z"), Pass(seat=0, on="draw")]
    assert log.code(win(0, "1z")) == "no_such_win"
    assert log.code(win(0, "2z", source=1)) == "no_such_win"
    log.hu(0, "2z")
    assert log.code("0-2z") == "hand_over"
    log.end("hu")
    assert log.game.last.facts.wins[0].concealed == READY
    assert (log.game.dealer, log.game.streak) == (0, 2)


def test_a_win_on_the_own_draw_may_be_passed_in_writing() -> None:
    log = Log("toy").deal({0: READY + "2z"}, last="2z").let_go(0, "draw")
    assert log.code(win(0, "2z")) == "no_such_win"
    assert log.code(Pass(seat=0, on="draw")) == "nothing_to_pass"
    log.play("0-1z")


def test_a_hand_that_is_not_complete_does_not_win() -> None:
    violation = dealt().refusal(win(0, "5z"))
    assert (violation.code, violation.rule) == ("not_winning_shape", "TY-2")


def test_where_a_win_has_to_be_taken_nothing_else_happens() -> None:
    hands = {0: "147m147p147s23456z", 1: TWO[1], 3: "369m258p258s3466z"}
    log = Log("toy", must_hu=True).deal(hands, last="6z").play("0-6z")
    assert log.actions() == [win(1, "6z", source=0), Pass(seat=3)]
    assert moves(log.game).due is None
    assert log.refusal("1+9m").code == "must_hu"
    assert log.refusal("1+9m").expected == {"hu": 1}
    assert log.code(Pass(seat=1)) == "must_hu"
    assert log.code(Peng(seat=3, tiles="666z", tile="6z", from_=0)) == "must_hu"
    log.let_go(3).hu(1, "6z", source=0).end("hu")


def test_where_a_win_has_to_be_taken_a_second_winner_is_waited_for() -> None:
    hands = {0: "147m147p147s23456z", **TWO}
    log = Log("toy", must_hu=True).deal(hands, last="6z").play("0-6z").hu(1, "6z", source=0)
    assert log.code(HandEnded(reason="hu")) == "must_hu"
    assert moves(log.game).due is None
    log.hu(2, "6z", source=0).end("hu")


def test_a_self_drawn_win_that_has_to_be_taken_is_the_only_action() -> None:
    log = Log("toy", must_hu=True).deal({0: READY + "2z"}, last="2z")
    assert log.actions() == [win(0, "2z")]
    assert log.code("0-2z") == "must_hu"


def test_a_win_on_a_replacement_tile_carries_its_flag() -> None:
    log = Log("toy").deal({0: "1111m456p789s1122z"}, last="2z", keep="2z").gang(0, "1m")
    log.play("0^2z").hu(0, "2z").end("hu")
    assert log.game.last.facts.wins[0].flags == ("gang_kai",)
