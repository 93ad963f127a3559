"""The same, over HTTP: clients that keep one connection open and do as little as they can."""

from __future__ import annotations

import itertools
import re
import socket
from collections.abc import Iterator
from uuid import UUID, uuid4

from django.db import connection

from api.tokens import sign_in
from records.append import append_events
from records.clubs import create_club
from records.games import start_game
from records.models import Account
from records.players import add_player
from rules_engine import registry
from tests.benchmarks.games import SLUG, recordings
from tests.benchmarks.stage import BODY, DIGEST

WRITES_A_SECOND_MAX = 400
BATCH = 20
"""Events in an append of several."""
EVENTS_READ = 350
"""Events of the game that is read whole."""
_ETAG = re.compile(rb'\r\n[Ee][Tt]ag: "(\d+)"')


class HttpConnection:
    """One connection to one server."""

    def __init__(self, url: str) -> None:
        host, port = url.removeprefix("http://").split(":")
        self._socket = socket.create_connection((host, int(port)))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._host = host

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def post(self, path: str, body: bytes, headers: str = "") -> bytes:
        """Send, and give the whole answer. Raises RuntimeError unless it was 201."""
        request = (
            f"POST {path} HTTP/1.1\r\nHost: {self._host}\r\nContent-Type: application/json\r\n"
            f"{headers}Content-Length: {len(body)}\r\n\r\n"
        )
        return self._answer(request.encode() + body, b"HTTP/1.1 201")

    def get(self, path: str, headers: str = "") -> bytes:
        """Ask, and give the whole answer. Raises RuntimeError unless it was 200."""
        request = f"GET {path} HTTP/1.1\r\nHost: {self._host}\r\n{headers}\r\n"
        return self._answer(request.encode(), b"HTTP/1.1 200")

    def _answer(self, request: bytes, status: bytes) -> bytes:
        self._socket.sendall(request)
        parts, tail = [], b""
        head, length = b"", None
        size = 0
        while True:
            more = self._socket.recv(262144)
            parts.append(more)
            size += len(more)
            tail = (tail + more)[-8:]
            if not head:
                head, end, _ = b"".join(parts).partition(b"\r\n\r\n")
                head, length = (head, _content_length(head)) if end else (b"", None)
            whole = length is not None and size >= len(head) + 4 + length
            if not more or whole or (head and length is None and tail.endswith(_LAST_CHUNK)):
                break
        answer = b"".join(parts)
        if not answer.startswith(status):
            raise RuntimeError(answer.decode(errors="replace"))
        return answer


_LAST_CHUNK = b"\r\n0\r\n\r\n"


def _content_length(head: bytes) -> int | None:
    """The length that an answer tells, None for one in chunks."""
    _, told, rest = head.lower().partition(b"content-length: ")
    return int(rest.partition(b"\r\n")[0]) if told else None


class HttpWriter:
    """What both have in common: a connection that is made anew for each run."""

    def __init__(self, url: str, number: int) -> None:
        self._url = url
        self._connection: HttpConnection | None = None

    def prepare(self, seconds: float) -> None:
        """Connect anew, since the server has closed what was idle."""
        if self._connection is not None:
            self._connection.close()
        self._connection = HttpConnection(self._url)

    @property
    def connection(self) -> HttpConnection:
        """The open connection."""
        assert self._connection is not None
        return self._connection


class BareInsert(HttpWriter):
    """The bare DRF view that validates and inserts one row."""

    def __init__(self, url: str, number: int) -> None:
        super().__init__(url, number)
        self._game_id = uuid4()
        self._seqs = itertools.count(1)

    def write(self) -> None:
        """One row."""
        body = (
            f'{{"game": "{self._game_id}", "seq": {next(self._seqs)}, "type": "discard",'
            f' "data": {BODY}}}'
        )
        self.connection.post("/bare", body.encode())


