"""The league of the long runs: the files are the same each time, and hold what they say."""

import gzip
from collections import Counter
from pathlib import Path

import msgspec

from rules_engine import registry
from tests.simulation.league import League, club_lines, write_club

LEAGUE = League(games=18, clubs=2, players=24)


def test_the_same_league_gives_the_same_lines() -> None:
    assert list(club_lines(LEAGUE, 1)) == list(club_lines(LEAGUE, 1))
    assert list(club_lines(LEAGUE, 0)) != list(club_lines(LEAGUE, 1))


def test_a_clubs_file_holds_its_games_its_players_and_both_fidelities(tmp_path: Path) -> None:
    path = write_club(LEAGUE, 0, tmp_path)
    lines = [msgspec.json.decode(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    games = Counter(line["game"] for line in lines)
    assert len(games) == len(LEAGUE.games_of(0)) == 9
    started = [line for line in lines if line.get("type") == "game_started"]
    assert {event["ruleset"] for event in started} <= {each.slug for each in registry.latest()}
    people = set(LEAGUE.people_of(0))
    assert len(people) == 12
    assert {player for event in started for player in event["players"]} <= people
    assert {"hand_started", "hand_result"} <= {line.get("type") for line in lines}
