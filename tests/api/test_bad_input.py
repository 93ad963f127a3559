"""Whatever is sent, the answer says what was wrong, nothing is written, and it is never a 500."""

from copy import deepcopy
from typing import Any
from uuid import uuid4

import pytest

from api.v1 import events as api_events
from records.models import Role
from tests.support.people import HAND_RESULT, ClubHouse, Person
from tests.support.plays import played_hand
from tests.support.problems import nothing_written, refused


def with_win(**changes: Any) -> dict[str, Any]:
    """The first hand's result with another win."""
    result: dict[str, Any] = deepcopy(HAND_RESULT)
    result["wins"][0] |= changes
    return result


def test_an_unknown_tile_is_refused_with_its_place(house: ClubHouse) -> None:
    game = house.start_game()
    with nothing_written():
        answer = house.append(game, 1, with_win(tile="9x"))
    facts = refused(answer, 422, "invalid_event")
    assert (facts["index"], facts["seq"]) == (0, 2)
    assert "wins[0].tile" in answer.json()["detail"]
    assert answer.json()["type"] == "/api/v1/errors/illegal_event"


def test_a_fifth_copy_of_a_tile_is_refused_and_names_the_tile(house: ClubHouse) -> None:
    game = house.start_game()
    with nothing_written():
        answer = house.append(game, 1, with_win(concealed="2222m23456788m678s", tile="5p"))
    facts = refused(answer, 422, "too_many_tiles")
    assert (facts["index"], facts["seq"]) == (0, 2)
    assert "2m" in answer.json()["detail"]


def test_an_event_out_of_turn_is_refused_with_who_is_in_turn(house: ClubHouse) -> None:
    game = house.start_game()
    deal, discard, *_ = played_hand(game, seed=7)
    with nothing_written():
        answer = house.append(game, 1, deal, {**discard, "seat": 2})
    facts = refused(answer, 422, "not_your_turn")
    assert (facts["index"], facts["seq"], facts["expected"], facts["actual"]) == (1, 3, 0, 2)


def test_a_broken_rule_of_the_game_is_quoted_in_both_languages(house: ClubHouse) -> None:
    game = house.start_game()
    with nothing_written():
        answer = house.append(game, 1, {**HAND_RESULT, "streak": 3})
    facts = refused(answer, 422, "wrong_streak")
    assert facts["rule"] == "HF-12"
    assert facts["rule_zh"]
    assert facts["rule_en"]
    assert (facts["expected"], facts["actual"]) == (1, 3)


def test_a_batch_with_one_illegal_event_is_refused_whole(house: ClubHouse) -> None:
    game = house.start_game()
    events = played_hand(game, seed=7)
    with nothing_written():
        answer = house.append(game, 1, *events[:4], events[1], *events[4:])
    assert refused(answer, 422, answer.json()["code"])["index"] == 4
    assert house.owner.get(f"games/{game}").json()["seq"] == 1


def test_a_stale_seq_is_refused_with_what_was_missed(house: ClubHouse) -> None:
    game = house.start_game()
    events = played_hand(game, seed=7)
    assert house.append(game, 1, *events[:3]).status_code == 201
    with nothing_written():
        answer = house.append(game, 2, events[1])
    facts = refused(answer, 412, "stale_seq")
    assert answer["ETag"] == '"4"'
    assert (facts["expected"], facts["actual"], facts["complete"]) == (2, 4, True)
    assert [event["seq"] for event in facts["events"]] == [3, 4]
    assert facts["events"][0]["event"]["type"] == "discard"


def test_what_a_stale_append_missed_is_told_up_to_a_limit(
    house: ClubHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_events, "MISSED_MAX", 3)
    game = house.start_game()
    house.append(game, 1, *played_hand(game, seed=7)[:8])
    facts = refused(house.append(game, 1, HAND_RESULT), 412, "stale_seq")
    assert (facts["actual"], facts["complete"]) == (9, False)
    assert [event["seq"] for event in facts["events"]] == [2, 3, 4]


def test_a_seq_in_the_future_is_stale_too(house: ClubHouse) -> None:
    game = house.start_game()
    with nothing_written():
        facts = refused(house.append(game, 9, HAND_RESULT), 412, "stale_seq")
    assert (facts["expected"], facts["actual"], facts["events"]) == (9, 1, [])


