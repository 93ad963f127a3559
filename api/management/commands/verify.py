"""`manage.py verify [--ledger] [GAME_ID ...]`: whether log and ledger are what was recorded."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from records import ledger_verification, verification
from records.errors import UnknownGame
from records.journal import signer
from records.models import Game
from records.verification import Finding
from replays.agreement import disagreements

Checked = tuple[int, Finding | None]
"""How much of a game was read, and what is wrong first."""


class Command(BaseCommand):
    """Checks games, or everything, and exits 1 where something is not as it was recorded."""

    help = (
        "Verify the hash chain, receipts, seals and snapshots of games, and the journal with its "
        "checkpoints; with --ledger instead every settlement and payment, derived again from the "
        "log, and that the boards agree. Without a game id: all games. Exits 1 on any finding."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to verify."""
        parser.add_argument("games", nargs="*", type=UUID, metavar="GAME_ID")
        parser.add_argument("--ledger", action="store_true", help="verify the ledger, not the log")

    def handle(self, *args: Any, **options: Any) -> None:
        """Verify and report."""
        del args
        chosen: list[UUID] = options["games"]
        check, unit = (_ledger, "settlements") if options["ledger"] else (_log, "events")
        findings, read, games = _verify_games(chosen, check, unit)
        if not chosen:
            findings += _whole_ledger() if options["ledger"] else _whole_log()
        for finding in findings:
            self.stdout.write(_line(finding))
        summary = f"{games} games, {read} {unit}"
        if findings:
            raise CommandError(f"{summary}: {len(findings)} not as recorded")
        self.stdout.write(f"{summary}: intact")


def _log(game_id: UUID) -> Checked:
    report = verification.verify_game(game_id)
    return report.events, report.finding


def _ledger(game_id: UUID) -> Checked:
    report = ledger_verification.verify_ledger_of(game_id)
    return report.settlements, report.finding


def _whole_log() -> list[Finding]:
    """What concerns the journal and no single game."""
    key = signer().verifier_key if settings.CHECKPOINT_KEY else None
    finding = verification.verify_journal(verifier_key=key)
    return [] if finding is None else [finding]


def _whole_ledger() -> list[Finding]:
    """What concerns no single game: sums of clubs, and the boards."""
    finding = ledger_verification.verify_whole_ledger()
    boards = [
        Finding(
            "standing",
            f"the board of club {each.club_id} gives {each.person} {each.standing} points, "
            f"paid were {each.paid}",
        )
        for each in disagreements()
    ]
    return boards if finding is None else [finding, *boards]


def _verify_games(
    chosen: list[UUID], check: Callable[[UUID], Checked], unit: str
) -> tuple[list[Finding], int, int]:
    findings, read, games = [], 0, 0
    total = len(chosen) or Game.objects.using(verification.READER).count()
    with _progress() as progress:
        bar = progress.add_task("verifying", total=total)
        for game_id in chosen or verification.all_games():
            try:
                count, finding = check(game_id)
            except UnknownGame as error:
                raise CommandError(error.message) from error
            games += 1
            read += count
            if finding is not None:
                findings.append(finding)
            progress.update(bar, advance=1, description=f"verifying, {read} {unit}")
    return findings, read, games


def _line(finding: Finding) -> str:
    """One finding as a line: where, what, why."""
    if finding.game_id is None:
        where = "journal" if finding.kind in ("journal", "checkpoint") else "ledger"
    else:
        where = f"{finding.game_id}" + ("" if finding.seq is None else f" seq {finding.seq}")
    return f"{where}: {finding.kind}: {finding.message}"


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
