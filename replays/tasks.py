"""The doorbell of the read side."""

from celery import shared_task

from records import bell
from replays import projections


@shared_task(name=bell.ADVANCE)
def advance_projections() -> None:
    """Take in what was settled, then have it told to those who asked to be."""
    if projections.advance_projections():
        bell.ring(bell.WEBHOOKS)
