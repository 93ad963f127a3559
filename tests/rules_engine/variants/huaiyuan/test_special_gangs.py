"""Special gangs: opening, adding, robbing, the window after the deal (HY-27, HY-29, HY-40)."""

from typing import Any

import pytest
from msgspec.structs import replace

from rules_engine.fold import Game, closing
from rules_engine.score import HandScore
from rules_engine.tiles import KIND, NAMES, kinds_in
from tests.rules_engine.variants.huaiyuan.logs import (
    RULESET,
    Body,
    actions,
    adds,
    chi,
    deal,
    discard,
    draw,
    due,
    ended,
    gang,
    hu,
    names,
    opens,
    passes,
    peng,
    played,
    refused,
    turn,
)

SAFE = [f"{rank}{suit}" for suit in "zmps" for rank in range(1, 8) if f"{rank}{suit}" != "4s"]


def melds(game: Game, seat: int) -> list[tuple[str, str]]:
    assert game.table is not None
    return [(meld.kind, meld.tiles) for meld in game.table.seats[seat].melds]


def flags(game: Game) -> tuple[str, ...]:
    assert game.table is not None
    return game.table.wins[0].flags


def settled(game: Game) -> HandScore:
    assert game.last is not None
    assert game.last.facts is not None
    score = RULESET.score(game.last.facts, game.options)
    assert isinstance(score, HandScore), score
    return score


def offered(game: Game, seat: int) -> set[tuple[str, str]]:
    """The special gangs the seat may open or add to, with the tiles."""
    return {
        (each.kind, each.tiles or each.tile)
        for each in actions(game, seat, "gang")
        if each.kind not in ("an_gang", "bu_gang", "ming_gang")
    }


def test_the_dealer_opens_from_the_deal_and_only_four_winds_are_replaced():
    game = deal({0: "1234567z1m1p1s9m9p9s2m"}, last="2m")
    assert offered(game, 0) == {("xuanfeng_gang", "1234z"), ("xi_gang", "567z"),
                                ("yao_dan", "1m1p1s"), ("jiu_dan", "9m9p9s")}  # fmt: skip
    game = played([opens(0, "xi_gang", "567z"), opens(0, "yao_dan", "1m1p1s")], game)
    assert due(game) is None
    game = played([opens(0, "xuanfeng_gang", "1234z")], game)
    assert due(game) == ("draw", 0)
    assert refused(game, discard(0, "2m")) == ("replacement_due", "HY-27")
    game = played([draw(0, "8s", "tail"), discard(0, "8s", drawn=True)], game)
    assert melds(game, 0) == [("xi_gang", "567z"), ("yao_dan", "1m1p1s"),
                              ("xuanfeng_gang", "1234z")]  # fmt: skip
    assert game.table is not None
    assert game.table.extra.gangs == 3
    assert game.table.extra.replaced == 1


def test_the_first_turn_ends_with_the_first_discard():
    game = deal({0: "567z", 1: "567z"})
    game = played([discard(0, "5z"), *turn(1, "9s")], game)
    game = played([*turn(2, "9s"), *turn(3, "9s"), draw(0, "5z")], game)
    assert refused(game, opens(0, "xi_gang", "567z")) == ("special_window_closed", "HY-42")
    assert offered(game, 0) == set()


def test_a_set_completed_by_a_drawn_tile_does_not_count_unless_the_club_says_so():
    hands = {1: "56z", 0: "1p"}
    first = [discard(0, "1p"), draw(1, "7z")]
    game = played(first, deal(hands, spare="7z"))
    assert refused(game, opens(1, "xi_gang", "567z")) == ("special_not_dealt", "HY-42")
    game = played(first, deal(hands, spare="7z", options={"special_gang_first_draw": True}))
    assert melds(played([opens(1, "xi_gang", "567z")], game), 1) == [("xi_gang", "567z")]


def test_a_gang_the_club_does_not_play_is_refused():
    game = deal({0: "567z"}, options={"enable_xi_gang": False})
    assert refused(game, opens(0, "xi_gang", "567z")) == ("special_disabled", "HY-40")


def test_an_opening_is_possible_after_the_first_claim():
    game = deal({0: "9p", 1: "567z78p"}, last="9p")
    game = played([discard(0, "9p", drawn=True), chi(1, "789p", "9p", 0)], game)
    assert offered(game, 1) == {("xi_gang", "567z")}
    game = played([opens(1, "xi_gang", "567z")], game)
    assert due(game) is None
    assert refused(game, adds(1, "xi_gang", "5z")) == ("tile_not_held", "HY-26")


