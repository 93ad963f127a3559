"""Logs of games as lines: chosen by filters, gone on with by cursor, taken in by another club."""

import gzip
import tracemalloc
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from api.exchange.exporting import verify_lines
from api.models import ImportedGame
from records.models import Role
from tests.api.test_imports import game, sent, shown, work
from tests.support.people import HAND_RESULT, ClubHouse, Person
from tests.support.plays import played_hand
from tests.support.problems import refused


def exported(house: ClubHouse, query: str = "", person: Person | None = None) -> list[bytes]:
    """The lines of an export."""
    answer = (person or house.owner).get(f"clubs/{house.club.pk}/exports/logs{query}")
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "application/x-ndjson"
    return b"".join(answer.streaming_content).splitlines(keepends=True)


def decoded(lines: Iterable[bytes]) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in lines]


def games_in(lines: Iterable[bytes]) -> list[str]:
    """The games of an export in their order."""
    return [line["game"] for line in decoded(lines) if "format" in line]


def settlements(house: ClubHouse, games: list[str]) -> list[Any]:
    """What the hands of games came to, with the players' names."""
    found = []
    for each in games:
        answer = house.owner.get(f"games/{each}/settlement").json()
        names = {total["player"]: total["name"] for total in answer["totals"]}
        hands = [
            {
                **{key: hand[key] for key in ("points", "facts", "wins", "result", "ended_at_ms")},
                "players": [names[player] for player in hand["players"]],
            }
            for hand in answer["hands"]
        ]
        found.append(hands)
    return found


def test_what_is_exported_verifies_and_comes_to_the_same_in_another_club(
    house: ClubHouse, settle: Any
) -> None:
    sent(house, [line for n in range(3) for line in game(f"g{n}", seed=n)])
    work()
    lines = exported(house, "?status=ended")
    assert all(verdict.fault is None for verdict in verify_lines(lines))
    other = ClubHouse()
    file = sent(other, lines)
    work()
    assert shown(other, file)["progress"]["recorded"] == 3
    settle()
    taken = ImportedGame.objects.filter(file=file["id"]).order_by("id")
    again = [str(each.game_id) for each in taken]
    names = [each.name for each in taken]
    assert settlements(other, again) == settlements(house, names) != []
    # And back again, the round trip changes nothing of what happened.
    back = exported(other)
    assert [line.get("public") for line in decoded(back) if line.get("seq", 1) > 1] == [
        line.get("public") for line in decoded(lines) if line.get("seq", 1) > 1
    ]


def test_games_are_chosen_by_ruleset_player_day_and_whether_they_have_ended(
    house: ClubHouse,
) -> None:
    live = house.start_game()
    ended = house.start_game(players=[str(player.pk) for player in reversed(house.players)])
    house.append(ended, 1, HAND_RESULT, {"type": "game_ended"})
    substitute = house.owner.post(f"clubs/{house.club.pk}/players", {"name": "Ann"}).json()["id"]
    others = [substitute, *(str(player.pk) for player in house.players[1:])]
    third = house.start_game(players=others, ruleset="ruian")
    assert games_in(exported(house)) == [live, ended, third]
    assert games_in(exported(house, "?status=live")) == [live, third]
    assert games_in(exported(house, "?status=ended")) == [ended]
    assert games_in(exported(house, "?ruleset=ruian")) == [third]
    assert games_in(exported(house, f"?player={house.players[0].pk}")) == [live, ended]
    assert games_in(exported(house, f"?player={substitute}&status=live")) == [third]
    assert games_in(exported(house, "?from=2001-01-01")) == [live, ended, third]
    assert exported(house, "?to=2001-01-01") == []
    season = {"name": "long ago", "starts_on": "2001-01-01", "ends_on": "2001-12-31"}
    made = house.owner.post(f"clubs/{house.club.pk}/seasons", season)
    assert made.status_code == 201, made.content
    assert games_in(exported(house, f"?season={made.json()['id']}")) == []


def test_an_export_that_broke_off_goes_on_behind_any_cursor(house: ClubHouse) -> None:
    games = [house.start_game() for _ in range(4)]
    for each in games:
        house.append(each, 1, HAND_RESULT)
    whole = exported(house)
    cursors = [line["cursor"] for line in decoded(whole) if "cursor" in line]
    assert len(cursors) == 4
    assert [n for n, line in enumerate(decoded(whole), 1) if "cursor" in line] == [3, 6, 9, 12]
    for number, cursor in enumerate(cursors, 1):
        assert exported(house, f"?cursor={cursor}") == whole[3 * number :]


def test_a_packed_export_is_the_same(house: ClubHouse) -> None:
    house.append(house.start_game(), 1, HAND_RESULT)
    answer = house.owner.get(f"clubs/{house.club.pk}/exports/logs", accept_encoding="gzip")
    assert answer["Content-Encoding"] == "gzip"
    packed = b"".join(answer.streaming_content)
    assert gzip.decompress(packed).splitlines(keepends=True) == exported(house)


def test_of_a_live_hand_everybody_gets_what_they_may_see(house: ClubHouse) -> None:
    game_id = house.start_game()
    deal, *_ = played_hand(game_id, seed=7)
    house.append(game_id, 1, deal)
    seat = (deal["dealer"] + 1) % 4
    for person, opened in (
        (house.owner, {"dealt.0", "dealt.1", "dealt.2", "dealt.3", "last"}),
        (house.member(Role.VIEWER), set()),
        (house.seated(seat), {f"dealt.{seat}"}),
    ):
        lines = exported(house, person=person)
        assert set(decoded(lines)[2]["openings"]) == opened
        assert all(verdict.fault is None for verdict in verify_lines(lines))
    refused(ClubHouse().owner.get(f"clubs/{house.club.pk}/exports/logs"), 404, "not_found")


def test_a_token_that_may_only_export_sees_no_more_than_a_member(house: ClubHouse) -> None:
    game_id = house.start_game()
    deal, *_ = played_hand(game_id, seed=7)
    house.append(game_id, 1, deal)
    made = house.owner.post("tokens", {"name": "backup", "scopes": ["exports:read"]})
    assert made.status_code == 201, made.content
    person = Person(house.owner.account, token=made.json()["token"])
    assert decoded(exported(house, person=person))[2]["openings"] == {}


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("cursor=x", 422, "invalid_input"),
        ("status=lost", 422, "invalid_input"),
        ("season=00000000-0000-0000-0000-000000000001", 404, "not_found"),
        ("player=00000000-0000-0000-0000-000000000001", 404, "not_found"),
        ("page=2", 422, "unknown_parameter"),
    ],
)
def test_a_filter_that_means_nothing_is_refused_before_the_file_begins(
    house: ClubHouse, query: str, status: int, code: str
) -> None:
    refused(house.owner.get(f"clubs/{house.club.pk}/exports/logs?{query}"), status, code)


def test_an_export_holds_a_game_in_memory_and_no_more(house: ClubHouse) -> None:
    def peak_bytes() -> tuple[int, int]:
        """The most that was held while the export was made, and how long it was."""
        size = 0
        tracemalloc.start()
        answer = house.owner.get(f"clubs/{house.club.pk}/exports/logs")
        for piece in answer.streaming_content:
            size += len(piece)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak, size

    sent(house, [line for n in range(3) for line in game(f"m{n}", seed=n)])
    work()
    peak_bytes()  # What is loaded once is loaded now.
    few, short = peak_bytes()
    sent(house, [line for n in range(3, 15) for line in game(f"m{n}", seed=n)])
    work()
    many, long = peak_bytes()
    assert long > 4 * short, (long, short)
    assert many < 2 * few, (many, few)
