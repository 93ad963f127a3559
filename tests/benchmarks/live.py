"""Section "live": a thousand streams of one process, from the append to their receipt.

The followers are sockets of one event loop, in this process. Beside it, in the same run, the same
number of followers of a bare ASGI application under uvicorn that hands on what is posted to it.
"""

from __future__ import annotations

import asyncio
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple
from uuid import UUID

from api.embedded.processes import Child, Program, wait_until
from api.embedded.web import free_address
from api.tokens import sign_in
from records.append import append_events
from records.clubs import create_club
from records.games import start_game
from records.models import Account
from records.players import add_player
from rules_engine import registry
from tests.benchmarks.games import HANDS, SEEDS, SLUG, recording
from tests.benchmarks.http_kinds import HttpConnection
from tests.benchmarks.report import Line
from tests.benchmarks.stage import Stage
from tests.support.servers import short_folder
from tests.support.source import PROJECT
from tests.support.web_server import web_server

FOLLOWERS = 1000
GAMES = (1, 100)
EVENTS = 60
PAUSE_S = 0.1
_ID = re.compile(rb"(?:^|\n)id: (\d+)\nevent")


class Follower(asyncio.Protocol):
    """One stream: it notes when each message came."""

    def __init__(self, request: bytes) -> None:
        self._request = request
        self.at_s: dict[int, float] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Note what came."""
        now_s = time.monotonic()
        for found in _ID.finditer(data):
            self.at_s.setdefault(int(found[1]), now_s)


class Crowd:
    """Many followers, in a thread of their own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self.followers: list[Follower] = []

    def connect(self, address: str, requests: list[bytes]) -> None:
        """Open one connection for each request."""
        host, _, port = address.removeprefix("http://").partition(":")

        async def connect() -> None:
            for request in requests:
                follower = Follower(request)
                await self._loop.create_connection(
                    lambda follower=follower: follower,  # type: ignore[misc]
                    host,
                    int(port),
                )
                self.followers.append(follower)

        asyncio.run_coroutine_threadsafe(connect(), self._loop).result()

    def close(self) -> None:
        """Hang up."""
        for follower in self.followers:
            self._loop.call_soon_threadsafe(follower.transport.abort)
        self._loop.call_soon_threadsafe(self._loop.stop)


class Figures(NamedTuple):
    """What one crowd met with."""

    p50_ms: float
    p99_ms: float
    memory_kb: float


def live(stage: Stage, *, told: Callable[[str], None]) -> list[Line]:
    """Delay and memory of our streams, against those of the bare application."""
    told("live: the bare application")
    bare = _bare()
    lines = []
    for games in GAMES:
        told(f"live: {FOLLOWERS} followers of {games} games")
        ours = _ours(stage, games)
        load = f"{FOLLOWERS:,} streams, {games} game{'s' if games > 1 else ''}"
        lines += [
            _line(f"append to receipt, p50 {ours.p50_ms:.0f} ms", load, ours.p50_ms, bare.p50_ms),
            _line(f"append to receipt, p99 {ours.p99_ms:.0f} ms", load, ours.p99_ms, bare.p99_ms),
            _line(
                f"memory a stream, {ours.memory_kb:.0f} kB", load, ours.memory_kb, bare.memory_kb
            ),
        ]
    return lines


def _line(name: str, load: str, ours: float, bare: float) -> Line:
    return Line(
        "live", name, load, "bare ASGI echo", (ours / bare,), (ours,), name.rsplit(maxsplit=1)[-1]
    )


