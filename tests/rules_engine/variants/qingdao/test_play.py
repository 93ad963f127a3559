"""Deals, first tiles and wins of Qingdao mahjong (QD-8 to QD-34)."""

from typing import Any

import pytest
from msgspec.structs import replace

from rules_engine import registry
from rules_engine.fold import Game, closing
from rules_engine.ruleset import bind_play
from rules_engine.tiles import NAMES, kind_of, size
from rules_engine.variants.qingdao.deal import follower, hun_places
from rules_engine.variants.qingdao.state import QingdaoMemory
from tests.rules_engine.variants.qingdao.logs import (
    actions,
    code_of,
    deal,
    discard,
    draw,
    ended,
    flags_of,
    flower,
    hu,
    niu,
    peng,
    played,
    started,
    turn,
)

READY = "123456m567p88s23s"
"""A hand that waits for 1s and 4s."""
FULL = {"mode": "quan_dai_jiang"}
HUN = {"mode": "dian_pao", "hun": True}


def with_remaining(game: Game, remaining: int) -> Game:
    """The game with so many tiles left to draw."""
    assert game.table is not None
    return replace(game, table=replace(game.table, remaining=remaining))


# --- the deal -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("indicator", "hun"),
    [("1m", "2m"), ("9m", "1m"), ("9s", "1s"), ("4z", "1z"), ("1z", "2z"),
     ("7z", "6z"), ("6z", "5z"), ("5z", "7z")],
)  # fmt: skip
def test_the_hun_follows_the_indicator_in_its_cycle(indicator: str, hun: str):
    assert NAMES[follower(kind_of(indicator))] == hun


def test_the_indicator_is_looked_for_through_the_whole_dragon_tail():
    for die in range(1, 7):
        way = list(hun_places(die, 138))
        assert way[0] == 138 - 2 * die
        assert sorted(way) == list(range(124, 138))
    assert list(hun_places(6, 138))[:4] == [126, 125, 124, 137]


def test_with_hun_fourteen_tiles_are_kept_apart_and_the_indicator_is_dead():
    game = deal({}, options=HUN, indicator="2m")
    assert game.table is not None
    assert game.table.remaining == 136 - 53 - 14
    assert game.table.extra.tail == 13
    assert game.table.wild == kind_of("3m")
    assert game.table.unseen >> 4 * kind_of("2m") & 15 <= 3


@pytest.mark.parametrize("flowers", [2, 4])
def test_the_wall_has_the_flowers_of_the_room(flowers: int):
    game = deal({}, options={"flowers": flowers})
    assert size(game.play.tiles) == 136 + flowers
    game = deal({}, options={"mode": "dian_pao"})
    assert size(game.play.tiles) == 136


def test_seat_0_deals_first_unless_the_dealer_is_drawn_by_lot():
    body = {"type": "hand_result", "hand": 1, "dealer": 2, "result": "huang_zhuang"}
    assert code_of(played([started()]), body) == ("wrong_dealer", "QD-12")
    played([started({"first_dealer": "random"}), body])


def won_by(seat: int, dealer: int, hand: int, streak: int, flags: list[str]) -> dict[str, Any]:
    win = {"seat": seat, "by": "zimo", "tile": "9s", "concealed": "123m456p23478s55z",
           "flags": flags}  # fmt: skip
    return {"type": "hand_result", "hand": hand, "dealer": dealer, "streak": streak,
            "result": "hu", "wins": [win]}  # fmt: skip


def test_the_deal_passes_unless_the_dealer_wins_or_nobody_does():
    game = played([started(), won_by(0, 0, 1, 1, [])])
    assert (game.dealer, game.streak) == (0, 2)
    huang = {"type": "hand_result", "hand": 2, "dealer": 0, "streak": 2, "result": "huang_zhuang"}
    game = played([huang], game)
    assert (game.dealer, game.streak, game.memory.huang_run) == (0, 3, 1)
    game = played([won_by(2, 0, 3, 3, ["after_huang"])], game)
    assert (game.dealer, game.streak, game.memory.huang_run) == (1, 1, 0)