def test_a_command_id_reused_for_another_event_is_refused(house: ClubHouse) -> None:
    game = house.start_game()
    path = f"games/{game}/events"
    assert house.owner.post(path, HAND_RESULT, key="one", if_match='"1"').status_code == 201
    with nothing_written():
        other = house.owner.post(path, with_win(seat=3), key="one", if_match='"1"')
    refused(other, 422, "idempotency_key_reused")


@pytest.mark.parametrize("key", ["", "with space", "x" * 256, "键"])
def test_an_append_without_a_proper_idempotency_key_is_refused(house: ClubHouse, key: str) -> None:
    game = house.start_game()
    with nothing_written():
        answer = house.owner.post(
            f"games/{game}/events", HAND_RESULT, if_match='"1"', idempotency_key=key
        )
    refused(answer, 400, "idempotency_key_required")


@pytest.mark.parametrize(
    "seq", ["", "1", "*", 'W/"1"', '"one"', '"1", "2"', '"-1"', '"99999999999"']
)
def test_an_append_that_does_not_name_the_seq_is_refused(house: ClubHouse, seq: str) -> None:
    game = house.start_game()
    with nothing_written():
        answer = house.owner.post(f"games/{game}/events", HAND_RESULT, if_match=seq)
    assert refused(answer, 428, "precondition_required")["actual"] == (seq or None)


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe",
        b'{"type": "hand_result",}',
        b"[" * 50_000,
        b'{"type": "rewind", "to": 1, "reason": "\\u0000"}',
        b'{"type": "rewind", "to": 123456789012345678901234567890, "reason": "x"}',
        b'{"type": "rewind", "to": ' + b"1" * 5000 + b', "reason": "x"}',
        b'{"type": "rewind", "to": 1, "reason": "\\ud800"}',
        b'{"a": NaN}',
    ],
)
def test_malformed_json_is_refused(house: ClubHouse, body: bytes) -> None:
    game = house.start_game()
    with nothing_written():
        answer = house.owner.post(f"games/{game}/events", body, if_match='"1"')
    refused(answer, 400, "malformed_json")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "unknown_event_type"),
        (b"{}", "unknown_event_type"),
        (b'{"type": 7}', "unknown_event_type"),
        (b"null", "invalid_input"),
        (b"7", "invalid_input"),
        (b'"draw"', "invalid_input"),
        (b"[]", "invalid_input"),
        (b"[7]", "invalid_input"),
        (b"[[]]", "invalid_input"),
    ],
)
def test_json_that_is_no_event_is_refused(house: ClubHouse, body: bytes, code: str) -> None:
    game = house.start_game()
    with nothing_written():
        answer = house.owner.post(f"games/{game}/events", body, if_match='"1"')
    refused(answer, 422, code)


def test_a_body_of_ten_megabytes_is_refused(house: ClubHouse) -> None:
    game = house.start_game()
    body = b'[{"type": "rewind", "reason": "' + b"x" * 10_000_000 + b'"}]'
    with nothing_written():
        answer = house.owner.post(f"games/{game}/events", body, if_match='"1"')
    assert refused(answer, 413, "payload_too_large")["limit_bytes"] == 2_500_000


def test_more_events_than_one_append_may_hold_are_refused(house: ClubHouse) -> None:
    game = house.start_game()
    with nothing_written():
        answer = house.append(game, 1, *[HAND_RESULT] * 501)
    assert refused(answer, 422, "invalid_input")["actual"] == 501


def test_a_body_that_is_not_json_is_refused(house: ClubHouse) -> None:
    game = house.start_game()
    with nothing_written():
        answer = house.owner.post(
            f"games/{game}/events", b"type=draw", if_match='"1"', content_type="text/plain"
        )
    refused(answer, 415, "unsupported_media_type")


def test_a_body_in_chunks_is_refused_and_not_read_as_an_empty_one(house: ClubHouse) -> None:
    game = house.start_game()
    with nothing_written():
        answer = house.owner.post(
            f"games/{game}/events", HAND_RESULT, if_match='"1"', transfer_encoding="chunked"
        )
    refused(answer, 411, "length_required")


