"""The corpus: recorded games with the settlements they had, one file a ruleset, one line a game."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from rules_engine import registry
from rules_engine.errors import Violation
from rules_engine.events import Event
from rules_engine.fold import Game, Numbered, apply, effective
from rules_engine.score import Transfer, WinScore

FOLDER = Path(__file__).parent
Fidelity = Literal["full", "result"]


class Settled(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a hand came to. ``facts`` are the figures only one variant has."""

    hand: int
    abandoned: bool = False
    wins: tuple[WinScore, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    facts: dict[str, Any] = {}
    next_dealer: int | None = None
    next_streak: int = 0


class Recorded(msgspec.Struct, frozen=True):
    """One game of the corpus: its whole log, each event with its seq, and its settlements."""

    name: str
    preset: str
    fidelity: Fidelity
    events: tuple[tuple[int, dict[str, Any]], ...]
    settled: tuple[Settled, ...]


def path_of(slug: str) -> Path:
    """The file of a ruleset's games."""
    return FOLDER / f"{slug}.ndjson"


def read(slug: str) -> list[Recorded]:
    """The games of a ruleset; none where there is no file."""
    path = path_of(slug)
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [msgspec.json.decode(line, type=Recorded) for line in lines]


def numbered(game: Recorded) -> list[Numbered]:
    """The log of a game as events of the ruleset and version that it names."""
    first = game.events[0][1]
    ruleset = registry.get(first["ruleset"], first["ruleset_version"])
    types: dict[str, type[Event]] = dict(ruleset.catalogue.types)
    return [(seq, msgspec.convert(body, types[body["type"]])) for seq, body in game.events]


def settle(events: list[Numbered]) -> Iterator[Settled]:
    """What each hand of a log comes to now, in the order in which they ended."""
    game: Game | None = None
    for seq, event in effective(events):
        before = None if game is None else msgspec.structs.replace(game, seq=seq - 1)
        game = apply(before, event, seq)
        if before is not None and game.floor > before.floor:
            yield _settled(game)


def _settled(game: Game) -> Settled:
    record = game.last
    assert record is not None
    deal = {"next_dealer": game.dealer, "next_streak": game.streak}
    if record.facts is None:
        return Settled(hand=record.hand, abandoned=True, **deal)  # type: ignore[arg-type]
    score = game.ruleset.score(record.facts, game.options)
    assert not isinstance(score, Violation), (record, score)
    return Settled(
        hand=record.hand,
        wins=score.wins,
        transfers=score.transfers,
        facts=msgspec.json.decode(msgspec.json.encode(score.facts)),
        **deal,  # type: ignore[arg-type]
    )
