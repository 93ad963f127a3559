"""What may be declared: the tests of HF-41 in their order, the flags of HF-74, waits and shapes."""

import pytest

from rules_engine.facts import Holding, Meld
from rules_engine.tiles import KIND, parse
from rules_engine.variants.hefei.legality import IMPOSSIBLE_FLAGS, waits, winning_shape
from tests.rules_engine.variants.hefei.results import (
    PLAIN,
    an_gang,
    hand,
    options,
    refused,
    scored,
    table,
    win,
)

GANG_KAI = {"concealed": "23456788m34p", "gangs": "7777s"}
"""A hand with a gang that wins on 5p."""


def test_a_wild_tile_is_refused_because_the_game_has_none():
    found = refused(hand(win(), wild="3m"))
    assert (found.code, found.rule, found.actual) == ("wild_forbidden", "HF-5", "3m")


@pytest.mark.parametrize(
    "melds",
    [
        an_gang("5556s"),
        an_gang("555s"),
        an_gang("1111m"),
        an_gang("7777z"),
        (Meld(kind="an_gang", tiles="5555s", from_=1),),
        (Meld(kind="ming_gang", tiles="5555s"),),
        (Meld(kind="an_gang", tiles=""),),
    ],
)
def test_a_table_meld_that_is_no_concealed_gang_refuses_the_whole_result(melds):
    for wins in ((win(),), ()):
        found = refused(hand(*wins, table=(Holding(seat=0, melds=melds),)))
        assert (found.code, found.facts) == ("bad_meld", {"seat": 0})


def test_more_than_four_melds_of_a_seat_are_refused():
    gangs = ("2222m", "3333m", "4444m", "5555m", "2222p")
    found = refused(hand(table=table(1, *gangs)))
    assert (found.code, found.expected, found.actual) == ("bad_meld", 4, 5)


def test_four_gangs_of_a_seat_are_fine_in_a_draw():
    facts = hand(table=table(1, "2222m", "3333m", "4444m", "5555m"))
    assert scored(*facts.wins).hand_points == (0, 0, 0, 0)


@pytest.mark.parametrize(
    "meld", [Meld("an_gang", "5557p"), Meld("an_gang", "555p"), Meld("an_gang", "5555p", 1)]
)
def test_a_winners_gang_that_is_none_is_a_bad_meld_before_anything_else(meld):
    facts = hand(win("23456788m34s", "5s", melds=(meld,), flags="hai_lao gang_kai"))
    assert refused(facts).code == "bad_meld"


@pytest.mark.parametrize(
    ("given", "strangers"),
    [
        ({"concealed": "12356788m34p678s"}, "1m"),
        ({"concealed": "23456788m34p777z"}, "777z"),
        ({"tile": "9p"}, "9p"),
        ({"concealed": "23456788m34p", "gangs": "1111s"}, "1111s"),
        ({"flowers": "1f"}, "1f"),
    ],
)
def test_tiles_outside_the_game_are_bad_tiles(given, strangers):
    found = refused(hand(win(**given, flags="tian_hu")))
    assert (found.code, found.actual) == ("bad_tiles", strangers)


@pytest.mark.parametrize("kind", ["chi", "peng", "ming_gang", "bu_gang"])
def test_a_claimed_meld_is_refused_before_the_way_of_winning(kind):
    melds = (Meld(kind=kind, tiles="777p", from_=1),)
    facts = hand(win("23456788m34s", "5s", melds=melds, by="qiang_gang", from_=0))
    found = refused(facts)
    assert (found.code, found.rule, found.actual) == ("claim_forbidden", "HF-22", kind)


def test_no_gang_can_be_robbed():
    found = refused(hand(win(by="qiang_gang", from_=0, flags="hai_lao")))
    assert (found.code, found.rule) == ("qiang_gang_forbidden", "HF-25")


@pytest.mark.parametrize(
    ("flags", "given", "why"),
    [
        ("gang_kai", {**GANG_KAI, "from_": 0}, "self-drawn"),
        ("gang_kai", {}, "own gang"),
        ("gang_kai hai_lao", GANG_KAI, "beside hai_lao"),
        ("gang_kai tian_hu", {**GANG_KAI, "seat": 0}, "beside tian_hu"),
        ("hai_lao", {"from_": 0}, "self-drawn"),
        ("hai_lao tian_hu", {"seat": 0}, "beside tian_hu"),
        ("hai_lao di_hu", {}, "beside di_hu"),
        ("hai_lao gang_kai", GANG_KAI, "beside gang_kai"),
        ("tian_hu", {"seat": 0, "from_": 1}, "self-drawn"),
        ("tian_hu", {}, "not the dealer"),
        ("tian_hu", {**GANG_KAI, "seat": 0}, "has a meld"),
        ("tian_hu di_hu", {"seat": 0}, "beside di_hu"),
        ("tian_hu ting", {"seat": 0}, "beside ting"),
        ("di_hu", {"from_": 0}, "self-drawn"),
        ("di_hu", {"seat": 0}, "is the dealer"),
        ("di_hu", GANG_KAI, "not the flag gang_kai"),
        ("di_hu ting", {}, "initial_ting"),
        ("dealer_first_discard", {}, "win on a discard"),
        ("dealer_first_discard", {"from_": 1}, "did not discard"),
        ("dealer_first_discard", {**GANG_KAI, "from_": 0}, "has a meld"),
        ("dealer_first_discard ting", {"from_": 0}, "initial_ting"),
    ],
)
def test_a_flag_that_contradicts_the_facts_is_impossible(flags, given, why):
    found = refused(hand(win(**given, flags=flags)), room="bao_ting")
    assert (found.code, found.rule) == ("flag_impossible", "HF-74")
    assert why in found.message


