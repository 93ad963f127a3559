"""Laws that hold in every game of Shangrao mahjong, tried on simulated hands."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from api.simulation.bots import PAIRS, PATIENT, RANDOM, STYLES
from api.simulation.games import Habits, simulate
from rules_engine import registry
from rules_engine.events import Event, HandEnded
from rules_engine.fold import Game, Numbered, apply, closing
from rules_engine.moves import moves
from rules_engine.ruleset import Options, make_options
from rules_engine.snapshot import dump, load
from rules_engine.table import NOTHING, SEATS
from rules_engine.tiles import NAMES, kinds_in, write
from tests.simulation.auditor import Auditor, tiles_of
from tests.simulation.laws import accepted, compare, settle, steps, without_drawn
from tests.simulation.laws import choices as common_choices

RULESET = registry.get("jiangxi")
ROOMS: dict[str, dict[str, Any]] = {
    **RULESET.presets,
    "open": {"discard_win": "all", "pass_peng_lock": True, "claim_wild": True, "dice": 1,
             "ming_gang_payer": "discarder", "jie_bao_payer": "all"},
    "at_indicator": {"draw_end": "at_indicator", "rob_kinds": "bu_gang", "rob_winners": "first",
                     "next_dealer": "rotate", "gang_on_draw": False},
    "reserved": {"reserve": 14, "qing_strict": True, "honour_cycle": "seven", "cap": 20,
                 "pass_hu_lock": False, "wild_in_special": False, "tou_ji_required": False},
}  # fmt: skip
HABITS = Habits(written_pass=0.4, slip=0.01, abandoned=0.0005)
HANDS = 8


def game_of(room: str, seed: int) -> list[Numbered]:
    """One simulated game; every second has players who let wins go."""
    made = make_options(RULESET.options, ROOMS[room])
    assert isinstance(made, Options), made
    rng = Random(f"{room} {seed}")
    styles = [PATIENT] * 4 if seed % 2 else [rng.choice((*STYLES, PAIRS, RANDOM)) for _ in SEATS]
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
        auditor.record(seq, body)
        if game.table is None:
            assert load(dump(game)) == game
        if game.table is not None:
            compare(auditor, game.table, SEATS)
            check_wilds(auditor, game)
        elif isinstance(event, HandEnded) and event.reason != "abandoned":
            won += settle(auditor, before, game)
    return won


def check_wilds(auditor: Auditor, game: Game) -> None:
    """The four bao are where the books say; the state's counts never exceed what was seen."""
    table = game.table
    assert table is not None
    assert auditor.books is not None
    wild = NAMES[table.wild]
    in_wall = auditor.books.wall[wild]
    assert sum(table.extra.wilds) == 4 - in_wall
    assert table.extra.stealing & ~table.extra.diao == 0


@pytest.mark.parametrize("room", ROOMS)
def test_tiles_are_conserved_and_a_log_settles_like_its_result(room: str):
    assert sum(audit(room, seed) for seed in range(4)) >= 12


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("room", ROOMS)
def test_it_is_so_in_two_thousand_won_hands(room: str, seed: int):
    assert sum(audit(room, 100 + 8 * seed + more) for more in range(8)) >= 20


# --- offered exactly when accepted ----------------------------------------------------------------


def choices(game: Game) -> Iterator[Event]:
    """Everything a seat might think of doing, sensible or not."""
    yield from common_choices(game)
    table = game.table
    assert table is not None
    kind = table.wild if table.offer is None else table.offer.kind
    for seat, source in product(SEATS, SEATS):
        body = {"type": "jie_bao", "seat": seat, "tile": NAMES[kind], "from": source}
        yield RULESET.catalogue.decode(body)


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
            assert violation.message, event
            assert violation.rule in RULESET.rules, (violation, event)
    assert taken == offered, (taken ^ offered, game.table)
    due = moves(game).due
    assert game.table is not None
    tile = NAMES[next(kinds_in(game.table.unseen))] if game.table.unseen else "1m"
    for seat, source in product(SEATS, ("head", "tail")):
        draw = RULESET.catalogue.decode(
            {"type": "draw", "seat": seat, "tile": tile, "source": source}
        )
        is_due = due is not None and (due.type, due.seat, due.source) == ("draw", seat, source)
        assert (accepted(game, draw) is None) == is_due, (draw, due)
    over = closing(game)
    assert over is None or not moves(game).actions


def assert_offers_in(room: str, seed: int, states: int) -> None:
    """Try everything at so many moments of a game, those with something on offer first."""
    rng = Random(seed)
    live = [game for _, _, _, game in steps(game_of(room, seed)) if game.table is not None]
    rich = [game for game in live if {a.type for a in moves(game).actions} - {"discard", "pass"}]
    own = [game for game in live if game.table is not None and rare(game)]
    for some in (own, rich, live):
        for game in rng.sample(some, min(len(some), states)):
            assert_offers(game)


def rare(game: Game) -> bool:
    """Whether a bao is on offer, or a gang, or somebody steals."""
    table = game.table
    assert table is not None
    offer = table.offer
    return bool(table.extra.stealing) or (
        offer is not None and (offer.gang != "" or offer.kind == table.wild != NOTHING)
    )


@pytest.mark.parametrize("room", ROOMS)
def test_an_action_is_offered_exactly_when_its_event_is_accepted(room: str):
    assert_offers_in(room, 3, 2)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("room", ROOMS)
def test_it_is_so_at_hundreds_of_moments(room: str, seed: int):
    assert_offers_in(room, 100 + seed, 40)
