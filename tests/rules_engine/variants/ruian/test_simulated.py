"""Laws that hold in every game of Rui'an mahjong, tried on simulated hands."""

from collections.abc import Iterator
from itertools import pairwise, product

import msgspec
import pytest

from api.simulation.bots import Style
from api.simulation.games import Habits
from rules_engine import registry
from rules_engine.events import Event, GameEnded, HandEnded, PlayerLeft, PlayerSeated
from rules_engine.fold import Game, Numbered
from rules_engine.table import NOTHING, SEATS
from rules_engine.tiles import NAMES, count, write
from tests.simulation import laws
from tests.simulation.auditor import Auditor, tiles_of
from tests.simulation.laws import audit, steps
from tests.simulation.offers import Body, assert_offers_in
from tests.simulation.offers import choices as common_choices
from tests.simulation.rooms import RUIAN

RULESET = registry.get("ruian")
ROOMS = {**RULESET.presets, **RUIAN}
PATIENT = Style("patient", win=0.1, gang=0.8, claim=0.3)
"""Lets most wins go, so that the last tiles are dealt."""
HABITS = Habits(written_pass=0.4, slip=0.01, left=0.002, abandoned=0.0005)


def game_of(room: str, seed: int) -> list[Numbered]:
    """One simulated game; every second has patient players."""
    return laws.game_of(RULESET, ROOMS[room], seed, HABITS, every_second=PATIENT)


def tell(auditor: Auditor, seq: int, event: Event, before: Game) -> None:
    """A heavenly hand names any of its tiles; at the deal other seats' draws are no turns."""
    body = msgspec.to_builtins(event)
    if before.table is not None and auditor.books is not None:
        named = body["type"] == "hu" and body["by"] == "zimo"
        drawn = NAMES[before.table.drawn] if before.table.drawn != NOTHING else ""
        auditor.books.drawn = body["tile"] if named else drawn
    auditor.record(seq, body)


def agree(auditor: Auditor, event: Event, game: Game) -> None:
    """Flowers lie aside when a seat may act; the wall is as long as the draws have left it."""
    laws.agree(auditor, event, game)
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


def audited(room: str, seed: int) -> int:
    """How many hands of a game were won, after the auditor has seen it."""
    return audit(game_of(room, seed), tell=tell, agree=agree)


@pytest.mark.parametrize("room", ROOMS)
def test_tiles_are_conserved_and_a_log_settles_like_its_result(room: str):
    assert sum(audited(room, seed) for seed in range(3)) >= 6


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("room", ROOMS)
def test_it_is_so_in_two_thousand_won_hands(room: str, seed: int):
    assert sum(audited(room, 100 + 12 * seed + more) for more in range(12)) > 30


def test_who_lost_the_deal_and_sits_down_again_after_leaving_makes_room_once_more():
    events = [event for _, event in game_of("five_players", 141)]
    moved = [event for event in events if isinstance(event, PlayerLeft | PlayerSeated)]
    again = [
        seated.player
        for seated, left in pairwise(moved)
        if isinstance(seated, PlayerSeated)
        and isinstance(left, PlayerLeft)
        and (seated.seat, seated.player) == (left.seat, left.player)
    ]
    assert again
    assert isinstance(events[-1], GameEnded)


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


def choices(game: Game) -> Iterator[Body]:
    """The common choices, and setting flowers aside."""
    yield from common_choices(game)
    for seat, tile in product(SEATS, ("5z", "7z", "1m")):
        yield {"type": "flower", "seat": seat, "tile": tile}


def deals_last(game: Game) -> bool:
    """Whether the last tiles are being dealt."""
    return bool(game.table and game.table.extra.dealing_last)


@pytest.mark.parametrize("room", ROOMS)
def test_an_action_is_offered_exactly_when_its_event_is_accepted(room: str):
    assert_offers_in(game_of(room, 3), 3, choices, (deals_last,))


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("room", ROOMS)
def test_it_is_so_at_hundreds_of_moments(room: str, seed: int):
    assert_offers_in(game_of(room, 100 + seed), 40, choices, (deals_last,))
