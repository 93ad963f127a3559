"""What hands came to, why, and who stands where."""

from typing import Any

from records.models import Role
from tests.support.people import HAND_RESULT, ClubHouse
from tests.support.plays import played_hand
from tests.support.problems import refused


def record(house: ClubHouse, game: str, **changes: Any) -> int:
    """Record the next hand as its result; give the game's seq."""
    seq = house.owner.get(f"games/{game}").json()["seq"]
    due = house.owner.get(f"games/{game}/actions").json()["due"]
    hand = {key: due[key] for key in ("hand", "streak")}
    body = {**HAND_RESULT, **hand, "dealer": due.get("dealer", 0), **changes}
    answer = house.append(game, seq, body)
    assert answer.status_code == 201, answer.content
    seq = answer.json()["last_seq"]
    assert isinstance(seq, int)
    return seq


def test_a_hand_waits_to_be_settled_and_then_is(house: ClubHouse, settle: Any) -> None:
    game = house.start_game()
    record(house, game)
    waiting = house.owner.get(f"games/{game}/settlement").json()
    assert (waiting["pending"], waiting["hands"], waiting["totals"]) == (1, [], [])
    hand = house.owner.get(f"games/{game}/hands/1").json()
    assert (hand["settled"], hand["revisions"]) == (False, [])
    explanation = house.owner.get(f"games/{game}/hands/1/explanation")
    refused(explanation, 409, "not_settled")
    assert explanation["Retry-After"] == "1"
    settle()
    settled = house.owner.get(f"games/{game}/settlement").json()
    assert settled["pending"] == 0
    assert settled["hands"][0]["points"] == [-12, -10, 32, -10]
    (revision,) = house.owner.get(f"games/{game}/hands/1").json()["revisions"]
    assert revision == settled["hands"][0]
    assert revision["facts"]["wins"][0]["concealed"] == "23456788m34p678s"


def test_payments_of_a_hand_come_to_its_points_and_sum_to_zero(
    house: ClubHouse, settle: Any
) -> None:
    game = house.start_game()
    record(house, game)
    record(house, game, result="huang_zhuang", wins=[])
    settle()
    hands = house.owner.get(f"games/{game}/settlement").json()["hands"]
    for hand in hands:
        points = [0, 0, 0, 0]
        for payment in hand["payments"]:
            points[payment["payer_seat"]] -= payment["points"]
            points[payment["payee_seat"]] += payment["points"]
        assert points == hand["points"]
        assert sum(points) == 0
    assert [hand["hand"] for hand in hands] == [1, 2]


def test_an_explanation_names_a_rule_for_every_line(house: ClubHouse, settle: Any) -> None:
    game = house.start_game()
    record(house, game)
    settle()
    answer = house.owner.get(f"games/{game}/hands/1/explanation").json()
    rules = {rule["id"] for rule in house.owner.get("rulesets/hefei").json()["rules"]}
    (win,) = answer["explanation"]["wins"]
    lines = [*win["given"], *win["not_given"], *answer["explanation"]["transfers"]]
    assert lines
    assert {line["rule"] for line in lines} <= rules
    assert (answer["ruleset"], answer["ruleset_version"], answer["revision"]) == ("hefei", 1, 1)


def test_a_hand_played_tile_by_tile_is_settled_alike(house: ClubHouse, settle: Any) -> None:
    game = house.start_game()
    house.append(game, 1, *played_hand(game, seed=7))
    settle()
    (hand,) = house.owner.get(f"games/{game}/settlement").json()["hands"]
    assert hand["result"] == "huang_zhuang"
    explanation = house.owner.get(f"games/{game}/hands/1/explanation")
    assert explanation.json()["explanation"]["wins"] == []


def test_an_abandoned_hand_pays_nothing_and_needs_no_reason(house: ClubHouse, settle: Any) -> None:
    game = house.start_game()
    deal = played_hand(game, seed=7)[0]
    house.append(game, 1, deal, {"type": "hand_ended", "reason": "abandoned"})
    settle()
    (hand,) = house.owner.get(f"games/{game}/settlement").json()["hands"]
    assert (hand["result"], hand["payments"], hand["facts"]) == ("abandoned", [], None)
    answer = house.owner.get(f"games/{game}/hands/1/explanation").json()
    assert answer["explanation"] is None


def test_a_hand_that_was_not_played_to_its_end_is_not_found(house: ClubHouse) -> None:
    game = house.start_game()
    house.append(game, 1, *played_hand(game, seed=7)[:3])
    for path in ("hands/1", "hands/1/explanation", "hands/2", "hands/0", "hands/1/proof"):
        refused(house.owner.get(f"games/{game}/{path}"), 404, "not_found")


def test_the_board_orders_players_by_points_and_equals_share_a_place(
    house: ClubHouse, settle: Any
) -> None:
    record(house, house.start_game())
    settle()
    viewer, path = house.member(Role.VIEWER), f"clubs/{house.club.id}/leaderboard"
    board = viewer.get(path).json()
    assert [(line["place"], line["figures"]["points"]) for line in board["items"]] == [
        (1, 32),
        (2, -10),
        (2, -10),
        (4, -12),
    ]
    first = viewer.get(f"{path}?limit=3&ruleset=hefei").json()
    rest = viewer.get(f"{path}?limit=3&ruleset=hefei&cursor={first['next']}").json()
    lines = [*first["items"], *rest["items"]]
    assert [line["place"] for line in lines] == [1, 2, 2, 4]
    assert {line["figures"]["ruleset"] for line in lines} == {"hefei"}
    assert {line["name"] for line in lines} == {"Lin", "Mei", "Tao", "Yun"}
    nowhere = viewer.get(f"{path}?ruleset=nowhere").json()
    assert (nowhere["items"], nowhere["next"]) == ([], None)
    refused(viewer.get(f"{path}?cursor=WzEsMiwzLDRd"), 422, "invalid_input")


def test_a_player_has_points_a_tier_and_the_hand_of_each_promotion(
    house: ClubHouse, settle: Any
) -> None:
    game = house.start_game(options={"ladder_start": 290})
    record(house, game)
    settle()
    player = house.owner.get(f"players/{house.players[2].id}").json()
    overall, under = player["figures"]
    assert (overall["ruleset"], under["ruleset"]) == (None, "hefei")
    assert (player["place"], overall["points"], overall["hands"], overall["wins"]) == (1, 32, 1, 1)
    assert overall["ladder_score"] == 322
    assert overall["tier"]["zh"] == "一万"
    (step,) = player["tier_steps"]
    assert (step["from_tier"]["zh"], step["to_tier"]["zh"]) == ("白板", "一万")
    assert (step["game"], step["hand"]) == (game, 1)


def test_a_player_without_a_settled_hand_has_no_figures(house: ClubHouse) -> None:
    player = house.owner.get(f"players/{house.players[0].id}").json()
    assert (player["name"], player["figures"], player["place"]) == ("Lin", [], None)