class HttpAppend(HttpWriter):
    """Our append: token, rights, limits, If-Match and Idempotency-Key, rules, chain and receipt."""

    def __init__(self, url: str, number: int) -> None:
        super().__init__(url, number)
        self._recordings = recordings(number)
        name = f"{type(self).__name__.lower()}-{number}"
        self._account = Account(username=name)
        self._account.set_unusable_password()
        self._account.save()
        self._club = create_club(owner=self._account, name=name, slug=name, time_zone="UTC")
        self._players = [add_player(club=self._club, name=seat).pk for seat in "ESWN"]
        _, token = sign_in(self._account)
        self._bearer = f"Authorization: Bearer {token}\r\n"
        self._games: Iterator[tuple[UUID, tuple[bytes, ...]]] = iter(())
        self._bodies: Iterator[bytes] = iter(())
        self._path, self._seq = "", 0

    def prepare(self, seconds: float) -> None:
        """Start the games that will be written; each is at seq 1 then."""
        super().prepare(seconds)
        due, games = seconds * WRITES_A_SECOND_MAX, []
        while due > 0:
            bodies = self._bodies_of(next(self._recordings).bodies[1:])
            games.append((self._start(), bodies))
            due -= len(bodies)
        self._games, self._bodies = iter(games), iter(())

    def _bodies_of(self, bodies: tuple[bytes, ...]) -> tuple[bytes, ...]:
        return bodies

    def _start(self) -> UUID:
        game_id, _ = start_game(
            club_id=self._club.pk,
            created_by=self._account.pk,
            ruleset=registry.get(SLUG),
            options={},
            preset=None,
            players=self._players,
            substitutes=[],
            stake=1,
            title="",
            command_id="start",
        )
        return game_id

    def write(self) -> None:
        """The next event of the present game, or the first of the next."""
        body = next(self._bodies, None)
        if body is None:
            game_id, bodies = next(self._games)
            self._path, self._seq = f"/api/v1/games/{game_id}/events", 1
            self._bodies = iter(bodies)
            body = next(self._bodies)
        headers = (
            f'{self._bearer}If-Match: "{self._seq}"\r\nIdempotency-Key: record-{self._seq}\r\n'
        )
        answer = self.connection.post(self._path, body, headers)
        found = _ETAG.search(answer)
        assert found is not None
        self._seq = int(found[1])


class HttpBatches(HttpAppend):
    """Our append, BATCH events a request."""

    def _bodies_of(self, bodies: tuple[bytes, ...]) -> tuple[bytes, ...]:
        batches = (bodies[n : n + BATCH] for n in range(0, len(bodies) - BATCH + 1, BATCH))
        return tuple(b"[" + b",".join(batch) + b"]" for batch in batches)


class BareRead(HttpWriter):
    """The bare DRF view that reads the rows of one game."""

    def __init__(self, url: str, number: int) -> None:
        super().__init__(url, number)
        self._game_id = uuid4()
        rows = [(self._game_id, seq, "discard", BODY, DIGEST) for seq in range(1, EVENTS_READ + 1)]
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO bare_event VALUES (%s, %s, %s, %s, %s)", rows)

    def write(self) -> None:
        """Read them all."""
        self.connection.get(f"/bare/{self._game_id}")


class HttpRead(HttpAppend):
    """Our events of a whole game, as one stream of lines or as a page."""

    query = "?limit=500"
    accept = "application/json"

    def __init__(self, url: str, number: int) -> None:
        super().__init__(url, number)
        self._game_id = self._start()
        sent = next(self._recordings).sent[1:]
        append_events(
            game_id=self._game_id, expected_seq=1, events=sent[:EVENTS_READ], command_id="all"
        )

    def prepare(self, seconds: float) -> None:
        """Connect anew."""
        HttpWriter.prepare(self, seconds)

    def write(self) -> None:
        """Read them all."""
        self.connection.get(
            f"/api/v1/games/{self._game_id}/events{self.query}",
            f"{self._bearer}Accept: {self.accept}\r\n",
        )


class HttpStream(HttpRead):
    """The same as lines."""

    query = ""
    accept = "application/x-ndjson"
