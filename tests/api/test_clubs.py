"""Clubs, members, players: who may see and change them."""

from uuid import uuid4

import pytest

from records.models import Player, Role
from tests.support.people import ClubHouse, Person, new_account, unused_name
from tests.support.problems import nothing_written, refused


def test_a_founder_is_the_owner_of_the_club(house: ClubHouse) -> None:
    answer = house.owner.post("clubs", {"name": "竹林", "slug": "bamboo", "time_zone": "UTC"})
    assert answer.status_code == 201
    club = answer.json()
    assert (club["name"], club["role"], club["time_zone"]) == ("竹林", "owner", "UTC")
    assert club["created_at"].endswith("Z")
    assert house.owner.get(f"clubs/{club['id']}").json() == club


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"time_zone": "Mars/Olympus"}, 422, "unknown_time_zone"),
        ({"slug": "Two Words"}, 422, "invalid_input"),
        ({"slug": ""}, 422, "invalid_input"),
        ({"name": "   "}, 422, "invalid_input"),
        ({"name": None}, 422, "invalid_input"),
        ({"name": "x" * 61}, 422, "invalid_input"),
        ({"colour": "green"}, 422, "invalid_input"),
    ],
)
def test_a_club_that_cannot_be_is_not_founded(
    house: ClubHouse, changes: dict[str, str], status: int, code: str
) -> None:
    with nothing_written():
        answer = house.owner.post("clubs", {"name": "A", "slug": "a", **changes})
    refused(answer, status, code)


def test_a_slug_is_taken_once(house: ClubHouse) -> None:
    with nothing_written():
        answer = house.owner.post("clubs", {"name": "Again", "slug": house.club.slug})
    assert refused(answer, 409, "slug_taken") == {"slug": house.club.slug}


def test_a_list_of_clubs_shows_ones_own_page_by_page(house: ClubHouse) -> None:
    ClubHouse()
    for number in range(4):
        house.owner.post("clubs", {"name": f"Club {number}", "slug": unused_name()})
    first = house.owner.get("clubs?limit=3").json()
    second = house.owner.get(f"clubs?limit=3&cursor={first['next']}").json()
    names = [club["name"] for club in (*first["items"], *second["items"])]
    assert names == [house.club.name, "Club 0", "Club 1", "Club 2", "Club 3"]
    assert second["next"] is None


@pytest.mark.parametrize("path", ["", "/members", "/players", "/leaderboard"])
def test_a_club_of_others_is_not_found(house: ClubHouse, path: str) -> None:
    other = ClubHouse()
    refused(house.owner.get(f"clubs/{other.club.id}{path}"), 404, "not_found")
    refused(house.owner.get(f"clubs/{uuid4()}{path}"), 404, "not_found")


@pytest.mark.parametrize("path", ["", "/members", "/players", "/leaderboard"])
@pytest.mark.parametrize("role", list(Role))
def test_every_member_may_read(house: ClubHouse, role: Role, path: str) -> None:
    assert house.member(role).get(f"clubs/{house.club.id}{path}").status_code == 200


@pytest.mark.parametrize("role", [role for role in Role if role != Role.OWNER])
def test_only_an_owner_keeps_the_members(house: ClubHouse, role: Role) -> None:
    member, guest = house.member(role), new_account()
    with nothing_written():
        answer = member.post(
            f"clubs/{house.club.id}/members", {"username": guest.username, "role": "owner"}
        )
    assert refused(answer, 403, "permission_denied")["right"] == "keep_members"


@pytest.mark.parametrize(
    ("role", "allowed"),
    [("owner", True), ("referee", True), ("recorder", True), ("player", False), ("viewer", False)],
)
def test_who_may_add_and_rename_players(house: ClubHouse, role: Role, *, allowed: bool) -> None:
    member = house.member(Role(role))
    added = member.post(f"clubs/{house.club.id}/players", {"name": "Wu"})
    renamed = member.patch(f"players/{house.players[0].id}", {"name": "Lin the Elder"})
    assert (added.status_code, renamed.status_code) == ((201, 200) if allowed else (403, 403))


