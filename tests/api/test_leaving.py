"""Leaving a club, being removed from it, and playing again."""

from typing import Any
from uuid import uuid4

import pytest

from records.models import Membership, Player, Role
from tests.support.at_once import at_once
from tests.support.people import HAND_RESULT, ClubHouse, Person, new_account
from tests.support.problems import nothing_written, refused


def leave(house: ClubHouse, person: Person) -> Any:
    return person.delete(f"clubs/{house.club.id}/membership")


def remove(house: ClubHouse, person: Person, by: Person | None = None) -> Any:
    assert person.account is not None
    return (by or house.owner).delete(f"clubs/{house.club.id}/members/{person.account.pk}")


def has_left(house: ClubHouse, seat: int) -> bool:
    return Player.objects.get(pk=house.players[seat].pk).left_at is not None


def test_who_leaves_sees_the_club_no_more_and_keeps_the_record(house: ClubHouse) -> None:
    person = house.seated(0)
    assert leave(house, person).status_code == 204
    refused(person.get(f"clubs/{house.club.id}"), 404, "not_found")
    refused(leave(house, person), 404, "not_found")
    assert has_left(house, 0)
    me = person.get("me").json()
    assert me["clubs"] == []
    assert [player["id"] for player in me["players"]] == [str(house.players[0].id)]


def test_who_has_left_takes_no_seat_until_they_join_again(house: ClubHouse) -> None:
    person = house.seated(0)
    assert person.account is not None
    leave(house, person)
    with nothing_written():
        answer = house.owner.post("games", house.game_body())
    assert refused(answer, 409, "player_left")["players"] == [str(house.players[0].id)]
    body = {"username": person.account.username, "role": "player"}
    house.owner.post(f"clubs/{house.club.id}/members", body)
    assert not has_left(house, 0)
    house.start_game()


def test_who_comes_back_by_an_invitation_plays_again(house: ClubHouse) -> None:
    person = house.seated(0)
    leave(house, person)
    invitation = house.owner.post(f"clubs/{house.club.id}/invitations", {"role": "viewer"}).json()
    person.post("invitations/accept", {"secret": invitation["secret"]})
    assert not has_left(house, 0)


def test_a_substitute_who_has_left_is_refused_too(house: ClubHouse) -> None:
    fifth = house.owner.post(f"clubs/{house.club.id}/players", {"name": "Wu"}).json()
    house.owner.patch(f"players/{fifth['id']}", {"left": True})
    answer = house.owner.post("games", house.game_body(substitutes=[fifth["id"]]))
    refused(answer, 409, "player_left")


def test_a_guest_is_marked_as_left_and_as_playing_again(house: ClubHouse) -> None:
    path = f"players/{house.players[0].id}"
    left = house.owner.patch(path, {"left": True}).json()
    assert left["left_at"]
    assert house.owner.patch(path, {"left": True}).json() == left
    assert house.owner.patch(path, {"left": False, "name": "Lin Again"}).json() == {
        **left,
        "left_at": None,
        "name": "Lin Again",
    }


def test_a_game_that_has_begun_goes_on_without_regard_to_who_left(house: ClubHouse) -> None:
    person = house.seated(0)
    game = house.start_game()
    leave(house, person)
    assert house.append(game, 1, HAND_RESULT).status_code == 201


def test_a_member_is_removed_by_an_owner(house: ClubHouse) -> None:
    person = house.seated(0)
    assert remove(house, person).status_code == 204
    refused(person.get(f"clubs/{house.club.id}"), 404, "not_found")
    assert has_left(house, 0)
    refused(remove(house, person), 404, "not_found")


@pytest.mark.parametrize("role", [role for role in Role if role != Role.OWNER])
def test_only_an_owner_removes_members(house: ClubHouse, role: Role) -> None:
    member = house.member(role)
    with nothing_written():
        answer = remove(house, house.owner, by=member)
    assert refused(answer, 403, "permission_denied")["right"] == "keep_members"