def test_nothing_is_added_right_after_a_claim():
    game = deal({0: "9p", 1: "5567z78p"}, last="9p")
    game = played([discard(0, "9p", drawn=True), chi(1, "789p", "9p", 0),
                   opens(1, "xi_gang", "567z")], game)  # fmt: skip
    assert refused(game, adds(1, "xi_gang", "5z")) == ("no_tile_drawn", "HY-26")


def test_the_dealer_adds_from_its_second_turn_unless_the_club_lets_it():
    game = played([opens(0, "xi_gang", "567z")], deal({0: "5567z"}))
    assert refused(game, adds(0, "xi_gang", "5z")) == ("add_dealer_first_turn", "HY-44")
    assert offered(game, 0) == set()
    free = deal({0: "5567z"}, options={"dealer_first_turn_add": True})
    free = played([opens(0, "xi_gang", "567z")], free)
    assert offered(free, 0) == {("xi_gang", "5z")}
    assert due(played([adds(0, "xi_gang", "5z")], free)) == ("draw", 0)


def test_a_dealt_tile_added_in_a_later_turn_can_be_robbed():
    game = deal({0: "5567z", 2: "55z"}, spare="9999s", last="7z")
    game = played([opens(0, "xi_gang", "567z"), discard(0, names(game, 0)[0] + "m"),
                   *turn(1, "9s"), *turn(2, "9s"), *turn(3, "9s"), draw(0, "9s"),
                   adds(0, "xi_gang", "5z")], game)  # fmt: skip
    assert [each.type for each in actions(game, 2)] == ["peng", "pass"]
    assert game.table is not None
    assert actions(game, 2, "peng")[0].robs == game.table.offer.seq


def started_addition(options: Body | None = None, **more: str) -> Game:
    """Seat 1 adds a drawn red dragon to its xi_gang."""
    hands = {1: "5567z", 0: "9p", 3: "77z"}
    hands |= {int(seat[1:]): text for seat, text in more.items()}
    game = deal(hands, options=options, last="9p", spare="88s")
    return played([discard(0, "9p", drawn=True), draw(1, "7z"), opens(1, "xi_gang", "567z"),
                   adds(1, "xi_gang", "7z")], game)  # fmt: skip


def test_an_added_tile_nobody_takes_joins_with_the_replacement():
    game = started_addition()
    assert due(game) == ("draw", 1)
    game = played([passes(3, "gang"), draw(1, "8s", "tail")], game)
    assert melds(game, 1) == [("xi_gang", "5677z")]
    assert game.table is not None
    assert game.table.extra.gangs == 2


def test_a_tile_robbed_by_peng_is_lost_and_the_turn_passes_on():
    game = started_addition()
    assert game.table is not None
    seq = game.table.offer.seq
    assert refused(game, peng(3, "7z", 2, robs=seq)) == ("wrong_tile", "HY-31")
    assert refused(game, peng(3, "7z", 1, robs=seq - 1)) == ("wrong_tile", "HY-31")
    assert refused(game, peng(1, "7z", 1, robs=seq)) == ("not_your_turn", "HY-24")
    game = played([peng(3, "7z", 1, robs=seq)], game)
    assert melds(game, 1) == [("xi_gang", "567z")]
    assert melds(game, 3) == [("peng", "777z")]
    assert game.table is not None
    assert game.table.turn == 3
    assert names(game, 1).count("z") == 1
    assert game.table.extra.acted == 0b0011
    assert refused(game, opens(1, "yao_dan", "1m1p1s")) == ("not_your_turn", "HY-24")
    game = played([discard(3, names(game, 3)[0] + "m"), draw(0, "8s")], game)
    assert game.table is not None
    assert game.table.turn == 0


def test_no_peng_robs_where_the_club_forbids_it():
    game = started_addition({"qiang_peng": False})
    assert actions(game, 3) == []
    assert game.table is not None
    assert refused(game, peng(3, "7z", 1, robs=game.table.offer.seq)) == ("not_robbable", "HY-46")


def test_a_seat_that_let_the_tile_go_may_not_take_it_after_all():
    game = played([passes(3, "gang")], started_addition())
    assert game.table is not None
    robs = peng(3, "7z", 1, robs=game.table.offer.seq)
    assert refused(game, robs) == ("not_your_turn", "HY-24")


def test_a_tile_robbed_by_a_win_is_void_and_unpaid():
    game = started_addition(s2="123m456p789s222p7z", s3="9m")
    assert [each.type for each in actions(game, 2)] == ["hu", "pass"]
    game = played([hu(2, "7z", "qiang_gang", 1), ended()], game)
    score = settled(game)
    assert score.gang_points == (-1, 3, -1, -1)
    assert score.hand_points[1] < 0
    assert {t.rule for t in score.transfers if t.kind == "hu"} == {"HY-94"}


