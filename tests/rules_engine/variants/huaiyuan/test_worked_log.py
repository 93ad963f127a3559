"""The worked log of the rule page, and logs that differ from it in one thing."""

import pytest

from rules_engine.fold import Game, closing
from rules_engine.score import HandScore
from tests.rules_engine.variants.huaiyuan.logs import (
    RULESET,
    Body,
    adds,
    discard,
    draw,
    ended,
    hu,
    hu_bao,
    look,
    opens,
    peng,
    played,
    refused,
    roll,
    started,
)

DEAL: Body = {
    "type": "hand_started",
    "hand": 1,
    "dealer": 0,
    "dice": [2, 4, 3, 5],
    "dealt": ["1369m2578p469s123z", "2478m36p257s5567z", "5689m1389p148s34z", "123m456p3378s166z"],
    "last": "3z",
}
PLAY: list[Body] = [
    started(),
    DEAL,
    discard(0, "3z", drawn=True),
    draw(1, "8m"),
    opens(1, "xi_gang", "567z"),
    adds(1, "xi_gang", "5z"),
    draw(1, "6z", "tail"),
    adds(1, "xi_gang", "6z"),
    peng(3, "6z", 1, robs=8),
    {"type": "ting", "seat": 3},
    discard(3, "1z"),
    roll(3, [1, 3], 126, "2p"),
    draw(0, "9p"),
    discard(0, "2z"),
    draw(1, "1z"),
    discard(1, "1z", drawn=True),
    draw(2, "7p"),
    discard(2, "4z"),
    draw(3, "2p"),
    hu(3, "2p"),
    ended(),
]


def after(number: int) -> Game:
    """The game after so many events."""
    return played(PLAY[:number])


def test_the_worked_log_ends_with_the_answer_of_the_rule_page():
    game = after(len(PLAY))
    assert game.last is not None
    assert game.last.facts is not None
    assert game.last.facts.wild == "2p"
    assert game.last.facts.wins[0].flags == ("ting",)
    score = RULESET.score(game.last.facts, game.options)
    assert isinstance(score, HandScore)
    (win,) = score.wins
    assert [(line.id, line.points) for line in win.items] == [("base", 1), ("zimo", 1), ("bao", 2)]
    assert win.total == 4
    assert win.reading == ("666z", "123m", "456p", "678s", "33s")
    assert score.hand_points == (-4, -4, -4, 12)
    assert score.gang_points == (-2, 6, -2, -2)
    assert score.total_points == (-6, 2, -6, 10)
    assert (game.dealer, game.streak) == (1, 1)
    gangs = [each for each in score.transfers if each.kind == "gang"]
    assert {(each.item, each.rule, each.seq) for each in gangs} == {("xi_gang", "HY-103", 6)}


def test_the_service_ends_the_hand_after_the_win():
    closed = closing(after(len(PLAY) - 1))
    assert closed is not None
    assert closed.reason == "hu"


MUTATIONS: list[tuple[str, int, Body, str, str]] = [
    ("an opening after the first discard", 13, opens(0, "yao_dan", "1m1p1s"),
     "special_window_closed", "HY-42"),
    ("an opening out of turn", 4, opens(2, "yao_dan", "1m1p1s"), "not_your_turn", "HY-24"),
    ("an opening of tiles that are not held", 4, opens(1, "yao_dan", "1m1p1s"),
     "tile_not_held", "HY-26"),
    ("an opening that is no base set", 4, opens(1, "xi_gang", "5567z"), "bad_meld", "HY-30"),
    ("the same kind opened twice", 5, opens(1, "xi_gang", "567z"), "special_duplicate", "HY-41"),
    ("a tile added to a gang that is not there", 5, adds(1, "jiu_dan", "9m"),
     "add_no_meld", "HY-43"),
    ("a tile of another kind added", 5, adds(1, "xi_gang", "2m"), "add_no_meld", "HY-43"),
    ("a replacement drawn from the head", 6, draw(1, "6z"), "wrong_source", "HY-13"),
    ("a replacement drawn by another seat", 6, draw(2, "6z", "tail"), "not_your_turn", "HY-24"),
    ("a robbing peng without saying what it robs", 8, peng(3, "6z", 1), "wrong_tile", "HY-31"),
    ("a robbing peng by a seat without two", 8, peng(2, "6z", 1, robs=8),
     "tile_not_held", "HY-26"),
    ("a robbing peng of a safe tile", 6, peng(3, "5z", 1, robs=6), "not_robbable", "HY-46"),
    ("a draw while the robber is in turn", 9, draw(2, "1m"), "not_your_turn", "HY-24"),
    ("a discard that leaves no wait", 10, discard(3, "5p"), "ting_no_wait", "HY-51"),
    ("a draw before the roll", 11, draw(0, "9p"), "no_draw_due", "HY-36"),
    ("a look before the roll", 11, look(3), "bao_not_due", "HY-52"),
    ("a roll by another seat", 11, roll(0, [1, 3], 126, "2p"), "bao_not_due", "HY-52"),
    ("a roll of the wrong slot", 11, roll(3, [1, 3], 128, "2p"), "bao_slot_invalid", "HY-15"),
    ("a roll of one die", 11, roll(3, [4], 126, "2p"), "bao_slot_invalid", "HY-15"),
    ("a roll with a wrong number", 11, roll(3, [1, 3], 126, "2p", 2), "bao_wrong", "HY-52"),
    ("a roll shown to a seat not in ting", 11, roll(3, [1, 3], 126, "2p", 1, [0, 3]),
     "bao_wrong", "HY-52"),
    ("a win on a bao that is no wait", 12, hu_bao(3, "2p"), "no_such_win", "HY-26"),
    ("a look nobody is due", 13, look(0), "bao_not_due", "HY-52"),
    ("another tile than the drawn one discarded in ting", 19, discard(3, "1m"),
     "discard_not_drawn_tile", "HY-54"),
    ("the hand ended while nobody has won", 19, ended("huang_zhuang"), "hand_not_over", "HY-70"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("number", "event", "code", "rule"),
    [pytest.param(*mutation[1:], id=mutation[0]) for mutation in MUTATIONS],
)
def test_a_log_that_differs_is_refused_at_that_event(
    number: int, event: Body, code: str, rule: str
):
    assert refused(after(number), event) == (code, rule)


@pytest.mark.parametrize(
    ("change", "code", "rule"),
    [
        ({"dice": [2, 4]}, "bad_dice", "HY-22"),
        ({"dice": [2, 4, 3, 7]}, "bad_dice", "HY-22"),
        ({"indicator": "1m"}, "bad_tiles", "HY-10"),
        ({"last": "5z"}, "wrong_deal", "HY-23"),
        ({"streak": 2}, "wrong_streak", "HY-21"),
    ],
)
def test_a_deal_that_differs_is_refused(change: Body, code: str, rule: str):
    assert refused(played([started()]), DEAL | change) == (code, rule)
