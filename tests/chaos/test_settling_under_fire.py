"""Killed workers, lost messages, doubled messages: what comes out is what peace brings."""

import random
import threading
import time

import pytest
from django.db import connections

from api.embedded.postgres import PostgresServer
from records.bell import SEAL, SETTLE, TAKE_IN
from replays.rebuild import rebuild
from tests.chaos.conftest import Recorded
from tests.chaos.workers import (
    Crew,
    MortalBroker,
    held_up_at,
    kill,
    sessions_of_others,
    wait_until,
)
from tests.support.databases import Database, fresh_database
from tests.support.league import (
    GAMES,
    HANDS,
    insist_on_once_each_and_zero_sums,
    outcome,
    record_league,
    rows,
    settle_in_peace,
)

pytestmark = pytest.mark.slow

RABBITMQ = pytest.param("rabbitmq_url", marks=pytest.mark.services)
REDIS = pytest.param("redis_url", marks=pytest.mark.services)
BELLS = (SEAL, SETTLE, TAKE_IN)
DUE = GAMES * HANDS
IN_THE_MIDDLE = (
    ("seal_queue", (DUE, 0, 0, 0)),
    ("settlement_failure", (0, DUE, 0, 0)),
    ("standing", (0, DUE, DUE, 0)),
)
"""The table each step writes to last but for its cursor, and what a kill just then leaves behind:
how many hands are queued, in the journal, settled, and taken in by the read side."""


def progress() -> tuple[int, ...]:
    """How many hands are queued, in the journal, settled, and taken in by the read side."""
    return rows(
        "SELECT (SELECT count(*) FROM seal_queue), (SELECT count(*) FROM journal),"
        " (SELECT count(*) FROM settlement),"
        " (SELECT count(DISTINCT (game_id, hand)) FROM result)"
    )[0]


def settle_as_the_schedule_would(crew: Crew, hands: int = DUE) -> None:
    """Ring every bell again and again until all hands are taken in."""

    def is_done() -> bool:
        for bell in BELLS:
            crew.ring(bell)
        return has_taken_in(hands)

    wait_until(is_done, f"{hands} hands are taken in", every_s=0.5)


def has_taken_in(hands: int) -> bool:
    return progress() == (0, hands, hands, hands)


@pytest.mark.parametrize("broker_url", ["embedded", RABBITMQ], indirect=True)
def test_workers_killed_in_the_middle_of_every_step_leave_nothing_half_done(
    crew: Crew, league: Database, recorded: Recorded
) -> None:
    for table, left_behind in IN_THE_MIDDLE:
        with held_up_at(league, table) as has_stopped_one:
            worker = crew.start_worker()
            for bell in BELLS:
                crew.ring(bell)
            wait_until(has_stopped_one, f"a worker writes to {table}")
            kill(worker)
        connections.close_all()
        wait_until(lambda: sessions_of_others(league) == 0, "the killed worker's sessions end")
        assert progress() == left_behind, f"killed while writing to {table}"
        crew.forget_messages()
    crew.start_worker()
    settle_as_the_schedule_would(crew)
    assert outcome() == recorded.peaceful
    insist_on_once_each_and_zero_sums()


@pytest.mark.parametrize("broker_url", ["embedded", RABBITMQ, REDIS], indirect=True)
def test_every_message_doubled_and_out_of_order_changes_nothing(
    crew: Crew, recorded: Recorded
) -> None:
    dice = random.Random(11)
    messages = [(bell, f"{bell}-{number}") for bell in BELLS for number in range(8)] * 2
    dice.shuffle(messages)
    for bell, message_id in messages:
        crew.ring(bell, message_id=message_id)
    crew.start_worker(concurrency=2)
    settle_as_the_schedule_would(crew)
    wait_until(lambda: crew.messages_waiting() == 0, "every message is taken")
    assert outcome() == recorded.peaceful
    insist_on_once_each_and_zero_sums()


def test_messages_lost_with_the_broker_are_made_good_by_the_schedule(
    mortal_broker: MortalBroker, crew_of_mortal_broker: Crew, recorded: Recorded
) -> None:
    crew = crew_of_mortal_broker
    for bell in BELLS:
        crew.ring(bell)
    assert crew.messages_waiting() == len(BELLS)
    mortal_broker.lose_everything()
    assert crew.messages_waiting() == 0
    crew.start_worker()
    crew.start_beat()
    wait_until(lambda: has_taken_in(DUE), "the schedule has everything settled")
    assert outcome() == recorded.peaceful
    mortal_broker.lose_everything()
    record_league(games=1, first_player=101)
    wait_until(lambda: has_taken_in(DUE + HANDS), "worker and schedule find the new broker")
    insist_on_once_each_and_zero_sums()


def test_four_workers_killed_at_random_come_to_what_one_calm_run_with_rulings_does(
    crew: Crew, league: Database, postgres_server: PostgresServer
) -> None:
    record_league(games=12, first_player=101, rulings=True)
    connections.close_all()
    with fresh_database(postgres_server, template=league.name):
        calm = settle_in_peace()
    assert {row[5] for row in calm.settlements} >= {"voided", "penalty", "penalty_cancelled"}
    dice = random.Random(13)
    workers = [crew.start_worker() for _ in range(4)]
    for number in range(8):
        messages = [(bell, f"{bell}-{number}-{turn}") for bell in BELLS for turn in range(3)] * 2
        dice.shuffle(messages)
        for bell, message_id in messages:
            crew.ring(bell, message_id=message_id)
        time.sleep(dice.uniform(0.1, 2.0))
        kill(workers.pop(dice.randrange(4)))
        workers.append(crew.start_worker())

    def is_done() -> bool:
        for bell in BELLS:
            crew.ring(bell)
        return rows(
            "SELECT (SELECT count(*) FROM seal_queue), (SELECT position FROM projection_cursor)"
        ) == [(0, len(calm.settlements))]

    wait_until(is_done, "everything is taken in", every_s=0.5)
    assert outcome() == calm
    assert rebuild(mend=False).differences == ()


def test_two_workers_while_games_are_recorded_settle_each_hand_once(
    crew: Crew, recorded: Recorded
) -> None:
    first, _second = crew.start_worker(concurrency=2), crew.start_worker(concurrency=2)
    recording_is_over = threading.Event()

    def ring_all_the_time() -> None:
        while not recording_is_over.wait(0.05):
            crew.ring(random.Random().choice(BELLS))

    ringing = threading.Thread(target=ring_all_the_time)
    ringing.start()
    try:
        wait_until(lambda: progress()[2] > 0, "the workers have begun")
        record_league(first_player=101)
        kill(first)
        record_league(first_player=201)
    finally:
        recording_is_over.set()
        ringing.join()
    settle_as_the_schedule_would(crew, 3 * DUE)
    insist_on_once_each_and_zero_sums()
    # The same games were recorded for three groups of players, so each group stands the same.
    in_peace = [figures for _season, _ruleset, _player, *figures in recorded.peaceful.standings]
    for group in (1, 101, 201):
        assert [
            figures
            for _season, _ruleset, player, *figures in outcome().standings
            if group <= player.int < group + 100
        ] == in_peace
