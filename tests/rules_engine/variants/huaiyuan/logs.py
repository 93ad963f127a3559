"""Logs for the tests: a game from a list of events, and hands that are set up tile by tile."""

from collections.abc import Sequence
from typing import Any

from rules_engine import registry
from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import Event
from rules_engine.fold import Game, apply
from rules_engine.moves import moves
from rules_engine.ruleset import dump_options, make_options
from rules_engine.tiles import NAMES, ONE, Tiles, count, has, parse, size, write

RULESET = registry.get("huaiyuan")
Body = dict[str, Any]


def started(options: Body | None = None) -> Body:
    """The first event of a game with these options."""
    made = make_options(RULESET.options, options or {})
    assert not isinstance(made, Violation), made
    return {
        "type": "game_started",
        "ruleset": "huaiyuan",
        "ruleset_version": 1,
        "options": dump_options(made),
        "players": ["a", "b", "c", "d"],
    }


def played(events: Sequence[Body], game: Game | None = None) -> Game:
    """The game after these events. Raises IllegalEvent."""
    for body in events:
        event = RULESET.catalogue.decode(body)
        game = apply(game, event, 1 if game is None else game.seq + 1)
    assert game is not None
    return game


def refused(game: Game, body: Body) -> tuple[str, str]:
    """The code and the rule of what the rules say to an event they do not allow."""
    event = RULESET.catalogue.decode(body)
    try:
        apply(game, event, game.seq + 1)
    except IllegalEvent as error:
        violation = error.violation
        assert violation.rule in RULESET.rules, violation
        return violation.code, violation.rule
    raise AssertionError(f"{body} was accepted")


def actions(game: Game, seat: int, *kinds: str) -> list[Event]:
    """The seat's legal actions of these event types, all when none is named."""
    found = [each for each in moves(game).actions if getattr(each, "seat", None) == seat]
    return [each for each in found if not kinds or each.type in kinds]


def due(game: Game) -> tuple[str, int | None] | None:
    """What is due, and from which seat."""
    found = moves(game).due
    return found and (found.type, found.seat)


def deal(hands: dict[int, str], *, options: Body | None = None, dealer: int = 0, last: str = "",
         spare: str = "") -> Game:  # fmt: skip
    """A game in which these hands have been dealt, filled up with other tiles.

    Tiles in ``spare`` are dealt to nobody who does not name them; each hand is filled with single
    tiles that make neither pairs nor runs as far as possible.
    """
    made = make_options(RULESET.options, options or {})
    assert not isinstance(made, Violation), made
    left = RULESET.play(made).tiles - parse(spare)
    for text in hands.values():
        left -= parse(text)
    dealt = []
    for seat in range(4):
        tiles = parse(hands.get(seat, ""))
        tiles, left = filled(seat, tiles, left, 14 if seat == dealer else 13)
        dealt.append(write(tiles))
    body = {"type": "hand_started", "hand": 1, "dealer": dealer, "streak": 1, "dealt": dealt,
            "last": last or dealt[dealer][-2:]}  # fmt: skip
    return played([started(options), body])


def filled(seat: int, tiles: Tiles, left: Tiles, due_size: int) -> tuple[Tiles, Tiles]:
    """The hand with single suited tiles added that make no set, and what is left to deal."""
    ranks = (1, 4, 7, 2, 5, 0, 3, 6, 8) if seat % 2 else (4, 1, 7, 5, 2, 3, 6, 0, 8)
    for kind in [rank + suit for rank in ranks for suit in (0, 9, 18)]:
        if size(tiles) == due_size:
            break
        if has(left, ONE[kind]) and not count(tiles, kind):
            tiles, left = tiles + ONE[kind], left - ONE[kind]
    assert size(tiles) == due_size, write(tiles)
    return tiles, left


# --- events in short ------------------------------------------------------------------------------


def draw(seat: int, tile: str, source: str = "head") -> Body:
    return {"type": "draw", "seat": seat, "tile": tile, "source": source}


def discard(seat: int, tile: str, *, drawn: bool = False) -> Body:
    return {"type": "discard", "seat": seat, "tile": tile, "drawn": drawn}


def turn(seat: int, tile: str) -> list[Body]:
    """A draw that is discarded at once."""
    return [draw(seat, tile), discard(seat, tile, drawn=True)]


def ting(seat: int, tile: str, *, drawn: bool = False) -> list[Body]:
    """A declaration with its discard."""
    return [{"type": "ting", "seat": seat}, discard(seat, tile, drawn=drawn)]


def opens(seat: int, kind: str, tiles: str) -> Body:
    return {"type": "gang", "seat": seat, "kind": kind, "tiles": tiles}


def adds(seat: int, kind: str, tile: str) -> Body:
    return {"type": "gang", "seat": seat, "kind": kind, "tile": tile}


def gang(seat: int, kind: str, tile: str, giver: int | None = None) -> Body:
    body = {"type": "gang", "seat": seat, "kind": kind, "tile": tile}
    return body if giver is None else {**body, "from": giver}


def peng(seat: int, tile: str, giver: int, robs: int | None = None) -> Body:
    body = {"type": "peng", "seat": seat, "tiles": tile[0] * 3 + tile[1], "tile": tile}
    return {**body, "from": giver} if robs is None else {**body, "from": giver, "robs": robs}


def chi(seat: int, tiles: str, tile: str, giver: int) -> Body:
    return {"type": "chi", "seat": seat, "tiles": tiles, "tile": tile, "from": giver}


def hu(seat: int, tile: str, by: str = "zimo", giver: int | None = None) -> Body:
    body = {"type": "hu", "seat": seat, "by": by, "tile": tile}
    return body if giver is None else {**body, "from": giver}


def hu_bao(seat: int, tile: str) -> Body:
    return {"type": "hu", "seat": seat, "by": "zimo", "tile": tile, "dui_bao": True}


def passes(seat: int, on: str) -> Body:
    return {"type": "pass", "seat": seat, "on": on}


def roll(seat: int, dice: list[int], slot: int, tile: str, revision: int = 1,
         visible_to: Sequence[int] | None = None) -> Body:  # fmt: skip
    return {"type": "bao_roll", "seat": seat, "dice": dice, "slot": slot, "tile": tile,
            "revision": revision, "visible_to": list(visible_to or [seat])}  # fmt: skip


def look(seat: int, revision: int = 1, tile: str | None = None) -> Body:
    body = {"type": "bao_look", "seat": seat, "revision": revision}
    return body if tile is None else {**body, "tile": tile}


def ended(reason: str = "hu") -> Body:
    return {"type": "hand_ended", "reason": reason}


def names(game: Game, seat: int) -> str:
    """The seat's concealed tiles."""
    assert game.table is not None
    return write(game.table.seats[seat].concealed)


def bao_of(game: Game) -> str | None:
    """The bao in force."""
    assert game.table is not None
    kind = game.table.extra.bao
    return None if kind < 0 else NAMES[kind]
