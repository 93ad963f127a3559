"""Niu groups and their exchange (QD-39 to QD-50), tile by tile."""

from typing import Any

import pytest
from msgspec.structs import replace

from rules_engine.moves import moves
from rules_engine.table import NOTHING
from tests.rules_engine.variants.qingdao.logs import (
    actions,
    chi,
    code_of,
    deal,
    discard,
    draw,
    ended,
    exchange,
    flags_of,
    gang,
    hu,
    niu,
    peng,
    played,
    ting,
    turn,
)

DRAGONS = {2: "344589m67p567z"}
ZFB = niu(2, "zfb", "567z")


def test_in_the_opening_every_seat_may_lay_in_any_order():
    game = deal({0: "567z", 1: "1s12z", 2: "1234z"}, last="5z")
    game = played([niu(2, "dnxb", "1234z"), draw(2, "9p", "niu"), niu(1, "dny", "1s12z")], game)
    game = played([niu(0, "zfb", "567z")], game)
    assert game.table is not None
    assert [len(seat.melds) for seat in game.table.seats] == [1, 1, 1, 0]
    assert game.table.turn == 0


def test_after_three_tiles_nothing_is_drawn_and_after_four_one_replacement():
    game = played([ZFB], deal(DRAGONS))
    assert game.table is not None
    assert moves(game).due is None
    game = played([niu(1, "dnxb", "1234z")], deal({1: "1234z"}))
    due = moves(game).due
    assert due is not None
    assert (due.type, due.seat, due.source) == ("draw", 1, "tail")
    assert code_of(game, discard(0, "1m")) == ("replacement_due", "QD-20")
    assert moves(played([draw(1, "9p", "niu")], game)).due is None


def test_the_replacement_of_another_seat_leaves_the_dealer_in_turn():
    game = deal({0: "19m", 1: "1234z"}, last="9m")
    game = played([niu(1, "dnxb", "1234z"), draw(1, "9p", "niu")], game)
    assert game.table is not None
    assert (game.table.turn, game.table.source) == (0, "deal")
    played([discard(0, "9m", drawn=True)], game)


def test_a_non_dealer_may_lay_with_its_first_draw_but_not_with_its_second():
    start = deal({0: "1m", 1: "56z", 2: "56z"})
    first = played([discard(0, "1m"), draw(1, "7z")], start)
    played([niu(1, "zfb", "567z")], first)
    game = played([discard(0, "1m"), *turn(1, "3z"), *turn(2, "3z"), *turn(3, "4z")], start)
    game = played([*turn(0, "4z"), draw(1, "7z")], game)
    assert code_of(game, niu(1, "zfb", "567z")) == ("niu_closed", "QD-43")
    assert not actions(game, 1, "niu")


def test_outside_the_opening_and_the_own_turn_nobody_lays():
    game = played([discard(0, "1m"), draw(1, "3z")], deal({0: "1m", **DRAGONS}))
    assert code_of(game, ZFB) == ("not_your_turn", "QD-19")


def test_a_claim_or_a_gang_ends_the_chance_to_lay_but_laying_does_not_end_claims():
    game = deal({0: "1m", 2: "11m567z"})
    game = played([discard(0, "1m"), peng(2, "1m", 0)], game)
    assert code_of(game, ZFB) == ("niu_closed", "QD-43")
    game = played([ZFB, discard(0, "1m"), peng(2, "1m", 0)], deal({0: "1m", 2: "11m567z"}))
    assert game.table is not None
    assert [meld.kind for meld in game.table.seats[2].melds] == ["niu", "peng"]
    game = played([gang(0, "an_gang", "1m")], deal({0: "1111m", 2: "567z"}))
    game = played([draw(0, "9p", "gang")], game)
    assert code_of(game, ZFB) == ("not_your_turn", "QD-19")


