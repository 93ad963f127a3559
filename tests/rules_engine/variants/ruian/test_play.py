"""How Rui'an mahjong is played: flowers, claims, gangs, the last tiles, early ends."""

from typing import Any

import pytest

from rules_engine.fold import Game, closing
from rules_engine.moves import moves, moves_of
from rules_engine.score import HandScore
from rules_engine.table import NOTHING
from rules_engine.tiles import NAMES
from tests.rules_engine.variants.ruian.logs import (
    RULESET,
    actions,
    chi,
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
    peng,
    played,
    turn,
)

READY = "123456m234678p55s67s"
"""Sixteen tiles that wait for 5s and 8s."""


def table_of(game: Game) -> Any:
    """The live table."""
    assert game.table is not None
    return game.table


# --- flowers --------------------------------------------------------------------------------------


def test_the_flowers_of_the_deal_are_replaced_from_the_dealer_round():
    game = deal({1: "5z", 2: "55z", 3: "5z"}, dealer=2)
    for seat, number in ((2, 2), (3, 1), (1, 1)):
        for _ in range(number):
            assert [each.type for each in moves(game).actions] == ["flower"]
            assert code_of(game, flower((seat + 1) % 4)) == ("no_flower", "RA-5")
            game = played([flower(seat), draw(seat, next_tile(game), "tail")], game)
    table = table_of(game)
    assert (table.turn, table.phase, table.extra.replaced) == (2, "act", 4)
    assert [len(seat.pond) for seat in table.seats] == [0, 0, 0, 0]
    assert actions(game, 2, "discard")


def test_a_flower_drawn_is_replaced_and_is_no_gang():
    game = deal({0: "9m", 1: READY}, spare="5555z8888s")
    game = played([discard(0, "9m"), draw(1, "5z")], game)
    assert code_of(game, discard(1, "5z")) == ("flower_due", "RA-19")
    game = played([flower(1), draw(1, "5z", "tail"), flower(1), draw(1, "8s", "tail")], game)
    game = played([hu(1, "8s"), ended()], game)
    assert flags_of(game) == ()
    assert game.last is not None
    assert game.last.facts is not None
    assert game.last.facts.wins[0].flowers == "55z"


def test_only_the_seat_itself_knows_that_it_has_a_flower_to_set_aside():
    game = deal({0: "9m", 1: READY}, spare="5555z8888s")
    game = played([discard(0, "9m"), draw(1, "5z")], game)
    seen = {seat: game.play.seen_from(table_of(game), seat).extra.flower_due for seat in range(4)}
    assert seen == {0: NOTHING, 1: 1, 2: NOTHING, 3: NOTHING}
    assert [move.type for move in moves_of(game, {1})] == ["flower"]


def test_the_red_dragon_is_the_flower_where_the_white_is_wild():
    game = deal({0: "7z"}, indicator="5z")
    assert [each.type for each in moves(game).actions] == ["flower"]
    none = deal({0: "7z"}, indicator="5z", options={"flower_when_white_wild": "none"})
    assert actions(none, 0, "discard")


def test_nobody_declares_ting():
    assert code_of(deal({}), {"type": "ting", "seat": 0}) == ("no_ting", "RA-3")


# --- wins -----------------------------------------------------------------------------------------


def test_a_heavenly_hand_names_any_of_its_tiles():
    game = deal({0: READY + "8s"}, last="1m")
    named = {action.tile for action in actions(game, 0, "hu")}  # type: ignore[attr-defined]
    assert named == {"1m", "2m", "3m", "4m", "5m", "6m", "2p", "3p", "4p", "6p", "7p", "8p",
                     "5s", "6s", "7s", "8s"}  # fmt: skip
    assert code_of(game, hu(0, "9m"))[0] == "no_such_win"
    game = played([hu(0, "8s"), ended()], game)
    assert flags_of(game) == ("tian_hu",)


def test_the_tile_a_heavenly_hand_was_dealt_last_is_named_once_though_it_has_two_of_it():
    game = deal({0: READY + "8s"}, last="5s")
    named = [action.tile for action in actions(game, 0, "hu")]  # type: ignore[attr-defined]
    assert len(named) == len(set(named)) == 16
    assert "5s" in named


def test_an_own_gang_ends_the_heavenly_hand_unless_the_club_keeps_it():
    for kept in (False, True):
        options = {"tian_hu_after_gang": kept}
        game = deal({0: "1111m456m234678p55s6s"}, options=options, spare="7s", last="6s")
        game = played([gang(0, "an_gang", "1m"), draw(0, "7s", "tail")], game)
        assert not actions(game, 0, "hu")
        game = deal({0: "1111m456m234678p557s"}, options=options, spare="6s", last="5s")
        game = played([gang(0, "an_gang", "1m"), draw(0, "6s", "tail")], game)
    game = deal({0: "1111m456m234678p5567s"}, options={"tian_hu_after_gang": True}, spare="8s")
    game = played([gang(0, "an_gang", "1m"), draw(0, "8s", "tail"), hu(0, "8s")], game)
    assert flags_of(game) == ("tian_hu", "gang_kai")
    game = deal({0: "1111m456m234678p5567s"}, spare="8s")
    game = played([gang(0, "an_gang", "1m"), draw(0, "8s", "tail"), hu(0, "8s")], game)
    assert flags_of(game) == ("gang_kai",)


