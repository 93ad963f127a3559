"""Counts in English sentences: ``1 run``, ``2 runs``, ``no run``, ``once``, ``3 times``."""

from collections.abc import Sequence


def counted(number: int, one: str, many: str = "") -> str:
    """So many of a thing: ``no run``, ``1 run``, ``2 runs``. ``many`` is by default one with s."""
    if not number:
        return f"no {one}"
    return f"{number} {one if number == 1 else many or one + 's'}"


def times_over(number: int) -> str:
    """How often: ``once``, ``twice``, ``3 times``."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def agreeing(number: int, one: str, many: str) -> str:
    """The form of a verb that goes with so many things: ``is`` with one, ``are`` with others."""
    return one if number == 1 else many


def joined(names: Sequence[str], by: str = "and") -> str:
    """Names in a row: ``m``, ``m and p``, ``m, p and s``."""
    *first, last = names
    return f"{', '.join(first)} {by} {last}" if first else last