def test_a_group_is_laid_once_and_only_as_it_is():
    game = played([ZFB], deal({2: "555667z"}))
    assert code_of(game, niu(2, "zfb", "567z")) == ("bad_niu", "QD-40")
    game = deal({2: "1234567z1s"})
    for wrong in (niu(2, "dnxb", "123z"), niu(2, "zfb", "566z"), niu(2, "dny", "2s12z")):
        assert code_of(game, wrong) == ("bad_niu", "QD-40")
    assert code_of(game, niu(2, "zfb", "67z", "5z")) == ("bad_niu", "QD-40")
    assert code_of(game, niu(3, "zfb", "567z")) == ("tile_not_held", "QD-19")
    assert {each.group for each in actions(game, 2, "niu")} == {"zfb", "dnxb", "dny"}


def test_without_the_option_nothing_is_laid_or_exchanged():
    game = deal(DRAGONS, options={"niu": False})
    assert code_of(game, ZFB) == ("niu_forbidden", "QD-39")
    assert code_of(game, exchange(0, "1m")) == ("niu_forbidden", "QD-39")
    assert not actions(game, 2, "niu")


HUN = {"mode": "dian_pao", "hun": True}
"""With this indicator the hun is 3m."""


def test_one_hun_may_stand_in_two_of_the_groups_and_in_no_third():
    game = deal({2: "33m12467z1s"}, options=HUN, indicator="2m")
    played([niu(2, "zfb", "3m67z", "5z")], game)
    played([niu(2, "dnxb", "3m124z", "3z"), draw(2, "9p", "niu")], game)
    assert code_of(game, niu(2, "zfb", "33m6z", "5z", "7z")) == ("bad_niu", "QD-40")
    assert code_of(game, niu(2, "dny", "3m12z", "1s")) == ("bad_niu", "QD-40")
    assert code_of(game, niu(2, "zfb", "3m67z", "1z")) == ("bad_niu", "QD-40")
    groups = {(each.group, each.stands) for each in actions(game, 2, "niu")}
    assert groups == {
        ("zfb", ("5z",)),
        ("dnxb", ("3z",)),
        ("dny", ()),
    }


def test_with_the_option_any_number_of_hun_may_stand_in_any_group():
    game = deal({2: "33m124z1s"}, options={**HUN, "niu_hun": "any"}, indicator="2m")
    played([niu(2, "dnxb", "33m12z", "3z", "4z"), draw(2, "9p", "niu")], game)
    played([niu(2, "dny", "33m1z", "2z", "1s")], game)
    assert code_of(game, niu(2, "zfb", "33m6z", "5z", "7z")) == ("tile_not_held", "QD-19")


def test_a_hun_that_belongs_to_the_group_counts_as_itself_and_never_stands_for_itself():
    game = deal({2: "566z"}, options=HUN, indicator="7z")
    played([niu(2, "zfb", "566z", "7z")], game)
    game = deal({2: "5667z"}, options=HUN, indicator="7z")
    played([niu(2, "zfb", "567z")], game)
    assert code_of(game, niu(2, "zfb", "567z", "6z")) == ("bad_niu", "QD-40")


def test_a_group_of_four_needs_a_tile_to_draw():
    game = deal({0: "1234z"}, last="1z", spare="1111s")
    assert game.table is not None
    empty = replace(game, table=replace(game.table, remaining=0))
    assert code_of(empty, niu(0, "dnxb", "1234z")) == ("no_tile", "QD-21")
    assert not actions(empty, 0, "niu")


# --- winning around a niu -------------------------------------------------------------------------


def test_a_seat_may_win_on_the_replacement_of_a_group_laid_in_its_turn():
    game = deal({0: "123m456p2378s1234z"}, last="2s")
    game = played([niu(0, "dnxb", "1234z"), draw(0, "9s", "niu")], game)
    assert not actions(game, 0, "hu")
    game = deal({0: "123456m56p88s1234z"}, last="1z")
    game = played([niu(0, "dnxb", "1234z"), draw(0, "7p", "niu"), hu(0, "7p"), ended()], game)
    assert flags_of(game) == ("niu_kai",)


