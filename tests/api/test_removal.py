"""Removing a person: the name is nowhere any more, and everything the others see still stands."""

import io
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from api.models import Token
from records.models import Account, Claim, Invitation, Player, Role
from records.verification import verify_game
from tests.support.people import HAND_RESULT, ClubHouse, Person, unused_name
from tests.support.problems import nothing_written, refused

PASSWORD = "nine gates and a wall"


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@dataclass
class Somebody:
    """Somebody with a name that occurs nowhere else, who has played and left traces everywhere."""

    name: str
    person: Person
    player: str
    twin: str
    games: list[str]
    sign_up_key: str


def somebody(house: ClubHouse, stranger: Person, settle: Any) -> Somebody:
    """Somebody who signed up, joined, was renamed, merged, sat at tables and failed to sign in."""
    name = f"zhangsan-{unused_name()}"
    credentials, key = {"username": name, "password": PASSWORD}, unused_name()
    account = stranger.post("accounts", credentials, key=key).json()
    Account.objects.filter(pk=account["id"]).update(
        email=f"{name}@example.org", first_name=name, last_name=name
    )
    stranger.post("sign-in", {**credentials, "password": "a guess of no use"})
    person = Person()
    token = stranger.post("sign-in", credentials).json()["token"]
    person.headers["authorization"] = f"Bearer {token}"
    stranger.post("sign-in", {**credentials, "password": "a guess of no use"})
    club = f"clubs/{house.club.id}"
    house.owner.post(f"{club}/members", {"username": name, "role": "recorder"})
    body = {"name": f"{name} of old", "username": name}
    player = house.owner.post(f"{club}/players", body).json()["id"]
    house.owner.patch(f"players/{player}", {"name": f"Player {name}"})
    twin = house.owner.post(f"{club}/players", {"name": f"Guest {name}"}).json()["id"]
    games = []
    for record in (player, twin):
        others = [str(other.id) for other in house.players[1:]]
        games.append(house.start_game(players=[record, *others]))
        house.append(games[-1], 1, HAND_RESULT)
    settle()
    house.owner.post(f"{club}/merges", {"absorbed": twin, "into": player})
    return Somebody(name, person, player, twin, games, key)


