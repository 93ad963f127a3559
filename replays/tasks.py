"""The doorbells of the read side."""

from celery import shared_task

from records import bell
from replays import projections


@shared_task(name=bell.TAKE_IN)
def take_in() -> None:
    """Take in what was settled, then have it told to those who asked to be."""
    if projections.take_in():
        bell.ring(bell.WEBHOOKS)


@shared_task(name="replays.tasks.advance_projections")
def advance_projections() -> None:
    """The same, and count again where seasons, merges or a ladder have changed."""
    if projections.advance_projections():
        bell.ring(bell.WEBHOOKS)
