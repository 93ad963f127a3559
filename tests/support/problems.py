"""Checking a refusal: that it is problem+json, which one, and that nothing was written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

COUNTED = ("game", "event", "receipt", "records_club", "records_player", "records_membership")


def refused(answer: Any, status: int, code: str) -> dict[str, Any]:
    """The facts of a refusal with this status and code."""
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (status, code), problem
    assert answer["Content-Type"] == "application/problem+json"
    assert problem.keys() == {"type", "title", "status", "detail", "code", "facts"}
    assert problem["status"] == status
    assert problem["detail"]
    facts: dict[str, Any] = problem["facts"]
    return facts


@contextmanager
def nothing_written() -> Iterator[None]:
    """The block leaves every table of the write side as long as it was."""
    before = _counts()
    yield
    assert _counts() == before


def _counts() -> dict[str, int]:
    with connection.cursor() as cursor:
        counts = {}
        for table in COUNTED:
            cursor.execute(f"SELECT count(*) FROM {table}")
            counts[table] = cursor.fetchone()[0]
        return counts
