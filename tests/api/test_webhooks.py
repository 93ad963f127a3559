"""Webhooks kept by API: made, changed, tested, looked at, sent again, and by whom."""

from typing import Any
from uuid import uuid4

import pytest
from standardwebhooks import WebhookVerificationError

from api.webhooks.catalogue import CATALOGUE
from api.webhooks.delivering import deliver
from api.webhooks.models import Webhook, WebhookDelivery
from records.models import Role
from tests.support.people import HAND_RESULT, ClubHouse
from tests.support.problems import refused
from tests.support.receiver import Receiver
from tests.support.webhooks import send_all, webhook_to

ALL = sorted(CATALOGUE)


def test_the_secret_is_shown_once_and_lies_nowhere(house: ClubHouse, receiver: Receiver) -> None:
    path = f"clubs/{house.club.id}/webhooks"
    body = {"url": receiver.url, "types": ["game.ended"]}
    first = house.owner.post(path, body, key="k")
    webhook = first.json()
    again = house.owner.post(path, body, key="k").json()
    assert again == {**webhook, "secret": None}
    shown = house.owner.get(f"webhooks/{webhook['id']}").json()
    assert "secret" not in shown
    assert shown == {name: value for name, value in webhook.items() if name != "secret"}
    assert webhook["secret"] not in repr(Webhook.objects.values())


def test_a_rotated_secret_and_the_one_before_it_sign_until_the_overlap_ends(
    house: ClubHouse, receiver: Receiver
) -> None:
    first = webhook_to(house, receiver)
    path = f"webhooks/{first['id']}"
    second = house.owner.post(f"{path}/secret", {"overlap_hours": 1}).json()
    assert second["secret_number"] == 2
    assert second["old_secrets_until"] is not None
    house.owner.post(f"{path}/ping")
    deliver()
    for secret in (first["secret"], second["secret"]):
        assert receiver.got[-1].verified(secret)["type"] == "webhook.ping"
    third = house.owner.post(f"{path}/secret", {"overlap_hours": 0}).json()
    assert third["old_secrets_until"] is None
    house.owner.post(f"{path}/ping")
    deliver()
    assert receiver.got[-1].verified(third["secret"])
    for leaked in (first["secret"], second["secret"]):
        with pytest.raises(WebhookVerificationError):
            receiver.got[-1].verified(leaked)


def test_a_ping_is_logged_with_what_the_receiver_answered(
    house: ClubHouse, receiver: Receiver
) -> None:
    webhook = webhook_to(house, receiver)
    receiver.answers = [(500, {}, b"no table free")]
    answer = house.owner.post(f"webhooks/{webhook['id']}/ping")
    assert answer.status_code == 202
    deliver()
    delivery = house.owner.get(f"webhook-deliveries/{answer.json()['id']}").json()
    assert (delivery["state"], delivery["type"]) == ("waiting", "webhook.ping")
    (attempt,) = delivery["attempts"]
    assert (attempt["status"], attempt["answer"], attempt["error"]) == (500, "no table free", None)
    assert delivery["next_attempt_at"] > attempt["at"]
    assert delivery["payload"] == receiver.got[0].message
    assert house.owner.get(f"webhooks/{webhook['id']}").json()["failing_since"] is not None


def test_deliveries_are_listed_by_state_and_type_page_by_page(
    house: ClubHouse, receiver: Receiver
) -> None:
    webhook = webhook_to(house, receiver)
    for _ in range(3):
        house.owner.post(f"webhooks/{webhook['id']}/ping")
    deliver()
    path = f"webhooks/{webhook['id']}/deliveries"
    first = house.owner.get(f"{path}?limit=2").json()
    rest = house.owner.get(f"{path}?limit=2&cursor={first['next']}").json()
    items = [*first["items"], *rest["items"]]
    assert len({item["event"] for item in items}) == 3
    assert [item["created_at"] for item in items] == sorted(
        (item["created_at"] for item in items), reverse=True
    )
    assert len(house.owner.get(f"{path}?state=delivered").json()["items"]) == 3
    assert house.owner.get(f"{path}?state=failed").json()["items"] == []
    assert house.owner.get(f"{path}?type=hand.settled").json()["items"] == []


def test_a_delivery_is_sent_again_under_the_same_id(house: ClubHouse, receiver: Receiver) -> None:
    webhook = webhook_to(house, receiver)
    delivery = house.owner.post(f"webhooks/{webhook['id']}/ping").json()
    deliver()
    again = house.owner.post(f"webhook-deliveries/{delivery['id']}/replay")
    assert (again.status_code, again.json()["state"]) == (202, "waiting")
    deliver()
    first, second = receiver.got
    assert (first.id, first.body) == (second.id, second.body)


