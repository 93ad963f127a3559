"""Hefei as it is played: the zone, ting, gangs, passing, automatic seats, leaving, next dealer."""

from typing import Any

import pytest

from rules_engine.events import (
    Chi,
    Event,
    Gang,
    HandEnded,
    HandStarted,
    Hu,
    Pass,
    Peng,
    PlayerLeft,
    PlayerSeated,
)
from rules_engine.fold import closing
from rules_engine.moves import moves
from rules_engine.score import HandScore
from tests.rules_engine.log import Log, win

DEALER = "55m2345678p24578s"
READY = "2346788m345p345s"
"""Waits for 5m and 8m, with nine tiles of m then."""
WORKED = ("2345678m5555p333s", "2235m2336p24688s", "3567m46778p5677s", "5m2446788p24567s")


def bao_ting(**options: Any) -> Log:
    """A bao-ting room."""
    return Log(room="bao_ting", **options)


def ready_dealer(**options: Any) -> Log:
    """Seat 0 can declare with the discard of 2s: it then waits for 5m and 8m."""
    log = bao_ting(**options)
    return log.deal({0: "2346788m345p2345s"}, last="2s", keep="58m66677p")


# --- the worked log of the specification ----------------------------------------------------------


def worked_log() -> Log:
    """HF-75's worked log in the product's form: the dealer at streak 2, two gangs, ting."""
    log = bao_ting()
    log.own("hand_result", hand=1, dealer=0, result="huang_zhuang")
    log.add(HandStarted(hand=2, dealer=0, streak=2, dice=(2, 5), dealt=WORKED, last="3s"))
    log.gang(0, "5p").play("0^4s").own("ting", seat=0, discard="4s").play("0-4s")
    return log.play("1+8s 1-8s 2+3p 2-3p 3+7p 3-7p 0+3s").gang(0, "3s").play("0^8m")


def test_the_worked_log_scores_as_the_specification_says() -> None:
    log = worked_log()
    assert log.actions() == [win(0, "8m")], "the declared hand wins by itself"
    log.hu(0, "8m")
    assert closing(log.game) == HandEnded(reason="hu")
    log.end("hu")
    record = log.game.last
    assert record is not None
    assert record.facts is not None
    assert record.facts.wins[0].flags == ("gang_kai", "ting")
    score = log.game.ruleset.score(record.facts, log.game.options)
    assert isinstance(score, HandScore)
    assert [(line.id, line.points) for line in score.wins[0].items] == [
        ("base", 12),
        ("tong", 2),
        ("gang", 4),
        ("ka", 1),
        ("gang_kai", 19),
        ("zhuang_fen", 4),
    ]
    assert score.wins[0].total == 42
    assert score.total_points == (126, -42, -42, -42)
    assert (log.game.dealer, log.game.streak) == (0, 3)


def written(log: Log, text: str) -> Event:
    """An event written as its type and ``field=value``, not applied."""
    name, *pairs = text.split()
    fields: dict[str, Any] = dict(pair.split("=") for pair in pairs)
    if "seat" in fields:
        fields["seat"] = int(fields["seat"])
    if "drawn" in fields:
        fields["drawn"] = fields["drawn"] == "true"
    return log.make(name, **fields)


