"""A receiver of webhooks: a real HTTP server that keeps what it gets and answers as it is told."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec
from standardwebhooks import Webhook


@dataclass(frozen=True)
class Received:
    """One request."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        """The event's id."""
        return self.headers["webhook-id"]

    @property
    def message(self) -> Any:
        """The body."""
        return msgspec.json.decode(self.body)

    def verified(self, secret: str) -> Any:
        """The body, once the library has found a signature made with this secret."""
        return Webhook(secret).verify(self.body, self.headers)


@dataclass
class Receiver:
    """What came, in order. ``answers`` are given one after the other, then ``status`` alone."""

    port: int = 0
    status: int = 200
    answers: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)
    got: list[Received] = field(default_factory=list)
    hold: threading.Event | None = None
    """Where it is given, an answer waits for it."""

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}/hooks"

    @property
    def types(self) -> list[str]:
        """The types of what came."""
        return [each.message["type"] for each in self.got]


@contextmanager
def receiving(context: Any = None) -> Iterator[Receiver]:
    """A receiver that listens on a port of its own while the block lasts; by TLS with a context."""
    receiver = Receiver()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            with lock:
                receiver.got.append(Received(self.path, headers, body))
                answers = receiver.answers
                status, more, content = answers.pop(0) if answers else (receiver.status, {}, b"ok")
            if receiver.hold is not None:
                receiver.hold.wait(60)
            self.send_response(status)
            for name, value in more.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Nothing: whoever hung up meant to."""

    with Server(("127.0.0.1", 0), Handler) as server:
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        receiver.port = server.server_port
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join()
