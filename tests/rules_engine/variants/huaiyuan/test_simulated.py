"""Laws that hold in every game of Huaiyuan mahjong, tried on simulated hands."""

from collections.abc import Iterator
from itertools import product

import msgspec
import pytest

from api.simulation.games import Habits
from rules_engine.events import Event, split
from rules_engine.fold import Game, Numbered
from rules_engine.table import SEATS
from rules_engine.tiles import NAMES, kinds_in, write
from rules_engine.variants.huaiyuan.melds import SPECIAL
from tests.rules_engine.variants.huaiyuan.logs import RULESET
from tests.simulation import laws
from tests.simulation.auditor import Auditor
from tests.simulation.laws import audit, tell_of_own_tile
from tests.simulation.offers import Body, assert_offers_in
from tests.simulation.offers import choices as common_choices
from tests.simulation.rooms import HUAIYUAN

ROOMS = {**RULESET.presets, **HUAIYUAN}
HABITS = Habits(written_pass=0.4, slip=0.01, left=0.0003, abandoned=0.0005)


def game_of(room: str, seed: int) -> list[Numbered]:
    """One simulated game."""
    return laws.game_of(RULESET, ROOMS[room], seed, HABITS)


def tell(auditor: Auditor, seq: int, event: Event, before: Game) -> None:
    """A robbing peng and a win on the bao, in the words the auditor knows."""
    body, books = msgspec.to_builtins(event), auditor.books
    if body["type"] == "peng" and body.get("robs") is not None and books is not None:
        # The tile goes from the robbed seat's hand to the robber's meld.
        books.ponds[body["from"]].append(body["tile"])
        books.owned[body["from"]][body["tile"]] -= 1
    if body.get("dui_bao") and books is not None:
        books.draw(body)
        auditor.record(seq, body)
    else:
        if body["type"] == "hu" and body["by"] == "zimo":
            # A tile just laid in a special gang is not the one won on.
            assert before.table is not None
            assert body["tile"] == NAMES[before.play.own_tile(before.table)]
        tell_of_own_tile(auditor, seq, event, before)


def agree(auditor: Auditor, event: Event, game: Game) -> None:
    """The table is as in the books, but for the bao won on; the wall is as long as it says."""
    assert game.table is not None
    assert int(game.table.extra.wall, 16).bit_count() == game.table.remaining
    if not getattr(event, "dui_bao", False):
        laws.agree(auditor, event, game)


def audited(room: str, seed: int) -> int:
    """How many hands of a game were won, after the auditor has seen it."""
    return audit(game_of(room, seed), tell=tell, agree=agree)


@pytest.mark.parametrize("room", ROOMS)
def test_tiles_are_conserved_and_a_log_settles_like_its_result(room: str):
    assert sum(audited(room, seed) for seed in range(3)) >= 5


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("room", ROOMS)
def test_it_is_so_in_two_thousand_won_hands(room: str, seed: int):
    assert sum(audited(room, 100 + 16 * seed + more) for more in range(16)) > 0


# --- offered exactly when accepted ----------------------------------------------------------------


def choices(game: Game) -> Iterator[Body]:
    """The common choices, special gangs, the window, the bao, and a peng that robs a gang."""
    yield from common_choices(game)
    names = [NAMES[kind] for kind in kinds_in(game.play.tiles)]
    for seat in SEATS:
        at = {"seat": seat}
        yield from ({"type": "pass", **at, "on": on} for on in ("bao", "window"))
        for name, kind in product(names, SPECIAL):
            yield {"type": "gang", **at, "kind": kind, "tile": name}
        for kind, base in SPECIAL.items():
            yield {"type": "gang", **at, "kind": kind, "tiles": write(base)}
        for name in names:
            yield {"type": "hu", **at, "by": "zimo", "tile": name, "dui_bao": True}
    offer = game.table and game.table.offer
    if offer is not None:
        name = NAMES[offer.kind]
        for seat, source in product(SEATS, SEATS):
            yield {"type": "peng", "seat": seat, "tiles": name[0] * 3 + name[1], "tile": name,
                   "from": source, "robs": offer.seq}  # fmt: skip


def asks_for_bao(game: Game) -> bool:
    """Whether the bao is rolled, looked at or asked about."""
    assert game.table is not None
    return bool(game.play.due_event(game.table) or game.table.extra.asked)


def offers_gang(game: Game) -> bool:
    """Whether a gang may be robbed."""
    return bool(game.table and game.table.offer and game.table.offer.gang)


@pytest.mark.parametrize("room", ROOMS)
def test_an_action_is_offered_exactly_when_its_event_is_accepted(room: str):
    assert_offers_in(game_of(room, 3), 2, choices, (asks_for_bao, offers_gang))


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("room", ROOMS)
def test_it_is_so_at_hundreds_of_moments(room: str, seed: int):
    assert_offers_in(game_of(room, 100 + seed), 40, choices, (asks_for_bao, offers_gang))


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