def test_a_role_may_be_changed_but_the_last_owner_stays(house: ClubHouse) -> None:
    assert house.owner.account is not None
    path, name = f"clubs/{house.club.id}/members", house.owner.account.username
    refused(house.owner.post(path, {"username": name, "role": "viewer"}), 409, "last_owner")
    second = house.member(Role.VIEWER)
    assert second.account is not None
    promotion = {"username": second.account.username, "role": "owner"}
    assert house.owner.post(path, promotion).json()["role"] == "owner"
    assert house.owner.post(path, {"username": name, "role": "viewer"}).status_code == 201
    members = second.get(path).json()["items"]
    assert [member["role"] for member in members] == ["viewer", "owner"]


def test_a_member_who_does_not_exist_is_refused(house: ClubHouse) -> None:
    with nothing_written():
        answer = house.owner.post(
            f"clubs/{house.club.id}/members", {"username": "nobody", "role": "viewer"}
        )
    refused(answer, 422, "unknown_account")


def test_a_player_may_have_an_account_and_an_account_is_one_player(house: ClubHouse) -> None:
    path, account = f"clubs/{house.club.id}/players", house.member(Role.PLAYER).account
    assert account is not None
    player = house.owner.post(path, {"name": "Wu", "username": account.username}).json()
    assert player["account"] == str(account.id)
    with nothing_written():
        again = house.owner.post(path, {"name": "Wu Two", "username": account.username})
    refused(again, 409, "account_plays_already")


def test_an_account_that_is_no_member_cannot_be_a_player(house: ClubHouse) -> None:
    path = f"clubs/{house.club.id}/players"
    for username in (new_account().username, "nobody"):
        with nothing_written():
            answer = house.owner.post(path, {"name": "Wu", "username": username})
        refused(answer, 422, "not_a_member")


def test_a_name_is_one_player_in_a_club_and_free_in_the_next(house: ClubHouse) -> None:
    path = f"clubs/{house.club.id}/players"
    with nothing_written():
        refused(house.owner.post(path, {"name": "Lin"}), 409, "player_name_taken")
        taken = house.owner.patch(f"players/{house.players[1].id}", {"name": "Lin"})
    refused(taken, 409, "player_name_taken")
    assert ClubHouse().players[0].name == "Lin"


def test_a_player_of_another_club_is_neither_shown_nor_renamed(house: ClubHouse) -> None:
    player = ClubHouse().players[0]
    refused(house.owner.get(f"players/{player.id}"), 404, "not_found")
    refused(house.owner.patch(f"players/{player.id}", {"name": "Mine"}), 404, "not_found")
    assert Player.objects.get(pk=player.pk).name == "Lin"


def test_a_new_name_shows_in_the_games_already_recorded(house: ClubHouse) -> None:
    game = house.start_game()
    house.owner.patch(f"players/{house.players[0].id}", {"name": "Lin the Elder"})
    seats = house.owner.get(f"games/{game}").json()["seats"]
    assert [seat["name"] for seat in seats] == ["Lin the Elder", "Mei", "Tao", "Yun"]


@pytest.mark.parametrize("cursor", ["x", "W10", "WyJhIiwiYiJd", "bnVsbA", "%00", "W251bGxd"])
@pytest.mark.parametrize("path", ["clubs", "games", "clubs/{club}/players", "clubs/{club}/members"])
def test_a_cursor_that_no_page_gave_is_refused(house: ClubHouse, path: str, cursor: str) -> None:
    answer = house.owner.get(f"{path.format(club=house.club.id)}?cursor={cursor}")
    refused(answer, 422, "invalid_input")


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("limit=0", "invalid_input"),
        ("limit=201", "invalid_input"),
        ("limit=ten", "invalid_input"),
        ("page=2", "unknown_parameter"),
        ("limit=%00", "invalid_input"),
    ],
)
def test_a_query_that_is_not_understood_is_refused(house: ClubHouse, query: str, code: str) -> None:
    refused(house.owner.get(f"clubs?{query}"), 422, code)


def test_nothing_is_read_without_a_token(house: ClubHouse, stranger: Person) -> None:
    game = house.start_game()
    for path in ("me", "clubs", "games", f"games/{game}", f"clubs/{house.club.id}"):
        refused(stranger.get(path), 401, "not_authenticated")
