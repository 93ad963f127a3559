"""One request to a receiver: signed, to a checked address, within limits. Touches no database."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import lru_cache
from http.client import HTTPException
from typing import Final
from uuid import UUID

import msgspec
from django.conf import settings
from msgspec.structs import replace
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError, InvalidHeader, NewConnectionError
from urllib3.exceptions import TimeoutError as TimedOut
from urllib3.response import HTTPResponse
from urllib3.util.retry import Retry

from api.webhooks.addresses import (
    Address,
    Resolve,
    Target,
    WebhookUrlRefused,
    addresses_of,
    read_url,
    resolve_name,
)
from api.webhooks.signing import sign

CONNECT_S: Final = 5.0
ADDRESSES_TRIED_MAX: Final = 3
ANSWER_S: Final = 15.0
"""From the connection to the last byte that is read: whoever answers byte by byte is cut off."""
ANSWER_BYTES_MAX: Final = 4096
KEPT_CHARACTERS_MAX: Final = 1000
RETRY_AFTER_MAX_S: Final = 24 * 3600
USER_AGENT: Final = "paipu-webhooks/1"


class Parcel(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be sent and where. ``numbers`` are those of the secrets that sign it."""

    url: str
    webhook_id: UUID
    numbers: tuple[int, ...]
    event_id: UUID
    payload: str


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it: the HTTP status and the beginning of the answer, or why there is none.

    ``error`` is empty, or ``timed_out``, ``not_connected``, ``broken_answer``, or a reason of
    `addresses.WebhookUrlRefused`. ``retry_after_s``: how long the receiver asks us to wait.
    """

    status: int | None = None
    answer: str = ""
    error: str = ""
    duration_ms: int = 0
    retry_after_s: int | None = None

    @property
    def is_success(self) -> bool:
        """Whether the receiver has it. A redirect is not followed and is no success."""
        return self.status is not None and 200 <= self.status < 300


def send(parcel: Parcel, *, resolve: Resolve = resolve_name) -> Outcome:
    """Send it once, now. What goes wrong on the way is an outcome, not an exception."""
    begun = time.monotonic()
    try:
        target = read_url(parcel.url)
        outcome = _post(target, addresses_of(target, resolve=resolve), parcel)
    except WebhookUrlRefused as refused:
        outcome = Outcome(error=refused.reason)
    except (HTTPError, HTTPException, OSError, ValueError) as error:
        outcome = Outcome(error=_error_of(error), answer=_kept(str(error.__cause__ or error)))
    return replace(outcome, duration_ms=round((time.monotonic() - begun) * 1000))


def _error_of(error: Exception) -> str:
    if isinstance(error, NewConnectionError | ssl.SSLError):
        return "not_connected"
    if isinstance(error, TimedOut | TimeoutError):
        return "timed_out"
    return "broken_answer"


def _post(target: Target, addresses: Sequence[Address], parcel: Parcel) -> Outcome:
    """The request itself, to one of these addresses and to no other."""
    sent_at = datetime.now(UTC)
    headers = {
        "Host": target.authority,
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "Connection": "close",
        **sign(
            webhook_id=parcel.webhook_id,
            numbers=parcel.numbers,
            event_id=parcel.event_id,
            sent_at=sent_at,
            payload=parcel.payload,
        ),
    }
    connection = _connect(target, addresses)
    try:
        with _deadline(connection) as is_over:
            try:
                connection.request(
                    *("POST", target.path),
                    body=parcel.payload.encode(),
                    headers=headers,
                    preload_content=False,
                )
                response = connection.getresponse()
            finally:
                # A connection that was cut may look like an answer, or like any failure.
                if is_over.is_set():
                    raise TimeoutError("The answer took too long.")
            return _read(response)
    finally:
        connection.close()


def _connect(target: Target, addresses: Sequence[Address]) -> HTTPConnection:
    """A connection to the first address that takes one."""
    *others, last = addresses[:ADDRESSES_TRIED_MAX]
    for address in others:
        with suppress(NewConnectionError, TimedOut):
            return _connect_to(target, address)
    return _connect_to(target, last)


def _connect_to(target: Target, address: Address) -> HTTPConnection:
    """A connection to the address, on which the receiver has proved to be the URL's host."""
    connection: HTTPConnection
    if target.scheme == "http":
        connection = HTTPConnection(str(address), target.port, timeout=CONNECT_S)
    else:
        connection = HTTPSConnection(
            str(address),
            target.port,
            timeout=CONNECT_S,
            server_hostname=target.host,
            ssl_context=_trust(settings.WEBHOOK_CA_FILE),
        )
    try:
        connection.connect()
    except BaseException:
        connection.close()
        raise
    return connection


@lru_cache(maxsize=1)
def _trust(ca_file: str) -> ssl.SSLContext:
    """Whom we believe: kept, because to read the system's authorities takes long each time."""
    return ssl.create_default_context(cafile=ca_file or None)


@contextmanager
def _deadline(connection: HTTPConnection) -> Iterator[threading.Event]:
    """Cut the connection after a while; the event tells whether that has happened."""
    is_over = threading.Event()
    connection.timeout = ANSWER_S
    wire = connection.sock

    def cut() -> None:
        is_over.set()
        with suppress(OSError):
            # Of the wire, not of TLS on it, which another thread is reading.
            socket.socket.shutdown(wire, socket.SHUT_RDWR)

    timer = threading.Timer(ANSWER_S, cut)
    timer.daemon = True
    timer.start()
    try:
        yield is_over
    finally:
        timer.cancel()


def _read(response: HTTPResponse) -> Outcome:
    try:
        answer = response.read(ANSWER_BYTES_MAX, decode_content=False)
    except (HTTPError, HTTPException, OSError, ValueError):
        answer = b""  # The status has been received, and that is what counts.
    return Outcome(
        status=response.status,
        answer=_kept(answer.decode(errors="replace")),
        retry_after_s=_retry_after_s(response.headers.get("Retry-After")),
    )


def _retry_after_s(text: str | None) -> int | None:
    """Seconds, from a number of them or from a date."""
    if text is None:
        return None
    try:
        return int(Retry(retry_after_max=RETRY_AFTER_MAX_S).parse_retry_after(text))
    except (InvalidHeader, ValueError, OverflowError):
        return None


def _kept(text: str) -> str:
    """As much of an answer as is stored; the database takes no U+0000."""
    return text.replace("\x00", "\ufffd")[:KEPT_CHARACTERS_MAX]
