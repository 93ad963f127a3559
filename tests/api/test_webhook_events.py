"""What webhooks tell of: hands, rulings, ends of games, tiers; each once, and to whom it is for."""

import re
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from drf_spectacular.generators import SchemaGenerator

from api.webhooks.catalogue import CATALOGUE, TypeName
from api.webhooks.models import WebhookEvent
from replays.visibility import PUBLIC
from rules_engine import registry
from rules_engine.events import GameStarted
from rules_engine.ruleset import Ruleset
from tests.support.people import HAND_RESULT, ClubHouse
from tests.support.receiver import Receiver
from tests.support.twins import LiveGame, live_game, twin_of
from tests.support.webhooks import send_all, webhook_to


def test_a_settled_hand_is_told_signed_and_once(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    webhook = webhook_to(house, receiver, "hand.settled")
    game = house.start_game()
    house.append(game, 1, HAND_RESULT)
    send_all()
    assert receiver.got == [], "nothing is told before the hand is settled"
    settle()
    send_all()
    send_all()
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
    webhook_to(house, receiver)
    game = house.start_game()
    house.append(game, 1, HAND_RESULT)
    settle()
    void = {"type": "hand_voided", "hand": 1, "reason": "Lin and Mei sat wrongly"}
    assert house.owner.post(f"games/{game}/rulings", void, if_match='"2"').status_code == 201
    settle()
    send_all()
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
    webhook_to(house, receiver, "hand.settled", "hand.resettled", "ruling.made")
    game = house.start_game()
    player = str(house.players[0].id)
    penalty = {
        "type": "penalty",
        "reason": "late",
        "transfers": [{"payer": player, "payee": "club", "points": 3}],
    }
    assert house.owner.post(f"games/{game}/rulings", penalty, if_match='"1"').status_code == 201
    settle()
    send_all()
    assert receiver.types == ["ruling.made"]
    data = receiver.got[0].message["data"]
    assert (data["hand"], data["entry"]) == (0, 2)
    assert data["players"] == [player, str(house.club.id)]
    assert data["points"] == [-3, 3]


def test_the_beginning_of_a_game_is_told_with_who_plays(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    webhook_to(house, receiver, "game.started")
    game = house.start_game(stake=2)
    settle()
    send_all()
    send_all()
    (got,) = receiver.got
    data = got.message["data"]
    assert (got.message["type"], data["game"], data["stake"]) == ("game.started", game, 2)
    assert data["people"] == [str(player.id) for player in house.players]
    assert got.message["timestamp"] == data["started_at"]
    assert house.owner.get(data["link"].removeprefix("/api/v1/")).json()["id"] == game


def test_the_end_of_a_game_is_told_when_its_hands_are_settled(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    webhook_to(house, receiver, "game.ended")
    game = house.start_game()
    house.append(game, 1, HAND_RESULT, {"type": "game_ended"})
    send_all()
    assert receiver.got == []
    settle()
    send_all()
    (got,) = receiver.got
    data = got.message["data"]
    assert (data["game"], data["seq"], data["reason"]) == (game, 3, "finished")
    assert (data["hands"], data["unsettled_hands"]) == (1, 0)
    assert sum(total["points"] for total in data["totals"]) == 0
    assert {total["player"] for total in data["totals"]} == {str(p.id) for p in house.players}


def test_an_end_that_was_taken_back_is_not_told(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    webhook_to(house, receiver, "game.ended")
    game = house.start_game()
    house.append(game, 1, {"type": "game_ended"})
    house.append(game, 2, {"type": "rewind", "to": 1, "reason": "one more hand"})
    settle()
    send_all()
    assert receiver.got == []
    house.append(game, 3, {"type": "game_ended", "reason": "dissolved"})
    settle()
    send_all()
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
    webhook_to(house, receiver, "tier.changed")
    winner = str(house.players[2].id)
    game = house.start_game()
    house.append(game, 1, HAND_RESULT)
    settle()
    send_all()
    send_all()
    (up,) = told_of(receiver, winner)
    assert (up["from_tier"], up["to_tier"], up["score"]) == (None, 2, 32)
    assert (up["to_tier_zh"], up["season"]) == ("2", None)
    assert up["cause"] == {"game": game, "hand": 1, "entry": 0}
    assert len(receiver.got) == 4, "the other three have come to the ladder's first tier"

    void = {"type": "hand_voided", "hand": 1, "reason": "dealt wrongly"}
    assert house.owner.post(f"games/{game}/rulings", void, if_match='"2"').status_code == 201
    settle()
    send_all()
    house.append(game, 3, {**HAND_RESULT, "hand": 2})
    settle()
    send_all()
    assert house.owner.put(path, ladder(1, 2)).status_code == 200
    settle()
    send_all()
    told = told_of(receiver, winner)
    steps = [(each["from_tier"], each["to_tier"]) for each in told]
    assert steps == [(None, 2), (2, None), (None, 2), (2, 3)]
    assert [each["cause"] and each["cause"]["hand"] for each in told] == [1, 1, 2, None]
    assert len(receiver.got) == 13, "whose tier stayed was not told of"


def test_another_ladder_is_told_of_also_where_nothing_was_played_since(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    path = f"clubs/{house.club.id}/ladder"
    assert house.owner.put(path, ladder(1, 1_000)).status_code == 200
    house.append(house.start_game(), 1, HAND_RESULT)
    settle()
    send_all()
    webhook_to(house, receiver, "tier.changed")
    assert house.owner.put(path, ladder(1, 2)).status_code == 200
    settle()
    send_all()
    (told,) = [each.message["data"] for each in receiver.got]
    assert (told["from_tier"], told["to_tier"], told["cause"]) == (2, 3, None)


def told_of(receiver: Receiver, player: str) -> list[Any]:
    """What was told of a player's tiers, in order."""
    data = [each.message["data"] for each in receiver.got]
    return [each for each in data if each["player"] == player]


def test_a_webhook_is_told_nothing_from_before_it_was_made_and_nothing_of_other_clubs(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    house.append(house.start_game(), 1, HAND_RESULT)
    settle()
    webhook_to(house, receiver)
    other = ClubHouse()
    other.append(other.start_game(), 1, HAND_RESULT)
    settle()
    send_all()
    assert receiver.got == []


def test_only_types_that_were_asked_for_are_told(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    webhook_to(house, receiver, "game.ended")
    house.append(house.start_game(), 1, HAND_RESULT, {"type": "game_ended"})
    settle()
    send_all()
    assert receiver.types == ["game.ended"]


def test_an_event_that_nobody_wants_is_not_kept(
    house: ClubHouse, receiver: Receiver, settle: Any
) -> None:
    webhook_to(house, receiver, "game.ended")
    house.append(house.start_game(), 1, HAND_RESULT)
    settle()
    send_all()
    assert not WebhookEvent.objects.filter(club_id=house.club.id).exists()


def test_the_catalogue_lists_what_is_sent_and_nothing_else(house: ClubHouse) -> None:
    assert sorted(get_args(TypeName)) == sorted(CATALOGUE)
    items = house.owner.get("webhook-types").json()["items"]
    assert [item["type"] for item in items] == list(CATALOGUE)
    for item in items:
        fields = msgspec.structs.fields(CATALOGUE[item["type"]])
        assert item["data"]["required"] == [field.name for field in fields]
        assert item["data"]["properties"].keys() == {field.name for field in fields}


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


def told_in_a_world(live: LiveGame, receiver: Receiver, settle: Any) -> list[bytes]:
    """Record a game whose last hand is live: what is told of it, ids and times set aside."""
    house = ClubHouse()
    webhook_to(house, receiver)
    started = live.before[0][1]
    assert isinstance(started, GameStarted)
    game = house.start_game(
        ruleset=started.ruleset, ruleset_version=started.ruleset_version, options=started.options
    )
    events = msgspec.json.decode(msgspec.json.encode([event for _, event in live.events[1:]]))
    assert house.append(game, 1, *events).status_code == 201
    settle()
    receiver.got.clear()
    send_all()
    names = {str(house.club.pk): b"club", game: b"game"}
    names |= {str(player.pk): b"player %d" % n for n, player in enumerate(house.players)}
    told = []
    for got in receiver.got:
        body = got.body
        for name, word in names.items():
            body = body.replace(name.encode(), word)
        told.append(re.sub(rb"\d{4}-\d\d-\d\dT[0-9:.]+Z", b"time", body))
    return sorted(told)


@pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda each: each.slug)
def test_no_message_tells_two_deals_of_a_live_hand_apart(
    house: ClubHouse, receiver: Receiver, settle: Any, ruleset: Ruleset
) -> None:
    del house
    pairs = (
        (live, twin_of(live, PUBLIC, Random(seed)))
        for seed in range(100)
        if not (live := live_game(ruleset, seed=seed)).base.substitutes
        and 8 <= len(live.hand) <= len(live.events) <= 450
    )
    live, twin = next((live, twin) for live, twin in pairs if twin is not None)
    told = told_in_a_world(live, receiver, settle)
    assert told
    assert told_in_a_world(twin, receiver, settle) == told
