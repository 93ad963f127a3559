"""Section "bulk": a file of games taken in and given out, beside a COPY of as many rows."""

from __future__ import annotations

import io
import itertools
import time
from collections.abc import Callable
from functools import partial
from uuid import uuid4

import psycopg
from django.db import connection

from api.bulk.receiving import receive
from api.bulk.working import work
from api.exchange.choosing import Choice
from api.exchange.exporting import export_game
from api.exchange.lines import header_line, plain_line
from api.exchange.settling import settle_now
from records.clubs import create_club
from records.models import Account, Club
from tests.benchmarks.games import HANDS, SEEDS, forget, recording
from tests.benchmarks.measuring import Paired, compare
from tests.benchmarks.report import ITSELF, Line
from tests.benchmarks.stage import BODY, DIGEST, Stage

GAMES = 16
REFERENCE = "COPY of as many rows"
FOR_EVER_S = 3600.0
_COPY = "COPY raw_event (game_id, seq, type, data, hash) FROM STDIN"


class Files:
    """Files of the same games under new names each time, and the club they are taken into."""

    def __init__(self, stage: Stage) -> None:
        account = Account(username="bulk")
        account.set_unusable_password()
        account.save()
        self.club: Club = create_club(owner=account, name="bulk", slug="bulk", time_zone="UTC")
        self.keys = map(str, itertools.count())
        self.url = stage.url
        self.events = sum(len(recording(seed=seed, hands=HANDS).log) for seed in SEEDS[:GAMES])

    def copied(self) -> float:
        """Rows a second by one COPY, an event's JSON in each."""
        begun = time.perf_counter()
        with psycopg.connect(self.url) as raw, raw.cursor().copy(_COPY) as copy:
            game_id = uuid4()
            for seq in range(self.events):
                copy.write_row((game_id, seq, "discard", BODY, DIGEST))
        return self.events / (time.perf_counter() - begun)

    def receive(self) -> None:
        """Send a file."""
        lines = []
        for seed in SEEDS[:GAMES]:
            name = str(uuid4())
            log = recording(seed=seed, hands=HANDS).log
            people = dict(
                zip(recording(seed=seed, hands=HANDS).started.players, "ESWN", strict=True)
            )
            lines.append(header_line(game=name, title="", players=people))
            lines += [
                plain_line(game=name, seq=seq, event=event) for seq, event in enumerate(log, 1)
            ]
        self.body = io.BytesIO(b"".join(lines))

    def received(self) -> float:
        """Events a second of receiving a file: sorted by game and kept."""
        self.receive()
        begun = time.perf_counter()
        receive(self.body, club=self.club, account=None, key=next(self.keys), packed=False)
        spent = time.perf_counter() - begun
        work(FOR_EVER_S)
        return self.events / spent

    def recorded(self) -> float:
        """Events a second of recording the games of a file that was received, by one worker."""
        self.receive()
        receive(self.body, club=self.club, account=None, key=next(self.keys), packed=False)
        forget()
        begun = time.perf_counter()
        work(FOR_EVER_S)
        return self.events / (time.perf_counter() - begun)

    def settled(self) -> float:
        """Events a second of settling those games, boards and all; what was due before is not."""
        settle_now()
        self.recorded()
        begun = time.perf_counter()
        settle_now()
        return self.events / (time.perf_counter() - begun)

    def exported(self) -> float:
        """Events a second of giving games out again."""
        games = itertools.islice(Choice(club_id=self.club.pk).games(), GAMES)
        begun = time.perf_counter()
        lines = sum(len(list(export_game(game.pk))) - 1 for game in games)
        return lines / (time.perf_counter() - begun)


def bulk(stage: Stage, *, repeats: int, told: Callable[[str], None]) -> list[Line]:
    """The lines of the section."""
    connection.ensure_connection()
    files = Files(stage)
    files.recorded()  # Players are made, statements prepared.
    found = compare(
        files.copied,
        {
            "paipu, a file received": files.received,
            "paipu, a file's games recorded, 1 worker": files.recorded,
            "paipu, recorded games settled, boards and all": files.settled,
            "paipu, games exported": files.exported,
        },
        repeats=repeats,
        told=partial(_tell, told),
    )
    return _lines(found, f"{GAMES} games, {files.events:,} events")


def _tell(told: Callable[[str], None], name: str) -> None:
    told(f"bulk: {name}")


def _lines(found: dict[str, Paired], load: str) -> list[Line]:
    raw = found.pop("")
    return [
        Line("bulk", REFERENCE, load, ITSELF, (1.0,), tuple(raw.rates), "events/s"),
        *(
            Line(
                section="bulk",
                name=name,
                load=load,
                against=REFERENCE,
                ratios=tuple(pair.ratios),
                rates=tuple(pair.rates),
                unit="events/s",
            )
            for name, pair in found.items()
        ),
    ]
