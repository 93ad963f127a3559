"""Rulings through the API: who may, what is refused, what is shown, and what it comes to."""

from typing import Any

import pytest

from records.models import Role
from tests.support.people import HAND_RESULT, ClubHouse, Person
from tests.support.plays import played_hand
from tests.support.problems import nothing_written, refused

FACTS = {
    "dealer": 0,
    "result": "hu",
    "wins": [{"seat": 3, "by": "zimo", "tile": "5p", "concealed": "23456788m34p678s"}],
}
CORRECTED = {"type": "hand_corrected", "hand": 1, "facts": FACTS, "reason": "seat 3 had won"}
VOIDED = {"type": "hand_voided", "hand": 1, "reason": "a tile was missing"}


def penalty(house: ClubHouse, **changes: Any) -> dict[str, Any]:
    """The player of seat 0 pays 30 into the club's pot."""
    due = {"payer": str(house.players[0].id), "payee": "club", "points": 30}
    return {"type": "penalty", "transfers": [due], "reason": "late", **changes}


def played(house: ClubHouse) -> str:
    """A game with one hand, at seq 2."""
    game = house.start_game()
    assert house.append(game, 1, HAND_RESULT).status_code == 201
    return game


def rule(person: Person, game: str, seq: int, body: Any, **headers: str) -> Any:
    return person.post(f"games/{game}/rulings", body, if_match=f'"{seq}"', **headers)


def test_a_referee_corrects_a_hand_and_it_is_paid_anew(house: ClubHouse, settle: Any) -> None:
    game = played(house)
    settle()
    referee = house.member(Role.REFEREE)
    answer = rule(referee, game, 2, {**CORRECTED, "dispute": "d-7"})
    assert (answer.status_code, answer["ETag"]) == (201, '"3"')
    assert answer.json()["last_seq"] == 3
    settle()
    hand = referee.get(f"games/{game}/hands/1").json()
    assert [revision["points"] for revision in hand["revisions"]] == [
        [-12, -10, 32, -10],
        [-12, -10, -10, 32],
    ]
    (ruling,) = hand["rulings"]
    assert referee.account is not None
    assert ruling["by"]["id"] == str(referee.account.pk)
    assert (ruling["seq"], ruling["revision"], ruling["reason"], ruling["dispute"]) == (
        hand["revisions"][1]["seq"],
        2,
        "seat 3 had won",
        "d-7",
    )
    explained = referee.get(f"games/{game}/hands/1/explanation").json()
    assert explained["explanation"]["wins"][0]["seat"] == 3
    assert (explained["revision"], explained["ruling"]["seq"]) == (2, 3)


def test_a_voided_hand_explains_nothing_and_says_why(house: ClubHouse, settle: Any) -> None:
    game = played(house)
    assert rule(house.owner, game, 2, VOIDED).status_code == 201
    settle()
    explained = house.owner.get(f"games/{game}/hands/1/explanation").json()
    assert explained["explanation"] is None
    assert explained["ruling"]["reason"] == "a tile was missing"
    assert house.owner.get(f"games/{game}/state").json()["voided"] == [1]


def test_a_penalty_and_its_cancelling_are_entries_of_the_game(
    house: ClubHouse, settle: Any
) -> None:
    game = played(house)
    assert rule(house.owner, game, 2, penalty(house)).status_code == 201
    settle()
    whole = house.owner.get(f"games/{game}/settlement").json()
    assert [(e["entry"], e["result"], e["points"]) for e in whole["entries"]] == [
        (3, "penalty", [-30, 30])
    ]
    totals = {total["player"]: total["points"] for total in whole["totals"]}
    assert (totals[str(house.players[0].id)], totals[str(house.club.id)]) == (-42, 30)
    assert sum(totals.values()) == 0
    cancelled = {"type": "penalty_cancelled", "penalty": 3, "reason": "excused"}
    assert rule(house.owner, game, 3, cancelled).status_code == 201
    settle()
    whole = house.owner.get(f"games/{game}/settlement").json()
    assert [(e["entry"], e["revision"], e["points"]) for e in whole["entries"]] == [(3, 2, [0, 0])]
    listed = house.owner.get(f"games/{game}/rulings").json()["items"]
    assert [(r["event"]["type"], r["entry"], r["hand"], r["revision"]) for r in listed] == [
        ("penalty", 3, 0, 1),
        ("penalty_cancelled", 3, 0, 2),
    ]
    assert whole["pending"] == 0


def test_a_game_that_has_ended_can_be_ruled_on(house: ClubHouse) -> None:
    game = played(house)
    assert house.append(game, 2, {"type": "game_ended"}).status_code == 201
    assert rule(house.owner, game, 3, VOIDED).status_code == 201


@pytest.mark.parametrize("role", [Role.RECORDER, Role.PLAYER, Role.VIEWER])
def test_who_may_not_rule_is_refused_at_both_addresses(house: ClubHouse, role: Role) -> None:
    game = played(house)
    person = house.member(role)
    with nothing_written():
        facts = refused(rule(person, game, 2, VOIDED), 403, "permission_denied")
        assert facts["right"] == "rule"
        answer = person.post(f"games/{game}/events", [VOIDED], if_match='"2"')
        refused(answer, 403, "permission_denied")
        refused(person.post(f"games/{game}/rulings/preview", VOIDED), 403, "permission_denied")


