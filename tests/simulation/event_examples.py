"""An event of each type as it happens in a game of each ruleset: the examples of its catalogue.

``python -m tests.simulation.event_examples`` writes them anew into the variants' folders.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from api.simulation.games import Habits, simulate
from rules_engine import registry
from rules_engine.cases import read_cases
from rules_engine.ruleset import Ruleset, make_options

GAMES_MAX: Final = 150
LIVELY: Final = Habits(slip=0.05, automatic=0.05, abandoned=0.01, revealed=1.0)
PLAYER: Final = "01890a5d-ac96-774b-b9e3-00000000000{}"
PAID: Final = {
    "transfers": [{"payer": PLAYER.format(1), "payee": "club", "points": 30}],
    "reason": "late for the third time",
}
"""What a referee makes someone pay; no simulated player is ever late."""


def examples(ruleset: Ruleset) -> dict[str, Any]:
    """An event of each type that the ruleset knows, by type, in the order of its catalogue."""
    found = {**told(ruleset), **played(ruleset)}
    return {name: found[name] for name in ruleset.catalogue.types if name in found}


def played(ruleset: Ruleset) -> dict[str, Any]:
    """Events of simulated games, under the presets in turn, until each type has come."""
    wanted = ruleset.catalogue.types.keys() - told(ruleset).keys()
    found: dict[str, Any] = {}
    presets = [{}, *ruleset.presets.values()]
    players = tuple(PLAYER.format(number) for number in range(1, 5))
    for seed in range(GAMES_MAX):
        options = make_options(ruleset.options, presets[seed % len(presets)])
        assert isinstance(options, ruleset.options), options
        rng = Random(seed)
        for _, event in simulate(
            ruleset, options=options, hands=3, rng=rng, players=players, habits=LIVELY
        ):
            if event.type != "hand_ended" or event.reason == "hu":
                found.setdefault(event.type, json.loads(msgspec.json.encode(event)))
        if wanted <= found.keys():
            break
    return found


def told(ruleset: Ruleset) -> dict[str, Any]:
    """A hand as a result, from the golden cases, and what happens beside the hands."""
    path = Path(__file__).parents[1] / "rules_engine" / "variants" / ruleset.slug / "cases.json"
    cases = read_cases(path.read_bytes())
    case = next(case for case in cases if case.expect.legal and case.facts.wins)
    facts = json.loads(msgspec.json.encode(case.facts))
    return {
        "hand_result": {"type": "hand_result", "hand": 1, **facts},
        "hand_corrected": {
            "type": "hand_corrected",
            "hand": 1,
            "facts": facts,
            "reason": "another hand was written down",
        },
        "hand_voided": {"type": "hand_voided", "hand": 1, "reason": "a tile was missing"},
        "adjusted": {"type": "adjusted", **PAID, "reason": "the sheet was added up wrongly"},
        "penalty": {"type": "penalty", **PAID},
        "penalty_cancelled": {"type": "penalty_cancelled", "penalty": 40, "reason": "a train"},
        "player_left": {"type": "player_left", "seat": 2, "player": PLAYER.format(3)},
        "player_seated": {"type": "player_seated", "seat": 2, "player": PLAYER.format(5)},
        "dismissed": {"type": "dismissed"},
        "ready": {"type": "ready", "seat": 2},
        "bao_exhausted": {"type": "bao_exhausted", "revision": 2},
        "jie_bao": {"type": "jie_bao", "seat": 1, "tile": "5m", "from": 0},
        "seats_drawn": {
            "type": "seats_drawn",
            "assumed_east": 0,
            "dice": [3, 4, 2, 6],
            "lots": ["1z", "2z", "3z", "4z"],
            "true_east": 3,
        },
    }


def path_of(ruleset: Ruleset) -> Path:
    """The file of a ruleset's examples."""
    return Path(*ruleset.package.split(".")) / "examples.json"


def main() -> None:
    """Write them."""
    for ruleset in registry.latest():
        found = examples(ruleset)
        missing = ruleset.catalogue.types.keys() - found.keys()
        print(ruleset.slug, len(found), "events; none of", sorted(missing))  # noqa: T201
        lines = [f"{json.dumps(name)}: {json.dumps(event)}" for name, event in found.items()]
        path_of(ruleset).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
