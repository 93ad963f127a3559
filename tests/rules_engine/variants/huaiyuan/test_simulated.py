"""Laws that hold in every game of Huaiyuan mahjong, tried on simulated hands."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from api.simulation.games import Habits, simulate
from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import Event, HandEnded, split
from rules_engine.fold import Game, Numbered, apply, closing
from rules_engine.moves import moves
from rules_engine.ruleset import Options, make_options
from rules_engine.snapshot import dump, load
from rules_engine.table import SEATS
from rules_engine.tiles import NAMES, count, kinds_in, write
from rules_engine.variants.huaiyuan.melds import SPECIAL
from tests.rules_engine.variants.huaiyuan.logs import RULESET
from tests.simulation.auditor import Auditor, tiles_of
from tests.simulation.laws import compare, settle, steps

ROOMS: dict[str, dict[str, Any]] = {
    **RULESET.presets,
    "window": {"special_gang_window": "deal", "special_gang_first_draw": True, "multi_win": "all"},
    "loose": {"special_gang_first_draw": True, "opening_add_robbable": True, "chi_from": "any",
              "dealer_first_turn_add": True, "gang_after_ting": "same_waits", "bao_change_at": 1,
              "require_kezi": False},
    "long": {"reserve_stacks": 0, "reserve_growth": False, "bao_dice": 1, "bao_change_at": 1,
             "bao_change_counts": "visible", "require_three_suits": False,
             "require_yaojiu": "off", "abort_settles_gang": True},
    "strict": {"block_claim_to_last_tile": True, "ting_required": True, "jia_hu_rule": "sole",
               "gang_on_last_tile": False, "qiang_gang_enabled": False, "bao_enabled": False,
               "gang_after_ting": "none"},
}  # fmt: skip
HABITS = Habits(written_pass=0.4, slip=0.01, left=0.0003, abandoned=0.0005)
HANDS = 8


def options_of(room: str) -> Options:
    """The options of a room."""
    made = make_options(RULESET.options, ROOMS[room])
    assert not isinstance(made, Violation), made
    return made


def game_of(room: str, seed: int) -> list[Numbered]:
    """One simulated game."""
    rng = Random(f"{room} {seed}")
    return list(simulate(RULESET, options=options_of(room), hands=HANDS, rng=rng, habits=HABITS))


def told(auditor: Auditor, seq: int, event: Event, before: Game) -> None:
    """Tell the auditor of an event in the words it knows."""
    body = msgspec.to_builtins(event)
    books = auditor.books
    robs = body["type"] == "peng" and body.get("robs") is not None
    if robs and books is not None:
        # The tile goes from the robbed seat's hand to the robber's meld.
        books.ponds[body["from"]].append(body["tile"])
        books.owned[body["from"]][body["tile"]] -= 1
    if body["type"] == "hu" and body["by"] == "zimo" and books is not None:
        assert before.table is not None
        if body.get("dui_bao"):
            books.draw(body)
        # A tile just laid in a special gang is not the one won on.
        books.drawn = body["tile"]
        assert body.get("dui_bao") or body["tile"] == NAMES[before.play.own_tile(before.table)]
    auditor.record(seq, body)


def audit(room: str, seed: int) -> int:
    """Play a game past the auditor; gives the number of hands won."""
    log = game_of(room, seed)
    auditor = Auditor(tiles_of(write(apply(None, log[0][1], 1).play.tiles)))
    won = 0
    for seq, event, before, game in steps(log):
        told(auditor, seq, event, before)
        if game.table is None:
            assert load(dump(game)) == game
        else:
            wall = f"{int(game.table.extra.wall, 16).bit_count()}"
            assert wall == str(game.table.remaining)
        if game.table is not None and not getattr(event, "dui_bao", False):
            compare(auditor, game.table, SEATS)
        elif isinstance(event, HandEnded) and event.reason != "abandoned":
            won += settle(auditor, before, game)
    return won


@pytest.mark.parametrize("room", ROOMS)
def test_tiles_are_conserved_and_a_log_settles_like_its_result(room: str):
    assert sum(audit(room, seed) for seed in range(3)) >= 5


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("room", ROOMS)
def test_it_is_so_in_two_thousand_won_hands(room: str, seed: int):
    assert sum(audit(room, 100 + 16 * seed + more) for more in range(16)) > 0


# --- offered exactly when accepted ----------------------------------------------------------------


def choices(game: Game) -> Iterator[dict[str, Any]]:
    """Everything a seat might think of doing, sensible or not."""
    names = [NAMES[kind] for kind in kinds_in(game.play.tiles)]
    table = game.table
    assert table is not None
    for seat in SEATS:
        at = {"seat": seat}
        for on in ("draw", "discard", "gang", "bao", "window"):
            yield {"type": "pass", **at, "on": on}
        yield {"type": "ting", **at}
        for name, drawn in product(names, (True, False)):
            yield {"type": "discard", **at, "tile": name, "drawn": drawn}
        for name, kind in product(names, ("an_gang", "bu_gang", *SPECIAL)):
            yield {"type": "gang", **at, "kind": kind, "tile": name}
        for kind, base in SPECIAL.items():
            yield {"type": "gang", **at, "kind": kind, "tiles": write(base)}
        for name, dui_bao in product(names, (True, False)):
            yield {"type": "hu", **at, "by": "zimo", "tile": name, "dui_bao": dui_bao}
        yield from claims(game, seat)


def claims(game: Game, seat: int) -> Iterator[dict[str, Any]]:
    """What a seat might do with the tile on offer, or with one that is not."""
    table = game.table
    assert table is not None
    kinds = [table.offer.kind] if table.offer is not None else [0, 31]
    for kind, source in product(kinds, SEATS):
        name = NAMES[kind]
        at = {"seat": seat, "tile": name, "from": source}
        yield {"type": "gang", "kind": "ming_gang", **at}
        for robs in {None, table.offer and table.offer.seq}:
            yield {"type": "peng", "tiles": name[0] * 3 + name[1], **at, "robs": robs}
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
    if event.type == "discard":
        seat, tile = body["seat"], body["tile"]
        return f"discard {seat} {tile}"
    return repr(sorted((key, value) for key, value in body.items() if value is not None))


def assert_offers(game: Game) -> None:
    """What is offered is what is accepted, and a refusal names its rule."""
    found = moves(game)
    offered = {plain(action) for action in found.actions}
    for action in found.actions:
        assert accepted(game, action) is None, action
    taken = set()
    for body in choices(game):
        event = RULESET.catalogue.decode(body)
        violation = accepted(game, event)
        if violation is None:
            taken.add(plain(event))
        else:
            assert violation.message, event
            assert violation.rule in RULESET.rules, (violation, event)
    assert taken == offered, (taken ^ offered, game.table)
    assert game.table is not None
    # Two of a kind at least: the last one in the wall may be the bao, which nobody draws.
    unseen = game.table.unseen
    several = next(kind for kind in kinds_in(unseen) if count(unseen, kind) > 1)
    tile = NAMES[several]
    for seat, source in product(SEATS, ("head", "tail")):
        body = {"type": "draw", "seat": seat, "tile": tile, "source": source}
        due = found.due
        is_due = due is not None and (due.type, due.seat, due.source) == ("draw", seat, source)
        violation = accepted(game, RULESET.catalogue.decode(body))
        assert (violation is None) == is_due, (body, due)
    over = closing(game)
    assert over is None or not found.actions


OWN = {"ting", "bao_roll"}


def assert_offers_in(room: str, seed: int, states: int) -> None:
    """Try everything at so many moments of a game, those with something on offer first."""
    rng = Random(seed)
    live = [game for _, _, _, game in steps(game_of(room, seed)) if game.table is not None]
    rich = [game for game in live if {a.type for a in moves(game).actions} - {"discard", "pass"}]
    bao = [game for game in live if game.play.due_event(game.table) or game.table.extra.asked]
    robs = [game for game in live if game.table.offer is not None and game.table.offer.gang]
    for some in (bao, robs, rich, live):
        for game in rng.sample(some, min(len(some), states)):
            assert_offers(game)


@pytest.mark.parametrize("room", ROOMS)
def test_an_action_is_offered_exactly_when_its_event_is_accepted(room: str):
    assert_offers_in(room, 3, 2)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("room", ROOMS)
def test_it_is_so_at_hundreds_of_moments(room: str, seed: int):
    assert_offers_in(room, 100 + seed, 40)


# --- what is secret -------------------------------------------------------------------------------


def test_every_event_is_the_same_after_its_secrets_were_taken_out_and_put_back():
    seen = set()
    for room, seed in product(("standard", "loose"), range(2)):
        for _, event in game_of(room, seed):
            public, secrets = split(event)
            values = {name: item.value for name, item in secrets.items()}
            again = RULESET.catalogue.join(event.type, 1, public, values)
            assert again == RULESET.catalogue.decode(msgspec.to_builtins(event))
            if event.type.startswith("bao"):
                seen.add(event.type)
                assert "tile" not in public
                assert "slot" not in public
    assert {"bao_roll", "bao_look"} <= seen
