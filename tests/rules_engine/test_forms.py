"""Whatever happens at a table can be written down: as an action that is offered, or by a form."""

from collections.abc import Iterator
from random import Random

import pytest

from api.simulation.games import Habits, simulate
from rules_engine import registry
from rules_engine.event_forms import EventForm
from rules_engine.events import Event, GameEnded, PlayerLeft, Rewind, WallRevealed
from rules_engine.fold import Game, Numbered, apply, replay
from rules_engine.forms import forms
from rules_engine.moves import moves
from rules_engine.ruleset import Options, Ruleset, make_options
from tests.rules_engine.log import PLAYERS, Log
from tests.simulation.rooms import ROOMS
from tests.support.written import answers, body_of, composed

HABITS = Habits(slip=0.01, left=0.002, abandoned=0.001)
ELSEWHERE = (Rewind, WallRevealed, GameEnded)
"""What is no part of a hand, and has a place of its own on the page."""


def told(events: list[Numbered]) -> Iterator[tuple[Game, Event]]:
    """Each event of a log beside the game before it, slips left away."""
    game: Game | None = None
    for place, (seq, event) in enumerate(events):
        if game is not None and not isinstance(event, Rewind):
            yield game, event
        game = replay(events[: place + 1]) if isinstance(event, Rewind) else apply(game, event, seq)


def rooms(ruleset: Ruleset) -> Iterator[Options]:
    """The presets of a ruleset, and other options that tests play under."""
    for given in ({}, *ruleset.presets.values(), *ROOMS.get(ruleset.slug, {}).values()):
        options = make_options(ruleset.options, given)
        assert isinstance(options, Options), options
        yield options


def test_nothing_is_written_down_after_the_game() -> None:
    assert forms(Log().add(GameEnded()).game) == ()


def test_nobody_leaves_a_table_at_which_nobody_sits() -> None:
    log = Log()
    assert "player_left" in {form.type for form in forms(log.game)}
    log.add(*[PlayerLeft(seat=seat, player=player) for seat, player in enumerate(PLAYERS)])
    assert "player_left" not in {form.type for form in forms(log.game)}


@pytest.mark.parametrize("slug", [ruleset.slug for ruleset in registry.latest()])
def test_every_event_of_a_game_is_an_action_or_comes_of_a_form(slug: str) -> None:
    ruleset = registry.get(slug)
    for number, options in enumerate(rooms(ruleset)):
        rng = Random(f"forms {slug} {number}")
        events = list(simulate(ruleset, options=options, hands=2, rng=rng, habits=HABITS))
        for game, event in told(events):
            if isinstance(event, ELSEWHERE) or event in moves(game).actions:
                continue
            found = [form for form in forms(game) if form.type == event.type]
            assert any(answers(form, event) is not None for form in found), (event, found)


def test_a_form_without_a_question_is_an_event_that_is_accepted() -> None:
    tried: set[str] = set()
    for ruleset in registry.latest():
        rng = Random(f"asked nothing {ruleset.slug}")
        options = make_options(ruleset.options, {})
        assert isinstance(options, Options)
        events = list(simulate(ruleset, options=options, hands=3, rng=rng))
        for game, _ in told(events):
            for form in forms(game):
                if not form.fields:
                    apply(game, written(form, game), game.seq + 1)
                    tried.add(form.type)
    assert {"hand_ended", "dismissed", "bao_look"} <= tried


def written(form: EventForm, game: Game) -> Event:
    """The event that a form without a field stands for."""
    return game.ruleset.catalogue.decode(composed(form, []))


def test_a_choice_that_is_offered_is_accepted() -> None:
    tried: set[str] = set()
    for ruleset in registry.latest():
        rng = Random(f"chosen {ruleset.slug}")
        options = make_options(ruleset.options, {})
        assert isinstance(options, Options)
        for game, _ in told(list(simulate(ruleset, options=options, hands=1, rng=rng))):
            for form in forms(game):
                if [field.kind for field in form.fields] != ["choice"]:
                    continue
                for choice in form.fields[0].choices:
                    body = {"type": form.type, **form.values, **choice.values}
                    event = game.ruleset.catalogue.decode(body)
                    assert body_of(event)["seat"] in range(4)
                    apply(game, event, game.seq + 1)
                    tried.add(form.type)
    assert {"player_left", "ready", "seat_auto"} <= tried
