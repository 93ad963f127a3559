"""Deliveries: tried again with growing waits, by many workers, each event exactly once made."""

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections
from django.utils import timezone

from api.webhooks import delivering, following
from api.webhooks.catalogue import CATALOGUE
from api.webhooks.delivering import RETRY_S, SLOTS, SLOTS_OF_WEBHOOK, claim_due, deliver, note
from api.webhooks.following import follow
from api.webhooks.happenings import Audience
from api.webhooks.keeping import change_webhook, create_webhook, forget_old, ping
from api.webhooks.models import (
    ToldTierChange,
    Webhook,
    WebhookAttempt,
    WebhookCursor,
    WebhookDelivery,
    WebhookEvent,
)
from api.webhooks.sending import Outcome
from api.webhooks.signing import secret_of
from records.ids import uuid7
from records.ledger import last_position
from records.milestones import place_milestones
from records.models import Club, Milestone
from replays.projections import advance_projections
from rules_engine.events import GameEnded
from tests.support.at_once import at_once, wait_until_blocked
from tests.support.databases import Database
from tests.support.people import ClubHouse
from tests.support.receiver import Receiver, receiving
from tests.support.recorded import RecordedGame
from tests.support.settled import Books

State = WebhookDelivery.State


@pytest.fixture
def club(database: Database) -> Club:
    return ClubHouse().club


def webhook_of(club: Club, receiver: Receiver, *types: str) -> Webhook:
    """A new one, for all types if none is named."""
    return create_webhook(
        club=club, url=receiver.url, types=types or sorted(CATALOGUE), description="", by=None
    )


def make_all_due() -> None:
    """Let the time come for whatever waits."""
    WebhookDelivery.objects.filter(due_at__isnull=False).update(due_at=timezone.now())


def test_a_failed_delivery_is_tried_again_after_growing_waits_and_fails_in_the_end(
    club: Club, receiver: Receiver
) -> None:
    receiver.status = 500
    delivery = ping(webhook_of(club, receiver))
    for number, least_s in enumerate(RETRY_S, 1):
        before = timezone.now()
        assert deliver() == 1
        delivery.refresh_from_db()
        assert (delivery.state, delivery.failures) == (State.WAITING, number)
        assert delivery.due_at is not None
        waits = delivery.due_at - before
        assert timedelta(seconds=least_s) <= waits
        assert waits <= timedelta(seconds=least_s * (1 + delivering.JITTER) + 60)
        assert deliver() == 0, "it is not due yet"
        make_all_due()
    deliver()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.due_at) == (State.FAILED, None)
    assert delivery.attempts.count() == len(RETRY_S) + 1 == len(receiver.got)
    assert len({(got.id, got.body) for got in receiver.got}) == 1


def test_a_receiver_that_recovers_gets_what_waited(club: Club, receiver: Receiver) -> None:
    webhook = webhook_of(club, receiver)
    receiver.answers = [(503, {}, b""), (302, {"Location": receiver.url}, b"")]
    delivery = ping(webhook)
    for _ in range(3):
        deliver()
        make_all_due()
    delivery.refresh_from_db()
    webhook.refresh_from_db()
    assert delivery.state == State.DELIVERED
    assert webhook.failing_since is None
    statuses = delivery.attempts.order_by("id").values_list("status", flat=True)
    assert list(statuses) == [503, 302, 200]


@pytest.mark.parametrize("status", [429, 503])
def test_a_receiver_that_asks_for_time_is_sent_nothing_meanwhile(
    club: Club, receiver: Receiver, status: int
) -> None:
    webhook = webhook_of(club, receiver)
    receiver.answers = [(status, {"Retry-After": "3600"}, b"")]
    before = timezone.now()
    delivery = ping(webhook)
    deliver()
    delivery.refresh_from_db()
    assert delivery.due_at is not None
    assert delivery.due_at >= before + timedelta(hours=1)
    ping(webhook)
    make_all_due()
    assert deliver() == 0
    Webhook.objects.update(not_before=timezone.now())
    assert deliver() == 2


def test_a_receiver_that_is_gone_is_sent_nothing_more(club: Club, receiver: Receiver) -> None:
    webhook = webhook_of(club, receiver)
    receiver.answers = [(410, {}, b"")]
    ping(webhook)
    ping(webhook)
    deliver()
    webhook.refresh_from_db()
    assert webhook.disabled_for == Webhook.Reason.GONE
    make_all_due()
    assert deliver() == 0
    change_webhook(webhook=webhook, enabled=True)
    deliver()
    assert not WebhookDelivery.objects.exclude(state=State.DELIVERED).exists()


