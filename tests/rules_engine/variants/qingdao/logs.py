"""Logs for the tests: a game from a list of events, and hands that are set up tile by tile."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from rules_engine import registry
from rules_engine.errors import IllegalEvent, Violation
from rules_engine.fold import Game, apply
from rules_engine.ruleset import dump_options, make_options
from rules_engine.tiles import NAMES, ONE, Tiles, has, kinds_in, of_kinds, parse, write

RULESET = registry.get("qingdao")


def started(options: dict[str, Any] | None = None) -> dict[str, Any]:
    """The first event of a game with these options."""
    made = make_options(RULESET.options, options or {})
    assert not isinstance(made, Violation), made
    return {
        "type": "game_started",
        "ruleset": "qingdao",
        "ruleset_version": 1,
        "options": dump_options(made),
        "players": ["a", "b", "c", "d"],
    }


def played(events: Sequence[dict[str, Any]], game: Game | None = None) -> Game:
    """The game after these events. Raises IllegalEvent."""
    for body in events:
        event = RULESET.catalogue.decode(body)
        game = apply(game, event, 1 if game is None else game.seq + 1)
    assert game is not None
    return game


def refused(game: Game, **body: Any) -> Violation:
    """What the rules say to an event they do not allow."""
    event = RULESET.catalogue.decode(body)
    try:
        apply(game, event, game.seq + 1)
    except IllegalEvent as error:
        return error.violation
    raise AssertionError(f"{body} was accepted")


def deal(
    hands: dict[int, str],
    *,
    options: dict[str, Any] | None = None,
    dealer: int = 0,
    last: str = "",
    spare: str = "",
    indicator: str = "",
    huang_run: int = 0,
) -> Game:
    """A game in which these hands have been dealt, filled up with tiles that make nothing.

    Tiles in ``spare`` are dealt to nobody. ``huang_run`` hands nobody won come before.
    """
    made = make_options(RULESET.options, options or {})
    assert not isinstance(made, Violation), made
    left = RULESET.play(made).tiles - parse(spare) - (parse(indicator) if indicator else 0)
    for text in hands.values():
        left -= parse(text)
    dealt = []
    for seat in range(4):
        tiles = parse(hands.get(seat, ""))
        due = 14 if seat == dealer else 13
        tiles, left = filled(tiles, left, due)
        dealt.append(write(tiles))
    empty = [
        {"type": "hand_result", "hand": n, "dealer": dealer, "streak": n, "result": "huang_zhuang"}
        for n in range(1, huang_run + 1)
    ]
    body: dict[str, Any] = {
        "type": "hand_started",
        "hand": huang_run + 1,
        "dealer": dealer,
        "streak": huang_run + 1,
        "dealt": dealt,
        "last": last or dealt[dealer][0] + next(c for c in dealt[dealer] if c.isalpha()),
    }
    if indicator:
        size = 136 + made.flowers
        body |= {"indicator": indicator, "hun_die": 3, "hun_index": size - 6}
    return played([started(options), *empty, body])


def filled(tiles: Tiles, left: Tiles, due: int) -> tuple[Tiles, Tiles]:
    """The hand with tiles added that are far from each other, and what is left to deal."""
    order = [rank + suit for rank in (0, 3, 6, 1, 4, 7, 2, 5, 8) for suit in (0, 9, 18)]
    count = sum(1 for kind in kinds_in(tiles) for _ in range(tiles >> 4 * kind & 15))
    for kind in order * 2 + list(range(27, 34)):
        if count == due:
            break
        near = any(
            tiles >> 4 * other & 15
            for other in range(max(kind - 2, kind // 9 * 9), min(kind + 2, kind // 9 * 9 + 8) + 1)
        )
        if not has(left, ONE[kind]) or (near and kind < 27):
            continue
        tiles, left, count = tiles + ONE[kind], left - ONE[kind], count + 1
    assert count == due, write(tiles)
    return tiles, left


def shuffled(chance: Random, tiles: Tiles) -> list[str]:
    """The tiles of a bag by name in random order."""
    names = [NAMES[kind] for kind in kinds_in(tiles) for _ in range(tiles >> 4 * kind & 15)]
    chance.shuffle(names)
    return names


__all__ = ["RULESET", "deal", "of_kinds", "played", "refused", "shuffled", "started"]
