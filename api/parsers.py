"""Reading bodies and writing answers as JSON, strictly and with limits."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

import msgspec
from django.conf import settings
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from api.errors import Problem

_SUSPECT = re.compile(rb"\\u0000|[0-9]{17}")
"""Bodies without any of this cannot hold what ``_refuse_unstorable`` looks for."""
_INTEGER_LIMIT = 2**53 - 1
PIECE_BYTES = 64 * 1024
_DRAIN_BYTES = 64 * 1024 * 1024


class JsonParser(BaseParser):
    """JSON in UTF-8 of at most DATA_UPLOAD_MAX_MEMORY_SIZE bytes; else malformed_json or 413."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The decoded body. Raises Problem."""
        del media_type, parser_context
        body = read_limited(stream)
        try:
            value = msgspec.json.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Problem("malformed_json", f"The body is not JSON in UTF-8: {error}.") from error
        except RecursionError as error:
            raise Problem("malformed_json", "The body is nested too deeply.") from error
        if _SUSPECT.search(body):
            _refuse_unstorable(value)
        return value


class LinesParser(BaseParser):
    """NDJSON of any size: the body is not read here but handed on as a stream."""

    media_type = "application/x-ndjson"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The body, unread."""
        del media_type, parser_context
        return stream


def lines_of(request: Request) -> IO[bytes]:
    """The body of a request whose parser is LinesParser, as a stream that may be empty."""
    body: Any = request.data
    return body if hasattr(body, "read") else io.BytesIO()


def read_limited(stream: IO[bytes]) -> bytes:
    """The whole body, unless it is too large: then Problem ``payload_too_large``.

    What is too large is read to its end and thrown away, because a client that is still sending
    when the connection closes sees a broken connection and not the answer.
    """
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    body = stream.read(limit + 1)
    if len(body) <= limit:
        return body
    drained = 0
    while drained < _DRAIN_BYTES and (chunk := stream.read(1024 * 1024)):
        drained += len(chunk)
    raise Problem(
        "payload_too_large",
        f"The body has more than {limit:,} bytes; send it in several requests.",
        facts={"limit_bytes": limit},
    )


def _refuse_unstorable(value: Any) -> None:
    """Refuse what JSON allows and a record cannot hold: the character NUL, very large integers."""
    if isinstance(value, dict):
        for key, item in value.items():
            _refuse_unstorable(key)
            _refuse_unstorable(item)
    elif isinstance(value, list):
        for item in value:
            _refuse_unstorable(item)
    elif isinstance(value, str) and "\x00" in value:
        raise Problem("malformed_json", "A text holds the character U+0000, which none may.")
    elif isinstance(value, int) and abs(value) > _INTEGER_LIMIT:
        raise Problem("malformed_json", f"An integer lies outside ±{_INTEGER_LIMIT}.")


class JsonRenderer(BaseRenderer):
    """JSON by msgspec: times in UTC with ``Z``, engine values as they are."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """The encoded answer; nothing at all where there is no content."""
        del accepted_media_type, renderer_context
        return b"" if data is None else msgspec.json.encode(data)


class NdjsonRenderer(JsonRenderer):
    """Chosen by ``Accept: application/x-ndjson``: one JSON value a line."""

    media_type = "application/x-ndjson"
    format = "ndjson"


def pieces_of(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Lines in pieces of a size worth sending: each piece of a stream costs a call of its own."""
    waiting: list[bytes] = []
    size = 0
    for line in lines:
        waiting.append(line)
        size += len(line)
        if size >= PIECE_BYTES:
            yield b"".join(waiting)
            waiting, size = [], 0
    if waiting:
        yield b"".join(waiting)
