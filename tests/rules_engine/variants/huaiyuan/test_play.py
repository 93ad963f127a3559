"""Turns, claims, several winners, and who deals next (HY-17 to HY-37)."""

from typing import Any

import pytest
from msgspec.structs import replace

from rules_engine.errors import IllegalEvent
from rules_engine.facts import Meld
from rules_engine.fold import Game
from rules_engine.score import HandScore
from rules_engine.table import Seat, with_seat
from rules_engine.tiles import parse
from tests.rules_engine.variants.huaiyuan.logs import (
    RULESET,
    Body,
    actions,
    chi,
    deal,
    discard,
    draw,
    due,
    ended,
    gang,
    hu,
    opens,
    passes,
    peng,
    played,
    refused,
    started,
)

PENGS = tuple(Meld(kind="peng", tiles=tiles, from_=0) for tiles in ("333s", "555s", "777s"))


def thrown(hands: dict[int, str], options: Body | None = None) -> Game:
    """Seat 0 deals and discards a 9p."""
    game = deal({**hands, 0: "9p"}, options=options, last="9p", spare="88s")
    return played([discard(0, "9p", drawn=True)], game)


def test_only_the_next_seat_chis_unless_the_club_lets_all():
    hands = {1: "78p", 2: "78p"}
    game = thrown(hands)
    assert [each.type for each in actions(game, 1)] == ["chi", "pass"]
    assert actions(game, 2) == []
    assert refused(game, chi(2, "789p", "9p", 0)) == ("chi_not_next", "HY-30")
    game = thrown(hands, {"chi_from": "any"})
    assert [each.type for each in actions(game, 2)] == ["chi", "pass"]
    game = played([chi(2, "789p", "9p", 0)], game)
    assert game.table is not None
    assert game.table.turn == 2


def test_no_chi_of_honours():
    game = deal({0: "5z", 1: "67z"}, last="5z")
    game = played([discard(0, "5z", drawn=True)], game)
    assert actions(game, 1) == []
    assert refused(game, chi(1, "567z", "5z", 0)) == ("chi_honor", "HY-30")


def test_after_a_claim_there_is_no_win_and_no_gang():
    game = thrown({1: "1111m99p"})
    game = played([peng(1, "9p", 0)], game)
    assert actions(game, 1, "gang", "hu") == []
    assert refused(game, gang(1, "an_gang", "1m")) == ("gang_after_claim", "HY-34")


@pytest.mark.parametrize(
    ("melds", "kind", "blocked"),
    [("chi", "peng", True), ("chi", "chi", True), ("peng", "peng", False), ("peng", "chi", True)],
)
def test_a_club_may_forbid_a_claim_that_leaves_one_tile_beside_a_chi(
    melds: str,
    kind: str,
    blocked: bool,  # noqa: FBT001
):
    own = (Meld(kind="chi", tiles="123m", from_=0) if melds == "chi" else PENGS[0], *PENGS[1:])
    options = {"block_claim_to_last_tile": True}
    game = thrown({1: "7899p" if kind == "peng" else "7855p"}, options)
    assert game.table is not None
    seat = Seat(concealed=parse("7899p" if kind == "peng" else "7855p"), melds=own)
    table = replace(game.table, seats=with_seat(game.table, 1, seat))
    found = {each.type for each in game.play.claims_of(table, 1)}
    assert (kind in found) is not blocked
    four = replace(seat, concealed=parse("999p1z"))
    table = replace(table, seats=with_seat(table, 1, four))
    gangs = [each for each in game.play.claims_of(table, 1) if each.type == "gang"]
    assert bool(gangs) is (melds != "chi")


WAITING = "123m456p78s222p77z"


def test_of_several_claimants_one_wins_unless_the_club_lets_all():
    hands = {2: "123m456p78s222p77z", 3: "789m345p78s333s66z"}
    for multi, winners in (("nearest", 1), ("all", 2)):
        game = deal({**hands, 0: "9s"}, options={"multi_win": multi}, last="9s")
        game = played([discard(0, "9s", drawn=True)], game)
        assert {each.seat for each in actions(game, 1, "hu") + actions(game, 2, "hu")} == {2}
        game = played([hu(2, "9s", "dianpao", 0)], game)
        if multi == "all":
            game = played([hu(3, "9s", "dianpao", 0)], game)
        game = played([ended()], game)
        assert game.last is not None
        assert game.last.facts is not None
        score = RULESET.score(game.last.facts, game.options)
        assert isinstance(score, HandScore)
        assert len(score.wins) == winners


