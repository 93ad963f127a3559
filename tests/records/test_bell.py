"""Ringing a bell never makes anybody wait, and never fails."""

import subprocess
import sys
import threading

from records.bell import Ringer

PUBLISH = """
import django
django.setup()
from records.bell import SEAL, publish, ring
ring()
print(publish(SEAL))
"""


def publish_in_a_new_process(broker_url: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PUBLISH],
        env={
            "DJANGO_SETTINGS_MODULE": "api.settings",
            "PAIPU_BROKER_URL": broker_url,
            "PAIPU_DATA_DIR": "/nonexistent",
        },
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.splitlines()[-1]


def test_a_ring_returns_while_the_broker_does_not_answer() -> None:
    answered, published = threading.Event(), []
    busy, idle = threading.Event(), threading.Event()

    def publish(task: str) -> None:
        busy.set()
        assert answered.wait(30)
        published.append(task)
        if len(published) == 2:
            idle.set()

    ringer = Ringer(publish)
    ringer.ring("first")
    assert busy.wait(30)
    for _ in range(100):
        ringer.ring("second")
    assert published == []
    answered.set()
    assert idle.wait(30)
    assert published == ["first", "second"]


def test_a_broker_that_is_away_is_no_error() -> None:
    assert publish_in_a_new_process("redis://127.0.0.1:1/0") == "False"


def test_without_a_broker_nothing_is_published() -> None:
    assert publish_in_a_new_process("") == "False"
