"""Claims: a member says that a guest's record is theirs, and the club decides."""

from typing import Any
from uuid import uuid4

import pytest

from records.models import Claim, Player, Role
from tests.support.at_once import at_once
from tests.support.people import ClubHouse, Person
from tests.support.problems import refused


def claimed(house: ClubHouse, person: Person, seat: int = 0) -> str:
    """The id of a new claim on the player of this seat."""
    answer = person.post(f"players/{house.players[seat].id}/claims")
    assert answer.status_code == 201, answer.content
    claim: str = answer.json()["id"]
    return claim


def decide(person: Person, claim: str, *, accepted: bool = True) -> Any:
    return person.post(f"claims/{claim}/decision", {"accepted": accepted})


def holder(house: ClubHouse, seat: int = 0) -> Any:
    return Player.objects.get(pk=house.players[seat].pk).account


@pytest.mark.parametrize("role", [Role.OWNER, Role.REFEREE, Role.RECORDER])
def test_a_claim_that_is_accepted_gives_the_record_to_the_member(
    house: ClubHouse, role: Role
) -> None:
    person = house.member(Role.PLAYER)
    claim = claimed(house, person)
    assert holder(house) is None
    answer = decide(house.member(role), claim).json()
    assert (answer["accepted"], answer["player"]["account"]) == (True, answer["account"]["id"])
    assert holder(house) == person.account


def test_a_claim_that_is_refused_leaves_the_record_and_may_be_made_again(house: ClubHouse) -> None:
    person = house.member(Role.PLAYER)
    claim = claimed(house, person)
    assert decide(house.owner, claim, accepted=False).json()["accepted"] is False
    assert holder(house) is None
    refused(decide(house.owner, claim), 409, "claim_decided")
    assert claimed(house, person) != claim


@pytest.mark.parametrize("role", [Role.PLAYER, Role.VIEWER])
def test_a_claim_is_decided_by_who_keeps_the_players(house: ClubHouse, role: Role) -> None:
    claim = claimed(house, house.member(Role.PLAYER))
    answer = decide(house.member(role), claim)
    assert refused(answer, 403, "permission_denied")["right"] == "keep_players"


def test_ones_own_claim_is_for_others_to_decide_except_for_an_owner(house: ClubHouse) -> None:
    recorder = house.member(Role.RECORDER)
    claim = claimed(house, recorder)
    refused(decide(recorder, claim), 403, "own_claim")
    assert decide(house.member(Role.RECORDER), claim).status_code == 200
    assert decide(house.owner, claimed(house, house.owner, seat=1)).status_code == 200
    assert holder(house, 1) == house.owner.account


def test_a_member_has_one_open_claim_on_a_record(house: ClubHouse) -> None:
    person = house.member(Role.PLAYER)
    answers = at_once(*[lambda: person.post(f"players/{house.players[0].id}/claims")] * 4)
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    refused(person.post(f"players/{house.players[0].id}/claims"), 409, "claim_open_already")


def test_who_has_an_account_cannot_be_claimed(house: ClubHouse) -> None:
    house.seated(0)
    answer = house.member(Role.PLAYER).post(f"players/{house.players[0].id}/claims")
    refused(answer, 409, "not_a_guest")


def test_who_plays_already_claims_nothing_more_and_is_told_of_merging(house: ClubHouse) -> None:
    answer = house.seated(0).post(f"players/{house.players[1].id}/claims")
    refused(answer, 409, "account_plays_already")
    assert "merge" in answer.json()["detail"]


def test_accepting_one_claim_refuses_the_others_on_the_record(house: ClubHouse) -> None:
    first, second = (claimed(house, house.member(Role.PLAYER)) for _ in range(2))
    elsewhere = claimed(house, house.member(Role.PLAYER), seat=1)
    decide(house.owner, first)
    assert Claim.objects.get(pk=second).accepted is False
    assert Claim.objects.get(pk=elsewhere).accepted is None


def test_of_two_claims_accepted_at_once_one_is(house: ClubHouse) -> None:
    claims = [claimed(house, house.member(Role.PLAYER)) for _ in range(2)]
    answers = at_once(*[lambda claim=claim: decide(house.owner, claim) for claim in claims])
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert Claim.objects.filter(pk__in=claims, accepted=True).count() == 1


def test_a_member_who_claims_two_records_gets_one_of_them(house: ClubHouse) -> None:
    person = house.member(Role.PLAYER)
    first, second = claimed(house, person), claimed(house, person, seat=1)
    decide(house.owner, first)
    refused(decide(house.owner, second), 409, "account_plays_already")


def test_the_list_shows_all_open_claims_to_who_decides_and_ones_own_to_others(
    house: ClubHouse,
) -> None:
    one, other = house.member(Role.PLAYER), house.member(Role.VIEWER)
    first, second = claimed(house, one), claimed(house, other)
    decided = claimed(house, house.member(Role.PLAYER))
    decide(house.owner, decided, accepted=False)
    path = f"clubs/{house.club.id}/claims"
    shown = [
        [claim["id"] for claim in person.get(path).json()["items"]]
        for person in (house.owner, one, other)
    ]
    assert shown == [[first, second], [first], [second]]


def test_who_leaves_the_club_drops_their_claims(house: ClubHouse) -> None:
    person = house.member(Role.PLAYER)
    claim = claimed(house, person)
    assert person.delete(f"clubs/{house.club.id}/membership").status_code == 204
    refused(decide(house.owner, claim), 404, "not_found")


def test_records_and_claims_of_other_clubs_are_not_found(house: ClubHouse) -> None:
    other = ClubHouse()
    claim = claimed(other, other.member(Role.PLAYER))
    refused(house.owner.post(f"players/{other.players[0].id}/claims"), 404, "not_found")
    for number in (claim, uuid4()):
        refused(decide(house.owner, number), 404, "not_found")
