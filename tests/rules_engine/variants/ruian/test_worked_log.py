"""The worked logs of the rule page, and logs that differ from them in one thing."""

from typing import Any

import pytest

from rules_engine.fold import Game, closing
from rules_engine.moves import moves
from rules_engine.score import HandScore
from tests.rules_engine.variants.ruian.logs import (
    RULESET,
    Body,
    code_of,
    discard,
    draw,
    flower,
    hu,
    played,
    result,
    started,
)

BEFORE: list[Body] = [
    started({"roster": 5}, substitutes=["p-lin"]),
    {**result(1, 0, 1, winner=2)},
    {"type": "player_left", "seat": 0, "player": "a"},
    {"type": "player_seated", "seat": 0, "player": "p-lin"},
    result(2, 1, 1, winner=1),
]
"""Two hands before: the deal passes to seat 1, which then wins, so its streak is 2."""
DEAL: Body = {
    "type": "hand_started",
    "hand": 3,
    "dealer": 1,
    "streak": 2,
    "dice": [3, 4, 5, 2],
    "indicator": "6p",
    "dealt": [
        "36799m2558p1555s346z",
        "1123678m49p37s112567z",
        "112299m2355668p9s23z",
        "8m449p123478s123567z",
    ],
    "last": "3s",
}
PLAY: list[Body] = [
    DEAL,
    flower(1),
    draw(1, "4m", "tail"),
    flower(3),
    draw(3, "5z", "tail"),
    flower(3),
    draw(3, "5s", "tail"),
    discard(1, "7z"),
    draw(2, "3s"),
    discard(2, "3z"),
    draw(3, "9p"),
    discard(3, "7z"),
    draw(0, "3p"),
    discard(0, "6z"),
    draw(1, "2s"),
    discard(1, "6z"),
    draw(2, "6p"),
    hu(2, "6p"),
    {"type": "hand_ended", "reason": "hu", "cause": None},
]


def game_before(number: int) -> Game:
    """The game before an event of the log."""
    return played([*BEFORE, *PLAY[:number]])


def test_the_worked_log_gives_the_answer_of_the_rule_page():
    game = game_before(len(PLAY))
    assert game.last is not None
    assert game.last.facts is not None
    score = RULESET.score(game.last.facts, game.options)
    assert isinstance(score, HandScore)
    assert [(item.id, item.points) for item in score.wins[0].items] == [("san_cai_shen", 500)]
    assert score.hand_points == (-250, -1000, 1500, -250)
    assert score.gang_points == (-30, -10, 0, 40)
    assert score.total_points == (-280, -1010, 1500, -210)
    assert (game.dealer, game.streak) == (2, 1)


def test_the_service_would_end_the_hand_itself():
    over = closing(game_before(len(PLAY) - 1))
    assert over is not None
    assert over.reason == "hu"


def test_the_wild_and_the_wall_are_as_the_rule_page_says():
    game = game_before(7)
    assert game.table is not None
    assert game.table.extra.replaced == 3
    assert game.play.dead_wall(game.table) == 20
    # Stack 14 of seat 3's wall is the 31st; its inner tile is the 62nd of the list.
    assert game.table.indicator_place == 61


def test_the_player_who_lost_the_deal_makes_room_for_the_one_who_waits():
    game = game_before(len(PLAY))
    due = moves(game).due
    assert due is not None
    assert (due.type, due.seat) == ("player_left", 1)
    next_deal = {**DEAL, "hand": 4, "dealer": 2, "streak": 1}
    assert code_of(game, next_deal) == ("substitute_due", "RA-16")
    game = played([{"type": "player_left", "seat": 1, "player": "b"}], game)
    seated = {"type": "player_seated", "seat": 1}
    assert code_of(game, {**seated, "player": "b"}) == ("wrong_substitute", "RA-16")
    game = played([{**seated, "player": "a"}], game)
    assert game.players == ("p-lin", "a", "c", "d")
    assert game.substitutes == ("b",)
    due = moves(game).due
    assert due is not None
    assert (due.type, due.dealer) == ("hand_started", 2)


MUTATIONS: list[tuple[str, int, dict[str, Any], str, str]] = [
    ("three dice", 0, {"dice": [3, 4, 5]}, "bad_dice", "RA-7"),
    ("a die of seven", 0, {"dice": [3, 4, 5, 7]}, "bad_dice", "RA-7"),
    ("no indicator", 0, {"indicator": None}, "bad_indicator", "RA-8"),
    ("a fifth copy", 0, {"indicator": "9m"}, "too_many_tiles", "RA-4"),
    ("15 tiles", 0, {"dealt": ["36799m2558p1555s34z", *DEAL["dealt"][1:]]}, "wrong_deal", "RA-18"),
    ("a flower out of turn", 1, {"seat": 3}, "no_flower", "RA-5"),
    ("no flower", 1, {"tile": "7z"}, "no_flower", "RA-5"),
    ("a replacement from the front", 2, {"source": "head"}, "wrong_source", "RA-22"),
    ("a replacement for another", 2, {"seat": 2}, "not_your_turn", "RA-20"),
    ("a tile not held", 7, {"tile": "9s"}, "tile_not_held", "RA-20"),
    ("the wrong dealer", 0, {"dealer": 0}, "wrong_dealer", "RA-14"),
    ("the wrong streak", 0, {"streak": 1}, "wrong_streak", "RA-15"),
    ("another tile won on", 17, {"tile": "2p"}, "no_such_win", "RA-47"),
    ("another cause", 18, {"cause": "exhausted"}, "wrong_cause", "RA-52"),
    ("no win", 18, {"reason": "huang_zhuang"}, "hand_not_over", "RA-50"),
]


@pytest.mark.parametrize(("name", "number", "change", "code", "rule"), MUTATIONS)
def test_a_log_that_differs_is_refused_with_its_rule(
    name: str, number: int, change: Body, code: str, rule: str
):
    assert code_of(game_before(number), {**PLAY[number], **change}) == (code, rule), name


@pytest.mark.parametrize("number", range(1, 6, 2))
def test_nothing_comes_before_the_flowers(number: int):
    assert code_of(game_before(number), discard(1, "7z")) == ("flower_due", "RA-19")
    assert code_of(game_before(number), hu(1, "7z"))[0] == "no_such_win"


def test_a_third_wild_that_stays_in_hand_wins_nothing():
    played([*BEFORE, *PLAY[:17], discard(2, "3p")])
    game = played([*BEFORE, *PLAY[:17]])
    assert code_of(game, discard(2, "6p")) == ("wild_discarded", "RA-42")
