"""The doorbells of the write side. Each drains what is due; none takes an argument that matters.

Lost, doubled or late messages change nothing, because what is due is read from the database.
"""

from celery import shared_task

from records import bell, journal, milestones, partitions, seasons, settlement


@shared_task(name=bell.SEAL)
def seal_pending() -> None:
    """Give sealed hands their place in the journal, then have them settled."""
    if journal.seal_pending():
        bell.ring(bell.SETTLE)


@shared_task(name=bell.SETTLE)
def settle_sealed() -> None:
    """Settle what the journal holds, place the milestones, then have the read side follow."""
    if settlement.settle_sealed():
        bell.ring(bell.TAKE_IN)
    milestones.place_milestones()


@shared_task(name="records.tasks.publish_checkpoint")
def publish_checkpoint() -> None:
    """Sign the head of the journal's tree."""
    journal.publish_checkpoint()


@shared_task(name="records.tasks.create_partitions")
def create_partitions() -> None:
    """Make the months of the log that are coming."""
    partitions.create_months()


@shared_task(name="records.tasks.tend_seasons")
def tend_seasons() -> None:
    """Open the seasons that have begun and close those that are over."""
    seasons.tend_seasons()
