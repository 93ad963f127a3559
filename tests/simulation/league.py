"""A league as large as asked for: clubs, players, seasons' worth of games of every ruleset.

    python -m tests.simulation.league --games 20000 --clubs 40 --players 2000 --into FOLDER

writes one file of lines for each club, for ``manage.py import --queue``. The same arguments give
the same files. One game in ``FULL_EVERY`` is recorded tile by tile, the others as the results of
their hands, as a club with real tiles would.
"""

import argparse
import gzip
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import Final

import msgspec
from rich.progress import track

from api.exchange.lines import header_line, plain_line
from api.simulation.bots import STYLES, seated
from api.simulation.games import CALM, new_player, simulate
from rules_engine import registry
from rules_engine.events import Event, GameEnded, GameStarted, HandEnded
from rules_engine.fold import Game, apply
from tests.simulation.laws import result_of

FULL_EVERY: Final = 8
HANDS_MAX: Final = 4
YEAR_MS: Final = 365 * 24 * 3_600_000
FIRST_MS: Final = 1_735_660_800_000
"""2025-01-01 in Shanghai."""
EVENT_MS: Final = 4_000


class League(msgspec.Struct, frozen=True, kw_only=True):
    """How large it is; ``seed`` is what chance starts from."""

    games: int
    clubs: int
    players: int
    seed: int = 1

    def games_of(self, club: int) -> range:
        """The numbers of a club's games."""
        return range(club, self.games, self.clubs)

    def people_of(self, club: int) -> list[str]:
        """The ids of a club's players as its file knows them, the same in every year."""
        count = self.players // self.clubs
        return [new_player(Random(f"{self.seed} {club} {number}")) for number in range(count)]


def club_lines(league: League, club: int) -> Iterator[bytes]:
    """All games of a club, one behind the other."""
    people = league.people_of(club)
    names = {person: f"Player {number + 1}" for number, person in enumerate(people)}
    for number in league.games_of(club):
        yield from game_lines(league, number, people, names)


def game_lines(
    league: League, number: int, people: list[str], names: dict[str, str]
) -> Iterator[bytes]:
    """One game. Players with low numbers are better, as their bots always play one style."""
    rng = Random(f"{league.seed} game {number}")
    rulesets = registry.latest()
    ruleset = rulesets[rng.randrange(len(rulesets))]
    players = rng.sample(people, 4)
    name = f"league-{league.seed}-{number}"
    moment_ms = FIRST_MS + YEAR_MS * number // league.games
    events = simulate(
        ruleset,
        options=ruleset.options(),
        hands=rng.randint(1, HANDS_MAX),
        rng=rng,
        players=players,
        styles=seated(STYLES, rng),
        habits=CALM,
    )
    plain = (event for _, event in events)
    is_full = number // league.clubs % FULL_EVERY == 0
    told = plain if is_full else results(plain)
    yield header_line(game=name, title=name, players={each: names[each] for each in players})
    for seq, event in enumerate(told, 1):
        yield plain_line(game=name, seq=seq, event=event, occurred_at_ms=moment_ms)
        moment_ms += EVENT_MS


def results(events: Iterator[Event]) -> Iterator[Event]:
    """The same game with each hand written down as its result only."""
    game: Game | None = None
    for seq, event in enumerate(events, 1):
        game = apply(game, event, seq)
        if isinstance(event, GameStarted | GameEnded):
            yield event
        elif isinstance(event, HandEnded):
            assert game.last is not None
            assert game.last.facts is not None
            yield result_of(game.last.facts, game.last.hand)


def write_club(league: League, club: int, folder: Path) -> Path:
    """The file of one club."""
    path = folder / f"club-{club + 1:02}.ndjson.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.writelines(club_lines(league, club))
    return path


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--clubs", type=int, default=40)
    parser.add_argument("--players", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--into", type=Path, required=True, help="a folder that exists")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    league = League(games=given.games, clubs=given.clubs, players=given.players, seed=given.seed)
    with ProcessPoolExecutor(given.processes) as pool:
        files = [pool.submit(write_club, league, club, given.into) for club in range(league.clubs)]
        for file in track(files, "playing"):
            sys.stdout.write(f"{file.result()}\n")


if __name__ == "__main__":
    main()
