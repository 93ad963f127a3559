"""The one way background work is done: take the lock or leave, then do what is due in batches.

State lives in PostgreSQL and each batch moves its cursor in the transaction that does the work. So
it does not matter how often, by how many processes or in which order a drain is called, nor where
one is killed: what was committed is done, what was not is still due.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import connection, transaction

BUDGET_S = 20.0
"""How long one drain goes on at most: well below a task's time limit. The next bell resumes."""


def try_lock(name: str) -> bool:
    """Take the lock `name` until the transaction ends, or answer False when another holds it."""
    with connection.cursor() as cursor:
        # A statement of its own, so that the statements after it see what the last holder committed
        # (test_two_settlers_at_once_settle_each_hand_once).
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtext('paipu'), hashtext(%s))", [name])
        row = cursor.fetchone()
    return bool(row and row[0])


def drain(name: str, step: Callable[[], int], *, budget_s: float = BUDGET_S) -> int:
    """Call `step` in a transaction each until it answers 0; say how much was done in all.

    `step` answers how many items it worked off. Returns early when another process holds the lock
    `name` (that one drains) or after `budget_s` seconds. Must not be called inside a transaction.
    """
    done = 0
    stop_at = time.monotonic() + budget_s
    while time.monotonic() < stop_at:
        with transaction.atomic(durable=True):
            count = step() if try_lock(name) else 0
        if count == 0:
            break
        done += count
    return done


def wait_for_lock(name: str) -> None:
    """Take the lock `name` until the transaction ends, waiting for whoever holds it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('paipu'), hashtext(%s))", [name])


@contextmanager
def hold_lock(name: str) -> Iterator[None]:
    """Hold the lock `name` while the block lasts, over transactions, waiting for whoever has it.

    A transaction that begins in the block sees what the last holder committed, whatever its
    isolation; one that waited itself would not (test_a_rebuild_sees_what_was_taken_in_meanwhile).
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(hashtext('paipu'), hashtext(%s))", [name])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(hashtext('paipu'), hashtext(%s))", [name])
