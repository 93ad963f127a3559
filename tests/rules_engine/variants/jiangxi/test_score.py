"""Details of readings and payments that the golden cases do not single out."""

import pytest

from rules_engine.tiles import KIND, parse
from rules_engine.variants.jiangxi.hands import is_diao
from tests.rules_engine.variants.jiangxi.results import (
    hand,
    holding,
    items,
    refused,
    scored,
    win,
)

WILD = KIND["3s"]


@pytest.mark.parametrize(
    ("concealed", "melds", "state"),
    [
        ("123456m789p1113s", 0, "diao"),
        ("123456m78p11133s", 0, "diao"),
        ("12456m78p111333s", 0, "diao"),
        ("1456m78p3333s111z", 0, "diao"),
        ("123456m789p1119s", 0, "none"),
        ("123456m788p1113s", 0, "none"),
        ("3s", 4, "diao"),
        ("4s", 4, "none"),
        ("123m3s", 3, "diao"),
        ("124m3s", 3, "none"),
        ("123456m789p111s", 0, "none"),
        ("123456m789p11133s", 0, "none"),
    ],
)
def test_bao_diao_tou_is_a_property_of_the_tiles(concealed: str, melds: int, state: str):
    assert is_diao(parse(concealed), melds, WILD) == (state == "diao")


def test_four_wilds_that_are_themselves_are_a_pure_quad():
    assert items(hand(win("1133m557p6666s77z", "7p"), wild="6s")) == {"qing_hao_hua_qi_dui": 32}


def test_with_three_wilds_the_two_left_over_make_a_quad():
    assert items(hand(win("1133m557p1666s77z", "7p"), wild="6s")) == {"hao_hua_qi_dui": 16}


def test_a_foreign_bao_pairs_with_one_of_the_own_hand():
    facts = hand(win("1133m5577p226s44z", "6s", from_=1), wild="6s")
    assert items(facts) == {"qing_qi_dui": 16}


def test_two_bao_join_another_pair_where_that_pays_more():
    facts = hand(win("1133m5577p66s224z", "4z"), wild="6s")
    assert items(facts, value_hao_hua_qi_dui=17) == {"hao_hua_qi_dui": 17}


def test_two_bao_do_not_replace_by_joining_a_pair_of_bao():
    facts = hand(win("11133m5599p44s77z", "1m", from_=1), wild="1m")
    assert items(facts) == {"qing_hao_hua_qi_dui": 32}
    assert items(facts, discard_win="all", value_hao_hua_qi_dui=40) == {"hao_hua_qi_dui": 40}


def test_of_equal_capped_totals_the_dearer_product_is_listed():
    facts = hand(win("1199m1199p99s337z", "7z"), wild="5p")
    assert items(facts, jiu_yao_stack=True, cap=16) == {
        "qing_qi_dui": 16,
        "jiu_yao_jia": 16,
        "cap": -16,
    }


def test_a_wild_that_must_replace_in_jiu_yao_needs_the_option():
    facts = hand(win("199m1159p9s11234z", "1s"), wild="5p")
    assert items(facts) == {"jiu_yao": 2}
    assert refused(facts, wild_in_special=False).code == "not_a_win"


def test_a_wild_that_is_an_edge_tile_stays_itself_in_jiu_yao():
    facts = hand(win("199m119p9s112346z", "1s", from_=1), wild="9s")
    assert items(facts) == {"jiu_yao": 2}
    assert items(facts, wild_in_special=False) == {"jiu_yao": 2}


def test_a_wild_honour_fills_the_stars_with_itself():
    facts = hand(win("19m9p1s134567z", "9s", melds=["peng 222z 3"], from_=0), wild="7z")
    assert items(facts) == {"qi_xing_jiu_yao": 4}


def test_a_wild_stays_itself_in_shi_san_lang_where_it_fits():
    facts = hand(win("147m25p369s12345z", "6z", from_=0), wild="5z")
    assert items(facts) == {"shi_san_lang": 4}
    assert items(facts, wild_in_special=False) == {"shi_san_lang": 4}


def test_payments_name_the_item_the_rule_and_the_seat():
    facts = hand(win(), table=(holding(1, "ming_gang 4444s 3"),))
    lines = scored(facts, ming_gang_payer="discarder").transfers
    assert [(t.payer, t.payee, t.points, t.kind, t.item, t.rule) for t in lines] == [
        (3, 2, 4, "hu", "hu", "JX-85"),
        (0, 2, 4, "hu", "hu", "JX-85"),
        (1, 2, 4, "hu", "hu", "JX-85"),
        (3, 1, 9, "gang", "ming_gang", "JX-90"),
    ]


def test_robbers_are_listed_in_turn_order_after_the_owner():
    first = win("234567m46p111s33z", "5p", by="qiang_gang", from_=2, seat=3)
    second = win("123456m46p678s22z", "5p", by="qiang_gang", from_=2, seat=1)
    facts = hand(second, first, wild="9m")
    assert [each.seat for each in scored(facts).wins] == [3, 1]


@pytest.mark.parametrize(
    ("concealed", "tile", "found"),
    [
        ("999p111444s3s667z", "7z", {"peng_peng_hu": 8}),
        ("111m999p11s3s6677z", "7z", {"peng_peng_hu": 8, "jiu_yao_jia": 8}),
    ],
)
def test_triplets_of_edge_tiles_only_are_stacked(concealed: str, tile: str, found: dict[str, int]):
    facts = hand(win(concealed, tile), wild="3s")
    assert items(facts, jiu_yao_stack=True) == found
