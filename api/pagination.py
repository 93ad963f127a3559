"""Cursor pages: ``?cursor=&limit=`` in, ``{"items": [...], "next": cursor or null}`` out.

A cursor is opaque: the sort key of the last item of the page before, so that a page stays right
while others add rows.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from rest_framework.response import Response

from api.errors import Problem

DEFAULT_LIMIT = 50
MAX_LIMIT = 200


class Asked(Protocol):
    """Which page: the part of a query that ``api.operation.PageQuery`` reads."""

    @property
    def cursor(self) -> str | None:
        """``next`` of the page before, None for the first page."""

    @property
    def limit(self) -> int:
        """The most items."""


def page(
    rows: QuerySet[Any], asked: Asked, *, order: Sequence[str], show: Callable[[Any], Any]
) -> Response:
    """One page of ``rows`` as an answer, each as ``show`` gives it.

    ``order`` are field names, ``-`` before one for descending; the last must be unique. Raises
    Problem ``invalid_input`` for a cursor that is none of ours.
    """
    if asked.cursor:
        rows = _after(rows, order, decode_cursor(asked.cursor, length=len(order)))
    found = list(rows.order_by(*order)[: asked.limit + 1])
    following = None
    if len(found) > asked.limit:
        last = found[asked.limit - 1]
        following = encode_cursor([getattr(last, name.lstrip("-")) for name in order])
    return Response({"items": [show(row) for row in found[: asked.limit]], "next": following})


def encode_cursor(key: Sequence[Any]) -> str:
    """A sort key as an opaque text."""
    return base64.urlsafe_b64encode(msgspec.json.encode(list(key))).decode().rstrip("=")


def decode_cursor(cursor: str, *, length: int) -> list[Any]:
    """The sort key of ``length`` parts. Raises Problem ``invalid_input``."""
    try:
        padded = cursor.encode() + b"=" * (-len(cursor) % 4)
        key = msgspec.json.decode(base64.urlsafe_b64decode(padded))
    except (binascii.Error, msgspec.DecodeError, UnicodeError, ValueError, RecursionError):
        key = None
    texts = [part for part in key or () if isinstance(part, str)] if isinstance(key, list) else []
    if not isinstance(key, list) or len(key) != length or any("\x00" in text for text in texts):
        raise _no_cursor()
    return key


def _after(rows: QuerySet[Any], order: Sequence[str], key: Sequence[Any]) -> QuerySet[Any]:
    """The rows that come after the key in this order."""
    after = Q(pk__in=[])
    same: dict[str, Any] = {}
    for name, value in zip(order, key, strict=True):
        field = name.lstrip("-")
        after |= Q(**same, **{f"{field}__{'lt' if name.startswith('-') else 'gt'}": value})
        same[field] = value
    try:
        return rows.filter(after)
    except (ValidationError, ValueError, TypeError) as error:
        raise _no_cursor() from error


def _no_cursor() -> Problem:
    return Problem(
        "invalid_input",
        "This is not a cursor that a page before gave.",
        facts={"fields": {"cursor": ["Use the value of `next` of the page before."]}},
    )
