"""Laws that hold in every game, tried on a thousand simulated hands."""

from collections.abc import Iterator
from itertools import product
from random import Random

import msgspec
import pytest

from api.simulation.games import CALM
from rules_engine import registry
from rules_engine.fold import Game, apply, replay
from rules_engine.snapshot import dump, load
from rules_engine.table import SEATS
from rules_engine.tiles import write
from tests.simulation.auditor import Auditor, tiles_of
from tests.simulation.laws import assert_laws, game_of, steps
from tests.simulation.offers import Body, assert_offers_in, choices
from tests.simulation.rooms import HEFEI as ROOMS
from tests.simulation.rooms import TOYS
from tests.support.toy import toy_installed


@pytest.mark.parametrize("room", ROOMS)
def test_tiles_are_conserved_and_points_sum_to_zero_in_every_room(room: str) -> None:
    assert_laws(registry.get("hefei"), ROOMS[room], range(20))


@pytest.mark.parametrize("club", TOYS)
def test_the_laws_hold_with_every_claim(club: str) -> None:
    with toy_installed():
        assert_laws(registry.get("toy"), TOYS[club], range(3))


def test_the_auditor_notices_a_tile_that_is_not_there() -> None:
    ruleset = registry.get("hefei")
    log = game_of(ruleset, {}, 1, CALM)
    auditor = Auditor(tiles_of(write(apply(None, log[0][1], 1).play.tiles)))
    bodies = [(seq, msgspec.to_builtins(event)) for seq, event in log]
    place = next(i for i, (_, body) in enumerate(bodies) if body["type"] == "discard")
    for seq, body in bodies[:place]:
        auditor.record(seq, body)
    seq, body = bodies[place]
    with pytest.raises(AssertionError):
        auditor.record(seq, {**body, "tile": "9m"})


@pytest.mark.parametrize("room", ROOMS)
def test_stepping_to_a_seq_is_jumping_to_it(room: str) -> None:
    rng = Random(room)
    for seed in range(2):
        log = game_of(registry.get("hefei"), ROOMS[room], seed)
        wanted = set(rng.sample(range(1, len(log)), 12))
        snapshot, start = None, 0
        for place, (_, event, _, game) in enumerate(steps(log), start=1):
            if place in wanted:
                assert replay(log[: place + 1]) == game
                if snapshot is not None:
                    assert replay(log[start : place + 1], load(snapshot)) == game
            if game.floor == game.seq:
                snapshot, start = dump(game), place + 1
                assert event.seals


def test_the_same_seed_plays_the_same_game() -> None:
    ruleset = registry.get("hefei")
    assert game_of(ruleset, {}, 5) == game_of(ruleset, {}, 5)
    assert game_of(ruleset, {}, 5) != game_of(ruleset, {}, 6)


@pytest.mark.parametrize("room", ROOMS)
def test_an_action_is_offered_exactly_when_its_event_is_accepted(room: str) -> None:
    assert_offers_in(game_of(registry.get("hefei"), ROOMS[room], 3), 12)


def toy_choices(game: Game) -> Iterator[Body]:
    """The common choices, and a cheer of those the toy offers it to."""
    yield from choices(game)
    assert game.table is not None
    yield from ({"type": "cheer", "seat": s} for s in SEATS if game.table.seats[s].melds)


@pytest.mark.parametrize("club", [*TOYS, "robbers"])
def test_it_is_so_with_every_claim(club: str) -> None:
    with toy_installed():
        given = TOYS.get(club, {"rob": "all"})
        assert_offers_in(game_of(registry.get("toy"), given, 2), 12, toy_choices)


def test_every_kind_of_hand_happens() -> None:
    seen = set()
    for room, seed in product(("plain", "bao_ting", "strict"), range(6)):
        for _, event in game_of(registry.get("hefei"), ROOMS[room], seed):
            how = getattr(event, "reason", getattr(event, "by", ""))
            seen.add(f"{event.type} {how}".strip() if event.type != "rewind" else "rewind")
    assert seen >= {
        "draw",
        "discard",
        "gang",
        "ting",
        "hu zimo",
        "hu dianpao",
        "hand_ended hu",
        "hand_ended huang_zhuang",
        "seat_auto",
        "rewind",
        "wall_revealed",
        "game_ended finished",
    }