def _ours(stage: Stage, games: int) -> Figures:
    account = Account(username=f"live-{games}")
    account.set_unusable_password()
    account.save()
    club = create_club(owner=account, name=account.username, slug=account.username, time_zone="UTC")
    players = [add_player(club=club, name=seat).pk for seat in "ESWN"]
    ids = [_start(club.pk, account.pk, players) for _ in range(games)]
    _, token = sign_in(account)
    requests = [
        f"GET /api/v1/games/{ids[number % games]}/stream HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {token}\r\n\r\n".encode()
        for number in range(FOLLOWERS)
    ]
    with web_server(
        stage.url,
        PAIPU_STREAMS_PER_CALLER=str(FOLLOWERS),
        PAIPU_ACCOUNT_REQUESTS_PER_MINUTE="0",
        PAIPU_TOKEN_REQUESTS_PER_MINUTE="0",
    ) as (address, web):
        crowd, before = Crowd(), _memory_kb(web.pid)
        crowd.connect(address, requests)
        _wait_for(crowd, 1)
        memory_kb = (_memory_kb(web.pid) - before) / FOLLOWERS
        delays_s: list[float] = []
        events = recording(seed=SEEDS[0], hands=HANDS).sent[1:]
        seqs = dict.fromkeys(ids, 1)
        for number in range(EVENTS):
            game_id = ids[number % games]
            seq = seqs[game_id]
            seqs[game_id] = append_events(
                game_id=game_id,
                expected_seq=seq,
                events=[events[number // games]],
                command_id=f"live-{number}",
            ).last_seq
            delays_s += _delays_s(crowd.followers[number % games :: games], seq + 1)
        crowd.close()
    return _figures(delays_s, memory_kb)


def _start(club_id: UUID, account_id: UUID, players: list[UUID]) -> UUID:
    game_id, _ = start_game(
        club_id=club_id,
        created_by=account_id,
        ruleset=registry.get(SLUG),
        options={},
        preset=None,
        players=players,
        substitutes=[],
        stake=1,
        title="",
        command_id="start",
    )
    return game_id


def _bare() -> Figures:
    with _echoing() as (address, pid):
        crowd, before = Crowd(), _memory_kb(pid)
        crowd.connect(address, [b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"] * FOLLOWERS)
        time.sleep(2)
        memory_kb = (_memory_kb(pid) - before) / FOLLOWERS
        connection = HttpConnection(address)
        delays_s: list[float] = []
        for number in range(EVENTS):
            connection.post("/", b"id: %d\nevent: event\ndata: %b\n\n" % (number, b"x" * 300))
            delays_s += _delays_s(crowd.followers, number)
        crowd.close()
    return _figures(delays_s, memory_kb)


@contextmanager
def _echoing() -> Iterator[tuple[str, int]]:
    with short_folder() as folder:
        host, port = free_address("127.0.0.1", 0)
        server = Child(
            Program(
                name="echo",
                command=[
                    *(sys.executable, "-m", "uvicorn", "tests.benchmarks.echo:application"),
                    *("--host", host, "--port", str(port), "--no-access-log"),
                ],
                log=folder / "echo.log",
                folder=str(PROJECT),
            )
        )
        address = f"http://{host}:{port}"
        try:
            wait_until(lambda: _answers(address), child=server, limit_s=30)
            yield address, server.pid
        finally:
            server.stop()


def _answers(address: str) -> bool:
    try:
        HttpConnection(address).close()
    except OSError:
        return False
    return True


def _delays_s(followers: list[Follower], seq: int) -> list[float]:
    """How long after now each got the message; waits for all, and a while before the next."""
    sent_s = time.monotonic()
    while any(seq not in follower.at_s for follower in followers):
        time.sleep(0.005)
    time.sleep(PAUSE_S)
    return [max(0.0, follower.at_s[seq] - sent_s) for follower in followers]


def _wait_for(crowd: Crowd, seq: int) -> None:
    while any(seq not in follower.at_s for follower in crowd.followers):
        time.sleep(0.05)


def _memory_kb(pid: int) -> int:
    """What a process and its children hold of their own (Pss), in kB."""
    pids = [pid]
    for each in Path("/proc").glob("[0-9]*/stat"):
        fields = each.read_text().rpartition(")")[2].split()
        if int(fields[1]) == pid:
            pids.append(int(each.parent.name))
    found = [Path(f"/proc/{each}/smaps_rollup").read_text() for each in pids]
    return sum(int(text.partition("\nPss:")[2].split()[0]) for text in found)


def _figures(delays_s: list[float], memory_kb: float) -> Figures:
    p99_s = quantiles(delays_s, n=100)[98]
    return Figures(median(delays_s) * 1000, p99_s * 1000, memory_kb)
