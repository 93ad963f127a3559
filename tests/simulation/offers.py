"""What is offered is exactly what is accepted: everything that somebody might do is tried."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, TypeAlias

import msgspec

from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import Event
from rules_engine.fold import Game, Numbered, apply, closing
from rules_engine.moves import moves
from rules_engine.table import SEATS
from rules_engine.tiles import KIND, NAMES, count, kinds_in
from tests.simulation.laws import steps

Body: TypeAlias = Mapping[str, Any]
"""An event as JSON has it."""
Choices: TypeAlias = Callable[[Game], Iterable[Body]]
"""Everything that a seat might think of doing at some moment, sensible or not."""


def accepted(game: Game, event: Event) -> Violation | None:
    """None where the event may happen now, else why not."""
    try:
        apply(game, event, game.seq + 1)
    except IllegalEvent as error:
        return error.violation
    return None


def plain(event: Event) -> str:
    """An event as text; of two like tiles it does not matter which one is given away."""
    body = msgspec.to_builtins(event)
    return repr(sorted((k, v) for k, v in body.items() if v is not None and k != "drawn"))


def choices(game: Game) -> Iterator[Body]:
    """What every game has: discards, wins, gangs, claims, passes, and ting as a common event."""
    ting = msgspec.structs.fields(game.ruleset.catalogue.types["ting"])
    declared = {field.name for field in ting}
    names = [NAMES[kind] for kind in kinds_in(game.play.tiles)]
    for seat in SEATS:
        at = {"seat": seat}
        yield from ({"type": "pass", **at, "on": on} for on in ("draw", "discard", "gang"))
        if declared <= {"seat", "discard"}:
            yield {"type": "ting", **at}
        for name in names:
            tile = {**at, "tile": name}
            yield from ({"type": "discard", **tile, "drawn": drawn} for drawn in (True, False))
            yield {"type": "hu", "by": "zimo", **tile}
            yield from ({"type": "gang", "kind": kind, **tile} for kind in ("an_gang", "bu_gang"))
            if "discard" in declared:
                yield {"type": "ting", **at, "discard": name}
        yield from claims(game, seat)


def claims(game: Game, seat: int) -> Iterator[Body]:
    """What a seat might do with the tile on offer, or with one that is not."""
    assert game.table is not None
    kinds = [game.table.offer.kind] if game.table.offer is not None else [0, 10, 31]
    for kind, source in product(kinds, SEATS):
        name = NAMES[kind]
        at = {"seat": seat, "tile": name, "from": source}
        yield {"type": "gang", "kind": "ming_gang", **at}
        yield {"type": "peng", "tiles": name[0] * 3 + name[1], **at}
        for by in ("dianpao", "qiang_gang"):
            yield {"type": "hu", "by": by, **at}
        for low in range(max(int(name[0]) - 2, 1), min(int(name[0]), 7) + 1):
            if name[1] in "mps":
                yield {"type": "chi", "tiles": f"{low}{low + 1}{low + 2}{name[1]}", **at}


def assert_offers(game: Game, choices: Choices = choices) -> int:
    """What is offered is what is accepted; gives how many events were tried."""
    offered = {plain(action) for action in moves(game).actions}
    for event in moves(game).actions:
        violation = accepted(game, event)
        assert violation is None, (event, violation)
    tried, taken = 0, set()
    for body in choices(game):
        tried += 1
        event = game.ruleset.catalogue.decode(body)
        violation = accepted(game, event)
        if violation is None:
            taken.add(plain(event))
        else:
            assert_told(game, event, violation)
    assert taken == offered, (taken ^ offered, game.table)
    assert_due(game)
    return tried


def assert_told(game: Game, event: Event, violation: Violation) -> None:
    """A refusal says all that somebody needs to act on it."""
    assert violation.code, event
    assert violation.message, event
    assert violation.seq == game.seq + 1
    if game.ruleset.slug != "toy":
        assert violation.rule in game.ruleset.rules, (violation, event)


def assert_due(game: Game) -> None:
    """A draw, or the end of the hand, is due exactly when it is accepted."""
    table, due = game.table, moves(game).due
    assert table is not None
    # Two of a kind at best: the last one in the wall may be one that nobody draws.
    unseen = sorted(kinds_in(table.unseen), key=lambda kind: -count(table.unseen, kind))
    tile = NAMES[next(iter(unseen), KIND["2m"])]
    for seat, source in product(SEATS, ("head", "tail")):
        body = {"type": "draw", "seat": seat, "tile": tile, "source": source}
        is_due = due is not None and (due.type, due.seat, due.source) == ("draw", seat, source)
        violation = accepted(game, game.ruleset.catalogue.decode(body))
        assert (violation is None) == is_due, (body, due, violation)
    for reason in ("hu", "huang_zhuang"):
        end = game.ruleset.catalogue.decode({"type": "hand_ended", "reason": reason})
        is_due = due is not None and (due.type, due.reason) == ("hand_ended", reason)
        assert (accepted(game, end) is None) == is_due, (end, due)
    over = closing(game)
    if over is not None:
        assert due is not None
        assert due.reason == over.reason
        assert not moves(game).actions


def assert_offers_in(
    log: list[Numbered],
    states: int,
    choices: Choices = choices,
    rare: Sequence[Callable[[Game], bool]] = (),
) -> None:
    """Try everything at so many moments of a game: of the ``rare``, of rich ones and of any."""
    rng = Random(states)
    live = [game for _, _, _, game in steps(log) if game.table is not None]
    tried = 0
    for wanted in (*rare, is_rich, lambda game: True):
        some = [game for game in live if wanted(game)]
        chosen = rng.sample(some, min(len(some), states))
        tried += sum(assert_offers(game, choices) for game in chosen)
    assert tried > 500 * states


def is_rich(game: Game) -> bool:
    """Whether somebody may do more than discard or pass."""
    return bool({action.type for action in moves(game).actions} - {"discard", "pass"})
