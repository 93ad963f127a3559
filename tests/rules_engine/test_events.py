"""The event catalogue: decoding, secrets, and stored events of older versions."""

import re
from random import Random
from typing import Any, ClassVar

import msgspec
import pytest

from api.simulation.games import LIVELY, simulate
from rules_engine import registry
from rules_engine.errors import IllegalEvent
from rules_engine.events import (
    Catalogue,
    Discard,
    Draw,
    Event,
    HandResult,
    HandStarted,
    Ruling,
    Secret,
    catalogue,
    split,
    stated,
)
from rules_engine.facts import WinFacts
from rules_engine.ruleset import make_options

DEALT = ("2345678m5555p333s", "2235m2336p24688s", "3567m46778p5677s", "5m2446788p24567s")
STARTED = HandStarted(hand=5, dealer=0, streak=2, dice=(2, 5), dealt=DEALT, last="3s")


def refused(body: dict[str, Any]) -> str:
    """The code and message of what is wrong with a body."""
    with pytest.raises(IllegalEvent) as caught:
        catalogue().decode(body)
    return f"{caught.value.violation.code}: {caught.value.violation.message}"


def test_an_event_is_decoded_by_its_type() -> None:
    body = {"type": "discard", "seat": 1, "tile": "5m", "drawn": False}
    assert catalogue().decode(body) == Discard(seat=1, tile="5m", drawn=False)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({}, "unknown_event_type: There is no event type None"),
        ({"type": ["draw"]}, "unknown_event_type"),
        ({"type": "sing"}, "unknown_event_type: There is no event type 'sing'"),
        ({"type": "draw", "seat": 0}, "invalid_event: This is not a valid draw: .*tile"),
        ({"type": "draw", "seat": 4, "tile": "5m"}, "invalid_event: .*seat"),
        ({"type": "draw", "seat": 0, "tile": "0m"}, "invalid_event: .*tile"),
        ({"type": "draw", "seat": 0, "tile": "8z"}, "invalid_event: .*tile"),
        ({"type": "draw", "seat": 0, "tile": "5m", "zone": 1}, "invalid_event: .*unknown field"),
        ({"type": "draw", "seat": True, "tile": "5m"}, "invalid_event: .*seat"),
        ({"type": "pass", "seat": 0, "on": "table"}, "invalid_event: .*on"),
        ({"type": "rewind", "to": 0, "reason": ""}, "invalid_event: .*to"),
        ({"type": "wall_revealed", "hand": 1, "wall": [], "salt": "xy"}, "invalid_event: .*salt"),
    ],
)
def test_what_is_no_event_is_refused_with_its_field(body: dict[str, Any], told: str) -> None:
    assert re.match(told, refused(body))


def test_a_variants_types_lie_over_the_common_ones() -> None:
    hefei = registry.get("hefei").catalogue
    assert "ready" in hefei.types
    assert hefei.types["ting"] is not catalogue().types["ting"]
    assert hefei.types["draw"] is Draw
    assert registry.get("hefei").catalogue is hefei, "one catalogue, not one a call"


def test_a_deal_hides_each_hand_and_the_last_tile_from_the_others() -> None:
    public, secrets = split(STARTED)
    shown = msgspec.json.decode(msgspec.json.encode(public))
    assert shown == {"hand": 5, "dealer": 0, "streak": 2, "dice": [2, 5]}
    assert secrets == {
        "dealt.0": Secret(0, DEALT[0]),
        "dealt.1": Secret(1, DEALT[1]),
        "dealt.2": Secret(2, DEALT[2]),
        "dealt.3": Secret(3, DEALT[3]),
        "last": Secret(0, "3s"),
    }


def test_a_draw_hides_its_tile() -> None:
    public, secrets = split(Draw(seat=2, tile="6s"))
    assert public == {"seat": 2}
    assert secrets == {"tile": Secret(2, "6s")}


def test_a_discard_hides_nothing() -> None:
    public, secrets = split(Discard(seat=2, tile="6s", drawn=True))
    assert public == {"seat": 2, "tile": "6s", "drawn": True}
    assert secrets == {}