def test_a_disabled_webhook_is_sent_what_it_missed_when_asked_for(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    webhook = webhook_to(house, receiver, "hand.settled")
    path = f"webhooks/{webhook['id']}"
    off = house.owner.patch(path, {"enabled": False}).json()
    assert (off["enabled"], off["disabled_for"]) == (False, "by_hand")
    game = house.start_game()
    house.append(game, 1, HAND_RESULT)
    settle()
    send_all()
    since = {"since": off["disabled_at"]}
    refused(house.owner.post(f"{path}/replay", since), 409, "webhook_disabled")
    refused(house.owner.post(f"{path}/ping"), 409, "webhook_disabled")
    on = house.owner.patch(path, {"enabled": True}).json()
    assert (on["enabled"], on["disabled_for"], on["disabled_at"]) == (True, None, None)
    send_all()
    assert receiver.got == []
    assert house.owner.post(f"{path}/replay", since).json() == {"deliveries": 1}
    send_all()
    assert receiver.types == ["hand.settled"]
    failed = {**since, "failed_only": True}
    assert house.owner.post(f"{path}/replay", failed).json() == {"deliveries": 0}
    assert house.owner.post(f"{path}/replay", since).json() == {"deliveries": 1}
    send_all()
    assert len({each.id for each in receiver.got}) == 1
    assert len(receiver.got) == 2


def test_a_webhook_is_changed_listed_and_deleted(house: ClubHouse, receiver: Receiver) -> None:
    webhook = webhook_to(house, receiver)
    path = f"webhooks/{webhook['id']}"
    change = {"types": ["game.ended", "game.ended"], "description": "the hall's screen"}
    changed = house.owner.patch(path, change).json()
    assert (changed["types"], changed["url"]) == (["game.ended"], receiver.url)
    listed = house.owner.get(f"clubs/{house.club.id}/webhooks").json()["items"]
    assert listed == [changed]
    house.owner.post(f"{path}/ping")
    assert house.owner.delete(path).status_code == 204
    refused(house.owner.get(path), 404, "not_found")
    deliver()
    assert receiver.got == []
    assert not WebhookDelivery.objects.filter(webhook=webhook["id"]).exists()


def test_a_url_that_leads_inside_is_refused_when_made_and_when_changed(
    house: ClubHouse, receiver: Receiver, settings: Any
) -> None:
    webhook = webhook_to(house, receiver)
    settings.WEBHOOK_ALLOW = []
    for url, reason in (
        ("https://127.0.0.1/", "not_public"),
        ("https://[::ffff:10.0.0.1]/", "not_public"),
        ("http://8.8.8.8/", "not_https"),
        ("https://2130706433/", "not_a_url"),
        ("https://owner:secret@8.8.8.8/", "not_a_url"),
    ):
        body = {"url": url, "types": ALL}
        answer = house.owner.post(f"clubs/{house.club.id}/webhooks", body)
        assert refused(answer, 422, "webhook_url_refused")["reason"] == reason
        answer = house.owner.patch(f"webhooks/{webhook['id']}", {"url": url})
        assert refused(answer, 422, "webhook_url_refused")["reason"] == reason
    house.owner.post(f"webhooks/{webhook['id']}/ping")
    deliver()
    assert receiver.got == [], "what is no longer allowed is no longer sent to"


@pytest.mark.parametrize(
    "body",
    [
        {"types": ["hand.settled"]},
        {"url": "https://8.8.8.8/", "types": []},
        {"url": "https://8.8.8.8/", "types": ["dispute.opened"]},
        {"url": "https://8.8.8.8/", "types": ["game.ended"], "description": "x" * 201},
    ],
)
def test_input_that_cannot_be_is_refused(house: ClubHouse, body: dict[str, Any]) -> None:
    answer = house.owner.post(f"clubs/{house.club.id}/webhooks", body)
    refused(answer, 422, "invalid_input")


def test_a_club_has_at_most_twenty(house: ClubHouse, receiver: Receiver) -> None:
    for _ in range(20):
        webhook_to(house, receiver)
    answer = house.owner.post(
        f"clubs/{house.club.id}/webhooks", {"url": receiver.url, "types": ALL}
    )
    refused(answer, 409, "too_many_webhooks")


def test_only_who_keeps_the_club_has_to_do_with_its_webhooks(
    house: ClubHouse, receiver: Receiver
) -> None:
    webhook = webhook_to(house, receiver)
    delivery = house.owner.post(f"webhooks/{webhook['id']}/ping").json()
    paths = [
        f"clubs/{house.club.id}/webhooks",
        f"webhooks/{webhook['id']}",
        f"webhooks/{webhook['id']}/deliveries",
        f"webhook-deliveries/{delivery['id']}",
    ]
    for role in (Role.REFEREE, Role.RECORDER, Role.PLAYER, Role.VIEWER):
        member = house.member(role)
        for path in paths:
            refused(member.get(path), 403, "permission_denied")
    stranger = ClubHouse().owner
    for path in [*paths, f"webhooks/{uuid4()}", f"webhook-deliveries/{uuid4()}"]:
        refused(stranger.get(path), 404, "not_found")


def test_health_tells_how_long_an_event_has_waited_for_a_worker(
    house: ClubHouse, receiver: Receiver
) -> None:
    webhook = webhook_to(house, receiver)
    house.owner.post(f"webhooks/{webhook['id']}/ping")
    assert house.owner.get("health").json()["oldest_due_webhook_s"] > 0
    deliver()
    assert house.owner.get("health").json()["oldest_due_webhook_s"] == 0