def test_ting_is_impossible_in_a_plain_room():
    found = refused(hand(win(flags="ting")))
    assert (found.code, found.actual) == ("flag_impossible", "ting")


@pytest.mark.parametrize(("flag", "given"), [("di_hu", {}), ("dealer_first_discard", {"from_": 0})])
def test_ting_before_the_first_turn_is_possible_with_initial_ting(flag, given):
    answer = scored(win(**given, flags=f"{flag} ting"), room="bao_ting", initial_ting=True)
    assert answer.wins[0].seat == 2


def test_an_unknown_flag_is_refused_with_the_flags_there_are():
    found = refused(hand(win(flags="tian_ting")))
    assert (found.code, found.expected) == ("unknown_flag", sorted(IMPOSSIBLE_FLAGS))


def test_an_impossible_flag_comes_before_a_discard_that_may_not_be_won_on():
    facts = hand(win(from_=0, flags="hai_lao"))
    assert refused(facts, allow_dianpao=False).code == "flag_impossible"


def test_wins_on_discards_can_be_switched_off_and_this_comes_before_ting():
    found = refused(hand(win(from_=0)), allow_dianpao=False, room="bao_ting")
    assert (found.code, found.rule) == ("dianpao_disabled", "HF-40")


def test_an_undeclared_win_on_a_discard_comes_before_the_shape():
    found = refused(hand(win("23456788m34p678p", "2p", from_=0)), room="bao_ting")
    assert (found.code, found.rule) == ("ting_required", "HF-34")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"tile": "4p"}, "nor seven pairs."),
        ({"concealed": "23456788m34p67s"}, "has 13 tiles and should have 14"),
        ({"concealed": "23456788m34p678s", "gangs": "7777p"}, "has 14 tiles and should have 11"),
        ({"concealed": "33m44p", "tile": "5s", "gangs": "5555m"}, "has 5 tiles"),
        (
            {"concealed": "5p", "gangs": "2222m 3333m 4444m 5555m 6666m"},
            "5 gangs are too many",
        ),
        ({"concealed": "3344m5566p77s", "tile": "8m", "gangs": "2222m"}, "3 sets and a pair."),
    ],
)
def test_a_hand_of_the_wrong_shape_or_size_is_no_winning_shape(given, words):
    found = refused(hand(win(**given)))
    assert (found.code, found.rule) == ("not_winning_shape", "HF-37")
    assert words in found.message


def test_seven_pairs_is_no_shape_where_it_is_switched_off():
    found = refused(hand(win("22334488m5566p7s", "7s")), allow_qi_dui=False)
    assert found.code == "not_winning_shape"
    assert "seven pairs" not in found.message


def test_too_short_a_suit_is_refused_with_both_lengths():
    found = refused(hand(win("234567m22345p67s", "8s")))
    assert (found.code, found.rule, found.expected, found.actual) == (
        "suit_below_min",
        "HF-39",
        8,
        6,
    )


def test_the_second_of_two_winners_is_tested_as_well():
    facts = hand(win(seat=1, from_=0), win("34p678m2345678s8p", seat=3, from_=0))
    found = refused(facts)
    assert (found.code, found.facts) == ("not_winning_shape", {"seat": 3})


def test_a_contradiction_comes_before_every_rule():
    found = refused(hand(win(from_=2, flowers="1f")))
    assert (found.code, found.rule) == ("payer_wins", "")


def names(kinds):
    return [name for kind in kinds for name in KIND if KIND[name] == kind]


def test_a_hand_waits_for_the_kinds_that_make_it_win():
    assert names(waits(parse(PLAIN), (), options())) == ["2p", "5p"]


def test_a_kind_the_hand_holds_four_of_is_no_wait():
    assert names(waits(parse("2222m34567m88p88s"), (), options(min_suit=0))) == ["8p", "8s"]
    assert names(waits(parse("3456788m3p"), (KIND["3p"], KIND["2m"]), options())) == []


def test_a_wait_needs_eight_of_a_suit():
    assert names(waits(parse("2345678m34p678s7s"), (), options())) == []
    assert names(waits(parse("2345678m234p67s8s"), (), options())) == ["2m", "5m", "8m"]


def test_seven_pairs_waits_for_its_single_tile_unless_it_is_switched_off():
    hand_of_pairs = parse("2233446688m55p7s")
    assert names(waits(hand_of_pairs, (), options())) == ["7s"]
    assert waits(hand_of_pairs, (), options(allow_qi_dui=False)) == ()


def test_a_winning_shape_needs_sets_or_pairs_and_the_suit():
    standard, pairs = parse("23456788m345p678s"), parse("22334488m5566p77s")
    assert winning_shape(standard, 0, standard, options())
    assert not winning_shape(standard, 0, standard, options(min_suit=9))
    assert winning_shape(pairs, 0, pairs, options())
    assert not winning_shape(pairs, 0, pairs, options(allow_qi_dui=False))