def test_a_win_goes_nowhere_where_gangs_are_not_robbed():
    game = started_addition({"qiang_gang_enabled": False}, s2="123m456p789s222p7z", s3="9m")
    assert actions(game, 2) == []
    assert refused(game, hu(2, "7z", "qiang_gang", 1)) == ("qiang_gang_disabled", "HY-46")


@pytest.mark.parametrize(("robbable", "phase"), [(False, "replace"), (True, "offer")])
def test_a_dealt_tile_added_in_the_first_turn_is_safe_unless_the_club_says_so(
    robbable: bool,  # noqa: FBT001
    phase: str,
):
    game = deal(
        {0: "9p", 1: "5567z"}, options={"opening_add_robbable": robbable}, last="9p", spare="88s"
    )
    game = played([discard(0, "9p", drawn=True), draw(1, "8s"), opens(1, "xi_gang", "567z"),
                   adds(1, "xi_gang", "5z")], game)  # fmt: skip
    assert game.table is not None
    assert game.table.phase == phase


@pytest.mark.parametrize(
    "body",
    [
        {"type": "gang", "seat": 0, "kind": "xi_gang"},
        {"type": "gang", "seat": 0, "kind": "xi_gang", "tile": "5z", "tiles": "567z"},
        {"type": "gang", "seat": 0, "kind": "xi_gang", "tiles": "567z", "from": 1},
        {"type": "gang", "seat": 0, "kind": "an_gang"},
    ],
)
def test_a_gang_that_says_too_little_or_too_much_is_refused(body: dict[str, Any]):
    assert refused(deal({0: "567z"}), body) == ("bad_meld", "HY-30")


# --- winning after an opening ---------------------------------------------------------------------


def test_the_dealer_wins_on_the_last_dealt_tile_while_it_is_in_hand():
    game = played([opens(0, "xi_gang", "567z")], deal({0: "567z456m789p24s33s3s"}, last="3s"))
    (win,) = actions(game, 0, "hu")
    assert win.tile == "3s"
    game = played([hu(0, "3s")], game)
    assert flags(game) == ("tian_hu",)
    assert "jia_hu" in {line.id for line in settled(played([ended()], game)).wins[0].items}


def test_when_the_last_dealt_tile_lies_in_the_gang_the_first_in_hand_is_won_on():
    game = deal({0: "11456m789p234s567z"}, last="7z")
    game = played([opens(0, "xi_gang", "567z")], game)
    assert refused(game, hu(0, "4s")) == ("no_such_win", "HY-26")
    game = played([hu(0, "1m")], game)
    assert flags(game) == ("last_in_gang", "tian_hu")
    items = {line.id for line in settled(played([ended()], game)).wins[0].items}
    assert items == {"base", "zimo", "zhuang_hu"}


# --- the window after the deal --------------------------------------------------------------------

WINDOW = {"special_gang_window": "deal"}


def test_in_the_window_each_seat_opens_in_turn_before_the_first_discard():
    game = deal({0: "5567z", 1: "11234z", 2: "1m1p1s"}, options=WINDOW, last="7z")
    assert offered(game, 0) == {("xi_gang", "567z")}
    assert refused(game, discard(0, "5z")) == ("window_open", "HY-42")
    assert refused(game, {"type": "ting", "seat": 0}) == ("window_open", "HY-42")
    assert refused(game, hu(0, "7z")) == ("no_such_win", "HY-26")
    assert refused(game, passes(1, "window")) == ("window_open", "HY-42")
    game = played([opens(0, "xi_gang", "567z")], game)
    assert refused(game, adds(0, "xi_gang", "5z")) == ("add_dealer_first_turn", "HY-44")
    game = played([passes(0, "window"), opens(1, "xuanfeng_gang", "1234z")], game)
    assert due(game) == ("draw", 1)
    assert actions(game, 1) == []
    game = played([draw(1, "1z", "tail"), adds(1, "xuanfeng_gang", "1z")], game)
    assert due(game) == ("draw", 1)
    game = played([draw(1, "2z", "tail")], game)
    assert refused(game, adds(1, "xuanfeng_gang", "2z")) == ("special_not_dealt", "HY-42")
    game = played([passes(1, "window"), passes(2, "window"), passes(3, "window")], game)
    assert game.table is not None
    assert (game.table.turn, game.table.source) == (0, "deal")
    assert refused(game, opens(0, "yao_dan", "1m1p1s")) == ("special_window_closed", "HY-42")
    assert refused(game, adds(0, "xi_gang", "5z")) == ("add_dealer_first_turn", "HY-44")


