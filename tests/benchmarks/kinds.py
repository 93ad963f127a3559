"""The ways of writing one event that are compared: ours, plain psycopg, and a peer's."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from uuid import UUID, uuid4

import psycopg
from django.db import connection
from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.json import Jsonb

from records.append import append_events, create_game
from rules_engine.events import Event
from tests.benchmarks.games import recordings
from tests.benchmarks.stage import BODY, DIGEST

WRITES_A_SECOND_MAX = 6000
"""More than any writer reaches: how much is prepared for a run."""


class PlainInsert:
    """psycopg and one prepared INSERT, each its own transaction."""

    def __init__(self, url: str, number: int) -> None:
        self._connection = psycopg.connect(url, autocommit=True)
        self._cursor = self._connection.cursor()
        self._game_id = uuid4()
        self._seqs = itertools.count(1)
        self._body = Jsonb(json.loads(BODY))

    def prepare(self, seconds: float) -> None:
        """Nothing to do."""

    def write(self) -> None:
        """One row."""
        self._cursor.execute(
            "INSERT INTO plain_event (game_id, seq, type, data, hash) VALUES (%b, %b, %b, %s, %b)",
            (self._game_id, next(self._seqs), "discard", self._body, DIGEST),
            prepare=True,
        )


class MessageDb:
    """message-db's function called from Python, as a client of it does."""

    def __init__(self, url: str, number: int) -> None:
        self._connection = psycopg.connect(
            url, autocommit=True, options="-c search_path=public,message_store"
        )
        self._cursor = self._connection.cursor()
        self._stream = f"game-{uuid4()}"
        self._body = Jsonb(json.loads(BODY))

    def prepare(self, seconds: float) -> None:
        """Nothing to do."""

    def write(self) -> None:
        """One message."""
        self._cursor.execute(
            "SELECT message_store.write_message(%s::varchar, %s::varchar, 'discard', %s)",
            (str(uuid4()), self._stream, self._body),
            prepare=True,
        )


class PaipuAppend:
    """Ours, as Python calls it: engine check, chain, receipt, one event an append."""

    def __init__(self, url: str, number: int) -> None:
        del url  # Django has it.
        self._recordings = recordings(number)
        self._games: Iterator[tuple[UUID, tuple[Event, ...]]] = iter(())
        self._game_id = UUID(int=0)
        self._seq = 0
        self._events: Iterator[Event] = iter(())

    def prepare(self, seconds: float) -> None:
        """Open the games that will be written; what was begun in the last run is left as it is."""
        connection.ensure_connection()
        club, due, games = uuid4(), seconds * WRITES_A_SECOND_MAX, []
        while due > 0:
            sent = next(self._recordings).sent
            games.append((create_game(club_id=club), sent))
            due -= len(sent)
        self._games, self._events = iter(games), iter(())

    def write(self) -> None:
        """The next event of the present game, or the first of the next."""
        event = next(self._events, None)
        if event is None:
            self._game_id, log = next(self._games)
            self._events, self._seq = iter(log), 0
            event = next(self._events)
        receipt = append_events(
            game_id=self._game_id,
            expected_seq=self._seq,
            events=(event,),
            command_id=f"record-{self._seq}",
            actor="0193f1c4-0000-7000-8000-000000000001",
        )
        self._seq = receipt.last_seq


def recorder(url: str, *, functions: bool) -> PostgresApplicationRecorder:
    """The recorder of the library `eventsourcing`, as its documentation configures it."""
    given = conninfo_to_dict(url)
    datastore = PostgresDatastore(
        dbname=str(given["dbname"]),
        host=str(given["host"]),
        port="5432",
        user=str(given["user"]),
        password="",
        pool_size=1,
        enable_db_functions=functions,
    )
    name = "es_functions" if functions else "es_plain"
    return PostgresApplicationRecorder(datastore, events_table_name=name)


class Eventsourcing:
    """`eventsourcing`: the application recorder, one event an insert."""

    functions = False

    def __init__(self, url: str, number: int) -> None:
        self._recorder = recorder(url, functions=self.functions)
        self._originator = uuid4()
        self._versions = itertools.count(1)
        self._body = BODY.encode()

    def prepare(self, seconds: float) -> None:
        """Open its pool."""
        with self._recorder.datastore.get_connection():
            pass

    def write(self) -> None:
        """One event."""
        self._recorder.insert_events(
            [StoredEvent(self._originator, next(self._versions), "discard", self._body)]
        )


class EventsourcingFunctions(Eventsourcing):
    """The same with its database functions."""

    functions = True
