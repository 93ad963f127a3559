"""How two things are compared: in turn, each run of one between two runs of the other.

A machine's speed drifts by more than what is to be told apart, so nothing is compared with a figure
of some minutes ago: a ratio is taken to the mean of the reference run before and the one after.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

Measure = Callable[[], float]
"""Runs something for its time and gives its rate per second."""


@dataclass
class Paired:
    """The ratios and rates of one subject, one a repeat."""

    ratios: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)


def compare(
    reference: Measure,
    subjects: Mapping[str, Measure],
    *,
    repeats: int,
    told: Callable[[str], None],
) -> dict[str, Paired]:
    """Each subject between two runs of the reference, ``repeats`` times; by subject's name.

    Neighbours share the run between them. The order turns round from repeat to repeat, so that no
    subject always comes after the same other. The reference itself is in the answer as ``""``.
    """
    result: dict[str, Paired] = {name: Paired() for name in ("", *subjects)}
    for repeat in range(repeats):
        told("reference")
        before = reference()
        result[""].rates.append(before)
        names: Sequence[str] = list(subjects)[:: 1 if repeat % 2 == 0 else -1]
        for name in names:
            told(name)
            rate = subjects[name]()
            told("reference")
            after = reference()
            result[name].rates.append(rate)
            result[name].ratios.append(rate / ((before + after) / 2))
            result[""].rates.append(after)
            before = after
    return result
