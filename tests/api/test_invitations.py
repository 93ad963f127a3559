"""Invitations: a link that makes one member, once, and perhaps hands over a guest's record."""

from datetime import timedelta
from functools import partial
from hashlib import sha256
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from records.merges import merge
from records.models import Invitation, Membership, Player, Role
from tests.support.at_once import at_once
from tests.support.people import ClubHouse, Person, new_account
from tests.support.problems import nothing_written, refused


def invited(house: ClubHouse, **changes: Any) -> dict[str, Any]:
    """A new invitation, with its secret."""
    body = {"role": "player", **changes}
    answer = house.owner.post(f"clubs/{house.club.id}/invitations", body)
    assert answer.status_code == 201, answer.content
    invitation: dict[str, Any] = answer.json()
    return invitation


def accept(person: Person, secret: str) -> Any:
    return person.post("invitations/accept", {"secret": secret})


def test_who_follows_an_invitation_is_a_member_with_its_role(house: ClubHouse) -> None:
    invitation = invited(house, role="recorder")
    person = Person(new_account())
    answer = accept(person, invitation["secret"])
    assert answer.status_code == 201
    assert (answer.json()["id"], answer.json()["role"]) == (str(house.club.id), "recorder")
    assert person.get(f"clubs/{house.club.id}").json() == answer.json()


def test_the_secret_is_shown_once_and_only_its_hash_is_kept(house: ClubHouse) -> None:
    secret = invited(house)["secret"]
    stored = Invitation.objects.get(club=house.club)
    assert bytes(stored.secret_hash) == sha256(secret.encode()).digest()
    with connection.cursor() as cursor:
        for table in ("records_invitation", "api_donerequest"):
            cursor.execute(f"SELECT count(*) FROM {table} t WHERE t::text LIKE %s", [f"%{secret}%"])
            assert cursor.fetchone() == (0,)
    (listed,) = house.owner.get(f"clubs/{house.club.id}/invitations").json()["items"]
    assert "secret" not in listed
    assert listed["state"] == "open"


def test_anybody_with_the_secret_sees_what_it_is_an_invitation_to(
    house: ClubHouse, stranger: Person
) -> None:
    guest = house.players[0]
    invitation = invited(house, role="viewer", days=3, player=str(guest.id))
    shown = stranger.post("invitations/look", {"secret": invitation["secret"]}).json()
    assert shown == {
        "club_name": house.club.name,
        "role": "viewer",
        "player_name": guest.name,
        "state": "open",
        "expires_at": invitation["expires_at"],
    }
    unknown = stranger.post("invitations/look", {"secret": "join_nothing"})
    refused(unknown, 404, "unknown_invitation")


def test_an_invitation_makes_one_member_and_says_that_it_was_used(house: ClubHouse) -> None:
    secret = invited(house)["secret"]
    assert accept(Person(new_account()), secret).status_code == 201
    with nothing_written():
        answer = accept(Person(new_account()), secret)
    assert refused(answer, 410, "invitation_over") == {"state": "used"}


def test_of_many_who_accept_an_invitation_at_once_one_becomes_a_member(house: ClubHouse) -> None:
    for _ in range(3):
        secret = invited(house)["secret"]
        before = house.club.memberships.count()
        people = [Person(new_account()) for _ in range(6)]
        answers = at_once(*[partial(accept, person, secret) for person in people])
        assert sorted(answer.status_code for answer in answers) == [201] + [410] * 5
        assert house.club.memberships.count() == before + 1


def test_an_invitation_that_was_taken_back_is_good_for_nothing(house: ClubHouse) -> None:
    invitation = invited(house)
    taken_back = house.owner.delete(f"invitations/{invitation['id']}")
    assert taken_back.json()["state"] == "revoked"
    assert house.owner.delete(f"invitations/{invitation['id']}").status_code == 200
    with nothing_written():
        answer = accept(Person(new_account()), invitation["secret"])
    assert refused(answer, 410, "invitation_over") == {"state": "revoked"}


def test_an_invitation_that_was_followed_cannot_be_taken_back(house: ClubHouse) -> None:
    invitation = invited(house)
    accept(Person(new_account()), invitation["secret"])
    answer = house.owner.delete(f"invitations/{invitation['id']}")
    assert refused(answer, 410, "invitation_over") == {"state": "used"}


