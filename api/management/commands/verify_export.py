"""`manage.py verify_export FILE|-`: whether exported games are what was recorded. No database."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from api.exchange.exporting import verify_lines
from api.exchange.lines import BadLine
from api.exchange.output import opened, progress


class Command(BaseCommand):
    """Checks the hash chain and every opened commitment of each game of an export."""

    help = "Verify exported games offline: names the first altered seq of each, and exits 1 on any."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to verify."""
        parser.add_argument("file", metavar="FILE", help="an export, - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        """Verify and report."""
        games = events = faults = 0
        try:
            with opened(options["file"]) as file, progress() as shown:
                task = shown.add_task("verifying")
                for verdict in verify_lines(file):
                    games += 1
                    events += verdict.events
                    shown.update(task, description=f"verifying, {events} events")
                    if verdict.fault is not None:
                        faults += 1
                        fault = verdict.fault
                        self.stdout.write(
                            f"{verdict.game} seq {fault.seq}: {fault.kind}: {fault.message}"
                        )
        except BadLine as error:
            raise CommandError(f"line {error.line}: {error.message}") from error
        summary = f"{games} games, {events} events"
        if faults:
            raise CommandError(f"{summary}: {faults} not as recorded")
        self.stdout.write(f"{summary}: intact")