def test_a_receiver_that_failed_for_days_is_disabled(club: Club, receiver: Receiver) -> None:
    webhook = webhook_of(club, receiver)
    receiver.status = 500
    ping(webhook)
    deliver()
    long_ago = timezone.now() - delivering.DISABLED_AFTER - timedelta(minutes=1)
    Webhook.objects.update(failing_since=long_ago)
    make_all_due()
    deliver()
    webhook.refresh_from_db()
    assert webhook.disabled_for == Webhook.Reason.FAILING
    change_webhook(webhook=webhook, enabled=True)
    make_all_due()
    deliver()
    webhook.refresh_from_db()
    assert webhook.disabled_at is None, "the days are counted anew"


def test_workers_at_once_send_each_delivery_once(
    club: Club, receiver: Receiver, settings: Any
) -> None:
    settings.WEBHOOK_WORKERS = 4
    webhook = webhook_of(club, receiver)
    for _ in range(40):
        ping(webhook)
    assert sum(at_once(*[deliver] * 4)) == 40
    assert len({got.id for got in receiver.got}) == len(receiver.got) == 40


def test_no_more_workers_send_at_once_than_may(club: Club, receiver: Receiver) -> None:
    webhook = webhook_of(club, receiver)
    for _ in range(2):
        ping(webhook)
    first, second = uuid4(), uuid4()
    assert len(claim_due(first, 1)) == 1
    assert claim_due(second, 1) == []
    assert len(claim_due(first, 1)) == 1


def test_what_a_dead_worker_had_claimed_is_sent_by_another_when_its_lease_ends(
    club: Club, receiver: Receiver
) -> None:
    ping(webhook_of(club, receiver))
    dead = uuid4()
    (claim,) = claim_due(dead, 1)
    assert deliver() == 0
    ended = timezone.now() - timedelta(seconds=1)
    WebhookDelivery.objects.update(due_at=ended, leased_until=ended)
    assert deliver() == 1
    note([(claim, Outcome(status=500))], dead)
    delivery = WebhookDelivery.objects.get()
    assert delivery.state == State.DELIVERED, "who comes back from the dead notes nothing"
    assert delivery.attempts.count() == 1


