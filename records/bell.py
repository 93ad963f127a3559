"""Ringing the doorbell of a background task, without ever making the one who rings wait.

A ring only brings the work forward: the schedule rings anyway, so a ring may be lost.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Final

import structlog
from celery import current_app
from kombu.exceptions import OperationalError

SEAL: Final = "records.tasks.seal_pending"
SETTLE: Final = "records.tasks.settle_sealed"
TAKE_IN: Final = "replays.tasks.take_in"
IMPORT: Final = "api.tasks.import_games"
WEBHOOKS: Final = "api.tasks.deliver_webhooks"

logger = structlog.get_logger(__name__)


class Ringer:
    """A thread that publishes the bells asked for. Asking again before it got to it is one ring."""

    def __init__(self, publish: Callable[[str], object]) -> None:
        self._publish = publish
        self._asked: set[str] = set()
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None

    def ring(self, task: str) -> None:
        """Ask for a ring and return at once, whatever the broker does."""
        with self._wake:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="bell", daemon=True)
                self._thread.start()
            self._asked.add(task)
            self._wake.notify()

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: bool(self._asked))
                asked, self._asked = self._asked, set()
            for task in sorted(asked):
                self._publish(task)


def publish(task: str) -> bool:
    """Send the message now; answer whether a broker took it. Takes seconds when it is away."""
    if str(current_app.conf.broker_url).startswith("memory:"):
        return False  # No broker is set. Messages kept in this process would only pile up.
    try:
        current_app.send_task(task, retry=False)
    except (OperationalError, OSError) as error:
        logger.warning("bell_not_rung", task=task, reason=str(error))
        return False
    return True


@lru_cache(maxsize=4)
def _ringer_of(process_id: int) -> Ringer:
    """One ringer a process: a thread does not survive a fork, so a child must start its own."""
    del process_id
    return Ringer(publish)


def ring(task: str = SEAL) -> None:
    """Ask for a task to run soon. Never raises, never waits for the broker.

    Call it after the commit: `transaction.on_commit(ring)`.
    """
    _ringer_of(os.getpid()).ring(task)
