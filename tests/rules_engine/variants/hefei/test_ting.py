"""Declaring readiness in a bao-ting room, and what a declared seat may do."""

from typing import Any

from rules_engine.events import (
    Gang,
    HandStarted,
    Pass,
)
from tests.rules_engine.log import Log, win
from tests.rules_engine.variants.hefei.tables import (
    DEALER,
    READY,
    WORKED,
    bao_ting,
    flags_of,
    ready_dealer,
)

# --- ting -----------------------------------------------------------------------------------------


def test_nobody_declares_in_a_plain_room() -> None:
    log = Log().deal({0: "2346788m345p2345s"}, last="2s")
    violation = log.refusal(log.make("ting", seat=0, discard="2s"))
    assert (violation.code, violation.rule) == ("ting_not_in_plain_room", "HF-30")


def test_a_discard_is_won_by_declared_seats_only() -> None:
    log = bao_ting().deal({0: DEALER, 1: READY}, last="8s").play("0-5m")
    assert log.actions() == []
    violation = log.refusal(win(1, "5m", source=0))
    assert (violation.code, violation.rule) == ("ting_required", "HF-34")


def test_a_declaration_is_offered_for_each_discard_that_leaves_a_ready_hand() -> None:
    log = ready_dealer()
    tings = [action for action in log.actions() if action.type == "ting"]
    assert log.make("ting", seat=0, discard="2s") in tings
    for ting in tings:
        log.make("ting", seat=0, discard=ting.discard)
        ready_dealer().add(ting)


def test_between_the_declaration_and_its_discard_nothing_else_happens() -> None:
    log = ready_dealer().own("ting", seat=0, discard="2s")
    assert [action.type for action in log.actions()] == ["discard"]
    assert log.refusal("0-8m").rule == "HF-31"
    assert log.code(win(0, "2s")) == "no_such_win"
    assert log.code("1+5m") == "not_your_turn"
    log.play("0-2s")


def test_a_declared_seat_wins_by_itself_on_any_discard() -> None:
    log = ready_dealer().own("ting", seat=0, discard="2s").play("0-2s 1+5m 1-5m")
    assert log.actions() == [win(0, "5m", source=1)]
    violation = log.refusal(Pass(seat=0))
    assert (violation.code, violation.rule) == ("must_hu", "HF-33")
    log.hu(0, "5m", source=1)
    assert log.table.extra.causes == ((0, "ting"),)
    assert flags_of(log) == ("ting",)


def test_a_declared_seat_may_choose_where_the_club_says_so() -> None:
    log = ready_dealer(auto_hu_after_ting=False).own("ting", seat=0, discard="2s")
    log.play("0-2s 1+5m 1-5m")
    assert log.actions() == [win(0, "5m", source=1), Pass(seat=0)]
    log.hu(0, "5m", source=1)
    assert log.table.extra.causes == ((0, "player"),)


def test_a_declared_seat_discards_the_tile_it_took() -> None:
    log = ready_dealer().own("ting", seat=0, discard="2s").play("0-2s 1+6p 1-6p 2+6p 2-6p")
    log.play("3+7p 3-7p 0+6p")
    assert [action.type for action in log.actions()] == ["discard"]
    violation = log.refusal("0-2m")
    assert (violation.code, violation.rule) == ("ting_locked_discard", "HF-31")
    assert (violation.expected, violation.actual) == ("6p", "2m")
    log.play("0-6p")


def gang_after_ting(rule: str) -> Log:
    """HF-32's example: 2345678m333s with a gang waits for 2m, 5m, 8m, then draws the fourth 3s."""
    log = bao_ting(ting_gang=rule)
    log.add(HandStarted(hand=1, dealer=0, dealt=WORKED, last="3s"))
    log.gang(0, "5p").play("0^4s").own("ting", seat=0, discard="4s").play("0-4s")
    return log.play("1+8s 1-8s 2+3p 2-3p 3+7p 3-7p 0+3s")


def test_a_gang_after_ting_must_leave_the_hand_ready() -> None:
    for rule in ("keep_ting", "same_waits"):
        log = gang_after_ting(rule)
        assert Gang(seat=0, kind="an_gang", tile="3s") in log.actions(), rule
        log.gang(0, "3s")
    log = gang_after_ting("forbidden")
    assert [action.type for action in log.actions()] == ["discard"]
    violation = log.refusal(Gang(seat=0, kind="an_gang", tile="3s"))
    assert (violation.code, violation.rule) == ("gang_breaks_ting", "HF-32")
    assert violation.expected == ["2m", "5m", "8m"]