@pytest.mark.parametrize(
    ("before", "event", "code", "rule"),
    [
        (4, "gang seat=0 kind=an_gang tile=3s", "gang_needs_four", "HF-26"),
        (5, "discard seat=0 tile=4s drawn=false", "replacement_due", "HF-18"),
        (5, "draw seat=0 tile=4s source=head", "wrong_source", "HF-18"),
        (6, "ting seat=0 discard=3s", "ting_not_ready", "HF-29"),
        (6, "ting seat=0 discard=8s", "tile_not_held", "HF-17"),
        (6, "ting seat=1 discard=4s", "not_your_turn", "HF-17"),
        (7, "discard seat=0 tile=8m drawn=false", "ting_locked_discard", "HF-31"),
        (7, "gang seat=0 kind=an_gang tile=3s", "gang_needs_four", "HF-26"),
        (7, "ting seat=0 discard=4s", "ting_already_declared", "HF-31"),
        (8, "draw seat=2 tile=8s", "not_your_turn", "HF-17"),
        (8, "draw seat=1 tile=5p", "too_many_tiles", "HF-4"),
        (8, "draw seat=1 tile=9s", "bad_tiles", "HF-4"),
        (9, "discard seat=1 tile=7m drawn=false", "tile_not_held", "HF-17"),
        (9, "discard seat=1 tile=8s drawn=true", "", ""),
        (9, "discard seat=1 tile=2m drawn=true", "drawn_mismatch", "HF-17"),
        (15, "discard seat=0 tile=8m drawn=false", "ting_locked_discard", "HF-31"),
        (17, "discard seat=0 tile=8m drawn=true", "must_hu", "HF-33"),
        (17, "pass seat=0 on=draw", "must_hu", "HF-33"),
        (17, "hu seat=0 by=zimo tile=2m", "no_such_win", "HF-40"),
        (17, "hand_ended reason=huang_zhuang", "hand_not_over", "HF-43"),
    ],
)
def test_the_worked_log_altered_is_refused_with_the_rule(
    before: int, event: str, code: str, rule: str
) -> None:
    whole = worked_log()
    log = bao_ting()
    log.add(*[each for seq, each in whole.events if 1 < seq < before])
    made = written(log, event)
    if not code:
        log.add(made)
        return
    violation = log.refusal(made)
    assert (violation.code, violation.rule, violation.seq) == (code, rule, before)


# --- the deal -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "code", "rule"),
    [
        ({"dice": (1,)}, "bad_dice", "HF-8"),
        ({"dice": (1, 7)}, "bad_dice", "HF-8"),
        ({"indicator": "5m"}, "wild_forbidden", "HF-5"),
    ],
)
def test_a_deal_has_two_dice_and_no_wild_tile(fields: dict[str, Any], code: str, rule: str) -> None:
    log = Log()
    log.deal({}, last="2m")
    _, event = log.events[-1]
    body = {name: getattr(event, name) for name in ("hand", "dealer", "dealt", "last")}
    violation = Log().refusal(HandStarted(**body, **fields))
    assert (violation.code, violation.rule) == (code, rule)


def test_nothing_of_a_discard_can_be_claimed_but_the_win() -> None:
    log = Log().deal({0: DEALER, 2: READY}, last="8s")
    log.play("0-5m")
    for claim in (
        Chi(seat=1, tiles="456m", tile="5m", from_=0),
        Peng(seat=2, tiles="555m", tile="5m", from_=0),
        Gang(seat=2, kind="ming_gang", tile="5m", from_=0),
    ):
        violation = log.refusal(claim)
        assert (violation.code, violation.rule) == ("claim_forbidden", "HF-22")


def test_no_gang_can_be_robbed() -> None:
    log = Log().deal({0: "2222m345678p2478s"}, last="8s").gang(0, "2m")
    violation = log.refusal(win(1, "2m", source=0, by="qiang_gang"))
    assert (violation.code, violation.rule) == ("qiang_gang_forbidden", "HF-25")


# --- winning --------------------------------------------------------------------------------------


def test_a_hand_without_eight_of_a_suit_does_not_win() -> None:
    log = Log().deal({0: "234567m234p34588s"}, last="8s")
    violation = log.refusal(win(0, "8s"))
    assert (violation.code, violation.rule, violation.expected) == ("suit_below_min", "HF-39", 8)
    Log(min_suit=6).deal({0: "234567m234p34588s"}, last="8s").hu(0, "8s")


def test_a_hand_of_no_winning_shape_does_not_win() -> None:
    violation = Log().deal({0: DEALER}, last="8s").refusal(win(0, "8s"))
    assert (violation.code, violation.rule) == ("not_winning_shape", "HF-37")


def test_discards_may_be_put_beyond_winning() -> None:
    log = Log(allow_dianpao=False).deal({0: DEALER, 1: READY}, last="8s").play("0-5m")
    assert log.actions() == []
    violation = log.refusal(win(1, "5m", source=0))
    assert (violation.code, violation.rule) == ("dianpao_disabled", "HF-40")


