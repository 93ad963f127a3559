"""The worked log of the rule page, and logs that differ from it in one thing."""

from typing import Any

import pytest

from rules_engine.fold import Game, closing
from rules_engine.score import HandScore
from tests.rules_engine.variants.qingdao.logs import RULESET, played, refused, started

BEFORE: list[dict[str, Any]] = [
    started({"hun": True}),
    {"type": "hand_result", "hand": 1, "dealer": 0, "result": "huang_zhuang"},
]
DEAL: dict[str, Any] = {
    "type": "hand_started",
    "hand": 2,
    "dealer": 0,
    "streak": 2,
    "dice": [3, 5],
    "hun_die": 4,
    "hun_index": 130,
    "indicator": "8p",
    "dealt": ["22567m1234p45s355z", "114689m34p277s44z", "345m67p188s12567z", "3789m245p6799s36z"],
    "last": "2m",
}


def draw(seat: int, tile: str, cause: str = "turn") -> dict[str, Any]:
    source = "head" if cause == "turn" else "tail"
    return {"type": "draw", "seat": seat, "tile": tile, "source": source, "cause": cause}


def discard(seat: int, tile: str, *, drawn: bool = False) -> dict[str, Any]:
    return {"type": "discard", "seat": seat, "tile": tile, "drawn": drawn}


def exchange(tile: str) -> dict[str, Any]:
    return {"type": "niu_exchange", "seat": 2, "tile": tile, "drawn": True}


PLAY: list[dict[str, Any]] = [
    DEAL,
    {"type": "niu", "seat": 2, "group": "zfb", "tiles": "567z", "stands": []},
    {"type": "niu", "seat": 2, "group": "dny", "tiles": "1s12z", "stands": []},
    discard(0, "3z"),
    draw(1, "6m"),
    discard(1, "9m"),
    draw(2, "5z"),
    exchange("5z"),
    {"type": "peng", "seat": 0, "tiles": "555z", "tile": "5z", "from": 2},
    discard(0, "4s"),
    draw(1, "2z"),
    discard(1, "2z", drawn=True),
    draw(2, "7z"),
    exchange("7z"),
    draw(2, "8p", "niu"),
    {"type": "hu", "seat": 2, "by": "zimo", "tile": "8p"},
    {"type": "hand_ended", "reason": "hu"},
]


def after(number: int) -> Game:
    """The game after so many events of the hand."""
    return played([*BEFORE, *PLAY[:number]])


def test_the_worked_log_ends_with_the_answer_of_the_rule_page():
    game = after(len(PLAY))
    assert game.last is not None
    assert game.last.facts is not None
    assert game.last.facts.wild == "9p"
    assert game.last.facts.wins[0].flags == ("niu_kai", "after_huang")
    score = RULESET.score(game.last.facts, game.options)
    assert isinstance(score, HandScore)
    assert [(line.id, line.points) for line in score.wins[0].items] == [
        ("base", 1),
        ("niu_gang_kai", 2),
        ("huang_fan_bei", 3),
    ]
    assert score.wins[0].total == 6
    assert score.hand_points == score.total_points == (-6, -6, 18, -6)
    assert score.gang_points == (0, 0, 0, 0)
    assert (game.dealer, game.streak, game.memory.huang_run) == (1, 1, 0)


def test_the_service_ends_the_hand_after_the_win():
    closed = closing(after(len(PLAY) - 1))
    assert closed is not None
    assert closed.reason == "hu"


def test_every_draw_needs_no_cause_since_the_table_knows_it():
    bare = [{k: v for k, v in body.items() if k != "cause"} for body in PLAY]
    assert played([*BEFORE, *bare]).last == after(len(PLAY)).last


