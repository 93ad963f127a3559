"""What a hand is worth: items, the reading they come from, and who pays whom.

Shared by all variants and free of prices. A variant's ``score.py`` supplies ``Item``s, whose
``points`` look at one frozen ``Win`` of the variant's own making, and turns totals into
``Transfer``s.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final, Generic, Literal, TypeVar

import msgspec

from rules_engine.errors import Violation

Win = TypeVar("Win")
TransferKind = Literal["hu", "gang", "side"]


class Worth(msgspec.Struct, frozen=True):
    """What an item is worth under some options, in the few words of a rule page."""

    zh: str
    en: str


NOT_COUNTED: Final = Worth("不计", "not counted")


def amount(number: int, zh: str = "", en: str = "") -> Worth:
    """So many points, or so many of a unit; an item worth nothing does not count."""
    figure = f"{number:,}"
    return Worth(f"{figure} {zh}".rstrip(), f"{figure} {en}".rstrip()) if number else NOT_COUNTED


def factor_of(number: int) -> Worth:
    """So many times; once is nothing."""
    return Worth(f"×{number}", f"×{number}") if number != 1 else NOT_COUNTED


class Item(msgspec.Struct, Generic[Win], frozen=True, kw_only=True):
    """One line a score can have. The list of a variant's items reads like its rule page.

    ``worth`` says what it is worth under some options where their numbers alone do not; ``written``
    writes points of it, where they are not simply points: a factor, or a unit of the variant's.
    """

    id: str
    zh: str
    en: str
    rule: str
    points: Callable[[Win], int]
    worth: Callable[[Any], Worth] | None = None
    written: Callable[[int], Worth] = amount

    def given(self, points: int, words: tuple[str, str]) -> "ItemGiven":
        """The item where it counted, with the sentences, in Chinese and English, that say why."""
        return ItemGiven(
            id=self.id,
            rule=self.rule,
            points=points,
            worth=self.written(points),
            name_zh=self.zh,
            name_en=self.en,
            zh=words[0],
            en=words[1],
        )


class ItemLine(msgspec.Struct, frozen=True):
    """An item that counted, with the points it added and the rule it rests on."""

    id: str
    points: int
    rule: str


class Step(msgspec.Struct, frozen=True):
    """One line of the formula: a label in both languages, and the figure it arrives at."""

    zh: str
    en: str
    points: int


class WinScore(msgspec.Struct, frozen=True):
    """What one winner's hand is worth. ``reading`` writes the groups: ``234m 678m 222p 88m``.

    ``total`` is what an ordinary payer owes, in units of the stake.
    """

    seat: int
    items: tuple[ItemLine, ...]
    total: int
    reading: tuple[str, ...]
    formula: tuple[Step, ...]


class Transfer(msgspec.Struct, frozen=True):
    """One payment: seats, points > 0 in units of the stake, and why.

    ``item`` is the id of the item or payment that caused it, ``rule`` its rule, ``seq`` the event.
    """

    payer: int
    payee: int
    points: int
    kind: TransferKind
    item: str
    rule: str
    seq: int = 0


class HandScore(msgspec.Struct, frozen=True):
    """The engine's answer for a hand. ``facts`` holds figures only one variant has."""

    wins: tuple[WinScore, ...]
    transfers: tuple[Transfer, ...]
    facts: dict[str, Any] = {}

    @property
    def hand_points(self) -> tuple[int, ...]:
        """Points by seat from the wins."""
        return points_by_seat(t for t in self.transfers if t.kind == "hu")

    @property
    def gang_points(self) -> tuple[int, ...]:
        """Points by seat settled apart from the wins."""
        return points_by_seat(t for t in self.transfers if t.kind != "hu")

    @property
    def total_points(self) -> tuple[int, ...]:
        """Points by seat in all."""
        return points_by_seat(self.transfers)


class NotGiven(msgspec.Struct, frozen=True):
    """An item that did not count, and why not, in both languages."""

    id: str
    rule: str
    zh: str
    en: str


class ItemGiven(msgspec.Struct, frozen=True, kw_only=True):
    """An item that counted, with its names and the sentence that says why, in both languages.

    A sentence writes a seat as ``2 座`` and ``seat 2``, so that a page can put a name there.
    ``worth`` writes its points as people do: ``2 tai``, ``×2``.
    """

    id: str
    rule: str
    points: int
    worth: Worth
    name_zh: str
    name_en: str
    zh: str
    en: str


class WinExplanation(msgspec.Struct, frozen=True):
    """Why a win is worth what it is. ``waits`` are the kinds the hand waited for."""

    seat: int
    given: tuple[ItemGiven, ...]
    not_given: tuple[NotGiven, ...]
    reading: tuple[str, ...]
    formula: tuple[Step, ...]
    waits: tuple[str, ...]
    total: int


class HandExplanation(msgspec.Struct, frozen=True):
    """The whole reasoning behind a hand's payments. ``notes`` concern the payments as such."""

    wins: tuple[WinExplanation, ...]
    transfers: tuple[Transfer, ...]
    notes: tuple[Step, ...] = ()


Scored = HandScore | Violation
"""A hand's score, or why these facts may not be recorded."""


def points_by_seat(transfers: Iterable[Transfer], seats: int = 4) -> tuple[int, ...]:
    """Sum of transfers by seat: positive received, negative paid. Zero-sum by construction."""
    points = [0] * seats
    for transfer in transfers:
        assert transfer.points > 0, transfer
        assert transfer.payer != transfer.payee, transfer
        points[transfer.payer] -= transfer.points
        points[transfer.payee] += transfer.points
    assert sum(points) == 0, points
    return tuple(points)
