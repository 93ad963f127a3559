"""A real web server in a process of its own, and a network before it that loses things."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

from api.embedded.processes import Child, Program, wait_until
from api.embedded.web import free_address, is_ours, shown
from tests.support.databases import Database
from tests.support.servers import short_folder

PROJECT = Path(__file__).resolve().parents[2]
START_S = 60.0
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "server", "date", "host"}


@contextmanager
def running_web(database: Database, **variables: str) -> Iterator[str]:
    """The address of a web server on this database, run as production runs it."""
    host, port = free_address("127.0.0.1", 0)
    instance = f"test-{port}"
    with short_folder() as folder:
        program = Program(
            name="web",
            command=[
                *(sys.executable, "-m", "gunicorn", "api.wsgi", "--bind", f"{host}:{port}"),
                *("--worker-class", "gthread", "--threads", "8", "--no-control-socket"),
            ],
            log=folder / "web.log",
            environment={**database.environment, "PAIPU_INSTANCE": instance, **variables},
            folder=str(PROJECT),
        )
        child = Child(program)
        try:
            address = shown(host, port)
            wait_until(lambda: is_ours(address, instance), child=child, limit_s=START_S)
            yield address
        finally:
            child.stop()


class BadNetwork:
    """What happens to requests on their way, a third of them: by lot, each as often as the others.

    A request may never arrive, its answer may never come back (the connection hangs until the
    client gives up, or breaks), it may arrive twice at once, once more long after its answer, or
    only behind requests that were sent later, when the client has sent it again.
    """

    def __init__(self, upstream: str, *, seed: int) -> None:
        self.upstream = urlsplit(upstream)
        self.rng = Random(seed)
        self.lots: list[str] = []
        self.lock = threading.Lock()
        self.waiting: list[tuple[int, Sent]] = []
        self.happened: dict[str, int] = {}

    def lot(self) -> str:
        """What happens to the next request."""
        with self.lock:
            if not self.lots:
                self.lots = [*FATES, *["well"] * 2 * len(FATES)]
                self.rng.shuffle(self.lots)
            fate = self.lots.pop()
            self.happened[fate] = self.happened.get(fate, 0) + 1
            return fate

    def hold_back(self, sent: Sent) -> None:
        """Keep a copy of a request that arrives again after some others."""
        with self.lock:
            self.waiting.append((self.rng.randint(1, 4), sent))

    def due(self) -> list[Sent]:
        """The copies that have been overtaken by enough requests."""
        with self.lock:
            passed = [(left - 1, sent) for left, sent in self.waiting]
            self.waiting = [(left, sent) for left, sent in passed if left > 0]
            return [sent for left, sent in passed if left <= 0]

    def forward(self, sent: Sent) -> Answered:
        """Send a request to the server and read the whole answer."""
        connection = HTTPConnection(self.upstream.hostname or "", self.upstream.port, timeout=30)
        try:
            connection.request(sent.method, sent.path, body=sent.body, headers=sent.headers)
            answer = connection.getresponse()
            return Answered(answer, answer.read())
        finally:
            connection.close()


class Sent:
    """A request as it came from the client."""

    def __init__(self, handler: BaseHTTPRequestHandler) -> None:
        self.method, self.path = handler.command, handler.path
        self.headers = {
            name: value for name, value in handler.headers.items() if name.lower() not in HOP_BY_HOP
        }
        length = int(handler.headers.get("Content-Length") or 0)
        self.body = handler.rfile.read(length) if length else None


class Answered:
    """An answer as it came from the server."""

    def __init__(self, answer: HTTPResponse, body: bytes) -> None:
        self.status, self.body = answer.status, body
        self.headers = [
            (name, value) for name, value in answer.getheaders() if name.lower() not in HOP_BY_HOP
        ]


FATES = ("lost", "hangs", "answer lost", "answer hangs", "twice", "late", "overtaken")
HANG_S = 0.9
"""Longer than a client of these tests waits."""


class Passing(BaseHTTPRequestHandler):
    """One connection through a bad network."""

    protocol_version = "HTTP/1.1"
    network: BadNetwork

    def log_message(self, *args: Any) -> None:
        """A test's output is not a log."""

    def pass_on(self) -> None:
        """What becomes of a request."""
        network, sent = self.network, Sent(self)
        for copy in network.due():
            network.forward(copy)
        fate = network.lot()
        if fate in ("late", "overtaken"):
            network.hold_back(sent)
        if fate in ("lost", "hangs", "overtaken"):
            self.give_up(hang=fate == "hangs")
            return
        second = threading.Thread(target=network.forward, args=(sent,))
        if fate == "twice":
            second.start()
        answered = network.forward(sent)
        if fate == "twice":
            second.join()
        if fate.startswith("answer"):
            self.give_up(hang=fate == "answer hangs")
        else:
            self.answer(answered)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = pass_on  # noqa: N815 - their names

    def answer(self, answered: Answered) -> None:
        """Give the client what the server answered."""
        self.send_response(answered.status)
        for name, value in answered.headers:
            if name.lower() != "content-length":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(answered.body)))
        self.end_headers()
        self.wfile.write(answered.body)

    def give_up(self, *, hang: bool) -> None:
        """Give the client nothing: at once, or when it has given up itself."""
        if hang:
            time.sleep(HANG_S)
        self.close_connection = True


@contextmanager
def bad_network(upstream: str, *, seed: int) -> Iterator[tuple[str, BadNetwork]]:
    """The address of a proxy before the server, and what the network does."""
    network = BadNetwork(upstream, seed=seed)
    handler = type("PassingHere", (Passing,), {"network": network})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", network
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
