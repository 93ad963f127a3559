"""Claims, gangs and the last tiles of Qingdao mahjong (QD-19 to QD-38)."""

from typing import Any

from msgspec.structs import replace

from rules_engine.events import split
from rules_engine.facts import Meld
from rules_engine.fold import Game, closing
from rules_engine.moves import moves
from rules_engine.tiles import kind_of, parse
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
    refused,
    ting,
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


# --- claims and gangs -----------------------------------------------------------------------------


def test_only_so_many_chi_are_taken():
    hands = {0: "1p", 1: "23p56p"}
    game = played([discard(0, "1p")], deal(hands, options={"chi_max": 0}))
    assert code_of(game, chi(1, "123p", "1p", 0)) == ("chi_max", "QD-25")
    game = played([discard(0, "1p")], deal(hands, options={"chi_max": 1}))
    played([chi(1, "123p", "1p", 0)], game)


def test_after_a_claim_there_is_neither_win_nor_gang_in_that_turn():
    game = deal({0: "1p", 1: "23p1111m456s789s5z"})
    game = played([discard(0, "1p"), chi(1, "123p", "1p", 0)], game)
    assert code_of(game, gang(1, "an_gang", "1m")) == ("gang_after_claim", "QD-19")
    assert not actions(game, 1, "gang")
    assert not actions(game, 1, "hu")


def test_a_hun_takes_part_in_no_claim_and_no_gang_and_is_not_won_on():
    hands = {0: "3m", 1: "12m", 2: "33m", 3: "456m456p789s1p"}
    game = deal(hands, options=HUN, indicator="2m")
    game = played([discard(0, "3m")], game)
    assert code_of(game, chi(1, "123m", "3m", 0)) == ("hun_claim", "QD-27")
    assert code_of(game, peng(2, "3m", 0)) == ("hun_claim", "QD-27")
    assert code_of(game, hu(1, "3m", "dianpao", 0)) == ("hun_discard", "QD-65")
    assert moves(game).actions == ()
    game = deal({0: "3333m"}, options=HUN, indicator="2m")
    assert code_of(game, gang(0, "an_gang", "3m")) == ("hun_claim", "QD-27")


def test_a_lone_hun_wins_by_self_draw_only_unless_the_club_allows_more():
    table = {0: "5z", 1: "3m"}
    for ron in (False, True):
        game = deal(table, options={**HUN, "bare_hun_ron": ron}, indicator="2m", spare="6z")
        assert game.table is not None
        melds = tuple(
            Meld(kind="peng", tiles=text, from_=0) for text in ("222p", "555p", "888p", "222s")
        )
        seat = replace(game.table.seats[1], concealed=parse("3m"), melds=melds)
        seats = (game.table.seats[0], seat, *game.table.seats[2:])
        game = replace(game, table=replace(game.table, seats=seats))
        game = played([discard(0, "5z", drawn=game.table.drawn == kind_of("5z"))], game)
        if ron:
            played([hu(1, "5z", "dianpao", 0)], game)
        else:
            assert code_of(game, hu(1, "5z", "dianpao", 0)) == ("bare_hun", "QD-66")
            game = played([draw(1, "6z"), hu(1, "6z")], game)
            assert "di_hu" in flags_of(game)


def test_a_gang_draws_before_the_dragon_tail_and_niu_and_flowers_from_its_end():
    game = deal({0: "1111m1f1234z"}, options={"hun": True}, indicator="2m")
    assert game.table is not None
    remaining = game.table.remaining
    game = played([niu(0, "dnxb", "1234z"), draw(0, "9p", "niu")], game)
    game = played([flower(0, "1f"), draw(0, "9s", "flower")], game)
    assert game.table is not None
    assert (game.table.remaining, game.table.extra.tail) == (remaining, 11)
    game = played([gang(0, "an_gang", "1m"), draw(0, "8s", "gang")], game)
    assert game.table is not None
    assert (game.table.remaining, game.table.extra.tail) == (remaining - 1, 11)
    empty = replace(game, table=replace(game.table, extra=replace(game.table.extra, tail=0)))
    assert code_of(empty, flower(0, "1f"))[0] in ("tile_not_held", "no_tile")


def test_without_a_tile_to_draw_there_is_no_gang():
    game = with_remaining(deal({0: "1111m"}), 0)
    assert code_of(game, gang(0, "an_gang", "1m")) == ("no_tile", "QD-21")


def test_the_replacement_of_a_gang_wins_as_gang_kai():
    game = deal({0: "111199m456p88234s"}, spare="9m")
    game = played([gang(0, "an_gang", "1m"), draw(0, "9m", "gang"), hu(0, "9m"), ended()], game)
    assert flags_of(game) == ("gang_kai",)


def test_a_gang_added_to_a_peng_may_be_robbed_and_then_pays_nothing():
    hands = {0: "4s", 1: "44s9p", 3: READY}
    game = deal(hands, spare="4s")
    game = played([discard(0, "4s"), peng(1, "4s", 0), discard(1, "9p")], game)
    game = played([*turn(2, "2z"), *turn(3, "2z"), *turn(0, "2z"), draw(1, "4s")], game)
    game = played([gang(1, "bu_gang", "4s")], game)
    assert code_of(game, discard(1, "4s")) == ("not_your_turn", "QD-19")
    won = played([hu(3, "4s", "qiang_gang", 1), ended()], game)
    assert won.last is not None
    assert won.last.facts is not None
    assert won.last.facts.table[0].melds[0].kind == "peng"
    score = RULESET.score(won.last.facts, won.options)
    assert score.hand_points == (-3, -3, -3, 9)  # type: ignore[union-attr]
    assert score.gang_points == (0, 0, 0, 0)  # type: ignore[union-attr]
    stands = played([draw(1, "9s", "gang")], game)
    assert stands.table is not None
    assert stands.table.seats[1].melds[0].kind == "bu_gang"


