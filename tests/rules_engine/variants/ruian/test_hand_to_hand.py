"""From hand to hand of Rui'an mahjong: seats, dealer, streak, substitute, and the walls."""

import hashlib
from random import Random
from typing import Any

import pytest

from rules_engine.fold import Game, apply, closing
from rules_engine.moves import moves
from rules_engine.tiles import KIND, NAMES
from rules_engine.variants.ruian.deal import indicator_place
from tests.rules_engine.variants.ruian.logs import (
    Body,
    code_of,
    deal,
    discard,
    draw,
    ended,
    hu,
    played,
    result,
    started,
)

DRAWN: Body = {
    "type": "seats_drawn",
    "assumed_east": 1,
    "dice": [2, 3, 4, 2],
    "lots": ["4z", "1z", "2z", "3z"],
    "true_east": 2,
}


# --- seats ----------------------------------------------------------------------------------------


def test_the_true_east_deals_first():
    game = played([started(), DRAWN])
    assert game.dealer == 2
    assert code_of(game, result(1, 0, 1)) == ("wrong_dealer", "RA-14")
    played([result(1, 2, 1)], game)


def test_seats_need_not_be_drawn():
    game = played([started()])
    assert game.dealer is None
    for dealer in range(4):
        played([result(1, dealer, 1)], game)


@pytest.mark.parametrize(
    ("change", "code", "rule"),
    [
        ({"lots": ["1z", "2z", "3z", "4z"]}, "bad_lots", "RA-11"),
        ({"lots": [*DRAWN["lots"], "7z"]}, "bad_lots", "RA-11"),
        ({"true_east": 1}, "wrong_true_east", "RA-12"),
    ],
)
def test_lots_that_do_not_fit_are_refused(change: Body, code: str, rule: str):
    assert code_of(played([started()]), {**DRAWN, **change}) == (code, rule)


def test_with_five_players_one_draws_the_red_dragon():
    game = played([started({"roster": 5}, ["e"])])
    assert code_of(game, DRAWN) == ("bad_lots", "RA-11")
    game = played([{**DRAWN, "lots": [*DRAWN["lots"], "7z"]}], game)
    assert game.dealer == 2


def test_seats_are_drawn_once_and_before_the_first_hand():
    assert code_of(played([started(), DRAWN]), DRAWN) == ("seats_drawn_late", "RA-11")
    game = played([started(), result(1, 0, 1, winner=0)])
    assert code_of(game, DRAWN) == ("seats_drawn_late", "RA-11")


# --- the deal -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "streak", "winner", "after"),
    [
        ({}, 1, 0, (0, 2)),
        ({}, 3, 0, (0, 4)),
        ({}, 3, 2, (1, 1)),
        ({}, 3, None, (1, 1)),
        ({"dealer_on_draw": "stay"}, 1, None, (0, 2)),
        ({"dealer_on_draw": "stay_unless_gang"}, 1, None, (0, 2)),
        ({"max_streak": 2}, 1, 0, (0, 2)),
        ({"max_streak": 2}, 2, 0, (1, 1)),
    ],
)
def test_who_deals_next(options: Body, streak: int, winner: int | None, after: tuple[int, int]):
    game = played([started(options)])
    for hand in range(1, streak):
        game = played([result(hand, 0, hand, winner=0)], game)
    game = played([result(streak, 0, streak, winner=winner)], game)
    assert (game.dealer, game.streak) == after


def test_a_gang_lets_the_deal_pass_after_a_draw_where_the_club_says_so():
    body = result(1, 0, 1)
    body["table"] = [{"seat": 2, "melds": [{"kind": "an_gang", "tiles": "1111z"}]}]
    for rule, dealer in (("stay", 0), ("stay_unless_gang", 1)):
        assert played([started({"dealer_on_draw": rule}), body]).dealer == dealer


def test_of_several_claimants_in_a_result_the_one_that_wins_keeps_the_deal():
    ready = {"by": "dianpao", "from": 3, "tile": "8s"}
    wins = [
        {**ready, "seat": 2, "concealed": "123456m234678p55s67s"},
        {**ready, "seat": 0, "concealed": "123456m234678p99m67s"},
    ]
    body = {**result(1, 0, 1), "result": "hu", "wins": wins}
    assert played([started(), body]).dealer == 0


def test_an_abandoned_hand_is_dealt_again():
    game = played([ended("abandoned")], deal({}))
    assert (game.dealer, game.streak) == (0, 1)
    assert game.last is not None
    assert game.last.facts is None


