"""The end of a hand of Rui'an mahjong: the last tiles, and what ends a hand early."""

from typing import Any

from rules_engine.fold import Game, closing
from rules_engine.moves import moves
from rules_engine.score import HandScore
from rules_engine.tiles import NAMES
from tests.rules_engine.variants.ruian.logs import (
    RULESET,
    code_of,
    deal,
    discard,
    draw,
    ended,
    flags_of,
    flower,
    gang,
    hu,
    next_tile,
    passed,
    played,
    wall_emptied,
)

READY = "123456m234678p55s67s"
"""Sixteen tiles that wait for 5s and 8s."""


def table_of(game: Game) -> Any:
    """The live table."""
    assert game.table is not None
    return game.table


# --- the end of the wall --------------------------------------------------------------------------


def at_the_end(left: int = 0, options: dict[str, Any] | None = None) -> Game:
    """A game of which so many ordinary draws are left, the next one due."""
    game = deal({0: "1z"}, options=options, spare="5555z")
    game = played([discard(0, "1z")], game)
    return played(wall_emptied(game, left), game)


def test_the_last_ordinary_draw_takes_the_he_di_tile():
    game = at_the_end(1)
    table = table_of(game)
    assert (table.remaining, game.play.dead_wall(table)) == (26, 21)
    due = moves(game).due
    assert due is not None
    assert due.seat is not None
    game = played([draw(due.seat, next_tile(game))], game)
    assert table_of(game).extra.he_di


def test_a_win_on_the_he_di_tile_carries_it():
    game = deal({0: "1z", 1: READY}, spare="58s5555z")
    game = played([discard(0, "1z")], game)
    game = played(wall_emptied(game, 1, spared=("5s", "8s")), game)
    due = moves(game).due
    assert due is not None
    assert due.seat == 1
    game = played([draw(1, "8s"), hu(1, "8s")], game)
    assert flags_of(game) == ("he_di",)


def test_the_last_four_tiles_are_dealt_one_each_and_the_hand_is_a_draw():
    game = at_the_end()
    for left in (3, 2, 1, 0):
        due = moves(game).due
        assert due is not None
        assert (due.type, due.source) == ("draw", "head")
        assert due.seat is not None
        game = played([draw(due.seat, next_tile(game))], game)
        table = table_of(game)
        assert table.extra.left == left
        tile = next(iter(actions_of_wall(game)))
        assert code_of(game, discard(due.seat, tile)) == ("no_discard_in_hai_di", "RA-26")
    if closing(game) is None:
        game = played([passed(due.seat, "draw")], game)
    over = closing(game)
    assert over is not None
    assert over.reason == "huang_zhuang"
    game = played([ended("huang_zhuang", cause="exhausted")], game)
    assert game.dealer == 1


def actions_of_wall(game: Game) -> list[str]:
    """The tiles the seat in turn holds, by name."""
    table = table_of(game)
    concealed = table.seats[table.turn].concealed
    return [NAMES[k] for k in range(34) if concealed >> 4 * k & 15]


def test_a_flower_dealt_among_the_last_tiles_is_dead():
    game = at_the_end()
    due = moves(game).due
    assert due is not None
    assert due.seat is not None
    game = played([draw(due.seat, "5z")], game)
    assert code_of(game, flower(due.seat)) == ("no_flower", "RA-5")
    assert code_of(game, hu(due.seat, "5z")) == ("flower_in_hand", "RA-41")


def test_a_replacement_from_a_full_stack_leaves_three_hai_di_tiles():
    game = deal({0: "1z5z"}, last="1z")
    game = played([flower(0), draw(0, next_tile(game), "tail"), discard(0, "1z")], game)
    game = played(wall_emptied(game, 1), game)
    table = table_of(game)
    assert (table.extra.replaced, table.remaining, game.play.dead_wall(table)) == (1, 25, 20)
    due = moves(game).due
    assert due is not None
    assert due.seat is not None
    seat = due.seat
    game = played([draw(seat, "5z"), flower(seat), draw(seat, next_tile(game), "tail")], game)
    assert not table_of(game).extra.he_di
    tile = NAMES[table_of(game).drawn]
    game = played([discard(seat, tile)], game)
    for left in (2, 1, 0):
        due = moves(game).due
        assert due is not None
        assert due.seat is not None
        game = played([draw(due.seat, next_tile(game))], game)
        assert table_of(game).extra.left == left


def test_the_reserve_of_the_server_grows_with_gangs_only():
    game = deal({0: "1111m5z"}, options={"reserve": "server"}, last="1m")
    assert game.play.dead_wall(table_of(game)) == 14
    game = played([flower(0), draw(0, next_tile(game), "tail")], game)
    assert game.play.dead_wall(table_of(game)) == 14
    game = played([gang(0, "an_gang", "1m")], game)
    assert game.play.dead_wall(table_of(game)) == 18


# --- early ends -----------------------------------------------------------------------------------


def four_winds(options: dict[str, Any]) -> Game:
    """Each seat has discarded a West in its first turn."""
    game = deal(dict.fromkeys(range(4), "3z"), options=options)
    game = played([discard(0, "3z")], game)
    for seat in (1, 2, 3):
        game = played([draw(seat, next_tile(game)), discard(seat, "3z")], game)
    return game


def test_four_equal_winds_end_the_hand_where_the_club_says_so():
    game = four_winds({"four_same_winds_draw": True, "draw_side_settlement": True})
    over = closing(game)
    assert over is not None
    assert over.reason == "huang_zhuang"
    assert code_of(game, draw(0, next_tile(game)))[0] == "no_draw_due"
    assert code_of(game, ended("huang_zhuang", cause="exhausted")) == ("wrong_cause", "RA-52")
    game = played([ended("huang_zhuang", cause="four_same_winds")], game)
    assert game.last is not None
    assert game.last.facts is not None
    score = RULESET.score(game.last.facts, game.options)
    assert isinstance(score, HandScore)
    assert score.transfers == ()
    assert closing(four_winds({})) is None


def four_gangs(options: dict[str, Any]) -> Game:
    """The dealer makes four concealed gangs."""
    game = deal({0: "1111222233334444m"}, options=options, last="4m")
    for number, tile in enumerate(("1m", "2m", "3m")):
        game = played([gang(0, "an_gang", tile), draw(0, f"{number + 5}p", "tail")], game)
    return played([gang(0, "an_gang", "4m")], game)


def test_the_fourth_gang_ends_the_hand_where_the_club_says_so():
    game = four_gangs({"four_gangs_draw": True})
    over = closing(game)
    assert over is not None
    assert over.reason == "huang_zhuang"
    game = played([ended("huang_zhuang")], game)
    assert game.last is not None
    assert game.last.facts is not None
    assert {flag for each in game.last.facts.table for flag in each.flags} == {"four_gangs"}
    due = moves(four_gangs({})).due
    assert due is not None
    assert due.type == "draw"