def test_a_member_of_another_club_cannot_be_removed_here(house: ClubHouse) -> None:
    other = ClubHouse()
    refused(remove(house, other.owner), 404, "not_found")
    refused(house.owner.delete(f"clubs/{house.club.id}/members/{uuid4()}"), 404, "not_found")
    assert other.club.memberships.count() == 1


def test_the_last_owner_neither_leaves_nor_is_removed(house: ClubHouse) -> None:
    house.member(Role.REFEREE)
    with nothing_written():
        refused(leave(house, house.owner), 409, "last_owner")
        refused(remove(house, house.owner), 409, "last_owner")


def test_an_owner_whose_account_is_closed_is_not_counted(house: ClubHouse) -> None:
    closed = house.member(Role.OWNER).account
    assert closed is not None
    closed.is_active = False
    closed.save()
    refused(leave(house, house.owner), 409, "last_owner")


def test_of_two_owners_who_leave_at_once_one_stays(house: ClubHouse) -> None:
    second = house.member(Role.OWNER)
    answers = at_once(lambda: leave(house, house.owner), lambda: leave(house, second))
    assert sorted(answer.status_code for answer in answers) == [204, 409]
    assert Membership.objects.filter(club=house.club, role="owner").count() == 1


def test_leaving_sent_again_with_its_key_is_done_once(house: ClubHouse) -> None:
    person = house.member(Role.VIEWER)
    path = f"clubs/{house.club.id}/membership"
    assert person.delete(path, key="k").status_code == 204
    again = person.delete(path, key="k")
    assert (again.status_code, again["Idempotent-Replayed"]) == (204, "true")


def test_players_are_listed_by_whether_they_are_guests_and_whether_they_left(
    house: ClubHouse,
) -> None:
    leave(house, house.seated(0))
    house.seated(1)
    house.owner.patch(f"players/{house.players[2].id}", {"left": True})

    def names(query: str) -> list[str]:
        answer = house.owner.get(f"clubs/{house.club.id}/players?{query}")
        return [player["name"] for player in answer.json()["items"]]

    assert names("") == ["Lin", "Mei", "Tao", "Yun"]
    assert names("guest=true") == ["Tao", "Yun"]
    assert names("guest=false") == ["Lin", "Mei"]
    assert names("left=true") == ["Lin", "Tao"]
    assert names("left=false&guest=true") == ["Yun"]


def test_somebody_in_several_clubs_sees_each_with_the_role_and_the_player_there(
    house: ClubHouse,
) -> None:
    other, account = ClubHouse(), new_account()
    person = Person(account)
    for club, role in ((house, "referee"), (other, "viewer")):
        path = f"clubs/{club.club.id}"
        club.owner.post(f"{path}/members", {"username": account.username, "role": role})
        club.owner.post(f"{path}/players", {"name": "Me", "username": account.username})
    me = person.get("me").json()
    assert me["username"] == account.username
    assert [(club["id"], club["role"]) for club in me["clubs"]] == [
        (str(house.club.id), "referee"),
        (str(other.club.id), "viewer"),
    ]
    assert [player["club"] for player in me["players"]] == [club["id"] for club in me["clubs"]]


def test_two_records_of_one_person_do_not_sit_at_one_table(house: ClubHouse) -> None:
    path = f"clubs/{house.club.id}"
    twin = house.owner.post(f"{path}/players", {"name": "Lin Two"}).json()["id"]
    merge = {"absorbed": twin, "into": str(house.players[0].id)}
    assert house.owner.post(f"{path}/merges", merge).status_code == 201
    seats = [str(player.id) for player in house.players]
    with nothing_written():
        answer = house.owner.post("games", house.game_body(players=[*seats[:3], twin]))
    assert set(refused(answer, 409, "one_person_twice")["players"]) == {twin, seats[0]}
    house.start_game(players=[twin, *seats[1:]])
