"""Who may see what of a game, decided over values: no database, no requests."""

from random import Random
from typing import Any

import msgspec
import pytest

from api.simulation.bots import RANDOM
from api.simulation.games import CALM, Table
from replays.visibility import (
    EVERYTHING,
    PUBLIC,
    Viewer,
    open_items,
    show_event,
    show_moves,
    show_state,
    sight,
    viewer_of,
)
from rules_engine import registry
from rules_engine.events import Draw, Event, GameStarted, HandStarted, split
from rules_engine.fold import Game, Numbered, apply
from rules_engine.moves import moves
from rules_engine.ruleset import Ruleset, dump_options
from rules_engine.view import view
from tests.support.twins import LiveGame, live_game, twin_of

# Written out again on purpose: what is to be open is decided twice.
OPEN_TABLE_FIELDS = {
    *("hand", "dealer", "streak", "phase", "turn", "source", "remaining", "wild", "indicator"),
    *("dice", "offer", "wins"),
}
OPEN_SEAT_FIELDS = {"melds", "pond", "flowers", "ting", "open"}
SEATED = [Viewer(seats=frozenset({seat})) for seat in range(4)]
RULESETS = registry.latest()


def started(ruleset: Ruleset) -> GameStarted:
    return GameStarted(
        ruleset=ruleset.slug,
        ruleset_version=ruleset.version,
        options=dump_options(ruleset.options()),
        players=("p0", "p1", "p2", "p3"),
    )


def played(ruleset: Ruleset, seed: int) -> list[Numbered]:
    """A whole game of one hand."""
    table = Table(started(ruleset), styles=(RANDOM,) * 4, habits=CALM, rng=Random(seed))
    return list(table.events(1))


def states(events: list[Numbered]) -> list[tuple[Game, Event]]:
    """The game after each event, with the event."""
    game: Game | None = None
    found = []
    for seq, event in events:
        game = apply(game, event, seq)
        found.append((game, event))
    return found


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_the_recorder_sees_every_event_as_it_was_recorded(ruleset: Ruleset) -> None:
    for _, event in played(ruleset, seed=1):
        body, hidden = show_event(event, EVERYTHING)
        assert msgspec.convert(body, type(event)) == event
        assert hidden == []


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_the_public_sees_no_secret_item_of_a_live_hand(ruleset: Ruleset) -> None:
    for _, event in played(ruleset, seed=1):
        body, hidden = show_event(event, PUBLIC)
        public, secrets = split(event)
        assert hidden == sorted(secrets)
        assert {name: body[name] for name in public} == public
        for name in body.keys() - public.keys() - {"type"}:
            assert body[name] in (None, [None] * 4)


def test_a_seat_sees_its_own_tiles_and_no_others() -> None:
    deal = HandStarted(hand=1, dealer=2, dealt=("1m", "2m", "3m", "4m"), last="5m")
    assert show_event(deal, SEATED[1])[0]["dealt"] == [None, "2m", None, None]
    assert show_event(deal, SEATED[1])[0]["last"] is None
    assert show_event(deal, SEATED[2])[0]["dealt"] == [None, None, "3m", None]
    assert show_event(deal, SEATED[2])[0]["last"] == "5m"
    draw = Draw(seat=3, tile="9s")
    assert show_event(draw, SEATED[3]) == (msgspec.to_builtins(draw), [])
    assert show_event(draw, SEATED[0]) == ({"type": "draw", "seat": 3, "tile": None}, ["tile"])
    assert open_items(deal, SEATED[0]) == {"dealt.0"}


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_a_live_state_shows_each_viewer_only_open_fields_and_own_tiles(ruleset: Ruleset) -> None:
    for game, _ in states(played(ruleset, seed=2)):
        whole = view(game)
        if whole["table"] is None:
            continue
        for viewer in (PUBLIC, *SEATED):
            shown = show_state(whole, viewer)["table"]
            assert shown.keys() == whole["table"].keys()
            allowed = OPEN_TABLE_FIELDS | {"seats"}
            if game.table is not None and game.table.turn in viewer.seats:
                allowed |= {"drawn"}
            assert {name for name, value in shown.items() if value is not None} <= allowed
            for number, seat in enumerate(shown["seats"]):
                held = whole["table"]["seats"][number]["concealed"]
                assert seat["concealed_count"] == sum(letter.isdigit() for letter in held)
                if number not in viewer.seats:
                    given = {name for name, value in seat.items() if value is not None}
                    assert given <= OPEN_SEAT_FIELDS | {"concealed_count"}
                else:
                    assert seat["concealed"] == held


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_a_viewer_is_offered_the_actions_of_own_seats_alone(ruleset: Ruleset) -> None:
    for game, _ in states(played(ruleset, seed=3)):
        possible = moves(game)
        assert show_moves(game, EVERYTHING) == (possible.due, possible.actions)
        for viewer in (PUBLIC, *SEATED) if game.table is not None else ():
            due, actions = show_moves(game, viewer)
            assert due is None
            assert {action.seat for action in actions} <= viewer.seats  # type: ignore[attr-defined]
            # What others hold may forbid some of them, and is not to be learnt from their absence.
            for action in possible.actions:
                if action.seat in viewer.seats:  # type: ignore[attr-defined]
                    assert action in actions


