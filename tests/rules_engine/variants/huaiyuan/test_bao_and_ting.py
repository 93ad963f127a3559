"""Ting, the look at the bao, its changes, wins on it, and gangs after ting (HY-15, HY-50 to 57)."""

from typing import Any

import pytest
from msgspec.structs import replace

from rules_engine.fold import Game
from rules_engine.forms import forms
from rules_engine.tiles import KIND, NAMES, kinds_in
from rules_engine.variants.huaiyuan.slots import good_sums, slot_of
from rules_engine.view import view
from tests.rules_engine.variants.huaiyuan.logs import (
    RULESET,
    Body,
    actions,
    bao_of,
    chi,
    deal,
    discard,
    draw,
    due,
    ended,
    gang,
    hu,
    hu_bao,
    look,
    passes,
    peng,
    played,
    refused,
    roll,
    ting,
    turn,
)

READY = "123m456p78s222p55z"
"""Waits for 6s and 9s, with three suits, a 1 and a triplet."""
SPARE = "666699s2p9999p3333z"


def declared(options: Body | None = None, **more: str) -> Game:
    """Seat 0 deals, holds READY and has declared with the discard of a north wind."""
    hands = {0: READY + "4z"} | {int(seat[1:]): text for seat, text in more.items()}
    game = deal(hands, options=options, last="4z", spare=SPARE)
    return played(ting(0, "4z", drawn=True), game)


def rolled(tile: str, options: Body | None = None, **more: str) -> Game:
    """The same after seat 0 rolled this bao."""
    return played([roll(0, [1, 1], 132, tile)], declared(options, **more))


def test_a_declaring_discard_leaves_a_wait():
    game = deal({0: READY + "4z"}, last="4z", spare=SPARE)
    assert [each.type for each in actions(game, 0, "ting")] == ["ting"]
    game = played([{"type": "ting", "seat": 0}], game)
    assert {each.tile for each in actions(game, 0)} == {"4z"}
    assert refused(game, discard(0, "1m")) == ("ting_no_wait", "HY-51")
    assert refused(game, {"type": "ting", "seat": 0}) == ("ting_declared", "HY-51")
    assert refused(game, hu(0, "4z")) == ("no_such_win", "HY-26")


def test_a_hand_far_from_ready_does_not_declare():
    game = deal({0: "147m258p369s12345z"})
    assert actions(game, 0, "ting") == []
    assert refused(game, {"type": "ting", "seat": 0}) == ("ting_no_wait", "HY-51")


def test_the_first_seat_in_ting_rolls_before_anybody_claims_or_draws():
    game = declared(s1="44z")
    assert due(game) == ("bao_roll", 0)
    assert actions(game, 1) == []
    assert refused(game, peng(1, "4z", 0)) == ("not_your_turn", "HY-24")
    assert refused(game, draw(1, "9s")) == ("no_draw_due", "HY-36")
    game = played([roll(0, [1, 1], 132, "9p")], game)
    assert bao_of(game) == "9p"
    assert due(game) == ("draw", 1)
    assert [each.type for each in actions(game, 1)] == ["peng", "pass"]


def test_a_win_on_the_declaring_discard_goes_before_the_look():
    game = declared(s2="123m456p789s333p4z")
    assert [each.type for each in actions(game, 2)] == ["hu", "pass"]
    won = played([hu(2, "4z", "dianpao", 0), ended()], game)
    assert won.last is not None
    later = played([roll(0, [1, 1], 132, "9p")], game)
    assert refused(later, hu(2, "4z", "dianpao", 0)) == ("no_such_win", "HY-26")
    assert actions(later, 2) == []


def test_no_bao_is_rolled_where_the_club_has_none():
    assert due(declared({"bao_enabled": False})) == ("draw", 1)


