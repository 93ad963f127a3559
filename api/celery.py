"""The Celery application and its bell-ringing schedule.

Tasks are doorbells: each drains what is due in PostgreSQL, so a lost or doubled message changes
nothing and the schedule below is what guarantees that every hand is settled in the end.
"""

import os
from typing import NamedTuple

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "api.settings")


class Bell(NamedTuple):
    """One doorbell: which task beat rings, and every how many seconds."""

    task: str
    every_s: float


BELLS = (
    Bell("records.tasks.seal_pending", 1.0),
    Bell("records.tasks.settle_sealed", 2.0),
    Bell("replays.tasks.advance_projections", 2.0),
    Bell("api.tasks.import_games", 5.0),
    Bell("api.tasks.deliver_webhooks", 2.0),
    Bell("records.tasks.publish_checkpoint", 60.0),
    Bell("records.tasks.tend_seasons", 60.0),
    Bell("api.tasks.forget_webhooks", 3600.0),
    Bell("records.tasks.create_partitions", 6 * 3600.0),
    Bell("api.tasks.drop_expired", 6 * 3600.0),
)

app = Celery("paipu")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A bell that could not be answered before it rings again is dropped: the next ring does the work.
app.conf.beat_schedule = {
    bell.task: {
        "task": bell.task,
        "schedule": bell.every_s,
        "options": {"expires": max(5.0, bell.every_s)},
    }
    for bell in BELLS
}