def test_an_unknown_game_is_not_found(house: ClubHouse) -> None:
    with nothing_written():
        answer = house.append(str(uuid4()), 1, HAND_RESULT)
    refused(answer, 404, "not_found")


def test_a_game_of_another_club_is_not_found_as_if_it_did_not_exist(house: ClubHouse) -> None:
    game = house.start_game()
    other = ClubHouse().owner
    with nothing_written():
        answer = other.post(f"games/{game}/events", HAND_RESULT, if_match='"1"')
    unknown = other.post(f"games/{uuid4()}/events", HAND_RESULT, if_match='"1"')
    refused(answer, 404, "not_found")
    assert answer.content == unknown.content


@pytest.mark.parametrize("role", [Role.REFEREE, Role.PLAYER, Role.VIEWER])
def test_a_member_who_may_not_record_is_forbidden_to(house: ClubHouse, role: Role) -> None:
    game = house.start_game()
    member = house.member(role)
    with nothing_written():
        answer = member.post(f"games/{game}/events", HAND_RESULT, if_match='"1"')
        preview = member.post(f"games/{game}/preview", HAND_RESULT)
        start = member.post("games", house.game_body())
    for refusal in (answer, preview, start):
        assert refused(refusal, 403, "permission_denied") == {"role": role, "right": "record"}


def test_nobody_writes_without_a_token(house: ClubHouse, stranger: Person) -> None:
    game = house.start_game()
    with nothing_written():
        answer = stranger.post(f"games/{game}/events", HAND_RESULT, if_match='"1"')
    refused(answer, 401, "not_authenticated")
    assert answer["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"ruleset": "nowhere"}, 422, "unknown_ruleset"),
        ({"ruleset_version": 99}, 422, "unknown_ruleset"),
        ({"preset": "nothing"}, 422, "unknown_preset"),
        ({"options": {"nothing": 1}}, 422, "unknown_option"),
        ({"options": {"base_plain": -1}}, 422, "invalid_option"),
        ({"options": {"base_plain": "ten"}}, 422, "invalid_option"),
        ({"players": []}, 422, "invalid_input"),
        ({"players": [str(uuid4())] * 4}, 422, "unknown_player"),
        ({"stake": -1}, 422, "invalid_input"),
        ({"stake": 1.5}, 422, "invalid_input"),
        ({"title": "x" * 201}, 422, "invalid_input"),
        ({"points": 7}, 422, "invalid_input"),
        ({"club": str(uuid4())}, 404, "not_found"),
        ({"club": "mine"}, 422, "invalid_input"),
    ],
)
def test_a_game_that_cannot_be_is_not_started(
    house: ClubHouse, changes: dict[str, Any], status: int, code: str
) -> None:
    with nothing_written():
        answer = house.owner.post("games", house.game_body(**changes))
    refused(answer, status, code)


def test_nobody_sits_twice(house: ClubHouse) -> None:
    players = [str(house.players[0].id)] * 4
    with nothing_written():
        answer = house.owner.post("games", house.game_body(players=players))
    refused(answer, 422, "player_twice")


def test_a_player_of_another_club_may_not_be_seated(house: ClubHouse) -> None:
    guest = str(ClubHouse().players[0].id)
    players = [str(player.id) for player in house.players[:3]] + [guest]
    with nothing_written():
        answer = house.owner.post("games", house.game_body(players=players))
    assert refused(answer, 422, "unknown_player") == {"players": [guest]}


@pytest.mark.parametrize(
    "query",
    ["ruleset=hefei&ruleset=qingdao", "club=null"],
    ids=["twice", "null"],
)
def test_a_parameter_has_one_value_or_is_left_out(house: ClubHouse, query: str) -> None:
    refused(house.owner.get(f"games?{query}"), 422, "invalid_input")


def test_a_moment_may_have_any_offset_but_must_be_in_a_year(house: ClubHouse) -> None:
    path = f"clubs/{house.club.id}/balances?known_at="
    assert house.owner.get(f"{path}2026-05-18T21:12:16%2B21:49").status_code == 200
    refused(house.owner.get(f"{path}0001-01-01T00:00:00%2B23:59"), 422, "invalid_input")
