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
from rules_engine.tiles import KIND, NAMES, ONE, Tiles, has, parse, size, write

RULESET = registry.get("ruian")
Body = dict[str, Any]


def started(options: dict[str, Any] | None = None, substitutes: Sequence[str] = ()) -> Body:
    """The first event of a game with these options."""
    made = make_options(RULESET.options, options or {})
    assert not isinstance(made, Violation), made
    return {
        "type": "game_started",
        "ruleset": "ruian",
        "ruleset_version": 1,
        "options": dump_options(made),
        "players": ["a", "b", "c", "d"],
        "substitutes": list(substitutes),
    }


def played(events: Sequence[Body], game: Game | None = None) -> Game:
    """The game after these events. Raises IllegalEvent."""
    for body in events:
        event = RULESET.catalogue.decode(told(game, body))
        game = apply(game, event, 1 if game is None else game.seq + 1)
    assert game is not None
    return game


def told(game: Game | None, body: Body) -> Body:
    """The event with what a discard need not say: whether it is the tile just drawn."""
    if body["type"] != "discard" or "drawn" in body or game is None or game.table is None:
        return body
    return {**body, "drawn": game.table.drawn == KIND[body["tile"]]}


def refused(game: Game, body: Body) -> Violation:
    """What the rules say to an event they do not allow."""
    event = RULESET.catalogue.decode(told(game, body))
    try:
        apply(game, event, game.seq + 1)
    except IllegalEvent as error:
        return error.violation
    raise AssertionError(f"{body} was accepted")


def code_of(game: Game, body: Body) -> tuple[str, str]:
    """The code and the rule of the refusal of an event."""
    violation = refused(game, body)
    assert violation.rule in RULESET.rules, violation
    return violation.code, violation.rule


def deal(
    hands: dict[int, str],
    *,
    options: dict[str, Any] | None = None,
    dealer: int = 0,
    last: str = "",
    spare: str = "",
    indicator: str = "4z",
    dice: Sequence[int] = (),
    substitutes: Sequence[str] = (),
) -> Game:
    """A game in which these hands have been dealt, filled up with tiles that make little.

    Tiles in ``spare`` are dealt to nobody, nor are whites that are not asked for.
    """
    left: Tiles = sum(4 * ONE[kind] for kind in range(34))
    left -= parse(spare) + parse(indicator)
    for text in hands.values():
        left -= parse(text)
    dealt = []
    for seat in range(4):
        tiles, left = filled(parse(hands.get(seat, "")), left, 17 if seat == dealer else 16)
        dealt.append(write(tiles))
    body = {
        "type": "hand_started",
        "hand": 1,
        "dealer": dealer,
        "streak": 1,
        "dealt": dealt,
        "last": last or dealt[dealer][-2:],
        "indicator": indicator,
        "dice": list(dice),
    }
    return played([started(options, substitutes), body])


def filled(tiles: Tiles, left: Tiles, due: int) -> tuple[Tiles, Tiles]:
    """The hand with tiles added that are far from each other, and what is left to deal."""
    order = [rank + suit for rank in (0, 3, 6, 1, 4, 7, 2, 5, 8) for suit in (0, 9, 18)]
    for kind in [*order, *[27, 28, 29, 30, 32, 33], *order, *order]:
        if size(tiles) == due:
            break
        if has(left, ONE[kind]):
            tiles, left = tiles + ONE[kind], left - ONE[kind]
    assert size(tiles) == due, write(tiles)
    return tiles, left


# --- events in short ------------------------------------------------------------------------------


def draw(seat: int, tile: str, source: str = "head") -> Body:
    return {"type": "draw", "seat": seat, "tile": tile, "source": source}


def discard(seat: int, tile: str) -> Body:
    """A discard; ``told`` adds whether it is the tile just drawn."""
    return {"type": "discard", "seat": seat, "tile": tile}


def turn(seat: int, tile: str) -> list[Body]:
    """A draw that is discarded at once."""
    return [draw(seat, tile), discard(seat, tile)]


def flower(seat: int, tile: str = "5z") -> Body:
    return {"type": "flower", "seat": seat, "tile": tile}


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


def passed(seat: int, on: str = "discard") -> Body:
    return {"type": "pass", "seat": seat, "on": on}


def ended(reason: str = "hu", **more: Any) -> Body:
    return {"type": "hand_ended", "reason": reason, **more}


def result(hand: int, dealer: int, streak: int, winner: int | None = None) -> Body:
    """A hand recorded as a result: a plain win by self-draw, or a draw."""
    body: Body = {
        "type": "hand_result",
        "hand": hand,
        "dealer": dealer,
        "streak": streak,
        "wild": "9s",
        "result": "huang_zhuang" if winner is None else "hu",
    }
    if winner is not None:
        win = {"seat": winner, "by": "zimo", "tile": "8s", "concealed": "123456m234678p55s67s"}
        body["wins"] = [win]
    return body


# --- looking --------------------------------------------------------------------------------------


def actions(game: Game, seat: int, kind: str) -> list[Event]:
    """The seat's legal actions of one event type."""
    found = moves(game).actions
    return [each for each in found if each.type == kind and getattr(each, "seat", None) == seat]


def flags_of(game: Game) -> tuple[str, ...]:
    """The flags of the winner of the hand being played or just ended."""
    if game.table is not None:
        return game.table.wins[0].flags
    assert game.last is not None
    assert game.last.facts is not None
    return game.last.facts.wins[0].flags


def wall_emptied(game: Game, left: int, spared: Sequence[str] = ()) -> list[Body]:
    """Draws that are discarded at once, until so many may still be drawn in turn.

    Only tiles that nobody can claim or win on are right for the hand; the caller picks the deal.
    """
    events: list[Body] = []
    while game.table is not None and game.play.drawable(game.table) > left:
        due = moves(game).due
        assert due is not None
        assert due.seat is not None
        tile = next_tile(game, spared)
        more = turn(due.seat, tile)
        game = played(more, game)
        events += more
    return events


def next_tile(game: Game, spared: Sequence[str] = ()) -> str:
    """A tile nobody has seen that is neither flower nor wild, nor one of these."""
    table = game.table
    assert table is not None
    kept = {table.wild, table.extra.flower, *[KIND[name] for name in spared]}
    kinds = [k for k in range(34) if table.unseen >> 4 * k & 15 and k not in kept]
    return NAMES[kinds[0]]