def test_every_simulated_event_survives_splitting_and_json() -> None:
    ruleset = registry.get("hefei")
    options = make_options(ruleset.options, {"room": "bao_ting"})
    seen = set()
    for _, event in simulate(ruleset, options=options, hands=6, rng=Random(4), habits=LIVELY):
        seen.add(event.type)
        public, secrets = split(event)
        stored = msgspec.json.decode(msgspec.json.encode(public))
        values = {name: item.value for name, item in secrets.items()}
        assert ruleset.catalogue.join(event.type, event.version, stored, values) == event
        body = msgspec.json.decode(msgspec.json.encode(event))
        assert ruleset.catalogue.decode(body) == event
    assert {"game_started", "hand_started", "draw", "discard", "ting", "hand_ended"} <= seen


class Sing(Event, frozen=True):
    """A type whose first version had no verse, and whose second called it stanza."""

    version: ClassVar[int] = 3
    upcasts = (
        lambda body: {**body, "stanza": 1},
        lambda body: {"seat": body["seat"], "verse": body["stanza"]},
    )

    seat: int
    verse: int


def test_a_stored_event_is_lifted_from_the_version_it_was_written_with() -> None:
    types = Catalogue((Sing,))
    assert types.restore("sing", 1, {"seat": 2}) == Sing(seat=2, verse=1)
    assert types.restore("sing", 2, {"seat": 2, "stanza": 5}) == Sing(seat=2, verse=5)
    assert types.restore("sing", 3, {"seat": 2, "verse": 6}) == Sing(seat=2, verse=6)
    assert types.join("sing", 2, {"seat": 2, "stanza": 5}, {}) == Sing(seat=2, verse=5)


def test_a_recorded_result_states_its_facts_with_its_place_in_the_log() -> None:
    win = WinFacts(seat=2, by="zimo", tile="5m", concealed="2234466m222p33s")
    result = HandResult(hand=1, dealer=0, result="hu", streak=3, wins=(win,))
    facts = stated(result, 17)
    assert (facts.seq, facts.wins[0].seq, facts.streak, facts.dealer) == (17, 17, 3, 0)
    assert stated(result, 0).wins == (win,)


def test_a_type_has_the_name_of_its_class_in_snake_case() -> None:
    assert HandStarted(hand=1, dealer=0, dealt=DEALT, last="3s").type == "hand_started"
    assert all(str(cls.__struct_config__.tag) == name for name, cls in catalogue().types.items())


def test_only_what_ends_a_hand_and_rulings_are_sealed() -> None:
    sealing = {name for name, cls in catalogue().types.items() if cls.seals}
    rulings = {name for name, cls in catalogue().types.items() if issubclass(cls, Ruling)}
    assert sealing == {"hand_ended", "hand_result", *rulings}
    assert len(rulings) == 5


@pytest.mark.parametrize(
    ("field", "value", "expected", "message"),
    [
        ("tile", "9z", "a tile: write", "'9z' is not a tile: write a rank and a suit"),
        ("tile", 5, "`str`", "Expected `str`, got `int`"),
        ("seat", 7, "`int` <= 3", "Expected `int` <= 3"),
        (
            "tile",
            "5" * 10_000,
            "a tile: write",
            r"555\.\.\.' is not a tile|555\.\.\.\" is not a tile",
        ),
    ],
)
def test_a_wrong_field_is_named_with_what_it_holds_and_what_it_should(
    field: str, value: Any, expected: str, message: str
) -> None:
    body = {"type": "draw", "seat": 0, "tile": "5m", field: value}
    with pytest.raises(IllegalEvent, match=message) as refused:
        catalogue().decode(body)
    violation = refused.value.violation
    assert violation.facts == {"field": field}
    assert str(violation.expected).startswith(expected)
    assert len(violation.message) < 300


def test_the_place_of_a_wrong_tile_is_found_inside_a_result() -> None:
    win = {"seat": 2, "by": "zimo", "tile": "5m", "concealed": "5x"}
    body = {"type": "hand_result", "hand": 1, "dealer": 0, "result": "hu", "wins": [win]}
    with pytest.raises(IllegalEvent, match="'5x' is not tiles") as refused:
        catalogue().decode(body)
    assert refused.value.violation.facts == {"field": "wins[0].concealed"}
    assert refused.value.violation.actual == "5x"
