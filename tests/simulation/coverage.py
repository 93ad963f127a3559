"""What simulated games reach: items, payments, kinds of events, and reasons to refuse something.

    python -m tests.simulation.coverage [SLUG ...] [--hands 1000] [--seed 1]

Bots of every style play in every preset, half of the time with a badly shuffled wall. Now and then
somebody tries what is not allowed: an earlier event at another moment or from another seat, or the
result of a hand with something in it changed.
"""

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from api.simulation.bots import RANDOM, RARE, STYLES
from api.simulation.games import LIVELY, simulate
from rules_engine import registry
from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import Event
from rules_engine.facts import HandFacts
from rules_engine.fold import Game, apply, effective
from rules_engine.option_rows import choose_options, option_rows
from rules_engine.ruleset import Options, Ruleset, bind_play, make_options
from rules_engine.score import HandScore
from rules_engine.table import SEATS
from rules_engine.tiles import NAMES, kinds_in
from tests.simulation.laws import choices, result_of

HANDS_A_GAME = 6
TRIES = 12
EVERY = 25
"""Events between two moments at which something is tried."""
HABITS = replace(LIVELY, clumped=0.5, written_pass=0.5, slip=0.002)
REFUSERS = frozenset({"stop", "illegal", "Violation", "_no", "no", "_bad", "_refusal"})


class Reached:
    """How often each thing happened."""

    def __init__(self) -> None:
        self.hands = 0
        self.items: Counter[str] = Counter()
        self.payments: Counter[str] = Counter()
        self.events: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()

    def hand(self, game: Game) -> None:
        """Take note of a hand that ended."""
        record = game.last
        assert record is not None
        self.hands += 1
        if record.facts is None:
            return
        score = game.ruleset.score(record.facts, game.options)
        assert isinstance(score, HandScore), (record.facts, score)
        self.items.update(line.id for win in score.wins for line in win.items)
        self.payments.update(each.item for each in score.transfers)

    def event(self, event: Event) -> None:
        """Take note of an event, of its kind where it has one."""
        kind = getattr(event, "kind", "")
        self.events.update([event.type] + ([f"{event.type} {kind}"] if kind else []))


def explore(ruleset: Ruleset, hands: int, seed: int) -> Reached:
    """Play so many hands, presets and styles taking turns by lot."""
    reached = Reached()
    number = 0
    while reached.hands < hands:
        rng = Random(f"{ruleset.slug} {seed} {number}")
        play_past(ruleset, options_by_lot(ruleset, rng), rng, reached)
        number += 1
    return reached


def options_by_lot(ruleset: Ruleset, rng: Random) -> Options:
    """A preset, half of the time with some options changed to anything they may be."""
    preset = rng.choice(sorted(ruleset.presets) or [""])
    options = choose_options(ruleset, preset=preset, given={})
    assert isinstance(options, Options), options
    if rng.random() < 0.5:
        return options
    rows = [row for row in option_rows(ruleset, options) if "." not in row.name]
    for row in rng.sample(rows, min(len(rows), rng.randint(1, 12))):
        values = list(row.allowed.get("enum", ()))
        if row.allowed.get("type") == "boolean":
            values = [not row.chosen]
        elif row.is_number and not values:
            least, most = row.allowed["minimum"], row.allowed["maximum"]
            values = [least, least + 1, min(most, least + 4)]
        if not values:
            continue
        given = {**msgspec.to_builtins(options), row.name: rng.choice(values)}
        changed = make_options(ruleset.options, given)
        options = options if isinstance(changed, Violation) else changed
    return options


def play_past(ruleset: Ruleset, options: Options, rng: Random, reached: Reached) -> None:
    """One game, with things tried in between."""
    styles = [rng.choice((*STYLES, *RARE, *RARE, RANDOM)) for _ in SEATS]
    # Who waits takes the seat that the rules say; nobody else leaves then.
    habits = replace(HABITS, left=0.0) if bind_play(ruleset, options).substitutes else HABITS
    log = list(
        simulate(
            ruleset, options=options, hands=HANDS_A_GAME, rng=rng, styles=styles, habits=habits
        )
    )
    reached.events.update(event.type for _, event in log)
    game: Game | None = None
    seen: list[Event] = []
    for seq, event in effective(log):
        before = None if game is None else replace(game, seq=seq - 1)
        game = apply(before, event, seq)
        reached.event(event)
        if before is None:
            continue
        seen.append(event)
        if before.table is not None and rng.randrange(EVERY) == 0:
            reached.refusals.update(refusals(before, seen, rng))
        if game.floor > before.floor:
            reached.hand(game)
            if game.last is not None and game.last.facts is not None:
                reached.refusals.update(refused_facts(game, game.last.facts, rng))
                reached.refusals.update(refused_results(before, game, rng))
        elif before.table is None and game.table is not None:
            reached.refusals.update(refused_deals(before, event, rng))


def refusals(game: Game, seen: list[Event], rng: Random) -> Iterator[str]:
    """Why earlier events may not happen now, from the same or another seat, as they were or not."""
    for event in rng.sample(seen, min(len(seen), TRIES)):
        tried = altered(event, game, rng) if rng.random() < 0.7 else event
        yield from refusal(game, tried)
    if rng.randrange(10) == 0 and known_ting(game.ruleset):
        for event in rng.sample(list(choices(game)), 80):
            yield from refusal(game, event)


