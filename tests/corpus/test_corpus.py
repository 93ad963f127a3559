"""A recorded game is settled, under the version it names, as it was when it was recorded."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from rules_engine import registry
from rules_engine.errors import IllegalEvent
from rules_engine.events import HandResult, Hu, Rewind
from rules_engine.facts import WinFacts
from rules_engine.score import HandScore
from tests.corpus.games import FOLDER, Recorded, numbered, read, settle

LEAST = 30
SLUGS = [ruleset.slug for ruleset in registry.latest()]

pytestmark = pytest.mark.parametrize("slug", SLUGS)


@pytest.fixture
def games(slug: str) -> list[Recorded]:
    return read(slug)


def test_every_game_has_the_settlements_it_had(games: list[Recorded]) -> None:
    """Where this fails a published version has changed: put a new version beside it instead.

    For a version that nobody plays yet: ``python -m tests.corpus.make SLUG --anew``.
    """
    for game in games:
        for now, then in zip(settle(numbered(game)), game.settled, strict=True):
            assert now == then, (game.name, now.hand)


def test_there_are_thirty_games_of_both_fidelities_in_every_preset(
    slug: str, games: list[Recorded]
) -> None:
    assert len(games) >= LEAST
    assert len({game.name for game in games}) == len(games)
    assert {game.fidelity for game in games} == {"full", "result"}
    assert {game.preset for game in games} == set(registry.get(slug).presets)


def test_the_games_hold_wins_of_every_kind_gangs_draws_and_slips(games: list[Recorded]) -> None:
    ways = {(win.by, win.from_ is None) for win in wins_of(games)}
    assert ways >= {("zimo", True), ("dianpao", False)}
    assert any(not hand.wins and not hand.abandoned for game in games for hand in game.settled)
    events = [event for game in games for _, event in numbered(game)]
    assert any(isinstance(event, Rewind) for event in events)
    assert any(isinstance(event, HandResult) for event in events)
    assert {"gang", "discard", "draw"} <= {event.type for event in events}


def wins_of(games: list[Recorded]) -> Iterator[Hu | WinFacts]:
    """How hands were won, in both fidelities."""
    for game in games:
        for _, event in numbered(game):
            if isinstance(event, Hu):
                yield event
            elif isinstance(event, HandResult):
                yield from event.wins


def test_every_settlement_of_the_corpus_sums_to_zero(games: list[Recorded]) -> None:
    for game in games:
        for hand in game.settled:
            assert sum(HandScore(hand.wins, hand.transfers).total_points) == 0


def test_a_settlement_that_changed_is_noticed(games: list[Recorded]) -> None:
    game = next(game for game in games if game.settled[0].transfers)
    settled = next(settle(numbered(game)))
    (first, *rest) = settled.transfers
    assert settled == game.settled[0]
    changed = replace(settled, transfers=(replace(first, points=first.points + 1), *rest))
    assert changed != game.settled[0]


def test_a_log_with_an_event_taken_out_is_refused(games: list[Recorded]) -> None:
    for game in games[:6]:
        events = numbered(game)
        with pytest.raises(IllegalEvent):
            list(settle(events[:1] + events[2:]))


def test_no_file_of_the_corpus_is_of_a_ruleset_that_is_gone(slug: str) -> None:
    assert slug in {path.stem for path in FOLDER.glob("*.ndjson")} <= set(SLUGS)
