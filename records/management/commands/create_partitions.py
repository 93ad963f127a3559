"""`manage.py create_partitions`: make the months of the log that are coming."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from records.partitions import MONTHS_AHEAD, create_months


class Command(BaseCommand):
    """Makes this month's partitions and those of the months ahead, where they are missing."""

    help = "Make the log's monthly partitions ahead of time. Safe to run again; beat does it daily."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How far ahead."""
        parser.add_argument("--ahead", type=int, default=MONTHS_AHEAD, metavar="MONTHS")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make them and say which."""
        del args
        made = create_months(ahead=options["ahead"])
        for month in made:
            self.stdout.write(f"made {month:%Y-%m}")
        if not made:
            self.stdout.write("nothing to make")