def test_the_slot_follows_from_the_dice():
    wall = (1 << 136) - (1 << 53)
    assert [slot_of(wall, number) for number in (1, 2, 12)] == [134, 132, 112]
    wall &= ~(1 << 132)
    assert [slot_of(wall, number) for number in (1, 2, 12)] == [134, 130, 110]
    assert slot_of(0b1111, 3) == -1
    assert good_sums(0b1111, 1, [0]) == [1]
    assert good_sums(0b1111, 2, [0]) == []


def test_a_later_seat_looks_and_whoever_waits_for_the_bao_may_win_on_it_at_once():
    game = rolled("6s", s2="345m789p78s111p77z")
    assert [each.type for each in actions(game, 0)] == ["hu", "pass"]
    assert due(game) is None
    assert refused(game, hu_bao(0, "9s")) == ("no_such_win", "HY-26")
    assert refused(game, hu(0, "6s")) == ("no_such_win", "HY-26")
    assert refused(game, passes(0, "discard")) == ("nothing_to_pass", "HY-35")
    assert refused(game, draw(1, "9s")) == ("no_draw_due", "HY-36")
    won = played([hu_bao(0, "6s"), ended()], game)
    assert won.last is not None
    assert won.last.facts is not None
    assert (won.last.facts.wild, won.last.facts.wins[0].flags) == ("6s", ("ting", "dui_bao"))
    game = played([passes(0, "bao"), *turn(1, "9s"), draw(2, "3z")], game)
    game = played(ting(2, "3z", drawn=True), game)
    assert due(game) == ("bao_look", 2)
    assert refused(game, look(2, 2)) == ("bao_wrong", "HY-52")
    assert refused(game, look(2, 1, "9s")) == ("bao_wrong", "HY-52")
    game = played([look(2, 1, "6s")], game)
    assert [each.type for each in actions(game, 2)] == ["hu", "pass"]
    assert actions(game, 0) == []


def test_the_bao_drawn_after_ting_stands_for_any_wait():
    game = rolled("9p")
    game = played([*turn(1, "3z"), *turn(2, "3z"), *turn(3, "3z"), draw(0, "9p")], game)
    assert [each.tile for each in actions(game, 0, "hu")] == ["9p"]
    won = played([hu(0, "9p"), ended()], game)
    assert won.last is not None
    assert won.last.facts is not None
    assert won.last.facts.wild == "9p"


def test_the_bao_is_an_ordinary_tile_on_a_discard_and_without_ting():
    game = rolled("9p", s2="123m456p78s333p66z")
    game = played([*turn(1, "9p")], game)
    assert actions(game, 0, "hu") == []
    assert actions(played([draw(2, "9p")], game), 2, "hu") == []


def test_the_tile_set_aside_is_not_drawn():
    game = rolled("3z", s2="333z", options=None)
    assert refused(game, draw(1, "3z")) == ("too_many_tiles", "HY-10")


def test_three_discards_of_its_kind_change_the_bao_and_all_in_ting_are_asked():
    game = rolled("9p")
    game = played([*turn(1, "9p"), *turn(2, "9p"), draw(3, "9p"), discard(3, "9p", drawn=True)],
                  game)  # fmt: skip
    assert due(game) == ("bao_roll", 0)
    assert refused(game, roll(0, [1, 1], 132, "9s", 2)) == ("bao_slot_invalid", "HY-15")
    assert refused(game, roll(0, [1, 2], 130, "9s", 1)) == ("bao_wrong", "HY-52")
    game = played([roll(0, [1, 2], 130, "9s", 2)], game)
    assert bao_of(game) == "9s"
    assert [each.type for each in actions(game, 0)] == ["hu", "pass"]
    game = played([passes(0, "bao"), draw(0, "9p")], game)
    assert game.table is not None
    assert game.table.extra.used == (132, 130)


def test_a_change_asks_nobody_where_the_club_says_so():
    game = rolled("9p", {"bao_change_allows_dui_bao": False})
    game = played([*turn(1, "9p"), *turn(2, "9p"), *turn(3, "9p"),
                   roll(0, [1, 2], 130, "9s", 2)], game)  # fmt: skip
    assert actions(game, 0) == []
    assert due(game) == ("draw", 0)