def test_a_receiver_that_does_not_answer_holds_up_no_other(club: Club, receiver: Receiver) -> None:
    silent = webhook_of(club, receiver)
    receiver.hold = threading.Event()
    for _ in range(30):
        ping(silent)
    with receiving() as other:
        lively = webhook_of(club, other)
        worker = threading.Thread(target=deliver_elsewhere)
        worker.start()
        wait_until(lambda: len(receiver.got) >= SLOTS_OF_WEBHOOK, "the silent one has its share")
        assert len(receiver.got) < SLOTS
        for _ in range(5):
            ping(lively)
        wait_until(lambda: len(other.got) == 5, "the other gets what is new")
        receiver.hold.set()
        worker.join()
    assert len(receiver.got) == 30


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Wait for what must come; fail with its description when it never does."""
    stop_at = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < stop_at, f"never happened: {what}"
        time.sleep(0.01)


def deliver_elsewhere() -> None:
    """Deliver in a thread, on a connection of its own."""
    try:
        deliver(budget_s=60)
    finally:
        connections.close_all()


def test_followers_at_once_make_each_event_once(database: Database, receiver: Receiver) -> None:
    club = ClubHouse().club
    for _ in range(2):
        webhook_of(club, receiver, "hand.settled")
    books = Books(club_id=club.pk)
    for hand in range(1, 31):
        books.settle((0, 1, 10), hand=hand, winner=1)
    at_once(*[partial(follow, 7)] * 4)
    assert WebhookEvent.objects.count() == 30
    assert WebhookDelivery.objects.count() == 60
    WebhookCursor.objects.update(ledger_position=0)
    follow()
    assert WebhookEvent.objects.count() == 30, "even a cursor that was set back makes no second one"
    assert WebhookDelivery.objects.count() == 60


def test_a_crowd_of_settlements_is_followed_batch_by_batch_past_those_of_other_clubs(
    database: Database, receiver: Receiver
) -> None:
    club = ClubHouse().club
    webhook_of(club, receiver, "hand.settled")
    mine, others = Books(club_id=club.pk), Books()
    for number in range(1, 24):
        (mine if number % 3 == 0 else others).settle((0, 1, 10), winner=1)
    follow(2)
    assert WebhookEvent.objects.count() == 7
    assert WebhookCursor.objects.get().ledger_position == 23


def test_milestones_are_followed_batch_by_batch_past_beginnings_and_other_clubs(
    database: Database, receiver: Receiver
) -> None:
    club = ClubHouse().club
    webhook_of(club, receiver, "game.ended")
    for number in range(9):
        game = RecordedGame(club_id=club.pk if number % 3 == 0 else None)
        game.append(GameEnded())
    place_milestones()
    follow(2)
    assert WebhookEvent.objects.count() == 3
    assert WebhookCursor.objects.get().milestones_position == 18


def test_a_game_that_cannot_be_read_holds_up_no_other(
    database: Database, receiver: Receiver
) -> None:
    club = ClubHouse().club
    webhook_of(club, receiver, "game.ended")
    Milestone.objects.create(position=1, game_id=uuid7(), seq=2, club_id=club.pk, occurred_at_ms=0)
    game = RecordedGame(club_id=club.pk)
    game.append(GameEnded())
    place_milestones()
    follow()
    (event,) = WebhookEvent.objects.all()
    assert str(game.id) in event.payload


def test_tiers_of_before_are_taken_as_told(database: Database, receiver: Receiver) -> None:
    club = ClubHouse().club
    books = Books(club_id=club.pk, ladder_start=0)
    books.settle((0, 1, 10), winner=1)
    advance_projections()
    webhook_of(club, receiver, "tier.changed")
    follow()
    books.settle((0, 1, 1), winner=1)
    advance_projections()
    follow()
    assert not WebhookEvent.objects.exists()


def test_changes_of_tiers_are_placed_once_and_without_gaps(
    database: Database, receiver: Receiver
) -> None:
    club, other = ClubHouse().club, ClubHouse().club
    webhook_of(club, receiver, "tier.changed")
    for number in range(6):
        books = Books(club_id=(club if number % 2 else other).pk, ladder_start=0)
        books.settle((0, 1, 10), winner=1)
        advance_projections()
        at_once(*[partial(follow, 2)] * 3)
    follow()
    changes = ToldTierChange.objects.order_by("position")
    assert [each.position for each in changes] == list(range(1, len(changes) + 1))
    told = changes.filter(club_id=club.pk).count()
    assert 0 < told < len(changes)
    assert WebhookEvent.objects.count() == told


def test_a_webhook_that_is_made_while_others_are_told_misses_nothing(
    database: Database, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = ClubHouse().club
    books = Books(club_id=club.pk)
    webhook_of(club, receiver, "hand.settled").delete()
    making: list[threading.Thread] = []

    def make_one_meanwhile(webhooks: Any) -> Audience:
        audience = Audience(webhooks)
        if not making:
            making.append(threading.Thread(target=webhook_elsewhere, args=(club, receiver)))
            making[0].start()
            wait_until_blocked(database)
            books.settle((0, 1, 10), winner=1)
        return audience

    monkeypatch.setattr(following, "Audience", make_one_meanwhile)
    follow()
    making[0].join()
    webhook = Webhook.objects.get()
    books.settle((0, 1, 10), hand=2, winner=1)
    follow()
    assert WebhookEvent.objects.count() == last_position() - webhook.after_settlement == 1


def webhook_elsewhere(club: Club, receiver: Receiver) -> None:
    """Make a webhook in a thread, on a connection of its own."""
    try:
        webhook_of(club, receiver, "hand.settled")
    finally:
        connections.close_all()


def test_old_events_are_forgotten_unless_they_still_wait(
    club: Club, receiver: Receiver, settings: Any
) -> None:
    webhook = webhook_of(club, receiver)
    kept = ping(webhook)
    deliver()
    waiting = ping(webhook)
    old = timezone.now() - timedelta(days=settings.WEBHOOK_KEEP_DAYS, minutes=1)
    WebhookEvent.objects.update(created_at=old)
    recent = ping(webhook)
    assert forget_old() == 1
    assert set(WebhookDelivery.objects.values_list("id", flat=True)) == {waiting.pk, recent.pk}
    assert not WebhookAttempt.objects.filter(delivery=kept.pk).exists()


def test_a_webhook_deleted_under_way_ends_quietly(club: Club, receiver: Receiver) -> None:
    webhook = webhook_of(club, receiver)
    ping(webhook)
    me = uuid4()
    (claim,) = claim_due(me, 1)
    assert claim.parcel.numbers == (1,)
    assert secret_of(webhook.pk, 1).startswith("whsec_")
    webhook.delete()
    note([(claim, Outcome(status=200))], me)
    assert not WebhookAttempt.objects.exists()