def test_the_dealer_may_win_after_laying_its_last_tile_on_the_best_of_the_others():
    game = deal({0: "123456m567p88s567z"}, last="5z")
    game = played([niu(0, "zfb", "567z")], game)
    assert game.table is not None
    assert game.table.drawn == NOTHING
    (win,) = actions(game, 0, "hu")
    assert win.tile == "1m"
    assert code_of(game, hu(0, "8s")) == ("no_such_win", "QD-28")
    assert flags_of(played([hu(0, "1m")], game)) == ()


def test_while_a_tile_of_its_kind_is_left_the_last_tile_stays_the_winning_one():
    game = deal({0: "123456m56p55567z7p"}, last="5z")
    game = played([niu(0, "zfb", "567z")], game)
    (win,) = actions(game, 0, "hu")
    assert win.tile == "5z"


def test_after_laying_its_drawn_tile_a_hand_that_is_not_complete_does_not_win():
    game = played([niu(0, "zfb", "567z")], deal({0: "567z"}, last="5z"))
    assert code_of(game, hu(0, "1m")) == ("shape", "QD-60")


def test_a_win_let_go_is_not_offered_again_for_the_same_tile():
    game = deal({0: "123456m567p88s567z"}, last="5z")
    game = played([niu(0, "zfb", "567z"), {"type": "pass", "seat": 0, "on": "draw"}], game)
    assert not actions(game, 0, "hu")


# --- exchange -------------------------------------------------------------------------------------


def laid() -> Any:
    """Seat 2 has laid zfb and is about to draw."""
    return played(
        [ZFB, discard(0, "1m"), *turn(1, "3z")],
        deal({0: "1m", 2: "344589m67p567z"}),
    )


def test_an_exchange_nobody_claims_gives_a_replacement_and_the_turn_goes_on():
    game = played([draw(2, "5z"), exchange(2, "5z")], laid())
    due = moves(game).due
    assert due is not None
    assert (due.seat, due.source) == (2, "tail")
    game = played([draw(2, "6z", "niu"), exchange(2, "6z"), draw(2, "9p", "niu")], game)
    game = played([discard(2, "9p", drawn=True), draw(3, "9s")], game)
    assert game.table is not None
    assert [tile.kind for tile in game.table.seats[2].pond] == [31, 32, 17]


def test_an_ordinary_discard_of_such_a_tile_is_not_replaced():
    game = played([draw(2, "5z"), discard(2, "5z", drawn=True)], laid())
    due = moves(game).due
    assert due is not None
    assert (due.seat, due.source) == (3, "head")


def test_a_claimed_exchange_is_interrupted_and_pays_like_a_discard():
    game = deal({0: "1m", 1: "123456m55s7z", 2: "344589m67p567z", 3: "2m"})
    game = played([ZFB, discard(0, "1m"), *turn(1, "3z"), draw(2, "5z")], game)
    game = played([exchange(2, "5z")], game)
    assert code_of(game, discard(2, "3m")) == ("not_your_turn", "QD-19")


def test_the_next_seat_may_chi_an_exchanged_tile_and_others_may_win_on_it():
    hands = {0: "1m", 2: "12z1s", 3: "23s", 1: "123m456p789p99m23s"}
    game = played([niu(2, "dny", "1s12z"), discard(0, "1m")], deal(hands))
    game = played([*turn(1, "3z"), draw(2, "1s"), exchange(2, "1s")], game)
    claimed = played([chi(3, "123s", "1s", 2)], game)
    assert claimed.table is not None
    assert claimed.table.turn == 3
    won = played([hu(1, "1s", "dianpao", 2), ended()], game)
    assert won.last is not None
    assert won.last.facts is not None
    assert won.last.facts.wins[0].from_ == 2