def test_a_change_is_made_again_while_it_is_due():
    game = rolled("9p", {"bao_change_at": 1}, s3="3z")
    game = played([draw(1, "3z"), discard(1, "3z", drawn=True), *turn(2, "9p")], game)
    assert due(game) == ("bao_roll", 0)
    game = played([roll(0, [1, 2], 130, "3z", 2)], game)
    assert due(game) == ("bao_roll", 0)
    assert due(played([roll(0, [2, 2], 128, "8p", 3)], game)) == ("draw", 3)


@pytest.mark.parametrize(
    ("options", "expected"),
    [({}, ("draw", 2)), ({"bao_change_at": 0}, ("draw", 2)),
     ({"bao_change_counts": "visible"}, ("draw", 2)),
     ({"bao_change_at": 2, "bao_change_counts": "visible"}, ("bao_roll", 0)),
     ({"bao_change_at": 1}, ("bao_roll", 0))],
)  # fmt: skip
def test_what_counts_for_a_change_is_an_option(options: Body, expected: Any):
    """One 7z is discarded and claimed, so that three lie open; then another tile is discarded."""
    base: Body = {"bao_change_at": 3}
    game = rolled("6z", base | options, s3="6z", s1="9p")
    game = played([*turn(1, "6z")], game)
    if options.get("bao_change_at") == 1:
        assert due(game) == expected
        return
    assert game.table is not None
    shown = game.play.shown(game.table, KIND["6z"])
    assert shown == 1
    assert due(game) == (expected if expected[0] == "draw" else ("draw", 2))


def test_visible_tiles_count_melds_and_leave_an_gangs_out():
    game = rolled("7z", {"bao_change_counts": "visible"}, s2="77z")
    game = played([draw(1, "7z"), discard(1, "7z", drawn=True), peng(2, "7z", 1)], game)
    assert game.table is not None
    assert game.play.shown(game.table, KIND["7z"]) == 3
    tile = NAMES[next(kinds_in(game.table.seats[2].concealed))]
    assert due(played([discard(2, tile)], game)) == ("bao_roll", 0)


def test_when_no_slot_is_good_there_is_no_bao_any_more():
    game = rolled("9p", {"bao_dice": 2, "bao_change_at": 1})
    assert game.table is not None
    over = {"type": "bao_exhausted", "revision": 2}
    assert refused(game, over) == ("bao_not_due", "HY-52")
    game = played([draw(1, "9p"), discard(1, "9p", drawn=True)], game)
    assert due(game) == ("bao_roll", 0)
    assert game.table is not None
    every_slot = replace(game.table.extra, used=tuple(range(136)))
    game = replace(game, table=replace(game.table, extra=every_slot))
    assert due(game) == ("bao_exhausted", 0)
    (form,) = [form for form in forms(game) if form.due]
    assert (form.type, form.values, form.fields) == ("bao_exhausted", {"revision": 2}, ())
    game = played([over], game)
    assert game.table is not None
    assert bao_of(game) is None
    assert due(game) == ("draw", 2)


def test_two_dice_are_thrown_unless_the_club_throws_one():
    game = declared({"bao_dice": 1})
    assert refused(game, roll(0, [1, 1], 132, "9p")) == ("bao_slot_invalid", "HY-15")
    assert bao_of(played([roll(0, [2], 132, "9p")], game)) == "9p"


