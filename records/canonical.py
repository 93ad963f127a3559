"""The one way a value becomes bytes before it is hashed.

A value keeps to a *profile* of JSON: objects with ASCII snake_case keys (dots may join several),
strings, booleans, null, arrays and integers within +-(2^53 - 1). On that profile compact JSON with
sorted keys equals RFC 8785 (JCS) byte for byte, so an auditor can check our hashes with any JCS
library. Everything else is refused rather than guessed at.

Why each limit: floats print differently from library to library; larger integers lose digits in
JavaScript; keys outside ASCII sort differently by code point and by UTF-16 unit; PostgreSQL's jsonb
can hold neither U+0000 nor half a surrogate pair. Text is never normalised here: two spellings are
two values.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import msgspec

from records.errors import NotCanonical

INTEGER_MAX: Final = 2**53 - 1

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*")
_ENCODER: Final = msgspec.json.Encoder(order="deterministic")


def canonical_bytes(value: object) -> bytes:
    """The RFC 8785 bytes of ``value``. Raises NotCanonical, naming what leaves the profile."""
    place: list[str] = []
    reason = _fault(value, place)
    if reason is not None:
        raise NotCanonical(place="".join(reversed(place)), reason=reason)
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError as error:
        raise NotCanonical(place="", reason="a string holds half a surrogate pair") from error


def _fault(value: object, place: list[str]) -> str | None:
    """Why ``value`` is outside the profile, or None. ``place``: the path to it, innermost first."""
    if isinstance(value, str):
        return "a string holds the character U+0000" if "\0" in value else None
    if value is None or value is True or value is False:
        return None
    if type(value) is int:
        return (
            None if -INTEGER_MAX <= value <= INTEGER_MAX else f"integer {value} is beyond 2^53 - 1"
        )
    if type(value) is dict:
        return _fault_in_object(value, place)
    if type(value) is list or type(value) is tuple:
        for index, item in enumerate(value):
            reason = _fault(item, place)
            if reason is not None:
                place.append(f"[{index}]")
                return reason
        return None
    return f"type {type(value).__name__} is not part of the profile"


def _fault_in_object(value: dict[object, object], place: list[str]) -> str | None:
    for key, item in value.items():
        if type(key) is not str or not _is_name(key):
            return f"key {key!r} is not ASCII snake_case"
        reason = _fault(item, place)
        if reason is not None:
            place.append(f".{key}")
            return reason
    return None


@lru_cache(maxsize=4096)
def _is_name(key: str) -> bool:
    """Whether ``key`` is a snake_case name, or several joined by dots, as in ``dealt.0``."""
    return _NAME.fullmatch(key) is not None
