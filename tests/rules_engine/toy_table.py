"""Where the tests of the standard turn begin: a hand of the toy, seat 0 dealing."""

from tests.rules_engine.log import Log

DEALER = "147m147p147s1234z5z"
"""A dealer's hand that no tile helps; 5z is the drawn one."""


def dealt(hands: dict[int, str] | None = None, *, keep: str = "", **options: object) -> Log:
    """A hand in which seat 0 deals."""
    return Log("toy", **options).deal({0: DEALER, **(hands or {})}, last="5z", keep=keep)