MUTATIONS: list[tuple[str, int, dict[str, Any], str, str]] = [
    ("another seat lays a group after its discard", 6,
     {"type": "niu", "seat": 1, "group": "zfb", "tiles": "567z"}, "not_your_turn", "QD-19"),
    ("a group that is not held", 1,
     {"type": "niu", "seat": 1, "group": "zfb", "tiles": "567z"}, "tile_not_held", "QD-19"),
    ("a group laid twice", 2,
     {"type": "niu", "seat": 2, "group": "zfb", "tiles": "567z"}, "bad_niu", "QD-40"),
    ("an exchange by a seat that has laid nothing", 5,
     {"type": "niu_exchange", "seat": 1, "tile": "6m", "drawn": True}, "not_laid", "QD-46"),
    ("an exchange of a tile held from before", 7,
     {"type": "niu_exchange", "seat": 2, "tile": "8s", "drawn": False}, "not_laid", "QD-46"),
    ("a replacement drawn from the head", 14,
     {"type": "draw", "seat": 2, "tile": "8p", "source": "head"}, "wrong_source", "QD-20"),
    ("a replacement drawn for a gang", 14,
     {"type": "draw", "seat": 2, "tile": "8p", "source": "tail", "cause": "gang"},
     "wrong_cause", "QD-20"),
    ("a discard while an exchange waits for its replacement", 14,
     discard(2, "8s"), "not_your_turn", "QD-19"),
    ("a draw after an exchange that was claimed", 9,
     draw(2, "8p", "niu"), "not_your_turn", "QD-19"),
    ("a win on an incomplete hand", 13,
     {"type": "hu", "seat": 2, "by": "zimo", "tile": "7z"}, "shape", "QD-60"),
    ("a win on a tile other than the one drawn", 15,
     {"type": "hu", "seat": 2, "by": "zimo", "tile": "8s"}, "no_such_win", "QD-28"),
    ("the hand ended while nobody has won", 15,
     {"type": "hand_ended", "reason": "huang_zhuang"}, "hand_not_over", "QD-22"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("number", "event", "code", "rule"),
    [pytest.param(*mutation[1:], id=mutation[0]) for mutation in MUTATIONS],
)
def test_a_log_that_differs_is_refused_at_that_event(
    number: int, event: dict[str, Any], code: str, rule: str
):
    violation = refused(after(number), **event)
    assert (violation.code, violation.rule) == (code, rule), violation


DEALS: list[tuple[str, dict[str, Any], str, str]] = [
    ("no die", {"hun_die": None}, "bad_hun", "QD-8"),
    ("an indicator the die does not lead to", {"hun_index": 127}, "bad_hun", "QD-8"),
    ("a place outside the dragon tail", {"hun_index": 10}, "bad_hun", "QD-8"),
    ("a flower as indicator", {"indicator": "1f"}, "bad_hun", "QD-8"),
    ("an indicator of which all copies are dealt",
     {"indicator": "2m", "dealt": ["22567m1234p45s355z", "224689m34p277s44z",
      "345m67p188s12567z", "3789m245p6799s36z"]}, "too_many_tiles", "QD-4"),
    ("the wrong streak", {"streak": 1}, "wrong_streak", "QD-13"),
    ("another dealer", {"dealer": 1}, "wrong_dealer", "QD-12"),
    ("three dice", {"dice": [1, 2, 3]}, "bad_dice", "QD-16"),
    ("a tile too many", {"dealt": [*DEAL["dealt"][:3], "3789m245p6799s366z"]},
     "wrong_deal", "QD-17"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "code", "rule"), [pytest.param(*each[1:], id=each[0]) for each in DEALS]
)
def test_a_deal_that_differs_is_refused(change: dict[str, Any], code: str, rule: str):
    body = {key: value for key, value in (DEAL | change).items() if value is not None}
    violation = refused(played(BEFORE), **body)
    assert (violation.code, violation.rule) == (code, rule), violation


def test_without_hun_a_deal_names_no_indicator():
    game = played([started(), BEFORE[1]])
    violation = refused(game, **DEAL)
    assert (violation.code, violation.rule) == ("wild_forbidden", "QD-8")