def test_the_dealer_keeps_the_tile_it_drew_in_the_window():
    game = deal({0: "1234z456m789p23s44s"}, options=WINDOW, last="4s")
    game = played([opens(0, "xuanfeng_gang", "1234z"), draw(0, "1s", "tail"),
                   *[passes(seat, "window") for seat in range(4)]], game)  # fmt: skip
    game = played([hu(0, "1s")], game)
    assert flags(game) == ("gang_kai", "tian_hu")


# --- ordinary gangs and the reserve ---------------------------------------------------------------


def test_the_reserve_grows_with_the_second_gang():
    game = deal({0: "1111222233334m4p", 1: "9s"}, last="4p", spare="4444s")
    assert game.table is not None
    play = game.play
    assert play.reserve(game.table) == 7
    before = play.drawable(game.table)
    assert before == 2 * 61 - 53
    game = played([gang(0, "an_gang", "1m"), draw(0, "4s", "tail")], game)
    assert game.table is not None
    # Stack 67 is no whole stack any more, so the reserve begins one stack earlier.
    assert (play.reserve(game.table), play.drawable(game.table)) == (7, before - 2)
    game = played([gang(0, "an_gang", "2m"), draw(0, "4s", "tail")], game)
    assert game.table is not None
    assert (play.reserve(game.table), play.drawable(game.table)) == (8, before - 4)


@pytest.mark.parametrize(
    ("options", "reserve"),
    [({"reserve_growth": False}, 7), ({"reserve_counts": "replacements"}, 7),
     ({"reserve_stacks": 3}, 4)],
)  # fmt: skip
def test_what_the_reserve_counts_is_an_option(options: Body, reserve: int):
    game = deal({0: "567z1m1p1s"}, options=options)
    game = played([opens(0, "xi_gang", "567z"), opens(0, "yao_dan", "1m1p1s")], game)
    assert game.table is not None
    assert game.play.reserve(game.table) == reserve


def at_the_end(options: Body | None = None) -> Game:
    """A hand in which the last normal draw was just discarded; seat 3 may peng or gang it."""
    game = deal({3: "444s", 0: "123456789m11p9s1z"}, options=options, spare="4s", last="1z")
    game = played([discard(0, "1z", drawn=True)], game)
    assert game.table is not None
    seat = 1
    while game.play.drawable(game.table) > 1:
        unseen = game.table.unseen
        tile = next(name for name in SAFE if unseen >> 4 * KIND[name] & 15)
        game = played(turn(seat, tile), game)
        seat = (seat + 1) % 4
        assert game.table is not None
    return played(turn(seat, "4s"), game)


def test_the_last_discard_may_be_claimed_for_a_gang_and_then_the_hand_ends():
    game = at_the_end()
    assert closing(game) is None
    assert due(game) == ("hand_ended", None)
    giver = game.table.offer.seat if game.table is not None else 0
    assert refused(game, draw((giver + 1) % 4, "9s")) == ("wall_reserved", "HY-14")
    if giver == 3:
        return
    assert game.table is not None
    tile = NAMES[next(kinds_in(game.table.unseen))]
    game = played([gang(3, "ming_gang", "4s", giver), draw(3, tile, "tail"),
                   discard(3, tile, drawn=True)], game)  # fmt: skip
    assert due(game) == ("hand_ended", None)
    game = played([ended("huang_zhuang")], game)
    assert settled(game).gang_points[3] == 3
    assert (game.dealer, game.streak) == (0, 2)


def test_without_a_draw_left_no_gang_where_the_club_says_so():
    game = at_the_end({"gang_on_last_tile": False})
    giver = game.table.offer.seat if game.table is not None else 0
    assert refused(game, gang(3, "ming_gang", "4s", giver)) == ("gang_no_draw_left", "HY-27")
    assert [each.type for each in actions(game, 3)] == ["peng", "pass"]


def test_no_gang_of_four_is_made_when_only_the_bao_is_left_in_the_wall():
    game = deal({0: "1111m"})
    assert game.table is not None
    table = replace(game.table, remaining=1, extra=replace(game.table.extra, slot=134))
    refusal = game.play.refuse_gang(table, 0, KIND["1m"], "an_gang")
    assert refusal is not None
    assert (refusal.code, refusal.rule) == ("no_replacement_tile", "HY-27")


@pytest.mark.parametrize("kind", ["xi_gang", "xuanfeng_gang"])
def test_with_no_draw_left_no_special_gang_opens_where_the_club_says_so(kind: str):
    for allowed in (True, False):
        game = deal({0: "1234567z"}, options={"gang_on_last_tile": allowed})
        assert game.table is not None
        table = replace(game.table, extra=replace(game.table.extra, wall=f"{0b11 << 134:x}"))
        refusal = game.play.refuse_opening(table, 0, kind)
        assert (refusal is None) is allowed
        assert allowed or refusal.code == "gang_no_draw_left"