def known_ting(ruleset: Ruleset) -> bool:
    """Whether ``choices`` knows how to declare a ting here."""
    fields = {field.name for field in msgspec.structs.fields(ruleset.catalogue.types["ting"])}
    return fields <= {"seat", "discard"}


def altered(event: Event, game: Game, rng: Random) -> Event:
    """The event with one of its fields changed to something else of its kind."""
    body = msgspec.to_builtins(event)
    for name in rng.sample(sorted(body), min(len(body), 2)):
        body[name] = other_value(name, body[name], game, rng)
    try:
        return msgspec.convert(body, type(event))
    except msgspec.ValidationError:
        return event


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
        return rng.choice(names)
    if isinstance(value, str) and value[-1:] in tuple("mpszf"):
        tile = rng.choice(names)
        return rng.choice((value[1:], value + tile, tile * 3, ""))
    if name == "kind":
        return rng.choice(("an_gang", "ming_gang", "bu_gang", "peng", "chi"))
    if name == "by":
        return rng.choice(("zimo", "dianpao", "qiang_gang"))
    if name == "flags":
        return [*value, rng.choice(sorted(flags_of(game.ruleset.package)) or ["nothing"])]
    if isinstance(value, list | tuple) and value:
        items = list(value)
        place = rng.randrange(len(items))
        if isinstance(items[place], dict):
            inner = items[place]
            field = rng.choice(sorted(inner))
            items[place] = {**inner, field: other_value(field, inner[field], game, rng)}
        elif isinstance(items[place], str | int):
            items[place] = other_value(name, items[place], game, rng)
        return items
    return value


def refusal(game: Game, event: Event) -> Iterator[str]:
    """The reason an event is refused, if it is."""
    try:
        apply(game, event, game.seq + 1)
    except IllegalEvent as error:
        yield error.violation.code


def refused_deals(game: Game, event: Event, rng: Random) -> Iterator[str]:
    """Why a deal with something changed is refused."""
    for _ in range(4):
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


# --- what there is --------------------------------------------------------------------------------


def sources_of(package: str) -> Iterator[ast.AST]:
    """The source of every module of a variant."""
    folder = Path(str(import_module(package).__file__)).parent
    for path in sorted(folder.glob("*.py")):
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


@lru_cache(maxsize=16)
def reasons_of(package: str) -> frozenset[str]:
    """The codes of refusals that are written in a variant's own source."""
    codes = set()
    for node in sources_of(package):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in REFUSERS:
            named = [each.value for each in node.keywords if each.arg == "code"]
            codes.update(
                each.value
                for each in (*node.args[:1], *named)
                if isinstance(each, ast.Constant)
                and isinstance(each.value, str)
                and each.value.isidentifier()
            )
    return frozenset(codes)


@lru_cache(maxsize=16)
def flags_of(package: str) -> frozenset[str]:
    """Words in a variant's source that may be flags of a winner."""
    return frozenset(
        node.value
        for node in sources_of(package)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and "_" in node.value
        and node.value.isidentifier()
    )


class Missed(msgspec.Struct, frozen=True):
    """What there is and was not reached."""

    items: tuple[str, ...]
    events: tuple[str, ...]
    refusals: tuple[str, ...]


def own_events(ruleset: Ruleset) -> list[str]:
    """The types of events a ruleset adds to the common ones, or has a form of its own of."""
    catalogue = ruleset.catalogue.types
    return sorted(name for name, cls in catalogue.items() if cls in ruleset.events)


def missed(ruleset: Ruleset, reached: Reached) -> Missed:
    """What of a ruleset was not reached."""
    return Missed(
        tuple(item.id for item in ruleset.items if not reached.items[item.id]),
        tuple(name for name in own_events(ruleset) if not reached.events[name]),
        tuple(sorted(reasons_of(ruleset.package) - set(reached.refusals))),
    )


def report(ruleset: Ruleset, reached: Reached) -> str:
    """Numbers, and the list of what was not reached."""
    left = missed(ruleset, reached)
    reasons = reasons_of(ruleset.package)
    counts = (
        f"{len(ruleset.items) - len(left.items)} of {len(ruleset.items)} items",
        f"{len(own_events(ruleset)) - len(left.events)} of {len(own_events(ruleset))} own events",
        f"{len(reasons) - len(left.refusals)} of {len(reasons)} own reasons",
    )
    lines = [
        f"{ruleset.slug}: {reached.hands} hands; {', '.join(counts)}",
        f"  rarest items: {dict(reached.items.most_common()[-5:])}",
    ]
    lines += [
        f"  {what} not reached: {', '.join(getattr(left, what)) or 'none'}"
        for what in Missed.__struct_fields__
    ]
    return "\n".join(lines)


def main() -> None:
    """Print what was reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", metavar="SLUG")
    parser.add_argument("--hands", type=int, default=1000, help="hands a ruleset")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chosen = arguments.slugs or [ruleset.slug for ruleset in registry.latest()]
    for slug in chosen:
        ruleset = registry.get(slug)
        sys.stdout.write(report(ruleset, explore(ruleset, arguments.hands, arguments.seed)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
