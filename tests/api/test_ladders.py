"""A club's ladder: who may set it, what is refused, its versions, and who would move."""

from typing import Any
from uuid import uuid4

import pytest

from records.models import Ladder, Role
from rules_engine.ladders import DEFAULT_TIERS
from tests.support.people import HAND_RESULT, ClubHouse
from tests.support.problems import nothing_written, refused

TIERS: list[dict[str, Any]] = [
    {"zh": "新手", "en": "Novice", "from_points": None},
    {"zh": "老手", "en": "Hand", "from_points": 10},
    {"zh": "高手", "en": "Master", "from_points": 30},
]


def body(**changes: Any) -> dict[str, Any]:
    return {"name": "竹林", "tiers": TIERS, **changes}


def address(house: ClubHouse, rest: str = "") -> str:
    return f"clubs/{house.club.id}/ladder{rest}"


def test_a_club_without_a_ladder_shows_the_default_one(house: ClubHouse) -> None:
    shown = house.member(Role.VIEWER).get(address(house)).json()
    assert (shown["version"], shown["default"], shown["name"]) == (None, True, None)
    assert (shown["start"], shown["demotion"], shown["scope"]) == (None, True, "for_ever")
    assert [tier["zh"] for tier in shown["tiers"]] == [tier.zh for tier in DEFAULT_TIERS]
    assert house.owner.get(address(house, "/versions")).json() == {"items": [], "next": None}


def test_a_ladder_is_shown_as_the_owner_gave_it(house: ClubHouse) -> None:
    given = body(start=-5, demotion=False, scope="season")
    answer = house.owner.put(address(house), given)
    assert answer.status_code == 200, answer.content
    shown = answer.json()
    assert house.member(Role.PLAYER).get(address(house)).json() == shown
    assert house.owner.account is not None
    assert shown["created_by"] == str(house.owner.account.id)
    assert (shown["version"], shown["default"], shown["name"]) == (1, False, "竹林")
    assert (shown["start"], shown["demotion"], shown["scope"]) == (-5, False, "season")
    assert shown["tiers"] == [{"tier": n, **tier} for n, tier in enumerate(TIERS, 1)]


def test_a_ladder_is_changed_and_dropped_by_versions(house: ClubHouse) -> None:
    house.owner.put(address(house), body())
    house.owner.put(address(house), body(start=5))
    same = house.owner.put(address(house), body(start=5)).json()
    dropped = house.owner.delete(address(house)).json()
    assert (same["version"], dropped["version"], dropped["default"]) == (2, 3, True)
    assert house.owner.get(address(house)).json() == dropped
    first = house.owner.get(address(house, "/versions?limit=2")).json()
    rest = house.owner.get(address(house, f"/versions?limit=2&cursor={first['next']}")).json()
    versions = [*first["items"], *rest["items"]]
    assert [(each["version"], each["start"]) for each in versions] == [(3, None), (2, 5), (1, 0)]
    assert rest["next"] is None


@pytest.mark.parametrize(
    ("tiers", "tier", "field"),
    [
        (TIERS[:1], None, "tiers"),
        ([TIERS[0], TIERS[2], TIERS[1]], 3, "from_points"),
        ([TIERS[0], TIERS[1], {**TIERS[2], "zh": "老手"}], 3, "zh"),
        ([{**TIERS[0], "from_points": 0}, TIERS[1]], 1, "from_points"),
        ([TIERS[0], {**TIERS[1], "from_points": 10**12}], 2, "from_points"),
    ],
)
def test_a_ladder_nobody_could_climb_is_refused_and_the_tier_named(
    house: ClubHouse, tiers: list[Any], tier: int | None, field: str
) -> None:
    for ask in (house.owner.put, house.owner.post):
        path = address(house, "" if ask == house.owner.put else "/preview")
        facts = refused(ask(path, body(tiers=tiers)), 422, "invalid_ladder")
        assert (facts["tier"], facts["field"]) == (tier, field)
        assert {"expected", "actual"} <= facts.keys()
    assert not Ladder.objects.filter(club=house.club).exists()


@pytest.mark.parametrize(
    "changes",
    [{"name": " "}, {"scope": "sometimes"}, {"start": None}, {"tiers": [{}]}, {"colour": 1}],
)
def test_a_body_that_is_no_ladder_is_refused(house: ClubHouse, changes: dict[str, Any]) -> None:
    with nothing_written():
        refused(house.owner.put(address(house), body(**changes)), 422, "invalid_input")


@pytest.mark.parametrize("role", [role for role in Role if role != Role.OWNER])
def test_only_an_owner_keeps_the_ladder(house: ClubHouse, role: Role) -> None:
    member = house.member(role)
    for answer in (member.put(address(house), body()), member.delete(address(house))):
        assert refused(answer, 403, "permission_denied")["right"] == "keep_club"
    refused(member.post(address(house, "/preview"), body()), 403, "permission_denied")
    assert not Ladder.objects.filter(club=house.club).exists()


def test_a_ladder_of_others_is_not_found(house: ClubHouse) -> None:
    other = ClubHouse()
    for rest in ("", "/versions"):
        refused(house.owner.get(address(other, rest)), 404, "not_found")
    refused(house.owner.put(address(other), body()), 404, "not_found")
    refused(house.owner.delete(address(other)), 404, "not_found")
    refused(house.owner.post(address(other, "/preview"), body()), 404, "not_found")


