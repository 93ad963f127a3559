"""Requests and answers of a story that was played, as the examples of the OpenAPI document.

``tests/api/test_examples.py`` plays the story again and holds ``examples.json`` to it.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

import msgspec


class Example(msgspec.Struct, frozen=True, omit_defaults=True):
    """One operation as it was asked and as it answered; None where there is no JSON body."""

    request: Any = None
    answer: Any = None


class Examples(msgspec.Struct, frozen=True):
    """By id of the operation, and refusals by code."""

    operations: dict[str, Example]
    problems: dict[str, Any]


@lru_cache(maxsize=1)
def recorded() -> Examples:
    """What was recorded."""
    text = files("api").joinpath("examples.json").read_bytes()
    return msgspec.json.decode(text, type=Examples)


def request_of(operation_id: str) -> Any:
    """The JSON body that the operation was asked with, None if none was recorded."""
    return recorded().operations.get(operation_id, Example()).request


def answer_of(operation_id: str) -> Any:
    """The JSON body that it answered with, None if none was recorded."""
    return recorded().operations.get(operation_id, Example()).answer


def problem_of(code: str) -> Any:
    """A refusal with this code, None if none was recorded."""
    return recorded().problems.get(code)
