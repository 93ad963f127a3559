"""The examples in the catalogues of events are events."""

import json
from importlib.resources import files

import pytest

from rules_engine import registry
from rules_engine.ruleset import Ruleset

every_ruleset = pytest.mark.parametrize(
    "ruleset", registry.latest(), ids=lambda ruleset: ruleset.slug
)


@every_ruleset
def test_every_example_is_an_event_of_its_type(ruleset: Ruleset) -> None:
    examples = json.loads(files(ruleset.package).joinpath("examples.json").read_text())
    for name, body in examples.items():
        assert ruleset.catalogue.decode(body).type == name


@every_ruleset
def test_every_event_of_a_ruleset_of_its_own_has_an_example(ruleset: Ruleset) -> None:
    examples = json.loads(files(ruleset.package).joinpath("examples.json").read_text())
    own = {str(event.__struct_config__.tag) for event in ruleset.events}
    assert own <= examples.keys()
