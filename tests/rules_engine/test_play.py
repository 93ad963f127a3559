"""The standard turn, played by a variant that has every claim."""

import pytest

from rules_engine.errors import IllegalEvent
from rules_engine.events import Chi, Discard, Gang, HandEnded, Hu, Pass, Peng, Ting
from rules_engine.fold import closing
from rules_engine.moves import moves
from rules_engine.ruleset import Ruleset
from rules_engine.tiles import parse
from tests.rules_engine.log import Log, win

pytestmark = pytest.mark.usefixtures("toy")

DEALER = "147m147p147s1234z5z"
"""A dealer's hand that no tile helps; 5z is the drawn one."""


def dealt(hands: dict[int, str] | None = None, *, keep: str = "", **options: object) -> Log:
    """A hand in which seat 0 deals."""
    return Log("toy", **options).deal({0: DEALER, **(hands or {})}, last="5z", keep=keep)


def test_the_toy_is_found_by_its_entry_point(toy: Ruleset) -> None:
    assert toy.names.en == "Toy mahjong"
    assert list(toy.rules) == ["TY-1", "TY-2", "TY-3", "TY-4"]


# --- the deal -------------------------------------------------------------------------------------


def test_a_deal_with_a_hand_too_small_is_refused() -> None:
    violation = refused_deal({0: DEALER, 1: "123m"})
    assert violation.code == "wrong_deal"
    assert (violation.expected, violation.actual, violation.facts) == (13, 3, {"seat": 1})


def test_a_deal_with_a_fifth_copy_is_refused() -> None:
    hands = {0: "1111m147p147s1234z", 1: "1m258p258s123456z"}
    violation = refused_deal(hands, last="4z")
    assert violation.code == "too_many_tiles"
    assert (violation.expected, violation.actual) == (4, "1m")


def test_a_deal_with_five_of_a_kind_in_one_hand_is_refused() -> None:
    assert refused_deal({0: "11111m47p147s1234z"}, last="4z").code == "bad_tiles"


def test_a_deal_with_a_tile_that_the_game_has_not_is_refused() -> None:
    violation = refused_deal({0: DEALER, 1: "123456789m123s1f"})
    assert violation.code == "bad_tiles"
    assert violation.actual == "1f"


def test_the_last_tile_must_be_one_the_dealer_was_dealt() -> None:
    violation = refused_deal({0: DEALER}, last="6z")
    assert (violation.code, violation.actual) == ("wrong_deal", "6z")


def refused_deal(hands: dict[int, str], last: str = "5z"):
    """Why this deal is refused, the other hands made of tiles of their own."""
    others = {1: "258m258p258s1234z", 2: "369m369p369s1234z", 3: "258m369p258s5566z"}
    dealt = {**others, **hands}
    log = Log("toy")
    return log.refusal(
        log.make(
            "hand_started",
            hand=1,
            dealer=0,
            dealt=[dealt[seat] for seat in range(4)],
            last=last,
        )
    )


# --- draws and discards ---------------------------------------------------------------------------


def test_the_dealer_discards_first_and_the_next_seat_draws() -> None:
    log = dealt()
    assert log.code("1+9m") == "not_your_turn"
    log.play("0-5z")
    assert log.code("2+9m") == "not_your_turn"
    assert log.refusal("1^9m").code == "wrong_source"
    assert log.code("0-4z") == "not_your_turn"
    log.play("1+9m")
    assert log.table.turn == 1
    assert log.table.remaining == 136 - 53 - 1


def test_a_discard_must_be_held() -> None:
    violation = dealt().refusal("0-9m")
    assert violation.code == "tile_not_held"
    assert (violation.expected, violation.actual) == ("147m147p147s12345z", "9m")


def test_a_discard_says_truly_whether_it_was_just_drawn() -> None:
    log = dealt()
    assert log.code(Discard(seat=0, tile="5z", drawn=False)) == "drawn_mismatch"
    assert log.code(Discard(seat=0, tile="1m", drawn=True)) == "drawn_mismatch"
    log.play("0-1m")
    assert log.table.seats[0].pond[0].drawn is False


def test_of_two_like_tiles_either_may_be_discarded() -> None:
    hand = {0: "147m147p147s12355z"}
    for drawn in (True, False):
        log = Log("toy").deal(hand, last="5z")
        log.add(Discard(seat=0, tile="5z", drawn=drawn))
        assert log.table.seats[0].pond[0].drawn is drawn


def test_a_fifth_copy_cannot_be_drawn() -> None:
    log = dealt({1: "5556m258p258s123z"}, keep="5m")
    violation = log.play("0-5z").refusal("1+1f")
    assert violation.code == "bad_tiles"
    log.play("1+5m")
    log.play("1-5m")
    assert log.refusal("2+5m").code == "too_many_tiles"


def test_an_unknown_event_is_out_of_place() -> None:
    assert dealt().code(Ting(seat=0)) == "event_out_of_place"


