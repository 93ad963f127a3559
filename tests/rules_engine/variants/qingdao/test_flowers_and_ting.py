"""Flowers (QD-51 to QD-55) and declarations (QD-56 to QD-59), tile by tile."""

from typing import Any

import pytest
from msgspec.structs import replace

from rules_engine.fold import Game
from rules_engine.moves import moves
from tests.rules_engine.variants.qingdao.logs import (
    RULESET,
    actions,
    chi,
    code_of,
    deal,
    discard,
    draw,
    ended,
    exchange,
    flags_of,
    flower,
    gang,
    hu,
    niu,
    peng,
    played,
    ting,
    turn,
)

READY = "123456m567p88s23s"
"""A hand that waits for 1s and 4s."""


def items_of(game: Game) -> dict[str, int]:
    """The items of the first winner of the hand just ended."""
    assert game.last is not None
    assert game.last.facts is not None
    score = RULESET.score(game.last.facts, game.options)
    return {line.id: line.points for line in score.wins[0].items}  # type: ignore[union-attr]


# --- flowers --------------------------------------------------------------------------------------


def test_every_flower_set_aside_is_replaced_from_the_tail():
    game = played([flower(2, "12f")], deal({2: "12f"}))
    for tile in ("9p", "9s"):
        due = moves(game).due
        assert due is not None
        assert (due.seat, due.source) == (2, "tail")
        assert code_of(game, discard(0, "1m")) == ("replacement_due", "QD-20")
        assert code_of(game, draw(1, tile, "flower")) == ("not_your_turn", "QD-19")
        game = played([draw(2, tile, "flower")], game)
    assert moves(game).due is None
    assert game.table is not None
    assert game.table.seats[2].flowers


def test_a_seat_sets_aside_any_of_the_flowers_it_holds_and_nothing_else():
    game = deal({0: "124f"}, options={"flowers": 4})
    offered = sorted(each.tiles for each in actions(game, 0, "flower"))
    assert offered == ["124f", "12f", "14f", "1f", "24f", "2f", "4f"]
    assert code_of(game, flower(0, "3f")) == ("tile_not_held", "QD-19")
    assert code_of(game, flower(0, "1m")) == ("bad_tiles", "QD-4")
    assert code_of(game, flower(0, "21f")) == ("bad_tiles", "QD-4")
    assert code_of(game, flower(0, "11f")) == ("bad_tiles", "QD-4")


@pytest.mark.parametrize(
    ("hand", "events"),
    [
        ("12f", [flower(2, "12f"), draw(2, "8p", "flower"), draw(2, "9p", "flower")]),
        ("1f", [flower(2, "1f"), draw(2, "2f", "flower"), flower(2, "2f"),
                draw(2, "9p", "flower")]),
    ],
)  # fmt: skip
def test_in_the_opening_a_pair_is_hidden_however_it_is_set_aside(
    hand: str, events: list[dict[str, Any]]
):
    game = played(events, deal({2: hand}, spare="8p9p" + ("2f" if hand == "1f" else "")))
    assert game.table is not None
    assert game.play.flags(game.table, 2, by="dianpao") == ("an_hua_1",)


def test_later_a_pair_is_hidden_only_when_both_go_in_one_act():
    hand = {0: "1z", 2: "123456m567p88s2s1f"}
    start = played([discard(0, "1z"), *turn(1, "3z")], deal(hand, spare="2f"))
    game = played([draw(2, "2f"), flower(2, "12f")], start)
    game = played([draw(2, "9p", "flower"), draw(2, "3s", "flower")], game)
    assert game.table is not None
    assert "an_hua_1" in game.play.flags(game.table, 2, by="zimo")
    game = played([draw(2, "9p"), flower(2, "1f"), draw(2, "2f", "flower")], start)
    game = played([flower(2, "2f"), draw(2, "3s", "flower"), discard(2, "9p")], game)
    game = played([draw(3, "1s"), discard(3, "1s", drawn=True)], game)
    game = played([hu(2, "1s", "dianpao", 3), ended()], game)
    assert flags_of(game) == ()
    assert items_of(game) == {"base": 1, "ming_hua": 1}


