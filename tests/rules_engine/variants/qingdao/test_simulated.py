"""Laws that hold in every game of Qingdao mahjong, tried on simulated hands."""

from collections.abc import Iterator
from itertools import combinations, product

import msgspec
import pytest

from api.simulation.games import Habits
from rules_engine.events import Event
from rules_engine.fold import Game, Numbered
from rules_engine.moves import moves
from rules_engine.table import SEATS
from rules_engine.tiles import FLOWERS_MASK, NAMES, kinds_in, parse, write
from rules_engine.variants.qingdao.melds import NIU_GROUPS
from tests.rules_engine.variants.qingdao.logs import RULESET
from tests.simulation import laws
from tests.simulation.auditor import Auditor
from tests.simulation.laws import audit, tell_of_own_tile
from tests.simulation.offers import Body, assert_offers_in
from tests.simulation.offers import choices as common_choices
from tests.simulation.rooms import QINGDAO

ROOMS = {**RULESET.presets, **QINGDAO}
HABITS = Habits(written_pass=0.4, slip=0.01, abandoned=0.0005)
OWN = {"niu", "niu_exchange", "flower", "ting"}


def game_of(room: str, seed: int) -> list[Numbered]:
    """One simulated game."""
    return laws.game_of(RULESET, ROOMS[room], seed, HABITS)


def tell(auditor: Auditor, seq: int, event: Event, before: Game) -> None:
    """An exchange is a discard to the auditor.

    A tile just laid in a niu, or another seat's replacement, is not the one won on.
    """
    if event.type == "niu_exchange":
        auditor.record(seq, {**msgspec.to_builtins(event), "type": "discard"})
    else:
        tell_of_own_tile(auditor, seq, event, before)


@pytest.mark.parametrize("room", ROOMS)
def test_tiles_are_conserved_and_a_log_settles_like_its_result(room: str):
    # Where a hand needs many points few are won, so more games are looked at.
    games, due = (6, 1) if ROOMS[room].get("min_points") else (2, 8)
    assert sum(audit(game_of(room, seed), tell=tell) for seed in range(games)) >= due


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("room", ROOMS)
def test_it_is_so_in_two_thousand_won_hands(room: str, seed: int):
    first = 100 + 8 * seed
    assert sum(audit(game_of(room, first + more), tell=tell) for more in range(8)) > 0


# --- offered exactly when accepted ----------------------------------------------------------------


def choices(game: Game) -> Iterator[Body]:
    """The common choices, declarations of both kinds, exchanges, flowers and niu groups."""
    yield from common_choices(game)
    names = [NAMES[kind] for kind in kinds_in(game.play.tiles)]
    flowers = [NAMES[kind][0] for kind in kinds_in(game.play.tiles & FLOWERS_MASK)]
    for seat in SEATS:
        at = {"seat": seat}
        yield from ({"type": "ting", **at, "kind": kind} for kind in ("kou_ting", "ming_lou"))
        for name, drawn in product(names, (True, False)):
            yield {"type": "niu_exchange", **at, "tile": name, "drawn": drawn}
        for number in range(1, len(flowers) + 1):
            for chosen in combinations(flowers, number):
                yield {"type": "flower", **at, "tiles": "".join(chosen) + "f"}
        yield from groups(game, seat)


def groups(game: Game, seat: int) -> Iterator[Body]:
    """Every group with any tiles of it replaced by hun."""
    assert game.table is not None
    wild = game.table.wild
    for group, full in NIU_GROUPS.items():
        kinds = [NAMES[kind] for kind in kinds_in(full)]
        for number in range(len(kinds) + 1 if wild >= 0 else 1):
            for stands in combinations(kinds, number):
                left = [name for name in kinds if name not in stands]
                tiles = sum(parse(name) for name in [*left, *[NAMES[wild]] * number])
                yield {"type": "niu", "seat": seat, "group": group, "tiles": write(tiles),
                       "stands": list(stands)}  # fmt: skip


def offers_own(game: Game) -> bool:
    """Whether somebody may do what only this game has."""
    return bool({action.type for action in moves(game).actions} & OWN)


@pytest.mark.parametrize("room", ROOMS)
def test_an_action_is_offered_exactly_when_its_event_is_accepted(room: str):
    assert_offers_in(game_of(room, 3), 2, choices, (offers_own,))


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("room", ROOMS)
def test_it_is_so_at_hundreds_of_moments(room: str, seed: int):
    assert_offers_in(game_of(room, 100 + seed), 40, choices, (offers_own,))