def test_a_write_sent_twice_is_one_version(house: ClubHouse) -> None:
    first = house.owner.put(address(house), body(), key="one")
    again = house.owner.put(address(house), body(), key="one")
    assert first.json() == again.json()
    assert again["Idempotent-Replayed"] == "true"
    refused(house.owner.put(address(house), body(), key=" "), 400, "idempotency_key_required")


def record(house: ClubHouse, settle: Any, *winners: int) -> str:
    """A game whose hands these seats win by self-draw, each 32 or more from the others."""
    game = house.start_game()
    for hand, winner in enumerate(winners, 1):
        due = house.owner.get(f"games/{game}/actions").json()["due"]
        result = {
            **HAND_RESULT,
            "hand": hand,
            "dealer": due.get("dealer", 0),
            "streak": due["streak"],
            "wins": [{**HAND_RESULT["wins"][0], "seat": winner}],
        }
        seq = house.owner.get(f"games/{game}").json()["seq"]
        answer = house.append(game, seq, result)
        assert answer.status_code == 201, answer.content
    settle()
    return game


def test_a_preview_says_who_would_move_and_writes_nothing(house: ClubHouse, settle: Any) -> None:
    record(house, settle, 2)
    with nothing_written():
        preview = house.owner.post(address(house, "/preview"), body()).json()
    assert [(each["tier"]["en"], each["players"]) for each in preview["after"]] == [
        ("Novice", 3),
        ("Hand", 0),
        ("Master", 1),
    ]
    assert [each["players"] for each in preview["before"]] == [4, *[0] * 16]
    (mover,) = preview["items"]
    assert (preview["moving"], preview["next"]) == (1, None)
    assert (mover["player"], mover["name"]) == (str(house.players[2].id), "Tao")
    assert (mover["from_tier"]["zh"], mover["to_tier"]["zh"]) == ("白板", "高手")
    assert (mover["score_before"], mover["score_after"]) == (32, 32)
    assert not Ladder.objects.filter(club=house.club).exists()


def test_a_preview_is_what_setting_the_ladder_then_gives(house: ClubHouse, settle: Any) -> None:
    record(house, settle, 2, 2, 1, 0, 3, 1)
    ladder = body(start=25, demotion=False, tiers=[TIERS[0], *TIERS[1:]])
    preview = house.owner.post(address(house, "/preview"), ladder).json()
    house.owner.put(address(house), ladder)
    settle()
    reached = [
        house.owner.get(f"players/{player.id}/tiers").json()["tier"]["tier"]
        for player in house.players
    ]
    assert [each["players"] for each in preview["after"]] == [
        reached.count(tier) for tier in (1, 2, 3)
    ]
    again = house.owner.post(address(house, "/preview"), ladder).json()
    assert (again["moving"], again["before"]) == (0, preview["after"])


def test_those_who_would_move_come_page_by_page(house: ClubHouse, settle: Any) -> None:
    record(house, settle, 2)
    path, ladder = address(house, "/preview"), body(start=100)
    whole = house.owner.post(path, ladder).json()["items"]
    paged: list[Any] = []
    cursor = ""
    while True:
        page = house.owner.post(f"{path}?limit=1{cursor}", ladder).json()
        paged += page["items"]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert (paged, len(whole)) == (whole, 4)
    scores = [mover["score_after"] for mover in whole]
    assert scores == sorted(scores, reverse=True)
    for tampered in ("abc", "WzEsMl0", "WyJhIiwyLCJiIl0"):
        refused(house.owner.post(f"{path}?cursor={tampered}", ladder), 422, "invalid_input")


def test_each_step_of_a_player_names_the_hand_that_caused_it(house: ClubHouse, settle: Any) -> None:
    house.owner.put(address(house), body())
    game = record(house, settle, 2, 0, 1)
    shown = house.member(Role.VIEWER).get(f"players/{house.players[2].id}/tiers").json()
    assert (shown["scope"], shown["season"], shown["demotion"]) == ("for_ever", None, True)
    steps = [(s["from_tier"]["en"], s["to_tier"]["en"], s["hand"]) for s in shown["steps"]]
    assert steps[-1] == ("Novice", "Master", 1)
    assert {step["game"] for step in shown["steps"]} == {game}
    assert {step["entry"] for step in shown["steps"]} == {None}
    assert shown["tier"] == shown["steps"][0]["to_tier"]
    first = shown["steps"][-1]["ended_at"]
    early = house.owner.get(f"players/{house.players[2].id}/tiers?as_of={first}").json()
    assert (early["score"], early["tier"]["en"], len(early["steps"])) == (32, "Master", 1)


def test_a_player_without_a_result_stands_nowhere(house: ClubHouse) -> None:
    shown = house.owner.get(f"players/{house.players[0].id}/tiers").json()
    assert (shown["score"], shown["tier"], shown["steps"]) == (None, None, [])


def test_tiers_of_others_and_of_unknown_seasons_are_refused(house: ClubHouse) -> None:
    other = ClubHouse()
    refused(house.owner.get(f"players/{other.players[0].id}/tiers"), 404, "not_found")
    path = f"players/{house.players[0].id}/tiers"
    refused(house.owner.get(f"{path}?season={uuid4()}"), 422, "invalid_input")
    refused(house.owner.get(f"{path}?as_of=yesterday"), 422, "invalid_input")