def traces_of(name: str) -> list[str]:
    """The tables of the whole database that hold the name in any column, as text or as bytes."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c"
            " JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE c.relkind IN ('r', 'p', 'm')"
            " AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')"
        )
        tables = [row[0] for row in cursor.fetchall()]
        found = []
        for table in tables:
            cursor.execute(
                f"SELECT count(*) FROM {table} AS r WHERE r::text ILIKE %s OR r::text ILIKE %s",
                [f"%{name}%", f"%{name.encode().hex()}%"],
            )
            if cursor.fetchone() != (0,):
                found.append(table)
        return found


def without_names(value: Any) -> Any:
    """An answer without the fields that say what people are called."""
    if isinstance(value, dict):
        return {key: without_names(item) for key, item in value.items() if key != "name"}
    return [without_names(item) for item in value] if isinstance(value, list) else value


def test_a_person_who_is_removed_leaves_no_name_and_the_others_records_stand(
    house: ClubHouse, stranger: Person, settle: Any
) -> None:
    gone = somebody(house, stranger, settle)
    assert {
        "public.records_account",
        "public.records_player",
        "public.api_donerequest",
        "public.axes_accessattempt",
    } <= set(traces_of(gone.name))
    paths = [f"games/{game}/settlement" for game in gone.games]
    paths += [f"games/{game}/events?proof=true" for game in gone.games]
    before = [without_names(house.owner.get(path).json()) for path in paths]
    assert all(verify_game(game).finding is None for game in gone.games)

    assert gone.person.post("me/removal", {"password": PASSWORD}).status_code == 204

    assert traces_of(gone.name) == []
    assert [without_names(house.owner.get(path).json()) for path in paths] == before
    assert all(verify_game(game).finding is None for game in gone.games)
    refused(gone.person.get("me"), 401, "authentication_failed")
    again = {"username": gone.name, "password": PASSWORD}
    refused(stranger.post("sign-in", again), 401, "authentication_failed")


def test_what_stays_of_a_person_is_an_account_without_a_way_in_and_nameless_players(
    house: ClubHouse, stranger: Person, settle: Any
) -> None:
    gone = somebody(house, stranger, settle)
    account = Account.objects.get(username=gone.name)
    gone.person.post("me/removal", {"password": PASSWORD})
    account.refresh_from_db()
    assert account.username.startswith("gone-")
    assert (account.email, account.first_name, account.last_name) == ("", "", "")
    assert (account.is_active, account.has_usable_password()) == (False, False)
    assert account.removed_at is not None
    assert not Token.objects.filter(account=account).exists()
    assert not account.memberships.exists()
    players = Player.objects.filter(pk__in=[gone.player, gone.twin])
    assert {player.account_id for player in players} == {None}
    assert all(player.name.startswith("gone-") and player.left_at for player in players)
    assert len({player.name for player in players}) == 2
    seats = house.owner.get(f"games/{gone.games[0]}").json()["seats"]
    assert seats[0]["name"] in {player.name for player in players}


def test_an_answer_that_named_the_person_is_not_repeated_and_nothing_is_done_again(
    house: ClubHouse, stranger: Person, settle: Any
) -> None:
    gone = somebody(house, stranger, settle)
    gone.person.post("me/removal", {"password": PASSWORD})
    body = {"username": gone.name, "password": PASSWORD}
    with nothing_written():
        again = stranger.post("accounts", body, key=gone.sign_up_key)
    assert refused(again, 410, "answer_forgotten") == {"status": 201}
    assert not Account.objects.filter(username=gone.name).exists()
    assert stranger.post("accounts", body).status_code == 201


def test_answers_about_others_are_kept(house: ClubHouse, stranger: Person, settle: Any) -> None:
    path, body = f"clubs/{house.club.id}/players", {"name": "Wu"}
    first = house.owner.post(path, body, key="kept")
    gone = somebody(house, stranger, settle)
    gone.person.post("me/removal", {"password": PASSWORD})
    assert house.owner.post(path, body, key="kept").content == first.content


def test_a_person_is_not_removed_without_their_password(
    house: ClubHouse, stranger: Person, settle: Any
) -> None:
    gone = somebody(house, stranger, settle)
    refused(gone.person.post("me/removal", {"password": "a guess"}), 403, "wrong_password")
    refused(gone.person.post("me/removal", {}), 422, "invalid_input")
    assert Account.objects.get(username=gone.name).is_active


def test_guessing_passwords_for_a_removal_locks_the_account(
    house: ClubHouse, stranger: Person, settle: Any
) -> None:
    gone = somebody(house, stranger, settle)
    guesses = [gone.person.post("me/removal", {"password": "a guess"}) for _ in range(10)]
    assert guesses[-1].json()["code"] == "locked_out"
    refused(gone.person.post("me/removal", {"password": PASSWORD}), 429, "locked_out")


def test_the_last_owner_of_a_club_with_members_hands_it_over_first(
    house: ClubHouse, stranger: Person, settle: Any
) -> None:
    gone = somebody(house, stranger, settle)
    club = gone.person.post("clubs", {"name": "Own", "slug": unused_name()}).json()
    path, other = f"clubs/{club['id']}/members", house.owner.account
    assert other is not None
    gone.person.post(path, {"username": other.username, "role": "viewer"})
    with nothing_written():
        answer = gone.person.post("me/removal", {"password": PASSWORD})
    assert refused(answer, 409, "last_owner")["club"] == club["id"]
    assert gone.person.get("me").status_code == 200
    gone.person.post(path, {"username": other.username, "role": "owner"})
    assert gone.person.post("me/removal", {"password": PASSWORD}).status_code == 204


def test_a_club_ends_with_its_only_member_and_its_invitations_with_it(
    house: ClubHouse, stranger: Person, settle: Any
) -> None:
    gone = somebody(house, stranger, settle)
    club = gone.person.post("clubs", {"name": "Own", "slug": unused_name()}).json()
    invitation = gone.person.post(f"clubs/{club['id']}/invitations", {"role": "owner"}).json()
    kept = house.owner.post(f"clubs/{house.club.id}/invitations", {"role": "player"}).json()
    gone.person.post("me/removal", {"password": PASSWORD})
    assert Invitation.objects.get(pk=invitation["id"]).revoked_at is not None
    assert Invitation.objects.get(pk=kept["id"]).revoked_at is None


def test_the_open_claims_of_a_person_who_goes_are_dropped(
    house: ClubHouse, stranger: Person
) -> None:
    name = unused_name()
    stranger.post("accounts", {"username": name, "password": PASSWORD})
    house.owner.post(f"clubs/{house.club.id}/members", {"username": name, "role": "player"})
    person = Person(Account.objects.get(username=name))
    claim = person.post(f"players/{house.players[0].id}/claims").json()
    person.post("me/removal", {"password": PASSWORD})
    assert not Claim.objects.filter(pk=claim["id"]).exists()


def run(*arguments: str) -> str:
    """What the command printed."""
    output = io.StringIO()
    call_command("remove_account", *arguments, stdout=output)
    return output.getvalue()


def test_an_operator_removes_a_person_who_cannot_sign_in(
    house: ClubHouse, stranger: Person, settle: Any
) -> None:
    gone = somebody(house, stranger, settle)
    with pytest.raises(CommandError, match=r"member of 1 clubs and plays as 1 players.*--yes"):
        run(gone.name)
    assert traces_of(gone.name)
    assert "2 players keep their records" in run(gone.name, "--yes")
    assert traces_of(gone.name) == []


def test_the_command_says_whom_it_cannot_remove(house: ClubHouse) -> None:
    with pytest.raises(CommandError, match="no account 'nobody'"):
        run("nobody", "--yes")
    house.member(Role.VIEWER)
    assert house.owner.account is not None
    with pytest.raises(CommandError, match="needs an owner"):
        run(house.owner.account.username, "--yes")
