"""Why a hand pays what it pays: items given and not, concretely, formula, waits, notes."""

from typing import Any

import pytest

from rules_engine import registry
from rules_engine.errors import Violation
from rules_engine.facts import HandFacts
from rules_engine.variants.jiangxi.items import ITEMS
from rules_engine.variants.jiangxi.legality import read_hands
from rules_engine.variants.jiangxi.reasons import REASONS
from rules_engine.variants.jiangxi.state import RULES
from tests.rules_engine.variants.jiangxi.results import explained, hand, holding, options, win

RULESET = registry.get("jiangxi")
PLAIN_WIN = hand(win())
STOLEN = hand(win("123456m789p1113s", "5z", flags="tou_ji"), wild="3s")
FOUR_MELDS = ["chi 123m 1", "peng 555p 0", "peng 777s 3", "chi 456s 1"]


def missing(facts: HandFacts, item: str, **given: Any) -> str:
    """The English sentence of an item that does not count."""
    why = explained(facts, **given).wins[0]
    return next(each.en for each in why.not_given if each.id == item)


def given_for(facts: HandFacts, item: str, **given: Any) -> str:
    """The English sentence of an item that counts."""
    why = explained(facts, **given).wins[0]
    return next(each.en for each in why.given if each.id == item)


def test_every_item_has_its_reasons_its_rule_and_its_names():
    assert [item.id for item in ITEMS] == list(REASONS)
    assert len({item.id for item in ITEMS}) == len(ITEMS) == 24
    for item in ITEMS:
        assert item.rule in RULESET.rules
        assert item.zh
        assert item.en


def test_every_rule_is_written_in_both_languages_with_its_provenance():
    rules = RULESET.rules
    assert len(rules) == 95
    for rule in rules.values():
        assert rule.id.startswith("JX-")
        assert rule.zh
        assert rule.en
        words = ("seed", "public", "house", "technical", "option")
        assert any(word in rule.provenance for word in words), rule


def test_every_refusal_rests_on_a_rule():
    assert set(RULES.values()) <= set(RULESET.rules)


def test_an_item_gives_its_own_points():
    facts = hand(win(flags="fei_bao:1"))
    read = read_hands(facts, options(cap=7))
    assert not isinstance(read, Violation)
    points = {item.id: item.points(read[0].weighed.win) for item in ITEMS}
    assert {name: each for name, each in points.items() if each} == {
        "ping_hu_zi_mo": 4,
        "fei_bao": 4,
        "cap": -1,
    }


PAIRS = hand(win("111155m3388p66s7z", "7z"), wild="4z")
BAO_PAIRS = hand(win("1133m5577p229s46z", "4z"), wild="9s")
QUAD_OF_BAO = hand(win("111339m5577p99s2z", "2z"), wild="9m")
TRIPLETS = hand(win("3m22444s7z", "7z", melds=["peng 111m 0", "peng 999p 3"]), wild="3m")
DIAO_TRIPLETS = hand(win("222p3444s", "6z", melds=["peng 111m 0", "peng 999p 3"]), wild="3s")
LANG = hand(win("147m25p369s12345z", "6z"))
STAR_LANG = hand(win("147m25p36s123456z", "7z"))
YAO = hand(win("199m119p9s112346z", "1s"), wild="5p")
MELDED_YAO = hand(win("1m19p1346z", "7z", melds=["peng 999s 1", "peng 222z 0"]), wild="5p")

BAO_PAIR = hand(win("111999m111999p5p", "5p"), wild="5p")
ONE_CHI = hand(win("222p444s666s1z", "1z", melds=["chi 123m 1"]), wild="9m")
EDGE_DIAO = hand(win("111m999p1113s777z", "6z"), wild="3s")