def drawn_after_ting(hand: str, **options: Any) -> Log:
    """The dealer declares with the discard of 8s and then draws a fourth 3m."""
    log = bao_ting(**options).deal({0: hand}, last="8s", keep="3m778p")
    log.own("ting", seat=0, discard="8s")
    return log.play("0-8s 1+7p 1-7p 2+7p 2-7p 3+8p 3-8p 0+3m")


def test_a_gang_after_ting_may_have_to_leave_the_same_waits() -> None:
    gang = Gang(seat=0, kind="an_gang", tile="3m")
    log = drawn_after_ting("3334678m345p3458s", ting_gang="same_waits")
    assert gang not in log.actions()
    violation = log.refusal(gang)
    assert (violation.code, violation.rule) == ("gang_breaks_ting", "HF-32")
    assert (violation.expected, violation.actual) == (["2m", "4m", "5m"], ["4m"])
    log = drawn_after_ting("3334678m345p3458s", ting_gang="keep_ting")
    assert gang in log.actions()
    log.add(gang)


def test_a_gang_that_leaves_the_hand_waiting_for_nothing_is_refused() -> None:
    log = drawn_after_ting("33345678m345p458s")
    violation = log.refusal(Gang(seat=0, kind="an_gang", tile="3m"))
    assert (violation.code, violation.actual) == ("gang_breaks_ting", [])
    log.play("0-3m")


def test_nobody_declares_in_the_zone() -> None:
    log = bao_ting(auto_hu_after_ting=False).deal({0: DEALER, 3: READY}, last="8s", keep="2468s")
    log.play("0-2s").draw_out(4, spare="2468s").play("0+2s 1+4s 2+6s 3+8s")
    violation = log.refusal(log.make("ting", seat=3, discard="8s"))
    assert (violation.code, violation.rule) == ("no_discard_in_zone", "HF-20")


# --- ting at the deal -----------------------------------------------------------------------------


def at_the_deal(**options: Any) -> Log:
    """Seats 1 and 2 are dealt ready hands in a room where that may be declared."""
    log = bao_ting(initial_ting=True, **options)
    hands = {0: DEALER, 1: READY, 2: "2346788m456p456s"}
    return log.deal(hands, last="8s", keep="6p")


def test_a_dealt_ready_hand_may_be_declared_before_the_dealers_first_discard() -> None:
    log = at_the_deal()
    assert log.make("ting", seat=1) in log.actions()
    log.own("ting", seat=1).play("0-5m")
    assert log.actions() == [win(1, "5m", source=0)]
    log.hu(1, "5m", source=0)
    assert flags_of(log) == ("dealer_first_discard", "ting")


def test_a_declaration_at_the_deal_comes_before_the_first_discard_only() -> None:
    log = at_the_deal()
    early = log.make("ting", seat=1)
    assert log.refusal(log.make("ting", seat=0)).code == "not_your_turn"
    assert log.refusal(log.make("ting", seat=3)).code == "ting_not_ready"
    log.own("ting", seat=2)
    assert log.code(log.make("ting", seat=2)) == "ting_already_declared"
    log.play("0-2s")
    assert log.code(early) == "not_your_turn"
    log.play("1+6p")
    assert log.code(early) == "not_your_turn"


def test_a_declaration_at_the_deal_may_come_between_the_dealers_and_its_discard() -> None:
    log = bao_ting(initial_ting=True)
    log.deal({0: "2346788m345p2345s", 1: "2345688m456p456s"}, last="2s")
    log.own("ting", seat=0, discard="2s")
    assert [a for a in log.actions() if a.type == "ting"] == [log.make("ting", seat=1)]
    log.own("ting", seat=1)
    assert log.refusal("0-8m").code == "ting_locked_discard"
    log.play("0-2s")


def test_a_declaration_at_the_deal_may_come_while_the_dealer_replaces_a_gang() -> None:
    log = bao_ting(initial_ting=True)
    log.deal({0: "5555m345678p2478s", 1: "2346788m234p234s"}, last="8s").gang(0, "5m")
    assert log.make("ting", seat=1) in log.actions()
    log.own("ting", seat=1)


def test_nothing_is_declared_once_the_dealer_has_won() -> None:
    log = bao_ting(initial_ting=True)
    log.deal({0: "234567888m234p55s", 1: "2345677m567p567s"}, last="5s").hu(0, "5s")
    assert log.actions() == []


def test_nobody_declares_at_the_deal_where_the_club_does_not_say_so() -> None:
    log = bao_ting().deal({0: DEALER, 1: READY}, last="8s")
    assert log.code(log.make("ting", seat=1)) == "not_your_turn"
    assert log.make("ting", seat=1) not in log.actions()