def test_several_seats_may_win_on_one_discard_in_turn_order() -> None:
    hands = {0: DEALER, 1: READY, 2: "2346788m456p456s"}
    log = Log().deal(hands, last="8s").play("0-5m")
    log.hu(2, "5m", source=0).hu(1, "5m", source=0).end("hu")
    assert [each.seat for each in log.game.last.facts.wins] == [1, 2]  # type: ignore[union-attr]


# --- flags of the moment --------------------------------------------------------------------------


def flags_of(log: Log) -> tuple[str, ...]:
    """The flags of the only win."""
    return log.table.wins[0].flags


def test_the_dealers_dealt_win_is_tian_hu() -> None:
    log = Log().deal({0: "234567888m234p55s"}, last="5s").hu(0, "5s")
    assert flags_of(log) == ("tian_hu",)


def test_a_first_turn_win_is_di_hu_also_after_an_own_gang() -> None:
    log = Log().deal({0: DEALER, 1: READY}, last="8s", keep="5m").play("0-2s 1+5m").hu(1, "5m")
    assert flags_of(log) == ("di_hu",)
    log = Log().deal({0: DEALER, 1: "2346788m345p666s"}, last="8s", keep="5m6s")
    log.play("0-2s 1+6s").gang(1, "6s").play("1^5m").hu(1, "5m")
    assert flags_of(log) == ("gang_kai", "di_hu")


def test_a_win_on_the_dealers_first_discard_is_marked() -> None:
    log = Log().deal({0: DEALER, 1: READY}, last="8s").play("0-5m").hu(1, "5m", source=0)
    assert flags_of(log) == ("dealer_first_discard",)
    log = Log().deal({0: DEALER, 1: READY}, last="8s", keep="5m6p").play("0-2s 1+6p 1-6p 2+5m 2-5m")
    log.hu(1, "5m", source=2)
    assert flags_of(log) == ()


# --- the hai-lao zone -----------------------------------------------------------------------------


def zone(*, keep: str = "5m258p", spare: str = "5m258p", **options: Any) -> Log:
    """Seat 3 is ready and four tiles are left; seat 0 draws the first of them."""
    log = Log(**options).deal({0: DEALER, 3: READY}, last="8s", keep=keep).play("0-2s")
    return log.draw_out(4, spare=spare)


def test_in_the_zone_each_seat_takes_a_tile_and_nothing_is_discarded() -> None:
    log = zone().play("0+2p")
    assert log.table.extra.zone
    violation = log.refusal("0-2p")
    assert (violation.code, violation.rule) == ("no_discard_in_zone", "HF-20")
    assert log.actions() == []
    assert moves(log.game).due.seat == 1  # type: ignore[union-attr]
    log.play("1+5p 2+8p 3+5m").hu(3, "5m")
    assert flags_of(log) == ("hai_lao",)
    assert closing(log.game) == HandEnded(reason="hu")


def test_the_first_to_win_in_the_zone_is_the_only_winner() -> None:
    log = zone(keep="5m8m25p", spare="5m8m25p").play("0+2p 1+5p 2+8m 3+5m")
    assert log.actions() == [win(3, "5m")]


def test_the_zone_without_a_winner_ends_the_hand_with_the_same_dealer() -> None:
    log = zone(keep="2258p", spare="2258p").play("0+2p 1+2p 2+5p")
    assert closing(log.game) is None
    assert log.code(HandEnded(reason="huang_zhuang")) == "hand_not_over"
    log.play("3+8p")
    assert closing(log.game) == HandEnded(reason="huang_zhuang")
    assert log.code("0+6s") == "no_draw_due"
    log.end("huang_zhuang")
    assert (log.game.dealer, log.game.streak) == (0, 2)


def test_a_win_in_the_zone_may_be_let_go_where_the_club_says_so() -> None:
    log = zone(keep="58m25p", spare="58m25p", hai_lao_must_hu=False).play("0+2p 1+5p 2+5m 3+8m")
    assert log.actions() == [win(3, "8m"), Pass(seat=3, on="draw")]
    must = zone(keep="58m25p", spare="58m25p").play("0+2p 1+5p 2+5m 3+8m")
    assert must.refusal(Pass(seat=3, on="draw")).rule == "HF-21"