def test_only_a_tile_of_a_laid_group_that_was_just_drawn_is_exchanged():
    game = played([draw(2, "5z")], laid())
    assert code_of(game, exchange(2, "4m", drawn=False)) == ("not_laid", "QD-46")
    assert code_of(game, exchange(2, "1z")) == ("tile_not_held", "QD-19")
    game = deal({0: "1m", 2: "344589m67p5567z"}, spare="2p")
    game = played([ZFB, discard(0, "1m"), *turn(1, "3z"), draw(2, "2p")], game)
    assert code_of(game, exchange(2, "5z", drawn=False)) == ("not_drawn", "QD-46")
    assert not actions(game, 2, "niu_exchange")


def test_the_dealt_last_tile_is_not_a_drawn_one():
    game = played([niu(0, "zfb", "567z")], deal({0: "5567z"}, last="5z"))
    assert code_of(game, exchange(0, "5z")) == ("not_drawn", "QD-46")


def test_with_the_option_any_held_tile_goes_also_after_a_claim():
    options = {"niu_exchange_from": "hand"}
    game = deal({0: "1p", 2: "11p344589m5567z"}, options=options)
    start = played([ZFB, discard(0, "1p")], game)
    game = played([peng(2, "1p", 0)], start)
    assert len(actions(game, 2, "niu_exchange")) == 1
    assert code_of(game, exchange(2, "5z")) == ("drawn_mismatch", "QD-19")
    game = played([exchange(2, "5z", drawn=False), draw(2, "6z", "niu")], game)
    assert not actions(game, 2, "hu")
    played([discard(2, "6z", drawn=True)], game)


def test_after_a_claim_only_the_option_allows_an_exchange():
    game = deal({0: "1p", 2: "11p344589m5567z"})
    game = played([ZFB, discard(0, "1p"), peng(2, "1p", 0)], game)
    assert code_of(game, exchange(2, "5z", drawn=False)) == ("not_drawn", "QD-46")


def test_a_hun_is_not_exchanged():
    game = deal({0: "1m", 2: "344m567z"}, options=HUN, indicator="7z")
    game = played([ZFB, discard(0, "1m"), *turn(1, "3z"), draw(2, "6z")], game)
    assert code_of(game, exchange(2, "6z")) == ("hun_exchange", "QD-46")


@pytest.mark.parametrize("niu_kou_ting", ["never", "not_while"])
def test_who_has_laid_declares_nothing_or_only_not_in_that_turn(niu_kou_ting: str):
    options = {"lou": "both", "niu_kou_ting": niu_kou_ting}
    hands = {0: "1m", 2: "123456m56p77s567z"}
    game = played(
        [ZFB, discard(0, "1m"), *turn(1, "3z"), draw(2, "1z")],
        deal(hands, options=options, spare="1111z4z"),
    )
    if niu_kou_ting == "never":
        assert code_of(game, ting(2)) == ("niu_ting", "QD-50")
        return
    declared = played([ting(2), discard(2, "1z", drawn=True)], game)
    declared = played([*turn(3, "1z"), *turn(0, "1z"), *turn(1, "3z"), draw(2, "5z")], declared)
    assert code_of(declared, exchange(2, "5z")) == ("ting_locked", "QD-58")
    game = played([discard(2, "1z", drawn=True), *turn(3, "1z"), *turn(0, "1z")], game)
    game = played([*turn(1, "3z"), draw(2, "5z"), exchange(2, "5z"), draw(2, "4z", "niu")], game)
    assert code_of(game, ting(2)) == ("niu_ting", "QD-50")


def test_laying_in_the_own_turn_keeps_from_declaring_in_it():
    options = {"lou": "both", "niu_kou_ting": "not_while"}
    game = deal({0: "123456m56p177s567z"}, options=options, last="5z")
    game = played([niu(0, "zfb", "567z")], game)
    assert code_of(game, ting(0)) == ("niu_ting", "QD-50")
