"""Every refusal of the log: a stable ``code``, a ``message`` to act on, and the ``facts`` behind
it.
"""

from __future__ import annotations

from typing import ClassVar


class RecordsError(Exception):
    """Base of the refusals. A published ``code`` never changes; ``facts`` holds plain JSON
    values.
    """

    code: ClassVar[str] = "records_error"

    def __init__(self, message: str, **facts: object) -> None:
        super().__init__(message)
        self.message = message
        self.facts: dict[str, object] = facts


class NotCanonical(RecordsError):
    """A value outside the JSON profile of ``records.canonical``."""

    code = "not_canonical"

    def __init__(self, *, place: str, reason: str) -> None:
        super().__init__(
            f"The value at {place or 'the top'} cannot be recorded: {reason}.",
            place=place,
            reason=reason,
        )
