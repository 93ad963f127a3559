"""Logs for the tests: a game from a list of events, and hands that are set up tile by tile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules_engine import registry
from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import Event
from rules_engine.fold import Game, apply
from rules_engine.moves import moves
from rules_engine.ruleset import dump_options, make_options
from rules_engine.tiles import ONE, Tiles, has, kinds_in, parse, write

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
        tiles, left = filled(seat, tiles, left, due)
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
        "last": last or dealt[dealer][-2:],
    }
    if indicator:
        size = 136 + made.flowers
        body |= {"indicator": indicator, "hun_die": 3, "hun_index": size - 6}
    return played([started(options), *empty, body])


def filled(seat: int, tiles: Tiles, left: Tiles, due: int) -> tuple[Tiles, Tiles]:
    """The hand with single tiles added that make no set, and what is left to deal.

    Winds are left in the wall, for the tests to draw, and dragons as far as can be.
    """
    ranks = (0, 2, 4, 6, 8, 1, 3, 5, 7) if seat % 2 else (1, 3, 5, 7, 0, 2, 4, 6, 8)
    suited = [rank + suit for rank in ranks for suit in (0, 9, 18)]
    count = sum(tiles >> 4 * kind & 15 for kind in kinds_in(tiles))
    for kind in [*suited, 31, 32, 33]:
        if count == due:
            break
        ends = (kind - 1 if kind % 9 else kind, kind + 1 if kind % 9 < 8 else kind)
        beside = kind < 27 and any(tiles >> 4 * other & 15 for other in (*ends, kind))
        if has(left, ONE[kind]) and not beside and not tiles >> 4 * kind & 15:
            tiles, left, count = tiles + ONE[kind], left - ONE[kind], count + 1
    assert count == due, write(tiles)
    return tiles, left


# --- events in short -----------------------------------------------------------------------------

Body = dict[str, Any]


def draw(seat: int, tile: str, cause: str = "turn") -> Body:
    source = "head" if cause in ("turn", "hai_di") else "tail"
    return {"type": "draw", "seat": seat, "tile": tile, "source": source, "cause": cause}


def discard(seat: int, tile: str, *, drawn: bool = False) -> Body:
    return {"type": "discard", "seat": seat, "tile": tile, "drawn": drawn}


def turn(seat: int, tile: str) -> list[Body]:
    """A draw that is discarded at once."""
    return [draw(seat, tile), discard(seat, tile, drawn=True)]


def niu(seat: int, group: str, tiles: str, *stands: str) -> Body:
    return {"type": "niu", "seat": seat, "group": group, "tiles": tiles, "stands": list(stands)}


def exchange(seat: int, tile: str, *, drawn: bool = True) -> Body:
    return {"type": "niu_exchange", "seat": seat, "tile": tile, "drawn": drawn}


def flower(seat: int, tiles: str) -> Body:
    return {"type": "flower", "seat": seat, "tiles": tiles}


def ting(seat: int, kind: str = "kou_ting") -> Body:
    return {"type": "ting", "seat": seat, "kind": kind}


def peng(seat: int, tile: str, giver: int) -> Body:
    text = tile[0] * 3 + tile[1]
    return {"type": "peng", "seat": seat, "tiles": text, "tile": tile, "from": giver}


def chi(seat: int, tiles: str, tile: str, giver: int) -> Body:
    return {"type": "chi", "seat": seat, "tiles": tiles, "tile": tile, "from": giver}


def gang(seat: int, kind: str, tile: str, giver: int | None = None) -> Body:
    body = {"type": "gang", "seat": seat, "kind": kind, "tile": tile}
    return body if giver is None else {**body, "from": giver}


def hu(seat: int, tile: str, by: str = "zimo", giver: int | None = None) -> Body:
    body = {"type": "hu", "seat": seat, "by": by, "tile": tile}
    return body if giver is None else {**body, "from": giver}


def ended(reason: str = "hu") -> Body:
    return {"type": "hand_ended", "reason": reason}


def actions(game: Game, seat: int, kind: str) -> list[Event]:
    """The seat's legal actions of one event type."""
    found = moves(game).actions
    return [each for each in found if each.type == kind and getattr(each, "seat", None) == seat]


def flags_of(game: Game, number: int = 0) -> tuple[str, ...]:
    """The flags of a winner of the hand being played or just ended."""
    if game.table is not None:
        return game.table.wins[number].flags
    assert game.last is not None
    assert game.last.facts is not None
    return game.last.facts.wins[number].flags


def code_of(game: Game, body: Body) -> tuple[str, str]:
    """The code and the rule of the refusal of an event."""
    violation = refused(game, **body)
    assert violation.rule in RULESET.rules, violation
    return violation.code, violation.rule