def test_the_dealer_stays_as_one_of_several_winners():
    game = deal({0: READY + "1z", 1: "123m456p789p66z23s", 3: "4s"}, last="1z")
    game = played([discard(0, "1z", drawn=True), *turn(1, "3z"), *turn(2, "3z")], game)
    game = played([draw(3, "1p"), discard(3, "4s")], game)
    game = played([hu(0, "4s", "dianpao", 3), hu(1, "4s", "dianpao", 3), ended()], game)
    assert (game.dealer, game.streak) == (0, 2)
    assert game.last is not None
    assert game.last.facts is not None
    assert [win.seat for win in game.last.facts.wins] == [0, 1]


def test_a_recorded_result_must_agree_with_the_hands_before_it():
    huang = {"type": "hand_result", "hand": 1, "dealer": 0, "result": "huang_zhuang"}
    assert code_of(played([started()]), won_by(1, 0, 1, 1, ["after_huang"])) == (
        "wrong_huang_run",
        "QD-132",
    )
    game = played([started(), huang])
    assert code_of(game, won_by(1, 0, 2, 2, [])) == ("wrong_huang_run", "QD-132")
    assert code_of(game, won_by(1, 0, 2, 2, ["after_huang_2"])) == ("wrong_huang_run", "QD-132")
    played([won_by(1, 0, 2, 2, ["after_huang"])], game)


def test_an_abandoned_hand_is_dealt_again():
    game = played([ended("abandoned")], deal({}, huang_run=2))
    assert (game.dealer, game.streak, game.memory.huang_run) == (0, 3, 2)


def test_the_hand_after_two_that_nobody_won_says_so():
    game = deal({0: "123456m567p88s234s"}, last="4s", huang_run=2)
    assert flags_of(played([hu(0, "4s")], game)) == ("tian_hu", "after_huang_2")


# --- first tiles ----------------------------------------------------------------------------------


def test_a_non_dealer_that_wins_with_its_first_tile_has_di_hu():
    hands = {0: "4s", 1: READY, 2: "4z"}
    game = played([discard(0, "4s")], deal(hands, spare="1s"))
    assert flags_of(played([hu(1, "4s", "dianpao", 0)], game)) == ("di_hu",)
    game = played([draw(1, "1s"), hu(1, "1s")], game)
    assert flags_of(game) == ("di_hu",)


@pytest.mark.parametrize("act", ["niu", "flower", "discard", "peng"])
def test_an_act_before_it_spoils_the_first_tile(act: str):
    hands = {"niu": "123456m88s23s567z", "flower": "123456m567p88s2s1f",
             "discard": READY, "peng": "123456m55p88s23s9p"}  # fmt: skip
    game = deal({0: "1p5p", 1: hands[act]}, spare="1s4s4s")
    before = {
        "niu": [niu(1, "zfb", "567z")],
        "flower": [flower(1, "1f"), draw(1, "3s", "flower")],
        "discard": [],
        "peng": [],
    }[act]
    game = played([*before, discard(0, "5p" if act == "peng" else "1p")], game)
    if act == "peng":
        game = played([peng(1, "5p", 0), discard(1, "9p")], game)
    elif act == "discard":
        game = played([*turn(1, "9p")], game)
    else:
        game = played([draw(1, "4s"), hu(1, "4s")], game)
        assert "di_hu" not in flags_of(game)
        return
    game = played([draw(2, "4s"), discard(2, "4s", drawn=True), hu(1, "4s", "dianpao", 2)], game)
    assert "di_hu" not in flags_of(game)


# --- winning on others' tiles ---------------------------------------------------------------------


def several(options: dict[str, Any]) -> Game:
    """Seats 1 and 3 may win on the 4s that seat 0 discards."""
    hands = {0: "4s", 1: READY, 3: "123m456p789p66z23s"}
    return played([discard(0, "4s")], deal(hands, options=options))


def test_several_seats_win_on_one_tile_unless_the_club_allows_one():
    game = played([hu(3, "4s", "dianpao", 0)], several({}))
    assert closing(game) is None
    game = played([hu(1, "4s", "dianpao", 0), ended()], game)
    assert game.last is not None
    game = played([hu(1, "4s", "dianpao", 0)], several({"multi_win": False}))
    assert code_of(game, hu(3, "4s", "dianpao", 0)) == ("not_nearest", "QD-28")
    assert closing(game) is not None


def test_a_club_may_allow_self_drawn_wins_only():
    game = several({"zimo_only": True})
    assert code_of(game, hu(1, "4s", "dianpao", 0)) == ("zimo_only", "QD-29")
    assert not actions(game, 1, "hu")
    played([draw(1, "1s"), hu(1, "1s")], game)


