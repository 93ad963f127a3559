"""`manage.py import FILE|-`: record games."""  # noqa: N999 -- the command's name

import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any, Final
from uuid import uuid4

from django.core.management.base import BaseCommand, CommandError, CommandParser

from api.bulk.receiving import Progress, progress_of, receive
from api.exchange import lines
from api.exchange.clubs import Newcomer, club_for_imports
from api.exchange.importing import Refused, import_lines
from api.exchange.output import bar, opened, progress
from api.exchange.settling import settle_now
from api.models import Import
from records import bell
from records.errors import RecordsError
from records.models import Club

FAULTS_SHOWN: Final = 20
POLL_S: Final = 0.5
QUIET_S: Final = 30.0


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
            "--queue",
            action="store_true",
            help="hand the whole file to the workers, show how far they are, and go on past games "
            "that are not legal: each is recorded up to its first line that is not",
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
        if options["queue"]:
            self.queue(options["file"], club)
            return
        try:
            self.take_in(options["file"], club)
        except Refused as error:
            raise CommandError(str(error)) from error
        finally:
            if not options["no_settle"]:
                settle_now()

    def take_in(self, name: str, club: Club) -> None:
        """Record the lines of the file and print the games. Raises Refused."""
        with opened(name) as file, progress() as shown:
            task = shown.add_task("importing")

            def tell(number: int, size: int, events: int) -> None:
                if number % 500 == 0:
                    shown.update(task, description=f"importing, {events} events")

            for game_id in import_lines(file, club=club, progress=tell):
                self.stdout.write(str(game_id))

    def queue(self, name: str, club: Club) -> None:
        """Hand the file to the workers and wait for them. Raises CommandError."""
        key = f"file:{uuid4()}"
        try:
            with opened(name) as lines_of, progress() as shown:
                shown.add_task("receiving")
                packed = name.endswith(".gz")
                file, _ = receive(lines_of, club=club, account=None, key=key, packed=packed)
        except RecordsError as error:
            raise CommandError(error.message) from error
        bell.ring(bell.IMPORT)
        done = self.wait_for(file)
        self.stdout.write(
            f"{done.recorded} of {done.games} games recorded, {done.events} events, "
            f"{done.faults} lines refused"
        )
        for fault in file.faults.order_by("line")[:FAULTS_SHOWN]:
            rule = f"{fault.rule}: " if fault.rule else ""
            self.stderr.write(f"line {fault.line}: {rule}{fault.message} ({fault.code})")
        if done.faults:
            raise CommandError(f"{done.faults} lines were refused")

    def wait_for(self, file: Import) -> Progress:
        """Follow the workers until nothing of the file waits; what came of it."""
        with bar() as shown:
            done = progress_of(file.pk)
            task = shown.add_task("recording games", total=done.games)
            quiet_since = time.monotonic()
            while done.waiting:
                time.sleep(POLL_S)
                before, done = done, progress_of(file.pk)
                shown.update(task, completed=done.games - done.waiting)
                if done.waiting != before.waiting:
                    quiet_since = time.monotonic()
                elif time.monotonic() - quiet_since > QUIET_S:
                    self.stderr.write("No worker takes these games; is one running?")
                    quiet_since = time.monotonic()
        return done

    def introduce(self, newcomer: Newcomer | None) -> None:
        """Say how the owner of a new club signs in."""
        if newcomer is not None:
            self.stderr.write(f"new account {newcomer.username}, password {newcomer.password}")