def test_a_win_on_the_dealers_first_discard_is_earthly():
    game = deal({0: "8s", 3: READY})
    game = played([discard(0, "8s"), hu(3, "8s", "dianpao", 0)], game)
    assert flags_of(game) == ("di_hu",)
    later = deal({0: "9m", 1: "8s", 3: READY})
    later = played([discard(0, "9m"), draw(1, "9m"), discard(1, "8s")], later)
    later = played([hu(3, "8s", "dianpao", 1)], later)
    assert flags_of(later) == ()


def test_three_wilds_are_laid_down_after_an_own_draw():
    game = deal({0: "9m", 1: "44z"})
    game = played([discard(0, "9m"), draw(1, "4z")], game)
    assert [action.type for action in actions(game, 1, "hu")] == ["hu"]
    assert actions(game, 1, "pass")
    off = deal({0: "9m", 1: "44z"}, options={"san_cai_shen_bare": False})
    off = played([discard(0, "9m"), draw(1, "4z")], off)
    assert code_of(off, hu(1, "4z")) == ("bare_san_cai_shen_off", "RA-46")


def test_three_wilds_wait_for_the_own_turn():
    game = deal({0: "9m", 1: "444z"})
    assert not actions(game, 1, "hu")
    game = played([discard(0, "9m")], game)
    assert code_of(game, hu(1, "9m", "dianpao", 0)) == ("san_cai_shen_own_draw", "RA-46")
    assert actions(played([draw(1, "9m")], game), 1, "hu")


def test_a_win_that_is_none_names_its_reason():
    game = played([discard(0, "1z")], deal({0: "1z", 1: READY}))
    assert code_of(game, hu(1, "1z", "dianpao", 0)) == ("no_shape", "RA-40")
    game = deal({0: "8p", 1: "113m2266p4488s1133z4z"}, last="8p")
    game = played([discard(0, "8p")], game)
    assert code_of(game, hu(1, "8p", "dianpao", 0)) == ("soft_ba_dui", "RA-44")


def test_a_farther_claimant_is_a_loser_like_any():
    hands = {0: "8s", 1: READY, 2: "123m456789p67999s11z"}
    game = played([discard(0, "8s"), hu(2, "8s", "dianpao", 0)], deal(hands))
    assert closing(game) is None
    assert code_of(game, ended("huang_zhuang")) == ("hand_not_over", "RA-50")
    game = played([hu(1, "8s", "dianpao", 0)], game)
    game = played([ended()], game)
    assert game.last is not None
    facts = game.last.facts
    assert facts is not None
    assert [win.seat for win in facts.wins] == [1]
    assert {holding.seat for holding in facts.table} == {0, 2, 3}
    first = played([discard(0, "8s"), hu(1, "8s", "dianpao", 0)], deal(hands))
    assert code_of(first, hu(2, "8s", "dianpao", 0))[0] == "no_such_win"


THREE = {0: "8s", 1: READY, 2: "123m456789p67999s11z", 3: "789m123p67s22233366z"}


def test_three_claims_end_the_hand_where_the_club_says_so():
    game = deal(THREE, options={"triple_hu_draw": True})
    game = played([discard(0, "8s"), hu(3, "8s", "dianpao", 0)], game)
    game = played([hu(1, "8s", "dianpao", 0)], game)
    assert closing(game) is None
    game = played([hu(2, "8s", "dianpao", 0)], game)
    over = closing(game)
    assert over is not None
    assert over.reason == "huang_zhuang"
    assert moves(game).actions == ()
    assert code_of(game, ended("hu")) == ("hand_not_over", "RA-50")
    game = played([ended("huang_zhuang", cause="triple_hu")], game)
    assert game.last is not None
    facts = game.last.facts
    assert facts is not None
    assert facts.result == "huang_zhuang"
    assert {flag for each in facts.table for flag in each.flags} == {"triple_hu"}
    assert game.dealer == 1


def test_two_claims_do_not_end_it():
    game = deal(THREE, options={"triple_hu_draw": True})
    game = played([discard(0, "8s"), hu(3, "8s", "dianpao", 0), hu(1, "8s", "dianpao", 0)], game)
    game = played([passed(2), ended()], game)
    assert game.last is not None
    assert game.last.facts is not None
    assert game.last.facts.wins[0].seat == 1


# --- claims and gangs -----------------------------------------------------------------------------


def test_a_peng_let_go_is_barred_until_the_own_draw():
    game = deal({0: "99m", 2: "99m12p"}, spare="3p")
    game = played([discard(0, "9m"), draw(1, "1z"), discard(1, "1z")], game)
    assert table_of(game).extra.barred == ("", "", "9m", "")
    game = played([*turn(2, "2z")], game)
    assert table_of(game).extra.barred == ("", "", "", "")