def test_the_dealers_opening_ends_with_its_first_discard():
    game = deal({0: "123456m567p88s2s1f1z"}, spare="2f3z")
    game = played([flower(0, "1f"), draw(0, "3s", "flower"), discard(0, "1z")], game)
    game = played([*turn(1, "3z"), *turn(2, "3z"), *turn(3, "3z"), draw(0, "2f")], game)
    game = played([flower(0, "2f"), draw(0, "1s", "flower"), hu(0, "1s"), ended()], game)
    assert flags_of(game) == ("hua_kai",)
    assert items_of(game) == {"base": 1, "niu_gang_kai": 2, "ming_hua": 1}


def test_a_flower_in_hand_blocks_the_win_and_a_discarded_one_is_dead():
    game = played([discard(0, "1z"), *turn(1, "3z")], deal({0: "1z", 2: READY}, spare="12f"))
    game = played([draw(2, "1f")], game)
    assert code_of(game, hu(2, "1f")) == ("flower_in_hand", "QD-55")
    assert not actions(game, 2, "hu")
    game = played([discard(2, "1f", drawn=True)], game)
    assert moves(game).actions == ()
    assert code_of(game, hu(3, "1f", "dianpao", 2)) == ("flower_in_hand", "QD-55")


def test_after_a_claim_a_flower_may_go_but_its_replacement_does_not_win():
    game = deal({0: "9p", 2: "123456m99p788s1f"}, spare="9s")
    game = played([discard(0, "9p"), peng(2, "9p", 0), flower(2, "1f")], game)
    game = played([draw(2, "9s", "flower")], game)
    assert not actions(game, 2, "hu")
    assert code_of(game, hu(2, "9s")) == ("no_such_win", "QD-28")
    played([discard(2, "9s", drawn=True)], game)


def test_without_a_tile_to_draw_no_flower_is_set_aside():
    game = deal({0: "12f"})
    assert game.table is not None
    low = replace(game, table=replace(game.table, remaining=1))
    assert code_of(low, flower(0, "12f")) == ("no_tile", "QD-21")
    assert [each.tiles for each in actions(low, 0, "flower")] == ["1f", "2f"]


# --- declarations ---------------------------------------------------------------------------------

FULL = {"mode": "quan_dai_jiang"}


def declared(kind: str = "kou_ting", spare: str = "2222z") -> Game:
    """Seat 1 has declared in its first turn, and seat 2 is to draw."""
    start = deal({0: "1z", 1: READY}, options=FULL, spare=spare)
    events = [discard(0, "1z"), draw(1, "4z"), ting(1, kind), discard(1, "4z", drawn=True)]
    return played(events, start)


@pytest.mark.parametrize("kind", ["kou_ting", "ming_lou"])
def test_a_declared_hand_wins_with_the_item_of_its_declaration(kind: str):
    game = played([draw(2, "1s"), discard(2, "1s", drawn=True)], declared(kind))
    game = played([hu(1, "1s", "dianpao", 2), ended()], game)
    assert flags_of(game) == (kind,)
    assert items_of(game) == {"base": 1, kind: 1 if kind == "kou_ting" else 2}


def test_the_declaring_discard_is_the_next_event_and_leaves_a_ready_hand():
    game = deal({0: "1z", 1: READY}, options=FULL, spare="4z")
    game = played([discard(0, "1z"), draw(1, "4z"), ting(1)], game)
    assert {each.tile for each in actions(game, 1, "discard")} == {"4z"}
    assert code_of(game, discard(1, "5p")) == ("ting_not_ready", "QD-57")
    assert code_of(game, ting(1)) == ("ting_locked", "QD-58")
    assert code_of(game, gang(1, "an_gang", "4z"))[0] in ("gang_after_claim", "gang_needs_four")
    assert code_of(game, hu(1, "4z")) == ("no_such_win", "QD-28")


def test_a_hand_that_cannot_become_ready_does_not_declare():
    game = played([discard(0, "1z"), draw(1, "4z")], deal({0: "1z"}, options=FULL, spare="4z"))
    assert code_of(game, ting(1)) == ("ting_not_ready", "QD-57")
    assert not actions(game, 1, "ting")


