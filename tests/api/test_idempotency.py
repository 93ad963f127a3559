"""Every write may be sent again: the same key and request get the same answer and one effect."""

from functools import partial
from typing import Any

import pytest
from django.urls import get_resolver

from api.models import DoneRequest
from api.operation import IDEMPOTENCY_KEY, operation_of
from records.models import Account, Game, Membership, Role
from tests.support.at_once import at_once
from tests.support.people import HAND_RESULT, ClubHouse, Person, new_account, unused_name
from tests.support.problems import nothing_written, refused

WITHOUT_KEY = {
    "EndSession",
    "LookAtInvitation",
    "PreviewLadder",
    "PreviewResult",
    "PreviewRuling",
    "RemoveMe",
    "SignIn",
    "SignOut",
    "StartSession",
}
"""Writes without a key, each for a reason that its description gives."""


def test_every_operation_that_writes_takes_a_key() -> None:
    operations = {
        operation
        for pattern in get_resolver("api.v1.urls").url_patterns
        for method in ("post", "put", "patch", "delete")
        if (view := getattr(pattern.callback, "cls", None)) is not None
        if (operation := operation_of(view, method)) is not None
    }
    keyed = {operation.__name__ for operation in operations if IDEMPOTENCY_KEY in operation.reads}
    assert keyed | WITHOUT_KEY == {operation.__name__ for operation in operations}
    assert not keyed & WITHOUT_KEY


def writes(house: ClubHouse) -> list[tuple[str, str, Any]]:
    """One of each keyed write: method, path, body."""
    club = f"clubs/{house.club.id}"
    return [
        ("post", "clubs", {"name": "New", "slug": unused_name()}),
        ("post", f"{club}/members", {"username": new_account().username, "role": "viewer"}),
        ("post", f"{club}/players", {"name": "Wu"}),
        ("patch", f"players/{house.players[0].id}", {"name": "Lin the Elder"}),
        ("post", "games", house.game_body()),
    ]


def test_a_write_sent_again_gets_the_same_answer_and_writes_nothing(house: ClubHouse) -> None:
    for method, path, body in writes(house):
        first = getattr(house.owner, method)(path, body, key=path)
        assert first.status_code in (200, 201), first.content
        with nothing_written():
            again = getattr(house.owner, method)(path, body, key=path)
        assert (again.status_code, again.content) == (first.status_code, first.content)
        assert again["Idempotent-Replayed"] == "true"
        for header in ("ETag", "Location"):
            assert again.get(header) == first.get(header)


def test_a_secret_is_shown_once_and_null_in_a_repeated_answer(house: ClubHouse) -> None:
    path, body = f"clubs/{house.club.id}/invitations", {"role": "player"}
    first = house.owner.post(path, body, key="k").json()
    again = house.owner.post(path, body, key="k")
    assert first["secret"]
    assert again.json() == {**first, "secret": None}
    assert again["Idempotent-Replayed"] == "true"
    assert house.club.invitations.count() == 1
    assert first["secret"] not in repr(DoneRequest.objects.values())


def test_a_key_used_for_another_request_is_refused(house: ClubHouse) -> None:
    for method, path, body in writes(house):
        getattr(house.owner, method)(path, body, key=path)
        with nothing_written():
            other = getattr(house.owner, method)(path, {**body, "name": "Other"}, key=path)
        refused(other, 422, "idempotency_key_reused")


def test_the_order_of_the_fields_makes_no_other_request(house: ClubHouse) -> None:
    first = house.owner.post("clubs", b'{"name": "New", "slug": "ordered"}', key="k")
    again = house.owner.post("clubs", b'{ "slug":"ordered", "name":"New" }', key="k")
    assert first.status_code == 201
    assert again.content == first.content


def test_each_account_has_keys_of_its_own(house: ClubHouse) -> None:
    other = ClubHouse().owner
    answers = [
        person.post("clubs", {"name": "A", "slug": unused_name()}, key="k")
        for person in (house.owner, other)
    ]
    assert [answer.status_code for answer in answers] == [201, 201]


def test_a_write_that_was_refused_may_be_tried_again_with_its_key(house: ClubHouse) -> None:
    body = {"username": unused_name(), "role": "viewer"}
    path = f"clubs/{house.club.id}/members"
    refused(house.owner.post(path, body, key="k"), 422, "unknown_account")
    Account.objects.create(username=body["username"])
    assert house.owner.post(path, body, key="k").status_code == 201


@pytest.mark.parametrize("key", ["", "two words", "x" * 256])
def test_a_write_without_a_proper_key_is_refused(house: ClubHouse, key: str) -> None:
    with nothing_written():
        answer = house.owner.post("clubs", {"name": "A", "slug": "a"}, idempotency_key=key)
    refused(answer, 400, "idempotency_key_required")


def test_signing_up_again_with_the_key_needs_the_same_password(stranger: Person) -> None:
    credentials = {"username": unused_name(), "password": "nine gates and a wall"}
    first = stranger.post("accounts", credentials, key="k")
    assert stranger.post("accounts", credentials, key="k").content == first.content
    other = {**credentials, "password": "nine gates and a door"}
    refused(stranger.post("accounts", other, key="k"), 422, "idempotency_key_reused")
    assert credentials["password"] not in repr(DoneRequest.objects.values())


def test_an_append_sent_again_gets_the_same_receipt(house: ClubHouse) -> None:
    path = f"games/{house.start_game()}/events"
    first = house.owner.post(path, HAND_RESULT, key="k", if_match='"1"').json()
    with nothing_written():
        again = house.owner.post(path, HAND_RESULT, key="k", if_match='"1"')
    assert again.status_code == 201
    assert again["ETag"] == '"2"'
    assert again.json() == {**first, "replayed": True}


def test_two_requests_in_flight_with_one_key_have_one_effect(house: ClubHouse) -> None:
    def add(name: str) -> Any:
        return house.owner.post(f"clubs/{house.club.id}/players", {"name": name}, key=name)

    for name in ("Wu", "Xia", "Ye"):
        answers = at_once(*[partial(add, name)] * 4)
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.content for answer in answers}) == 1
    assert house.club.players.count() == 4 + 3


def test_two_starts_in_flight_with_one_key_start_one_game(house: ClubHouse) -> None:
    answers = at_once(*[lambda: house.owner.post("games", house.game_body(), key="k")] * 4)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert Game.objects.filter(club_id=house.club.id).count() == 1


def test_two_recorders_at_once_write_one_event_and_the_other_is_told(house: ClubHouse) -> None:
    game = house.start_game()
    answers = at_once(*[lambda: house.append(game, 1, HAND_RESULT)] * 4)
    assert sorted(answer.status_code for answer in answers) == [201, 412, 412, 412]
    for answer in answers:
        if answer.status_code == 412:
            assert [event["seq"] for event in answer.json()["facts"]["events"]] == [2]


def test_two_owners_cannot_each_demote_the_other(house: ClubHouse) -> None:
    second = house.member(Role.OWNER)
    path = f"clubs/{house.club.id}/members"

    def demote(person: Person, name: str) -> Any:
        return lambda: person.post(path, {"username": name, "role": "viewer"})

    assert house.owner.account is not None
    assert second.account is not None
    answers = at_once(
        demote(house.owner, second.account.username), demote(second, house.owner.account.username)
    )
    assert 201 in {answer.status_code for answer in answers}
    assert Membership.objects.filter(club=house.club, role="owner").count() == 1
