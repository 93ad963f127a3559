"""Laws that hold in every game of Qingdao mahjong, tried on simulated hands."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from random import Random
from typing import Any

import msgspec
import pytest

from api.simulation.games import Habits, simulate
from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import Event, HandEnded
from rules_engine.fold import Game, Numbered, apply, closing
from rules_engine.moves import moves
from rules_engine.ruleset import Options, make_options
from rules_engine.snapshot import dump, load
from rules_engine.table import SEATS
from rules_engine.tiles import FLOWERS_MASK, NAMES, kinds_in, parse, write
from rules_engine.variants.qingdao.melds import NIU_GROUPS
from tests.rules_engine.variants.qingdao.logs import RULESET
from tests.simulation.auditor import Auditor, tiles_of
from tests.simulation.laws import compare, settle, steps

ROOMS: dict[str, dict[str, Any]] = {
    **RULESET.presets,
    "barred": {"guo_peng": True, "guo_hu": True, "lou": "both", "niu_kou_ting": "not_while",
               "niu_exchange_from": "hand", "multi_win": False},
    "any_hun": {"hun": True, "niu_hun": "any", "lou": "both", "chi_max": 1, "guo_hu": True,
                "combine": "multiply", "huang_cumulative": True},
    "normal_end": {"mode": "quan_dai_jiang", "flowers": 4, "hai_di_zone": "normal",
                   "min_points": 6, "gang_scope": "all", "huang_gang": "pay"},
    "self_drawn": {"zimo_only": True, "lou": "both", "flower_set": "all", "first_dealer": "random"},
}  # fmt: skip
HABITS = Habits(written_pass=0.4, slip=0.01, abandoned=0.0005)
HANDS = 8


def options_of(room: str) -> Options:
    """The options of a room."""
    made = make_options(RULESET.options, ROOMS[room])
    assert not isinstance(made, Violation), made
    return made


def game_of(room: str, seed: int) -> list[Numbered]:
    """One simulated game."""
    rng = Random(f"{room} {seed}")
    options = options_of(room)
    return list(simulate(RULESET, options=options, hands=HANDS, rng=rng, habits=HABITS))


def as_discard(body: dict[str, Any]) -> dict[str, Any]:
    """An event in the words the auditor knows: an exchange is a discard to it."""
    return {**body, "type": "discard"} if body["type"] == "niu_exchange" else body


def audit(room: str, seed: int) -> int:
    """Play a game past the auditor; gives the number of hands won."""
    log = game_of(room, seed)
    auditor = Auditor(tiles_of(write(apply(None, log[0][1], 1).play.tiles)))
    whole = auditor.game_tiles
    won = 0
    for seq, event, before, game in steps(log):
        body = as_discard(msgspec.to_builtins(event))
        if body["type"] == "hand_started":
            # The indicator lies open in the wall and is never drawn.
            auditor.game_tiles = whole - Counter([body.get("indicator", "")])
        if body["type"] == "hu" and body["by"] == "zimo" and auditor.books is not None:
            assert before.table is not None
            # A tile just laid in a niu, or another seat's replacement, is not the one won on.
            auditor.books.drawn = NAMES[before.play.own_tile(before.table)]
        auditor.record(seq, body)
        if game.table is None:
            assert load(dump(game)) == game
        if game.table is not None:
            compare(auditor, game.table, SEATS)
        elif isinstance(event, HandEnded) and event.reason != "abandoned":
            won += settle(auditor, before, game)
    return won


@pytest.mark.parametrize("room", ROOMS)
def test_tiles_are_conserved_and_a_log_settles_like_its_result(room: str):
    won = sum(audit(room, seed) for seed in range(2))
    assert won >= (1 if ROOMS[room].get("min_points") else 8)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("room", ROOMS)
def test_it_is_so_in_two_thousand_won_hands(room: str, seed: int):
    assert sum(audit(room, 100 + 8 * seed + more) for more in range(8)) > 0


# --- offered exactly when accepted ----------------------------------------------------------------


def choices(game: Game) -> Iterator[dict[str, Any]]:
    """Everything a seat might think of doing, sensible or not."""
    names = [NAMES[kind] for kind in kinds_in(game.play.tiles)]
    table = game.table
    assert table is not None
    for seat in SEATS:
        at = {"seat": seat}
        yield from ({"type": "pass", **at, "on": on} for on in ("draw", "discard", "gang"))
        yield from ({"type": "ting", **at, "kind": kind} for kind in ("kou_ting", "ming_lou"))
        for name, drawn in product(names, (True, False)):
            yield {"type": "discard", **at, "tile": name, "drawn": drawn}
            yield {"type": "niu_exchange", **at, "tile": name, "drawn": drawn}
        for name in names:
            yield {"type": "hu", **at, "by": "zimo", "tile": name}
            for kind in ("an_gang", "bu_gang"):
                yield {"type": "gang", **at, "kind": kind, "tile": name}
        flowers = [NAMES[kind][0] for kind in kinds_in(game.play.tiles & FLOWERS_MASK)]
        for number in range(1, len(flowers) + 1):
            for chosen in combinations(flowers, number):
                yield {"type": "flower", **at, "tiles": "".join(chosen) + "f"}
        yield from groups(game, seat)
        yield from claims(game, seat)


def groups(game: Game, seat: int) -> Iterator[dict[str, Any]]:
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


def claims(game: Game, seat: int) -> Iterator[dict[str, Any]]:
    """What a seat might do with the tile on offer, or with one that is not."""
    table = game.table
    assert table is not None
    kinds = [table.offer.kind] if table.offer is not None else [0, 31]
    for kind, source in product(kinds, SEATS):
        name = NAMES[kind]
        at = {"seat": seat, "tile": name, "from": source}
        yield {"type": "gang", "kind": "ming_gang", **at}
        yield {"type": "peng", "tiles": name[0] * 3 + name[1], **at}
        for by in ("dianpao", "qiang_gang"):
            yield {"type": "hu", "by": by, **at}
        for low in range(max(int(name[0]) - 2, 1), min(int(name[0]), 7) + 1):
            if name[1] in "mps":
                yield {"type": "chi", "tiles": f"{low}{low + 1}{low + 2}{name[1]}", **at}


def accepted(game: Game, event: Event) -> Violation | None:
    """None where the event may happen now, else why not."""
    try:
        apply(game, event, game.seq + 1)
    except IllegalEvent as error:
        return error.violation
    return None


def plain(event: Event) -> str:
    """An event as text; of two like tiles it does not matter which one is discarded."""
    body = msgspec.to_builtins(event)
    if event.type in {"discard", "niu_exchange"}:
        body["drawn"] = False
    return repr(sorted((key, value) for key, value in body.items() if value is not None))


def assert_offers(game: Game) -> None:
    """What is offered is what is accepted, and a refusal names its rule."""
    offered = {plain(action) for action in moves(game).actions}
    for action in moves(game).actions:
        assert accepted(game, action) is None, action
    taken = set()
    for body in choices(game):
        event = RULESET.catalogue.decode(body)
        violation = accepted(game, event)
        if violation is None:
            taken.add(plain(event))
        else:
            assert violation.code, event
            assert violation.message, event
            assert violation.rule in RULESET.rules, (violation, event)
    assert taken == offered, (taken ^ offered, game.table)
    due = moves(game).due
    assert game.table is not None
    tile = NAMES[next(kinds_in(game.table.unseen), 0)]
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
    own = [game for game in rich if {a.type for a in moves(game).actions} & OWN]
    for some in (own, rich, live):
        for game in rng.sample(some, min(len(some), states)):
            assert_offers(game)


OWN = {"niu", "niu_exchange", "flower", "ting"}


@pytest.mark.parametrize("room", ROOMS)
def test_an_action_is_offered_exactly_when_its_event_is_accepted(room: str):
    assert_offers_in(room, 3, 2)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("room", ROOMS)
def test_it_is_so_at_hundreds_of_moments(room: str, seed: int):
    assert_offers_in(room, 100 + seed, 40)
