"""The queue of ended games: what has to be told to others is written with the event itself."""

import pytest

from records.append import append_events
from records.errors import StaleSequence
from records.models import EndedGame
from rules_engine.events import GameEnded, Rewind
from tests.support.databases import Database
from tests.support.recorded import RecordedGame


def queued() -> list[tuple[str, int]]:
    rows = EndedGame.objects.order_by("recorded_at", "seq")
    return [(str(row.game_id), row.seq) for row in rows]


def test_a_game_that_ends_is_queued_whether_alone_or_behind_other_events(
    database: Database,
) -> None:
    alone, together = RecordedGame(), RecordedGame()
    alone.play(0)
    assert queued() == []
    alone.append(GameEnded())
    together.append(together.result(0), GameEnded())
    assert queued() == [(str(alone.id), 3), (str(together.id), 3)]


def test_an_end_that_is_taken_back_and_comes_again_is_queued_twice(database: Database) -> None:
    game = RecordedGame()
    game.append(GameEnded())
    game.append(Rewind(to=1, reason="too early"))
    game.append(GameEnded(reason="dissolved"))
    assert [seq for _, seq in queued()] == [2, 4]


def test_an_append_that_is_refused_or_repeated_queues_nothing(database: Database) -> None:
    game = RecordedGame()
    with pytest.raises(StaleSequence):
        append_events(game_id=game.id, expected_seq=7, events=[GameEnded()], command_id="late")
    assert queued() == []
    for _ in range(2):
        append_events(game_id=game.id, expected_seq=1, events=[GameEnded()], command_id="end")
    assert [seq for _, seq in queued()] == [2]
