"""The doorbells: each is known by the name the schedule rings, and does what is due."""

import pytest

from api.celery import BELLS, app
from records.bell import SEAL, SETTLE, TAKE_IN
from records.models import Checkpoint, Seal, Settlement
from replays.models import Standing
from tests.support.databases import Database
from tests.support.recorded import RecordedGame


def do(task: str) -> None:
    """Run a task here, as a worker would."""
    app.loader.import_default_modules()
    app.tasks[task].apply(throw=True)


def test_every_bell_of_the_schedule_is_a_task() -> None:
    app.loader.import_default_modules()
    assert {bell.task for bell in BELLS} <= set(app.tasks)
    assert {SEAL, SETTLE, "replays.tasks.advance_projections"} <= {bell.task for bell in BELLS}
    assert TAKE_IN in app.tasks, "rung as soon as a hand is settled, and part of the last"


@pytest.mark.usefixtures("database")
def test_the_bells_in_their_order_bring_a_hand_to_the_standings() -> None:
    RecordedGame().play(1)
    do(SEAL)
    assert Seal.objects.count() == 1
    do(SETTLE)
    assert Settlement.objects.count() == 1
    do(TAKE_IN)
    assert Standing.objects.filter(wins=1).count() == 2
    do("records.tasks.publish_checkpoint")
    assert Checkpoint.objects.get().size == 1


@pytest.mark.usefixtures("database")
def test_a_bell_with_nothing_due_does_nothing() -> None:
    for bell in BELLS:
        do(bell.task)
    assert not Seal.objects.exists()
    assert not Settlement.objects.exists()
    assert not Standing.objects.exists()


def test_the_bell_of_the_partitions_makes_the_months_that_are_missing(database: Database) -> None:
    with database.connect(autocommit=True) as superuser:
        names = "SELECT relname FROM pg_class WHERE relname LIKE 'event_2%' AND relkind = 'r'"
        before = {row[0] for row in superuser.execute(names)}
        superuser.execute(f"DROP TABLE {max(before)}")
        do("records.tasks.create_partitions")
        assert {row[0] for row in superuser.execute(names)} == before