def test_a_passed_win_is_barred_for_its_kind_until_the_own_next_draw():
    hands = {0: "4s1z", 1: "4s", 2: READY, 3: "4s"}
    for options in ({"guo_hu": True}, {}):
        game = deal(hands, options=options, spare="9p1s3z")
        game = played([discard(0, "4s"), draw(1, "9p"), discard(1, "4s")], game)
        if not options:
            assert flags_of(played([hu(2, "4s", "dianpao", 1)], game)) == ("di_hu",)
            continue
        assert code_of(game, hu(2, "4s", "dianpao", 1)) == ("guo_hu", "QD-33")
        assert not actions(game, 2, "hu")
        game = played([draw(2, "3z"), discard(2, "3z", drawn=True)], game)
        game = played([draw(3, "1z"), discard(3, "4s")], game)
        played([hu(2, "4s", "dianpao", 3)], game)


def test_a_written_pass_bars_too_but_never_another_kind_or_the_own_draw():
    hands = {0: "4s1z", 1: "1s4s", 2: READY}
    game = deal(hands, options={"guo_hu": True}, spare="9p4s")
    game = played([discard(0, "4s"), {"type": "pass", "seat": 2, "on": "discard"}], game)
    game = played([draw(1, "9p")], game)
    assert code_of(played([discard(1, "4s")], game), hu(2, "4s", "dianpao", 1)) == (
        "guo_hu",
        "QD-33",
    )
    played([discard(1, "1s"), hu(2, "1s", "dianpao", 1)], game)
    played([discard(1, "9p", drawn=True), draw(2, "4s"), hu(2, "4s")], game)


def test_a_passed_own_draw_bars_nothing():
    game = deal({0: "1z", 1: READY, 2: "4s"}, options={"guo_hu": True}, spare="1s")
    game = played([discard(0, "1z"), draw(1, "1s")], game)
    game = played([{"type": "pass", "seat": 1, "on": "draw"}, discard(1, "1s", drawn=True)], game)
    played([draw(2, "9p"), discard(2, "4s"), hu(1, "4s", "dianpao", 2)], game)


def test_a_passed_peng_is_barred_until_the_own_next_draw():
    hands = {0: "9p1z", 1: "9p", 2: "99p", 3: "1z"}
    for options in ({"guo_peng": True}, {}):
        game = deal(hands, options=options, spare="2z3z")
        game = played([discard(0, "9p"), draw(1, "2z"), discard(1, "9p")], game)
        if not options:
            played([peng(2, "9p", 1)], game)
            continue
        assert code_of(game, peng(2, "9p", 1)) == ("guo_peng", "QD-32")
        assert not actions(game, 2, "peng")
    game = played(
        [draw(2, "2z"), discard(2, "2z", drawn=True)], deal_and_pass("99p", discards="9p")
    )
    game = played([draw(3, "3z"), discard(3, "9p")], game)
    played([peng(2, "9p", 3)], game)


def deal_and_pass(hand: str, discards: str) -> Game:
    """Under the bar on peng seat 2 has let a 9p go and is to draw; seat 3 holds ``discards``."""
    hands = {0: "1p9p", 1: "1p", 2: hand, 3: discards}
    game = deal(hands, options={"guo_peng": True}, spare="2z3z")
    game = played([discard(0, "9p"), draw(1, "2z")], game)
    return played([discard(1, "1p")], game)


def test_a_peng_taken_is_no_peng_let_go():
    hands = {0: "9p1z", 2: "99p"}
    game = deal(hands, options={"guo_peng": True})
    game = played([discard(0, "9p"), peng(2, "9p", 0)], game)
    assert game.table is not None
    assert game.table.extra.no_peng == ("", "", "", "")


@pytest.mark.parametrize(
    ("hands", "flags"), [(0, ()), (1, ("after_huang",)), (2, ("after_huang_2",))]
)
def test_the_hands_before_that_nobody_won_are_told_of_every_winner(
    hands: int, flags: tuple[str, ...]
):
    ruleset = registry.get("qingdao")
    play = bind_play(ruleset, ruleset.options())
    assert play.flags_before(QingdaoMemory(hands)) == flags
