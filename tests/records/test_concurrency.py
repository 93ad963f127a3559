"""Several writers, several sequencers, slow and failing transactions: on real PostgreSQL."""

import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest
from django.db import connections, transaction

from records import journal, reader
from records.append import Receipt
from records.chain import verify_chain
from records.errors import CommandReused, StaleSequence
from records.verification import verify_game, verify_journal
from rules_engine.events import Event, HandResult
from rules_engine.fold import Game
from tests.records.games import drawn_hands, new_game, record, started
from tests.support.databases import Database

pytestmark = pytest.mark.usefixtures("log")

WRITERS = 8


def in_threads(*jobs: Callable[[], Any]) -> list[Any]:
    """Run each job in a thread, hence on connections of its own; the first error is raised."""

    def run(job: Callable[[], Any]) -> Any:
        try:
            return job()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return [future.result() for future in [pool.submit(run, job) for job in jobs]]


def next_hands(game: Game, number: int) -> list[HandResult]:
    """Hands nobody won, as they would follow this state."""
    return drawn_hands(number, first=game.hand + 1)


@contextmanager
def append_in_flight(log: Database, game_id: UUID) -> Iterator[None]:
    """Keep an append behind seq 1 of this game in flight, which is rolled back in the end."""
    with log.connect() as connection:
        connection.execute(
            "INSERT INTO receipt (game_id, command_id, fingerprint, first_seq, last_seq, hash)"
            " VALUES (%s, 'in flight', %s, 2, 2, %s)",
            [game_id, bytes(32), bytes(32)],
        )
        yield
        connection.rollback()


def wait_until_blocked(log: Database, count: int) -> None:
    """Until that many sessions wait for the end of another one's transaction."""
    query = "SELECT count(*) FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted"
    deadline = time.monotonic() + 20
    with log.connect(autocommit=True) as connection:
        while connection.execute(query).fetchone() != (count,):
            assert time.monotonic() < deadline, "nobody waits"
            time.sleep(0.005)


def test_eight_writers_on_one_game_never_interleave() -> None:
    game_id, per_writer = new_game(), 6
    record(game_id, started())

    def write(writer: int) -> list[Receipt]:
        receipts: list[Receipt] = []
        while len(receipts) < per_writer:
            game = reader.game_at(game_id)
            hands = next_hands(game, 1 + writer % 3)
            try:
                receipts.append(record(game_id, *hands, at=game.seq))
            except StaleSequence:
                continue
        return receipts

    written = in_threads(*[lambda writer=writer: write(writer) for writer in range(WRITERS)])
    spans = sorted(
        (receipt.first_seq, receipt.last_seq) for receipts in written for receipt in receipts
    )
    assert len(spans) == WRITERS * per_writer
    assert [first for first, _ in spans] == [2, *[last + 1 for _, last in spans[:-1]]]
    for writer, receipts in enumerate(written):
        assert {receipt.last_seq - receipt.first_seq for receipt in receipts} == {writer % 3}
    assert verify_game(game_id).finding is None


def test_of_two_appends_in_flight_for_one_seq_one_is_stale(log: Database) -> None:
    game_id, hands = new_game(), drawn_hands(2)
    record(game_id, started())

    def write(events: list[Event]) -> Receipt | StaleSequence:
        try:
            return record(game_id, *events, at=1)
        except StaleSequence as error:
            return error

    with ThreadPoolExecutor(1) as pool:
        with append_in_flight(log, game_id):
            both = pool.submit(
                in_threads, lambda: write([hands[0]]), lambda: write([hands[0], hands[1]])
            )
            wait_until_blocked(log, 2)
        answers = both.result()
    stale = [answer for answer in answers if isinstance(answer, StaleSequence)]
    won = [answer for answer in answers if isinstance(answer, Receipt)]
    assert (len(stale), len(won)) == (1, 1)
    assert stale[0].facts == {"expected": 1, "actual": won[0].last_seq}
    assert reader.head(game_id) == (won[0].last_seq, won[0].hash)


def test_two_commands_in_flight_with_one_id_write_once(log: Database) -> None:
    game_id, hands = new_game(), drawn_hands(1)
    record(game_id, started())
    with ThreadPoolExecutor(1) as pool:
        with append_in_flight(log, game_id):
            job = lambda: record(game_id, *hands, at=1, command_id="same")  # noqa: E731
            both = pool.submit(in_threads, job, job, job)
            wait_until_blocked(log, 3)
        receipts = both.result()
    assert Counter(receipt.replayed for receipt in receipts) == {False: 1, True: 2}
    assert len({(receipt.first_seq, receipt.last_seq, receipt.hash) for receipt in receipts}) == 1
    assert reader.head(game_id)[0] == 2
    assert len(list(reader.receipts_of(game_id))) == 2


def test_a_retry_waits_for_the_first_attempt_that_has_not_committed() -> None:
    game_id, hands, waiting = new_game(), drawn_hands(1), threading.Event()
    record(game_id, started())

    def slow() -> Receipt:
        with transaction.atomic():
            receipt = record(game_id, *hands, at=1, command_id="same")
            waiting.set()
            time.sleep(0.2)
        return receipt

    def retry() -> Receipt:
        waiting.wait()
        return record(game_id, *hands, at=1, command_id="same")

    first, second = in_threads(slow, retry)
    assert (first.replayed, second.replayed) == (False, True)
    assert (first.last_seq, first.hash) == (second.last_seq, second.hash)


