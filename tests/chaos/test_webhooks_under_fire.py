"""Workers killed while they tell: every event arrives, under one id, whoever was killed."""

import random
import threading
from collections import Counter

import pytest
from django.db import connections
from django.utils import timezone

from api.webhooks.catalogue import CATALOGUE
from api.webhooks.keeping import create_webhook
from api.webhooks.models import WebhookDelivery, WebhookEvent
from records.bell import WEBHOOKS
from records.models import Club
from tests.chaos.workers import Crew, kill, wait_until
from tests.support.databases import Database
from tests.support.league import CLUB, record_league, rows, settle_in_peace
from tests.support.receiver import receiving

pytestmark = pytest.mark.slow

RABBITMQ = pytest.param("rabbitmq_url", marks=pytest.mark.services)
State = WebhookDelivery.State


def end_leases() -> None:
    """Let the time come at which what dead workers had claimed is due again."""
    now = timezone.now()
    WebhookDelivery.objects.filter(leased_until__gt=now).update(due_at=now, leased_until=now)
    WebhookDelivery.objects.filter(due_at__gt=now).update(due_at=now)


@pytest.mark.parametrize("broker_url", ["embedded", RABBITMQ], indirect=True)
def test_every_event_arrives_at_least_once_and_under_one_id_though_workers_are_killed(
    crew: Crew, league: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAIPU_WEBHOOK_ALLOW", "127.0.0.1")
    monkeypatch.setenv("PAIPU_WEBHOOK_WORKERS", "4")
    record_league(games=3, first_player=101, rulings=True)
    club = Club.objects.create(id=CLUB, name="League", slug="league", time_zone="Asia/Shanghai")
    with receiving() as receiver, receiving() as moody:
        for url in (receiver.url, moody.url):
            create_webhook(club=club, url=url, types=sorted(CATALOGUE), description="", by=None)
        settle_in_peace()
        dice = random.Random(17)
        moody.answers = [(dice.choice((200, 500, 503)), {}, b"") for _ in range(60)]
        receiver.hold = threading.Event()
        for number in range(3):
            came = len(receiver.got)
            workers = [crew.start_worker() for _ in range(2)]
            for turn in range(6):
                crew.ring(WEBHOOKS, message_id=f"{number}-{turn}")
            wait_until(lambda came=came: len(receiver.got) > came, "a worker waits for an answer")
            for worker in workers:
                kill(worker)
            connections.close_all()
            assert WebhookDelivery.objects.filter(lease__isnull=False).exists()
            end_leases()
        receiver.hold.set()
        crew.start_worker(concurrency=2)

        def is_done() -> bool:
            crew.ring(WEBHOOKS)
            end_leases()
            deliveries = WebhookDelivery.objects
            return deliveries.exists() and not deliveries.exclude(state=State.DELIVERED).exists()

        wait_until(is_done, "everything is delivered", every_s=0.5)

    made = {str(event.id): event.payload.encode() for event in WebhookEvent.objects.all()}
    types = Counter(WebhookEvent.objects.values_list("type", flat=True))
    hands, again, rulings = rows(
        "SELECT count(*) FILTER (WHERE entry = 0 AND revision = 1),"
        " count(*) FILTER (WHERE entry = 0 AND revision > 1),"
        " (SELECT count(*) FROM event WHERE type IN"
        "   ('hand_corrected', 'hand_voided', 'adjusted', 'penalty', 'penalty_cancelled'))"
        " FROM settlement"
    )[0]
    assert (types["hand.settled"], types["hand.resettled"]) == (hands, again)
    assert types["ruling.made"] == rulings
    assert types["tier.changed"] > 0
    for each in (receiver, moody):
        assert {got.id: got.body for got in each.got} == made
    assert len(receiver.got) > len(made), "what was under way at a death came again"
