"""Starting, finding and reading games."""

from typing import Any

import pytest

from records.models import Role
from rules_engine import registry
from tests.support.people import HAND_RESULT, ClubHouse
from tests.support.plays import played_hand
from tests.support.problems import refused


def test_a_game_starts_with_every_option_written_out(house: ClubHouse) -> None:
    body = house.game_body(preset="bao_ting", options={"base_plain": 7}, stake=5, title="周五")
    answer = house.owner.post("games", body)
    game = answer.json()
    assert (game["ruleset"], game["ruleset_version"], game["title"]) == ("hefei", 1, "周五")
    assert [seat["name"] for seat in game["seats"]] == ["Lin", "Mei", "Tao", "Yun"]
    assert answer["Location"] == f"/api/v1/games/{game['id']}"
    shown = house.owner.get(f"games/{game['id']}").json()
    assert shown["options"].keys() == set(
        registry.get("hefei").options.__struct_fields__  # type: ignore[attr-defined]
    )
    assert (shown["options"]["room"], shown["options"]["base_plain"]) == ("bao_ting", 7)
    assert (shown["seq"], shown["hand"], shown["live"], shown["ended"]) == (1, 0, False, False)


def test_a_recorder_may_start_games_and_record_in_those_of_others(house: ClubHouse) -> None:
    recorder = house.member(Role.RECORDER)
    assert recorder.post("games", house.game_body()).status_code == 201
    path = f"games/{house.start_game()}/events"
    assert recorder.post(path, HAND_RESULT, if_match='"1"').status_code == 201


def test_games_are_listed_newest_first_page_by_page(house: ClubHouse) -> None:
    games = [house.start_game() for _ in range(5)]
    ClubHouse().start_game()
    found: list[str] = []
    cursor = ""
    while cursor is not None:
        page = house.owner.get(f"games?limit=2{cursor and f'&cursor={cursor}'}").json()
        found += [game["id"] for game in page["items"]]
        cursor = page["next"]
    assert found == games[::-1]


def test_games_are_found_by_club_ruleset_and_player(house: ClubHouse) -> None:
    game = house.start_game()
    for query, expected in (
        (f"club={house.club.id}", [game]),
        (f"player={house.players[2].id}", [game]),
        ("ruleset=hefei", [game]),
        ("ruleset=nowhere", []),
        (f"player={house.club.id}", []),
        (f"club={ClubHouse().club.id}", []),
    ):
        items = house.owner.get(f"games?{query}").json()["items"]
        assert [item["id"] for item in items] == expected, query


@pytest.mark.parametrize(
    "path", ["", "/events", "/state", "/actions", "/settlement", "/verify", "/hands/1"]
)
def test_a_game_of_another_club_cannot_be_read(house: ClubHouse, path: str) -> None:
    game = ClubHouse().start_game()
    refused(house.owner.get(f"games/{game}{path}"), 404, "not_found")


def test_the_state_at_any_seq_is_the_state_that_was_then(house: ClubHouse) -> None:
    game = house.start_game()
    events = played_hand(game, seed=7)
    now: list[Any] = [house.owner.get(f"games/{game}/state").json()]
    for seq, event in enumerate(events[:8], 1):
        assert house.append(game, seq, event).status_code == 201
        now.append(house.owner.get(f"games/{game}/state").json())
    house.append(game, 9, *events[8:])
    for seq, then in enumerate(now, 1):
        assert house.owner.get(f"games/{game}/state?seq={seq}").json() == then
    ended = house.owner.get(f"games/{game}/state").json()
    assert ended["last_hand"] == {"hand": 1, "seq": len(events) + 1, "abandoned": False}
    assert ended["next"].keys() == {"dealer", "streak"}


def test_a_seq_that_the_game_has_not_reached_is_refused(house: ClubHouse) -> None:
    game = house.start_game()
    for path in ("state", "actions"):
        facts = refused(house.owner.get(f"games/{game}/{path}?seq=2"), 422, "seq_out_of_range")
        assert (facts["expected"], facts["actual"]) == ({"from": 1, "to": 1}, 2)
        refused(house.owner.get(f"games/{game}/{path}?seq=0"), 422, "invalid_input")


def test_every_action_offered_is_accepted(house: ClubHouse) -> None:
    game = house.start_game()
    events = played_hand(game, seed=7)
    house.append(game, 1, *events[:3])
    actions = house.owner.get(f"games/{game}/actions").json()["actions"]
    assert actions
    for action in actions:
        rewind = {"type": "rewind", "to": 4, "reason": "try the next"}
        seq = house.owner.get(f"games/{game}").json()["seq"]
        assert house.append(game, seq, action, rewind).status_code == 201


def test_between_hands_the_next_deal_is_due(house: ClubHouse) -> None:
    game = house.start_game()
    answer = house.member(Role.VIEWER).get(f"games/{game}/actions").json()
    assert answer["due"] == {"type": "hand_started", "hand": 1, "streak": 1}
    assert answer["actions"] == []
