"""How much of each ruleset the simulated games reach.

``python -m tests.simulation.coverage --hands 10000`` prints the whole list for fifty thousand.
"""

import pytest

from rules_engine import registry
from rules_engine.ruleset import Ruleset
from tests.simulation.coverage import explore, missed, own_events, reasons_of, report

RULESETS = pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda each: each.slug)
RARE_ITEMS = {
    "hefei": {"shuang_ba_zhi", "qing_yi_se", "tian_hu", "di_hu", "gang_kai", "hao_hua_qi_dui"},
    "jiangxi": {
        "tian_hu",
        "qing_hao_hua_qi_dui",
        "hao_hua_qi_dui",
        "bao_diao_bao",
        "bao_diao_wu_bao",
        "fei_bao",
        "jiu_yao_jia",
        "tou_ji",
        "qing_qi_dui",
    },
    "qingdao": {
        "chao_hao_hua_qi_dui",
        "dui_dao_di_ba_yi",
        "hui_shou_tao",
        "ba_yi_gang_kai",
        "tian_hu",
        "hun_jiang",
        "hun_fu",
        "ming_long",
        "hua_long",
        "hun_yi_se",
        "da_san_yuan",
        "da_si_xi",
        "hai_di_lao_yue",
        "cheng",
        "qiang_gang",
        "zimo",
    },
    "ruian": {"gang_gang_hu", "si_feng_qi", "qing_yi_se", "di_hu", "an_gang_yao", "dan_zhang_diao"},
}
"""Items that fifteen hundred hands may well miss. The golden cases have every one of them."""
OUTSIDE_HANDS = {"hefei": {"ready", "dismissed"}, "jiangxi": {"jie_bao"}, "ruian": {"seats_drawn"}}
"""Own events that bots do not write, or write too seldom to be sure of."""


@RULESETS
def test_a_few_hands_reach_items_events_and_refusals(ruleset: Ruleset) -> None:
    reached = explore(ruleset, 30, 1)
    assert reached.hands >= 30
    assert len(reached.items) >= min(5, len(ruleset.items) // 2)
    assert {"draw", "discard", "hu", "hand_ended"} <= set(reached.events)
    assert len(reached.refusals) >= 8
    assert sum(reached.payments.values()) > 0


@RULESETS
def test_what_there_is_to_be_reached_is_found_in_the_ruleset_itself(ruleset: Ruleset) -> None:
    assert len(reasons_of(ruleset.package)) >= 20
    nothing = missed(ruleset, explore(ruleset, 0, 1))
    assert nothing.items == tuple(item.id for item in ruleset.items)
    assert nothing.events == tuple(own_events(ruleset))
    assert set(nothing.refusals) == reasons_of(ruleset.package)


@pytest.mark.thorough
@RULESETS
def test_fifteen_hundred_hands_reach_all_but_the_rarest(ruleset: Ruleset) -> None:
    reached = explore(ruleset, 1500, 1)
    told = report(ruleset, reached)
    print(told)  # noqa: T201 -- shown with -s, and beside a failure
    left = missed(ruleset, reached)
    assert set(left.items) <= RARE_ITEMS.get(ruleset.slug, set()), told
    assert set(left.events) <= OUTSIDE_HANDS.get(ruleset.slug, set()), told
    assert len(left.refusals) <= len(reasons_of(ruleset.package)) * 0.6, told
