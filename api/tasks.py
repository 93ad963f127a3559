"""The doorbells of the top layer. Each drains what is due, without arguments that matter."""

from celery import shared_task

from api import tokens
from api.bulk import working
from api.webhooks import delivering, following, keeping
from records import bell


@shared_task(name=bell.IMPORT)
def import_games() -> None:
    """Record games of uploaded files; what is left is rung for again."""
    if working.work() and working.is_work_left():
        bell.ring(bell.IMPORT)


@shared_task(name="api.tasks.drop_expired")
def drop_expired() -> None:
    """Delete sign-ins that are over."""
    tokens.drop_expired()


@shared_task(name=bell.WEBHOOKS)
def deliver_webhooks() -> None:
    """Tell receivers what has happened; what is left is rung for again."""
    following.follow()
    if delivering.deliver() and delivering.age_of_oldest_due_s() is not None:
        bell.ring(bell.WEBHOOKS)


@shared_task(name="api.tasks.forget_webhooks")
def forget_webhooks() -> None:
    """Drop events that are kept no longer."""
    keeping.forget_old()