def test_concealed_gangs_and_gangs_on_a_discard_are_not_robbed():
    game = played([gang(0, "an_gang", "1s")], deal({0: "1111s", 3: READY}))
    assert code_of(game, hu(3, "1s", "qiang_gang", 0)) == ("not_robbable", "QD-38")
    game = deal({0: "4s", 1: "444s", 3: READY})
    game = played([discard(0, "4s"), gang(1, "ming_gang", "4s", 0)], game)
    assert code_of(game, hu(3, "4s", "qiang_gang", 1)) == ("not_robbable", "QD-38")


def test_the_tiles_of_a_concealed_gang_are_the_seats_own_while_the_hand_is_live():
    event = RULESET.catalogue.decode(gang(0, "an_gang", "1m"))
    public, secrets = split(event)
    assert "tile" not in public
    assert (secrets["tile"].seat, secrets["tile"].value) == (0, "1m")
    restored = RULESET.catalogue.join("gang", 1, public, {"tile": "1m"})
    assert restored == event
    public, secrets = split(RULESET.catalogue.decode(gang(0, "bu_gang", "1m")))
    assert public["tile"] == "1m"
    assert not secrets
    assert type(actions(deal({0: "1111m"}), 0, "gang")[0]) is type(event)


# --- the end of the wall --------------------------------------------------------------------------


def test_with_the_last_live_tile_gone_nobody_has_won():
    game = played([discard(0, "1p")], with_remaining(deal({0: "1p"}), 0))
    over = closing(game)
    assert over is not None
    assert over.reason == "huang_zhuang"
    game = played([ended("huang_zhuang")], game)
    assert (game.dealer, game.streak, game.memory.huang_run) == (0, 2, 1)


def zone(options: dict[str, Any], hands: dict[int, str], spare: str = "") -> Game:
    """Seat 0 has discarded and four tiles are left."""
    game = deal({0: "1p", **hands}, options={**FULL, **options}, spare=spare)
    return played([discard(0, "1p")], with_remaining(game, 4))


def test_on_the_last_four_tiles_each_seat_only_draws_one():
    game = zone({}, {2: READY}, "8p9p2z3z4z1s")
    due = moves(game).due
    assert due is not None
    assert (due.seat, due.source) == (1, "head")
    assert code_of(game, draw(1, "9p")) == ("wrong_cause", "QD-20")
    game = played([draw(1, "9p", "hai_di")], game)
    assert code_of(game, discard(1, "9p", drawn=True)) == ("no_discard_in_zone", "QD-23")
    assert code_of(game, flower(1, "1f")) == ("no_discard_in_zone", "QD-23")
    assert code_of(game, niu(1, "zfb", "567z")) == ("no_discard_in_zone", "QD-23")
    assert code_of(game, ting(1)) == ("no_discard_in_zone", "QD-23")
    assert moves(game).actions == ()
    won = played([draw(2, "1s", "hai_di"), hu(2, "1s"), ended()], game)
    assert flags_of(won) == ("hai_di", "di_hu")
    lost = played([draw(2, "2z", "hai_di"), draw(3, "3z", "hai_di")], game)
    lost = played([draw(0, "4z", "hai_di")], lost)
    over = closing(lost)
    assert over is not None
    assert over.reason == "huang_zhuang"
    assert code_of(lost, draw(1, "8p", "hai_di")) == ("no_draw_due", "QD-19")


def test_with_four_tiles_left_nothing_is_replaced():
    game = with_remaining(deal({0: "1111m"}, options=FULL), 4)
    assert code_of(game, gang(0, "an_gang", "1m")) == ("no_tile", "QD-21")
    game = with_remaining(deal({0: "1111m"}, options={**FULL, "hai_di_zone": "normal"}), 4)
    played([gang(0, "an_gang", "1m")], game)


def test_played_as_usual_a_win_on_the_last_four_tiles_has_the_flag_alone():
    game = zone({"hai_di_zone": "normal"}, {1: "9p", 2: READY}, "8p1s")
    game = played([draw(1, "8p"), discard(1, "8p", drawn=True), draw(2, "1s"), hu(2, "1s")], game)
    assert flags_of(game) == ("hai_di", "di_hu")


def test_in_the_other_modes_the_last_tiles_are_nothing_special():
    game = deal({0: "1p", 1: READY}, spare="1s")
    game = played([discard(0, "1p")], with_remaining(game, 3))
    game = played([draw(1, "1s"), hu(1, "1s")], game)
    assert flags_of(game) == ("di_hu",)


def test_a_draw_that_is_not_due_is_refused():
    game = deal({0: "1p"})
    assert refused(game, **draw(0, "9p")).code == "not_your_turn"
    game = played([discard(0, "1p")], game)
    assert code_of(game, draw(1, "9p", "gang")) == ("wrong_cause", "QD-20")
    assert code_of(game, exchange(1, "1p")) == ("not_your_turn", "QD-19")