def with_other_tiles(deal: HandStarted, hidden: tuple[int, int]) -> HandStarted:
    """The deal with two seats' tiles exchanged, where neither is the dealer."""
    dealt = list(deal.dealt)
    one, other = hidden
    dealt[one], dealt[other] = dealt[other], dealt[one]
    return msgspec.structs.replace(deal, dealt=tuple(dealt))


def test_two_deals_that_differ_in_what_is_hidden_look_the_same() -> None:
    ruleset = registry.get("hefei")
    for seed in range(20):
        _, (_, deal), *_ = played(ruleset, seed)
        assert isinstance(deal, HandStarted)
        one, other, watching = [seat for seat in range(4) if seat != deal.dealer]
        twin = with_other_tiles(deal, (one, other))
        for viewer in (PUBLIC, SEATED[deal.dealer], SEATED[watching]):
            assert seen(ruleset, deal, viewer) == seen(ruleset, twin, viewer)
        assert seen(ruleset, deal, EVERYTHING) != seen(ruleset, twin, EVERYTHING)
        assert seen(ruleset, deal, SEATED[one]) != seen(ruleset, twin, SEATED[one])


def seen(ruleset: Ruleset, deal: HandStarted, viewer: Viewer) -> Any:
    """All that a viewer can ask about a hand that was just dealt."""
    game = apply(apply(None, started(ruleset), 1), deal, 2)
    return show_event(deal, viewer), show_state(view(game), viewer), show_moves(game, viewer)


def everything_shown(live: LiveGame, viewer: Viewer) -> list[Any]:
    """All that a viewer is ever shown of the live hand, moment by moment."""
    return [
        (show_event(event, viewer), show_state(view(game), viewer), show_moves(game, viewer))
        for game, (_, event) in zip(live.moments(), live.hand, strict=True)
    ]


def assert_twins_look_the_same(ruleset: Ruleset, seeds: range) -> None:
    """Whoever is no recorder sees no difference between games that differ in what is hidden."""
    met = 0
    for seed in seeds:
        live = live_game(ruleset, seed=seed)
        for viewer in (PUBLIC, *SEATED):
            twin = twin_of(live, viewer, Random(seed))
            if twin is not None:
                met += 1
                assert everything_shown(live, viewer) == everything_shown(twin, viewer), seed
                assert everything_shown(live, EVERYTHING) != everything_shown(twin, EVERYTHING)
    assert met > len(seeds)


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_twins_look_the_same_at_every_moment(ruleset: Ruleset) -> None:
    assert_twins_look_the_same(ruleset, range(3))


@pytest.mark.thorough
@pytest.mark.parametrize("shard", range(5))
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_hundreds_of_twins_look_the_same(ruleset: Ruleset, shard: int) -> None:
    assert_twins_look_the_same(ruleset, range(100 + 20 * shard, 120 + 20 * shard))


def test_when_the_hand_has_ended_everybody_sees_it() -> None:
    assert sight(PUBLIC, seq=9, floor=9) == EVERYTHING
    assert sight(PUBLIC, seq=10, floor=9) == PUBLIC
    assert sight(SEATED[0], seq=10, floor=9) == SEATED[0]


def test_a_viewer_has_the_seats_of_the_players_who_play_the_hand() -> None:
    ruleset = registry.get("hefei")
    (_, first), (_, deal), *_ = played(ruleset, 1)
    game = apply(apply(None, first, 1), deal, 2)
    assert viewer_of(game, recorder=False, own_players={"p2"}) == SEATED[2]
    assert viewer_of(game, recorder=False, own_players={"p9"}) == PUBLIC
    assert viewer_of(game, recorder=False, own_players=set()) == PUBLIC
