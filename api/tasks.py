"""The doorbell of the top layer. It drains what is due and takes no argument that matters."""

from celery import shared_task

from api.bulk import working
from records import bell


@shared_task(name=bell.IMPORT)
def import_games() -> None:
    """Record games of uploaded files; what is left is rung for again."""
    if working.work() and working.is_work_left():
        bell.ring(bell.IMPORT)
