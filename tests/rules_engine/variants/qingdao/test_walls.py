"""Revealed walls of games with hun: the dragon tail has its own end, the indicator its place."""

from hashlib import sha256
from random import Random
from typing import Any

from msgspec.structs import replace

from api.simulation.games import Habits, simulate
from rules_engine.events import WallRevealed
from rules_engine.fold import Game, apply
from rules_engine.ruleset import make_options
from rules_engine.table import NOTHING, Taken
from rules_engine.tiles import KIND
from tests.rules_engine.variants.qingdao.logs import RULESET

SALT = "ab" * 16


def revealed() -> tuple[Game, WallRevealed]:
    """A game just before a wall is revealed, in which the dragon tail was drawn from."""
    options: Any = make_options(RULESET.options, {"hun": True, "flowers": 4})
    habits = Habits(committed=1.0, revealed=1.0)
    game = None
    for seq, event in simulate(RULESET, options=options, hands=20, rng=Random(5), habits=habits):
        if isinstance(event, WallRevealed):
            assert game is not None
            assert game.last is not None
            assert game.last.committed is not None
            if any(taken.apart for taken in game.last.committed.draws):
                return game, event
        game = apply(game, event, seq)
    raise AssertionError("no hand drew from the dragon tail")


def says(game: Game, wall: list[str]) -> str | None:
    """What is wrong with this wall, had it been committed to."""
    assert game.last is not None
    assert game.last.committed is not None
    digest = sha256(bytes.fromhex(SALT) + "".join(wall).encode()).hexdigest()
    event = WallRevealed(hand=game.hand, wall=tuple(wall), salt=SALT)
    violation = game.play.refuse_wall(replace(game.last.committed, commitment=digest), event)
    return violation and violation.message


def test_a_wall_with_a_dragon_tail_is_accepted_as_it_was_drawn():
    game, event = revealed()
    assert says(game, list(event.wall)) is None


def test_a_wall_with_another_indicator_or_another_tile_in_the_dragon_tail_is_refused():
    game, event = revealed()
    assert game.last is not None
    assert game.last.committed is not None
    place, kind = game.last.committed.turned
    wall = list(event.wall)
    assert KIND[wall[place]] == kind
    other = next(n for n in range(len(wall) - 1, 0, -1) if n != place and wall[n] != wall[place])
    wall[place], wall[other] = wall[other], wall[place]
    assert "turned up" in str(says(game, wall))
    wall = list(event.wall)
    last = len(wall) - 1 - (place == len(wall) - 1)
    other = next(n for n in range(last - 20, last) if n != place and wall[n] != wall[last])
    wall[last], wall[other] = wall[other], wall[last]
    assert "would have been another tile" in str(says(game, wall))


def test_draws_are_taken_from_three_places():
    play = RULESET.play(make_options(RULESET.options, {"hun": True}))
    draws = [
        Taken(tail=False, kind=0),
        Taken(tail=True, kind=0, apart=True),
        Taken(tail=True, kind=0),
        Taken(tail=True, kind=0, apart=True),
        Taken(tail=False, kind=0),
    ]
    places = list(play.places(draws, length=138, turned=136))
    assert places == [53, 137, 123, 135, 54]
    plain = [Taken(tail=True, kind=0), Taken(tail=True, kind=0)]
    assert list(play.places(plain, length=138, turned=NOTHING)) == [137, 136]
