"""``manage.py score FILE...``: hold the installed rulesets to golden cases. Needs no database."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import track

from rules_engine import registry
from rules_engine.cases import BadCases, Case, ExpectedWin, Mismatch, mismatches, read_cases
from rules_engine.errors import Violation
from rules_engine.ruleset import Ruleset, make_options
from rules_engine.score import HandExplanation


class Command(BaseCommand):
    """Score every case and print what differs, both sides and the explanation."""

    help = (
        "Score golden cases (*.cases.json) and print each answer that differs from the right one."
    )
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Files, and the ruleset where the case ids do not say it."""
        parser.add_argument("files", nargs="+", metavar="FILE", type=Path)
        parser.add_argument(
            "--ruleset",
            metavar="SLUG",
            help="score by this ruleset, whatever the case ids begin with",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit status 1 when any case fails."""
        cases = [case for path in options["files"] for case in load(path)]
        failed = 0
        console = Console(stderr=True)
        for case in track(cases, "Scoring", console=console, transient=True):
            ruleset = find_ruleset(options["ruleset"] or case.slug)
            found = mismatches(case, ruleset)
            if found:
                failed += 1
                self.stdout.write("\n".join(report(case, ruleset, found)))
        self.stdout.write(f"{len(cases) - failed} passed, {failed} failed")
        if failed:
            raise SystemExit(1)


def load(path: Path) -> tuple[Case, ...]:
    """The cases of a file. Raises CommandError when it cannot be read."""
    try:
        return read_cases(path.read_bytes())
    except (OSError, BadCases) as error:
        raise CommandError(f"{path}: {error}") from error


def find_ruleset(slug: str) -> Ruleset:
    """The latest version of a ruleset. Raises CommandError when none is installed."""
    try:
        return registry.get(slug)
    except registry.UnknownRuleset as error:
        raise CommandError(f"{error} Choose one with --ruleset.") from error


def report(case: Case, ruleset: Ruleset, found: tuple[Mismatch, ...]) -> Iterator[str]:
    """The lines about a case that fails."""
    yield f"{case.id}: {case.title}"
    for mismatch in found:
        yield f"  {mismatch.what}"
        yield f"    expected  {shown(mismatch.expected)}"
        yield f"    got       {shown(mismatch.actual)}"
    if case.why:
        yield f"  the case says: {case.why}"
    options = make_options(ruleset.options, case.options)
    if not isinstance(options, Violation):
        yield "  the engine says:"
        yield from told(ruleset.explain(case.facts, options))


def shown(value: Any) -> str:
    """One side of a mismatch in a line."""
    if isinstance(value, tuple) and value and isinstance(value[0], ExpectedWin):
        return "; ".join(
            f"seat {win.seat}: "
            + " + ".join(f"{item.id} {item.points}" for item in win.items)
            + f" = {win.total}"
            for win in value
        )
    return msgspec.json.encode(value).decode()


def told(explanation: HandExplanation | Violation) -> Iterator[str]:
    """An explanation as lines of text."""
    if isinstance(explanation, Violation):
        yield f"    refused, {explanation.code} ({explanation.rule}): {explanation.message}"
        return
    for win in explanation.wins:
        yield f"    seat {win.seat} wins {win.total} with {' '.join(win.reading)}"
        for item in win.given:
            yield f"      + {item.id} {item.points} ({item.rule}): {item.en}"
        for missing in win.not_given:
            yield f"      - {missing.id} ({missing.rule}): {missing.en}"
        for step in win.formula:
            yield f"      = {step.points}: {step.en}"
    for note in explanation.notes:
        yield f"    {note.en}"
    for paid in explanation.transfers:
        why = f"({paid.item}, {paid.rule})"
        yield f"    seat {paid.payer} pays seat {paid.payee} {paid.points} {why}"
