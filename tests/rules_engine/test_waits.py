"""What a seat waits for, in games that were played."""

from collections.abc import Iterator
from random import Random

import pytest

from api.simulation.bots import STYLES, seated
from api.simulation.games import simulate
from rules_engine import registry
from rules_engine.events import Draw, Event, Hu
from rules_engine.fold import Game, apply
from rules_engine.ruleset import Ruleset
from rules_engine.table import SEATS, Table
from rules_engine.tiles import KIND, count
from rules_engine.waits import left, waits

RULESETS = pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda each: each.slug)


def moments(ruleset: Ruleset, hands: int) -> Iterator[tuple[Table, Game, Event]]:
    """Every event of a game's hands behind the table and the game that it happens to."""
    rng = Random(f"waits {ruleset.slug}")
    game: Game | None = None
    people = ["a", "b", "c", "d", "e"][: 4 + ruleset.play(ruleset.options()).substitutes]
    for seq, event in simulate(
        ruleset,
        options=ruleset.options(),
        hands=hands,
        rng=rng,
        players=people,
        styles=seated(STYLES, rng),
    ):
        if game is not None and game.table is not None:
            yield game.table, game, event
        game = apply(game, event, seq)


@RULESETS
def test_whoever_wins_by_drawing_has_waited_for_that_tile(ruleset: Ruleset) -> None:
    won = 0
    drawn_at: Table | None = None
    for table, game, event in moments(ruleset, hands=12):
        if isinstance(event, Hu) and event.by == "zimo" and drawn_at is not None:
            assert KIND[event.tile] in waits(game.play, drawn_at, event.seat)
            won += 1
        drawn_at = table if isinstance(event, Draw) and event.source == "head" else None
    assert won


@RULESETS
def test_as_many_are_left_as_the_wall_and_the_hidden_hands_hold(ruleset: Ruleset) -> None:
    checked = 0
    for number, (table, game, _) in enumerate(moments(ruleset, hands=4)):
        if number % 7:
            continue
        for seat in SEATS:
            kinds = waits(game.play, table, seat)
            for kind, unseen in zip(kinds, left(game.play, table, seat, kinds), strict=True):
                hidden = sum(
                    count(table.seats[other].concealed, kind) for other in SEATS if other != seat
                )
                assert count(table.unseen, kind) <= unseen <= count(table.unseen, kind) + hidden + 4
                checked += 1
    assert checked
