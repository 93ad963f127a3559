"""Appending to the log of a game, reading it back, trying a result out."""

from typing import Any

import msgspec
import pytest

from records import bell
from tests.support.people import HAND_RESULT, ClubHouse
from tests.support.plays import played_hand
from tests.support.problems import nothing_written, refused


def test_a_receipt_names_seqs_and_the_hash_of_the_last_event(house: ClubHouse) -> None:
    game = house.start_game()
    events = played_hand(game, seed=7)
    answer = house.append(game, 1, *events[:4])
    receipt = answer.json()
    assert answer["ETag"] == '"5"'
    assert (receipt["game"], receipt["first_seq"], receipt["last_seq"]) == (game, 2, 5)
    assert (receipt["replayed"], receipt["added"]) == (False, [])
    last = house.owner.get(f"games/{game}/events?cursor=4").json()["items"][0]
    assert last["hash"] == receipt["hash"]


def test_the_service_ends_a_hand_that_the_rules_say_is_over(house: ClubHouse) -> None:
    game = house.start_game()
    events = played_hand(game, seed=7)
    receipt = house.append(game, 1, *events[:-1]).json()
    (added,) = receipt["added"]
    assert (added["seq"], added["event"]) == (len(events) + 1, events[-1])
    assert receipt["last_seq"] == added["seq"]


def test_an_event_may_say_when_it_happened(house: ClubHouse) -> None:
    game = house.start_game()
    at = "2026-01-02T20:30:00.125+08:00"
    assert house.append(game, 1, {**HAND_RESULT, "occurred_at": at}).status_code == 201
    item = house.owner.get(f"games/{game}/events?cursor=1").json()["items"][0]
    assert item["occurred_at"] == "2026-01-02T12:30:00.125000Z"
    assert item["recorded_at"] > item["occurred_at"]


@pytest.mark.parametrize("at", ["yesterday", "2026-01-02T20:30:00", 7, "2026-13-02T20:30:00Z"])
def test_a_time_without_an_offset_is_refused(house: ClubHouse, at: Any) -> None:
    game = house.start_game()
    with nothing_written():
        answer = house.append(game, 1, {**HAND_RESULT, "occurred_at": at})
    assert refused(answer, 422, "invalid_input") == {"index": 0, "actual": at}


def test_times_are_given_for_all_events_or_for_none(house: ClubHouse) -> None:
    game = house.start_game()
    deal, discard, *_ = played_hand(game, seed=7)
    with nothing_written():
        answer = house.append(game, 1, deal, {**discard, "occurred_at": "2026-01-02T12:00:00Z"})
    refused(answer, 422, "invalid_input")


def test_a_slip_is_rewound_and_stays_in_the_log(house: ClubHouse) -> None:
    game = house.start_game()
    deal, discard, *_ = played_hand(game, seed=7)
    house.append(game, 1, deal, discard)
    rewind = {"type": "rewind", "to": 2, "reason": "the wrong tile"}
    assert house.append(game, 3, rewind).status_code == 201
    assert house.append(game, 4, discard).status_code == 201
    items = house.owner.get(f"games/{game}/events").json()["items"]
    assert [item["event"]["type"] for item in items] == [
        "game_started",
        "hand_started",
        "discard",
        "rewind",
        "discard",
    ]


def test_a_hand_that_has_ended_cannot_be_rewound(house: ClubHouse) -> None:
    game = house.start_game()
    house.append(game, 1, HAND_RESULT)
    with nothing_written():
        answer = house.append(game, 2, {"type": "rewind", "to": 1, "reason": "again"})
    assert refused(answer, 422, "rewind_out_of_reach")["expected"] == {"from": 2, "to": 1}


def test_events_are_read_page_by_page_and_as_one_stream(house: ClubHouse) -> None:
    game = house.start_game()
    events = played_hand(game, seed=7)
    house.append(game, 1, *events)
    pages: list[Any] = []
    cursor: int | None = 0
    while cursor is not None:
        answer = house.owner.get(f"games/{game}/events?limit=17&cursor={cursor}")
        assert answer["ETag"] == f'"{len(events) + 1}"'
        pages += answer.json()["items"]
        cursor = answer.json()["next"]
    assert [item["seq"] for item in pages] == list(range(1, len(events) + 2))
    assert [item["event"] for item in pages[1:]] == events
    stream = house.owner.get(f"games/{game}/events?cursor=0", accept="application/x-ndjson")
    assert stream["Content-Type"] == "application/x-ndjson"
    lines = b"".join(stream.streaming_content).splitlines()
    assert [msgspec.json.decode(line) for line in lines] == pages
    rest = house.owner.get(f"games/{game}/events?cursor=60", accept="application/x-ndjson")
    assert len(b"".join(rest.streaming_content).splitlines()) == len(events) + 1 - 60


def test_a_page_behind_the_end_is_empty(house: ClubHouse) -> None:
    page = house.owner.get(f"games/{house.start_game()}/events?cursor=900").json()
    assert page == {"items": [], "next": None}


def test_a_preview_says_what_the_result_would_pay_and_writes_nothing(house: ClubHouse) -> None:
    game = house.start_game()
    with nothing_written():
        answer = house.owner.post(f"games/{game}/preview", HAND_RESULT)
    assert answer["ETag"] == '"1"'
    preview = answer.json()
    assert preview["hand_points"] == preview["total_points"] == [-12, -10, 32, -10]
    assert preview["gang_points"] == [0, 0, 0, 0]
    assert {t["payee"] for t in preview["score"]["transfers"]} == {2}
    assert preview["explanation"]["wins"][0]["given"][0]["id"] == "base"
    assert preview["explanation"]["wins"][0]["not_given"]
    assert (preview["next_dealer"], preview["next_streak"]) == (1, 1)


def test_a_preview_refuses_what_an_append_would_refuse(house: ClubHouse) -> None:
    game = house.start_game()
    wrong = {**HAND_RESULT, "streak": 3}
    previewed = house.owner.post(f"games/{game}/preview", wrong)
    appended = house.append(game, 1, wrong)
    facts = refused(previewed, 422, "wrong_streak")
    assert {**facts, "index": 0} == refused(appended, 422, "wrong_streak")


def test_only_a_result_can_be_previewed(house: ClubHouse) -> None:
    game = house.start_game()
    answer = house.owner.post(f"games/{game}/preview", played_hand(game, seed=7)[0])
    assert refused(answer, 422, "invalid_input")["expected"] == "hand_result"


def test_the_beginning_of_a_game_and_the_end_of_a_hand_ring_the_bell_and_other_events_do_not(
    house: ClubHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[tuple[str, ...]] = []
    monkeypatch.setattr(bell, "ring", lambda *tasks: rung.append(tasks))
    game = house.start_game()
    assert rung == [(bell.SETTLE,)]
    events = played_hand(game, seed=7)
    house.append(game, 1, *events[:3])
    assert len(rung) == 1
    house.append(game, 4, *events[3:-1])
    assert rung[1:] == [()]