MISSING: list[tuple[str, HandFacts, dict[str, Any], str]] = [
    ("tian_hu", PLAIN_WIN, {}, "dealt tiles"),
    ("tian_hu", hand(win("111155m3388p66s7z", "7z", flags="tian_hu"), dealer=2, wild="4z"), {},
     "heavenly win, it has this but totals 16, which is 16 less"),
    ("di_hu", PLAIN_WIN, {}, "first discard"),
    ("qing_hao_hua_qi_dui", PLAIN_WIN, {}, "lack a second tile; the hand holds no bao."),
    ("qing_hao_hua_qi_dui", BAO_PAIRS, {}, "No kind is there four times"),
    ("qing_hao_hua_qi_dui", QUAD_OF_BAO, {},
     "It has four alike, but 1 bao replaces another tile, so it is not pure."),
    ("hao_hua_qi_dui", QUAD_OF_BAO, {"hao_hua_wild": False}, "A bao replaces one of the four"),
    ("qing_qi_dui", PAIRS, {}, "which is 16 less"),
    ("qing_qi_dui", BAO_PAIRS, {}, "1 bao replace"),
    ("qi_dui", PAIRS, {}, "no bao replaces"),
    ("qi_dui", hand(win("1z", "1z", melds=FOUR_MELDS), wild="9m"), {}, "with melds"),
    ("qing_peng_peng_hu", PLAIN_WIN, {},
     "123m, 456m, 345p and 678s are runs, so not all sets are triplets or gangs."),
    ("qing_peng_peng_hu", TRIPLETS, {}, "1 bao replace"),
    ("qing_peng_peng_hu", LANG, {}, "The concealed tiles do not make 4 sets and a pair."),
    ("peng_peng_hu", DIAO_TRIPLETS, {}, "waited on a lone bao before"),
    ("peng_peng_hu", ONE_CHI, {}, "123m is a run, so not"),
    ("qi_xing_shi_san_lang", LANG, {}, "The hand holds 6 of the seven honours"),
    ("shi_san_lang", PLAIN_WIN, {}, "1z is there more than once."),
    ("shi_san_lang", STAR_LANG, {}, "which is 4 less"),
    ("shi_san_lang", MELDED_YAO, {}, "with melds"),
    ("shi_san_lang", hand(win("19m19p19s1234567z", "1z"), wild="1z"), {"wild_in_special": False},
     "In this club bao do not replace tiles in it (option wild_in_special)."),
    ("shi_san_lang", hand(win("123456789m12p5s7z", "3p"), wild="7z"), {},
     "1m and 2m are closer than three."),
    ("bao_diao_tou", PLAIN_WIN, {}, "Before it the hand held no bao and was not complete sets"),
    ("bao_diao_tou", TRIPLETS, {}, "Before it the hand held 1 bao and was not complete sets"),
    ("bao_diao_tou", hand(win("123456m789p1113s", "3s", from_=1), wild="3s"),
     {"discard_win": "all"}, "needs an own draw"),
    ("ping_hu_zi_mo", hand(win(from_=1)), {}, "not won by an own draw"),
    ("ping_hu_zi_mo", TRIPLETS, {}, "no run"),
    ("ping_hu_zi_mo", hand(win("1234569m4p678s11z", "6p"), wild="9m"), {},
     "but 1 bao replaces another tile."),
    ("ping_hu_zi_mo", hand(win("456m123789p2267s"), wild="5m"), {"qing_strict": True},
     "holds bao"),
    ("qi_xing_jiu_yao", YAO, {}, "The hand holds 5 of the seven honours"),
    ("jiu_yao", PLAIN_WIN, {}, "5p, 6s, 7s and 8s are neither one, nine nor honour."),
    ("jiu_yao", hand(win("1z", "1z", melds=["peng 111m 1", "peng 999p 0", "peng 777z 3",
                                             "peng 444z 1"]), wild="9m"),
     {"jiu_yao_melds": False}, "allows no melds in it"),
    ("jiu_yao", hand(win("1199m115p99s3377z", "9s"), wild="5p"),
     {"wild_in_special": False}, "bao do not replace tiles in it"),
    ("ping_hu", LANG, {}, "4 sets and a pair"),
    ("ping_hu", PLAIN_WIN, {}, "but totals 2, which is 2 less"),
    ("gang_kai", PLAIN_WIN, {}, "replacement tile"),
    ("gang_kai", hand(win(flags="tian_hu"), dealer=2), {}, "no multiplier counts"),
    ("qiang_gang", PLAIN_WIN, {}, "No gang"),
    ("tou_ji", PAIRS, {}, "Only a standard reading"),
    ("tou_ji", PLAIN_WIN, {}, "did not wait on a lone bao"),
    ("tou_ji", hand(win("123456m789p1113s", "3s", from_=1), wild="3s"), {"discard_win": "all"},
     "not stolen"),
    ("tou_ji", hand(win("123456m789p1113s", "5z"), wild="3s"), {}, "No win was declined"),
    ("tou_ji", hand(win("123456m789p1113s", "3s", flags="tou_ji"), wild="3s"), {},
     "in its place"),
    ("tou_ji", STOLEN, {"factor_tou_ji": 1}, "Its factor is 1"),
    ("bao_diao_bao", PAIRS, {}, "Only a standard reading"),
    ("bao_diao_bao", hand(win("123456m789p1113s", "5z"), wild="3s"), {}, "option tou_ji_required"),
    ("bao_diao_bao", STOLEN, {}, "no bao, and 1 bao replaces"),
    ("bao_diao_wu_bao", STOLEN, {}, "no bao, and 1 bao replaces"),
    ("bao_diao_bao", hand(win("123456m789p1113s", "3s", flags="tou_ji"), wild="3s"), {},
     "which is 16 less"),
    ("bao_diao_bao", hand(win("123456m789p3344s", "4s", flags="tou_ji"), wild="3s"), {},
     "no bao replaces"),
    ("bao_diao_wu_bao", hand(win("123456m789p1113s", "5p", by="qiang_gang", from_=1,
                                 flags="tou_ji"), wild="3s"), {}, "not won by an own draw"),
    ("fei_bao", PLAIN_WIN, {}, "discarded no bao"),
    ("dan_diao", PLAIN_WIN, {}, "The hand has no meld; it takes four, with one tile left."),
    ("jiu_yao_jia", PAIRS, {}, "does not stack"),
    ("jiu_yao_jia", PAIRS, {"jiu_yao_stack": True},
     "5m, 3p, 8p and 6s are neither one, nine nor honour."),
    ("jiu_yao_jia", YAO, {"jiu_yao_stack": True}, "neither pairs nor triplets"),
    ("jiu_yao_jia", BAO_PAIR, {"jiu_yao_stack": True, "factor_jiu_yao_jia": 1},
     "A bao counts as itself, and 5p is neither one, nine nor honour."),
    ("jiu_yao_jia", EDGE_DIAO, {"jiu_yao_stack": True}, "neither pairs nor triplets"),
    ("cap", PLAIN_WIN, {}, "no cap"),
    ("cap", PLAIN_WIN, {"cap": 50}, "not above the cap of 50"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("item", "facts", "given", "part"),
    MISSING,
    ids=[f"{number} {each[0]}" for number, each in enumerate(MISSING)],
)
def test_an_item_that_does_not_count_says_why(
    item: str, facts: HandFacts, given: dict[str, Any], part: str
):
    assert part in missing(facts, item, **given)


GIVEN: list[tuple[str, HandFacts, dict[str, Any], str]] = [
    ("qing_hao_hua_qi_dui", PAIRS, {}, "four alike, and no bao replaces"),
    ("hao_hua_qi_dui", QUAD_OF_BAO, {}, "1 bao replace"),
    ("bao_diao_bao", hand(win("123456m78p11133s", "3s", flags="tou_ji"), wild="3s"), {},
     "drawn while stealing"),
    ("fei_bao", hand(win(flags="fei_bao:2")), {}, "2 bao were discarded, times 2 for each"),
    ("dan_diao", hand(win("1z", "1z", melds=FOUR_MELDS), wild="9m"), {}, "one tile left"),
    ("cap", PLAIN_WIN, {"cap": 3}, "at most 3"),
]  # fmt: skip


@pytest.mark.parametrize(("item", "facts", "given", "part"), GIVEN, ids=[each[0] for each in GIVEN])
def test_an_item_that_counts_says_why(
    item: str, facts: HandFacts, given: dict[str, Any], part: str
):
    assert part in given_for(facts, item, **given)


def test_the_formula_goes_step_by_step():
    facts = hand(win("123456m789p1113s", "5z", flags="tou_ji fei_bao:2"), wild="3s")
    steps = explained(facts, cap=20).wins[0].formula
    assert [(step.en, step.points) for step in steps] == [
        ("bao single wait", 4),
        ("stolen chance, times 2", 8),
        ("flown bao, times 4", 32),
        ("cap", 20),
    ]
    assert [step.zh for step in steps] == ["宝吊头", "偷机 ×2", "飞宝 ×4", "封顶"]


def test_a_value_of_zero_is_still_a_score():
    why = explained(PLAIN_WIN, value_ping_hu_zi_mo=0, value_ping_hu=0, factor_fei_bao=2)
    assert [(each.id, each.points) for each in why.wins[0].given] == [("ping_hu_zi_mo", 0)]
    assert why.transfers == ()
    facts = hand(win(flags="fei_bao:1"))
    steps = explained(facts, value_ping_hu_zi_mo=0, value_ping_hu=0).wins[0].formula
    assert [step.points for step in steps] == [0, 0]


def test_a_hand_in_bao_diao_tou_waits_for_everything():
    assert len(explained(STOLEN).wins[0].waits) == 34


def test_waits_are_the_kinds_an_own_draw_wins_on():
    assert explained(PLAIN_WIN).wins[0].waits == ("9p", "5s", "8s")
    assert explained(STAR_LANG).wins[0].waits == ("8p", "9p", "9s", "7z")


def test_a_reading_without_groups_is_written_as_its_tiles():
    assert explained(LANG).wins[0].reading == ("147m25p369s123456z",)
    assert explained(STOLEN).wins[0].reading == ("123m", "456m", "789p", "111s", "55z")


def notes(facts: HandFacts, **given: Any) -> list[str]:
    """The English notes."""
    return [note.en for note in explained(facts, **given).notes]


def test_notes_say_who_pays_and_what_pays_nothing():
    assert notes(PLAIN_WIN) == []
    assert "seat 1, alone pays 1 share" in notes(hand(win(from_=1)))[0]
    robbed = hand(win("123456m46p678s11z", "5p", by="qiang_gang", from_=0), wild="9m")
    assert "never stood and pays nothing" in notes(robbed)[0]
    gang = holding(1, "an_gang 4444s", "peng 111m 2")
    drawn = notes(hand(table=(gang,)), gang_on_draw=False)
    assert "Nobody won" in drawn[0]
    assert drawn[1].startswith("The gang 4444s of seat 1 pays nothing: nobody won")
    assert "prices it at 0" in notes(hand(win(), table=(gang,)), gang_an=0)[0]
    assert notes(hand(win(), table=(gang,))) == []


def test_notes_tell_of_caught_and_of_four_bao():
    caught = explained(hand(win(), table=(holding(3, flags="jie_bao:0"),))).notes[0]
    assert ("caught the bao that seat 0" in caught.en, caught.points) == (True, 24)
    four = hand(win(), table=(holding(3, flags="si_bao"),))
    assert explained(four).notes[0].points == 24
    assert explained(hand(table=four.table)).notes[1].points == 40
