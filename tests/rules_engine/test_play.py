"""The standard turn, played by a variant that has every claim."""

import pytest

from rules_engine.errors import IllegalEvent
from rules_engine.events import Discard, Gang, HandEnded, Ting
from rules_engine.moves import moves
from rules_engine.ruleset import Ruleset
from tests.rules_engine.log import Log
from tests.rules_engine.toy_table import DEALER, dealt

pytestmark = pytest.mark.usefixtures("toy")


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
    assert log.game.last.facts.result == "huang_zhuang"


def test_no_gang_is_made_without_a_tile_to_replace_it() -> None:
    log = dealt(keep="").play("0-5z")
    log.draw_out(1)
    seat = moves(log.game).due.seat
    quad = Gang(seat=seat, kind="an_gang", tile="1m")
    log.draw_out(0)
    assert log.code(quad) == "not_your_turn"
    assert log.game.play.refuse_gang(log.table, 0, 0, "an_gang").code == "no_replacement_tile"


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
    assert log.game.last.facts is None
    assert (log.game.dealer, log.game.streak) == (0, 2)


def test_a_won_hand_ends_in_no_other_way() -> None:
    log = Log("toy").deal({0: "123m456p789s11222z"}, last="2z").hu(0, "2z")
    for reason in ("abandoned", "huang_zhuang"):
        violation = log.refusal(log.make("hand_ended", reason=reason))
        assert (violation.code, violation.expected) == ("hand_not_over", "hu")


def test_the_play_of_one_set_of_options_is_one_object(toy: Ruleset) -> None:
    assert Log("toy").game.play is Log("toy").game.play
    assert Log("toy").game.play is not Log("toy", proud=True).game.play


def test_a_missing_wind_of_change_is_an_error_of_the_caller() -> None:
    with pytest.raises(IllegalEvent):
        Log("toy").add(Discard(seat=0, tile="1m", drawn=False))