def test_an_invitation_ends_with_its_days(house: ClubHouse) -> None:
    invitation = invited(house, days=1)
    stored = Invitation.objects.get(pk=invitation["id"])
    assert abs(stored.expires_at - timezone.now() - timedelta(days=1)) < timedelta(minutes=5)
    Invitation.objects.filter(pk=stored.pk).update(expires_at=timezone.now())
    with nothing_written():
        answer = accept(Person(new_account()), invitation["secret"])
    assert refused(answer, 410, "invitation_over") == {"state": "expired"}


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"days": 0}, 422, "invalid_input"),
        ({"days": 91}, 422, "invalid_input"),
        ({"role": "emperor"}, 422, "invalid_input"),
        ({"player": str(uuid4())}, 404, "not_found"),
    ],
)
def test_an_invitation_that_cannot_be_is_refused(
    house: ClubHouse, changes: dict[str, Any], status: int, code: str
) -> None:
    body = {"role": "player", **changes}
    refused(house.owner.post(f"clubs/{house.club.id}/invitations", body), status, code)
    assert not Invitation.objects.filter(club=house.club).exists()


@pytest.mark.parametrize("role", [role for role in Role if role != Role.OWNER])
def test_only_owners_keep_invitations(house: ClubHouse, role: Role) -> None:
    invitation = invited(house)
    member, path = house.member(role), f"clubs/{house.club.id}/invitations"
    for answer in (
        member.get(path),
        member.post(path, {"role": "player"}),
        member.delete(f"invitations/{invitation['id']}"),
    ):
        assert refused(answer, 403, "permission_denied")["right"] == "keep_members"


def test_an_invitation_of_another_club_is_not_found(house: ClubHouse) -> None:
    invitation = invited(ClubHouse())
    for number in (invitation["id"], uuid4()):
        refused(house.owner.delete(f"invitations/{number}"), 404, "not_found")


def test_a_member_who_follows_an_invitation_keeps_the_role_and_the_invitation(
    house: ClubHouse,
) -> None:
    secret = invited(house, role="viewer")["secret"]
    refused(accept(house.owner, secret), 409, "already_a_member")
    assert accept(Person(new_account()), secret).status_code == 201


def test_an_invitation_hands_the_record_of_its_guest_over(house: ClubHouse) -> None:
    guest, person = house.players[0], Person(new_account())
    accept(person, invited(house, player=str(guest.id))["secret"])
    assert person.account is not None
    assert Player.objects.get(pk=guest.pk).account == person.account
    assert [player["id"] for player in person.get("me").json()["players"]] == [str(guest.id)]


def test_a_record_that_is_no_guests_is_not_handed_over(house: ClubHouse) -> None:
    house.seated(0)
    path = f"clubs/{house.club.id}/invitations"
    taken = house.owner.post(path, {"role": "player", "player": str(house.players[0].id)})
    refused(taken, 409, "not_a_guest")
    secret = invited(house, player=str(house.players[1].id))["secret"]
    house.seated(1)
    person = Person(new_account())
    with nothing_written():
        refused(accept(person, secret), 409, "not_a_guest")


def test_a_record_that_was_merged_is_not_handed_over(house: ClubHouse) -> None:
    guest = house.players[0]
    secret = invited(house, player=str(guest.id))["secret"]
    into = house.owner.post(f"clubs/{house.club.id}/players", {"name": "Lin Two"}).json()
    assert house.owner.account is not None
    merge(absorbed=guest, into=Player.objects.get(pk=into["id"]), by=house.owner.account)
    answer = accept(Person(new_account()), secret)
    refused(answer, 409, "not_a_guest")
    assert "Lin Two" in answer.json()["detail"]


def test_who_plays_in_the_club_already_is_told_to_have_the_records_merged(
    house: ClubHouse,
) -> None:
    person = house.seated(0)
    assert person.account is not None
    Membership.objects.filter(account=person.account).delete()
    secret = invited(house, player=str(house.players[1].id))["secret"]
    with nothing_written():
        answer = accept(person, secret)
    assert refused(answer, 409, "account_plays_already")["player"] == str(house.players[0].id)
    assert "merge" in answer.json()["detail"]
    assert Player.objects.get(pk=house.players[1].pk).account is None
