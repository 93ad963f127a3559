"""What people try that is not allowed, or not at that moment, and why it is refused.

Each function takes a game at some moment and gives the codes of the refusals it met.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from random import Random
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import Event
from rules_engine.facts import HandFacts
from rules_engine.fold import Game, apply
from rules_engine.table import SEATS
from rules_engine.table import Table as LiveTable
from rules_engine.tiles import NAMES, kinds_in
from tests.simulation.inventory import flags_of
from tests.simulation.laws import result_of

TRIES: Final = 6
"""How often each thing is tried at a moment."""
MIXED: Final = ("1234z", "567z", "1m1p1s", "9m9p9s", "1m1p1s5z")
"""Tiles of which some game makes a gang."""
OUTSIDE: Final = ("seats_drawn", "ready", "dismissed")
"""Events that no rule asks for and that are not offered to a seat."""
WORDS: Final[Mapping[str, tuple[str | None, ...]]] = {
    "by": ("zimo", "dianpao", "qiang_gang"),
    "cause": ("exhausted", "four_gangs", "turn", "gang", "niu", "flower", None),
    "kind": ("an_gang", "ming_gang", "bu_gang", "peng", "chi"),
}
"""Values that a field of this name may have, in some game."""


def refusals(game: Game, seen: list[Event], rng: Random) -> Iterator[str]:
    """Why earlier events may not happen now, from the same or another seat, as they were or not."""
    for event in rng.sample(seen, min(len(seen), TRIES)):
        tried = altered(event, game, rng) if rng.random() < 0.7 else event
        yield from refusal(game, tried)
    for event in tempting(game, rng):
        yield from refusal(game, event)


def tempting(game: Game, rng: Random) -> Iterator[Event]:
    """What somebody might well believe to be allowed now: claims, gangs, wins, declarations.

    A field that only one ruleset has is given where it is due, else left at what it is by default.
    """
    assert game.table is not None
    for body in (*tempting_claims(game.table, rng), *tempting_turn(game, rng)):
        if body["type"] in game.ruleset.catalogue.types:
            with suppress(IllegalEvent):
                yield game.ruleset.catalogue.decode(body)


def tempting_claims(table: LiveTable, rng: Random) -> Iterator[dict[str, Any]]:
    """What the seats might do with the tile on offer, or with one that is not."""
    offer = table.offer
    name = rng.choice(NAMES) if offer is None else NAMES[offer.kind]
    for seat in SEATS:
        at = {"seat": seat, "tile": name, "from": table.turn if offer is None else offer.seat}
        yield from ({"type": "hu", "by": by, **at} for by in ("dianpao", "qiang_gang"))
        yield {"type": "gang", "kind": "ming_gang", **at}
        yield {"type": "peng", "tiles": name[0] * 3 + name[1], **at}
        for low in range(max(int(name[0]) - 2, 1), min(int(name[0]), 7) + 1):
            yield {"type": "chi", "tiles": f"{low}{low + 1}{low + 2}{name[1]}", **at}
        yield {"type": "jie_bao", **at}
        yield from ({"type": "pass", "seat": seat, "on": on} for on in ("draw", "discard"))


def tempting_turn(game: Game, rng: Random) -> Iterator[dict[str, Any]]:
    """What the seat in turn might do with its tiles, and another seat with its own."""
    assert game.table is not None
    gangs = sorted(game.play.gangs)
    for seat in {game.table.turn, rng.randrange(4)}:
        at = {"seat": seat}
        for text in MIXED:
            yield from ({"type": "gang", "kind": gang, **at, "tiles": text} for gang in gangs)
        yield {"type": "ting", **at}
        yield from ({"type": "ting", **at, "kind": kind} for kind in ("kou_ting", "ming_lou"))
        for kind in kinds_in(game.table.seats[seat].concealed):
            tile = {**at, "tile": NAMES[kind]}
            yield {"type": "hu", "by": "zimo", **tile}
            yield {"type": "hu", "by": "zimo", **tile, "dui_bao": True}
            yield from ({"type": "gang", "kind": gang, **tile} for gang in gangs)
            yield {"type": "ting", **at, "discard": NAMES[kind]}
            yield {"type": "flower", **tile}
            yield {"type": "flower", **at, "tiles": NAMES[kind]}
            for acts in ("discard", "niu_exchange"):
                yield {"type": acts, **tile, "drawn": rng.random() < 0.5}


def altered(event: Event, game: Game, rng: Random) -> Event:
    """The event with one of its fields changed to something else of its kind."""
    cls = game.ruleset.catalogue.types[event.type]
    body = msgspec.to_builtins(event)
    for name, encoded in names_of(cls):
        body.setdefault(encoded, msgspec.to_builtins(getattr(event, name, None)))
    for name in rng.sample(sorted(body), min(len(body), 2)):
        body[name] = other_value(name, body[name], game, rng)
    try:
        return msgspec.convert(body, cls)
    except msgspec.ValidationError:
        return event


@lru_cache(maxsize=256)
def names_of(cls: type[Event]) -> tuple[tuple[str, str], ...]:
    """The fields of an event type by attribute and by name in the log."""
    return tuple((field.name, field.encode_name) for field in msgspec.structs.fields(cls))


def other_value(name: str, value: Any, game: Game, rng: Random) -> Any:
    """Another value that the field might have."""
    own = [NAMES[kind] for kind in kinds_in(game.play.tiles)]
    names = own if rng.random() < 0.9 else list(NAMES)
    if name in ("seat", "from", "dealer", "last_seat"):
        return rng.randrange(4)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1))
    if name in ("tile", "indicator", "wild", "last"):
        return rng.choice([*names, None]) if name == "wild" else rng.choice(names)
    if name == "player":
        return rng.choice([*game.players, *game.substitutes, "somebody else"])
    if isinstance(value, str) and value[-1:] in tuple("mpszf"):
        tile = rng.choice(names)
        return rng.choice((value[1:], value + tile, tile * 3, ""))
    if name in WORDS:
        return rng.choice(WORDS[name])
    if name == "robs":
        return None if game.table is None or game.table.offer is None else game.table.offer.seq
    if name == "flags":
        return [*value, rng.choice(sorted(flags_of(game.ruleset.package)) or ["nothing"])]
    if isinstance(value, list | tuple) and value:
        return with_another(name, list(value), game, rng)
    return value


def with_another(name: str, items: list[Any], game: Game, rng: Random) -> list[Any]:
    """The list with one of its items changed."""
    place = rng.randrange(len(items))
    if isinstance(items[place], dict):
        inner = items[place]
        field = rng.choice(sorted(inner))
        items[place] = {**inner, field: other_value(field, inner[field], game, rng)}
    elif isinstance(items[place], str | int):
        items[place] = other_value(name, items[place], game, rng)
    return items


def refusal(game: Game, event: Event) -> Iterator[str]:
    """The reason an event is refused, if it is."""
    try:
        apply(game, event, game.seq + 1)
    except IllegalEvent as error:
        yield error.violation.code


def refused_change(game: Game, event: Event, rng: Random) -> Iterator[str]:
    """Why what happened could not have happened otherwise."""
    for _ in range(4):
        yield from refusal(game, altered(event, game, rng))


def refused_between(game: Game, rng: Random) -> Iterator[str]:
    """Why what nobody is asked for may not happen between two hands, as it should be or not."""
    for name in OUTSIDE:
        if name in game.ruleset.catalogue.types:
            event = spoken(name, game, rng)
            yield from refusal(game, event)
            yield from refusal(game, altered(event, game, rng))


def refused_facts(game: Game, facts: HandFacts, rng: Random) -> Iterator[str]:
    """Why the result with something changed could not be recorded."""
    for _ in range(TRIES):
        body = msgspec.to_builtins(facts)
        for win in body.get("wins", ()):
            win.setdefault("flags", [])
        for _ in range(rng.choice((1, 1, 2))):
            name = rng.choice(["wins", "wins", "wins", *sorted(body)])
            if name in body:
                body[name] = other_value(name, body[name], game, rng)
        try:
            changed = msgspec.convert(body, HandFacts)
        except msgspec.ValidationError:
            continue
        scored = game.ruleset.score(changed, game.options)
        if isinstance(scored, Violation):
            yield scored.code


def refused_results(before: Game, after: Game, rng: Random) -> Iterator[str]:
    """Why the hand, written down as a result with something changed, is refused."""
    record = after.last
    assert record is not None
    assert record.facts is not None
    live = replace(before, table=None, hand=after.hand - 1, players=record.players, playing=())
    live = replace(live, dealer=record.dealer, streak=record.streak)
    result = result_of(record.facts, after.hand)
    for _ in range(4):
        yield from refusal(live, altered(result, live, rng))


def spoken(name: str, game: Game, rng: Random) -> Event:
    """An event that no rule asks for."""
    body: dict[str, Any] = {"type": name}
    if name == "ready":
        body |= {"seat": rng.randrange(4), "auto": rng.random() < 0.3}
    if name == "seats_drawn":
        east = rng.randrange(4)
        dice = [rng.randint(1, 6) for _ in range(4)]
        lots = [f"{(seat - east) % 4 + 1}z" for seat in SEATS]
        body |= {"assumed_east": east, "dice": dice, "lots": lots + ["7z"] * game.play.substitutes}
        body["true_east"] = (east + dice[2] + dice[3] - 1) % 4
    return game.ruleset.catalogue.decode(body)
