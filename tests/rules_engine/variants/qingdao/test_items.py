"""Items of a Qingdao hand that exclude each other, or that a golden case does not show (QD-73)."""

from typing import Any

import msgspec
import pytest

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts, WinFacts
from rules_engine.ruleset import make_options
from rules_engine.variants.qingdao.hands import best, hand_of
from rules_engine.variants.qingdao.items import BY_ID, ITEMS
from rules_engine.variants.qingdao.melds import NO_HUN
from tests.rules_engine.variants.qingdao.logs import RULESET

FULL = {"mode": "quan_dai_jiang"}
FOUR_PENG = [
    {"kind": "peng", "tiles": f"{rank * 3}p", "from": 0} if rank != "9" else
    {"kind": "an_gang", "tiles": "9999p"}
    for rank in "1359"
]  # fmt: skip


def items(win: dict[str, Any], options: dict[str, Any] | None = None) -> dict[str, int]:
    """The items of seat 2's self-drawn hand."""
    made = make_options(RULESET.options, options or {})
    assert not isinstance(made, Violation), made
    body = {"dealer": 0, "result": "hu", "wins": [{"seat": 2, "by": "zimo", **win}]}
    score = RULESET.score(msgspec.convert(body, HandFacts), made)
    assert not isinstance(score, Violation), score
    return {line.id: line.points for line in score.wins[0].items}


BOTH_DRAGONS = {
    "tile": "9m",
    "concealed": "12345678m22p",
    "melds": [{"kind": "chi", "tiles": "456m", "from": 1}],
}


@pytest.mark.parametrize(
    ("values", "counts"),
    [({}, "an_long"), ({"ming_long": 5}, "ming_long"), ({"an_long": 0}, "ming_long"),
     ({"ming_long": 0}, "an_long"), ({"ming_long": 4}, "ming_long")],
)  # fmt: skip
def test_of_two_dragons_in_one_reading_the_dearer_counts(values: dict[str, int], counts: str):
    found = items(BOTH_DRAGONS, {**FULL, "values": values})
    assert found.keys() & {"an_long", "ming_long"} == {counts}


def test_an_item_priced_0_excludes_nothing():
    hand = {"tile": "6s", "concealed": "6s", "melds": FOUR_PENG}
    assert items(hand) == {"dui_dao_di_ba_yi": 4}
    assert items(hand, {"values": {"dui_dao_di_ba_yi": 0}}) == {"dui_dao": 2}
    gone = {"dui_dao_di_ba_yi": 0, "dui_dao": 0}
    assert items(hand, {"values": gone}) == {"base": 1}
    options = {"shou_ba_yi_needs_chi": False}
    assert items(hand, options) == {"dui_dao_di_ba_yi": 4}
    assert items(hand, {**options, "values": gone}) == {"shou_ba_yi": 2}


def test_all_triplets_never_count_as_one_tile_in_hand():
    hand = {"tile": "6s", "concealed": "6s", "melds": FOUR_PENG, "flags": ["gang_kai"]}
    options = {"shou_ba_yi_needs_chi": False}
    assert items(hand, options) == {"dui_dao_di_ba_yi": 4, "gang_kai": 3}


def test_gang_kai_and_one_tile_in_hand_stand_alone_where_their_sum_is_priced_0():
    melds = [{"kind": "chi", "tiles": "123m", "from": 1}, *FOUR_PENG[1:]]
    hand = {"tile": "6s", "concealed": "6s", "melds": melds, "flags": ["gang_kai"]}
    assert items(hand) == {"ba_yi_gang_kai": 5}
    found = items(hand, {"values": {"ba_yi_gang_kai": 0}})
    assert found == {"shou_ba_yi": 2, "gang_kai": 3}


def test_a_hand_of_which_everything_is_priced_0_is_worth_and_pays_nothing():
    made = make_options(RULESET.options, {"values": {"base": 0}})
    win = {"seat": 2, "by": "zimo", "tile": "9s", "concealed": "123m456p23478s55z"}
    body = {"dealer": 0, "result": "hu", "wins": [win]}
    score = RULESET.score(msgspec.convert(body, HandFacts), made)
    assert (score.wins[0].total, score.transfers) == (0, ())


def test_without_its_price_thirteen_terminals_are_no_shape():
    win = {"tile": "1p", "concealed": "119m19p119s12356z"}
    assert items(win, FULL) == {"shi_san_yao": 8}
    with pytest.raises(AssertionError, match="shape"):
        items(win, {**FULL, "values": {"shi_san_yao": 0}})


def test_an_item_gives_its_points_alone_and_an_adjusting_line_has_no_condition():
    made = make_options(RULESET.options, {})
    win = msgspec.convert(
        {"seat": 2, "by": "zimo", "tile": "7z", "concealed": "1122m3344p5566s7z"}, WinFacts
    )
    chosen = best(hand_of(win, NO_HUN), win, made)
    assert chosen is not None
    assert {item.id: item.points(chosen.win) for item in ITEMS if item.points(chosen.win)} == {
        "qi_dui": 2
    }
    adjusting = [item for item in ITEMS if item.category == "adjusting"]
    assert [item.id for item in adjusting] == ["cheng", "huang_fan_bei", "feng_ding"]
    assert not any(item.times(chosen.win) for item in adjusting)
    assert all(other in BY_ID for item in ITEMS for other in item.excluded_by)
