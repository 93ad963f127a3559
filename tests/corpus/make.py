"""Add games to the corpus.

    python -m tests.corpus.make SLUG [--games 36] [--anew]

Games that are there stay as they are: their settlements are what a published version promised. With
``--anew`` the file is written anew, which is right only for a version that nobody plays yet.
"""

import argparse
import sys
from random import Random

import msgspec
from msgspec.structs import replace

from api.simulation.games import CALM, LIVELY, Habits, simulate
from rules_engine import registry
from rules_engine.errors import Violation
from rules_engine.events import (
    Event,
    GameEnded,
    GameStarted,
    HandResult,
    PlayerLeft,
    PlayerSeated,
)
from rules_engine.fold import Game, Numbered, apply, effective
from rules_engine.ruleset import Ruleset, make_options
from tests.corpus.games import Fidelity, Recorded, path_of, read, settle
from tests.simulation.laws import result_of

FULL_HANDS = 3
RESULT_HANDS = 8
BETWEEN_HANDS = (PlayerLeft, PlayerSeated, GameEnded)
HABITS: tuple[Habits, ...] = (CALM, replace(LIVELY, left=0.0, abandoned=0.001))


def game_of(ruleset: Ruleset, number: int) -> Recorded:
    """The game of this number: presets and fidelities take turns."""
    presets = list(ruleset.presets) or [""]
    preset = presets[number % len(presets)]
    fidelity: Fidelity = "full" if (number // len(presets)) % 2 == 0 else "result"
    options = make_options(ruleset.options, dict(ruleset.presets.get(preset, {})))
    assert not isinstance(options, Violation), options
    full = fidelity == "full"
    played = simulate(
        ruleset,
        options=options,
        hands=FULL_HANDS if full else RESULT_HANDS,
        rng=Random(f"corpus {ruleset.slug} {number}"),
        habits=HABITS[number % 2] if full else CALM,
    )
    events = list(played) if full else list(as_results(list(played)))
    return Recorded(
        name=f"{ruleset.slug}-{number:03}",
        preset=preset,
        fidelity=fidelity,
        events=tuple((seq, body_of(event)) for seq, event in events),
        settled=tuple(settle(events)),
    )


def body_of(event: Event) -> dict[str, object]:
    """An event as the log writes it."""
    body: dict[str, object] = msgspec.json.decode(msgspec.json.encode(event))
    return body


def as_results(played: list[Numbered]) -> list[Numbered]:
    """The same game as somebody writes it down who sees only the ends of its hands."""
    (_, started), *_ = played
    assert isinstance(started, GameStarted)
    told: list[Numbered] = [(1, started)]
    game: Game | None = None
    for seq, event in effective(played):
        before = None if game is None else replace(game, seq=seq - 1)
        game = apply(before, event, seq)
        if before is not None and game.floor > before.floor:
            assert game.last is not None
            assert game.last.facts is not None
            result: HandResult = result_of(game.last.facts, game.last.hand)
            told.append((len(told) + 1, result))
        elif isinstance(event, BETWEEN_HANDS) and game.table is None:
            told.append((len(told) + 1, event))
    return told


def main() -> None:
    """Write the games that are missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="+", metavar="SLUG")
    parser.add_argument("--games", type=int, default=36)
    parser.add_argument("--anew", action="store_true", help="throw the games away that are there")
    arguments = parser.parse_args()
    for slug in arguments.slugs:
        ruleset = registry.get(slug)
        there = 0 if arguments.anew else len(read(slug))
        with path_of(slug).open("wb" if arguments.anew else "ab") as file:
            for number in range(there, arguments.games):
                file.write(msgspec.json.encode(game_of(ruleset, number)) + b"\n")
        sys.stdout.write(f"{slug}: {max(arguments.games, there)} games, {there} of them kept\n")


if __name__ == "__main__":
    main()
