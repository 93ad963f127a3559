"""How the engine says no.

``Violation`` is the value: what was wrong, which rule says so, what was expected and what was
there. ``IllegalEvent`` carries one out of the fold, because an illegal event stops it. Whether a
hand may be declared is an everyday question, so scoring answers it with a plain ``Violation`` (see
``score.py``).
"""

from typing import Any

import msgspec


class Violation(msgspec.Struct, frozen=True):
    """One refusal.

    ``code`` is stable snake_case, ``message`` an English sentence a person can act on, ``rule`` the
    id of the numbered rule (``""`` where a rule of the log itself, not of a game, was broken),
    ``seq`` the seq the event would have had, and ``facts`` what the message rests on.
    """

    code: str
    message: str
    rule: str = ""
    seq: int = 0
    expected: Any = None
    actual: Any = None
    facts: dict[str, Any] = {}


class IllegalEvent(Exception):
    """An event that may not happen at this moment of the game."""

    def __init__(self, violation: Violation) -> None:
        super().__init__(violation.message)
        self.violation = violation


def illegal(
    code: str,
    message: str,
    *,
    rule: str = "",
    expected: Any = None,
    actual: Any = None,
    **facts: Any,
) -> IllegalEvent:
    """An IllegalEvent in one call; the fold adds the seq."""
    return IllegalEvent(
        Violation(
            code=code, message=message, rule=rule, expected=expected, actual=actual, facts=facts
        )
    )
