"""Golden cases: hands with the right answer (``*.cases.json``), and holding a ruleset to them.

A file is a list of cases, each a hand's facts with the answer that is expected. The test-suite, the
command line and an outside auditor read the same form and ask the same question: in what does the
engine's answer differ?
"""

from typing import Any, Final, TypeAlias

import msgspec

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts, Holding, Result, TileName, WinFacts
from rules_engine.ruleset import Ruleset, make_options
from rules_engine.score import HandScore

CaseOptions: TypeAlias = dict[str, Any]
_POINTS: Final = ("hand_points", "gang_points", "total_points")


class BadCases(ValueError):
    """A text that is not a list of golden cases; the message says where and why."""


class ExpectedItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An item that should count, with its points."""

    id: str
    points: int


class ExpectedWin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a winner's hand should be worth. In which order items are listed is a variant's own."""

    seat: int
    items: tuple[ExpectedItem, ...]
    total: int


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The right answer. An illegal result has a reason, its refusal's code, and pays nothing."""

    legal: bool
    reason: str | None = None
    wins: tuple[ExpectedWin, ...] | None = None
    hand_points: tuple[int, ...] | None = None
    gang_points: tuple[int, ...] | None = None
    total_points: tuple[int, ...] | None = None


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One golden case; ``options`` overrides the defaults, ``why`` explains the figure."""

    id: str
    title: str
    dealer: int
    result: Result
    expect: Expected
    options: CaseOptions = {}
    streak: int = 1
    wild: TileName | None = None
    wins: tuple[WinFacts, ...] = ()
    table: tuple[Holding, ...] = ()
    why: str = ""

    @property
    def slug(self) -> str:
        """The variant its id begins with: ``"abc"`` of ``abc-017``."""
        return self.id.rsplit("-", 1)[0]

    @property
    def facts(self) -> HandFacts:
        """The hand as the engine takes it."""
        return HandFacts(
            dealer=self.dealer,
            result=self.result,
            streak=self.streak,
            wild=self.wild,
            wins=self.wins,
            table=self.table,
        )


class Mismatch(msgspec.Struct, frozen=True):
    """One thing in which the answer differs from the right one."""

    what: str
    expected: Any
    actual: Any


def read_cases(text: bytes) -> tuple[Case, ...]:
    """The cases of a file's content. Raises BadCases."""
    try:
        return msgspec.json.decode(text, type=tuple[Case, ...])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadCases(str(error)) from error


def mismatches(case: Case, ruleset: Ruleset) -> tuple[Mismatch, ...]:
    """Everything in which the ruleset's answer to a case differs from the right one."""
    options = make_options(ruleset.options, case.options)
    if isinstance(options, Violation):
        return (Mismatch("options", "options of the ruleset", options.message),)
    answer = ruleset.score(case.facts, options)
    if isinstance(answer, Violation):
        nothing = {"wins": (), **dict.fromkeys(_POINTS, (0, 0, 0, 0))}
        actual: dict[str, Any] = {"legal": False, "reason": answer.code, **nothing}
    else:
        actual = {"legal": True, "reason": None, **_figures(answer)}
    expected = msgspec.structs.asdict(case.expect)
    for side in (expected, actual):
        side["wins"] = side["wins"] and tuple(in_id_order(win) for win in side["wins"])
    return tuple(
        Mismatch(what, wanted, actual.get(what))
        for what, wanted in expected.items()
        if wanted != actual.get(what) and (wanted is not None or what == "reason")
    )


def in_id_order(win: ExpectedWin) -> ExpectedWin:
    """The same with its items by id."""
    items = tuple(sorted(win.items, key=lambda item: item.id))
    return msgspec.structs.replace(win, items=items)


def _figures(answer: HandScore) -> dict[str, Any]:
    """An answer in the words of ``Expected``."""
    wins = tuple(
        ExpectedWin(
            seat=win.seat,
            items=tuple(ExpectedItem(item.id, item.points) for item in win.items),
            total=win.total,
        )
        for win in answer.wins
    )
    return {
        "wins": wins,
        "hand_points": answer.hand_points,
        "gang_points": answer.gang_points,
        "total_points": answer.total_points,
    }
