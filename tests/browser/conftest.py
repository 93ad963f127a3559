"""A web server on the pages, for a browser that reads them."""

import os
from collections.abc import Iterator
from socketserver import ThreadingMixIn
from threading import Thread
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest
from django.core.wsgi import get_wsgi_application

# Playwright keeps an event loop in the thread of the tests until the run ends, and Django takes
# that for code which must not wait for a database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"


class Quiet(WSGIRequestHandler):
    """A test's output is not a log."""

    def log_message(self, *args: object) -> None:
        pass


class Threading(ThreadingMixIn, WSGIServer):
    """A browser asks for several things at once."""

    daemon_threads = True


@pytest.fixture(scope="session")
def pages() -> Iterator[str]:
    """The address of the service's pages. They need no database."""
    application = get_wsgi_application()
    server = make_server("127.0.0.1", 0, application, Threading, Quiet)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()