def test_a_passed_win_may_be_taken_on_the_next_tile():
    game = deal({2: WAITING, 0: "9s"}, last="9s", spare="6s")
    game = played([discard(0, "9s", drawn=True), passes(2, "discard"), draw(1, "6s"),
                   discard(1, "6s", drawn=True)], game)  # fmt: skip
    assert [each.type for each in actions(game, 2, "hu")] == ["hu"]


def test_the_dealer_wins_on_a_complete_deal():
    game = deal({0: "123m456p789s222p77z"}, last="9s")
    game = played([hu(0, "9s"), ended()], game)
    assert game.last is not None
    assert game.last.facts is not None
    assert game.last.facts.wins[0].flags == ("tian_hu",)
    assert (game.dealer, game.streak) == (0, 2)


def result(winner: int, dealer: int = 0) -> Body:
    """A hand won by self-draw."""
    win = {"seat": winner, "by": "zimo", "tile": "9s", "concealed": "123m456p78s222p77z"}
    return {"type": "hand_result", "hand": 1, "dealer": dealer, "result": "hu", "wins": [win]}


@pytest.mark.parametrize(
    ("options", "winner", "following"),
    [({}, 0, (0, 2)), ({}, 2, (1, 1)), ({"dealer_rotation": "winner"}, 2, (2, 1))],
)
def test_who_deals_after_a_win(options: Body, winner: int, following: tuple[int, int]):
    game = played([started(options), result(winner)])
    assert (game.dealer, game.streak) == following


@pytest.mark.parametrize(("rule", "following"), [("stay", (0, 2)), ("next", (1, 1))])
def test_who_deals_after_nobody_won(rule: str, following: tuple[int, int]):
    nobody = {"type": "hand_result", "hand": 1, "dealer": 0, "result": "huang_zhuang"}
    game = played([started({"huang_zhuang_dealer": rule}), nobody])
    assert (game.dealer, game.streak) == following


def test_after_a_player_left_the_next_hand_is_a_first_hand_again():
    game = played([started(), result(0), {"type": "player_left", "seat": 3, "player": "d"}])
    assert (game.dealer, game.streak) == (None, 1)


def test_an_event_of_a_hand_has_no_place_between_hands():
    with pytest.raises(IllegalEvent) as raised:
        played([started(), {"type": "ting", "seat": 0}])
    assert raised.value.violation.code == "no_hand"


@pytest.mark.parametrize(("settles", "points"), [(False, None), (True, (3, -1, -1, -1))])
def test_a_hand_broken_off_settles_its_gangs_only_where_the_club_says_so(
    settles: bool,  # noqa: FBT001
    points: Any,
):
    game = deal({0: "567z"}, options={"abort_settles_gang": settles})
    game = played([opens(0, "xi_gang", "567z"), {"type": "player_left", "seat": 1, "player": "b"},
                   ended("abandoned")], game)  # fmt: skip
    assert (game.dealer, game.streak) == (None, 1)
    assert game.last is not None
    if points is None:
        assert game.last.facts is None
        return
    assert game.last.facts is not None
    score = RULESET.score(game.last.facts, game.options)
    assert isinstance(score, HandScore)
    assert score.total_points == points
    body = {"type": "hand_result", "hand": 1, "dealer": 0, "result": "huang_zhuang",
            "table": [{"seat": 0, "melds": [{"kind": "xi_gang", "tiles": "567z"}],
                       "flags": ["aborted"]}]}  # fmt: skip
    told = played([started({"abort_settles_gang": True}), body])
    assert told.dealer is None
    assert told.last is not None
    assert told.last.facts is not None
    again = RULESET.score(told.last.facts, told.options)
    assert isinstance(again, HandScore)
    assert again.total_points == points


def test_a_won_hand_is_settled_though_a_player_leaves():
    game = deal({0: "123m456p789s222p77z"}, last="9s")
    game = played([hu(0, "9s"), {"type": "player_left", "seat": 1, "player": "b"}, ended()], game)
    assert game.last is not None
    assert game.last.facts is not None


def test_the_first_throw_says_who_takes_first():
    wall = [kind for kind in range(34) for _ in range(4)]
    play = RULESET.play(deal({}).options)
    plain = play.hands_dealt(wall, 0)
    thrown_hands = play.hands_dealt(wall, 0, (2, 4, 3, 5))
    assert thrown_hands[1] == plain[0] - (1 << 4 * wall[52])
    assert thrown_hands[0] == plain[3] + (1 << 4 * wall[52])


def test_a_discard_that_nobody_may_claim_is_followed_by_a_draw():
    assert due(thrown({})) == ("draw", 1)
