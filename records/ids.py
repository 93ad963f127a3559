"""Identifiers: UUID version 7 (RFC 9562), so that a game's id tells the month of its record."""

from __future__ import annotations

import os
import time
from uuid import UUID

_VERSION = 0x7 << 76
_VARIANT = 0b10 << 62


def uuid7(now_ms: int | None = None) -> UUID:
    """A new id of this moment, or of ``now_ms`` (milliseconds since 1970 UTC)."""
    moment_ms = time.time_ns() // 1_000_000 if now_ms is None else now_ms
    if not 0 <= moment_ms < 1 << 48:
        raise ValueError(f"{moment_ms} ms is outside the 48 bits of a UUID version 7")
    noise = int.from_bytes(os.urandom(10), "big")
    high, low = noise >> 62 & 0xFFF, noise & (1 << 62) - 1
    return UUID(int=moment_ms << 80 | _VERSION | high << 64 | _VARIANT | low)


def milliseconds_of(identifier: UUID) -> int:
    """When a UUID version 7 was made, in milliseconds since 1970 UTC. Raises ValueError."""
    if identifier.version != 7:
        raise ValueError(f"{identifier} is not a UUID version 7")
    return identifier.int >> 80