def test_a_referee_appends_rulings_and_nothing_else(house: ClubHouse) -> None:
    game = played(house)
    referee = house.member(Role.REFEREE)
    with nothing_written():
        for body in ({"type": "game_ended"}, [VOIDED, {"type": "game_ended"}], {"type": []}, [7]):
            answer = referee.post(f"games/{game}/events", body, if_match='"2"')
            assert refused(answer, 403, "permission_denied")["right"] == "record"
        answer = rule(referee, game, 2, {"type": "game_ended"})
        assert "hand_voided" in refused(answer, 422, "invalid_input")["expected"]
    assert referee.post(f"games/{game}/events", VOIDED, if_match='"2"').status_code == 201


def test_a_referee_who_is_late_does_not_learn_what_a_live_hand_hides(house: ClubHouse) -> None:
    game = played(house)
    # The hand won by seat 2 makes seat 1 the dealer, so a hand of another game is not dealt here.
    other = house.start_game()
    deal, *_ = played_hand(other, seed=7)
    assert house.append(other, 1, deal).status_code == 201
    facts = refused(rule(house.member(Role.REFEREE), other, 1, VOIDED), 412, "stale_seq")
    (missed,) = facts["events"]
    assert missed["event"]["dealt"] == [None] * 4
    assert len(missed["hidden"]) == 5
    assert game != other


def test_the_same_ruling_sent_again_is_made_once(house: ClubHouse) -> None:
    game = played(house)
    first = rule(house.owner, game, 2, VOIDED, key="once")
    again = rule(house.owner, game, 2, VOIDED, key="once")
    assert (first.json()["replayed"], again.json()["replayed"]) == (False, True)
    refused(rule(house.owner, game, 2, CORRECTED, key="once"), 422, "idempotency_key_reused")
    assert len(house.owner.get(f"games/{game}/rulings").json()["items"]) == 1


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"hand": 2}, "hand_not_ended"),
        ({"reason": ""}, "invalid_event"),
        ({"facts": {**FACTS, "wins": []}}, "winner_missing"),
        ({"facts": {**FACTS, "points": [1, -1, 0, 0]}}, "invalid_event"),
    ],
)
def test_a_correction_that_cannot_be_is_refused_with_the_reason(
    house: ClubHouse, changes: dict[str, Any], code: str
) -> None:
    game = played(house)
    with nothing_written():
        for address in ("rulings", "rulings/preview"):
            body = {**CORRECTED, **changes}
            answer = house.owner.post(f"games/{game}/{address}", body, if_match='"2"')
            refused(answer, 422, code)


def test_a_broken_rule_of_corrected_facts_is_quoted(house: ClubHouse) -> None:
    game = played(house)
    wins = [{**FACTS["wins"][0], "concealed": "11112222m3333p4s"}]
    answer = rule(house.owner, game, 2, {**CORRECTED, "facts": {**FACTS, "wins": wins}})
    assert answer.status_code == 422
    assert answer.json()["facts"]["rule_en"]


def test_a_penalty_for_somebody_outside_the_game_is_refused(house: ClubHouse) -> None:
    game = played(house)
    due = {"payer": str(house.club.id), "payee": "club", "points": 30}
    with nothing_written():
        refused(rule(house.owner, game, 2, penalty(house, transfers=[due])), 422, "not_in_game")


def test_a_preview_shows_payments_before_and_after_and_writes_nothing(house: ClubHouse) -> None:
    game = played(house)
    second = {**HAND_RESULT, "hand": 2, "dealer": 1, "result": "huang_zhuang", "wins": []}
    assert house.append(game, 2, second).status_code == 201
    facts = {**FACTS, "wins": [{**FACTS["wins"][0], "seat": 0}]}
    with nothing_written():
        answer = house.owner.post(f"games/{game}/rulings/preview", {**CORRECTED, "facts": facts})
    shown = answer.json()
    assert (answer.status_code, answer["ETag"]) == (200, '"3"')
    assert (shown["points_before"], sum(shown["points_after"])) == ([-12, -10, 32, -10], 0)
    assert shown["points_after"][0] > 0
    assert shown["flags"] == [{"hand": 2, "flag": {"dealer": 0, "streak": 2, "objection": None}}]
    assert (shown["next_dealer"], shown["next_streak"]) == (1, 2)


def test_a_preview_of_an_entry_shows_what_it_pays_or_takes_back(house: ClubHouse) -> None:
    game = played(house)
    shown = house.owner.post(f"games/{game}/rulings/preview", penalty(house)).json()
    assert (shown["before"], shown["after"], shown["takes_back"]) == (None, None, [])
    assert [due["points"] for due in shown["pays"]] == [30]
    rule(house.owner, game, 2, penalty(house))
    cancelled = {"type": "penalty_cancelled", "penalty": 3, "reason": "excused"}
    shown = house.owner.post(f"games/{game}/rulings/preview", cancelled).json()
    assert (shown["pays"], [due["points"] for due in shown["takes_back"]]) == ([], [30])


def test_everybody_in_the_club_sees_rulings_and_strangers_see_none(
    house: ClubHouse, stranger: Person
) -> None:
    game = played(house)
    rule(house.owner, game, 2, VOIDED)
    viewer = house.member(Role.VIEWER)
    assert len(viewer.get(f"games/{game}/rulings").json()["items"]) == 1
    event = viewer.get(f"games/{game}/events?cursor=2").json()["items"][0]
    assert (event["event"]["reason"], event["hidden"]) == ("a tile was missing", [])
    refused(stranger.get(f"games/{game}/rulings"), 401, "not_authenticated")
    refused(ClubHouse().owner.get(f"games/{game}/rulings"), 404, "not_found")
