"""gunicorn's worker with threads, which lets go of the connections that streams have.

Everything else is served as ever. Why the streams do not have a server of their own, and what the
other ways cost, is in the README of this layer.
"""

from __future__ import annotations

from types import FrameType
from typing import Any, Final

from gunicorn.workers.gthread import TConn, ThreadWorker

from api.live.hub import hub, is_running
from api.live.response import HANDS_OVER, HandedOver

FAREWELL_S: Final = 5.0
"""How long a worker that stops waits until its streams are told."""


class Worker(ThreadWorker):  # type: ignore[misc] # gunicorn carries no types
    """Threads for requests; the hub for streams."""

    wsgi: Any

    def load_wsgi(self) -> None:
        """Load the application, which is told that it may take sockets over."""
        super().load_wsgi()
        application = self.wsgi

        def told(environ: dict[str, Any], start_response: Any) -> Any:
            # A connection of HTTP/2 carries other requests beside this one.
            if environ["SERVER_PROTOCOL"] in ("HTTP/1.0", "HTTP/1.1"):
                environ[HANDS_OVER] = True
            return application(environ, start_response)

        self.wsgi = told

    def handle_request(self, req: Any, conn: TConn) -> bool:
        """Serve a request; whether the connection stays ours for the next one."""
        try:
            return bool(super().handle_request(req, conn))
        except HandedOver:
            return False

    def finish_request(self, conn: TConn, fs: Any) -> None:
        """Keep or close the connection, unless its socket was taken over."""
        if conn.sock.fileno() < 0:
            self.nr_conns -= 1
        else:
            super().finish_request(conn, fs)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop gracefully: streams are told at once, requests are served to their end."""
        if is_running():
            hub().close()
        super().handle_exit(sig, frame)

    def handle_quit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at once: the streams are told all the same."""
        if is_running():
            hub().close()
        super().handle_quit(sig, frame)

    def run(self) -> None:
        """Serve until asked to stop."""
        super().run()
        if is_running():
            hub().wait_until_closed(FAREWELL_S)
