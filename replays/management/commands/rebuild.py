"""`manage.py rebuild [--check] [--club CLUB]`: make the read side anew, compare, mend."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from records.models import Club
from replays.rebuild import Difference, rebuild


class Command(BaseCommand):
    """Prints every difference; with `--check` it changes nothing and exits 1 on any."""

    help = (
        "Make results, standings, places, tiers and ratings anew from the ledger beside the live "
        "ones, compare, report what differs, and put it right. Games may be recorded meanwhile."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to do with differences, and of which club."""
        parser.add_argument(
            "--check", action="store_true", help="change nothing; exit 1 if anything differs"
        )
        parser.add_argument("--club", metavar="CLUB", help="only this club, by its slug or id")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it and report."""
        club_id = _club_id(options["club"])
        with Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        ) as bar:
            task = bar.add_task("settlements", total=None)
            rebuilt = rebuild(
                mend=not options["check"],
                club_id=club_id,
                progress=lambda done, total: bar.update(task, completed=done, total=total),
            )
        for difference in rebuilt.differences:
            self.stdout.write(_told(difference))
        summary = f"{rebuilt.rows} rows up to settlement {rebuilt.position}"
        if not rebuilt.differences:
            self.stdout.write(f"{summary}: as kept")
        elif options["check"]:
            raise CommandError(f"{summary}: {len(rebuilt.differences)} tables differ")
        else:
            self.stdout.write(f"{summary}: {len(rebuilt.differences)} tables put right")


def _club_id(club: str | None) -> UUID | None:
    if club is None:
        return None
    try:
        return UUID(club)
    except ValueError:
        found = Club.objects.filter(slug=club).first()
    if found is None:
        raise CommandError(f"There is no club {club!r}.")
    return found.pk


def _told(difference: Difference) -> str:
    lines = [f"{difference.table}: {difference.wrong} rows wrong, {difference.missing} missing"]
    for word, rows in (
        ("wrong", difference.wrong_examples),
        ("missing", difference.missing_examples),
    ):
        lines += [f"  {word}: {' '.join(f'{k}={v}' for k, v in row.items())}" for row in rows]
    return "\n".join(lines)
