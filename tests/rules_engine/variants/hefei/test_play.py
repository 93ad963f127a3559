"""Hefei as it is played: the zone, ting, gangs, passing, automatic seats, leaving, next dealer."""

from typing import Any

import pytest

from rules_engine.events import (
    Chi,
    Event,
    Gang,
    HandEnded,
    HandStarted,
    Pass,
    Peng,
)
from rules_engine.fold import closing
from rules_engine.moves import moves
from rules_engine.score import HandScore
from tests.rules_engine.log import Log, win
from tests.rules_engine.variants.hefei.tables import (
    DEALER,
    READY,
    WORKED,
    bao_ting,
    flags_of,
    zone,
)

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
    assert [each.seat for each in log.game.last.facts.wins] == [1, 2]


# --- flags of the moment --------------------------------------------------------------------------


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


def test_in_the_zone_each_seat_takes_a_tile_and_nothing_is_discarded() -> None:
    log = zone().play("0+2p")
    assert log.table.extra.zone
    violation = log.refusal("0-2p")
    assert (violation.code, violation.rule) == ("no_discard_in_zone", "HF-20")
    assert log.actions() == []
    assert moves(log.game).due.seat == 1
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