def test_another_player_than_the_dealer_may_leave_too():
    game = played([started({"roster": 5}, ["e"]), result(1, 0, 1)])
    game = played([{"type": "player_left", "seat": 2, "player": "c"}], game)
    due = moves(game).due
    assert due is not None
    assert (due.type, due.seat) == ("player_seated", 2)
    game = played([{"type": "player_seated", "seat": 2, "player": "e"}], game)
    due = moves(game).due
    assert due is not None
    assert (due.type, due.seat) == ("player_left", 0)


def test_who_left_during_the_hand_has_made_room_already():
    hands = {0: "8s", 1: "123456m234678p55s67s"}
    game = deal(hands, options={"roster": 5}, substitutes=["e"])
    left = {"type": "player_left", "seat": 0, "player": "a"}
    game = played([left, discard(0, "8s"), hu(1, "8s", "dianpao", 0), ended()], game)
    game = played([{"type": "player_seated", "seat": 0, "player": "e"}], game)
    due = moves(game).due
    assert due is not None
    assert (due.type, due.dealer) == ("hand_started", 1)


def test_with_four_players_anybody_may_take_an_empty_chair():
    game = played([started(), {"type": "player_left", "seat": 2, "player": "c"}])
    game = played([{"type": "player_seated", "seat": 2, "player": "new"}], game)
    assert game.players == ("a", "b", "new", "d")


# --- walls ----------------------------------------------------------------------------------------


def test_where_the_tile_is_turned_up():
    # Seat 1 deals, throws 7: seat 3 opens; 7 more: stack 14 of seat 3's wall, the 31st in all.
    assert indicator_place((3, 4, 5, 2), 1) == 61
    # Counting past 17 goes on in the wall of the seat before: seat 0 opens, N is 20.
    assert indicator_place((5, 4, 6, 5), 0) == 2 * 19 + 1
    assert indicator_place((6, 5, 6, 6), 3) == 2 * ((17 * 3 + 22) % 68) + 1


def wall_of(seed: int) -> list[str]:
    """All tiles in random order."""
    tiles = [NAMES[kind] for kind in range(34) for _ in range(4)]
    Random(seed).shuffle(tiles)
    return tiles


def dealt_from(wall: list[str], dice: tuple[int, ...], salt: str) -> Game:
    """A committed hand dealt from this wall."""
    game = played([started()])
    commitment = hashlib.sha256(bytes.fromhex(salt) + "".join(wall).encode()).hexdigest()
    event = game.play.deal_from(
        [KIND[name] for name in wall],
        hand=1,
        dealer=0,
        streak=1,
        dice=dice,
        commitment=commitment,
    )
    return apply(game, event, 2)


@pytest.mark.parametrize("seed", range(4))
def test_a_committed_wall_bears_out_the_deal_and_every_draw(seed: int):
    wall, salt, dice = wall_of(seed), "ab" * 16, (3, 4, 5, 2)
    game = dealt_from(wall, dice, salt)
    place = indicator_place(dice, 0)
    line = wall[place + 1 :] + wall[:place]
    assert game.table is not None
    assert NAMES[game.table.wild] == wall[place]
    head, tail = 65, 134
    while closing(game) is None and head < 90:
        possible = moves(game)
        flowers = [each for each in possible.actions if each.type == "flower"]
        if flowers:
            game = apply(game, flowers[0], game.seq + 1)
            continue
        due = possible.due
        if due is not None and due.type == "draw":
            from_tail = due.source == "tail"
            tile = line[tail if from_tail else head]
            head, tail = (head, tail - 1) if from_tail else (head + 1, tail)
            game = played([draw(due.seat or 0, tile, due.source or "")], game)
            continue
        discards = [each for each in possible.actions if each.type == "discard"]
        game = apply(game, discards[0], game.seq + 1)
    if game.table is not None:
        game = played([ended("abandoned")], game)
    shown: dict[str, Any] = {"type": "wall_revealed", "hand": 1, "wall": wall, "salt": salt}
    other = [*wall]
    other[place], other[place - 2] = other[place - 2], other[place]
    assert code_of(game, {**shown, "wall": other}) == ("commitment_broken", "RA-10")
    played([shown], game)


def test_a_committed_wall_needs_the_dice():
    game = played([started()])
    body = {
        "type": "hand_started",
        "hand": 1,
        "dealer": 0,
        "dealt": [
            "11112222333344445m",
            "5556666777788889m",
            "999m1111222233334p",
            "1111222233334444s",
        ],
        "last": "1m",
        "indicator": "1z",
        "wall_commitment": "0" * 64,
    }
    assert code_of(game, body) == ("bad_dice", "RA-7")
