"""The hub of a process: who follows what, and one reader of the database for all of them.

Two threads. One has an event loop, which holds the connections; a client that stands still costs it
nothing. The other reads the database, one turn after the other: what is new for all streams at
once, so that a thousand followers of a game cost one read. Nothing is pushed by whoever appends.

A client that does not take what it is sent is left out until it has, and dropped after a while. It
goes on after its last message, since every stream is read from its cursor.
"""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, Final

import structlog
from django.conf import settings
from django.db import connections
from rest_framework.exceptions import APIException

from api.errors import Problem
from api.live.connections import SocketConnection
from api.live.messages import bye
from api.live.streams import Connection, Delivery, Source, Stream

log = structlog.get_logger(__name__)

ASKED_A_TURN: Final = 5
"""Streams that are asked in one turn whether they may still, so that the others need not wait."""


class Hub:
    """The streams of this process. Methods without an underscore may be called in any thread."""

    def __init__(self) -> None:
        self._streams: dict[Stream, Connection] = {}
        self._sockets: set[Stream] = set()
        self._connecting: set[asyncio.Task[Any]] = set()
        self._by_caller: Counter[str] = Counter()
        self._counting = threading.Lock()
        self._somebody = asyncio.Event()
        self._closing = False
        self._database = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live-database")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="live", daemon=True)
        self._thread.start()

    def admit(self, caller: str) -> None:
        """Count one more stream of a caller. Raises Problem ``too_many_streams``."""
        limit = settings.STREAMS_PER_CALLER
        with self._counting:
            if self._by_caller[caller] >= limit:
                raise Problem(
                    "too_many_streams",
                    f"You follow {limit} streams already: close one first.",
                    facts={"limit": limit},
                    headers={"Retry-After": "30"},
                )
            self._by_caller[caller] += 1

    def release(self, caller: str) -> None:
        """Count one stream less."""
        with self._counting:
            self._by_caller[caller] -= 1
            if self._by_caller[caller] <= 0:
                del self._by_caller[caller]

    def follow(self, stream: Stream, connection: Connection) -> None:
        """Send the stream to this connection from now on. The stream was admitted."""
        self._loop.call_soon_threadsafe(self._add, stream, connection)

    def take_over(self, stream: Stream, taken: socket.socket, *, chunked: bool) -> None:
        """Send the stream to this socket from now on; it belongs to the hub then."""
        connection = SocketConnection(chunked=chunked, lost=lambda: self._lose(stream))

        def connected(task: asyncio.Task[Any]) -> None:
            self._connecting.discard(task)
            if task.exception() is not None:  # The client has gone already.
                self._lose(stream)

        def take() -> None:
            self._sockets.add(stream)
            accepting = self._loop.connect_accepted_socket(lambda: connection, taken)
            task = self._loop.create_task(accepting)
            self._connecting.add(task)
            task.add_done_callback(connected)
            self._add(stream, connection)

        self._loop.call_soon_threadsafe(take)

    def leave(self, stream: Stream) -> None:
        """Send nothing more to this stream, which is not counted any more on return."""
        left = threading.Event()

        def leave() -> None:
            self._forget(stream)
            left.set()

        self._loop.call_soon_threadsafe(leave)
        left.wait(1.0)

    def close(self) -> None:
        """Say goodbye to everybody who follows; they are to connect to somebody else."""
        self._loop.call_soon_threadsafe(self._say_goodbye)

    def wait_until_closed(self, timeout_s: float) -> None:
        """Wait until the last farewell is sent, this long at most."""
        self._thread.join(timeout_s)

    def _run(self) -> None:
        tasks = [self._loop.create_task(work) for work in (self._turns(), self._heartbeats())]
        self._loop.run_forever()
        for task in tasks:
            task.cancel()
        # The loop is not closed: whoever still asks for a stream is left to the end of the process.
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))

    def _add(self, stream: Stream, connection: Connection) -> None:
        now = self._loop.time()
        stream.sent_at = stream.asked_at = now
        self._streams[stream] = connection
        self._somebody.set()
        if self._closing:
            self._say_goodbye()

    def _forget(self, stream: Stream) -> None:
        if self._streams.pop(stream, None) is not None:
            self.release(stream.caller)

    def _lose(self, stream: Stream) -> None:
        """The socket of a stream is closed."""
        self._forget(stream)
        self._sockets.discard(stream)
        if self._closing and not self._sockets:
            self._loop.stop()

    def _say_goodbye(self) -> None:
        self._closing = True
        for stream, connection in list(self._streams.items()):
            connection.send(bye("restart"))
            connection.close()
            self._forget(stream)
        if not self._sockets:
            self._loop.stop()

    async def _turns(self) -> None:
        """Read and send, turn after turn, as long as anybody follows."""
        while True:
            if not self._streams:
                self._somebody.clear()
                await self._in_database(connections.close_all)
                await self._somebody.wait()
            begun = self._loop.time()
            await self._turn()
            spent = self._loop.time() - begun
            # Where turns are long, at least half of the time is left to others.
            await asyncio.sleep(max(settings.STREAM_TURN_MS / 1000 - spent, spent))

    async def _turn(self) -> None:
        now = self._loop.time()
        ready = [stream for stream, each in self._streams.items() if each.has_room()]
        due = [each for each in ready if now - each.asked_at >= settings.STREAM_ASK_S][
            :ASKED_A_TURN
        ]
        try:
            found = await self._in_database(lambda: read(ready, due))
        except Exception:
            # The database is away, or worse. The streams stay open, and go on where they were.
            log.exception("streams_not_read")
            await self._in_database(connections.close_all)
            await asyncio.sleep(1)
            return
        for stream in due:
            stream.asked_at = now
        for delivery in found:
            self._deliver(delivery)

    def _deliver(self, delivery: Delivery) -> None:
        stream = delivery.stream
        connection = self._streams.get(stream)
        if connection is None:
            return  # It has gone meanwhile.
        stream.cursor = delivery.cursor
        if delivery.data:
            stream.sent_at = self._loop.time()
            connection.send(delivery.data)
        if delivery.ends:
            connection.close()
            self._forget(stream)

    async def _heartbeats(self) -> None:
        """Show every quiet client that we are there; drop those that take nothing."""
        while True:
            await asyncio.sleep(min(1.0, settings.STREAM_HEARTBEAT_S / 4))
            now = self._loop.time()
            for stream, connection in list(self._streams.items()):
                quiet_s = now - stream.sent_at
                if not connection.has_room():
                    if quiet_s >= settings.STREAM_STALLED_S:
                        connection.abort()
                elif quiet_s >= settings.STREAM_HEARTBEAT_S:
                    stream.sent_at = now
                    connection.send(stream.source.beat(stream))

    async def _in_database(self, work: Callable[[], Any]) -> Any:
        return await self._loop.run_in_executor(self._database, work)


def read(ready: Iterable[Stream], due: Iterable[Stream]) -> list[Delivery]:
    """What is new for these streams; those that are ``due`` are asked first whether they may still.

    Raises Django's database errors.
    """
    found: list[Delivery] = []
    gone = set()
    for stream in due:
        try:
            stream.access = stream.ask()
        except (Problem, APIException):
            gone.add(stream)
            found.append(Delivery(stream, bye("access"), stream.cursor, ends=True))
    by_source: defaultdict[Source, list[Stream]] = defaultdict(list)
    for stream in ready:
        if stream not in gone:
            by_source[stream.source].append(stream)
    for source, streams in by_source.items():
        found += source.read(streams)
    return found


@lru_cache(maxsize=4)
def _hub_of(process_id: int) -> Hub:
    """One hub a process: threads do not survive a fork, so a child must start its own."""
    del process_id
    return Hub()


def hub() -> Hub:
    """The hub of this process, started when first asked for."""
    return _hub_of(os.getpid())


def is_running() -> bool:
    """Whether anybody has followed anything in this process."""
    return _hub_of.cache_info().currsize > 0
