"""The doorbell of the read side."""

from celery import shared_task

from records import bell
from replays import projections


@shared_task(name=bell.ADVANCE)
def advance_projections() -> None:
    """Take in what was settled."""
    projections.advance_projections()
