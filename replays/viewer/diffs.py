"""The difference of two JSON values, so that the frames of a hand are sent once and not again.

A change is ``[path, value]``: put the value there. A list that grows is changed place by place, one
that shrinks is put whole. An object with other keys is put whole.
"""

from typing import Any

Change = tuple[list[str | int], Any]


def changes(old: Any, new: Any) -> list[Change]:
    """What makes ``new`` of ``old``; applied in order, to a copy."""
    found: list[Change] = []
    _compare(old, new, [], found)
    return found


def _compare(old: Any, new: Any, path: list[str | int], found: list[Change]) -> None:
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        for key, value in new.items():
            _compare(old[key], value, [*path, key], found)
    elif isinstance(old, list) and isinstance(new, list) and len(old) <= len(new):
        for place, value in enumerate(new):
            if place < len(old):
                _compare(old[place], value, [*path, place], found)
            else:
                found.append(([*path, place], value))
    else:
        found.append((path, new))
