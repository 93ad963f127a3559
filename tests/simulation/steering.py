"""Hands that are led to what luck seldom gives: stacked deals, and draws in a wished order.

A ``Plan`` says what seats are dealt, which tiles come to them next, and how they play; the rest of
the tiles is shuffled. The engine judges a led hand like any other: no event in it is less legal.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from api.simulation.bots import Style
from api.simulation.games import Habits, Table, opened
from rules_engine.events import GameStarted, HandStarted
from rules_engine.fold import Numbered
from rules_engine.moves import Due
from rules_engine.ruleset import Options, Ruleset, make_options
from rules_engine.table import SEATS
from rules_engine.tiles import KIND, NAMES, ONE, Tiles, count, kinds_in, parse, size, write

BYSTANDER: Final = Style("bystander", win=0.0, gang=0.0, claim=0.0, own=0.0)
"""Lets everything go that it may, so that it does not come between."""
SOLO: Final = Style("solo", win=1.0, gang=0.0, claim=0.0, own=0.0)
"""Waits for its own tile."""
GANGS: Final = Style("gangs", win=1.0, gang=1.0, claim=0.0, own=0.0)
CLAIMS: Final = Style("claims", win=1.0, gang=1.0, claim=1.0, own=0.0, eager=True)
QUIET: Final = Habits(committed=0.0, written_pass=0.3)
"""A stacked wall is not committed to: its tiles are put in order while it is drawn."""


class Part(msgspec.Struct, frozen=True):
    """What one seat is given.

    It is ``dealt`` these tiles and any others, draws the ``draws`` one after the other as soon as
    no more than ``late`` tiles are left, and discards ``throws`` first.
    """

    dealt: str = ""
    draws: str = ""
    throws: str = ""
    style: Style = SOLO
    late: int = 1000

    @property
    def order(self) -> tuple[str, ...]:
        """The names of the draws in their order."""
        return tuple(self.draws.split())

    @property
    def drawn(self) -> Tiles:
        """The draws as a bag."""
        return sum(ONE[KIND[name]] for name in self.order)

    def played(self) -> Style:
        """The style, bound to the tiles of the part."""
        throws, owned = parse(self.throws), parse(self.dealt) + self.drawn
        kept = {kind: max(0, count(owned, kind) - count(throws, kind)) for kind in kinds_in(owned)}
        keeps = sum(number * ONE[kind] for kind, number in kept.items())
        return replace(self.style, keeps=keeps, throws=throws)


class Plan(msgspec.Struct, frozen=True):
    """Hands to be led somewhere: their options, and the parts of seats counted from the dealer.

    Without parts a plan only chooses how people play, and under which options. ``every`` so many
    events other things are tried.
    """

    parts: Mapping[int, Part] = {}
    given: Mapping[str, Any] = {}
    indicator: str | None = None
    others: Style = BYSTANDER
    hands: int = 1
    every: int = 20


class Led(Table):
    """A game whose hands follow a plan."""

    def __init__(self, started: GameStarted, *, plan: Plan, habits: Habits, rng: Random) -> None:
        super().__init__(started, styles=[plan.others] * 4, habits=habits, rng=rng)
        self.plan = plan
        self.left: list[list[str]] = [[], [], [], []]
        self.part: list[Part] = [Part()] * 4

    def deal(self, due: Due) -> Numbered:
        """The deal, after the seats have learnt their parts."""
        dealer = self.rng.randrange(4) if due.dealer is None else due.dealer
        due = msgspec.structs.replace(due, dealer=dealer)
        styles = [self.plan.others] * 4
        self.part = [Part()] * 4
        self.left = [[], [], [], []]
        for step, part in self.plan.parts.items():
            seat = (dealer + step) % 4
            self.part[seat] = part
            self.left[seat] = list(part.order)
            styles[seat] = part.played()
        self.styles = styles
        return super().deal(due)

    def arranged(self, started: HandStarted) -> HandStarted:
        """The deal with the tiles of the plan in the hands they belong to.

        All of a kind that somebody waits for lie in the wall, if there are enough others.
        """
        if not self.plan.parts:
            return started
        play = self.game.play
        indicator = self.plan.indicator if started.indicator is not None else None
        pool = play.tiles
        if indicator is None:
            indicator = started.indicator
        if indicator is not None:
            pool -= ONE[KIND[indicator]]
        hands = [parse(part.dealt) for part in self.part]
        for part, hand in zip(self.part, hands, strict=True):
            pool -= hand + part.drawn
        free = [kind for kind in kinds_in(pool) for _ in range(count(pool, kind))]
        self.rng.shuffle(free)
        free.sort(key=self.awaited().__contains__, reverse=True)
        for seat in SEATS:
            due = play.hand_size + (seat == started.dealer)
            while size(hands[seat]) < due:
                hands[seat] += ONE[free.pop()]
        last = NAMES[self.rng.choice(list(kinds_in(hands[started.dealer])))]
        return replace(
            started, dealt=tuple(write(hand) for hand in hands), last=last, indicator=indicator
        )

    def take(self, seat: int, source: str) -> str:
        """The next tile of the seat's part, else one that nobody waits for."""
        table = self.game.table
        assert table is not None
        if not self.plan.parts:
            return super().take(seat, source)
        mine = self.left[seat]
        on_time = table.remaining <= self.part[seat].late
        if mine and on_time and count(table.unseen, KIND[mine[0]]):
            return mine.pop(0)
        awaited = self.awaited()
        kinds = list(kinds_in(table.unseen))
        kinds = [kind for kind in kinds if kind not in awaited] or kinds
        weights = [count(table.unseen, kind) for kind in kinds]
        return NAMES[self.rng.choices(kinds, weights)[0]]

    def awaited(self) -> set[int]:
        """The kinds that are still to come to somebody."""
        return {KIND[name] for names in self.left for name in names}


def led(ruleset: Ruleset, plan: Plan, rng: Random) -> Led:
    """A game after a plan, to be played for ``plan.hands`` hands."""
    options = make_options(ruleset.options, plan.given)
    assert isinstance(options, Options), options
    return Led(opened(ruleset, options=options, rng=rng), plan=plan, habits=QUIET, rng=rng)
