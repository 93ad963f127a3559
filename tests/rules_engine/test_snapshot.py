"""A game between two hands as bytes, and back."""

from random import Random

import msgspec
import pytest

from api.simulation.games import LIVELY, simulate
from rules_engine import registry
from rules_engine.fold import Game, apply, replay
from rules_engine.ruleset import make_options
from rules_engine.snapshot import FORMAT, dump, load
from tests.rules_engine.log import Log


def test_every_game_between_hands_comes_back_the_same() -> None:
    ruleset = registry.get("hefei")
    options = make_options(ruleset.options, {"room": "bao_ting", "hands_per_game": 3})
    game: Game | None = None
    log = list(simulate(ruleset, options=options, hands=8, rng=Random(2), habits=LIVELY))
    checked = 0
    for place, (seq, event) in enumerate(log):
        game = replay(log[: place + 1]) if event.type == "rewind" else apply(game, event, seq)
        if game.table is None:
            assert load(dump(game)) == game
            checked += 1
    assert checked > 10


def test_a_game_is_not_dumped_while_a_hand_is_live() -> None:
    with pytest.raises(ValueError, match="between hands"):
        dump(Log().deal({}, last="2m").game)


def test_a_dump_of_another_format_is_refused() -> None:
    body = msgspec.json.decode(dump(Log().game))
    body["format"] = FORMAT + 1
    with pytest.raises(msgspec.ValidationError, match=f"snapshot format {FORMAT + 1}"):
        load(msgspec.json.encode(body))


def test_a_loaded_game_shares_the_play_of_its_options() -> None:
    game = Log().game
    assert load(dump(game)).play is game.play


@pytest.mark.usefixtures("toy")
def test_a_variant_without_memory_is_dumped_too() -> None:
    game = Log("toy").game
    assert load(dump(game)) == game
