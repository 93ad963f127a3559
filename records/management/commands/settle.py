"""`manage.py settle`: do now what the workers do by and by, and try again what failed."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from records import ledger
from records.journal import seal_pending
from records.settlement import retry_failures, settle_sealed


class Command(BaseCommand):
    """Seal and settle what is due; safe while workers do the same."""

    help = "Seal and settle what is due, here and now. Exits 1 while any hand cannot be settled."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One option."""
        parser.add_argument(
            "--retry",
            action="store_true",
            help="also try every hand that failed, without waiting until it is due again",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Work off what is due and say what became of it."""
        sealed = seal_pending()
        settled = settle_sealed()
        retried = retry_failures() if options["retry"] else 0
        self.stdout.write(f"{sealed} sealed, {settled} worked off, {retried} settled on retry")
        failures = ledger.settlement_failures()
        for failure in failures.oldest:
            self.stderr.write(
                f"game {failure.game_id} hand {failure.hand}: {failure.code}: {failure.message}"
                f" ({failure.attempts} attempts)"
            )
        if failures.count:
            raise CommandError(f"{failures.count} hands cannot be settled", returncode=1)
