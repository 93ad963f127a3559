"""What simulated games reach: items, payments, kinds of events, and reasons to refuse something.

    python -m tests.simulation.coverage [SLUG ...] [--hands 1000] [--seed 1]

Bots of every style play in every preset, half of the time with a badly shuffled wall. Now and then
somebody tries what is not allowed: an earlier event at another moment or from another seat, or the
result of a hand with something in it changed.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec
from msgspec.structs import replace

from api.simulation.bots import RANDOM, RARE, STYLES
from api.simulation.games import LIVELY, Table, opened
from rules_engine import registry
from rules_engine.errors import Violation
from rules_engine.events import Event
from rules_engine.fold import Game, Numbered
from rules_engine.option_rows import option_rows
from rules_engine.ruleset import Options, Ruleset, bind_play, make_options
from rules_engine.score import HandScore
from rules_engine.table import SEATS
from tests.simulation.inventory import own_events, reasons_of
from tests.simulation.plans import PLANS, REASONS
from tests.simulation.rooms import ROOMS
from tests.simulation.steering import led
from tests.simulation.tries import (
    refusals,
    refused_between,
    refused_change,
    refused_facts,
    refused_results,
    spoken,
)

HANDS_A_GAME = 6
EVERY = 120
"""Events between two moments at which something is tried."""
PROGRESS = 1000
"""Hands between two reports of what has been reached so far."""
HABITS = replace(LIVELY, clumped=0.5, written_pass=0.5, slip=0.002)


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
    """Play so many hands: presets, rooms and styles by lot, and every plan in its turn."""
    *_, reached = exploring(ruleset, hands, seed)
    return reached


def exploring(ruleset: Ruleset, hands: int, seed: int) -> Iterator[Reached]:
    """What was reached after each two games of such an exploration."""
    reached = Reached()
    yield reached
    plans = [*PLANS.get(ruleset.slug, {}).values(), *REASONS.get(ruleset.slug, {}).values()]
    number = 0
    while reached.hands < hands:
        rng = Random(f"{ruleset.slug} {seed} {number}")
        look_on(game_by_lot(ruleset, rng, reached), HANDS_A_GAME, rng, reached)
        if plans:
            plan = plans[number % len(plans)]
            look_on(led(ruleset, plan, rng), plan.hands, rng, reached, every=plan.every)
        number += 1
        yield reached


def options_by_lot(ruleset: Ruleset, rng: Random, reached: Reached) -> Options:
    """A preset or a room, half of the time with options changed to anything they may be."""
    rooms = [*ruleset.presets.values(), *ROOMS.get(ruleset.slug, {}).values()] or [{}]
    options = make_options(ruleset.options, rng.choice(rooms))
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
        if isinstance(changed, Violation):
            reached.refusals[changed.code] += 1
        else:
            options = changed
    return options


def game_by_lot(ruleset: Ruleset, rng: Random, reached: Reached) -> Table:
    """One game under options and of styles that are drawn by lot."""
    options = options_by_lot(ruleset, rng, reached)
    every = (*STYLES, *RARE, *RARE, RANDOM)
    alike = rng.choice(every)
    styles = [alike if rng.random() < 0.5 else rng.choice(every) for _ in SEATS]
    # Who waits takes the seat that the rules say; nobody else leaves then.
    habits = replace(HABITS, left=0.0) if bind_play(ruleset, options).substitutes else HABITS
    started = opened(ruleset, options=options, rng=rng)
    return Talkative(started, styles=styles, habits=habits, rng=rng)


class Talkative(Table):
    """A game in which people also do what no rule asks of them, between the hands and in them."""

    def prepare(self, *, seat_players: bool = True) -> Iterator[Numbered]:
        """What happens between two hands, and what else may."""
        yield from self.say("seats_drawn", 0.5)
        yield from super().prepare(seat_players=seat_players)
        yield from self.say("ready", 0.3)
        yield from self.say("dismissed", 0.05)

    def interludes(self) -> Iterator[Numbered]:
        """What happens in a hand, and its sudden end."""
        yield from super().interludes()
        if self.live:
            yield from self.say("dismissed", 0.0005)

    def say(self, name: str, chance: float) -> Iterator[Numbered]:
        """An event of this type, if the game has it and the rules let it happen."""
        if name in self.game.ruleset.catalogue.types and self.happens(chance):
            yield from self.propose(spoken(name, self.game, self.rng))


def look_on(table: Table, hands: int, rng: Random, reached: Reached, *, every: int = EVERY) -> None:
    """Follow one game, with things tried in between."""
    seen: list[Event] = []
    before: Game | None = None
    for _, event in table.events(hands):
        game = table.game
        reached.event(event)
        if before is not None:
            seen.append(event)
            watch(before, game, seen, rng, reached, every)
        before = game


def watch(
    before: Game, game: Game, seen: list[Event], rng: Random, reached: Reached, every: int
) -> None:
    """Take note of one event, and try others in its place."""
    event = seen[-1]
    if before.table is None or game.table is None:
        reached.refusals.update(refused_change(before, event, rng))
    if before.table is None:
        reached.refusals.update(refused_between(before, rng))
    elif rng.randrange(every) == 0:
        reached.refusals.update(refusals(before, seen, rng))
    if game.floor > before.floor:
        reached.hand(game)
        if game.last is not None and game.last.facts is not None:
            reached.refusals.update(refused_facts(game, game.last.facts, rng))
            reached.refusals.update(refused_results(before, game, rng))


# --- what was not reached -------------------------------------------------------------------------


class Missed(msgspec.Struct, frozen=True):
    """What there is and was not reached."""

    items: tuple[str, ...]
    events: tuple[str, ...]
    refusals: tuple[str, ...]


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
        told = 0
        for reached in exploring(ruleset, arguments.hands, arguments.seed):
            if reached.hands >= told + PROGRESS:
                told = reached.hands
                sys.stderr.write(report(ruleset, reached) + "\n")
        sys.stdout.write(report(ruleset, reached) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
