"""Webhooks from the outside: made by API, told of hands, rulings, games and tiers, kept by API."""

from collections.abc import Iterator
from typing import Any, get_args
from uuid import uuid4

import msgspec
import pytest
from drf_spectacular.generators import SchemaGenerator
from standardwebhooks import WebhookVerificationError

from api.webhooks.catalogue import CATALOGUE, TypeName
from api.webhooks.delivering import deliver
from api.webhooks.following import follow
from api.webhooks.models import Webhook, WebhookDelivery, WebhookEvent
from records.models import Role
from tests.support.people import HAND_RESULT, ClubHouse
from tests.support.problems import refused
from tests.support.receiver import Receiver, receiving

ALL = sorted(CATALOGUE)


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_ALLOW = ["127.0.0.1"]
    with receiving() as started:
        yield started


def made(house: ClubHouse, receiver: Receiver, *types: str) -> Any:
    """A new webhook of the club for these types of events, all if none is named."""
    answer = house.owner.post(
        f"clubs/{house.club.id}/webhooks", {"url": receiver.url, "types": list(types) or ALL}
    )
    assert answer.status_code == 201, answer.content
    return answer.json()


def sent() -> None:
    """Do now what the workers do within seconds."""
    follow()
    deliver()


def test_a_settled_hand_is_told_signed_and_once(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    webhook = made(house, receiver, "hand.settled")
    game = house.start_game()
    house.append(game, 1, HAND_RESULT)
    sent()
    assert receiver.got == [], "nothing is told before the hand is settled"
    settle()
    sent()
    sent()
    (got,) = receiver.got
    message = got.verified(webhook["secret"])
    data = message["data"]
    assert (message["type"], message["version"]) == ("hand.settled", 1)
    assert (data["game"], data["hand"], data["revision"]) == (game, 1, 1)
    assert data["players"] == [str(player.id) for player in house.players]
    assert sum(data["points"]) == 0
    assert b"23456788m" not in got.body, "no tile is told, also not of a hand that is over"
    paid = dict.fromkeys(data["players"], 0)
    for payment in data["payments"]:
        paid[payment["payer"]] -= payment["points"]
        paid[payment["payee"]] += payment["points"]
    assert list(paid.values()) == data["points"]
    assert house.owner.get(data["link"].removeprefix("/api/v1/")).status_code == 200


def test_a_ruling_and_what_it_changes_are_told(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    made(house, receiver)
    game = house.start_game()
    house.append(game, 1, HAND_RESULT)
    settle()
    void = {"type": "hand_voided", "hand": 1, "reason": "Lin and Mei sat wrongly"}
    assert house.owner.post(f"games/{game}/rulings", void, if_match='"2"').status_code == 201
    settle()
    sent()
    by_type = {each.message["type"]: each.message["data"] for each in receiver.got}
    settled, again = by_type["hand.settled"], by_type["hand.resettled"]
    assert again["points_before"] == settled["points"]
    assert (again["result"], again["points"], again["revision"]) == ("voided", [0, 0, 0, 0], 2)
    ruling = by_type["ruling.made"]
    assert (ruling["ruling"], ruling["hand"], ruling["seq"]) == ("hand_voided", 1, 3)
    assert all(b"Lin" not in each.body for each in receiver.got), "ids are told, and no free text"


def test_payments_beside_the_hands_are_told_as_rulings_alone(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    made(house, receiver, "hand.settled", "hand.resettled", "ruling.made")
    game = house.start_game()
    player = str(house.players[0].id)
    penalty = {
        "type": "penalty",
        "reason": "late",
        "transfers": [{"payer": player, "payee": "club", "points": 3}],
    }
    assert house.owner.post(f"games/{game}/rulings", penalty, if_match='"1"').status_code == 201
    settle()
    sent()
    assert receiver.types == ["ruling.made"]
    data = receiver.got[0].message["data"]
    assert (data["hand"], data["entry"]) == (0, 2)
    assert data["players"] == [player, str(house.club.id)]
    assert data["points"] == [-3, 3]


def test_the_end_of_a_game_is_told_when_its_hands_are_settled(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    made(house, receiver, "game.ended")
    game = house.start_game()
    house.append(game, 1, HAND_RESULT, {"type": "game_ended"})
    sent()
    assert receiver.got == []
    settle()
    sent()
    (got,) = receiver.got
    data = got.message["data"]
    assert (data["game"], data["seq"], data["reason"]) == (game, 3, "finished")
    assert (data["hands"], data["unsettled_hands"]) == (1, 0)
    assert sum(total["points"] for total in data["totals"]) == 0
    assert {total["player"] for total in data["totals"]} == {str(p.id) for p in house.players}


def test_an_end_that_was_taken_back_is_not_told(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    made(house, receiver, "game.ended")
    game = house.start_game()
    house.append(game, 1, {"type": "game_ended"})
    house.append(game, 2, {"type": "rewind", "to": 1, "reason": "one more hand"})
    sent()
    assert receiver.got == []
    house.append(game, 3, {"type": "game_ended", "reason": "dissolved"})
    sent()
    assert [each.message["data"]["seq"] for each in receiver.got] == [4]


def ladder(*least: int) -> dict[str, Any]:
    """A club's ladder whose tiers from the second on begin at these scores."""
    tiers = [
        {"zh": str(number), "en": str(number), "from_points": from_points}
        for number, from_points in enumerate([None, *least], 1)
    ]
    return {"name": "steps", "tiers": tiers, "start": 0, "demotion": True, "scope": "for_ever"}


def test_a_tier_is_told_when_it_changes_whatever_changed_it(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    path = f"clubs/{house.club.id}/ladder"
    assert house.owner.put(path, ladder(1, 1_000)).status_code == 200
    made(house, receiver, "tier.changed")
    winner = str(house.players[2].id)
    game = house.start_game()
    house.append(game, 1, HAND_RESULT)
    settle()
    sent()
    sent()
    (up,) = told_of(receiver, winner)
    assert (up["from_tier"], up["to_tier"], up["score"]) == (None, 2, 32)
    assert (up["to_tier_zh"], up["season"]) == ("2", None)
    assert up["cause"] == {"game": game, "hand": 1, "entry": 0}
    assert len(receiver.got) == 4, "the other three have come to the ladder's first tier"

    void = {"type": "hand_voided", "hand": 1, "reason": "dealt wrongly"}
    assert house.owner.post(f"games/{game}/rulings", void, if_match='"2"').status_code == 201
    settle()
    sent()
    house.append(game, 3, {**HAND_RESULT, "hand": 2})
    settle()
    sent()
    assert house.owner.put(path, ladder(1, 2)).status_code == 200
    settle()
    sent()
    told = told_of(receiver, winner)
    steps = [(each["from_tier"], each["to_tier"]) for each in told]
    assert steps == [(None, 2), (2, None), (None, 2), (2, 3)]
    assert [each["cause"] and each["cause"]["hand"] for each in told] == [1, 1, 2, None]
    assert len(receiver.got) == 13, "whose tier stayed was not told of"


def told_of(receiver: Receiver, player: str) -> list[Any]:
    """What was told of a player's tiers, in order."""
    data = [each.message["data"] for each in receiver.got]
    return [each for each in data if each["player"] == player]


def test_a_webhook_is_told_nothing_from_before_it_was_made_and_nothing_of_other_clubs(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    house.append(house.start_game(), 1, HAND_RESULT)
    settle()
    made(house, receiver)
    other = ClubHouse()
    other.append(other.start_game(), 1, HAND_RESULT)
    settle()
    sent()
    assert receiver.got == []


def test_only_types_that_were_asked_for_are_told(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    made(house, receiver, "game.ended")
    house.append(house.start_game(), 1, HAND_RESULT, {"type": "game_ended"})
    settle()
    sent()
    assert receiver.types == ["game.ended"]


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
    first = made(house, receiver)
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
    webhook = made(house, receiver)
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
    webhook = made(house, receiver)
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
    webhook = made(house, receiver)
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
    webhook = made(house, receiver, "hand.settled")
    path = f"webhooks/{webhook['id']}"
    off = house.owner.patch(path, {"enabled": False}).json()
    assert (off["enabled"], off["disabled_for"]) == (False, "by_hand")
    game = house.start_game()
    house.append(game, 1, HAND_RESULT)
    settle()
    sent()
    since = {"since": off["disabled_at"]}
    refused(house.owner.post(f"{path}/replay", since), 409, "webhook_disabled")
    refused(house.owner.post(f"{path}/ping"), 409, "webhook_disabled")
    on = house.owner.patch(path, {"enabled": True}).json()
    assert (on["enabled"], on["disabled_for"], on["disabled_at"]) == (True, None, None)
    sent()
    assert receiver.got == []
    assert house.owner.post(f"{path}/replay", since).json() == {"deliveries": 1}
    sent()
    assert receiver.types == ["hand.settled"]
    failed = {**since, "failed_only": True}
    assert house.owner.post(f"{path}/replay", failed).json() == {"deliveries": 0}
    assert house.owner.post(f"{path}/replay", since).json() == {"deliveries": 1}
    sent()
    assert len({each.id for each in receiver.got}) == 1
    assert len(receiver.got) == 2


def test_a_webhook_is_changed_listed_and_deleted(house: ClubHouse, receiver: Receiver) -> None:
    webhook = made(house, receiver)
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
    webhook = made(house, receiver)
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
        made(house, receiver)
    answer = house.owner.post(
        f"clubs/{house.club.id}/webhooks", {"url": receiver.url, "types": ALL}
    )
    refused(answer, 409, "too_many_webhooks")


def test_only_who_keeps_the_club_has_to_do_with_its_webhooks(
    house: ClubHouse, receiver: Receiver
) -> None:
    webhook = made(house, receiver)
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
    webhook = made(house, receiver)
    house.owner.post(f"webhooks/{webhook['id']}/ping")
    assert house.owner.get("health").json()["oldest_due_webhook_s"] > 0
    deliver()
    assert house.owner.get("health").json()["oldest_due_webhook_s"] == 0


def test_the_catalogue_lists_what_is_sent_and_nothing_else(house: ClubHouse) -> None:
    assert sorted(get_args(TypeName)) == ALL
    items = house.owner.get("webhook-types").json()["items"]
    assert [item["type"] for item in items] == list(CATALOGUE)
    for item in items:
        fields = msgspec.structs.fields(CATALOGUE[item["type"]])
        assert item["data"]["required"] == [field.name for field in fields]
        assert item["data"]["properties"].keys() == {field.name for field in fields}


def test_an_event_that_nobody_wants_is_not_kept(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    made(house, receiver, "game.ended")
    house.append(house.start_game(), 1, HAND_RESULT)
    settle()
    sent()
    assert not WebhookEvent.objects.filter(club_id=house.club.id).exists()


def test_the_document_describes_every_message() -> None:
    document = SchemaGenerator().get_schema(public=True)
    assert document["webhooks"].keys() == {*CATALOGUE, "webhook.ping"}
    for name, path in document["webhooks"].items():
        post = path["post"]
        headers = {parameter["name"] for parameter in post["parameters"]}
        assert headers == {"webhook-id", "webhook-timestamp", "webhook-signature"}
        message = post["requestBody"]["content"]["application/json"]["schema"]
        assert message["properties"]["type"] == {"const": name}
        data = message["properties"]["data"]["$ref"].rpartition("/")[2]
        assert document["components"]["schemas"][data]["required"]
