"""Tokens of people and of clubs: what they are good for, who makes them, and when they end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.utils import timezone

from api.models import Token
from api.removal import remove_person
from api.scopes import Scope
from api.tokens import LAST_USE, MAX_DAYS, drop_expired, sign_in
from records.clubs import Right, set_member
from records.games import read_game
from records.models import Account, Club, Membership, Role
from tests.support.at_once import at_once
from tests.support.everything import account_of
from tests.support.people import HAND_RESULT, ClubHouse, Person
from tests.support.plays import played_hand
from tests.support.problems import refused


def made(maker: Person, path: str = "tokens", **body: Any) -> tuple[Person, dict[str, Any]]:
    """Who acts by a new token, and how the token is shown."""
    answer = maker.post(path, {"name": "t", "scopes": ["games:read"], **body})
    assert answer.status_code == 201, answer.content
    shown: dict[str, Any] = answer.json()
    acts_as = Account.objects.get(pk=shown["account"])
    return Person(acts_as, token=shown["token"]), shown


def test_a_token_is_shown_once_and_kept_hashed(house: ClubHouse) -> None:
    _, shown = made(house.owner, name="the score app", scopes=["games:read", "account:read"])
    secret = shown.pop("token")
    assert secret.startswith(shown["prefix"])
    for listed in (
        house.owner.get("tokens").json()["items"][0],
        house.owner.get(f"tokens/{shown['id']}").json(),
    ):
        assert listed == shown
    with connection.cursor() as cursor:
        for table in ("api_token", "api_donerequest"):
            cursor.execute(f"SELECT count(*) FROM {table} t WHERE t::text LIKE %s", [f"%{secret}%"])
            assert cursor.fetchone() == (0,)


def test_every_scope_is_explained_in_both_languages(stranger: Person) -> None:
    items = stranger.get("scopes").json()["items"]
    assert [item["scope"] for item in items] == list(Scope)
    assert all(item["meaning"] == item["meaning_en"] != item["meaning_zh"] for item in items)
    chinese = stranger.get("scopes", accept_language="zh-Hans").json()["items"]
    assert [item["meaning"] for item in chinese] == [item["meaning_zh"] for item in items]
    of_clubs = {item["scope"] for item in items if item["of_one_club"]}
    assert of_clubs == set(Scope) - {Scope.ACCOUNT_READ, Scope.ACCOUNT_WRITE}


def test_a_token_does_what_its_scopes_say_and_nothing_else(house: ClubHouse) -> None:
    reader, _ = made(house.owner, scopes=["games:read"])
    game = house.start_game()
    assert reader.get(f"games/{game}/events").status_code == 200
    answer = reader.post(f"games/{game}/events", HAND_RESULT, if_match='"1"')
    facts = refused(answer, 403, "missing_scope")
    assert facts == {"expected": "games:record", "actual": ["games:read"]}
    assert answer["WWW-Authenticate"] == ('Bearer error="insufficient_scope", scope="games:record"')


def test_a_live_hand_is_open_only_to_a_token_that_may_record(house: ClubHouse) -> None:
    game = house.start_game()
    assert house.append(game, 1, played_hand(game, seed=7)[0]).status_code == 201
    reader, _ = made(house.owner, scopes=["games:read"])
    recorder, _ = made(house.owner, scopes=["games:read", "games:record"])
    deals = [
        person.get(f"games/{game}/events").json()["items"][1]["event"]["dealt"]
        for person in (recorder, house.owner, reader)
    ]
    assert deals[0] == deals[1]
    assert deals[2] == [None] * 4


def test_a_token_of_one_club_knows_of_no_other(house: ClubHouse) -> None:
    other = ClubHouse()
    set_member(club=other.club, username=account_of(house.owner).username, role=Role.OWNER)
    game, elsewhere = house.start_game(), other.start_game()
    scopes = ["games:read", "club:read", "games:record"]
    limited, shown = made(house.owner, scopes=scopes, clubs=[str(house.club.pk)])
    assert shown["clubs"] == [str(house.club.pk)]
    assert limited.get(f"games/{game}").status_code == 200
    assert [row["id"] for row in limited.get("games").json()["items"]] == [game]
    assert [row["id"] for row in limited.get("clubs").json()["items"]] == [str(house.club.pk)]
    for path in (f"games/{elsewhere}", f"clubs/{other.club.pk}", f"games/{uuid4()}"):
        refused(limited.get(path), 404, "not_found")
    refused(limited.post("games", other.game_body()), 404, "not_found")
    assert len(house.owner.get("games").json()["items"]) == 2


def test_a_token_of_clubs_can_have_no_scope_of_the_account(house: ClubHouse) -> None:
    body = {"name": "t", "scopes": ["games:read", "account:write"], "clubs": [str(house.club.pk)]}
    facts = refused(house.owner.post("tokens", body), 422, "scope_of_account")
    assert facts["actual"] == ["account:write"]
    body = {"name": "t", "scopes": ["account:read"], "role": "viewer"}
    refused(house.owner.post(f"clubs/{house.club.pk}/tokens", body), 422, "scope_of_account")


def test_a_token_is_not_made_for_a_club_one_is_no_member_of(house: ClubHouse) -> None:
    body = {"name": "t", "scopes": ["games:read"], "clubs": [str(ClubHouse().club.pk)]}
    refused(house.owner.post("tokens", body), 404, "not_found")


@pytest.mark.parametrize(
    ("body", "beyond"),
    [
        ({"scopes": ["games:read", "club:admin"]}, "scopes"),
        ({"scopes": ["games:read"], "days": 30}, "expires_at_s"),
    ],
)
def test_a_token_makes_none_that_is_good_for_more_or_for_longer(
    house: ClubHouse, body: dict[str, Any], beyond: str
) -> None:
    maker, _ = made(house.owner, scopes=["account:write", "games:read"], days=2)
    assert made(maker, scopes=["games:read"], days=1)[1]["state"] == "active"
    facts = refused(maker.post("tokens", {"name": "t", **body}), 403, "beyond_your_token")
    assert facts[beyond]


def test_a_token_with_club_admin_makes_a_club_token_within_its_own_scopes(
    house: ClubHouse,
) -> None:
    path = f"clubs/{house.club.pk}/tokens"
    keeper, _ = made(
        house.owner, scopes=["club:admin", "games:read"], clubs=[str(house.club.pk)], days=2
    )
    made(keeper, path, role="viewer", scopes=["games:read"], days=1)
    body = {"name": "t", "role": "owner", "scopes": ["games:record"], "days": 1}
    refused(keeper.post(path, body), 403, "beyond_your_token")


@pytest.mark.parametrize(
    "wrong",
    [{"days": 0}, {"days": MAX_DAYS + 1}, {"scopes": []}, {"scopes": ["games:win"]}, {"name": ""}],
)
def test_a_token_expires_within_a_year_and_is_good_for_something(
    house: ClubHouse, wrong: dict[str, Any]
) -> None:
    body = {"name": "t", "scopes": ["games:read"], **wrong}
    refused(house.owner.post("tokens", body), 422, "invalid_input")


def test_a_revoked_token_is_refused_and_stays_in_the_list(house: ClubHouse) -> None:
    program, shown = made(house.owner)
    assert program.get("games").status_code == 200
    gone = house.owner.delete(f"tokens/{shown['id']}").json()
    assert (gone["state"], gone["revoked_at"] is None) == ("revoked", False)
    refused(program.get("games"), 401, "authentication_failed")
    assert house.owner.delete(f"tokens/{shown['id']}").json() == gone
    assert gone in house.owner.get("tokens").json()["items"]


def test_all_tokens_that_one_made_are_revoked_at_once_and_a_sign_in_stays(
    house: ClubHouse,
) -> None:
    programs = [made(house.owner)[0] for _ in range(2)]
    assert house.owner.delete("tokens").status_code == 204
    for program in programs:
        refused(program.get("games"), 401, "authentication_failed")
    assert house.owner.get("games").status_code == 200


def test_a_token_of_somebody_else_does_not_exist(house: ClubHouse) -> None:
    _, shown = made(house.owner)
    _, of_the_club = made(house.owner, f"clubs/{house.club.pk}/tokens", role="viewer")
    other = ClubHouse()
    for person, path in (
        (other.owner, f"tokens/{shown['id']}"),
        (house.owner, f"tokens/{of_the_club['id']}"),
        (other.owner, f"clubs/{other.club.pk}/tokens/{of_the_club['id']}"),
    ):
        refused(person.get(path), 404, "not_found")
        refused(person.delete(path), 404, "not_found")


def test_a_program_can_ask_what_its_token_is_good_for(house: ClubHouse) -> None:
    program, shown = made(house.owner, scopes=["exports:read"])
    assert shown.pop("token")
    assert {**program.get("token").json(), "last_used_at": None} == shown
    assert house.owner.get("token").json()["kind"] == "sign_in"


def test_a_program_can_give_its_token_back(house: ClubHouse) -> None:
    program, shown = made(house.owner, scopes=["games:read"])
    assert program.post("sign-out").status_code == 204
    refused(program.get("games"), 401, "authentication_failed")
    assert house.owner.get(f"tokens/{shown['id']}").json()["state"] == "revoked"


def test_of_requests_in_flight_with_one_key_one_makes_the_token_and_gets_it(
    house: ClubHouse,
) -> None:
    body = {"name": "t", "scopes": ["games:read"]}
    answers = at_once(*[lambda: house.owner.post("tokens", body, key="k")] * 4)
    assert {answer.status_code for answer in answers} == {201}
    shown = [answer.json() for answer in answers]
    assert len({each["id"] for each in shown}) == 1
    assert sum(each["token"] is not None for each in shown) == 1


def test_the_last_use_is_written_once_an_hour(house: ClubHouse) -> None:
    program, shown = made(house.owner)
    token = Token.objects.get(pk=shown["id"])
    assert token.last_used_at is None
    program.get("games")
    token.refresh_from_db()
    first = token.last_used_at
    assert first is not None
    program.get("games")
    token.refresh_from_db()
    assert token.last_used_at == first
    Token.objects.filter(pk=token.pk).update(last_used_at=first - LAST_USE - timedelta(seconds=1))
    program.get("games")
    token.refresh_from_db()
    assert token.last_used_at >= first


def test_a_club_token_acts_as_a_machine_with_its_role(house: ClubHouse) -> None:
    path = f"clubs/{house.club.pk}/tokens"
    machine, shown = made(
        house.owner, path, role="recorder", scopes=["games:read", "games:record", "club:read"]
    )
    assert (shown["kind"], shown["role"]) == ("club", "recorder")
    assert shown["created_by"] == str(account_of(house.owner).pk)
    game = machine.post("games", house.game_body()).json()["id"]
    assert machine.post(f"games/{game}/events", HAND_RESULT, if_match='"1"').status_code == 201
    assert str(read_game(UUID(game)).created_by) == shown["account"]
    assert [club["id"] for club in machine.get("clubs").json()["items"]] == [str(house.club.pk)]
    body = {"type": "hand_voided", "hand": 1, "reason": "a trial"}
    refused(machine.post(f"games/{game}/rulings", body, if_match='"2"'), 403, "missing_scope")


def test_a_machine_is_no_member_that_people_see_or_change(house: ClubHouse) -> None:
    machine = account_of(house.machine(Role.OWNER))
    members = f"clubs/{house.club.pk}/members"
    assert len(house.owner.get(members).json()["items"]) == 1
    refused(house.owner.delete(f"{members}/{machine.pk}"), 404, "not_found")
    body = {"username": machine.username, "role": "viewer"}
    refused(house.owner.post(members, body), 422, "unknown_account")
    player = {"name": "Robot", "username": machine.username}
    refused(house.owner.post(f"clubs/{house.club.pk}/players", player), 422, "not_a_member")


def test_a_machine_is_not_the_owner_that_a_club_needs(house: ClubHouse) -> None:
    house.machine(Role.OWNER)
    house.member(Role.VIEWER)
    refused(house.owner.delete(f"clubs/{house.club.pk}/membership"), 409, "last_owner")


def test_a_club_token_stays_when_its_maker_goes(house: ClubHouse) -> None:
    second = house.member(Role.OWNER)
    machine, _ = made(second, f"clubs/{house.club.pk}/tokens", role="viewer")
    assert second.delete(f"clubs/{house.club.pk}/membership").status_code == 204
    refused(second.get(f"clubs/{house.club.pk}"), 404, "not_found")
    assert machine.get("games").status_code == 200
    (listed,) = house.owner.get(f"clubs/{house.club.pk}/tokens").json()["items"]
    assert listed["created_by"] == str(account_of(second).pk)


def test_a_club_token_ends_with_the_club(house: ClubHouse) -> None:
    machine = house.machine(Role.RECORDER, "games:read")
    assert machine.get("games").status_code == 200
    remove_person(account_of(house.owner))
    refused(machine.get("games"), 401, "authentication_failed")


def test_a_club_token_that_is_revoked_takes_its_machine_along(house: ClubHouse) -> None:
    path = f"clubs/{house.club.pk}/tokens"
    machine, shown = made(house.owner, path, role="viewer")
    assert house.owner.delete(f"{path}/{shown['id']}").json()["state"] == "revoked"
    refused(machine.get("games"), 401, "authentication_failed")
    assert not Membership.objects.filter(account=shown["account"]).exists()
    others = [made(house.owner, path, role="viewer")[0] for _ in range(2)]
    assert house.owner.delete(path).status_code == 204
    for other in others:
        refused(other.get("games"), 401, "authentication_failed")


@pytest.mark.parametrize("role", [role for role in Role if role != Role.OWNER])
def test_only_owners_keep_the_tokens_of_a_club(house: ClubHouse, role: Role) -> None:
    answer = house.member(role).get(f"clubs/{house.club.pk}/tokens")
    assert refused(answer, 403, "permission_denied")["right"] == Right.KEEP_CLUB


def test_a_club_that_is_deleted_takes_its_machines_and_their_tokens_along(
    house: ClubHouse,
) -> None:
    machine = house.machine(Role.VIEWER)
    house.club.players.all().delete()
    Club.objects.get(pk=house.club.pk).delete()
    assert not Token.objects.filter(account=account_of(machine).pk).exists()
    refused(machine.get("games"), 401, "authentication_failed")


def test_sign_ins_that_are_over_are_dropped_and_other_tokens_stay(house: ClubHouse) -> None:
    owner = account_of(house.owner)
    _, shown = made(house.owner)
    sign_in(owner)
    Token.objects.filter(account=owner).update(expires_at=timezone.now() - timedelta(days=1))
    drop_expired()
    assert [str(token.pk) for token in owner.tokens.all()] == [shown["id"]]
