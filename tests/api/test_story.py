"""The main job from end to end: a club records a hand and reads what it comes to."""

from typing import Any

from tests.support.people import HAND_RESULT, Person


def test_somebody_signs_up_founds_a_club_records_a_hand_and_reads_the_payments(
    stranger: Person, settle: Any
) -> None:
    credentials = {"username": "lin", "password": "nine gates and a wall"}
    assert stranger.post("accounts", credentials).status_code == 201
    signed_in = stranger.post("sign-in", credentials)
    assert signed_in.status_code == 200
    stranger.headers["authorization"] = f"Bearer {signed_in.json()['token']}"
    assert stranger.get("me").json()["username"] == "lin"

    club = stranger.post("clubs", {"name": "Bamboo", "slug": "bamboo"}).json()
    players = [
        stranger.post(f"clubs/{club['id']}/players", {"name": name}).json()["id"]
        for name in ("Lin", "Mei", "Tao", "Yun")
    ]
    started = stranger.post(
        "games", {"club": club["id"], "ruleset": "hefei", "players": players, "stake": 2}
    )
    assert (started.status_code, started["ETag"]) == (201, '"1"')
    game = f"games/{started.json()['id']}"
    assert started["Location"] == f"/api/v1/{game}"

    preview = stranger.post(f"{game}/preview", HAND_RESULT)
    assert preview.json()["total_points"] == [-12, -10, 32, -10]
    assert stranger.get(game).json()["seq"] == 1

    appended = stranger.post(f"{game}/events", HAND_RESULT, if_match='"1"')
    assert (appended.status_code, appended["ETag"]) == (201, '"2"')
    settle()
    settlement = stranger.get(f"{game}/settlement").json()
    assert settlement["pending"] == 0
    assert {total["name"]: total["points"] for total in settlement["totals"]} == {
        "Lin": -12,
        "Mei": -10,
        "Tao": 32,
        "Yun": -10,
    }
    explained = stranger.get(f"{game}/hands/1/explanation").json()["explanation"]
    assert explained["wins"][0]["given"][0]["id"] == "base"
    board = stranger.get(f"clubs/{club['id']}/leaderboard").json()["items"]
    assert sorted((line["place"], line["name"]) for line in board) == [
        (1, "Tao"),
        (2, "Mei"),
        (2, "Yun"),
        (4, "Lin"),
    ]
    assert stranger.get(f"{game}/verify").json()["intact"] is True