def test_a_variants_own_event_keeps_to_the_turn() -> None:
    log = dealt().own("cheer", seat=0)
    assert log.code(log.make("cheer", seat=1)) == "not_your_turn"


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
    facts = log.game.last.facts  # type: ignore[union-attr]
    assert [meld.kind for holding in facts.table for meld in holding.melds] == ["peng"]  # type: ignore[union-attr]
    assert facts.wins[0].by == "qiang_gang"  # type: ignore[union-attr]


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
    assert [w.seat for w in log.game.last.facts.wins] == [1, 2]  # type: ignore[union-attr]
    assert log.game.dealer == 1


def test_winners_are_listed_in_turn_order_from_the_discarder() -> None:
    hands = {0: "147m147p147s23456z", **TWO}
    log = Log("toy").deal(hands, last="6z").play("0-6z").hu(2, "6z", source=0)
    assert log.code(win(2, "6z", source=0)) == "no_such_win", "a seat wins once"
    log.hu(1, "6z", source=0).end("hu")
    assert [w.seat for w in log.game.last.facts.wins] == [1, 2]  # type: ignore[union-attr]


def test_a_hand_may_end_while_a_second_winner_keeps_silent() -> None:
    hands = {0: "147m147p147s23456z", **TWO}
    log = Log("toy").deal(hands, last="6z").play("0-6z").hu(2, "6z", source=0)
    assert moves(log.game).due.reason == "hu"  # type: ignore[union-attr]
    assert log.code(HandEnded(reason="huang_zhuang")) == "hand_not_over"
    assert log.code(HandEnded(reason="abandoned")) == "hand_not_over"
    log.end("hu")
    assert len(log.game.last.facts.wins) == 1  # type: ignore[union-attr]


def test_where_one_wins_alone_the_first_to_declare_does() -> None:
    hands = {0: "147m147p147s23456z", **TWO}
    log = Log("toy", several_winners=False).deal(hands, last="6z").play("0-6z")
    assert {action.seat for action in log.actions() if isinstance(action, Hu)} == {1, 2}  # type: ignore[attr-defined]
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
    assert log.game.last.facts.wins[0].concealed == READY  # type: ignore[union-attr]
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
    assert log.game.last.facts.wins[0].flags == ("gang_kai",)  # type: ignore[union-attr]


# --- the end of a hand ----------------------------------------------------------------------------


def drawn_out() -> Log:
    """A hand whose last discard nobody has taken."""
    log = dealt(keep="").play("0-5z")
    return log.draw_out(0)


def test_the_hand_ends_when_no_tile_is_left() -> None:
    log = drawn_out()
    due = moves(log.game).due
    assert due is not None
    assert (due.type, due.reason) == ("hand_ended", "huang_zhuang")
    assert log.code(log.make("draw", seat=0, tile="1m")) == "no_draw_due"
    log.end("huang_zhuang")
    assert log.game.last.facts.result == "huang_zhuang"  # type: ignore[union-attr]


def test_no_gang_is_made_without_a_tile_to_replace_it() -> None:
    log = dealt(keep="").play("0-5z")
    log.draw_out(1)
    seat = moves(log.game).due.seat  # type: ignore[union-attr]
    quad = Gang(seat=seat, kind="an_gang", tile="1m")  # type: ignore[arg-type]
    log.draw_out(0)
    assert log.code(quad) == "not_your_turn"
    assert log.game.play.refuse_gang(log.table, 0, 0, "an_gang").code == "no_replacement_tile"  # type: ignore[union-attr]


def test_a_hand_cannot_end_before_it_is_over() -> None:
    log = dealt()
    violation = log.refusal(HandEnded(reason="huang_zhuang"))
    assert (violation.code, violation.expected, violation.actual) == (
        "hand_not_over",
        None,
        "huang_zhuang",
    )
    assert log.code(HandEnded(reason="hu")) == "hand_not_over"


def test_a_hand_may_be_abandoned_at_any_moment_before_a_win() -> None:
    log = dealt().play("0-5z").end("abandoned")
    assert log.game.last.facts is None  # type: ignore[union-attr]
    assert (log.game.dealer, log.game.streak) == (0, 2)


def test_a_won_hand_ends_in_no_other_way() -> None:
    log = Log("toy").deal({0: READY + "2z"}, last="2z").hu(0, "2z")
    for reason in ("abandoned", "huang_zhuang"):
        violation = log.refusal(log.make("hand_ended", reason=reason))
        assert (violation.code, violation.expected) == ("hand_not_over", "hu")


def test_the_play_of_one_set_of_options_is_one_object(toy: Ruleset) -> None:
    assert Log("toy").game.play is Log("toy").game.play
    assert Log("toy").game.play is not Log("toy", proud=True).game.play


def test_a_missing_wind_of_change_is_an_error_of_the_caller() -> None:
    with pytest.raises(IllegalEvent):
        Log("toy").add(Discard(seat=0, tile="1m", drawn=False))
