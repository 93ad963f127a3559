"""The same laws on ten thousand hands and at thousands of moments."""

import pytest

from rules_engine import registry
from tests.simulation.laws import assert_laws, game_of
from tests.simulation.offers import assert_offers_in
from tests.simulation.rooms import HEFEI as ROOMS


@pytest.mark.thorough
@pytest.mark.parametrize("shard", range(10))
@pytest.mark.parametrize("room", ROOMS)
def test_the_laws_hold_in_ten_thousand_hands(room: str, shard: int) -> None:
    assert_laws(registry.get("hefei"), ROOMS[room], range(1000 + 21 * shard, 1021 + 21 * shard))


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("room", ROOMS)
def test_it_is_so_at_hundreds_of_moments(room: str, seed: int) -> None:
    assert_offers_in(game_of(registry.get("hefei"), ROOMS[room], 100 + seed), 40)
