"""`manage.py import FILE|-`: record games."""  # noqa: N999 -- the command's name

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from api.exchange import lines
from api.exchange.clubs import Newcomer, club_for_imports
from api.exchange.importing import Refused, import_lines
from api.exchange.output import opened, progress
from api.exchange.settling import settle_now
from records.errors import RecordsError


class Command(BaseCommand):
    """Records what is legal, hand by hand, and stops at the first line that is not."""

    help = (
        "Record games from a file, or from standard input for -. Prints the id of each game. "
        "The same file again records nothing twice and adds what is new. At a line that is not "
        "legal it stops with the line, the seq, the rule and the reason, and exits 1; what came "
        f"before that line stays.\n\n{lines.__doc__}"
    )

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Keep the examples of the help as they are written."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.formatter_class = RawDescriptionHelpFormatter
        return parser

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to read, and whose games they are."""
        parser.add_argument("file", metavar="FILE", help="lines of JSON, - for standard input")
        parser.add_argument(
            "--club", default="imports", help="slug of the club they belong to; made when new"
        )
        parser.add_argument(
            "--owner",
            help="username of the owner of a new club, made when new (demo's, or imports)",
        )
        parser.add_argument(
            "--no-settle", action="store_true", help="leave settling to the workers"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Import."""
        try:
            club, newcomer = club_for_imports(slug=options["club"], owner=options["owner"])
        except RecordsError as error:
            raise CommandError(error.message) from error
        self.introduce(newcomer)
        try:
            self.take_in(options["file"], club)
        except Refused as error:
            raise CommandError(str(error)) from error
        finally:
            if not options["no_settle"]:
                settle_now()

    def take_in(self, name: str, club: Any) -> None:
        """Record the lines of the file and print the games. Raises Refused."""
        with opened(name) as file, progress() as shown:
            task = shown.add_task("importing")

            def tell(number: int, size: int, events: int) -> None:
                if number % 500 == 0:
                    shown.update(task, description=f"importing, {events} events")

            for game_id in import_lines(file, club=club, progress=tell):
                self.stdout.write(str(game_id))

    def introduce(self, newcomer: Newcomer | None) -> None:
        """Say how the owner of a new club signs in."""
        if newcomer is not None:
            self.stderr.write(f"new account {newcomer.username}, password {newcomer.password}")