def test_nobody_but_the_seats_that_look_sees_the_bao():
    event = RULESET.catalogue.decode(roll(0, [1, 1], 132, "9p", 1, [0, 2]))
    body = {"seat": 0, "revision": 1, "visible_to": [0, 2], "dice": [1, 1], "slot": 132,
            "tile": "9p"}  # fmt: skip
    secrets = event.take_secrets(body)
    assert {name: item.seat for name, item in secrets.items()} == {"look.0": 0, "look.2": 2}
    assert body == {"seat": 0, "revision": 1, "visible_to": [0, 2]}
    type(event).put_secrets(body, {"look.0": None, "look.2": None})
    assert (body["dice"], body["slot"], body["tile"]) == (None, None, None)
    type(event).put_secrets(body, {"look.0": None, "look.2": secrets["look.2"].value})
    assert (body["dice"], body["slot"], body["tile"]) == ([1, 1], 132, "9p")
    assert RULESET.catalogue.decode(look(2)).take_secrets({"seat": 2, "revision": 1}) == {}


def test_the_state_shows_the_bao_in_the_part_that_is_hidden_from_viewers():
    shown = view(rolled("9p"))["table"]
    assert shown["wild"] is None
    assert shown["variant"]["bao"] == KIND["9p"]


# --- after ting -----------------------------------------------------------------------------------


def test_after_ting_nothing_is_claimed_by_peng():
    game = played([*turn(1, "2p")], rolled("9p"))
    assert [each.type for each in actions(game, 0)] == ["gang", "pass"]
    assert refused(game, peng(0, "2p", 1)) == ("claim_in_ting", "HY-54")


def test_after_ting_chi_is_refused_too():
    game = rolled("9p")
    game = played([*turn(1, "3z"), *turn(2, "3z"), draw(3, "9s")], game)
    assert game.table is not None
    tile = "6p" if "6p" in str(view(game)["table"]["seats"][3]["concealed"]) else "9s"
    game = played([discard(3, tile, drawn=tile == "9s")], game)
    assert refused(game, chi(0, "789s", "9s", 3))[0] == "claim_in_ting"


@pytest.mark.parametrize("rule", ["still_ting", "same_waits", "none"])
def test_a_gang_after_ting_leaves_a_wait(rule: str):
    game = rolled("9p", {"gang_after_ting": rule})
    game = played([*turn(1, "3z"), *turn(2, "3z"), *turn(3, "3z"), draw(0, "2p")], game)
    kinds = [each.kind for each in actions(game, 0, "gang")]
    if rule == "none":
        assert kinds == []
        assert refused(game, gang(0, "an_gang", "2p")) == ("gang_breaks_ting", "HY-54")
    else:
        assert kinds == ["an_gang"]
        assert due(played([gang(0, "an_gang", "2p")], game)) == ("draw", 0)
    assert refused(game, discard(0, "1m")) == ("discard_not_drawn_tile", "HY-54")


def test_a_ming_gang_after_ting_is_judged_alike():
    game = played([*turn(1, "2p")], rolled("9p"))
    assert [each.kind for each in actions(game, 0, "gang")] == ["ming_gang"]
    game = played([*turn(1, "2p")], rolled("9p", {"gang_after_ting": "none"}))
    assert actions(game, 0) == []
    assert refused(game, gang(0, "ming_gang", "2p", 1)) == ("gang_breaks_ting", "HY-54")


def test_a_gang_after_ting_uses_the_tile_just_drawn():
    hand = "1111m456p78s22255z"
    game = deal({0: hand}, last="5z", spare="666699s9999p")
    game = played([*ting(0, "1m"), roll(0, [1, 1], 132, "9p")], game)
    game = played([*turn(1, "9s"), *turn(2, "9p"), *turn(3, "9p"), draw(0, "9p")], game)
    assert actions(game, 0, "gang") == []
    assert refused(game, gang(0, "an_gang", "2z")) == ("gang_needs_four", "HY-31")


def test_who_has_not_declared_may_not_win_where_ting_is_required():
    hands = {0: "123m456p78s222p55z6s"}
    game = deal(hands, last="6s")
    assert len(actions(game, 0, "hu")) == 1
    game = deal(hands, options={"ting_required": True}, last="6s")
    assert actions(game, 0, "hu") == []
    assert refused(game, hu(0, "6s")) == ("ting_required", "HY-51")
