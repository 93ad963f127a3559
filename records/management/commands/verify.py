"""`manage.py verify [GAME_ID ...]`: whether the log is what was recorded."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from records import verification
from records.errors import UnknownGame
from records.journal import signer
from records.models import Game
from records.verification import Finding


class Command(BaseCommand):
    """Checks games, or everything, and exits 1 where something is not as it was recorded."""

    help = (
        "Verify the hash chain, receipts, seals and snapshots of games, and the journal with its "
        "checkpoints. Without a game id: all games. Exits 1 on any finding."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The games to verify."""
        parser.add_argument("games", nargs="*", type=UUID, metavar="GAME_ID")

    def handle(self, *args: Any, **options: Any) -> None:
        """Verify and report."""
        del args
        chosen: list[UUID] = options["games"]
        findings, events, games = self._verify_games(chosen)
        if not chosen:
            key = signer().verifier_key if settings.CHECKPOINT_KEY else None
            finding = verification.verify_journal(verifier_key=key)
            if finding is not None:
                findings.append(finding)
        for finding in findings:
            self.stdout.write(_line(finding))
        summary = f"{games} games, {events} events"
        if findings:
            raise CommandError(f"{summary}: {len(findings)} not as recorded")
        self.stdout.write(f"{summary}: intact")

    def _verify_games(self, chosen: list[UUID]) -> tuple[list[Finding], int, int]:
        findings, events, games = [], 0, 0
        total = len(chosen) or Game.objects.using(verification.READER).count()
        with _progress() as progress:
            bar = progress.add_task("verifying", total=total)
            for game_id in chosen or verification.all_games():
                try:
                    report = verification.verify_game(game_id)
                except UnknownGame as error:
                    raise CommandError(error.message) from error
                games += 1
                events += report.events
                if report.finding is not None:
                    findings.append(report.finding)
                progress.update(bar, advance=1, description=f"verifying, {events} events")
        return findings, events, games


def _line(finding: Finding) -> str:
    """One finding as a line: where, what, why."""
    where = "journal" if finding.game_id is None else f"{finding.game_id} seq {finding.seq}"
    return f"{where}: {finding.kind}: {finding.message}"


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
