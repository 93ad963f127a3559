"""Events in words."""

import re

import msgspec
import pytest

from rules_engine import registry
from rules_engine.events import COMMON, Draw, Event, Gang
from rules_engine.ruleset import Ruleset
from rules_engine.sentences import SENTENCES, sentence_of

RULESETS = pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda each: each.slug)


def fields_of(cls: type[Event]) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(cls)}


@RULESETS
def test_every_event_of_a_ruleset_has_a_sentence(ruleset: Ruleset) -> None:
    told = {key.partition(".")[0] for key in (*SENTENCES, *ruleset.sentences)}
    assert {str(cls.__struct_config__.tag) for cls in (*COMMON, *ruleset.events)} <= told


@RULESETS
def test_both_languages_name_the_same_fields_and_the_event_has_them(ruleset: Ruleset) -> None:
    types = ruleset.catalogue.types
    for key, sentence in {**SENTENCES, **ruleset.sentences}.items():
        zh, en = ({name.partition(":")[0] for name in re.findall(r"{(.*?)}", t)} for t in sentence)
        assert zh == en, key
        assert zh <= fields_of(types[key.partition(".")[0]]), key


class Nod(Event, frozen=True):
    """An event nobody has put into words."""

    seat: int


def test_an_event_without_a_sentence_is_told_by_its_type() -> None:
    assert sentence_of(registry.latest()[0], Nod(seat=1)) == ("nod", "nod")


def test_the_narrowest_sentence_is_told() -> None:
    ruleset = registry.latest()[0]
    assert sentence_of(ruleset, Draw(seat=0, tile="1m"))[1] == "{seat} draws {tile}"
    tail = sentence_of(ruleset, Draw(seat=0, tile="1m", source="tail"))
    assert tail[1] == "{seat} draws {tile} from the tail"
    claimed = Gang(seat=0, kind="ming_gang", tile="1m", from_=1)
    assert sentence_of(ruleset, claimed) == SENTENCES["gang.from"]
