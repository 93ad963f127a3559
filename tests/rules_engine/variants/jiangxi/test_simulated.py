"""Laws that hold in every game of Shangrao mahjong, tried on simulated hands."""

from collections.abc import Iterator
from itertools import product

import pytest

from api.simulation.bots import PATIENT
from api.simulation.games import Habits
from rules_engine import registry
from rules_engine.events import Event
from rules_engine.fold import Game, Numbered
from rules_engine.table import NOTHING, SEATS
from rules_engine.tiles import NAMES
from tests.simulation import laws
from tests.simulation.auditor import Auditor
from tests.simulation.laws import audit
from tests.simulation.offers import Body, assert_offers_in
from tests.simulation.offers import choices as common_choices
from tests.simulation.rooms import JIANGXI

RULESET = registry.get("jiangxi")
ROOMS = {**RULESET.presets, **JIANGXI}
HABITS = Habits(written_pass=0.4, slip=0.01, abandoned=0.0005)


def game_of(room: str, seed: int) -> list[Numbered]:
    """One simulated game; every second has players who let wins go."""
    return laws.game_of(RULESET, ROOMS[room], seed, HABITS, every_second=PATIENT)


def agree(auditor: Auditor, event: Event, game: Game) -> None:
    """The four bao are where the books say; the state's counts never exceed what was seen."""
    laws.agree(auditor, event, game)
    table = game.table
    assert table is not None
    assert auditor.books is not None
    assert sum(table.extra.wilds) == 4 - auditor.books.wall[NAMES[table.wild]]
    assert table.extra.stealing & ~table.extra.diao == 0


@pytest.mark.parametrize("room", ROOMS)
def test_tiles_are_conserved_and_a_log_settles_like_its_result(room: str):
    assert sum(audit(game_of(room, seed), agree=agree) for seed in range(4)) >= 12


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("room", ROOMS)
def test_it_is_so_in_two_thousand_won_hands(room: str, seed: int):
    first = 100 + 8 * seed
    assert sum(audit(game_of(room, first + more), agree=agree) for more in range(8)) >= 20


# --- offered exactly when accepted ----------------------------------------------------------------


def choices(game: Game) -> Iterator[Body]:
    """The common choices, and catching a bao."""
    yield from common_choices(game)
    table = game.table
    assert table is not None
    kind = table.wild if table.offer is None else table.offer.kind
    for seat, source in product(SEATS, SEATS):
        yield {"type": "jie_bao", "seat": seat, "tile": NAMES[kind], "from": source}


def is_rare(game: Game) -> bool:
    """Whether a bao is on offer, or a gang, or somebody steals."""
    table = game.table
    assert table is not None
    offer = table.offer
    return bool(table.extra.stealing) or (
        offer is not None and (offer.gang != "" or offer.kind == table.wild != NOTHING)
    )


@pytest.mark.parametrize("room", ROOMS)
def test_an_action_is_offered_exactly_when_its_event_is_accepted(room: str):
    assert_offers_in(game_of(room, 3), 2, choices, (is_rare,))


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("room", ROOMS)
def test_it_is_so_at_hundreds_of_moments(room: str, seed: int):
    assert_offers_in(game_of(room, 100 + seed), 40, choices, (is_rare,))
