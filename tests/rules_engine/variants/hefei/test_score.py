"""The worked examples of the rule page, the payments, the cap, and laws every Hefei hand obeys."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.score import points_by_seat
from rules_engine.variants.hefei.options import HefeiOptions
from rules_engine.variants.hefei.score import cap_dues
from tests.rules_engine.variants.hefei.results import explained, items, options, scored, win

LUXURY = {"concealed": "22223344m5566p7s", "tile": "7s"}
"""Seven pairs with one quad."""


def test_the_worked_log_is_worth_42_from_each_of_three():
    one = win(
        "2345678m",
        "8m",
        seat=0,
        gangs="5555p 3333s",
        flags="ting gang_kai",
        seq=17,
    )
    answer = scored(one, streak=2, room="bao_ting")
    assert {line.id: line.points for line in answer.wins[0].items} == {
        "base": 12,
        "tong": 2,
        "gang": 4,
        "ka": 1,
        "gang_kai": 19,
        "zhuang_fen": 4,
    }
    assert answer.wins[0].total == 42
    assert answer.wins[0].reading == ("5555p", "3333s", "234m", "567m", "88m")
    assert [step.points for step in answer.wins[0].formula] == [19, 38, 42]
    assert answer.hand_points == (126, -42, -42, -42)
    assert answer.facts["zhuang_pay"] == {0: 0}
    assert {line.seq for line in answer.transfers} == {17}


def test_the_losing_dealer_owes_21_where_others_owe_17():
    # HF-69: streak 2, seat 2 wins by zimo with total 17.
    answer = scored(win(), streak=2, base_plain=17)
    assert answer.hand_points == (-21, -17, 55, -17)
    assert answer.facts["zhuang_pay"] == {2: 4}
    lines = [(t.payer, t.points, t.item, t.rule, t.kind) for t in answer.transfers]
    assert lines == [
        (3, 17, "hu", "HF-66", "hu"),
        (0, 17, "hu", "HF-66", "hu"),
        (0, 4, "zhuang_pay", "HF-69", "hu"),
        (1, 17, "hu", "HF-66", "hu"),
    ]


def test_the_cap_example_takes_981_from_the_dealer():
    # HF-68: dues 1010, 10 and 10; the total keeps its figure.
    answer = scored(win(), streak=500)
    assert answer.hand_points == (-981, -9, 1000, -10)
    assert answer.wins[0].total == 10
    assert answer.facts["zhuang_pay"] == {2: 1000}


def test_a_capped_dealer_pays_the_total_first_and_the_rest_as_zhuang_pay():
    answer = scored(win(from_=0), streak=5, cap=12)
    assert [(t.item, t.points) for t in answer.transfers] == [("hu", 10), ("zhuang_pay", 2)]
    answer = scored(win(from_=0), streak=5, cap=9)
    assert [(t.item, t.points) for t in answer.transfers] == [("hu", 9)]


def test_turn_order_serves_the_next_seat_in_full_and_may_leave_nothing():
    wins = (win(seat=1, from_=0), win("34p678m23456788s", seat=3, from_=0))
    answer = scored(*wins, dealer=2, cap=10, cap_split="turn_order")
    assert answer.hand_points == (-10, 10, 0, 0)
    assert [(t.payer, t.payee) for t in answer.transfers] == [(0, 1)]
    answer = scored(*wins, dealer=2, cap=15, cap_split="turn_order")
    assert answer.hand_points == (-15, 10, 0, 5)


def test_no_cap_means_no_cap():
    assert scored(win(), streak=5000, cap=0).hand_points == (-10010, -10, 10030, -10)


def test_a_win_worth_nothing_has_no_transfers():
    answer = scored(win(), base_plain=0, zhuang_fen_mode="dealer_wins")
    assert answer.transfers == ()
    assert answer.wins[0].total == 0


def test_a_dealer_who_did_not_discard_owes_nothing_on_a_discard():
    assert scored(win(from_=1), streak=9).hand_points == (0, -10, 10, 0)


def test_a_winning_dealer_leaves_the_other_winner_without_the_bonus():
    wins = (win(seat=0, from_=1), win("34p678m23456788s", seat=3, from_=1))
    answer = scored(*wins, streak=3)
    assert answer.hand_points == (13, -23, 0, 10)
    assert answer.facts["zhuang_pay"] == {0: 0, 3: 0}


def test_winners_are_listed_in_turn_order_after_the_discarder():
    wins = (win(seat=3, from_=0), win("34p678m23456788s", seat=1, from_=0))
    answer = scored(*wins)
    assert [each.seat for each in answer.wins] == [1, 3]
    assert [line.payee for line in answer.transfers] == [1, 1, 3, 3]
    assert [each.seat for each in explained(*wins).wins] == [1, 3]


def test_a_drawn_hand_pays_nothing():
    answer = scored()
    assert (answer.wins, answer.transfers, answer.facts) == ((), (), {"zhuang_pay": {}})


def test_equal_totals_are_decided_by_the_order_of_the_items():
    # 222 333 444 as triplets (kan 8 with 888) or 234 three times (kan 2, shuang_pu_an 6).
    found = items(
        win("22233344455p88m", "8m", from_=1),
        min_suit=0,
        points_kan=2,
        points_shuang_pu_an=3,
    )
    assert found["kan"] == 8
    assert "shuang_pu_an" not in found


def test_each_quad_of_seven_pairs_adds_the_sum_once_more():
    one = items(win(**LUXURY, seat=0), streak=3)
    plain = sum(one.values()) - one["hao_hua_qi_dui"] - one["zhuang_fen"]
    assert one["hao_hua_qi_dui"] == plain
    assert items(win(**LUXURY, seat=0), streak=3, luxury_base="base_only")["hao_hua_qi_dui"] == 10
    every = items(win(**LUXURY, seat=0), streak=3, luxury_base="all")
    assert every["hao_hua_qi_dui"] == plain + 6


def test_the_ordinary_score_replaces_tian_hu_only_where_it_is_higher():
    tight = win("23456788m46p678s", seat=0, flags="tian_hu")
    for points, kept in ((0, False), (1, True), (2, True)):
        found = items(tight, tian_di_hu_best=True, points_tian_hu=points)
        assert ("ka" not in found) is kept
    long = win("2233445566778m", "8m", seat=0, flags="tian_hu")
    found = items(long, tian_di_hu_best=True, points_tian_hu=1)
    assert "tian_hu" not in found
    assert found["qing_yi_se"] == 30


DUES = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(lambda pair: pair[0] != pair[1]),
    st.integers(1, 5000),
    max_size=6,
)


@given(DUES, st.integers(0, 3000), st.sampled_from(["pro_rata", "turn_order"]))
@settings(max_examples=300, deadline=None)
def test_under_the_cap_no_seat_pays_or_receives_more(dues, cap, split):
    capped = cap_dues(dues, options(cap=cap, cap_split=split))
    for seat in range(4):
        paid = sum(due for (payer, _), due in dues.items() if payer == seat)
        pays = sum(due for (payer, _), due in capped.items() if payer == seat)
        receives = sum(due for (_, winner), due in capped.items() if winner == seat)
        assert pays <= paid
        assert not cap or (pays <= cap and receives <= cap)
    assert all(0 <= capped[key] <= dues[key] for key in dues)
    assert cap or capped == dues


@given(DUES, st.integers(1, 3000))
@settings(max_examples=300, deadline=None)
def test_a_capped_payer_of_several_winners_pays_the_cap_to_the_point(dues, cap):
    of_one = {key: due for key, due in dues.items() if key[0] == 0}
    capped = cap_dues(of_one, options(cap=cap))
    assert sum(capped.values()) == min(cap, sum(of_one.values()))


@given(st.integers(1, 800), st.integers(0, 3), st.integers(0, 3), st.booleans())
@settings(max_examples=200, deadline=None)
def test_every_hand_sums_to_zero_and_keeps_to_the_cap(streak, dealer, seat, zimo):
    payer = None if zimo else (seat + 1) % 4
    answer = scored(win(seat=seat, from_=payer), dealer=dealer, streak=streak)
    assert sum(answer.hand_points) == 0
    assert max(map(abs, answer.hand_points)) <= 1000
    assert points_by_seat(answer.transfers) == answer.total_points == answer.hand_points
    assert answer.gang_points == (0, 0, 0, 0)


@given(st.sampled_from(sorted(HefeiOptions.__struct_fields__)), st.integers(0, 1000))
@settings(max_examples=200, deadline=None)
def test_a_higher_price_never_makes_a_hand_worth_less(name, price):
    if not name.startswith(("points_", "base_")):
        return
    for one in (win("2222333344455m", "5m", from_=1), win(**LUXURY, seat=0), win()):
        lower, higher = (
            sum(items(one, **{name: figure}).values()) for figure in (price, min(1000, price + 7))
        )
        assert lower <= higher