def test_no_gang_is_made_with_less_than_five_tiles_left() -> None:
    hands = {0: "55m345678p246666s", 3: READY}
    log = Log().deal(hands, last="4s", keep="5p").play("0-4s").draw_out(4, spare="5p")
    log.play("0+5p")
    violation = log.refusal(Gang(seat=0, kind="an_gang", tile="6s"))
    assert (violation.code, violation.rule) == ("gang_wall_too_short", "HF-26")
    assert (violation.expected, violation.actual) == (5, 3)
    assert not any(isinstance(action, Gang) for action in log.actions())


def test_a_gang_with_five_tiles_left_is_replaced_from_outside_the_zone() -> None:
    hands = {0: DEALER, 2: "2346788m34p6666s"}
    log = Log().deal(hands, last="8s", keep="5m67p").play("0-2s").draw_out(6, spare="5m67p")
    log.play("2+6p").gang(2, "6s").play("2^5m")
    assert log.table.remaining == 4
    assert not log.table.extra.zone
    log.play("2-5m 3+7p")
    assert log.table.extra.zone


# --- passing --------------------------------------------------------------------------------------


def passed(rule: str, *, written: bool) -> Log:
    """Seat 1 lets 5m of the dealer go; seat 2 then discards another."""
    log = Log(pass_rule=rule).deal({0: DEALER, 1: READY}, last="8s", keep="55m6p").play("0-5m")
    if written:
        log.let_go(1)
    return log


@pytest.mark.parametrize("written", [True, False])
def test_letting_a_win_go_has_no_consequence(written: bool) -> None:  # noqa: FBT001
    log = passed("free", written=written).play("1+6p 1-6p 2+5m 2-5m")
    assert win(1, "5m", source=2) in log.actions()


@pytest.mark.parametrize("written", [True, False])
def test_who_lets_a_win_go_may_be_locked_until_the_next_draw(written: bool) -> None:  # noqa: FBT001
    log = Log(pass_rule="locked_until_draw")
    hands = {0: DEALER, 2: READY}
    log.deal(hands, last="8s", keep="55m8m6p").play("0-5m")
    if written:
        log.let_go(2)
    log.play("1+5m 1-5m")
    violation = log.refusal(win(2, "5m", source=1))
    assert (violation.code, violation.rule) == ("pass_locked", "HF-24")
    assert log.actions() == []
    log.play("2+6p 2-6p 3+8m 3-8m")
    assert win(2, "8m", source=3) in log.actions(), "it has drawn since"


def test_passing_an_own_draw_locks_nothing() -> None:
    log = Log(pass_rule="locked_until_draw").deal({0: DEALER, 1: READY}, last="8s", keep="58m")
    log.play("0-2s 1+5m").let_go(1, "draw").play("1-5m 2+8m 2-8m")
    assert win(1, "8m", source=2) in log.actions()


def test_where_wins_must_be_taken_nothing_else_is_legal() -> None:
    log = passed("must_hu", written=False)
    assert log.actions() == [win(1, "5m", source=0)]
    for event in (Pass(seat=1), log.word("1+6p")):
        violation = log.refusal(event)
        assert (violation.code, violation.rule) == ("must_hu", "HF-24")
    log.hu(1, "5m", source=0)
    assert log.table.extra.causes == ((1, "forced"),)


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
        log.make("ting", seat=0, discard=ting.discard)  # type: ignore[attr-defined]
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
    assert log.game.last.facts is None  # type: ignore[union-attr]


def test_leaving_does_not_take_a_win_away() -> None:
    hands = {0: DEALER, 1: READY, 2: "2346788m456p456s"}
    log = Log(leave_mid_hand="void").deal(hands, last="8s").play("0-5m").hu(1, "5m", source=0)
    log.add(PlayerLeft(seat=0, player="ann")).hu(2, "5m", source=0).end("hu")
    assert len(log.game.last.facts.wins) == 2  # type: ignore[union-attr]
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