def test_a_retry_after_a_first_attempt_that_rolled_back_writes() -> None:
    game_id, hands, waiting = new_game(), drawn_hands(1), threading.Event()
    record(game_id, started())

    def fails() -> None:
        with transaction.atomic():
            record(game_id, *hands, at=1, command_id="same")
            waiting.set()
            time.sleep(0.2)
            transaction.set_rollback(True)

    def retry() -> Receipt:
        waiting.wait()
        return record(game_id, *hands, at=1, command_id="same")

    _, receipt = in_threads(fails, retry)
    assert receipt is not None
    assert not receipt.replayed
    assert reader.head(game_id) == (2, receipt.hash)
    assert verify_game(game_id).finding is None


def test_one_id_in_flight_with_other_content_is_refused(log: Database) -> None:
    game_id, hands = new_game(), drawn_hands(2)
    record(game_id, started())

    def write(*events: Event) -> Receipt | CommandReused:
        try:
            return record(game_id, *events, at=1, command_id="same")
        except CommandReused as error:
            return error

    with ThreadPoolExecutor(1) as pool:
        with append_in_flight(log, game_id):
            both = pool.submit(in_threads, lambda: write(hands[0]), lambda: write(*hands))
            wait_until_blocked(log, 2)
        answers = both.result()
    assert Counter(type(answer) for answer in answers) == {Receipt: 1, CommandReused: 1}


def test_two_sequencers_at_once_leave_no_gap_and_no_double() -> None:
    games = [new_game() for _ in range(20)]
    for game_id in games:
        record(game_id, started(), *drawn_hands(5))
    start = threading.Barrier(3)

    def sequence() -> int:
        start.wait()
        return sum(journal.seal_pending(batch) for batch in (1, 2, 7, 500))

    placed = in_threads(sequence, sequence, sequence)
    assert sum(placed) >= 100
    assert_gapless()
    sealed = [(seal.game_id, seal.hand) for seal in seals() if seal.game_id in games]
    assert Counter(sealed) == Counter(itertools.product(games, range(1, 6)))


def seals() -> list[reader.Seal]:
    """The whole journal."""
    return reader.journal_after(0, limit=1_000_000)


def assert_gapless() -> None:
    """Positions count from 1, and within a game they follow its seqs."""
    rows = seals()
    assert [seal.position for seal in rows] == list(range(1, len(rows) + 1))
    by_game: dict[UUID, list[int]] = {}
    for seal in rows:
        by_game.setdefault(seal.game_id, []).append(seal.seq)
    assert all(seqs == sorted(seqs) for seqs in by_game.values())
    assert verify_journal(verifier_key=None) is None


@contextmanager
def sequencers_killed_again_and_again(log: Database) -> Iterator[list[int]]:
    """Two sequencer processes, each killed in the middle of its work and started anew."""
    stop, killed = threading.Event(), []

    def supervise(seed: int) -> None:
        rng = random.Random(seed)
        while not stop.is_set():
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.records.sequencer"],
                env=log.environment,
                stdout=subprocess.PIPE,
            )
            assert process.stdout is not None
            process.stdout.readline()
            stop.wait(rng.uniform(0.05, 0.6))
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            process.stdout.close()
            killed.append(process.pid)

    threads = [threading.Thread(target=supervise, args=(seed,)) for seed in range(2)]
    for thread in threads:
        thread.start()
    try:
        yield killed
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def write_games(seed: int, until: float) -> list[tuple[UUID, int]]:
    """Record games until then, some transactions slow, some rolled back; the seals committed."""
    rng, committed = random.Random(seed), []
    while time.monotonic() < until:
        game_id, seq = new_game(), 0
        for event in (started(), *drawn_hands(6)):
            with transaction.atomic():
                receipt = record(game_id, event, at=seq)
                if rng.random() < 0.05:
                    time.sleep(rng.uniform(0, 0.05))
                if rng.random() < 0.05:
                    transaction.set_rollback(True)
                    break
            seq = receipt.last_seq
            if seq > 1:
                committed.append((game_id, seq))
    return committed


def test_nothing_is_lost_while_sequencers_are_killed_and_transactions_are_slow_or_roll_back(
    log: Database,
) -> None:
    followed: list[reader.Seal] = list(seals())
    before, done = len(followed), threading.Event()

    def follow() -> None:
        while not done.is_set():
            cursor = followed[-1].position if followed else 0
            followed.extend(reader.journal_after(cursor, limit=50))
            time.sleep(0.005)

    follower = threading.Thread(target=lambda: (follow(), connections.close_all()))
    with sequencers_killed_again_and_again(log) as killed:
        follower.start()
        until = time.monotonic() + 4
        written = in_threads(
            *[lambda seed=seed: write_games(seed, until) for seed in range(WRITERS)]
        )
    done.set()
    follower.join()
    journal.seal_pending()
    followed.extend(reader.journal_after(len(followed), limit=1_000_000))
    committed = [seal for seals in written for seal in seals]
    assert len(committed) > 100
    assert len(killed) >= 2
    assert_gapless()
    # What a reader saw by following a cursor is the journal, all of it, each seal once, in order.
    assert followed == seals()
    assert Counter((seal.game_id, seal.seq) for seal in followed[before:]) == Counter(committed)
    for game_id in {game_id for game_id, _ in committed[:: len(committed) // 20]}:
        assert verify_chain(reader.events_of(game_id)) is None
