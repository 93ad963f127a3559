"""How much of each ruleset the simulated games reach: every item, every event, most reasons.

``python -m tests.simulation.coverage --hands 10000`` prints the whole list for fifty thousand; what
it printed is in this folder's README.
"""

from random import Random

import pytest

from rules_engine import registry
from rules_engine.ruleset import Ruleset
from tests.simulation.coverage import Reached, explore, look_on, missed, report
from tests.simulation.inventory import own_events, reasons_of
from tests.simulation.plans import PLANS
from tests.simulation.steering import led
from tests.simulation.unreached import UNREACHED

RULESETS = pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda each: each.slug)
NAMED = [(slug, name) for slug, plans in PLANS.items() for name in plans]
ATTEMPTS = 20


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


@RULESETS
def test_every_reason_said_to_be_out_of_reach_is_a_reason(ruleset: Ruleset) -> None:
    assert set(UNREACHED.get(ruleset.slug, {})) <= reasons_of(ruleset.package)


@pytest.mark.parametrize(("slug", "name"), NAMED)
def test_a_plan_leads_to_what_it_is_named_for(slug: str, name: str) -> None:
    ruleset, plan = registry.get(slug), PLANS[slug][name]
    reached = Reached()
    for seed in range(ATTEMPTS):
        rng = Random(f"{name} {seed}")
        look_on(led(ruleset, plan, rng), plan.hands, rng, reached, every=1000)
        if reached.items[name] or reached.events[name]:
            return
    pytest.fail(f"{ATTEMPTS} games after the plan reached {reached.items}")


@pytest.mark.thorough
@RULESETS
def test_two_thousand_hands_reach_every_item_and_event(ruleset: Ruleset) -> None:
    reached = explore(ruleset, 2000, 1)
    told = report(ruleset, reached)
    print(told)  # noqa: T201 -- shown with -s, and beside a failure
    left = missed(ruleset, reached)
    assert left.items == (), told
    assert left.events == (), told
    assert len(left.refusals) <= len(reasons_of(ruleset.package)) * 0.4, told
