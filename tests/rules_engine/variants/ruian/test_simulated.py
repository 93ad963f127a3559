"""Laws that hold in every game of Rui'an mahjong, tried on simulated hands."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from api.simulation.bots import RANDOM, STYLES, Style
from api.simulation.games import Habits, simulate
from rules_engine import registry
from rules_engine.events import Event, HandEnded
from rules_engine.fold import Game, Numbered, apply, closing
from rules_engine.moves import moves
from rules_engine.ruleset import Options, make_options
from rules_engine.snapshot import dump, load
from rules_engine.table import NOTHING, SEATS
from rules_engine.tiles import NAMES, count, kinds_in, write
from rules_engine.variants.ruian.state import Flower
from tests.simulation.auditor import Auditor, tiles_of
from tests.simulation.laws import accepted, compare, settle, steps, without_drawn
from tests.simulation.laws import choices as common_choices

RULESET = registry.get("ruian")
ROOMS: dict[str, dict[str, Any]] = {
    **RULESET.presets,
    "early_ends": {"four_same_winds_draw": True, "four_gangs_draw": True, "triple_hu_draw": True,
                   "draw_side_settlement": True, "flower_when_white_wild": "none"},
    "long_wall": {"reserve_stacks": 5, "guo_peng": False, "dealer_on_draw": "stay", "roster": 5,
                  "dianpao_pays": "discarder_all", "max_streak": 2},
    "short_wall": {"reserve_stacks": 14, "san_cai_shen_bare": False, "tian_hu_after_gang": True,
                   "side_settlement": "melds", "ji_shu_scope": "all"},
}  # fmt: skip
PATIENT = Style("patient", win=0.1, gang=0.8, claim=0.3)
"""Lets most wins go, so that the last tiles are dealt."""
HABITS = Habits(written_pass=0.4, slip=0.01, left=0.002, abandoned=0.0005)
HANDS = 8


def game_of(room: str, seed: int) -> list[Numbered]:
    """One simulated game; every second has patient players."""
    made = make_options(RULESET.options, ROOMS[room])
    assert isinstance(made, Options), made
    rng = Random(f"{room} {seed}")
    styles = [PATIENT] * 4 if seed % 2 else [rng.choice((*STYLES, RANDOM)) for _ in SEATS]
    return list(simulate(RULESET, options=made, hands=HANDS, rng=rng, styles=styles, habits=HABITS))


def audit(room: str, seed: int) -> int:
    """Play a game past the auditor; gives the number of hands won."""
    log = game_of(room, seed)
    auditor = Auditor(tiles_of(write(apply(None, log[0][1], 1).play.tiles)))
    whole = auditor.game_tiles
    won = 0
    for seq, event, before, game in steps(log):
        body = msgspec.to_builtins(event)
        if body["type"] == "hand_started":
            # The indicator lies open in the wall and is never drawn.
            auditor.game_tiles = whole - Counter([body["indicator"]])
        if before.table is not None and auditor.books is not None:
            # A heavenly hand names any of its tiles; at the deal other seats' draws are no turns.
            named = body["type"] == "hu" and body["by"] == "zimo"
            drawn = NAMES[before.table.drawn] if before.table.drawn != NOTHING else ""
            auditor.books.drawn = body["tile"] if named else drawn
        auditor.record(seq, body)
        if game.table is None:
            assert load(dump(game)) == game
        else:
            compare(auditor, game.table, SEATS)
            check_table(game)
        if game.table is None and isinstance(event, HandEnded) and event.reason != "abandoned":
            won += settle(auditor, before, game)
    return won


def check_table(game: Game) -> None:
    """Flowers lie aside when a seat may act; the wall is as long as the draws have left it."""
    table = game.table
    assert table is not None
    extra = table.extra
    unfinished = extra.flower_due != NOTHING or table.phase == "replace" or extra.dealing_last
    if not unfinished and extra.flower != NOTHING:
        assert all(not count(seat.concealed, extra.flower) for seat in table.seats)
    flowers = sum(sum(tiles_of(write(seat.flowers)).values()) for seat in table.seats)
    gangs = sum("gang" in meld.kind for seat in table.seats for meld in seat.melds)
    due = table.phase == "replace"
    assert extra.replaced == flowers + gangs - due
    assert extra.gangs == gangs
    assert sum(tiles_of(write(table.unseen)).values()) == table.remaining


@pytest.mark.parametrize("room", ROOMS)
def test_tiles_are_conserved_and_a_log_settles_like_its_result(room: str):
    assert sum(audit(room, seed) for seed in range(3)) >= 6


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("room", ROOMS)
def test_it_is_so_in_two_thousand_won_hands(room: str, seed: int):
    assert sum(audit(room, 100 + 12 * seed + more) for more in range(12)) > 30


def test_hands_end_in_every_way_and_on_the_last_tiles_too():
    flags, ends = set(), set()
    for room, seed in product(("standard", "early_ends", "short_wall"), range(6)):
        for _, event, _, game in steps(game_of(room, seed)):
            if isinstance(event, HandEnded) and game.last is not None and game.last.facts:
                facts = game.last.facts
                ends.add(facts.wins[0].by if facts.wins else facts.result)
                flags.update(flag for win in facts.wins for flag in win.flags)
    assert {"zimo", "dianpao", "huang_zhuang"} <= ends
    assert {"hai_di", "last_discard"} <= flags


# --- offered exactly when accepted ----------------------------------------------------------------


def choices(game: Game) -> Iterator[Event]:
    """Everything a seat might think of doing, sensible or not."""
    yield from common_choices(game)
    for seat, tile in product(SEATS, ("5z", "7z", "1m")):
        yield Flower(seat=seat, tile=tile)


def assert_offers(game: Game) -> None:
    """What is offered is what is accepted, and a refusal names its rule."""
    offered = {without_drawn(action) for action in moves(game).actions}
    for action in moves(game).actions:
        assert accepted(game, action) is None, action
    taken = set()
    for event in choices(game):
        violation = accepted(game, event)
        if violation is None:
            taken.add(without_drawn(event))
        else:
            assert violation.code, event
            assert violation.rule in RULESET.rules, (violation, event)
    assert taken == offered, (taken ^ offered, game.table)
    due = moves(game).due
    assert game.table is not None
    tile = NAMES[next(kinds_in(game.table.unseen))]
    for seat, source in product(SEATS, ("head", "tail")):
        body = {"type": "draw", "seat": seat, "tile": tile, "source": source}
        is_due = due is not None and (due.type, due.seat, due.source) == ("draw", seat, source)
        assert (accepted(game, RULESET.catalogue.decode(body)) is None) == is_due, (body, due)
    over = closing(game)
    assert over is None or not moves(game).actions


def assert_offers_in(room: str, seed: int, states: int) -> None:
    """Try everything at so many moments of a game, those with something on offer first."""
    rng = Random(seed)
    live = [game for _, _, _, game in steps(game_of(room, seed)) if game.table is not None]
    rich = [game for game in live if {a.type for a in moves(game).actions} - {"discard", "pass"}]
    last = [game for game in live if game.table is not None and game.table.extra.dealing_last]
    for some in (last, rich, live):
        for game in rng.sample(some, min(len(some), states)):
            assert_offers(game)


@pytest.mark.parametrize("room", ROOMS)
def test_an_action_is_offered_exactly_when_its_event_is_accepted(room: str):
    assert_offers_in(room, 3, 3)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("room", ROOMS)
def test_it_is_so_at_hundreds_of_moments(room: str, seed: int):
    assert_offers_in(room, 100 + seed, 40)
