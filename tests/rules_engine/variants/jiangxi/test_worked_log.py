"""The worked log of the rule page, and logs that differ from it in one thing."""

import pytest

from rules_engine.events import HandEnded, Hu
from rules_engine.fold import closing
from tests.rules_engine.log import Log
from tests.rules_engine.variants.jiangxi.play_log import facts, score

HANDS = {
    0: "2589m369p258s1234z",
    1: "147m147p147s5566z",
    2: "123456m78p1113s7z",
    3: "369m258p369s3456z",
}
BEFORE_CHI = "0-4z 1+9p 1-9p"
TO_STEAL = "3+1m 3-9s 0+7m 0-1z 1+8m 1-1p 2+6p"
TO_THE_WIN = "2-6p 3+4m 3-9m 0+8p 0-2z 1+2p 1-7s 2+3s"


def after_the_deal() -> Log:
    return Log("jiangxi").deal(HANDS, last="9m", dice=(2, 3), indicator="2s")


def after_the_chi() -> Log:
    return after_the_deal().play(BEFORE_CHI).chi(2, "789p", "9p", 1)


def before_the_steal() -> Log:
    return after_the_chi().play("2-7z").play(TO_STEAL)


def test_the_worked_log_ends_with_the_answer_of_the_rule_page():
    log = before_the_steal().let_go(2, "draw").play(TO_THE_WIN).hu(2, "3s").end("hu")
    assert facts(log).wild == "3s"
    assert facts(log).wins[0].flags == ("tou_ji",)
    answer = score(log)
    assert [(line.id, line.points) for line in answer.wins[0].items] == [
        ("bao_diao_tou", 4),
        ("bao_diao_wu_bao", 28),
    ]
    assert answer.hand_points == answer.total_points == (-32, -32, 96, -32)
    assert answer.gang_points == (0, 0, 0, 0)
    assert (log.game.dealer, log.game.streak) == (2, 1)


def test_a_declined_win_need_not_be_written():
    log = before_the_steal().play(TO_THE_WIN).hu(2, "3s")
    assert log.table.wins[0].flags == ("tou_ji",)


def test_the_service_ends_the_hand_after_the_win():
    log = before_the_steal().play(TO_THE_WIN).hu(2, "3s")
    assert closing(log.game) == HandEnded(reason="hu")


def test_the_win_may_be_taken_at_once_and_is_then_not_stolen():
    log = before_the_steal().hu(2, "6p").end("hu")
    assert [line.id for line in score(log).wins[0].items] == ["bao_diao_tou"]


@pytest.mark.parametrize(
    ("change", "code", "rule"),
    [
        ({"indicator": "3p"}, "too_many_tiles", "JX-10"),
        ({"indicator": None}, "bad_indicator", "JX-12"),
        ({"dice": (2,)}, "bad_dice", "JX-12"),
        ({"dice": (2, 7)}, "bad_dice", "JX-12"),
        ({"streak": 2}, "wrong_streak", "JX-23"),
        ({"dealer": 1}, "wrong_dealer", "JX-22"),
        ({"last": "9s"}, "wrong_deal", "JX-30"),
    ],
)
def test_a_deal_that_differs_is_refused(change: dict[str, object], code: str, rule: str):
    hands = list(HANDS.values())
    if change.get("indicator") == "3p":
        hands[1] = "147m333p147s5566z"
    log = Log("jiangxi")
    body = {"hand": 1, "dealer": 0, "dealt": hands, "last": "9m", "dice": (2, 3), "indicator": "2s"}
    violation = log.refusal(log.make("hand_started", **body | change))
    assert (violation.code, violation.rule) == (code, rule), violation


def test_a_log_that_differs_is_refused_at_that_event():
    refused = []
    log = after_the_deal()
    refused.append(log.refusal("1+9p"))
    refused.append(log.refusal("0-9s"))
    log.play(BEFORE_CHI)
    refused.append(log.refusal(log.make("chi", seat=3, tiles="789p", tile="9p", **{"from": 1})))
    refused.append(log.refusal(log.make("peng", seat=2, tiles="999p", tile="9p", **{"from": 1})))
    log.chi(2, "789p", "9p", 1)
    refused.append(log.refusal(Hu(seat=2, by="zimo", tile="7z")))
    refused.append(log.refusal("2+6p"))
    log.play("2-7z").play(TO_STEAL)
    refused.append(log.refusal("2^6p"))
    refused.append(log.refusal(Hu(seat=2, by="zimo", tile="3s")))
    refused.append(log.refusal(Hu(seat=0, by="zimo", tile="6p")))
    refused.append(log.refusal(HandEnded(reason="huang_zhuang")))
    refused.append(log.refusal(log.make("jie_bao", seat=0, tile="3s", **{"from": 2})))
    assert [(each.code, each.rule) for each in refused] == [
        ("not_your_turn", "JX-31"),
        ("tile_not_held", "JX-31"),
        ("not_your_turn", "JX-31"),
        ("tile_not_held", "JX-31"),
        ("hu_after_claim", "JX-43"),
        ("not_your_turn", "JX-31"),
        ("not_your_turn", "JX-31"),
        ("no_such_win", "JX-78"),
        ("no_such_win", "JX-78"),
        ("hand_not_over", "JX-79"),
        ("jie_bao_too_late", "JX-56"),
    ]
