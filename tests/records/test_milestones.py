"""Milestones: queued with the event that makes them, placed in one order when they are ready."""

from functools import partial

import pytest

from records.append import append_events
from records.errors import StaleSequence
from records.journal import seal_pending
from records.milestones import place_milestones
from records.models import Milestone, QueuedMilestone
from records.settlement import settle_sealed
from rules_engine.events import GameEnded, Rewind
from tests.support.at_once import at_once
from tests.support.databases import Database
from tests.support.recorded import RecordedGame


def queued(game: RecordedGame) -> list[int]:
    """The seqs of a game that have no place yet."""
    rows = QueuedMilestone.objects.filter(game_id=game.id).order_by("seq")
    return list(rows.values_list("seq", flat=True))


def placed() -> list[tuple[int, str, int]]:
    """Every place: position, game, seq."""
    rows = Milestone.objects.order_by("position")
    return [(row.position, str(row.game_id), row.seq) for row in rows]


def test_a_game_that_begins_or_ends_is_queued_with_it(database: Database) -> None:
    alone, together = RecordedGame(), RecordedGame()
    alone.play(0)
    assert queued(alone) == [1]
    alone.append(GameEnded())
    together.append(together.result(0), GameEnded())
    assert queued(alone) == queued(together) == [1, 3]


def test_an_end_that_is_taken_back_and_comes_again_is_queued_twice(database: Database) -> None:
    game = RecordedGame()
    game.append(GameEnded())
    game.append(Rewind(to=1, reason="too early"))
    game.append(GameEnded(reason="dissolved"))
    assert queued(game) == [1, 2, 4]


def test_an_append_that_is_refused_or_repeated_queues_nothing(database: Database) -> None:
    game = RecordedGame()
    with pytest.raises(StaleSequence):
        append_events(game_id=game.id, expected_seq=7, events=[GameEnded()], command_id="late")
    assert queued(game) == [1]
    for _ in range(2):
        append_events(game_id=game.id, expected_seq=1, events=[GameEnded()], command_id="end")
    assert queued(game) == [1, 2]


def test_an_end_gets_its_place_once_the_hands_are_settled(database: Database) -> None:
    game, other = RecordedGame(), RecordedGame()
    game.append(game.result(0), GameEnded())
    other.append(GameEnded())
    place_milestones()
    assert {(id_, seq) for _, id_, seq in placed()} == {
        (str(game.id), 1),
        (str(other.id), 1),
        (str(other.id), 2),
    }
    seal_pending()
    place_milestones()
    assert queued(game) == [3]
    settle_sealed()
    place_milestones()
    assert placed()[-1] == (4, str(game.id), 3)
    assert not QueuedMilestone.objects.exists()


def test_milestones_are_placed_once_and_without_gaps_by_workers_at_once(
    database: Database,
) -> None:
    games = [RecordedGame() for _ in range(12)]
    for game in games:
        game.append(GameEnded())
    at_once(*[partial(place_milestones, 5)] * 4)
    place_milestones()
    places = placed()
    assert [position for position, _, _ in places] == list(range(1, 25))
    assert len({(game, seq) for _, game, seq in places}) == 24
    for game in games:
        ours = [seq for _, id_, seq in places if id_ == str(game.id)]
        assert ours == [1, 2], "a game begins before it ends"