@pytest.mark.parametrize(
    ("lou", "allowed"),
    [("none", set()), ("an", {"kou_ting"}), ("ming", {"ming_lou"}),
     ("both", {"kou_ting", "ming_lou"})],
)  # fmt: skip
def test_the_club_decides_what_may_be_declared(lou: str, allowed: set[str]):
    game = deal({0: "1z", 1: READY}, options={"lou": lou}, spare="4z")
    game = played([discard(0, "1z"), draw(1, "4z")], game)
    assert {each.kind for each in actions(game, 1, "ting")} == allowed
    for kind in {"kou_ting", "ming_lou"} - allowed:
        assert code_of(game, ting(1, kind)) == ("ting_forbidden", "QD-56")


def test_a_declared_seat_is_locked_to_what_it_draws():
    game = declared(spare="2222z1f55z")
    game = played([draw(2, "2z"), discard(2, "2z", drawn=True), *turn(3, "2z")], game)
    game = played([*turn(0, "2z"), draw(1, "1f")], game)
    assert code_of(game, discard(1, "5p")) == ("ting_locked", "QD-58")
    game = played([flower(1, "1f"), draw(1, "5z", "flower")], game)
    assert code_of(game, ting(1)) == ("ting_already_declared", "QD-57")
    assert code_of(game, discard(1, "5p")) == ("ting_locked", "QD-58")
    played([discard(1, "5z", drawn=True)], game)


def test_a_declared_seat_claims_nothing_and_makes_no_gang():
    hand = {0: "1z", 1: "123456m56p88s777s"}
    game = deal(hand, options=FULL, spare="4z7s8s9s")
    game = played([discard(0, "1z"), draw(1, "4z"), ting(1), discard(1, "4z", drawn=True)], game)
    game = played([draw(2, "8s"), discard(2, "8s", drawn=True)], game)
    assert code_of(game, peng(1, "8s", 2)) == ("ting_locked", "QD-58")
    assert moves(game).actions == () or not actions(game, 1, "peng")
    game = played([*turn(3, "9s")], game)
    game = played([draw(0, "6z"), discard(0, "6z", drawn=True), draw(1, "7s")], game)
    assert code_of(game, gang(1, "an_gang", "7s")) == ("ting_locked", "QD-58")
    assert code_of(game, exchange(1, "7s")) == ("ting_locked", "QD-58")
    assert code_of(game, niu(1, "zfb", "567z")) == ("ting_locked", "QD-58")


def test_a_declaration_after_a_claim_goes_with_that_discard():
    game = deal({0: "1p", 1: "23p123456m88s677s"}, options=FULL)
    game = played([discard(0, "1p"), chi(1, "123p", "1p", 0)], game)
    game = played([ting(1), discard(1, "7s")], game)
    assert game.table is not None
    assert game.table.seats[1].ting


def test_with_a_minimum_the_wait_must_reach_it_the_declaration_included():
    plain = {0: "1z", 1: READY}
    game = deal(plain, options={**FULL, "min_points": 3}, spare="4z")
    game = played([discard(0, "1z"), draw(1, "4z")], game)
    assert {each.kind for each in actions(game, 1, "ting")} == {"ming_lou"}
    assert code_of(game, ting(1)) == ("ting_not_ready", "QD-57")
    game = played([ting(1, "ming_lou"), discard(1, "4z", drawn=True), draw(2, "1s")], game)
    game = played([discard(2, "1s", drawn=True), hu(1, "1s", "dianpao", 2)], game)
    game = deal(plain, options={**FULL, "min_points": 2}, spare="4z")
    game = played([discard(0, "1z"), draw(1, "4z"), discard(1, "4z", drawn=True)], game)
    game = played([draw(2, "1s"), discard(2, "1s", drawn=True)], game)
    assert code_of(game, hu(1, "1s", "dianpao", 2)) == ("min_points", "QD-68")
    assert not actions(game, 1, "hu")
