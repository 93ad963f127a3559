"""How the engine says no.

``Violation`` is the value: what was wrong, which rule says so, what was expected and what was
there. ``IllegalEvent`` carries one out of the fold, because an illegal event stops it. Whether a
hand may be declared is an everyday question, so scoring answers it with a plain ``Violation`` (see
``score.py``).
"""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from rules_engine.facts import PATTERNS


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


def no(code: str, rule: str, seat: int, message: str, expected: Any, actual: Any) -> Violation:
    """A refusal that concerns one seat, which its message names."""
    return Violation(
        code=code,
        message=f"Seat {seat}: {message}",
        rule=rule,
        expected=expected,
        actual=actual,
        facts={"seat": seat},
    )


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


SHOWN_MAX: Final = 60
"""Characters of a wrong value that a refusal quotes."""


def not_valid(name: str, body: Mapping[str, Any], error: msgspec.ValidationError) -> IllegalEvent:
    """The refusal of a body that is not an event of its type: what is wrong, and where.

    msgspec ends its message with the place, such as ``- at `$.wins[0].tile```, and says of a text
    only which pattern it misses; a person wants to hear that it is no tile.
    """
    wrong, _, place = str(error).partition(" - at `$")
    steps = re.findall(r"\.(\w+)|\[(\d+)\]", place)
    if not steps:
        return illegal("invalid_event", f"This is not a valid {name}: {wrong}", actual=name)
    actual: Any = body
    for key, index in steps:
        actual = actual[key] if key else actual[int(index)]
    if isinstance(actual, str | list | dict) and len(shown := repr(actual)) > SHOWN_MAX:
        actual = f"{shown[:SHOWN_MAX]}..."
    expected = wrong.removeprefix("Expected ")
    for pattern, meaning in PATTERNS.items():
        if f"'{pattern}'" in wrong:
            expected, wrong = meaning, f"{actual!r} is not {meaning}"
    where = "".join(f".{key}" if key else f"[{index}]" for key, index in steps).lstrip(".")
    return illegal(
        "invalid_event",
        f"This is not a valid {name}: {wrong} (in {where}).",
        expected=expected,
        actual=actual,
        field=where,
    )