def test_a_barred_peng_is_refused_with_its_rule():
    hands = {0: "9m", 1: "9m", 2: "99m"}
    for rule in (True, False):
        game = deal(hands, options={"guo_peng": rule})
        game = played([discard(0, "9m"), draw(1, "1z"), discard(1, "9m")], game)
        assert bool(actions(game, 2, "peng")) is not rule
        if rule:
            assert code_of(game, peng(2, "9m", 1)) == ("guo_peng", "RA-35")


def test_wilds_take_no_part_in_claims():
    game = deal({0: "5m", 1: "46m", 2: "55m"}, indicator="4m")
    game = played([discard(0, "5m")], game)
    assert code_of(game, chi(1, "456m", "5m", 0)) == ("wild_in_meld", "RA-42")
    assert actions(game, 2, "peng")


def melded_out(tile: str) -> Game:
    """Seat 1 has four melds by pengs and holds two wilds and two of ``tile``, or three wilds."""
    hands = {0: "1111m" + "2222m" + "3333m" + "5555m" + "9p", 1: "11m22m33m55m44z" + tile}
    return deal({**hands, 0: "1m2m3m5m9p", 1: "11m22m33m55m44z" + tile}, last="9p")


def test_a_claim_that_leaves_wilds_only_is_refused():
    game = melded_out("99p" + "1s2s3s5s")
    for tile, left in (("1m", "1s"), ("2m", "2s"), ("3m", "3s"), ("5m", "5s")):
        game = played([discard(0, tile), peng(1, tile, 0), discard(1, left)], game)
        for seat in (2, 3):
            game = played(turn(seat, next_tile(game)), game)
        game = played([draw(0, next_tile(game))], game)
    game = played([discard(0, "9p")], game)
    assert code_of(game, peng(1, "9p", 0)) == ("only_wilds_left", "RA-36")
    assert not actions(game, 1, "peng")
    assert actions(game, 1, "hu")


def test_after_chi_and_peng_nobody_wins_or_makes_a_gang():
    game = deal({0: "9m", 1: "78m1111p"}, last="9m")
    game = played([discard(0, "9m"), chi(1, "789m", "9m", 0)], game)
    assert not actions(game, 1, "gang")
    assert not actions(game, 1, "hu")
    assert code_of(game, gang(1, "an_gang", "1p")) == ("gang_after_claim", "RA-20")


def robbed() -> Game:
    """Seat 0 adds the fourth 8s to its peng; seat 2 waits for it."""
    game = deal({0: "88s1z", 1: "8s", 2: READY, 3: "9p"}, spare="8s")
    game = played([discard(0, "1z"), draw(1, "2z"), discard(1, "8s")], game)
    game = played([passed(2), peng(0, "8s", 1), discard(0, next_discard(game, 0))], game)
    for seat in (1, 2, 3):
        game = played(turn(seat, next_tile(game)), game)
    return played([draw(0, "8s"), gang(0, "bu_gang", "8s")], game)


def next_discard(game: Game, seat: int) -> str:
    """A tile the seat may discard that is not 8s."""
    concealed = table_of(game).seats[seat].concealed
    kinds = [k for k in range(34) if concealed >> 4 * k & 15 and k not in (25, 30)]
    return NAMES[kinds[-1]]


def test_an_added_gang_is_robbed_and_stays_a_peng():
    game = robbed()
    game = played([hu(2, "8s", "qiang_gang", 0), ended()], game)
    assert game.last is not None
    facts = game.last.facts
    assert facts is not None
    held = next(holding for holding in facts.table if holding.seat == 0)
    assert [meld.kind for meld in held.melds] == ["peng"]
    assert "8s" not in held.concealed
    assert len(held.concealed.translate({ord(c): None for c in "mpsz"})) == 13
    score = RULESET.score(facts, game.options)
    assert isinstance(score, HandScore)
    assert "qiang_gang" in {item.id for item in score.wins[0].items}


def test_an_added_gang_not_robbed_stands():
    game = played([passed(2, "gang"), draw(0, next_tile(robbed()), "tail")], robbed())
    table = table_of(game)
    assert [meld.kind for meld in table.seats[0].melds] == ["bu_gang"]
    assert (table.extra.gangs, table.extra.kai) == (1, True)


def test_only_an_added_gang_is_robbed():
    game = deal({0: "8888s", 2: READY}, last="8s")
    game = played([gang(0, "an_gang", "8s")], game)
    assert code_of(game, hu(2, "8s", "qiang_gang", 0)) == ("rob_only_bu_gang", "RA-32")


def test_the_wild_kind_makes_no_gang():
    game = deal({0: "444z"})
    assert code_of(game, gang(0, "an_gang", "4z"))[1] in ("RA-37", "RA-42")


@pytest.mark.parametrize("rule", ["RA-37", "RA-38"])
def test_gangs_need_their_tiles(rule: str):
    game = deal({0: "123m"})
    kind = {"RA-37": "an_gang", "RA-38": "bu_gang"}[rule]
    assert code_of(game, gang(0, kind, "1m"))[1] == rule
