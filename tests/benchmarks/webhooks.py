"""Section "webhooks": events made of settlements and sent, beside requests with nothing around."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import urllib3
from django.test import override_settings

from api.webhooks.delivering import SLOTS, SLOTS_OF_WEBHOOK, deliver
from api.webhooks.following import follow
from api.webhooks.keeping import create_webhook
from api.webhooks.models import WebhookDelivery, WebhookEvent
from records.clubs import create_club
from records.models import Account
from tests.benchmarks.measuring import Paired, compare
from tests.benchmarks.report import ITSELF, Line
from tests.support.receiver import Receiver, receiving
from tests.support.settled import Books

EVENTS = 400
RECEIVERS = SLOTS // SLOTS_OF_WEBHOOK
REFERENCE = "urllib3, as many POSTs of a payload"
LOAD = f"{EVENTS} hands, {RECEIVERS} receivers, {SLOTS} requests at once"


class Telling:
    """A club with receivers, and hands that nobody was told of yet."""

    def __init__(self, receivers: list[Receiver]) -> None:
        account = Account.objects.create(username="webhooks")
        club = create_club(owner=account, name="webhooks", slug="webhooks", time_zone="UTC")
        for receiver in receivers:
            create_webhook(
                club=club, url=receiver.url, types=["hand.settled"], description="", by=account
            )
        self.urls = [receiver.url for receiver in receivers]
        self.books = Books(club_id=club.pk)

    def settle(self) -> None:
        """Let hands be settled."""
        for _ in range(EVENTS):
            self.books.settle((0, 1, 10), (2, 1, 10), (3, 1, 10), winner=1)

    def posted(self) -> float:
        """Requests a second with a connection each and nothing else."""
        body = b"x" * 1_500
        urls = self.urls * EVENTS
        with ThreadPoolExecutor(SLOTS) as pool:
            begun = time.perf_counter()
            list(pool.map(lambda url: urllib3.PoolManager().request("POST", url, body=body), urls))
        return len(urls) / (time.perf_counter() - begun)

    def followed(self) -> float:
        """Deliveries a second made of settlements."""
        self.settle()
        begun = time.perf_counter()
        follow()
        spent = time.perf_counter() - begun
        made = WebhookDelivery.objects.count()
        WebhookEvent.objects.all().delete()
        return made / spent

    def sent(self) -> float:
        """Deliveries a second sent by one worker."""
        self.settle()
        follow()
        begun = time.perf_counter()
        sent = deliver(budget_s=3600)
        spent = time.perf_counter() - begun
        WebhookEvent.objects.all().delete()
        return sent / spent


def webhooks(*, repeats: int, told: Callable[[str], None]) -> list[Line]:
    """The lines of the section."""
    with (
        override_settings(WEBHOOK_ALLOW=["127.0.0.1"]),
        receiving() as first,
        receiving() as second,
        receiving() as third,
        receiving() as fourth,
    ):
        telling = Telling([first, second, third, fourth])
        telling.sent()  # Statements are prepared, threads have run.
        found = compare(
            telling.posted,
            {
                "paipu, settlements to deliveries": telling.followed,
                "paipu, deliveries sent, 1 worker": telling.sent,
            },
            repeats=repeats,
            told=partial(_tell, told),
        )
    return _lines(found)


def _tell(told: Callable[[str], None], name: str) -> None:
    told(f"webhooks: {name}")


def _lines(found: dict[str, Paired]) -> list[Line]:
    raw = found.pop("")
    return [
        Line("webhooks", REFERENCE, LOAD, ITSELF, (1.0,), tuple(raw.rates), "requests/s"),
        *(
            Line(
                section="webhooks",
                name=name,
                load=LOAD,
                against=REFERENCE,
                ratios=tuple(pair.ratios),
                rates=tuple(pair.rates),
                unit="deliveries/s",
            )
            for name, pair in found.items()
        ),
    ]
